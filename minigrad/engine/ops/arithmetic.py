"""Arithmetic of two operands and more: sums, products, quotients, remainders, powers.

The operands are brought to one dtype and broadcast against each other. The vjps speak of the
stretched shape; the engine sums what was stretched. Each section has the operations first, which
read like maths, and then the functions that people call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import common_type, float64
from ..errors import subtraction_of_bools
from ..inplace import write
from ..op import Binary, Op
from ..tensor import Tensor
from .arguments import Operand, check_tensors, no_bools, only_floats
from .elementwise import _exp, _log
from .vjps import masked, no_derivative, zeros

# Sums and differences ---------------------------------------------------------------------------


class Difference(Binary):
    """A difference; it is not defined for bools."""

    __slots__ = ()

    def typed(self, arrays: list[Any]) -> Any:
        """Return the difference of operands brought to one dtype."""
        for each in arrays:
            if isinstance(each, bool) or (isinstance(each, np.ndarray) and each.dtype.kind == "b"):
                raise subtraction_of_bools()
        return super().typed(arrays)


plus = Binary("AddBackward0", np.add, types="one", a=lambda g: g, b=lambda g: g)
plus_scaled = Op(
    "AddBackward0",
    lambda a, b, alpha: a + b * _as(alpha, a),
    into=lambda a, b, alpha, out: np.add(a, b * alpha, out=out),
    types="one",
    a=lambda g: g,
    b=lambda g, alpha: g * alpha,
)
minus = Difference("SubBackward0", np.subtract, types="one", a=lambda g: g, b=lambda g: -g)
minus_scaled = Op(
    "SubBackward0",
    lambda a, b, alpha: a - b * _as(alpha, a),
    into=lambda a, b, alpha, out: np.subtract(a, b * alpha, out=out),
    types="one",
    a=lambda g: g,
    b=lambda g, alpha: -g * alpha,
)
# 1 - x, where the 1 is a number, has a name of its own in PyTorch's graph.
minus_from = Difference("RsubBackward1", lambda x, b: b - x, types="one", x=lambda g: -g, b=None)
_minus_from_tensor = Difference(
    "RsubBackward0", lambda x, b: b - x, types="one", x=lambda g: -g, b=lambda g: g
)


def _as(number: Any, array: Any) -> Any:
    """Return a number in the dtype of an array."""
    return np.asarray(number).astype(array.dtype)[()]


def add(input: Operand, other: Operand, *, alpha: float = 1) -> Tensor:
    """Return ``input + alpha * other``."""
    if alpha == 1:
        return plus.apply(input, other)
    _check_alpha(alpha, input, other)
    return plus_scaled(input, other, alpha)


def add_(target: Tensor, other: Operand, *, alpha: float = 1) -> Tensor:
    """Add ``alpha * other`` to this tensor, in its own memory."""
    if alpha == 1:
        return write("add_", target, plus, other)
    _check_alpha(alpha, target, other)
    return write("add_", target, plus_scaled, other, alpha)


def sub(input: Operand, other: Operand, *, alpha: float = 1) -> Tensor:
    """Return ``input - alpha * other``."""
    if alpha == 1:
        return minus.apply(input, other)
    _check_alpha(alpha, input, other)
    return minus_scaled(input, other, alpha)


def sub_(target: Tensor, other: Operand, *, alpha: float = 1) -> Tensor:
    """Subtract ``alpha * other`` from this tensor, in its own memory."""
    if alpha == 1:
        return write("sub_", target, minus, other)
    _check_alpha(alpha, target, other)
    return write("sub_", target, minus_scaled, other, alpha)


def rsub(input: Tensor, other: Operand, *, alpha: float = 1) -> Tensor:
    """Return ``other - alpha * input``: the difference the other way round."""
    if alpha != 1:
        return sub(other, input, alpha=alpha)
    return (_minus_from_tensor if isinstance(other, Tensor) else minus_from).apply(input, other)


def _check_alpha(alpha: Any, *operands: Any) -> None:
    if not isinstance(alpha, float):
        return
    for operand in operands:
        if _is_float(operand):
            return
    raise RuntimeError(
        "For integral input tensors, argument alpha must not be a floating point number."
    )


def _is_float(operand: Any) -> bool:
    if isinstance(operand, Tensor):
        return operand.array.dtype.kind == "f"
    return isinstance(operand, float)


# Products and quotients -------------------------------------------------------------------------

times = Binary("MulBackward0", np.multiply, types="one", a=lambda g, b: g * b, b=lambda g, a: g * a)
over = Op(
    "DivBackward0",
    np.true_divide,
    types="float",
    a=lambda g, b: g / b,
    b=lambda g, a, b: -g * (a / b / b),
)


def _check_divisor(b: Any, function: str) -> None:
    """Raise if numpy would quietly give 0 for a division of integers by zero."""
    no_bools(f"{function}_cpu", b)
    if b.dtype.kind in "iu" and not np.all(b):
        raise RuntimeError("ZeroDivisionError: integers cannot be divided by zero")


def _floored_quotient(a: Any, b: Any) -> Any:
    _check_divisor(b, "div_floor")
    return np.floor_divide(a, b)


def _truncated_quotient(a: Any, b: Any) -> Any:
    if a.dtype.kind == "f":
        return np.trunc(np.true_divide(a, b))
    _check_divisor(b, "div_trunc")
    rounded_down = (np.remainder(a, b) != 0) & ((a < 0) != (b < 0))
    return np.floor_divide(a, b) + rounded_down


def _floored_remainder(a: Any, b: Any) -> Any:
    _check_divisor(b, "remainder")
    return np.remainder(a, b)


def _truncated_remainder(a: Any, b: Any) -> Any:
    _check_divisor(b, "fmod")
    return np.fmod(a, b)


# A quotient in whole numbers is a step function: its slope is zero.
# (PyTorch saves the operands all the same.)
_over_floored = Op(
    "DivBackward2",
    _floored_quotient,
    types="one",
    a=lambda g, b: zeros(g),
    b=lambda g, a, b: zeros(g),
)
_over_truncated = Op(
    "DivBackward2",
    _truncated_quotient,
    types="one",
    a=lambda g, b: zeros(g),
    b=lambda g, a, b: zeros(g),
)
_refused = no_derivative(
    "floor_divide", "div(a, b, rounding_mode='floor') gives the same values, with zero gradients."
)
floored = Op("NotImplemented", _floored_quotient, types="one", a=_refused, b=_refused)

# The remainder of a division by a number, and by a tensor.
_remainder = Op("RemainderBackward0", _floored_remainder, types="one", a=lambda g: g, b=None)
_remainder_by = Op(
    "RemainderBackward1",
    _floored_remainder,
    types="one",
    a=lambda g: g,
    b=lambda g, a, b: -g * _over_floored(a, b),
)
_remainder_of = Op(
    "NotImplemented",
    _floored_remainder,
    types="one",
    a=None,
    b=no_derivative("remainder", "Make a tensor of the number: remainder(tensor(7.0), x)."),
)
_fmod = Op("FmodBackward0", _truncated_remainder, types="one", a=lambda g: g, b=None)
_fmod_by = Op(
    "FmodBackward1",
    _truncated_remainder,
    types="one",
    a=lambda g: g,
    b=lambda g, a, b: -g * _over_truncated(a, b),
)


def mul(input: Operand, other: Operand) -> Tensor:
    """Return ``input * other``."""
    return times.apply(input, other)


def mul_(target: Tensor, other: Operand) -> Tensor:
    """Multiply this tensor by ``other``, in its own memory."""
    return write("mul_", target, times, other)


def _division(rounding_mode: str | None) -> Op:
    if rounding_mode is None:
        return over
    if rounding_mode == "floor":
        return _over_floored
    if rounding_mode == "trunc":
        return _over_truncated
    raise RuntimeError(
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
        f"'{rounding_mode}'"
    )


def div(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """Return ``input / other``; the true quotient, or rounded to ``"floor"`` or ``"trunc"``."""
    return _division(rounding_mode)(input, other)


def div_(target: Tensor, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """Divide this tensor by ``other``, in its own memory."""
    return write("div_", target, _division(rounding_mode), other)


def floor_divide(input: Operand, other: Operand) -> Tensor:
    """Return ``input // other``, rounded down. As in PyTorch, backward refuses it."""
    return floored(input, other)


def floor_divide_(target: Tensor, other: Operand) -> Tensor:
    """Divide this tensor by ``other`` and round down, in its own memory."""
    return write("floor_divide_", target, floored, other)


def remainder(input: Operand, other: Operand) -> Tensor:
    """Return ``input % other``: what floor division leaves; it has the sign of ``other``."""
    if not isinstance(input, Tensor):
        return _remainder_of(input, other)
    return (_remainder_by if isinstance(other, Tensor) else _remainder)(input, other)


def remainder_(target: Tensor, other: Operand) -> Tensor:
    """Replace this tensor by its remainder, in its own memory."""
    operation = _remainder_by if isinstance(other, Tensor) else _remainder
    return write("remainder_", target, operation, other)


def fmod(input: Tensor, other: Operand) -> Tensor:
    """Return what division rounded towards zero leaves; it has the sign of ``input``."""
    return (_fmod_by if isinstance(other, Tensor) else _fmod)(input, other)


def fmod_(target: Tensor, other: Operand) -> Tensor:
    """Replace this tensor by what ``fmod`` gives, in its own memory."""
    return write("fmod_", target, _fmod_by if isinstance(other, Tensor) else _fmod, other)


subtract, subtract_ = sub, sub_
multiply, multiply_ = mul, mul_
divide, divide_ = true_divide, true_divide_ = div, div_

# Powers -----------------------------------------------------------------------------------------


def _power(a: Any, b: Any) -> Any:
    no_bools("pow", a)
    if a.dtype.kind == "i" and a.dtype == b.dtype:
        # numpy refuses negative exponents of integers; rounded towards zero, they have a value.
        inverse = np.where(np.abs(a) == 1, a ** (np.abs(b) % 2), 0)
        return np.where(b < 0, inverse, a ** np.abs(b)).astype(a.dtype)
    return a**b


# x ** 2: the exponent is a number.
power = Binary(
    "PowBackward0",
    lambda x, exponent: x**exponent,
    types="one",
    x=lambda g, x, exponent: g * (x ** (exponent - 1) * exponent) if exponent else zeros(g),
    exponent=None,
)
# a ** b: both are tensors. (The slope in a does not read the result, but PyTorch saves it.)
_power_by = Op(
    "PowBackward1",
    _power,
    types="one",
    a=lambda g, a, b, out: masked(g * (b * a ** (b - 1)), b != 0),
    b=lambda g, a, b, out: g * masked(out * _log(a), (a != 0) | (b < 0)),
)
# 2 ** x: the base is a number.
_exponential = Op(
    "PowBackward2",
    _power,
    types="one",
    a=None,
    b=lambda g, a, b, out: g * (out * _log_number(a)) if a else g * masked(out * -np.inf, b < 0),
)


def _log_number(number: float) -> float:
    return float(np.log(float(number)))


_power_of_bool = Op("PowBackward0", lambda x, exponent: x | (not exponent), x=None)


def _power_operation(input: Any, exponent: Any) -> Op:
    if isinstance(exponent, Tensor):
        return _power_by if isinstance(input, Tensor) else _exponential
    kind = input.array.dtype.kind if isinstance(input, Tensor) else ""
    if kind == "b" and isinstance(exponent, bool):
        return _power_of_bool
    if kind in ("b", "i", "u") and not isinstance(exponent, float) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return power


def pow(input: Operand, exponent: Operand) -> Tensor:
    """Return ``input ** exponent``; either may be a number."""
    return _power_operation(input, exponent)(input, exponent)


def pow_(target: Tensor, exponent: Operand) -> Tensor:
    """Raise this tensor to a power, in its own memory."""
    return write("pow_", target, _power_operation(target, exponent), exponent)


def float_power(input: Operand, exponent: Operand) -> Tensor:
    """Return ``input ** exponent``, computed in float64 whatever the dtypes."""
    base = input.to(float64) if isinstance(input, Tensor) else float(input)
    by = exponent.to(float64) if isinstance(exponent, Tensor) else float(exponent)
    return pow(base, by)


def square(input: Tensor) -> Tensor:
    """Return ``input ** 2``."""
    return pow(input, 2)


def square_(target: Tensor) -> Tensor:
    """Square this tensor, in its own memory."""
    return pow_(target, 2)


# Several steps in one ---------------------------------------------------------------------------


def _between(a: Any, b: Any, weight: Any) -> Any:
    """Return a + weight (b - a), reckoned from the nearer end."""
    step = b - a
    return np.where(np.abs(weight) < 0.5, a + weight * step, b - step * (1 - weight))


_lerp = Op(
    "LerpBackward0",
    _between,
    a=lambda g, weight: g * (1 - weight),
    b=lambda g, weight: g * weight,
)
_lerp_by = Op(
    "LerpBackward1",
    _between,
    a=lambda g, weight: g * (1 - weight),
    b=lambda g, weight: g * weight,
    weight=lambda g, a, b, weight: g * (b - a),
)
_addcmul = Op(
    "AddcmulBackward0",
    lambda x, a, b, value: x + _as(value, x) * a * b,
    types="one",
    x=lambda g: g,
    a=lambda g, b, value: g * (b * value),
    b=lambda g, a, value: g * (a * value),
)
_addcdiv = Op(
    "AddcdivBackward0",
    lambda x, a, b, value: x + value * a / b,
    types="one",
    x=lambda g, b: g,
    a=lambda g, b, value: g * (value / b),
    b=lambda g, a, b, value: -g * (value * a / (b * b)),
)


def lerp(input: Tensor, end: Tensor, weight: Operand) -> Tensor:
    """Return ``input + weight * (end - input)``: a point on the way from ``input`` to ``end``."""
    _check_lerp(input, end, weight)
    return (_lerp_by if isinstance(weight, Tensor) else _lerp)(input, end, weight)


def lerp_(target: Tensor, end: Tensor, weight: Operand) -> Tensor:
    """Move this tensor towards ``end``, in its own memory: the step of a moving average."""
    _check_lerp(target, end, weight)
    return write("lerp_", target, _lerp_by if isinstance(weight, Tensor) else _lerp, end, weight)


def _check_lerp(input: Tensor, end: Tensor, weight: Any) -> None:
    check_tensors("lerp", input=input, end=end)
    for name, each in (("end", end), ("weight", weight)):
        if isinstance(each, Tensor) and each.dtype is not input.dtype:
            raise RuntimeError(
                f"expected dtype {input.dtype.cpp_name} for `{name}` but got dtype "
                f"{each.dtype.cpp_name}"
            )
    only_floats("lerp_kernel_scalar", input.array)


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Return ``input + value * tensor1 * tensor2``."""
    _check_addcmul(input, tensor1, tensor2)
    return _addcmul(input, tensor1, tensor2, value)


def addcmul_(target: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Add ``value * tensor1 * tensor2`` to this tensor, in its own memory."""
    _check_addcmul(target, tensor1, tensor2)
    return write("addcmul_", target, _addcmul, tensor1, tensor2, value)


def _check_addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor) -> None:
    check_tensors("addcmul", input=input, tensor1=tensor1, tensor2=tensor2)
    if not any([each.array.dtype.kind != "b" for each in (input, tensor1, tensor2)]):
        no_bools("addcmul_cpu_out", input.array)


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Return ``input + value * tensor1 / tensor2``."""
    _check_addcdiv(input, tensor1, tensor2)
    return _addcdiv(input, tensor1, tensor2, value)


def addcdiv_(target: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Add ``value * tensor1 / tensor2`` to this tensor, in its own memory."""
    _check_addcdiv(target, tensor1, tensor2)
    return write("addcdiv_", target, _addcdiv, tensor1, tensor2, value)


def _check_addcdiv(*tensors: Tensor) -> None:
    if not any([each.is_floating_point() for each in tensors[1:]]):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future release addcdiv "
            "will perform a true division of tensor1 and tensor2. Convert them first, with .float()."
        )


# Triangles, angles and logarithms of sums -------------------------------------------------------

_hypot = Op(
    "HypotBackward0",
    np.hypot,
    types="one",
    a=lambda g, a, out: g * a / out,
    b=lambda g, b, out: g * b / out,
)
_atan2 = Op(
    "Atan2Backward0",
    np.arctan2,
    types="float",
    a=lambda g, a, b: g * _over_square(b, a, b),
    b=lambda g, a, b: g * _over_square(-a, a, b),
)


def _over_square(x: Any, a: Any, b: Any) -> Any:
    """Return x / (a a + b b); 0 at the origin, where there is no angle."""
    square = a * a + b * b
    return masked(x / square, square != 0)


_logaddexp = Op(
    "LogaddexpBackward0",
    np.logaddexp,
    types="one",
    a=lambda g, a, b: g / (1 + _exp(b - a)),
    b=lambda g, a, b: g / (1 + _exp(a - b)),
)
_logaddexp2 = Op(
    "Logaddexp2Backward0",
    np.logaddexp2,
    types="one",
    a=lambda g, a, b: g / (1 + 2.0 ** (b - a)),
    b=lambda g, a, b: g / (1 + 2.0 ** (a - b)),
)
_heaviside = Op(
    "NotImplemented",
    lambda a, b: np.heaviside(a, b).astype(a.dtype),
    types="one",
    a=no_derivative("heaviside", "It is a step function."),
    b=no_derivative("heaviside", "It is a step function."),
)
_xlogy = Op(
    "XlogyBackward0",
    lambda a, b: np.where(np.isnan(b), b, np.where(a == 0, 0, a * np.log(b))).astype(b.dtype),
    types="float",
    a=lambda g, a, b: masked(g * _log(b), (a != 0) | (b > 0)),
    b=lambda g, a, b: g * a / b,
)
_copysign = Op(
    "CopysignBackward0",
    np.copysign,
    types="float",
    a=lambda g, a, out: masked(g * (out / a), a != 0),
    b=lambda g, out: zeros(g),
)


def _check_floats(function: str, input: Tensor, other: Tensor) -> None:
    check_tensors(function, input=input, other=other)
    kind = common_type([input.array, other.array])
    if not kind.is_floating_point:
        raise NotImplementedError(
            f"\"{function}_cpu\" not implemented for '{kind.legacy_name}': convert with .float()"
        )


def hypot(input: Tensor, other: Tensor) -> Tensor:
    """Return ``sqrt(input ** 2 + other ** 2)``, without overflow on the way."""
    _check_floats("hypot", input, other)
    return _hypot(input, other)


def atan2(input: Tensor, other: Tensor) -> Tensor:
    """Return the angle of the point ``(other, input)``, between -pi and pi."""
    check_tensors("atan2", input=input, other=other)
    return _atan2(input, other)


arctan2 = atan2


def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """Return ``log(exp(input) + exp(other))``, without overflow on the way."""
    _check_floats("logaddexp", input, other)
    return _logaddexp(input, other)


def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """Return ``log2(2 ** input + 2 ** other)``, without overflow on the way."""
    _check_floats("logaddexp2", input, other)
    return _logaddexp2(input, other)


def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """Return 0 for negative elements, 1 for positive ones, and ``values`` where they are 0."""
    check_tensors("heaviside", input=input, values=values)
    if input.array.dtype != values.array.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return _heaviside(input, values)


def xlogy(input: Operand, other: Operand) -> Tensor:
    """Return ``input * log(other)``, and 0 where ``input`` is 0."""
    return _xlogy(input, other)


def copysign(input: Tensor, other: Operand) -> Tensor:
    """Return the size of ``input`` with the sign of ``other``."""
    return _copysign(input, other)


def hypot_(target: Tensor, other: Tensor) -> Tensor:
    """Replace this tensor by ``hypot``, in its own memory."""
    _check_floats("hypot_", target, other)
    return write("hypot_", target, _hypot, other)


def atan2_(target: Tensor, other: Tensor) -> Tensor:
    """Replace this tensor by the angle ``atan2``, in its own memory."""
    return write("atan2_", target, _atan2, other)


arctan2_ = atan2_


def xlogy_(target: Tensor, other: Operand) -> Tensor:
    """Replace this tensor by ``xlogy``, in its own memory."""
    return write("xlogy_", target, _xlogy, other)


def copysign_(target: Tensor, other: Operand) -> Tensor:
    """Give this tensor the signs of ``other``, in its own memory."""
    return write("copysign_", target, _copysign, other)


def float_power_(target: Tensor, exponent: Operand) -> Tensor:
    """Raise this float64 tensor to a power, in its own memory."""
    if target.array.dtype != np.float64:
        raise RuntimeError(
            "the base given to float_power_ has dtype "
            f"{target.dtype.legacy_name} but the operation's result requires dtype Double"
        )
    return pow_(target, exponent)


__all__ = [
    "add",
    "addcdiv",
    "addcmul",
    "arctan2",
    "atan2",
    "copysign",
    "div",
    "divide",
    "float_power",
    "floor_divide",
    "fmod",
    "heaviside",
    "hypot",
    "lerp",
    "logaddexp",
    "logaddexp2",
    "mul",
    "multiply",
    "pow",
    "remainder",
    "rsub",
    "square",
    "square_",
    "sub",
    "subtract",
    "true_divide",
    "xlogy",
    "xlogy_",
]
