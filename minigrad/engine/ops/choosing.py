"""Choosing between values, element by element: ``where``, the larger, the smaller, ``clamp``.

At a tie the larger (or smaller) of two is both: the gradient is shared in halves. At its bounds,
``clamp`` lets the gradient pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import common_type
from ..inplace import write
from ..op import Binary, Op
from ..tensor import Tensor, new_tensor
from .arguments import Operand, check_tensors, no_bools, not_a_tensor
from .vjps import blocked, masked

# A condition ------------------------------------------------------------------------------------


def _chosen(condition: Any, a: Any, b: Any) -> Any:
    kind = common_type([a, b]).numpy
    return np.where(condition, np.asarray(a).astype(kind), np.asarray(b).astype(kind))


_where = Op(
    "WhereBackward0",
    _chosen,
    condition=None,
    a=lambda g, condition: masked(g, condition),
    b=lambda g, condition: blocked(g, condition),
)


def where(condition: Tensor, input: Operand | None = None, other: Operand | None = None) -> Any:
    """Return ``input`` where the condition holds, else ``other``; they broadcast and promote.

    With the condition alone: the indices of its true elements, a tensor for each dimension.
    """
    if not isinstance(condition, Tensor):
        raise not_a_tensor("where", "condition", condition)
    if input is None and other is None:
        return tuple([new_tensor(places) for places in _nonzero(condition.array)])
    if condition.array.dtype.kind != "b" and condition.array.dtype != np.uint8:
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype.legacy_name}"
        )
    return _where(condition, input, other)


def _nonzero(array: Any) -> Any:
    return array.nonzero() if array.ndim else array.reshape(1).nonzero()


# The larger, the smaller ------------------------------------------------------------------------

_maximum = Binary(
    "MaximumBackward0",
    np.maximum,
    types="one",
    a=lambda g, a, b: blocked(_halved(g, a == b), a < b),
    b=lambda g, a, b: blocked(_halved(g, a == b), a > b),
)
_minimum = Binary(
    "MinimumBackward0",
    np.minimum,
    types="one",
    a=lambda g, a, b: blocked(_halved(g, a == b), a > b),
    b=lambda g, a, b: blocked(_halved(g, a == b), a < b),
)
# As above, but a number wins over nan; a tie goes to the first.
_fmax = Op(
    "FmaxBackward0",
    np.fmax,
    types="one",
    a=lambda g, a, b: masked(g, (a >= b) | (b != b)),
    b=lambda g, a, b: blocked(g, (a >= b) | (b != b)),
)
_fmin = Op(
    "FminBackward0",
    np.fmin,
    types="one",
    a=lambda g, a, b: masked(g, (a <= b) | (b != b)),
    b=lambda g, a, b: blocked(g, (a <= b) | (b != b)),
)


def _halved(g: Any, tie: Any) -> Any:
    return masked(g / 2, tie) + blocked(g, tie)


def maximum(input: Tensor, other: Tensor) -> Tensor:
    """Return the larger of the two, element by element; nan where either is."""
    check_tensors("maximum", input=input, other=other)
    return _maximum.apply(input, other)


def minimum(input: Tensor, other: Tensor) -> Tensor:
    """Return the smaller of the two, element by element; nan where either is."""
    check_tensors("minimum", input=input, other=other)
    return _minimum.apply(input, other)


def fmax(input: Tensor, other: Tensor) -> Tensor:
    """Return the larger of the two, element by element; a number wins over nan."""
    check_tensors("fmax", input=input, other=other)
    return _fmax(input, other)


def fmin(input: Tensor, other: Tensor) -> Tensor:
    """Return the smaller of the two, element by element; a number wins over nan."""
    check_tensors("fmin", input=input, other=other)
    return _fmin(input, other)


# Bounds -----------------------------------------------------------------------------------------
# Between numbers, the bounds are plain arguments; between tensors, they get gradients too.


def _limited(x: Any, low: Any, high: Any) -> Any:
    kind = common_type([bound for bound in (x, low, high) if bound is not None]).numpy
    if not any([isinstance(bound, np.ndarray) for bound in (low, high)]):
        no_bools("clamp_min_scalar_cpu", np.empty(0, kind))
    bounds = [None if bound is None else np.asarray(bound).astype(kind) for bound in (low, high)]
    return np.clip(x.astype(kind, copy=False), bounds[0], bounds[1])


def _within(x: Any, low: Any, high: Any) -> Any:
    if low is None:
        return x <= high
    return x >= low if high is None else (x >= low) & (x <= high)


_clamp = Op(
    "ClampBackward1",
    _limited,
    x=lambda g, x, low, high: masked(g, _within(x, low, high)),
)
_clamp_by = Op(
    "ClampBackward0",
    _limited,
    x=lambda g, x, low, high: masked(g, _within(x, low, high)),
    low=lambda g, x, low, high: masked(g, x < low if high is None else (x < low) & (low < high)),
    high=lambda g, x, low, high: masked(g, x > high if low is None else (x > high) | (high < low)),
)
_clamp_min = Op("ClampMinBackward0", _limited, x=lambda g, x, low: masked(g, x >= low))
_clamp_min_by = Op(
    "ClampMinBackward1",
    lambda x, low: _limited(x, low, None),
    x=lambda g, x, low: masked(g, x >= low),
    low=lambda g, x, low: masked(g, x < low),
)
_clamp_max = Op("ClampMaxBackward0", _limited, x=lambda g, x, high: masked(g, x <= high))
_clamp_max_by = Op(
    "ClampMaxBackward1",
    lambda x, high: _limited(x, None, high),
    x=lambda g, x, high: masked(g, x <= high),
    high=lambda g, x, high: masked(g, x > high),
)


def _clamping(min: Any, max: Any) -> Op:
    if min is None and max is None:
        raise RuntimeError(
            "torch.clamp: At least one of 'min' or 'max' must not be None".removeprefix("torch.")
        )
    return _clamp_by if isinstance(min, Tensor) or isinstance(max, Tensor) else _clamp


def clamp(input: Tensor, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """Return the elements, limited to between ``min`` and ``max`` (either may be missing)."""
    return _clamping(min, max)(input, min, max)


def clamp_(target: Tensor, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """Limit the elements to between ``min`` and ``max``, in this tensor's own memory."""
    return write("clamp_", target, _clamping(min, max), min, max)


def clamp_min(input: Tensor, min: Operand) -> Tensor:
    """Return the elements, those below ``min`` raised to it."""
    if isinstance(min, Tensor):
        return _clamp_min_by(input, min)
    return _clamp_min(input, min, None)


def clamp_min_(target: Tensor, min: Operand) -> Tensor:
    """Raise the elements below ``min`` to it, in this tensor's own memory."""
    if isinstance(min, Tensor):
        return write("clamp_min_", target, _clamp_min_by, min)
    return write("clamp_min_", target, _clamp_min, min, None)


def clamp_max(input: Tensor, max: Operand) -> Tensor:
    """Return the elements, those above ``max`` lowered to it."""
    if isinstance(max, Tensor):
        return _clamp_max_by(input, max)
    return _clamp_max(input, None, max)


def clamp_max_(target: Tensor, max: Operand) -> Tensor:
    """Lower the elements above ``max`` to it, in this tensor's own memory."""
    if isinstance(max, Tensor):
        return write("clamp_max_", target, _clamp_max_by, max)
    return write("clamp_max_", target, _clamp_max, None, max)


clip, clip_ = clamp, clamp_


__all__ = [
    "clamp",
    "clamp_",
    "clamp_max",
    "clamp_max_",
    "clamp_min",
    "clamp_min_",
    "clip",
    "clip_",
    "fmax",
    "fmin",
    "maximum",
    "minimum",
    "where",
]
