"""Shapes and views: no element is computed, most look into the same memory.

A view's vjp puts the gradient where the view was taken from; its opposite is again a view.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ..dtypes import DType
from ..errors import shape_text
from ..inplace import bump, check_history
from ..memory import Storage
from ..modes import mode
from ..op import Op
from ..tensor import Tensor, new_tensor
from .copying import contiguous, copied

Shape: TypeAlias = "int | Sequence[int]"


def wrap_dim(dim: int, rank: int) -> int:
    """Return a dimension counted from the front; IndexError (PyTorch's words) if there is none."""
    span = rank or 1
    if not -span <= dim < span:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-span}, {span - 1}], "
            f"but got {dim})"
        )
    return dim + span if dim < 0 else dim


def wrap_dims(dims: int | Sequence[int], rank: int) -> tuple[int, ...]:
    """Return several dimensions counted from the front, each at most once."""
    given = (dims,) if isinstance(dims, int) else tuple(dims)
    wrapped = tuple([wrap_dim(dim, rank) for dim in given])
    for place, dim in enumerate(wrapped):
        if dim in wrapped[:place]:
            raise RuntimeError(f"dim {dim} appears multiple times in the list of dims")
    return wrapped if rank else ()


def sizes_of(given: Sequence[Any]) -> tuple[int, ...]:
    """Return a shape given as ints or as one sequence: ``(2, 3)`` or ``((2, 3),)``."""
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    return tuple([int(size) for size in given])


# Reshaping --------------------------------------------------------------------------------------

_view = Op(
    "ViewBackward0",
    lambda x, shape: x.reshape(shape, copy=False),
    view=True,
    x=lambda g, x_shape: g.reshape(x_shape),
)
# The same, where the elements do not lie in order: PyTorch gives it another name.
_reshape_alias = Op(
    "ReshapeAliasBackward0",
    lambda x, shape: x.reshape(shape, copy=False),
    view=True,
    x=lambda g, x_shape: g.reshape(x_shape),
)
_unsafe_view = Op(
    "UnsafeViewBackward0",
    lambda x, shape: x.reshape(shape),
    x=lambda g, x_shape: g.reshape(x_shape),
)
_view_as_dtype = Op("ViewBackward1", lambda x, kind: x.view(kind), view=True, x=None)


def _filled_shape(shape: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """Return the shape with a -1 worked out; RuntimeError if it does not hold ``numel`` elements."""
    known = 1
    for size in shape:
        known *= size if size != -1 else 1
    unknown = shape.count(-1)
    if unknown > 1:
        raise RuntimeError("only one dimension can be inferred")
    if any([size < -1 for size in shape]):
        raise RuntimeError(f"invalid shape dimension {min(shape)}")
    if unknown and not known and not numel:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {shape_text(shape)} because the "
            "unspecified dimension size -1 can be any value and is ambiguous"
        )
    if known != numel if not unknown else known == 0 or numel % known:
        raise RuntimeError(f"shape '{shape_text(shape)}' is invalid for input of size {numel}")
    return tuple([numel // known if size == -1 else size for size in shape])


def view(input: Tensor, shape: Sequence[Any]) -> Tensor:
    """Return a view in another shape; RuntimeError where the memory's order does not allow one."""
    target = _filled_shape(sizes_of(shape), input.array.size)
    try:
        return _view(input, target)
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        ) from None


def view_as_dtype(input: Tensor, dtype: DType) -> Tensor:
    """Return a view that reads the same bytes as another dtype; no gradient goes through it."""
    try:
        return _view_as_dtype(input, dtype.numpy)
    except ValueError:
        raise RuntimeError(
            f"self.size(-1) must be divisible by {dtype.itemsize // input.array.itemsize} to view "
            f"{input.dtype.legacy_name} as {dtype.legacy_name} (different element sizes), and the "
            "last dimension must lie in memory without gaps"
        ) from None


def reshape(input: Tensor, shape: Shape) -> Tensor:
    """Return the elements in another shape: a view where the memory allows it, else a copy."""
    target = _filled_shape(sizes_of((shape,)), input.array.size)
    if input.array.flags.c_contiguous:
        return _view(input, target)
    try:
        return _reshape_alias(input, target)
    except ValueError:
        return _unsafe_view(contiguous(input), target)


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


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """Return a view with one dimension made several, of these sizes (one may be -1)."""
    shape = input.array.shape
    dim = wrap_dim(dim, len(shape))
    if not len(sizes):
        raise RuntimeError("unflatten: sizes must be non-empty")
    try:
        filled = _filled_shape(tuple(sizes), shape[dim])
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {shape_text(sizes)} don't multiply up to the size of dim "
            f"{dim} ({shape[dim]}) in the input tensor"
        ) from None
    return view(input, (*shape[:dim], *filled, *shape[dim + 1 :]))


def ravel(input: Tensor) -> Tensor:
    """Return the elements in one row: a view where they lie in order, else a copy."""
    return view(contiguous(input), (-1,))


# Turning ----------------------------------------------------------------------------------------

_transpose = Op(
    "TransposeBackward0",
    lambda x, a, b: x.swapaxes(a, b) if x.ndim else x.view(),
    view=True,
    x=lambda g, a, b: g.swapaxes(a, b) if g.shape else g,
)
_t = Op("TBackward0", lambda x: x.T, view=True, x=lambda g: g.T)
_permute = Op(
    "PermuteBackward0",
    lambda x, dims: x.transpose(dims),
    view=True,
    x=lambda g, dims: permute(g, tuple([dims.index(i) for i in range(len(dims))])),
)


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Return a view with two dimensions swapped."""
    rank = input.array.ndim
    return _transpose(input, wrap_dim(dim0, rank), wrap_dim(dim1, rank))


swapaxes = swapdims = transpose


def t(input: Tensor) -> Tensor:
    """Return the transpose of a matrix, as a view; a vector stays as it is."""
    if input.array.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {input.array.ndim}D"
        )
    return _t(input)


def adjoint(input: Tensor) -> Tensor:
    """Return a view with the last two dimensions swapped (there are no complex numbers here)."""
    if input.array.ndim < 2:
        raise RuntimeError(
            "tensor.adjoint() is only supported on matrices or batches of matrices. Got "
            f"{input.array.ndim}-D tensor."
        )
    return transpose(input, -2, -1)


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


def movedim(input: Tensor, source: Shape, destination: Shape) -> Tensor:
    """Return a view with the dimensions of ``source`` moved to ``destination``."""
    rank = input.array.ndim
    sources, places = wrap_dims(source, rank), wrap_dims(destination, rank)
    if len(sources) != len(places):
        raise RuntimeError(
            "movedim: Invalid source or destination dims: source "
            f"({shape_text(sources)} dims) should contain the same number of dims as destination "
            f"({shape_text(places)} dims)"
        )
    at = dict(zip(places, sources, strict=True))
    others = iter([dim for dim in range(rank) if dim not in sources])
    return permute(input, [at[i] if i in at else next(others) for i in range(rank)])


moveaxis = movedim


def reversed_dims(input: Tensor) -> Tensor:
    """Return a view with all dimensions in reverse (``x.T``)."""
    rank = input.array.ndim
    if rank not in (0, 2):
        warnings.warn(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
            "deprecated and it will throw an error in a future release. Consider `x.mT` to transpose "
            "batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the "
            "dimensions of a tensor.".replace("torch.", "minigrad."),
            UserWarning,
            stacklevel=3,
        )
    return permute(input, tuple(range(rank))[::-1])


def matrix_transpose(input: Tensor, which: str) -> Tensor:
    """Return a view with the last two dimensions swapped: ``x.mT``, ``x.mH``, and ``x.H`` of a matrix."""
    rank = input.array.ndim
    if which == "H" and rank not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {rank}-D tensor. For batches of "
            "matrices, consider using tensor.mH"
        )
    if rank < 2 and which != "H":
        raise RuntimeError(
            f"tensor.{which} is only supported on matrices or batches of matrices. Got {rank}-D tensor."
        )
    return transpose(input, -2, -1) if rank else input


# Dimensions of size one -------------------------------------------------------------------------

_unsqueeze = Op(
    "UnsqueezeBackward0",
    lambda x, dim: x[(slice(None),) * dim + (None,)],
    view=True,
    x=lambda g, x_shape: g.reshape(x_shape),
)


def _squeeze_op(name: str) -> Op:
    return Op(
        name,
        lambda x, dims: x.squeeze(dims),
        view=True,
        x=lambda g, x_shape: g.reshape(x_shape),
    )


# PyTorch names the three ways of saying which dimensions: all, one, several.
_squeeze_all, _squeeze_one, _squeeze_some = map(
    _squeeze_op, ("SqueezeBackward0", "SqueezeBackward1", "SqueezeBackward2")
)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Return a view with a dimension of size one put in at ``dim``."""
    return _unsqueeze(input, wrap_dim(dim, input.array.ndim + 1))


def _ones(shape: tuple[int, ...], dim: int | Sequence[int] | None) -> tuple[int, ...]:
    """Return those of the dimensions named (all, for None) that have size one."""
    dims = range(len(shape)) if dim is None else wrap_dims(dim, len(shape))
    return tuple([i for i in dims if shape[i] == 1])


def squeeze(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Return a view without the dimensions of size one (or without those of ``dim`` that are)."""
    operation = (
        _squeeze_all if dim is None else _squeeze_one if isinstance(dim, int) else _squeeze_some
    )
    return operation(input, _ones(input.array.shape, dim))


def atleast_1d(*tensors: Any) -> Any:
    """Return each tensor with at least one dimension."""
    return _at_least(tensors, lambda x: x if x.ndim else reshape(x, (1,)))


def atleast_2d(*tensors: Any) -> Any:
    """Return each tensor with at least two dimensions: a vector becomes a row."""

    def two(x: Tensor) -> Tensor:
        return reshape(x, (1, 1)) if not x.ndim else unsqueeze(x, 0) if x.ndim == 1 else x

    return _at_least(tensors, two)


def atleast_3d(*tensors: Any) -> Any:
    """Return each tensor with at least three dimensions."""

    def three(x: Tensor) -> Tensor:
        if x.ndim == 0:
            return reshape(x, (1, 1, 1))
        if x.ndim == 1:
            return unsqueeze(unsqueeze(x, 0), -1)
        return unsqueeze(x, -1) if x.ndim == 2 else x

    return _at_least(tensors, three)


def _at_least(tensors: tuple[Any, ...], raised: Any) -> Any:
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return raised(tensors[0])
    return tuple([raised(each) for each in sizes_free(tensors)])


def sizes_free(tensors: Sequence[Any]) -> Sequence[Tensor]:
    """Return tensors given one by one or as one sequence."""
    return tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors


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


def expand(input: Tensor, sizes: Sequence[Any]) -> Tensor:
    """Return a view stretched to ``sizes``; -1 keeps a size. Nothing is copied."""
    wanted, have = sizes_of(sizes), input.array.shape
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
    return expand_to(input, tuple(shape))


def broadcast_to(input: Tensor, size: Shape) -> Tensor:
    """Return a view stretched to ``size``; nothing is copied."""
    return expand(input, (size,))


def broadcast_shapes(*shapes: Shape) -> Any:
    """Return the shape that tensors of these shapes have when stretched to fit each other."""
    from ..tensor import Size

    sized = [(each,) if isinstance(each, int) else tuple(each) for each in shapes]
    try:
        return Size(np.broadcast_shapes(*sized))
    except ValueError:
        raise RuntimeError(
            "Shape mismatch: objects cannot be broadcast to a single shape: "
            + " and ".join(shape_text(each) for each in sized)
        ) from None


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Return views of the tensors, all stretched to their common shape."""
    given = sizes_free(tensors)
    try:
        shape = np.broadcast_shapes(*[each.array.shape for each in given])
    except ValueError as error:
        from ..errors import does_not_fit

        raise does_not_fit([each.array for each in given], error) from None
    return tuple([expand(each, shape) for each in given])


# Taking parts -----------------------------------------------------------------------------------


def at(dim: int, item: Any) -> tuple[Any, ...]:
    """Return the index that takes ``item`` along ``dim``."""
    return (*(slice(None),) * dim, item, ...)


def _place(x: Any, index: Any, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, x.dtype)
    out[index] = x
    return out


# Zeros, with the part put in its place: the vjp of taking a part, which in turn takes it.
place = Op("PlaceBackward0", _place, x=lambda g, index: part(g, index))
part: Op = Op(
    "PartBackward0",
    lambda x, index: x[index],
    view=True,
    x=lambda g, index, x_shape: place(g, index, x_shape),
)
_select = Op(
    "SelectBackward0",
    lambda x, dim, i: x[at(dim, i)],
    view=True,
    x=lambda g, dim, i, x_shape: place(g, at(dim, i), x_shape),
)
_slice = Op(
    "SliceBackward0",
    lambda x, dim, start, stop, step: x[at(dim, slice(start, stop, step))],
    view=True,
    x=lambda g, dim, start, stop, step, x_shape: place(
        g, at(dim, slice(start, stop, step)), x_shape
    ),
)
alias = Op("AliasBackward0", lambda x: x.view(), view=True, x=lambda g: g)


def wrap_index(i: int, dim: int, size: int) -> int:
    """Return an index counted from the front; IndexError (PyTorch's words) if it is outside."""
    if not -size <= i < size:
        raise IndexError(f"index {i} is out of bounds for dimension {dim} with size {size}")
    return i + size if i < 0 else i


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Return the slice at ``index`` along ``dim``, as a view without that dimension."""
    shape = input.array.shape
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, len(shape))
    return _select(input, dim, wrap_index(int(index), dim, shape[dim]))


def slice_of(input: Tensor, dim: int, start: int, stop: int, step: int = 1) -> Tensor:
    """Return every ``step``-th slice from ``start`` up to but without ``stop``, as a view."""
    return _slice(input, dim, start, stop, step)


def narrow(input: Tensor, dim: int, start: int | Tensor, length: int) -> Tensor:
    """Return ``length`` slices from ``start`` on along ``dim``, as a view."""
    shape = input.array.shape
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    dim, start = wrap_dim(dim, len(shape)), int(start)
    size = shape[dim]
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    start += size if start < 0 else 0
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return _slice(input, dim, start, start + length, 1)


# Diagonals, windows and strides -----------------------------------------------------------------


def _diagonal_of(x: Any, offset: int, dim1: int, dim2: int) -> Any:
    x = np.moveaxis(x, (dim1, dim2), (-2, -1))
    rows = x[..., max(-offset, 0) :, max(offset, 0) :]
    length = min(rows.shape[-2:])
    return np.einsum("...ii->...i", rows[..., :length, :length])


def _place_diagonal(x: Any, offset: int, dim1: int, dim2: int, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, x.dtype)
    _diagonal_of(out, offset, dim1, dim2)[...] = x
    return out


_diagonal = Op(
    "DiagonalBackward0",
    _diagonal_of,
    view=True,
    x=lambda g, offset, dim1, dim2, x_shape: _diagonal_placed(g, offset, dim1, dim2, x_shape),
)
_diagonal_placed: Op = Op(
    "DiagonalBackwardBackward0",
    _place_diagonal,
    x=lambda g, offset, dim1, dim2: _diagonal(g, offset, dim1, dim2),
)
_diagonal_copy = Op(
    "DiagonalBackward0_copy",
    lambda x, offset: _diagonal_of(x, offset, 0, 1).copy(),
    x=lambda g, offset, x_shape: _diagonal_placed(g, offset, 0, 1, x_shape),
)
_diag_embed = Op(
    "DiagEmbedBackward0",
    _place_diagonal,
    x=lambda g, offset, dim1, dim2: _diagonal(g, offset, dim1, dim2),
)
_unfold = Op(
    "UnfoldBackward0",
    lambda x, dim, size, step: np.lib.stride_tricks.sliding_window_view(
        x, size, dim, writeable=x.flags.writeable
    )[at(dim, slice(None, None, step))],
    view=True,
    x=lambda g, dim, size, step, x_shape: _folded(g, dim, size, step, x_shape),
)


def _fold(x: Any, dim: int, size: int, step: int, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, x.dtype)
    reach = (x.shape[dim] - 1) * step + 1
    for k in range(size):
        out[at(dim, slice(k, k + reach, step))] += x[..., k]
    return out


# Zeros, with each window added where it was taken; its opposite takes the windows again.
_folded: Op = Op(
    "UnfoldBackwardBackward0", _fold, x=lambda g, dim, size, step: _unfold(g, dim, size, step)
)


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return the diagonal of each matrix that ``dim1`` and ``dim2`` span, as a view."""
    rank = input.array.ndim
    first, second = wrap_dim(dim1, rank), wrap_dim(dim2, rank)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return _diagonal(input, offset, first, second)


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return a matrix with the vector ``input`` as its diagonal; or the diagonal of a matrix."""
    if input.array.ndim == 1:
        return diag_embed(input, diagonal)
    if input.array.ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.array.ndim}D")
    return _diagonal_copy(input, diagonal)


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Return matrices that have the vectors of the last dimension as their diagonals."""
    shape = input.array.shape
    rank = len(shape) + 1
    first, second = wrap_dim(dim1, rank), wrap_dim(dim2, rank)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    side = shape[-1] + abs(offset)
    others = iter(shape[:-1])
    full = tuple([side if i in (first, second) else next(others) for i in range(rank)])
    return _diag_embed(input, offset, first, second, full)


def unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Return the windows of ``size`` along a dimension, ``step`` apart, as a last dimension (view)."""
    shape = input.array.shape
    dim = wrap_dim(dimension, len(shape))
    length = shape[dim] if shape else 1
    if size > length:
        raise RuntimeError(
            f"maximum size for tensor at dimension {dim} is {length} but size is {size}"
        )
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return _unfold(input if shape else reshape(input, (1,)), dim, size, step)


def _strided(x: Any, size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
    """Return a look into the whole memory of ``x``, with steps and offset counted in elements."""
    cells = Storage(x).cells()
    needed = offset + 1 + sum([(n - 1) * step for n, step in zip(size, stride, strict=True)])
    if 0 not in size and needed > cells.size:
        raise RuntimeError(
            f"setStorage: sizes {shape_text(size)}, strides {shape_text(stride)}, storage offset "
            f"{offset}, and itemsize {x.itemsize} requiring a storage size of {needed * x.itemsize} "
            f"are out of bounds for storage of size {cells.nbytes}"
        )
    return np.lib.stride_tricks.as_strided(
        cells[offset:], size, [step * x.itemsize for step in stride]
    )


def _take_strided(x: Any, size: Any, stride: Any, offset: int, geometry: Any) -> Any:
    """Return what a strided look takes, from a tensor that has only the shape of the one it took from.

    ``geometry`` is shape, strides, offset and number of cells of that one's memory.
    """
    shape, steps, start, cells = geometry
    buffer = np.zeros(cells, x.dtype)
    _strided(buffer, shape, steps, start)[...] = x
    return _strided(buffer, size, stride, offset).copy()


def _put_strided(x: Any, size: Any, stride: Any, offset: int, geometry: Any) -> Any:
    """Return zeros, with each element added where a strided look took it from."""
    shape, steps, start, cells = geometry
    buffer = np.zeros(cells, x.dtype)
    np.add.at(buffer, _strided(np.arange(cells), size, stride, offset), x)
    return _strided(buffer, shape, steps, start).copy()


_as_strided = Op(
    "AsStridedBackward0",
    lambda x, size, stride, offset, geometry: _strided(x, size, stride, offset),
    view=True,
    x=lambda g, size, stride, offset, geometry: _strided_put(g, size, stride, offset, geometry),
)
_strided_put: Op = Op(
    "AsStridedScatterBackward0",
    _put_strided,
    x=lambda g, size, stride, offset, geometry: _strided_taken(g, size, stride, offset, geometry),
)
_strided_taken: Op = Op(
    "AsStridedBackward0",
    _take_strided,
    x=lambda g, size, stride, offset, geometry: _strided_put(g, size, stride, offset, geometry),
)


def as_strided(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Return a view into the tensor's whole storage, by sizes, strides and offset in elements."""
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any([step < 0 for step in stride]):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: "
            f"{shape_text(stride)}"
        )
    start = input.storage_offset()
    geometry = (input.array.shape, input.stride(), start, input.storage.array.size)
    offset = start if storage_offset is None else storage_offset
    return _as_strided(input, tuple(size), tuple(stride), offset, geometry)


# Copies in another order ------------------------------------------------------------------------

_flip: Op = Op(
    "FlipBackward0", lambda x, dims: np.flip(x, dims).copy(), x=lambda g, dims: _flip(g, dims)
)
_roll: Op = Op(
    "RollBackward0",
    lambda x, shifts, dims: np.roll(x, shifts, dims),
    x=lambda g, shifts, dims: _roll(g, _back(shifts), dims),
)
_rot90: Op = Op(
    "Rot90Backward0",
    lambda x, k, dims: np.rot90(x, k, dims).copy(order="K"),
    x=lambda g, k, dims: _rot90(g, -k, dims),
)
_tril: Op = Op(
    "TrilBackward0",
    lambda x, diagonal: np.tril(x, diagonal),
    x=lambda g, diagonal: _tril(g, diagonal),
)
_triu: Op = Op(
    "TriuBackward0",
    lambda x, diagonal: np.triu(x, diagonal),
    x=lambda g, diagonal: _triu(g, diagonal),
)
_repeat = Op(
    "RepeatBackward0",
    lambda x, repeats: np.tile(x, repeats),
    x=lambda g, repeats, x_shape: _summed_repeats(g, repeats, x_shape),
)


def _back(shifts: Any) -> Any:
    return -shifts if isinstance(shifts, int) else tuple([-each for each in shifts])


def _summed_repeats(g: Any, repeats: tuple[int, ...], x_shape: Sequence[int]) -> Any:
    """Add up the gradients of the copies: seen as (copy, element) in each dimension."""
    sizes = (1,) * (len(repeats) - len(x_shape)) + tuple(x_shape)
    paired = [n for pair in zip(repeats, sizes, strict=True) for n in pair]
    return g.reshape(tuple(paired)).sum(axis=tuple(range(0, len(paired), 2))).reshape(x_shape)


def flip(input: Tensor, dims: Shape) -> Tensor:
    """Return a copy with the order reversed along ``dims``."""
    return _flip(input, wrap_dims(dims, input.array.ndim))


def fliplr(input: Tensor) -> Tensor:
    """Return a copy with the columns in reverse order."""
    return flip(input, 1)


def flipud(input: Tensor) -> Tensor:
    """Return a copy with the rows in reverse order."""
    return flip(input, 0)


def roll(input: Tensor, shifts: Shape, dims: Shape | None = None) -> Tensor:
    """Return a copy shifted along ``dims`` (along the flattened tensor without them), round the end."""
    if dims is None or dims == ():
        return _roll(input, shifts if isinstance(shifts, int) else shifts[0], None)
    wrapped = wrap_dims(dims, input.array.ndim)
    by = (shifts,) if isinstance(shifts, int) else tuple(shifts)
    if len(by) != len(wrapped):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(by)}, dims:{len(wrapped)}"
        )
    return _roll(input, by, wrapped)


def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Return a copy turned by ``k`` quarters in the plane of ``dims``."""
    return _rot90(input, k, wrap_dims(dims, input.array.ndim))


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return the lower triangle of each matrix, with zeros above; ``diagonal`` shifts the border."""
    _check_matrix(input, "tril")
    return _tril(input, diagonal)


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return the upper triangle of each matrix, with zeros below; ``diagonal`` shifts the border."""
    _check_matrix(input, "triu")
    return _triu(input, diagonal)


def _check_matrix(input: Tensor, function: str) -> None:
    if input.array.ndim < 2:
        raise RuntimeError(f"{function}: input tensor must have at least 2 dimensions")


def repeat(input: Tensor, repeats: Sequence[Any]) -> Tensor:
    """Return the tensor copied so many times along each dimension."""
    times = sizes_of(repeats)
    if len(times) < input.array.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            f"tensor: got {len(times)} for a tensor of {input.array.ndim}"
        )
    if any([n < 0 for n in times]):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(times)}")
    return _repeat(input, times)


def tile(input: Tensor, dims: Shape) -> Tensor:
    """Return the tensor copied along its last dimensions: ``repeat`` with missing counts as 1."""
    times = sizes_of((dims,))
    return repeat(input, (1,) * (input.array.ndim - len(times)) + times)


def repeat_interleave(
    input: Tensor, repeats: int | Tensor, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Return a copy with each element (or slice along ``dim``) repeated in its place.

    ``repeats`` is one count, or a tensor with a count for each.
    """
    if dim is None:
        input, dim = reshape(input, (-1,)), 0
    dim = wrap_dim(dim, input.array.ndim)
    if isinstance(repeats, Tensor) and repeats.array.size == 1:
        repeats = int(repeats.array.item())
    if isinstance(repeats, Tensor):
        from .indexing import index_select

        places = np.repeat(np.arange(input.array.shape[dim]), repeats.array)
        return index_select(input, dim, new_tensor(places))
    if repeats < 0:
        raise RuntimeError("repeats cannot be negative")
    shape = input.array.shape
    stretched = unsqueeze(input, dim + 1)
    stretched = expand(stretched, (*shape[: dim + 1], repeats, *shape[dim + 1 :]))
    return view(copied(stretched), (*shape[:dim], shape[dim] * repeats, *shape[dim + 1 :]))


# In place ---------------------------------------------------------------------------------------
# These change only how a tensor looks at its memory, not what lies there.


def _turned(name: str, target: Tensor, operation: Op, *args: Any) -> Tensor:
    """Let the tensor look at its memory as the view ``operation(target, *args)`` does."""
    if mode.enabled and operation.needs((target,)):
        check_history(target)
    seen = operation(target, *args)
    target.array = seen.array
    target._grad_fn, target._output_nr = seen._grad_fn, seen._output_nr
    target._requires_grad = seen._requires_grad
    if target._view is not None:
        target._view = seen._view
    bump(target, name)
    if target._view is not None:
        target._view.version = target._version
    return target


# What they are called in the graph differs from the views of the same kind.
_transpose_in_place = Op(
    "TransposeBackward1",
    _transpose.forward,
    view=True,
    x=lambda g, a, b: g.swapaxes(a, b) if g.shape else g,
)
_t_in_place = Op("TBackward1", _t.forward, view=True, x=lambda g: g.T)
_unsqueeze_in_place = Op(
    "UnsqueezeBackward1", _unsqueeze.forward, view=True, x=lambda g, x_shape: g.reshape(x_shape)
)
_squeeze_all_in_place, _squeeze_one_in_place, _squeeze_some_in_place = map(
    _squeeze_op, ("SqueezeBackward3", "SqueezeBackward4", "SqueezeBackward5")
)


def transpose_(target: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two dimensions of this very tensor: the memory stays as it is."""
    rank = target.array.ndim
    return _turned(
        "transpose_", target, _transpose_in_place, wrap_dim(dim0, rank), wrap_dim(dim1, rank)
    )


swapaxes_ = swapdims_ = transpose_


def t_(target: Tensor) -> Tensor:
    """Transpose this very matrix: the memory stays as it is."""
    if target.array.ndim > 2:
        raise RuntimeError(
            f"t_() expects a tensor with <= 2 dimensions, but self is {target.array.ndim}D"
        )
    return _turned("t_", target, _t_in_place)


def unsqueeze_(target: Tensor, dim: int) -> Tensor:
    """Put in a dimension of size one at ``dim``, in this very tensor."""
    return _turned("unsqueeze_", target, _unsqueeze_in_place, wrap_dim(dim, target.array.ndim + 1))


def squeeze_(target: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Take out the dimensions of size one (or those of ``dim`` that are), in this very tensor."""
    operation = (
        _squeeze_all_in_place
        if dim is None
        else _squeeze_one_in_place
        if isinstance(dim, int)
        else _squeeze_some_in_place
    )
    return _turned("squeeze_", target, operation, _ones(target.array.shape, dim))


__all__ = [
    "adjoint",
    "as_strided",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "diag",
    "diag_embed",
    "diagonal",
    "flatten",
    "flip",
    "fliplr",
    "flipud",
    "moveaxis",
    "movedim",
    "narrow",
    "permute",
    "ravel",
    "repeat_interleave",
    "reshape",
    "roll",
    "rot90",
    "select",
    "squeeze",
    "swapaxes",
    "swapdims",
    "t",
    "tile",
    "transpose",
    "tril",
    "triu",
    "unflatten",
    "unsqueeze",
]
