"""Indexing: ``x[...]``, and taking and putting elements by index or by mask.

As in PyTorch, numbers, slices, ``None`` and ``...`` each take one step and share memory; a tensor,
list or mask gathers elements into new memory. Assignment writes through the same steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..create import tensor
from ..dtypes import Array
from ..errors import shape_text
from ..inplace import write
from ..op import Named, Op
from ..tensor import Tensor, new_tensor
from .copying import copy_, fill_
from .parts import _select, _slice, alias, wrap_index
from .shape import expand, unsqueeze, view
from .vjps import blocked

_WHOLE = slice(None)
Places = tuple[Any, ...]

# By tensors -------------------------------------------------------------------------------------
# ``pattern`` says what stands there in turn: a whole slice, or None for the next index tensor (a mask
# stands for as many dimensions as it has).


def _full(pattern: Places, indices: Sequence[Any]) -> Places:
    following = iter(indices)
    return tuple([next(following) if item is None else item for item in pattern])


def _taken(x: Any, *rest: Any) -> Any:
    *indices, pattern = rest
    out = x[_full(pattern, indices)]
    return out if out.flags.c_contiguous else out.copy()


def _added(x: Any, *rest: Any) -> Any:
    """Return zeros with the elements of ``x`` added where the indices say."""
    *indices, pattern, shape = rest
    out = np.zeros(shape, x.dtype)
    np.add.at(out, _full(pattern, indices), x)
    return out


def _with_values(x: Any, values: Any, *rest: Any) -> Any:
    *indices, pattern, accumulate = rest
    out, places = x.copy(), _full(pattern, indices)
    if accumulate:
        np.add.at(out, places, values)
    else:
        out[places] = values
    return out


def _with_zeros(g: Any, *rest: Any) -> Any:
    *indices, pattern, accumulate = rest
    if accumulate:
        return g
    mask = np.zeros(g.shape, np.bool_)
    arrays = [each.array if isinstance(each, Tensor) else each for each in indices]
    mask[_full(pattern, arrays)] = True
    return blocked(g, new_tensor(mask) if isinstance(g, Tensor) else mask)


class _ByTensors:
    """The operations that take and put by so many index tensors."""

    def __init__(self, count: int) -> None:
        names = tuple([f"index{i}" for i in range(count)])
        no_vjps: dict[str, Any] = dict.fromkeys(names)
        self.take = Op(
            "IndexBackward0",
            Named(_taken, ("x", *names, "pattern")),
            x=Named(lambda g, *rest: self.add(g, *rest), ("g", *names, "pattern", "x_shape")),
            **no_vjps,
        )
        # Zeros, with each element added where it was taken; its opposite takes them again.
        self.add = Op(
            "IndexPutBackward0",
            Named(_added, ("x", *names, "pattern", "shape")),
            x=Named(lambda g, *rest: self.take(g, *rest), ("g", *names, "pattern")),
            **no_vjps,
        )
        self.put = Op(
            "IndexPutBackward0",
            Named(_with_values, ("x", "values", *names, "pattern", "accumulate")),
            x=Named(_with_zeros, ("g", *names, "pattern", "accumulate")),
            values=Named(lambda g, *rest: self.take(g, *rest), ("g", *names, "pattern")),
            **no_vjps,
        )


_by_tensors = cache(_ByTensors)


# The steps of an index --------------------------------------------------------------------------


def _items(x: Tensor, index: Any) -> list[Any]:
    """Return the index as a list with ``...`` filled in, so that each item speaks of dimensions."""
    if isinstance(index, list) and _is_like_a_tuple(index):
        index = tuple(index)
    items = list(index) if isinstance(index, tuple) else [index]
    spoken = 0
    for i, item in enumerate(items):
        item = items[i] = _as_item(item)
        if isinstance(item, Tensor):
            spoken += item.array.ndim if item.array.dtype.kind == "b" else 1
        elif item is not None and item is not Ellipsis and not isinstance(item, bool):
            spoken += 1
    rank = x.array.ndim
    if rank == 0 and spoken and not any([isinstance(item, Tensor) for item in items]):
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` to convert a 0-dim tensor to a "
            "number"
        )
    if spoken > rank:
        raise IndexError(f"too many indices for tensor of dimension {rank}")
    for i, item in enumerate(items):
        if item is Ellipsis:
            rest = [later for later in items[i + 1 :] if later is not Ellipsis]
            return items[:i] + [_WHOLE] * (rank - spoken) + rest
    return items


def _is_like_a_tuple(index: list[Any]) -> bool:
    """Tell whether a list holds indices of its own rather than numbers, as PyTorch reads it."""
    return len(index) < 32 and any(
        [
            item is None
            or item is Ellipsis
            or isinstance(item, (slice, Tensor, Sequence, np.ndarray))
            for item in index
        ]
    )


def _as_item(item: Any) -> Any:
    """Return one item of an index as an int, bool, slice, None, ``...`` or an index tensor."""
    if item is None or item is Ellipsis or isinstance(item, (bool, int, slice)):
        return item
    if isinstance(item, (list, tuple, range, np.ndarray)):
        item = tensor(list(item) if isinstance(item, range) else item)
        if not item.array.size and item.array.dtype.kind == "f":
            item = new_tensor(item.array.astype(np.int64))
    if isinstance(item, np.generic):
        return item.item()
    if isinstance(item, str):
        raise TypeError("new(): invalid data type 'str': a tensor has no columns by name")
    if not isinstance(item, Tensor):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
            f"indices (got {type(item).__name__})"
        )
    array = item.array
    if array.dtype.kind != "b" and array.dtype not in _INDEX_TYPES:
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    if array.dtype == np.uint8:
        return new_tensor(array.astype(np.bool_))
    return int(array) if not array.ndim and array.dtype.kind == "i" else item


_INDEX_TYPES = (np.int64, np.int32, np.uint8)


def _checked_slice(item: slice, size: int) -> tuple[int, int, int]:
    start, stop, step = (
        None if each is None else int(each) for each in (item.start, item.stop, item.step)
    )
    if step is not None and step <= 0:
        raise ValueError(
            "step must be greater than zero: a view cannot run backwards; flip() copies in reverse"
        )
    start, stop, step = slice(start, stop, step).indices(size)
    return start, max(start, stop), step


def _walk(x: Tensor, items: list[Any]) -> tuple[Tensor, list[Tensor], Places]:
    """Take the view steps; return the view, and the index tensors that remain, with their pattern."""
    dim = 0
    indices: list[Tensor] = []
    pattern: list[Any] = []
    for place, item in enumerate(items):
        if isinstance(item, int) and not isinstance(item, bool):
            x = _select(x, dim, wrap_index(item, place, x.array.shape[dim]))
            continue
        if item is None:
            x = unsqueeze(x, dim)
        elif isinstance(item, slice):
            size = x.array.shape[dim]
            start, stop, step = _checked_slice(item, size)
            if (start, stop, step) != (0, size, 1):
                x = _slice(x, dim, start, stop, step)
        else:
            if isinstance(item, bool) or not item.array.ndim:
                x = unsqueeze(x, dim)
                item = new_tensor(np.zeros(1 if item else 0, np.int64))
            elif item.array.dtype.kind == "b":
                _check_mask(item.array, x.array.shape, dim)
                dim += item.array.ndim - 1
            else:
                check_places(item.array, dim, x.array.shape[dim], IndexError)
            indices.append(item)
            pattern.append(None)
            dim += 1
            continue
        pattern.append(_WHOLE)
        dim += 1
    _check_fit(indices)
    return x, indices, tuple(pattern)


def _check_mask(mask: Array, shape: tuple[int, ...], dim: int) -> None:
    for i, size in enumerate(mask.shape):
        if shape[dim + i] != size:
            raise IndexError(
                f"The shape of the mask {shape_text(mask.shape)} at index {i} does not match the shape "
                f"of the indexed tensor {shape_text(shape)} at index {dim + i}"
            )


def _check_fit(indices: list[Tensor]) -> None:
    shapes = [
        each.array.shape if each.array.dtype.kind != "b" else (np.count_nonzero(each.array),)
        for each in indices
    ]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        raise IndexError(
            "shape mismatch: indexing tensors could not be broadcast together with shapes "
            + ", ".join(map(shape_text, shapes))
        ) from None


def check_places(places: Array, dim: int, size: int, error: type[Exception]) -> None:
    """Raise if an index is outside of a dimension."""
    for i in (places.min(), places.max()) if places.size else ():
        if not -size <= i < size:
            raise error(f"index {i} is out of bounds for dimension {dim} with size {size}")


def getitem(x: Tensor, index: Any) -> Tensor:
    """Return ``x[index]``: a view, or a copy where a tensor, list or mask takes part."""
    if x.array.ndim:
        # One number or one slice, as in every loop: x[:] is a slice, too.
        if type(index) is int:
            return _select(x, 0, wrap_index(index, 0, x.array.shape[0]))
        if type(index) is slice:
            return _slice(x, 0, *_checked_slice(index, x.array.shape[0]))
    viewed, indices, pattern = _walk(x, _items(x, index))
    if indices:
        return _by_tensors(len(indices)).take(viewed, *indices, pattern)
    return viewed if viewed is not x else alias(x)


def setitem(x: Tensor, index: Any, value: Any) -> None:
    """Write ``x[index] = value``, broadcast and cast, through the view or to the places it names."""
    viewed, indices, pattern = _walk(x, _items(x, index))
    value = _as_value(value, x)
    if indices:
        _put(viewed, indices, pattern, _without_leading_ones(value), False)
    elif value.array.ndim or not viewed.array.ndim:
        copy_(viewed, _stretched(value, viewed.array.shape))
    else:
        fill_(viewed, value)


def _as_value(value: Any, x: Tensor) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (bool, int, float, np.integer)):
        return new_tensor(np.asarray(value).astype(x.array.dtype))
    package = "numpy." if type(value).__module__ == "numpy" else ""
    raise TypeError(
        f"can't assign a {package}{type(value).__name__} to a minigrad.{x.dtype.legacy_name}Tensor: make a "
        "tensor of it, with minigrad.tensor(...)"
    )


def _core_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape without its leading ones."""
    first = next((i for i, size in enumerate(shape) if size != 1), len(shape))
    return shape[first:]


def _without_leading_ones(value: Tensor) -> Tensor:
    shape = value.array.shape
    core = _core_shape(shape)
    return value if core == shape else view(value, core)


def _stretched(value: Tensor, shape: tuple[int, ...]) -> Tensor:
    if value.array.shape == shape:
        return value
    value = view(value, _core_shape(value.array.shape))
    return value if value.array.shape == shape else expand(value, shape)


def _put(
    target: Tensor, indices: list[Tensor], pattern: Places, value: Tensor, accumulate: bool
) -> Tensor:
    if value.array.dtype != target.array.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{target.dtype.legacy_name} for the destination and {value.dtype.legacy_name} for the "
            "source."
        )
    _check_values(target, indices, pattern, value)
    operation = _by_tensors(len(indices)).put
    return write("index_put_", target, operation, value, *indices, pattern, accumulate)


def _check_values(target: Tensor, indices: list[Tensor], pattern: Places, value: Tensor) -> None:
    cell = np.broadcast_to(np.zeros((), np.bool_), target.array.shape)
    wanted = cell[_full(pattern, [each.array for each in indices])].shape
    try:
        fits = np.broadcast_shapes(wanted, value.array.shape) == wanted
    except ValueError:
        fits = False
    if not fits:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {shape_text(value.array.shape)} cannot be "
            f"broadcast to indexing result of shape {shape_text(wanted)}"
        )


def index_put_(
    target: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    """Write ``values`` to the places that ``indices`` name (add them, with ``accumulate``)."""
    items = [_WHOLE if each is None else each for each in indices]
    viewed, places, pattern = _walk(target, _items(target, tuple(items)))
    if viewed is not target or not places:
        raise IndexError("index_put_ takes index tensors of at least one dimension")
    return _put(target, places, pattern, values, accumulate)


def index_put(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    """Return a copy with ``values`` at the places that ``indices`` name; see ``index_put_``."""
    items = [_WHOLE if each is None else each for each in indices]
    _, places, pattern = _walk(input, _items(input, tuple(items)))
    _check_values(input, places, pattern, values)
    return _by_tensors(len(places)).put(input, values, *places, pattern, accumulate)


__all__ = [
    "index_put",
    "index_put_",
]
