"""Elementwise operations: each with its vjps beside it.

Where shapes broadcast, the vjps speak of the stretched shape; the engine sums what was stretched.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import dtype, result_type
from ..inplace import write
from ..op import Binary, Op, Unary
from ..tensor import Tensor, new_tensor


def _zeros(g: Any) -> Any:
    """Return zeros in the place of a gradient: for steps, along which nothing flows."""
    return new_tensor(np.zeros_like(g.array)) if isinstance(g, Tensor) else np.zeros_like(g)


# Arithmetic -------------------------------------------------------------------------------------

plus = Binary("AddBackward0", np.add, types="one", a=lambda g: g, b=lambda g: g)
plus_scaled = Op(
    "AddBackward0",
    lambda a, b, alpha: a + b * alpha,
    into=lambda a, b, alpha, out: np.add(a, b * alpha, out=out),
    types="one",
    a=lambda g: g,
    b=lambda g, alpha: g * alpha,
)
minus = Binary("SubBackward0", np.subtract, types="one", a=lambda g: g, b=lambda g: -g)
minus_scaled = Op(
    "SubBackward0",
    lambda a, b, alpha: a - b * alpha,
    into=lambda a, b, alpha, out: np.subtract(a, b * alpha, out=out),
    types="one",
    a=lambda g: g,
    b=lambda g, alpha: -g * alpha,
)
mul = Binary("MulBackward0", np.multiply, types="one", a=lambda g, b: g * b, b=lambda g, a: g * a)
div = Op(
    "DivBackward0",
    np.true_divide,
    types="float",
    a=lambda g, b: g / b,
    b=lambda g, a, b: -g * (a / b / b),
)
neg = Unary("NegBackward0", np.negative, types="one", x=lambda g: -g)


def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Return ``input + alpha * other``."""
    if alpha == 1:
        return plus(input, other)  # type: ignore[no-any-return]
    return plus_scaled(input, other, alpha)  # type: ignore[no-any-return]


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Return ``input - alpha * other``."""
    if alpha == 1:
        return minus(input, other)  # type: ignore[no-any-return]
    return minus_scaled(input, other, alpha)  # type: ignore[no-any-return]


# x ** 2: the exponent is a number.
_pow = Binary(
    "PowBackward0",
    lambda x, exponent: x**exponent,
    types="one",
    x=lambda g, x, exponent: g * (x ** (exponent - 1) * exponent) if exponent else _zeros(g),
    exponent=None,
)
# a ** b, both tensors.
_pow_tensors = Op(
    "PowBackward1",
    lambda a, b: a**b,
    types="one",
    a=lambda g, a, b: where(b == 0, _zeros(g), g * (b * a ** (b - 1))),
    b=lambda g, a, b, out: where((a == 0) & (b >= 0), _zeros(g), g * (out * log(a))),
)
# 2 ** x: the base is a number.
_exponential = Op(
    "PowBackward2",
    lambda base, x: base**x,
    types="one",
    base=None,
    x=lambda g, base, x, out: (
        g * (out * float(np.log(base))) if base > 0 else where(x >= 0, _zeros(g), g * out * np.nan)
    ),
)


def _pow_op(input: Any, exponent: Any) -> Op:
    if not isinstance(exponent, Tensor):
        if isinstance(input, Tensor) and input.array.dtype.kind in "iu":
            if isinstance(exponent, (int, np.integer)) and exponent < 0:
                raise RuntimeError("Integers to negative integer powers are not allowed.")
        return _pow
    return _pow_tensors if isinstance(input, Tensor) else _exponential


def pow(input: Any, exponent: Any) -> Tensor:
    """Return ``input ** exponent``; either may be a number."""
    return _pow_op(input, exponent)(input, exponent)  # type: ignore[no-any-return]


def pow_(target: Tensor, exponent: Any) -> Tensor:
    """Raise ``target`` to a power, in place."""
    return write("pow_", target, _pow_op(target, exponent), exponent)


floor_divide = Op("FloorDivideBackward0", np.floor_divide, types="one", a=None, b=None)
remainder = Op(
    "RemainderBackward0",
    np.remainder,
    types="one",
    a=lambda g: g,
    b=lambda g, a, b: -g * floor_divide(a, b),
)

# Functions of one tensor ------------------------------------------------------------------------

exp = Unary("ExpBackward0", np.exp, types="float", x=lambda g, out: g * out)
log = Unary("LogBackward0", np.log, types="float", x=lambda g, x: g / x)
sqrt = Unary("SqrtBackward0", np.sqrt, types="float", x=lambda g, out: g / (2 * out))
sin = Unary("SinBackward0", np.sin, types="float", x=lambda g, x: g * cos(x))
cos = Unary("CosBackward0", np.cos, types="float", x=lambda g, x: g * -sin(x))
tanh = Unary("TanhBackward0", np.tanh, types="float", x=lambda g, out: g * (1 - out * out))
sigmoid = Unary(
    "SigmoidBackward0",
    lambda x: 1 / (1 + np.exp(-x)),
    types="float",
    x=lambda g, out: g * (1 - out) * out,
)
relu = Unary(
    "ReluBackward0",
    lambda x: np.maximum(x, 0),
    types="one",
    x=lambda g, out: where(out <= 0, 0, g),
)
abs = Unary("AbsBackward0", np.absolute, types="one", x=lambda g, x: g * sign(x))
sign = Op("SignBackward0", np.sign, types="one", x=lambda g: _zeros(g))
round = Op("RoundBackward0", np.rint, types="one", x=lambda g: _zeros(g))
floor = Op("FloorBackward0", np.floor, types="one", x=lambda g: _zeros(g))
ceil = Op("CeilBackward0", np.ceil, types="one", x=lambda g: _zeros(g))


def square(input: Tensor) -> Tensor:
    """Return ``input ** 2``."""
    return pow(input, 2)


_clamp = Op(
    "ClampBackward1",
    lambda x, low, high: np.clip(x, low, high),
    x=lambda g, x, low, high: where(_within(x, low, high), g, 0),
)


def _within(x: Any, low: Any, high: Any) -> Any:
    if low is None:
        return x <= high
    return x >= low if high is None else (x >= low) & (x <= high)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Return the elements, limited to between ``min`` and ``max`` (either may be missing)."""
    return _clamp(to(input, _clamped_type(input, min, max)), min, max)  # type: ignore[no-any-return]


def clamp_(target: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit the elements to between ``min`` and ``max``, in place."""
    _clamped_type(target, min, max)
    return write("clamp_", target, _clamp, min, max)


def _clamped_type(input: Tensor, min: Any, max: Any) -> dtype:
    bounds = [bound for bound in (min, max) if bound is not None]
    if not bounds:
        raise RuntimeError("clamp: At least one of 'min' or 'max' must not be None")
    return result_type([input.array, *bounds])


# Choosing ---------------------------------------------------------------------------------------

maximum = Binary(
    "MaximumBackward0",
    np.maximum,
    types="one",
    a=lambda g, a, b: where(a == b, g / 2, where(a < b, 0, g)),
    b=lambda g, a, b: where(a == b, g / 2, where(b < a, 0, g)),
)
minimum = Binary(
    "MinimumBackward0",
    np.minimum,
    types="one",
    a=lambda g, a, b: where(a == b, g / 2, where(a > b, 0, g)),
    b=lambda g, a, b: where(a == b, g / 2, where(b > a, 0, g)),
)
_where = Op(
    "WhereBackward0",
    lambda condition, a, b: np.where(condition, a, b),
    condition=None,
    a=lambda g, condition: where(condition, g, 0),
    b=lambda g, condition: where(condition, 0, g),
)


def where(condition: Any, input: Any, other: Any) -> Any:
    """Return ``input`` where the condition holds, else ``other``; they broadcast and promote."""
    if type(condition) is np.ndarray:
        # In a vjp: the gradient, and a number in its place elsewhere.
        return np.where(condition, input, other)
    operands = [each.array if isinstance(each, Tensor) else each for each in (input, other)]
    common = result_type(operands)
    return _where(condition, _as(input, common), _as(other, common))


def _as(value: Any, kind: dtype) -> Any:
    """Return a tensor, array or number in one dtype."""
    if isinstance(value, Tensor):
        return to(value, kind)
    return np.asarray(value, dtype=kind.numpy)


# Comparing; nothing flows back ------------------------------------------------------------------

lt = Op("LtBackward0", np.less, types="one", a=None, b=None)
le = Op("LeBackward0", np.less_equal, types="one", a=None, b=None)
gt = Op("GtBackward0", np.greater, types="one", a=None, b=None)
ge = Op("GeBackward0", np.greater_equal, types="one", a=None, b=None)
eq = Op("EqBackward0", np.equal, types="one", a=None, b=None)
ne = Op("NeBackward0", np.not_equal, types="one", a=None, b=None)
bitwise_and = Op("BitwiseAndBackward0", np.bitwise_and, types="one", a=None, b=None)
bitwise_or = Op("BitwiseOrBackward0", np.bitwise_or, types="one", a=None, b=None)
bitwise_xor = Op("BitwiseXorBackward0", np.bitwise_xor, types="one", a=None, b=None)
bitwise_not = Op("BitwiseNotBackward0", np.invert, x=None)
isnan = Op("IsnanBackward0", np.isnan, x=None)

# Copying and converting -------------------------------------------------------------------------

clone = Op("CloneBackward0", lambda x: x.copy(order="K"), x=lambda g: g)
_to_copy = Op("ToCopyBackward0", lambda x, kind: x.astype(kind), x=lambda g: g)
_copy = Op(
    "CopyBackwards",
    lambda x, source: np.broadcast_to(source, x.shape).astype(x.dtype),
    x=lambda g: _zeros(g),
    source=lambda g: g,
)
_fill = Op(
    "FillBackward0", lambda x, value: np.full_like(x, value), x=lambda g: _zeros(g), value=None
)
_zero = Op("ZeroBackward0", lambda x: np.zeros_like(x), x=lambda g: _zeros(g))


def to(input: Tensor, target: Any, copy: bool = False) -> Tensor:
    """Return ``input`` in another dtype; itself where nothing changes (unless ``copy``)."""
    if isinstance(target, Tensor):
        target = target.dtype
    if target is None or target == "cpu":
        target = input.dtype
    if not isinstance(target, dtype):
        raise TypeError(f"to() takes a dtype, a tensor or 'cpu', the only device; got {target!r}")
    if input.array.dtype == target.numpy:
        return clone(input) if copy else input  # type: ignore[no-any-return]
    return _to_copy(input, target.numpy)  # type: ignore[no-any-return]


def copy_(target: Tensor, source: Any) -> Tensor:
    """Copy ``source`` (broadcast and cast) into ``target``'s memory."""
    return write("copy_", target, _copy, source)


def fill_(target: Tensor, value: Any) -> Tensor:
    """Set every element of ``target`` to ``value``."""
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value.ndim} dimensions."
            )
        return write("fill_", target, _copy, value, uniform=True)
    return write("fill_", target, _fill, value, uniform=True)


def zero_(target: Tensor) -> Tensor:
    """Set every element of ``target`` to 0."""
    return write("zero_", target, _zero, uniform=True)
