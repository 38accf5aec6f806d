"""Functions of one tensor, element by element.

First the maths: each function and its vjp, a line or two. Then what people call: every function by
its name, and beside it the one that writes its result into the tensor's own memory (``exp_``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import BY_NUMPY, Array
from ..inplace import write
from ..op import Op, Unary
from ..tensor import Tensor
from .arguments import no_bools, not_a_tensor, only_floats
from .vjps import constant, masked, zeros

Function = Callable[[Tensor], Tensor]

# Exponentials and logarithms --------------------------------------------------------------------

_exp = Unary("ExpBackward0", np.exp, types="float", x=lambda g, out: g * out)
_exp2 = Unary("Exp2Backward0", np.exp2, types="float", x=lambda g, out: g * out * math.log(2))
_expm1 = Unary("Expm1Backward0", np.expm1, types="float", x=lambda g, out: g * (out + 1))
_log = Unary("LogBackward0", np.log, types="float", x=lambda g, x: g / x)
_log2 = Unary("Log2Backward0", np.log2, types="float", x=lambda g, x: g / (x * math.log(2)))
_log10 = Unary("Log10Backward0", np.log10, types="float", x=lambda g, x: g / (x * math.log(10)))
_log1p = Unary("Log1PBackward0", np.log1p, types="float", x=lambda g, x: g / (x + 1))

# Roots and reciprocals --------------------------------------------------------------------------

_sqrt = Unary("SqrtBackward0", np.sqrt, types="float", x=lambda g, out: g / (2 * out))
_rsqrt = Unary(
    "RsqrtBackward0", lambda x: 1 / np.sqrt(x), types="float", x=lambda g, out: g * (out**3 * -0.5)
)
_reciprocal = Unary(
    "ReciprocalBackward0", lambda x: 1 / x, types="float", x=lambda g, out: -g * (out * out)
)

# Angles -----------------------------------------------------------------------------------------

_sin = Unary("SinBackward0", np.sin, types="float", x=lambda g, x: g * _cos(x))
_cos: Unary = Unary("CosBackward0", np.cos, types="float", x=lambda g, x: g * -_sin(x))
_tan = Unary("TanBackward0", np.tan, types="float", x=lambda g, out: g * (1 + out * out))
_asin = Unary("AsinBackward0", np.arcsin, types="float", x=lambda g, x: g * _rsqrt(1 - x * x))
_acos = Unary("AcosBackward0", np.arccos, types="float", x=lambda g, x: g * -_rsqrt(1 - x * x))
_atan = Unary("AtanBackward0", np.arctan, types="float", x=lambda g, x: g / (x * x + 1))
_sinh = Unary("SinhBackward0", np.sinh, types="float", x=lambda g, x: g * _cosh(x))
_cosh: Unary = Unary("CoshBackward0", np.cosh, types="float", x=lambda g, x: g * _sinh(x))
_tanh = Unary("TanhBackward0", np.tanh, types="float", x=lambda g, out: g * (1 - out * out))
_asinh = Unary("AsinhBackward0", np.arcsinh, types="float", x=lambda g, x: g * _rsqrt(x * x + 1))
_acosh = Unary("AcoshBackward0", np.arccosh, types="float", x=lambda g, x: g * _rsqrt(x * x - 1))
_atanh = Unary("AtanhBackward0", np.arctanh, types="float", x=lambda g, x: g / (1 - x * x))
_deg2rad = Unary("Deg2RadBackward0", np.deg2rad, types="float", x=lambda g: g * math.radians(1.0))
_rad2deg = Unary("Rad2DegBackward0", np.rad2deg, types="float", x=lambda g: g * math.degrees(1.0))

# Curves -----------------------------------------------------------------------------------------


def _logistic(x: Any) -> Any:
    """Return 1 / (1 + exp(-x)); where exp overflows, that is 0."""
    return 1 / (1 + np.exp(-x))


def _each(function: Callable[[float], float], x: Any) -> Any:
    """Return a function of Python's ``math`` at every element: numpy has no error function."""
    values = np.fromiter(map(function, x.ravel().tolist()), np.float64, x.size)
    return values.astype(x.dtype).reshape(x.shape)


def _sinc_vjp(g: Any, x: Any) -> Any:
    """Return the slope (cos(pi x) - sinc(x)) / x; 0 at 0, where the curve is flat."""
    around = x * math.pi
    slope = (_cos(around) * around - _sin(around)) / (around * x)
    return g * masked(slope, x != 0)


_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)

_sigmoid = Unary("SigmoidBackward0", _logistic, types="float", x=lambda g, out: g * (1 - out) * out)
_erf = Unary(
    "ErfBackward0",
    lambda x: _each(math.erf, x),
    types="float",
    x=lambda g, x: g * (_TWO_OVER_ROOT_PI * _exp(-x * x)),
)
_erfc = Unary(
    "ErfcBackward0",
    lambda x: _each(math.erfc, x),
    types="float",
    x=lambda g, x: g * (-_TWO_OVER_ROOT_PI * _exp(-x * x)),
)

_sinc = Unary("SincBackward0", np.sinc, types="float", x=_sinc_vjp)

# Signs and steps --------------------------------------------------------------------------------


def _of_numbers(function: Callable[[Any], Any], name: str) -> Callable[[Any], Any]:
    """Return the function for numbers; integers stay as they are where it only rounds."""

    def forward(x: Any) -> Any:
        no_bools(name, x)
        return function(x) if x.dtype.kind == "f" or function is np.absolute else x.copy()

    return forward


def _sign_of(x: Any) -> Any:
    """Return -1, 0 or 1; 0 for nan."""
    return np.subtract(x > 0, x < 0, dtype=x.dtype) if x.dtype.kind != "b" else x.copy()


def _fraction(x: Any) -> Any:
    only_floats("frac_cpu", x)
    return x - np.trunc(x)


def _relu_forward(x: Any) -> Any:
    if x.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu: convert them, with .float()")
    return np.maximum(x, _ZEROS[x.dtype])


# Arrays of no dimensions: numpy takes them more readily than Python's 0.
_ZEROS = {kind: np.zeros((), kind) for kind in BY_NUMPY}

_neg = Unary("NegBackward0", np.negative, types="one", x=lambda g: -g)
_abs = Unary(
    "AbsBackward0",
    _of_numbers(np.absolute, "abs_cpu"),
    into=np.absolute,
    types="one",
    x=lambda g, x: g * _sign(x),
)
# The slope at 0 is 0; where the result is nan, the gradient passes.
_relu = Unary(
    "ReluBackward0",
    _relu_forward,
    into=lambda x, out: np.maximum(x, 0, out=out),
    types="one",
    x=lambda g, out: _above_0(g, out),
)


def _above_0(g: Any, out: Any) -> Any:
    if isinstance(out, Tensor):
        return _where_above_0(g, out)
    zero = _ZEROS[g.dtype]
    return np.where(out <= zero, zero, g)


_where_above_0: Op = Op(
    "ThresholdBackwardBackward0",
    lambda g, value: _above_0(g, value),
    g=lambda gg, value: _above_0(gg, value),
    value=zeros,
)
_sign: Unary = Unary("SignBackward0", _sign_of, types="one", x=zeros)
_sgn = Unary("SgnBackward0", _sign_of, types="one", x=lambda g, x, out: zeros(g))  # it saves both
_floor = Unary("FloorBackward0", _of_numbers(np.floor, "floor_vml_cpu"), types="one", x=zeros)
_ceil = Unary("CeilBackward0", _of_numbers(np.ceil, "ceil_vml_cpu"), types="one", x=zeros)
_round = Unary("RoundBackward0", _of_numbers(np.rint, "round_vml_cpu"), types="one", x=zeros)
_round_decimals = Op(
    "RoundBackward1", lambda x, decimals: np.round(x, decimals), types="one", x=zeros
)
_trunc = Unary("TruncBackward0", _of_numbers(np.trunc, "trunc_cpu"), types="one", x=zeros)
_frac = Unary(
    "FracBackward0",
    _fraction,
    types="one",
    x=lambda g: g,
)
_nan_to_num = Op(
    "NanToNumBackward0",
    lambda x, nan, posinf, neginf: np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf),
    types="one",
    x=lambda g, x: g * _isfinite(x),
)
_logit = Op(
    "LogitBackward0",
    lambda x, eps: np.log(_inside(x, eps) / (1 - _inside(x, eps))),
    types="float",
    x=lambda g, x, eps: _logit_vjp(g, x, eps),
)


def _isfinite(x: Any) -> Any:
    values = x.array if isinstance(x, Tensor) else x
    return constant(np.isfinite(values), x)


def _inside(x: Any, eps: float | None) -> Any:
    return x if eps is None else np.clip(x, eps, 1 - eps)


def _logit_vjp(g: Any, x: Any, eps: float | None) -> Any:
    slope = g / (x * (1 - x))
    low = 0.0 if eps is None else eps
    inside = (x >= low) & (x <= 1 - low)
    return masked(slope, inside) if eps is not None else slope + masked(slope * 0 + np.nan, ~inside)


# What people call -------------------------------------------------------------------------------


def function(name: str, operation: Unary, does: str) -> Function:
    """Return the function of that name, which takes a tensor and nothing else."""
    apply = operation.apply

    def call(input: Tensor) -> Tensor:
        try:
            return apply(input)
        except AttributeError:
            if isinstance(input, Tensor):
                raise
            raise not_a_tensor(name, "input", input) from None

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return {does}."
    return call


def in_place(function: Function, operation: Unary) -> Function:
    """Return the function's twin that writes the result into the tensor's own memory."""
    name = f"{function.__name__}_"

    def call(target: Tensor) -> Tensor:
        return write(name, target, operation)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"{function.__doc__} The result replaces this tensor's values, in its own memory."
    )
    return call


exp: Function = function("exp", _exp, "e to the power of each element")
exp_: Function = in_place(exp, _exp)
exp2: Function = function("exp2", _exp2, "2 to the power of each element")
exp2_: Function = in_place(exp2, _exp2)
expm1: Function = function("expm1", _expm1, "exp(x) - 1, exact also near 0")
expm1_: Function = in_place(expm1, _expm1)
log: Function = function("log", _log, "the natural logarithm of each element")
log_: Function = in_place(log, _log)
log2: Function = function("log2", _log2, "the logarithm to base 2 of each element")
log2_: Function = in_place(log2, _log2)
log10: Function = function("log10", _log10, "the logarithm to base 10 of each element")
log10_: Function = in_place(log10, _log10)
log1p: Function = function("log1p", _log1p, "log(1 + x), exact also near 0")
log1p_: Function = in_place(log1p, _log1p)
sqrt: Function = function("sqrt", _sqrt, "the square root of each element")
sqrt_: Function = in_place(sqrt, _sqrt)
rsqrt: Function = function("rsqrt", _rsqrt, "1 / sqrt(x) of each element")
rsqrt_: Function = in_place(rsqrt, _rsqrt)
reciprocal: Function = function("reciprocal", _reciprocal, "1 / x of each element")
reciprocal_: Function = in_place(reciprocal, _reciprocal)
sin: Function = function("sin", _sin, "the sine of each element")
sin_: Function = in_place(sin, _sin)
cos: Function = function("cos", _cos, "the cosine of each element")
cos_: Function = in_place(cos, _cos)
tan: Function = function("tan", _tan, "the tangent of each element")
tan_: Function = in_place(tan, _tan)
asin: Function = function("asin", _asin, "the arc sine of each element")
asin_: Function = in_place(asin, _asin)
arcsin: Function = asin
arcsin_: Function = asin_
acos: Function = function("acos", _acos, "the arc cosine of each element")
acos_: Function = in_place(acos, _acos)
arccos: Function = acos
arccos_: Function = acos_
atan: Function = function("atan", _atan, "the arc tangent of each element")
atan_: Function = in_place(atan, _atan)
arctan: Function = atan
arctan_: Function = atan_
sinh: Function = function("sinh", _sinh, "the hyperbolic sine of each element")
sinh_: Function = in_place(sinh, _sinh)
cosh: Function = function("cosh", _cosh, "the hyperbolic cosine of each element")
cosh_: Function = in_place(cosh, _cosh)
tanh: Function = function("tanh", _tanh, "the hyperbolic tangent of each element")
tanh_: Function = in_place(tanh, _tanh)
asinh: Function = function("asinh", _asinh, "the inverse hyperbolic sine of each element")
asinh_: Function = in_place(asinh, _asinh)
arcsinh: Function = asinh
arcsinh_: Function = asinh_
acosh: Function = function("acosh", _acosh, "the inverse hyperbolic cosine of each element")
acosh_: Function = in_place(acosh, _acosh)
arccosh: Function = acosh
arccosh_: Function = acosh_
atanh: Function = function("atanh", _atanh, "the inverse hyperbolic tangent of each element")
atanh_: Function = in_place(atanh, _atanh)
arctanh: Function = atanh
arctanh_: Function = atanh_
deg2rad: Function = function("deg2rad", _deg2rad, "each angle in radians, given in degrees")
deg2rad_: Function = in_place(deg2rad, _deg2rad)
rad2deg: Function = function("rad2deg", _rad2deg, "each angle in degrees, given in radians")
rad2deg_: Function = in_place(rad2deg, _rad2deg)
sigmoid: Function = function("sigmoid", _sigmoid, "1 / (1 + exp(-x)) of each element")
sigmoid_: Function = in_place(sigmoid, _sigmoid)
erf: Function = function("erf", _erf, "the error function of each element")
erf_: Function = in_place(erf, _erf)
erfc: Function = function("erfc", _erfc, "1 - erf(x), exact also for large x")
erfc_: Function = in_place(erfc, _erfc)
sinc: Function = function("sinc", _sinc, "sin(pi x) / (pi x) of each element")
sinc_: Function = in_place(sinc, _sinc)
relu: Function = function("relu", _relu, "each element, or 0 if it is negative")
relu_: Function = in_place(relu, _relu)
neg: Function = function("neg", _neg, "-x of each element")
neg_: Function = in_place(neg, _neg)
negative: Function = neg
negative_: Function = neg_
abs: Function = function("abs", _abs, "the absolute value of each element")
abs_: Function = in_place(abs, _abs)
absolute: Function = abs
absolute_: Function = abs_
sign: Function = function(
    "sign", _sign, "-1, 0 or 1 by the sign of each element; the gradient is zero"
)
sign_: Function = in_place(sign, _sign)
sgn: Function = function(
    "sgn", _sgn, "-1, 0 or 1 by the sign of each element; the gradient is zero"
)
sgn_: Function = in_place(sgn, _sgn)
floor: Function = function("floor", _floor, "the integer below each element; the gradient is zero")
floor_: Function = in_place(floor, _floor)
ceil: Function = function("ceil", _ceil, "the integer above each element; the gradient is zero")
ceil_: Function = in_place(ceil, _ceil)
trunc: Function = function(
    "trunc", _trunc, "each element without its fraction; the gradient is zero"
)
trunc_: Function = in_place(trunc, _trunc)
fix: Function = trunc
fix_: Function = trunc_
frac: Function = function("frac", _frac, "the fraction of each element, with its sign")
frac_: Function = in_place(frac, _frac)


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Return the nearest integers (halves to even), or so many decimals; the gradient is zero."""
    return _round_decimals(input, decimals) if decimals else _round(input)


def round_(target: Tensor, *, decimals: int = 0) -> Tensor:
    """Round every element, in this tensor's own memory."""
    if decimals:
        return write("round_", target, _round_decimals, decimals)
    return write("round_", target, _round)


def positive(input: Tensor) -> Tensor:
    """Return the tensor itself: ``+x``."""
    if input.array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


def nan_to_num(
    input: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Return the elements with nan (0 by default) and the infinities (the largest floats) replaced."""
    return _nan_to_num(input, *_replacements(input.array, nan, posinf, neginf))


def nan_to_num_(
    target: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Replace nan and the infinities by numbers, in this tensor's own memory."""
    return write(
        "nan_to_num_", target, _nan_to_num, *_replacements(target.array, nan, posinf, neginf)
    )


def _replacements(array: Array, *given: float | None) -> tuple[float, float, float]:
    nan, posinf, neginf = given
    largest = float(np.finfo(array.dtype).max) if array.dtype.kind == "f" else 0.0
    return (
        0.0 if nan is None else nan,
        largest if posinf is None else posinf,
        -largest if neginf is None else neginf,
    )


def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """Return ``log(x / (1 - x))``, the inverse of ``sigmoid``; ``eps`` keeps x inside (0, 1)."""
    return _logit(input, eps)


def logit_(target: Tensor, eps: float | None = None) -> Tensor:
    """Replace each element by its ``logit``, in this tensor's own memory."""
    return write("logit_", target, _logit, eps)


__all__ = [
    "abs",
    "abs_",
    "absolute",
    "acos",
    "acos_",
    "acosh",
    "acosh_",
    "arccos",
    "arccos_",
    "arccosh",
    "arccosh_",
    "arcsin",
    "arcsin_",
    "arcsinh",
    "arcsinh_",
    "arctan",
    "arctan_",
    "arctanh",
    "arctanh_",
    "asin",
    "asin_",
    "asinh",
    "asinh_",
    "atan",
    "atan_",
    "atanh",
    "atanh_",
    "ceil",
    "ceil_",
    "cos",
    "cos_",
    "cosh",
    "cosh_",
    "deg2rad",
    "deg2rad_",
    "erf",
    "erf_",
    "erfc",
    "erfc_",
    "exp",
    "exp2",
    "exp2_",
    "exp_",
    "expm1",
    "expm1_",
    "fix",
    "fix_",
    "floor",
    "floor_",
    "frac",
    "frac_",
    "log",
    "log1p",
    "log1p_",
    "log2",
    "log2_",
    "log10",
    "log10_",
    "log_",
    "logit",
    "logit_",
    "nan_to_num",
    "nan_to_num_",
    "neg",
    "neg_",
    "negative",
    "negative_",
    "positive",
    "rad2deg",
    "rad2deg_",
    "reciprocal",
    "reciprocal_",
    "relu",
    "relu_",
    "round",
    "round_",
    "rsqrt",
    "rsqrt_",
    "sgn",
    "sigmoid",
    "sigmoid_",
    "sign",
    "sin",
    "sin_",
    "sinc",
    "sinc_",
    "sinh",
    "sinh_",
    "sqrt",
    "sqrt_",
    "tan",
    "tan_",
    "tanh",
    "tanh_",
    "trunc",
    "trunc_",
]
