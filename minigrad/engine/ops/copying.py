"""Copies: to new memory, to another dtype, into memory that is already there."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DType, of_number
from ..inplace import write
from ..op import Op
from ..tensor import Tensor, new_tensor
from .arguments import Operand
from .vjps import zeros

_clone = Op("CloneBackward0", lambda x: x.copy(order="K"), x=lambda g: g)
_contiguous = Op("CloneBackward0", lambda x: x.copy(), x=lambda g: g)
_converted_to_integers = Op("ToCopyBackward0", lambda x, kind: x.astype(kind), x=None)
_converted = Op("ToCopyBackward0", lambda x, kind: x.astype(kind), x=lambda g: g)
_copy = Op(
    "CopyBackwards",
    lambda x, source: np.broadcast_to(source, x.shape).astype(x.dtype),
    x=zeros,
    source=lambda g: g,
)
_fill = Op(
    "FillBackward2", lambda x, value: np.full_like(x, np.asarray(value).astype(x.dtype)), x=zeros
)
_fill_by = Op(
    "FillBackward3",
    lambda x, value: np.broadcast_to(value, x.shape).astype(x.dtype),
    x=zeros,
    value=lambda g: g,
)
_zero = Op("ZeroBackward0", lambda x: np.zeros_like(x), x=zeros)


def clone(input: Tensor) -> Tensor:
    """Return a copy in memory of its own; it stays in the graph (``detach()`` leaves it)."""
    return _clone(input)


def copied(input: Tensor) -> Tensor:
    """Return a copy whose elements lie in order, whatever the order of ``input``."""
    return _contiguous(input)


def detach(input: Tensor) -> Tensor:
    """Return a new tensor on the same memory, cut from the graph; see ``Tensor.detach``."""
    return input.detach()


def detach_(target: Tensor) -> Tensor:
    """Cut this very tensor from the graph; see ``Tensor.detach_``."""
    return target.detach_()


def contiguous(input: Tensor) -> Tensor:
    """Return the tensor itself if its elements lie in order, else a copy whose elements do."""
    return input if input.array.flags.c_contiguous else _contiguous(input)


def to(input: Tensor, dtype: DType | None = None, copy: bool = False) -> Tensor:
    """Return the tensor in another dtype: itself where nothing changes (unless ``copy``)."""
    kind = input.array.dtype if dtype is None else dtype.numpy
    if kind == input.array.dtype and not copy:
        return input
    return (_converted if kind.kind == "f" else _converted_to_integers)(input, kind)


def copy_(target: Tensor, source: Operand, non_blocking: bool = False) -> Tensor:
    """Copy the values of ``source`` (broadcast, cast) into this tensor's memory.

    The gradient goes to ``source`` from here on. ``non_blocking`` means nothing on a CPU.
    """
    if not isinstance(source, Tensor):
        of_number(source)
        source = new_tensor(np.asarray(source))
    return write("copy_", target, _copy, source)


def fill_(target: Tensor, value: Any) -> Tensor:
    """Set every element to ``value``, a number or a tensor of one element."""
    if not isinstance(value, Tensor):
        return write("fill_", target, _fill, value, uniform=True)
    if value.array.ndim:
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{value.array.ndim} dimensions."
        )
    return write("fill_", target, _fill_by, value, uniform=True)


def zero_(target: Tensor) -> Tensor:
    """Set every element to 0."""
    return write("zero_", target, _zero, uniform=True)


__all__ = [
    "clone",
    "detach",
    "detach_",
    "fill_",
    "zero_",
]
