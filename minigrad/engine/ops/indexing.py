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
from .arithmetic import Operand
from .copying import copy_, fill_
from .elementwise import not_a_tensor
from .shape import (
    _select,
    _slice,
    alias,
    broadcast_to,
    expand,
    reshape,
    unsqueeze,
    view,
    wrap_dim,
    wrap_index,
)
from .vjps import blocked, masked

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


def _added(x: Any, shape: Sequence[int], *rest: Any) -> Any:
    """Return zeros with the elements of ``x`` added where the indices say."""
    *indices, pattern = rest
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
            x=Named(
                lambda g, shape, *rest: self.add(g, shape, *rest),
                ("g", "x_shape", *names, "pattern"),
            ),
            **no_vjps,
        )
        # Zeros, with each element added where it was taken; its opposite takes them again.
        self.add = Op(
            "IndexPutBackward0",
            Named(_added, ("x", "shape", *names, "pattern")),
            x=Named(lambda g, *rest: self.take(g, *rest), ("g", *names, "pattern")),
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
    for item in items:
        if isinstance(item, int) and not isinstance(item, bool):
            x = _select(x, dim, wrap_index(item, dim, x.array.shape[dim]))
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
    if type(index) is int and x.array.ndim:
        return _select(x, 0, wrap_index(index, 0, x.array.shape[0]))
    viewed, indices, pattern = _walk(x, _items(x, index))
    if indices:
        return _by_tensors(len(indices)).take(viewed, *indices, pattern)
    if viewed is not x:
        return viewed
    # As in PyTorch, x[:] alone is a slice.
    return _slice(x, 0, 0, x.array.shape[0], 1) if isinstance(index, slice) else alias(x)


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
    if isinstance(value, (bool, int, float, np.generic)):
        return new_tensor(np.asarray(value).astype(x.array.dtype))
    raise TypeError(
        f"can't assign a {type(value).__name__} to a minigrad.{x.dtype.legacy_name}Tensor: make a "
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


# Along one dimension, an index for every element ------------------------------------------------


def _grid(index: Any, dim: int) -> Places:
    """Return the places (of all dimensions) that ``index`` names along ``dim``."""
    grid: list[Any] = list(np.indices(index.shape, sparse=True))
    if grid:
        grid[dim] = index
    return tuple(grid)


def _sum_at(x: Any, index: Any, dim: int, shape: Sequence[int]) -> Any:
    out = np.zeros(shape, x.dtype)
    np.add.at(out, _grid(index, dim), x[tuple([slice(n) for n in index.shape])])
    return out


def _scattered(x: Any, index: Any, value: Any, dim: int) -> Any:
    out = x.copy()
    whole = getattr(value, "ndim", 0) and value.shape != index.shape
    out[_grid(index, dim)] = value[tuple([slice(n) for n in index.shape])] if whole else value
    return out


def _scatter_added(x: Any, index: Any, src: Any, dim: int) -> Any:
    out = x.copy()
    np.add.at(out, _grid(index, dim), src[tuple([slice(n) for n in index.shape])])
    return out


# Zeros, with each element added where ``index`` says along ``dim``; its opposite takes them again.
summed_at = Op(
    "ScatterAddBackward0", _sum_at, x=lambda g, index, dim: _gathered(g, index, dim), index=None
)
_gathered: Op = Op(
    "GatherBackward0",
    lambda x, index, dim: x[_grid(index, dim)] if x.ndim else x.reshape(index.shape),
    x=lambda g, index, dim, x_shape: summed_at(g, index, dim, x_shape),
    index=None,
)
_gather = Op(
    "GatherBackward0",
    _gathered.forward,
    x=lambda g, x, index, dim: summed_at(g, index, dim, x.shape),  # PyTorch saves x as well
    index=None,
)
_scatter = Op(
    "ScatterBackward0",
    _scattered,
    x=lambda g, index, dim: _scatter_value(g, index, 0, dim),
    index=None,
    value=lambda g, index, dim: _gathered(g, index, dim),
)
_scatter_value: Op = Op(
    "ScatterBackward1",
    _scattered,
    inputs=("x", "index"),
    x=lambda g, index, dim: _scatter_value(g, index, 0, dim),
    index=None,
)
_scatter_add = Op(
    "ScatterAddBackward0",
    _scatter_added,
    x=lambda g: g,
    index=None,
    src=lambda g, index, dim: _gathered(g, index, dim),
)


def _check_index(
    function: str, input: Tensor, dim: int, index: Tensor, src: Tensor | None = None
) -> int:
    """Check an index with an entry for every element; return ``dim`` counted from the front."""
    if not isinstance(index, Tensor):
        raise not_a_tensor(function, "index", index, 3)
    if index.array.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{function}(): Expected dtype int32/int64 for index")
    dim = wrap_dim(dim, input.array.ndim)
    shape, own = index.array.shape, input.array.shape
    if not index.array.size:
        return dim
    if len(shape) != len(own) and (len(shape) or 1) != (len(own) or 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    if src is not None:
        if src.array.dtype != input.array.dtype:
            raise RuntimeError(f"{function}(): Expected self.dtype to be equal to src.dtype")
        if (src.array.ndim or 1) != (len(shape) or 1):
            raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    _check_sizes(function, dim, shape, own, None if src is None else src.array.shape)
    check_places(index.array, dim, own[dim] if own else 1, RuntimeError)
    return dim


def _check_sizes(
    function: str, dim: int, shape: Any, own: tuple[int, ...], of_src: tuple[int, ...] | None
) -> None:
    pairs = enumerate(zip(shape, own, strict=False))
    too_large = [i for i, (n, size) in pairs if i != dim and n > size]
    if too_large and function == "gather":
        raise RuntimeError(
            f"Size does not match at dimension {too_large[0]} expected index {shape_text(shape)} to be "
            f"no larger than self {shape_text(own)} apart from dimension {dim}"
        )
    outside_src = of_src and any([n > size for n, size in zip(shape, of_src, strict=False)])
    if too_large or outside_src:
        raise RuntimeError(
            f"Expected index {shape_text(shape)} to be no larger than self {shape_text(own)} apart "
            f"from dimension {dim}"
            + (f" and to be no larger size than src {shape_text(of_src)}" if of_src else "")
        )


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return, for each entry of ``index``, the element at that index along ``dim``.

    ``out[i][j] = input[index[i][j]][j]`` for ``dim=0``; the result has the shape of ``index``.
    """
    dim = _check_index("gather", input, dim, index)
    return _gather(input, index, dim)


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Return the elements at ``indices`` along ``dim``; other dimensions broadcast.

    It takes what ``argmax(keepdim=True)`` or ``argsort`` found.
    """
    if dim is None:
        return gather(reshape(input, (-1,)), 0, reshape(indices, (-1,)))
    if input.array.ndim != indices.array.ndim:
        raise RuntimeError(
            "take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{input.array.ndim} dimensions for input, and {indices.array.ndim} dimensions for indices"
        )
    dim = wrap_dim(dim, input.array.ndim)
    sizes = [
        max(a, b) if 1 in (a, b) else a
        for a, b in zip(input.array.shape, indices.array.shape, strict=True)
    ]

    def with_own(each: Tensor) -> Tensor:
        return broadcast_to(each, (*sizes[:dim], each.array.shape[dim], *sizes[dim + 1 :]))

    return gather(with_own(input), dim, with_own(indices))


def _scatter_operation(
    input: Tensor, dim: int, index: Tensor, src: Any, value: Any
) -> tuple[Op, tuple[Any, ...]]:
    if src is None:
        src = value
    if isinstance(src, Tensor) and src.array.ndim:
        dim = _check_index("scatter", input, dim, index, src)
        return _scatter, (index, src, dim)
    dim = _check_index("scatter", input, dim, index)
    if isinstance(src, Tensor):
        src = src.array.item()
    return _scatter_value, (index, src, dim)


def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Operand | None = None,
    *,
    value: float | None = None,
) -> Tensor:
    """Return a copy with the elements of ``src`` (or one value) put where ``index`` says along ``dim``.

    ``out[index[i][j]][j] = src[i][j]`` for ``dim=0``.
    """
    operation, args = _scatter_operation(input, dim, index, src, value)
    return operation(input, *args)


def scatter_(
    target: Tensor,
    dim: int,
    index: Tensor,
    src: Operand | None = None,
    *,
    value: float | None = None,
) -> Tensor:
    """Put the elements of ``src`` (or one value) where ``index`` says, in this tensor's own memory."""
    operation, args = _scatter_operation(target, dim, index, src, value)
    return write("scatter_", target, operation, *args)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Return a copy with the elements of ``src`` added where ``index`` says along ``dim``."""
    dim = _check_index("scatter", input, dim, index, src)
    return _scatter_add(input, index, src, dim)


def scatter_add_(target: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add the elements of ``src`` where ``index`` says along ``dim``, in this tensor's own memory."""
    dim = _check_index("scatter", target, dim, index, src)
    return write("scatter_add_", target, _scatter_add, index, src, dim)


# Along one dimension, an index for every slice --------------------------------------------------


def _slices(dim: int, index: Any) -> Places:
    return (*(_WHOLE,) * dim, index.reshape(-1), ...)


def _slices_put(x: Any, index: Any, source: Any, dim: int) -> Any:
    out = x.copy() if x.ndim else x.reshape(1).copy()
    out[_slices(dim, index)] = source
    return out.reshape(x.shape)


def _slices_added(x: Any, index: Any, source: Any, dim: int, alpha: Any) -> Any:
    out = x.copy() if x.ndim else x.reshape(1).copy()
    np.add.at(out, _slices(dim, index), source * x.dtype.type(alpha) if alpha != 1 else source)
    return out.reshape(x.shape)


def _sum_of_slices(x: Any, index: Any, dim: int, shape: Sequence[int]) -> Any:
    return _slices_added(np.zeros(shape, x.dtype), index, x, dim, 1)


_index_select = Op(
    "IndexSelectBackward0",
    lambda x, index, dim: np.take(x, index.reshape(-1), dim) if x.ndim else x.reshape(index.shape),
    x=lambda g, index, dim, x_shape: _slices_summed(g, index, dim, x_shape),
    index=None,
)
# Zeros, with each slice added where ``index`` says; its opposite takes them again.
_slices_summed: Op = Op(
    "IndexAddBackward0",
    _sum_of_slices,
    x=lambda g, index, dim: _index_select(g, index, dim),
    index=None,
)
_index_add = Op(
    "IndexAddBackward0",
    _slices_added,
    x=lambda g: g,
    index=None,
    source=lambda g, index, source, dim, alpha: _index_select(g, index, dim) * alpha,
)
_index_copy = Op(
    "IndexCopyBackward0",
    _slices_put,
    x=lambda g, index, dim: _index_fill(g, index, dim, 0),
    index=None,
    source=lambda g, index, source, dim: _index_select(g, index, dim),  # PyTorch saves both
)
_index_fill: Op = Op(
    "IndexFillBackward0",
    lambda x, index, dim, value: _slices_put(x, index, value, dim),
    x=lambda g, index, dim: _index_fill(g, index, dim, 0),
    index=None,
)
_index_fill_by = Op(
    "IndexFillBackward1",
    lambda x, index, value, dim: _slices_put(x, index, value, dim),
    x=lambda g, index, dim: _index_fill(g, index, dim, 0),
    index=None,
    value=lambda g, index, dim: _index_select(g, _once(index), dim).sum(),
)


def _once(index: Any) -> Any:
    if isinstance(index, Tensor):
        return new_tensor(np.unique(index.array))
    return np.unique(index)


def _check_slices(
    function: str, input: Tensor, dim: int, index: Tensor, error: type[Exception]
) -> int:
    """Check an index with an entry for every slice; return ``dim`` counted from the front."""
    dim = wrap_dim(dim, input.array.ndim)
    if index.array.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{function}(): Expected dtype int32 or int64 for index")
    if index.array.ndim > 1:
        raise IndexError(f"{function}(): Index is supposed to be a vector")
    check_places(index.array, dim, input.array.shape[dim] if input.array.ndim else 1, error)
    return dim


def _check_source(function: str, input: Tensor, dim: int, index: Tensor, source: Tensor) -> None:
    if source.array.dtype != input.array.dtype:
        raise RuntimeError(
            f"{function}(): self ({input.dtype.legacy_name}) and source "
            f"({source.dtype.legacy_name}) must have the same scalar type"
        )
    of_source, own = source.array.shape, input.array.shape
    length = of_source[dim] if of_source else 1
    if length != index.array.size:
        raise RuntimeError(
            f"{function}(): Number of indices ({index.array.size}) should be equal to "
            f"source.size(dim): ({length}), for dim: {dim}"
        )
    if of_source[:dim] != own[:dim] or of_source[dim + 1 :] != own[dim + 1 :]:
        raise RuntimeError(
            f"source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {shape_text(own)} source.shape = {shape_text(of_source)}"
        )


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return the slices at ``index`` along ``dim``: a copy."""
    if not isinstance(index, Tensor):
        raise not_a_tensor("index_select", "index", index, 3)
    try:
        dim = _check_slices("index_select", input, dim, index, IndexError)
    except IndexError as error:
        if "out of bounds" not in str(error):
            raise
        raise IndexError(f"index out of range in self: {error}") from None
    if index.array.size and index.array.min() < 0:
        raise IndexError("index out of range in self: a negative index does not count from the end")
    return _index_select(input, index, dim)


def index_add(
    input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1
) -> Tensor:
    """Return a copy with the slices of ``source`` (times ``alpha``) added at ``index`` along ``dim``."""
    dim = _check_slices("index_add_", input, dim, index, RuntimeError)
    _check_source("index_add_", input, dim, index, source)
    return _index_add(input, index, source, dim, alpha)


def index_add_(
    target: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1
) -> Tensor:
    """Add the slices of ``source`` at ``index`` along ``dim``, in this tensor's own memory."""
    dim = _check_slices("index_add_", target, dim, index, RuntimeError)
    _check_source("index_add_", target, dim, index, source)
    return write("index_add_", target, _index_add, index, source, dim, alpha)


def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Return a copy with the slices of ``source`` put at ``index`` along ``dim``."""
    dim = _check_slices("index_copy_", input, dim, index, IndexError)
    _check_source("index_copy_", input, dim, index, source)
    return _index_copy(input, index, source, dim)


def index_copy_(target: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Put the slices of ``source`` at ``index`` along ``dim``, in this tensor's own memory."""
    dim = _check_slices("index_copy_", target, dim, index, IndexError)
    _check_source("index_copy_", target, dim, index, source)
    return write("index_copy_", target, _index_copy, index, source, dim)


def _filling(input: Tensor, dim: int, index: Tensor, value: Any) -> tuple[Op, tuple[Any, ...]]:
    dim = _check_slices("index_fill_", input, dim, index, IndexError)
    if not isinstance(value, Tensor):
        return _index_fill, (index, dim, value)
    if value.array.ndim:
        raise RuntimeError(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.array.ndim} dimension(s)."
        )
    return _index_fill_by, (index, value, dim)


def index_fill(input: Tensor, dim: int, index: Tensor, value: Operand) -> Tensor:
    """Return a copy with every element of the slices at ``index`` along ``dim`` set to ``value``."""
    operation, args = _filling(input, dim, index, value)
    return operation(input, *args)


def index_fill_(target: Tensor, dim: int, index: Tensor, value: Operand) -> Tensor:
    """Set every element of the slices at ``index`` along ``dim``, in this tensor's own memory."""
    operation, args = _filling(target, dim, index, value)
    return write("index_fill_", target, operation, *args)


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
    "gather",
    "index_add",
    "index_copy",
    "index_fill",
    "index_put",
    "index_put_",
    "index_select",
    "masked_fill",
    "masked_scatter",
    "masked_select",
    "nonzero",
    "put",
    "scatter",
    "scatter_add",
    "take",
    "take_along_dim",
]
