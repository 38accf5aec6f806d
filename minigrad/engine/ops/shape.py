"""Shapes and views: no element is computed, most look into the same memory.

A view's vjp puts the gradient where the view was taken from; its opposite is again a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import shape_text
from ..op import Op
from ..tensor import Tensor
from .elementwise import clone


def wrap_dim(dim: int, rank: int) -> int:
    """Return a dimension counted from the front; IndexError (PyTorch's words) if there is none."""
    span = max(rank, 1)
    if not -span <= dim < span:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-span}, {span - 1}], "
            f"but got {dim})"
        )
    return dim + span if dim < 0 else dim


def wrap_dims(dims: int | Sequence[int], rank: int) -> tuple[int, ...]:
    """Return several dimensions counted from the front, each at most once."""
    given = (dims,) if isinstance(dims, int) else tuple(dims)
    wrapped = tuple(wrap_dim(dim, rank) for dim in given)
    for place, dim in enumerate(wrapped):
        if dim in wrapped[:place]:
            raise RuntimeError(f"dim {dim} appears multiple times in the list of dims")
    return wrapped if rank else ()


def _sizes(given: tuple[Any, ...]) -> tuple[int, ...]:
    """Return a shape given as ints or as one sequence."""
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = tuple(given[0])
    return tuple(int(size) for size in given)


# Reshaping --------------------------------------------------------------------------------------

_view = Op(
    "ViewBackward0",
    lambda x, shape: np.reshape(x, shape, copy=False),
    view=True,
    x=lambda g, x_shape: g.reshape(x_shape),
)
_unsafe_view = Op(
    "UnsafeViewBackward0",
    lambda x, shape: x.reshape(shape),
    x=lambda g, x_shape: g.reshape(x_shape),
)


def _filled_shape(shape: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """Return the shape with a -1 worked out; RuntimeError if it does not hold ``numel`` elements."""
    known = 1
    for size in shape:
        known *= size if size != -1 else 1
    unknown = shape.count(-1)
    if unknown > 1:
        raise RuntimeError("only one dimension can be inferred")
    fits = known == numel if not unknown else known != 0 and numel % known == 0
    if not fits or any(size < -1 for size in shape):
        raise RuntimeError(f"shape '{shape_text(shape)}' is invalid for input of size {numel}")
    return tuple(numel // known if size == -1 else size for size in shape)


def view(input: Tensor, shape: tuple[Any, ...]) -> Tensor:
    """Return a view in another shape; RuntimeError where the memory's order does not allow one."""
    target = _filled_shape(_sizes(shape), input.array.size)
    try:
        return _view(input, target)  # type: ignore[no-any-return]
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        ) from None


def reshape(input: Tensor, shape: tuple[Any, ...]) -> Tensor:
    """Return the elements in another shape: a view where the memory allows it, else a copy."""
    target = _filled_shape(_sizes(shape), input.array.size)
    try:
        return _view(input, target)  # type: ignore[no-any-return]
    except ValueError:
        return _unsafe_view(contiguous_copy(input), target)  # type: ignore[no-any-return]


contiguous_copy = Op("CloneBackward0", lambda x: x.copy(), x=lambda g: g)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Return the tensor with the dimensions from ``start_dim`` to ``end_dim`` made one."""
    shape = input.array.shape
    if not shape:
        return reshape(input, (1,))
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end:
        return input
    middle = 1
    for size in shape[start : end + 1]:
        middle *= size
    return reshape(input, (*shape[:start], middle, *shape[end + 1 :]))


# Turning ----------------------------------------------------------------------------------------

_transpose = Op(
    "TransposeBackward0",
    lambda x, a, b: x.swapaxes(a, b) if x.ndim else x.view(),
    view=True,
    x=lambda g, a, b: g.swapaxes(a, b) if g.shape else g,
)
_t = Op(
    "TBackward0", lambda x: x.swapaxes(0, 1), view=True, x=lambda g: g.swapaxes(0, 1)
)
_permute = Op(
    "PermuteBackward0",
    lambda x, dims: x.transpose(dims),
    view=True,
    x=lambda g, dims: permute(g, tuple([dims.index(i) for i in range(len(dims))])),
)


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Return a view with two dimensions swapped."""
    rank = input.array.ndim
    a, b = wrap_dim(dim0, rank), wrap_dim(dim1, rank)
    return _transpose(input, a, b)


def t(input: Tensor) -> Tensor:
    """Return the transpose of a matrix (a vector stays as it is), as a view."""
    if input.array.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {input.array.ndim}D"
        )
    return _t(input) if input.array.ndim == 2 else input


def permute(input: Any, dims: Sequence[int]) -> Any:
    """Return a view with the dimensions in the order ``dims``."""
    rank = len(input.shape)
    if len(dims) != rank:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length "
            f"of the desired ordering of dimensions i.e. input.dim() = {rank} is not equal to "
            f"len(dims) = {len(dims)}"
        )
    return _permute(input, wrap_dims(dims, rank))


# Dimensions of size one -------------------------------------------------------------------------

_unsqueeze = Op(
    "UnsqueezeBackward0",
    lambda x, dim: np.expand_dims(x, dim),
    view=True,
    x=lambda g, x_shape: g.reshape(x_shape),
)
_squeeze_all = Op(
    "SqueezeBackward0",
    lambda x: x.reshape([size for size in x.shape if size != 1]),
    view=True,
    x=lambda g, x_shape: g.reshape(x_shape),
)
_squeeze = Op(
    "SqueezeBackward1",
    lambda x, dims: np.squeeze(x, dims),
    view=True,
    x=lambda g, x_shape: g.reshape(x_shape),
)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Return a view with a dimension of size one put in at ``dim``."""
    return _unsqueeze(input, wrap_dim(dim, input.array.ndim + 1))  # type: ignore[no-any-return]


def squeeze(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Return a view without the dimensions of size one (or without those of ``dim`` that are)."""
    if dim is None:
        return _squeeze_all(input)  # type: ignore[no-any-return]
    shape = input.array.shape
    dims = tuple(i for i in wrap_dims(dim, len(shape)) if shape and shape[i] == 1)
    return _squeeze(input, dims)  # type: ignore[no-any-return]


# Stretching -------------------------------------------------------------------------------------


def _broadcast(x: Any, shape: tuple[int, ...]) -> Any:
    """Return a view of ``x`` stretched to ``shape``: a step of zero stays at the same element."""
    if not x.flags.forc:
        return np.lib.stride_tricks.as_strided(x, shape, _stretched_strides(x, shape))
    return np.ndarray(shape, x.dtype, x, 0, _stretched_strides(x, shape))


def _stretched_strides(x: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    extra = len(shape) - x.ndim
    sizes = zip(x.shape, x.strides, shape[extra:], strict=True)
    return (0,) * extra + tuple([step if own == size else 0 for own, step, size in sizes])


# Undoing it is the engine's: it sums a gradient to the shape of what was stretched.
expand_to = Op("ExpandBackward0", _broadcast, view=True, x=lambda g: g)


def expand(input: Tensor, sizes: tuple[Any, ...]) -> Tensor:
    """Return a view stretched to ``sizes``; -1 keeps a size. Nothing is copied."""
    wanted, have = _sizes(sizes), input.array.shape
    extra = len(wanted) - len(have)
    if extra < 0:
        raise RuntimeError(
            f"expand({shape_text(wanted)}, size={shape_text(have)}): the number of sizes provided "
            f"({len(wanted)}) must be greater or equal to the number of dimensions in the tensor "
            f"({len(have)})"
        )
    shape = []
    for place, size in enumerate(wanted):
        own = have[place - extra] if place >= extra else 1
        if size == -1 and place < extra:
            raise RuntimeError(
                "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
                f"dimension {place}"
            )
        if own not in (1, size) and size != -1:
            raise RuntimeError(
                f"The expanded size of the tensor ({size}) must match the existing size ({own}) at "
                f"non-singleton dimension {place}. Target sizes: {shape_text(wanted)}. Tensor sizes: "
                f"{shape_text(have)}"
            )
        shape.append(own if size == -1 else size)
    return expand_to(input, tuple(shape))  # type: ignore[no-any-return]


# Taking parts -----------------------------------------------------------------------------------


def _at(dim: int, item: Any) -> tuple[Any, ...]:
    return (*(slice(None),) * dim, item, ...)


def _place(x: Any, index: Any, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, x.dtype)
    out[index] = x
    return out


# Zeros, with the part put in its place: the vjp of taking a part, which in turn takes it.
place = Op("PlaceBackward0", _place, x=lambda g, index: part(g, index))
part = Op(
    "PartBackward0",
    lambda x, index: x[index],
    view=True,
    x=lambda g, index, x_shape: place(g, index, x_shape),
)
select = Op(
    "SelectBackward0",
    lambda x, dim, i: x[_at(dim, i)],
    view=True,
    x=lambda g, dim, i, x_shape: place(g, _at(dim, i), x_shape),
)
narrow = Op(
    "SliceBackward0",
    lambda x, dim, start, stop, step: x[_at(dim, slice(start, stop, step))],
    view=True,
    x=lambda g, dim, start, stop, step, x_shape: place(
        g, _at(dim, slice(start, stop, step)), x_shape
    ),
)


def _pieces_back(gs: Sequence[Any], dim: int, x_shape: tuple[int, ...]) -> Any:
    """Put the gradients of slices along ``dim`` together; a missing one is zero."""
    total: Any = None
    for i, g in enumerate(gs):
        if g is not None:
            piece = place(g, _at(dim, i), x_shape)
            total = piece if total is None else total + piece
    return total


_unbind = Op(
    "UnbindBackward0",
    lambda x, dim: tuple([x[_at(dim, i)] for i in range(x.shape[dim])]),
    outputs=0,
    view=True,
    x=_pieces_back,
)


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along ``dim``, all at once; they refuse in-place writes while recorded."""
    return _unbind(input, wrap_dim(dim, input.array.ndim))  # type: ignore[no-any-return]


# Taking by index along one dimension ------------------------------------------------------------


def _scatter_add(x: Any, index: Any, dim: int, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, x.dtype)
    grid = list(np.indices(index.shape, sparse=True))
    grid[dim] = index
    np.add.at(out, tuple(grid), x)
    return out


# Zeros, with each element added where ``index`` says along ``dim``; gather is its opposite.
scatter_add = Op(
    "ScatterAddBackward0", _scatter_add, x=lambda g, index, dim: gather(g, index, dim), index=None
)
gather = Op(
    "GatherBackward0",
    lambda x, index, dim: np.take_along_axis(x, index, dim),
    x=lambda g, index, dim, x_shape: scatter_add(g, index, dim, x_shape),
    index=None,
)


def unsqueeze_(target: Tensor, dim: int) -> Tensor:
    """Put in a dimension of size one at ``dim``, in this very tensor: only its shape changes."""
    reshaped = unsqueeze(target, dim)
    target.array = reshaped.array
    target._grad_fn, target._output_nr = reshaped._grad_fn, reshaped._output_nr
    return target


__all__ = [
    "clone",
    "expand",
    "expand_to",
    "flatten",
    "gather",
    "narrow",
    "part",
    "permute",
    "place",
    "reshape",
    "scatter_add",
    "select",
    "squeeze",
    "t",
    "transpose",
    "unbind",
    "unsqueeze",
    "unsqueeze_",
    "view",
    "wrap_dim",
    "wrap_dims",
]
