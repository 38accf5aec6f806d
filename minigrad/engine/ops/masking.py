"""Taking and putting elements by mask, or by their place in the flattened tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..inplace import write
from ..op import Op
from ..tensor import Tensor, new_tensor
from .arguments import Operand, not_a_tensor
from .vjps import blocked, masked

# By mask ----------------------------------------------------------------------------------------


def _mask_put(x: Any, mask: Any, value: Any) -> Any:
    return np.where(mask, np.asarray(value).astype(x.dtype), x)


_masked_fill = Op(
    "MaskedFillBackward0",
    _mask_put,
    inputs=("x", "mask"),
    x=lambda g, mask: blocked(g, mask),
    mask=None,
)
_masked_fill_by = Op(
    "MaskedFillBackward1",
    _mask_put,
    x=lambda g, mask: blocked(g, mask),
    mask=None,
    value=lambda g, mask: masked(g, mask),
)


def _select_by_mask(x: Any, mask: Any) -> Any:
    x, mask = np.broadcast_arrays(x, mask)
    return x[mask]


def _put_by_mask(x: Any, mask: Any, shape: Sequence[int]) -> Any:
    full = np.broadcast_shapes(mask.shape, shape)
    out = np.zeros(full, x.dtype)
    out[np.broadcast_to(mask, full)] = x
    return out


_masked_select = Op(
    "MaskedSelectBackward0",
    _select_by_mask,
    x=lambda g, x, mask: _mask_placed(g, mask, x.shape),  # PyTorch saves x as well
    mask=None,
)
_mask_placed: Op = Op(
    "MaskedScatterBackward0",
    _put_by_mask,
    x=lambda g, mask: _mask_taken(g, mask),
    mask=None,
)
_mask_taken: Op = Op(
    "MaskedSelectBackward0",
    _select_by_mask,
    x=lambda g, mask, x_shape: _mask_placed(g, mask, x_shape),
    mask=None,
)


def _scatter_by_mask(x: Any, mask: Any, source: Any) -> Any:
    out = np.broadcast_to(x, np.broadcast_shapes(x.shape, mask.shape)).copy()
    mask = np.broadcast_to(mask, out.shape)
    out[mask] = source.reshape(-1)[: np.count_nonzero(mask)]
    return out


def _first_of(x: Any, mask: Any, shape: Sequence[int]) -> Any:
    """Return, in that shape, the elements of ``x`` under the mask, then zeros."""
    out = np.zeros(shape, x.dtype).reshape(-1)
    taken = x[np.broadcast_to(mask, x.shape)]
    out[: taken.size] = taken
    return out.reshape(shape)


_masked_scatter = Op(
    "MaskedScatterBackward0",
    _scatter_by_mask,
    x=lambda g, mask: blocked(g, mask),
    mask=None,
    source=lambda g, mask, source_shape: _mask_first(g, mask, source_shape),
)
_mask_first: Op = Op(
    "MaskedScatterBackwardBackward0",
    _first_of,
    x=lambda g, mask, x_shape: _masked_scatter(zeros_of(mask.shape, g), mask, g),
    mask=None,
)


def zeros_of(shape: Sequence[int], g: Any) -> Any:
    """Return zeros of that shape beside ``g``, an array or a tensor."""
    kind = g.array.dtype if isinstance(g, Tensor) else g.dtype
    out = np.zeros(shape, kind)
    return new_tensor(out) if isinstance(g, Tensor) else out


def _check_bool(mask: Tensor, message: str) -> None:
    if mask.array.dtype.kind != "b":
        raise RuntimeError(message.format(mask.dtype.legacy_name.lower()))


def _mask_filling(mask: Tensor, value: Any) -> Op:
    if not isinstance(mask, Tensor):
        raise not_a_tensor("masked_fill", "mask", mask, 2)
    _check_bool(mask, "masked_fill_ only supports boolean masks, but got mask with dtype {}")
    if not isinstance(value, Tensor):
        return _masked_fill
    if value.array.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.array.ndim} dimension(s)."
        )
    return _masked_fill_by


def masked_fill(input: Tensor, mask: Tensor, value: Operand) -> Tensor:
    """Return a copy with ``value`` where the mask is true; they broadcast."""
    return _mask_filling(mask, value)(input, mask, value)


def masked_fill_(target: Tensor, mask: Tensor, value: Operand) -> Tensor:
    """Set the elements where the mask is true to ``value``, in this tensor's own memory."""
    return write("masked_fill_", target, _mask_filling(mask, value), mask, value)


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where the mask is true, in one row; they broadcast."""
    _check_bool(mask, "masked_select: expected BoolTensor for mask")
    return _masked_select(input, mask)


def _check_mask_source(input: Tensor, mask: Tensor, source: Tensor) -> None:
    _check_bool(mask, "masked_scatter_ only supports boolean masks, but got mask with dtype {}")
    if source.array.dtype != input.array.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got "
            f"{input.dtype.legacy_name} and {source.dtype.legacy_name}"
        )
    shape = np.broadcast_shapes(input.array.shape, mask.array.shape)
    wanted = np.count_nonzero(np.broadcast_to(mask.array, shape))
    if wanted > source.array.size:
        raise RuntimeError(
            f"masked_scatter: source holds {source.array.size} elements, fewer than the {wanted} under "
            "the mask"
        )


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Return a copy with the elements of ``source``, in order, where the mask is true."""
    _check_mask_source(input, mask, source)
    return _masked_scatter(input, mask, source)


def masked_scatter_(target: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Write the elements of ``source``, in order, where the mask is true, in this tensor's memory."""
    _check_mask_source(target, mask, source)
    return write("masked_scatter_", target, _masked_scatter, mask, source)


# In the flattened tensor ------------------------------------------------------------------------


def _put_flat(x: Any, index: Any, source: Any, accumulate: bool) -> Any:
    out = x.copy()
    flat = out.reshape(-1)
    if accumulate:
        np.add.at(flat, index, source.reshape(index.shape))
    else:
        flat[index] = source.reshape(index.shape)
    return flat.reshape(x.shape)


def _sum_flat(x: Any, index: Any, shape: Sequence[int]) -> Any:
    return _put_flat(np.zeros(shape, x.dtype), index, x, True)


_take = Op(
    "TakeBackward0",
    lambda x, index: x.reshape(-1)[index],
    x=lambda g, x, index: _flat_summed(g, index, x.shape),  # PyTorch saves x as well
    index=None,
)
_flat_summed: Op = Op(
    "PutBackward0", _sum_flat, x=lambda g, index: _flat_taken(g, index), index=None
)
_flat_taken: Op = Op(
    "TakeBackward0",
    _take.forward,
    x=lambda g, index, x_shape: _flat_summed(g, index, x_shape),
    index=None,
)
_put_op = Op(
    "PutBackward0",
    _put_flat,
    x=lambda g, index, accumulate: g if accumulate else _put_zeros(g, index),
    index=None,
    source=lambda g, index, source: _flat_taken(g, index).reshape(source.shape),
)


def _put_zeros(g: Any, index: Any) -> Any:
    return _put_op(g, index, zeros_of(index.shape, g), False)


def take(input: Tensor, index: Tensor) -> Tensor:
    """Return the elements at ``index`` of the flattened tensor, in the shape of ``index``."""
    _check_flat("take", input, index)
    return _take(input, index)


def _check_flat(function: str, input: Tensor, index: Tensor) -> None:
    if index.array.dtype != np.int64:
        raise RuntimeError(
            f"{function}(): Expected a long tensor for index, but got {index.dtype.legacy_name}"
        )
    size = input.array.size
    for i in (index.array.min(), index.array.max()) if index.array.size else ():
        if not -size <= i < size:
            raise IndexError(
                f"out of range: tried to access index {i} on a tensor of {size} elements."
            )


def _check_put(input: Tensor, index: Tensor, source: Tensor) -> None:
    _check_flat("put_", input, index)
    if source.array.dtype != input.array.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{input.dtype.legacy_name} and source.dtype = {source.dtype.legacy_name}"
        )
    if source.array.size != index.array.size:
        raise RuntimeError(
            "put_(): Expected source and index to have the same number of elements, but got "
            f"source.numel() = {source.array.size}, index.numel() = {index.array.size}"
        )


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Return a copy with ``source`` at ``index`` of the flattened tensor (or added there)."""
    _check_put(input, index, source)
    return _put_op(input, index, source, accumulate)


def put_(target: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Write ``source`` at ``index`` of the flattened tensor, in this tensor's own memory."""
    _check_put(target, index, source)
    return write("put_", target, _put_op, index, source, accumulate)


# Where are they? --------------------------------------------------------------------------------


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the indices of the elements that are not zero: a row each, or a tensor per dimension."""
    array = input.array
    if as_tuple:
        places = array.nonzero() if array.ndim else array.reshape(1).nonzero()
        return tuple([new_tensor(each) for each in places])
    return argwhere(input)


def argwhere(input: Tensor) -> Tensor:
    """Return the indices of the elements that are not zero, a row each."""
    return new_tensor(np.argwhere(input.array))


__all__ = [
    "argwhere",
    "masked_fill",
    "masked_scatter",
    "masked_select",
    "nonzero",
    "put",
    "take",
]
