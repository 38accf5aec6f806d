"""Indexing: ``x[...]`` as a chain of views, or a copy where an index is a tensor or a list.

As in PyTorch, numbers, slices, ``None`` and ``...`` each take one step and share memory; a tensor,
list or mask gathers elements into new memory. Assignment writes through the same chain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..create import tensor
from ..inplace import write
from ..op import Op
from ..tensor import Tensor, new_tensor
from .elementwise import copy_
from .shape import narrow, part, select, unsqueeze

_WHOLE = slice(None)
_alias = Op("AliasBackward0", lambda x: x.view(), view=True, x=lambda g: g)


def _add_at(x: Any, index: Any, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, x.dtype)
    np.add.at(out, index, x)
    return out


# Zeros, with each element added where the index took it from; its opposite takes them again.
_put_back = Op("IndexPutBackward0", _add_at, x=lambda g, index: _index(g, index))
_index = Op(
    "IndexBackward0",
    lambda x, index: x[index],
    x=lambda g, index, x_shape: _put_back(g, index, x_shape),
    index=None,
)


def _with_values(x: Any, values: Any, index: Any) -> Any:
    out = x.copy()
    out[index] = values
    return out


_index_put = Op(
    "IndexPutBackward0",
    _with_values,
    x=lambda g, index: _with_zeros(g, index),
    values=lambda g, index: _index(g, index),
    index=None,
)


def _with_zeros(g: Any, index: Any) -> Any:
    keep = np.ones(g.shape, g.dtype if not isinstance(g, Tensor) else g.array.dtype)
    keep[index] = 0
    return g * (new_tensor(keep) if isinstance(g, Tensor) else keep)


def _items(x: Tensor, index: Any) -> list[Any]:
    """Return the index as a list with ``...`` filled in, so that each item speaks of dimensions."""
    if isinstance(index, list):
        index = (tensor(index),) if not any(isinstance(i, (slice, type(None))) for i in index) else (
            tuple(index)
        )
    items = list(index) if isinstance(index, tuple) else [index]
    spoken = 0
    for i, item in enumerate(items):
        if isinstance(item, (list, np.ndarray)):
            item = items[i] = tensor(item)
        elif isinstance(item, np.generic):
            item = items[i] = item.item()
        if isinstance(item, Tensor):
            spoken += item.array.ndim if item.array.dtype.kind == "b" else 1
        elif item is not None and item is not Ellipsis and not isinstance(item, bool):
            if not isinstance(item, (int, slice)):
                raise IndexError(
                    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables "
                    f"are valid indices (got {type(item).__name__})"
                )
            spoken += 1
    rank = x.array.ndim
    if rank == 0 and spoken and not any(isinstance(item, Tensor) for item in items):
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` to convert a 0-dim tensor to a "
            "number"
        )
    if spoken > rank:
        raise IndexError(f"too many indices for tensor of dimension {rank}")
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    for i, item in enumerate(items):
        if item is Ellipsis:
            return items[:i] + [_WHOLE] * (rank - spoken) + items[i + 1 :]
    return items


def _checked_number(i: int, dim: int, size: int) -> int:
    if not -size <= i < size:
        raise IndexError(f"index {i} is out of bounds for dimension {dim} with size {size}")
    return i + size if i < 0 else i


def _checked_slice(item: slice, size: int) -> tuple[int, int, int]:
    step = 1 if item.step is None else int(item.step)
    if step <= 0:
        raise ValueError("step must be greater than zero: negative steps are not supported; flip() "
                         "copies in reverse")
    start, stop, step = slice(
        None if item.start is None else int(item.start),
        None if item.stop is None else int(item.stop),
        step,
    ).indices(size)
    return start, max(start, stop), step


def _walk(x: Tensor, items: list[Any]) -> tuple[Tensor, tuple[Any, ...] | None]:
    """Take the view steps; return the view, and the index of tensors that remains, if any."""
    dim = 0
    gathered: dict[int, Any] = {}
    for item in items:
        if item is None:
            x = unsqueeze(x, dim)
            dim += 1
        elif isinstance(item, bool):
            x = unsqueeze(x, dim)
            gathered[dim] = np.array([0] if item else [], np.int64)
            dim += 1
        elif isinstance(item, Tensor):
            array = item.array
            if array.dtype.kind == "b":
                _check_mask(array, x.array.shape, dim)
                for places in array.nonzero() if array.ndim else ():
                    gathered[dim] = places
                    dim += 1
                if not array.ndim:
                    x = unsqueeze(x, dim)
                    gathered[dim] = np.array([0] if array else [], np.int64)
                    dim += 1
            else:
                if array.dtype.kind not in "iu":
                    raise IndexError(
                        "tensors used as indices must be long, int, byte or bool tensors"
                    )
                _check_places(array, dim, x.array.shape[dim])
                gathered[dim] = array
                dim += 1
        elif isinstance(item, slice):
            size = x.array.shape[dim]
            start, stop, step = _checked_slice(item, size)
            if (start, stop, step) != (0, size, 1) or len(items) == 1:
                x = narrow(x, dim, start, stop, step)
            dim += 1
        else:
            x = select(x, dim, _checked_number(int(item), dim, x.array.shape[dim]))
    if not gathered:
        return x, None
    return x, tuple(gathered.get(i, _WHOLE) for i in range(max(gathered) + 1))


def _check_mask(mask: Any, shape: tuple[int, ...], dim: int) -> None:
    for i, size in enumerate(mask.shape):
        if shape[dim + i] != size:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {i} does not match the shape of "
                f"the indexed tensor {list(shape)} at index {dim + i}"
            )


def _check_places(places: Any, dim: int, size: int) -> None:
    for i in (places.min(), places.max()) if places.size else ():
        if not -size <= i < size:
            raise IndexError(f"index {i} is out of bounds for dimension {dim} with size {size}")


def getitem(x: Tensor, index: Any) -> Tensor:
    """Return ``x[index]``: a view, or a copy where a tensor, list or mask takes part."""
    viewed, index = _walk(x, _items(x, index))
    if index is not None:
        return _index(viewed, index)  # type: ignore[no-any-return]
    return _alias(x) if viewed is x else viewed


def setitem(x: Tensor, index: Any, value: Any) -> None:
    """Write ``x[index] = value``, broadcast and cast, through the view or to the places it names."""
    viewed, index = _walk(x, _items(x, index))
    if not isinstance(value, Tensor):
        value = tensor(value)
    if index is None:
        copy_(viewed, _without_leading_ones(value, viewed.array.ndim))
    else:
        if value.array.dtype != viewed.array.dtype:
            value = value.to(viewed.dtype)
        write("index_put_", viewed, _index_put, value, index)


def _without_leading_ones(value: Tensor, rank: int) -> Tensor:
    while value.array.ndim > rank and value.array.shape[0] == 1:
        value = select(value, 0, 0)
    return value


__all__ = ["getitem", "part", "setitem"]
