"""Shapes and views: no element is computed, most look into the same memory.

A view's vjp puts the gradient where the view was taken from; its opposite is again a view.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ..dtypes import DType
from ..errors import does_not_fit, shape_text
from ..inplace import bump, check_history
from ..modes import mode
from ..op import Op
from ..tensor import Size, Tensor
from .copying import contiguous

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
    for size in given:
        if not hasattr(size, "__index__"):
            raise TypeError(
                f"argument 'shape' must be tuple of ints (or ints one by one), not {type(size).__name__}"
            )
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
_t = Op("TBackward0", lambda x: x.T, view=True, x=lambda g: _turned_back(g))


def _turned_back(g: Any) -> Any:
    return g.swapaxes(0, 1) if len(g.shape) == 2 else g


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
    order = tuple([wrap_dim(dim, rank) for dim in dims])
    if len(set(order)) != rank:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return _permute(input, order)


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
        raise does_not_fit([each.array for each in given], error) from None
    return tuple([expand(each, shape) for each in given])


# In place ---------------------------------------------------------------------------------------
# These change only how a tensor looks at its memory, not what lies there.


def _turned(
    name: str,
    target: Tensor,
    operation: Op,
    args: tuple[Any, ...],
    undo: tuple[Op, tuple[Any, ...]],
) -> Tensor:
    """Let the tensor look at its memory as the view ``operation(target, *args)`` does.

    Views that were taken of it before remember, with ``undo``, what it looked like then.
    """
    if mode.enabled and operation.needs((target,)):
        check_history(target)
    seen = operation(target, *args)
    target.array = seen.array
    target._grad_fn, target._output_nr = seen._grad_fn, seen._output_nr
    target._requires_grad = seen._requires_grad
    bump(target, name)
    if target._view is None:
        target._turns = (*target._turns, undo)
    else:
        target._view = seen._view
        target._view.version = target._version
    return target


# What they are called in the graph differs from the views of the same kind.
_transpose_in_place = Op(
    "TransposeBackward1",
    _transpose.forward,
    view=True,
    x=lambda g, a, b: g.swapaxes(a, b) if g.shape else g,
)
_t_in_place = Op("TBackward1", _t.forward, view=True, x=_turned_back)
_unsqueeze_in_place = Op(
    "UnsqueezeBackward1", _unsqueeze.forward, view=True, x=lambda g, x_shape: g.reshape(x_shape)
)
_squeeze_all_in_place, _squeeze_one_in_place, _squeeze_some_in_place = map(
    _squeeze_op, ("SqueezeBackward3", "SqueezeBackward4", "SqueezeBackward5")
)


def transpose_(target: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two dimensions of this very tensor: the memory stays as it is."""
    rank = target.array.ndim
    dims = (wrap_dim(dim0, rank), wrap_dim(dim1, rank))
    return _turned("transpose_", target, _transpose_in_place, dims, (_transpose, dims))


swapaxes_ = swapdims_ = transpose_


def t_(target: Tensor) -> Tensor:
    """Transpose this very matrix: the memory stays as it is."""
    if target.array.ndim > 2:
        raise RuntimeError(
            f"t_() expects a tensor with <= 2 dimensions, but self is {target.array.ndim}D"
        )
    return _turned("t_", target, _t_in_place, (), (_t, ()))


def unsqueeze_(target: Tensor, dim: int) -> Tensor:
    """Put in a dimension of size one at ``dim``, in this very tensor."""
    shape = target.array.shape
    dims = (wrap_dim(dim, len(shape) + 1),)
    return _turned("unsqueeze_", target, _unsqueeze_in_place, dims, (_view, (shape,)))


def squeeze_(target: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Take out the dimensions of size one (or those of ``dim`` that are), in this very tensor."""
    operation = (
        _squeeze_all_in_place
        if dim is None
        else _squeeze_one_in_place
        if isinstance(dim, int)
        else _squeeze_some_in_place
    )
    shape = target.array.shape
    return _turned("squeeze_", target, operation, (_ones(shape, dim),), (_view, (shape,)))


__all__ = [
    "adjoint",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "flatten",
    "moveaxis",
    "movedim",
    "permute",
    "ravel",
    "reshape",
    "squeeze",
    "swapaxes",
    "swapdims",
    "t",
    "transpose",
    "unflatten",
    "unsqueeze",
]
