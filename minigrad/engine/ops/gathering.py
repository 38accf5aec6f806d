"""Taking and putting elements by index along one dimension: ``gather``, ``scatter``, ``index_select``.

First with an index for every element, then with an index for every slice. What is taken from one
place several times gets the sum of the gradients there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import shape_text
from ..inplace import write
from ..op import Op
from ..tensor import Tensor, new_tensor
from .arguments import Operand, not_a_tensor
from .indexing import _WHOLE, Places, check_places
from .shape import (
    broadcast_to,
    reshape,
    wrap_dim,
)

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


__all__ = [
    "gather",
    "index_add",
    "index_copy",
    "index_fill",
    "index_select",
    "scatter",
    "scatter_add",
    "take_along_dim",
]
