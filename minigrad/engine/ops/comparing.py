"""Comparing, and logic: results are True or False (or bits), and no gradient flows through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from ..dtypes import common_type
from ..inplace import check_kind, write
from ..op import Op
from ..tensor import Tensor, new_tensor
from .arguments import Operand, check_tensors, no_bools, not_a_tensor
from .vjps import zeros

Comparison = Callable[[Tensor, Operand], Tensor]
Types = Literal["one", "as given"]


def comparison(name: str, ufunc: Callable[..., Any], does: str, types: Types = "one") -> Comparison:
    """Return a function of two operands through which no gradient flows."""
    operation = Op(f"{_title(name)}Backward0", ufunc, types=types, a=None, b=None)

    def call(input: Tensor, other: Operand) -> Tensor:
        if not isinstance(input, Tensor):
            raise not_a_tensor(name, "input", input)
        if types == "as given":
            check_tensors(name, input=input, other=other)
        return operation(input, other)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{does}."
    return call


def in_place(function: Comparison, ufunc: Callable[..., Any]) -> Comparison:
    """Return the twin of a comparison that writes its answers into the tensor's own memory.

    There they are numbers of the tensor's dtype (1 for true), whose slope is zero.
    """
    title = _title(function.__name__)

    def forward(a: Any, b: Any) -> Any:
        return ufunc(a, b)

    by_number = Op(f"{title}Backward0", forward, types="one", a=zeros, b=None)
    by_tensor = Op(f"{title}Backward1", forward, types="one", a=zeros, b=zeros)

    def call(target: Tensor, other: Operand) -> Tensor:
        return write(name, target, by_tensor if isinstance(other, Tensor) else by_number, other)

    name = _name_in_place(call, function)
    return call


def in_place_unrecorded(
    function: Comparison, ufunc: Callable[..., Any], types: Types = "one"
) -> Comparison:
    """Return the twin that writes in place and leaves no trace in the graph, as in PyTorch."""
    operation = Op(f"{_title(function.__name__)}Backward0", ufunc, types=types, a=None, b=None)

    def call(target: Tensor, other: Operand) -> Tensor:
        if types == "as given" and not isinstance(other, Tensor):
            raise not_a_tensor(name, "other", other)
        if types == "one":
            check_kind(common_type([target.array, getattr(other, "array", other)]), target.dtype)
        return write(name, target, operation, other)

    name = _name_in_place(call, function)
    return call


def _name_in_place(call: Comparison, function: Comparison) -> str:
    call.__name__ = call.__qualname__ = name = f"{function.__name__}_"
    call.__doc__ = (
        f"{function.__doc__} The answers replace this tensor's values, in its own memory."
    )
    return name


def _title(name: str) -> str:
    return name.title().replace("_", "")


# Comparing --------------------------------------------------------------------------------------

lt: Comparison = comparison("lt", np.less, "Tell where ``input < other``")
lt_: Comparison = in_place(lt, np.less)
less: Comparison = lt
less_: Comparison = lt_
le: Comparison = comparison("le", np.less_equal, "Tell where ``input <= other``")
le_: Comparison = in_place(le, np.less_equal)
less_equal: Comparison = le
less_equal_: Comparison = le_
gt: Comparison = comparison("gt", np.greater, "Tell where ``input > other``")
gt_: Comparison = in_place(gt, np.greater)
greater: Comparison = gt
greater_: Comparison = gt_
ge: Comparison = comparison("ge", np.greater_equal, "Tell where ``input >= other``")
ge_: Comparison = in_place(ge, np.greater_equal)
greater_equal: Comparison = ge
greater_equal_: Comparison = ge_
eq: Comparison = comparison("eq", np.equal, "Tell where ``input == other``")
eq_: Comparison = in_place(eq, np.equal)
ne: Comparison = comparison("ne", np.not_equal, "Tell where ``input != other``")
ne_: Comparison = in_place(ne, np.not_equal)
not_equal: Comparison = ne
not_equal_: Comparison = ne_


def isclose(
    input: Tensor,
    other: Tensor,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Tell where ``abs(input - other) <= atol + rtol * abs(other)``; both of one dtype."""
    check_tensors("isclose", input=input, other=other)
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.legacy_name} did not match {other.dtype.legacy_name}")
    if rtol < 0 or atol < 0:
        which, given = ("rtol", rtol) if rtol < 0 else ("atol", atol)
        raise RuntimeError(f"{which} must be greater than or equal to zero, but got {given}")
    a, b = input.array, other.array
    close = a == b
    if equal_nan and a.dtype.kind == "f":
        close = close | (np.isnan(a) & np.isnan(b))
    if rtol or atol:
        if a.dtype.kind != "f":
            a, b = a.astype(np.float64), b.astype(np.float64)
        apart = np.abs(a - b)
        close = close | (np.isfinite(apart) & (apart <= atol + np.abs(rtol * b)))
    return new_tensor(close)


def allclose(
    input: Tensor,
    other: Tensor,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> bool:
    """Tell whether all elements are close; see ``isclose``."""
    return bool(isclose(input, other, rtol, atol, equal_nan).array.all())


def equal(input: Tensor, other: Tensor) -> bool:
    """Tell whether two tensors have the same shape and the same elements."""
    check_tensors("equal", input=input, other=other)
    return input.array.shape == other.array.shape and bool((input.array == other.array).all())


# Logic ------------------------------------------------------------------------------------------

logical_and: Comparison = comparison(
    "logical_and", np.logical_and, "Tell where both are true (not zero)", types="as given"
)
logical_and_: Comparison = in_place_unrecorded(logical_and, np.logical_and, types="as given")
logical_or: Comparison = comparison(
    "logical_or", np.logical_or, "Tell where at least one is true (not zero)", types="as given"
)
logical_or_: Comparison = in_place_unrecorded(logical_or, np.logical_or, types="as given")
logical_xor: Comparison = comparison(
    "logical_xor", np.logical_xor, "Tell where exactly one is true (not zero)", types="as given"
)
logical_xor_: Comparison = in_place_unrecorded(logical_xor, np.logical_xor, types="as given")
_logical_not = Op("LogicalNotBackward0", np.logical_not, x=None)


def logical_not(input: Tensor) -> Tensor:
    """Tell where the elements are false (zero)."""
    return _logical_not(input)


def logical_not_(target: Tensor) -> Tensor:
    """Replace every element by whether it is false; written into this tensor's own memory."""
    return write("logical_not_", target, _logical_not)


# Bits -------------------------------------------------------------------------------------------

bitwise_and: Comparison = comparison("bitwise_and", np.bitwise_and, "Return the bits set in both")
bitwise_and_: Comparison = in_place_unrecorded(bitwise_and, np.bitwise_and)
bitwise_or: Comparison = comparison("bitwise_or", np.bitwise_or, "Return the bits set in either")
bitwise_or_: Comparison = in_place_unrecorded(bitwise_or, np.bitwise_or)
bitwise_xor: Comparison = comparison(
    "bitwise_xor", np.bitwise_xor, "Return the bits set in one only"
)
bitwise_xor_: Comparison = in_place_unrecorded(bitwise_xor, np.bitwise_xor)


def _shift(ufunc: Callable[..., Any], name: str) -> Callable[..., Any]:
    def forward(a: Any, b: Any) -> Any:
        no_bools(name, a)
        return ufunc(a, b)

    return forward


_left, _right = _shift(np.left_shift, "lshift_cpu"), _shift(np.right_shift, "rshift_cpu")
bitwise_left_shift: Comparison = comparison(
    "bitwise_left_shift", _left, "Return ``input * 2 ** other``, for integers"
)
bitwise_left_shift_: Comparison = in_place_unrecorded(bitwise_left_shift, _left)
bitwise_right_shift: Comparison = comparison(
    "bitwise_right_shift", _right, "Return ``input // 2 ** other``, for integers"
)
bitwise_right_shift_: Comparison = in_place_unrecorded(bitwise_right_shift, _right)
_bitwise_not = Op("BitwiseNotBackward0", np.invert, x=None)


def bitwise_not(input: Tensor) -> Tensor:
    """Return the bits turned over: for bools, not."""
    return _bitwise_not(input)


def bitwise_not_(target: Tensor) -> Tensor:
    """Turn the bits over, in this tensor's own memory."""
    return write("bitwise_not_", target, _bitwise_not)


# Kinds of number --------------------------------------------------------------------------------

_isnan = Op("IsnanBackward0", np.isnan, x=None)
_isinf = Op("IsinfBackward0", np.isinf, x=None)
_isfinite = Op("IsfiniteBackward0", np.isfinite, x=None)
_signbit = Op("SignbitBackward0", lambda x: x < 0 if x.dtype.kind != "f" else np.signbit(x), x=None)


def isnan(input: Tensor) -> Tensor:
    """Tell which elements are not a number."""
    return _isnan(input)


def isinf(input: Tensor) -> Tensor:
    """Tell which elements are plus or minus infinity."""
    return _isinf(input)


def isfinite(input: Tensor) -> Tensor:
    """Tell which elements are neither infinite nor nan."""
    return _isfinite(input)


def isposinf(input: Tensor) -> Tensor:
    """Tell which elements are plus infinity."""
    return new_tensor(input.array == np.inf)


def isneginf(input: Tensor) -> Tensor:
    """Tell which elements are minus infinity."""
    return new_tensor(input.array == -np.inf)


def isreal(input: Tensor) -> Tensor:
    """Tell which elements are real: all, since there are no complex tensors here."""
    return new_tensor(np.ones_like(input.array, dtype=np.bool_))


def signbit(input: Tensor) -> Tensor:
    """Tell which elements carry a minus sign (-0. does)."""
    return _signbit(input)


def isin(elements: Tensor, test_elements: Tensor, *, invert: bool = False) -> Tensor:
    """Tell which of ``elements`` occur in ``test_elements``."""
    a, b = (
        each.array if isinstance(each, Tensor) else np.asarray(each)
        for each in (elements, test_elements)
    )
    if "b" in (a.dtype.kind, b.dtype.kind):
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    return new_tensor(np.isin(a, b, invert=invert))


__all__ = [
    "allclose",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "eq",
    "equal",
    "ge",
    "greater",
    "greater_equal",
    "gt",
    "isclose",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "le",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "ne",
    "not_equal",
    "signbit",
]
