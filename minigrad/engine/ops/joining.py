"""Joining tensors, and splitting them: ``cat``, ``stack``, ``split`` and their relatives.

The gradient of a joined tensor is split; that of the parts is joined.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..dtypes import common_type
from ..errors import shape_text
from ..op import Named, Op
from ..tensor import Tensor
from .parts import at, part, place, slice_of
from .shape import atleast_1d, atleast_2d, atleast_3d, expand, reshape, view, wrap_dim
from .vjps import constant

# Joining ----------------------------------------------------------------------------------------


def _of_many(
    name: str, forward: Callable[..., Any], vjp: Callable[..., Any]
) -> Callable[[int], Op]:
    """Return a function that gives the operation for so many tensors.

    ``forward(arrays, dim)`` joins them; ``vjp(g, dim, sizes)`` returns a gradient for each.
    """

    @cache
    def operation(count: int) -> Op:
        names = tuple([f"tensor{i}" for i in range(count)])
        joined_forward = Named(
            lambda *args: forward(args[:count], args[count]), (*names, "dim", "sizes")
        )
        return Op(name, joined_forward, joint=vjp, inputs=names)

    return operation


_PASSED_OVER = (0,)


def _concatenated(arrays: Sequence[Any], dim: int) -> Any:
    kind = common_type(arrays).numpy
    full = [each for each in arrays if each.shape != _PASSED_OVER] or arrays[:1]
    return np.concatenate([each.astype(kind, copy=False) for each in full], dim)


def _stacked(arrays: Sequence[Any], dim: int) -> Any:
    kind = common_type(arrays).numpy
    return np.stack([each.astype(kind, copy=False) for each in arrays], dim)


def _cut(g: Any, dim: int, sizes: Sequence[int]) -> list[Any]:
    """Return the parts of ``g`` along ``dim`` that have these sizes; -1 is what was passed over."""
    parts, end = [], 0
    for size in sizes:
        if size < 0:
            parts.append(constant(np.zeros(_PASSED_OVER), g))
        else:
            parts.append(part(g, at(dim, slice(end, end + size))))
            end += size
    return parts


_cat = _of_many("CatBackward0", _concatenated, _cut)
_stack = _of_many(
    "StackBackward0",
    _stacked,
    lambda g, dim, sizes: [part(g, at(dim, i)) for i in range(len(sizes))],
)


def _in_blocks(arrays: Sequence[Any], dim: int) -> Any:
    kind = common_type(arrays).numpy
    blocks = [np.atleast_2d(each) for each in arrays]
    out = np.zeros(np.sum([each.shape for each in blocks], axis=0), kind)
    for each, index in zip(blocks, _blocks([each.shape for each in blocks]), strict=True):
        out[index] = each
    return out


def _blocks(shapes: Sequence[tuple[int, ...]]) -> list[tuple[slice, slice]]:
    """Return the places of blocks of these shapes along a diagonal; a vector is a row."""
    shapes = [(1,) * (2 - len(shape)) + shape for shape in shapes]
    ends = np.cumsum(shapes, axis=0).tolist()
    return [
        (slice(row - rows, row), slice(column - columns, column))
        for (row, column), (rows, columns) in zip(ends, shapes, strict=True)
    ]


_block_diag = _of_many(
    "BlockDiagBackward0",
    _in_blocks,
    lambda g, dim, sizes: [
        part(g, index).reshape(shape) for index, shape in zip(_blocks(sizes), sizes, strict=True)
    ],
)


def joined(parts: Sequence[Any], dim: int) -> Any:
    """Return arrays or tensors one after another along ``dim``: ``cat`` for vjps."""
    return cat(parts, dim) if isinstance(parts[0], Tensor) else np.concatenate(parts, dim)


def _sequence(tensors: Any, function: str) -> list[Tensor]:
    if isinstance(tensors, Tensor) or not isinstance(tensors, Sequence):
        raise TypeError(
            f"{function}(): argument 'tensors' (position 1) must be tuple of Tensors, not "
            f"{type(tensors).__name__}"
        )
    for i, each in enumerate(tensors):
        if not isinstance(each, Tensor):
            raise TypeError(
                f"expected Tensor as element {i} in argument 0, but got {type(each).__name__}"
            )
    return list(tensors)


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Return the tensors one after another along ``dim``; other sizes must agree, dtypes promote.

    Tensors of shape ``(0,)`` are passed over, as in PyTorch.
    """
    given = _sequence(tensors, "cat")
    if not given:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors".removeprefix("torch."))
    for i, each in enumerate(given):
        if not each.array.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    shapes = [each.array.shape for each in given]
    shape = next((each for each in shapes if each != _PASSED_OVER), _PASSED_OVER)
    dim = wrap_dim(dim, len(shape))
    sizes = []
    for i, its in enumerate(shapes):
        if its == _PASSED_OVER:
            sizes.append(-1)
        else:
            _check_joins(shape, its, dim, i)
            sizes.append(its[dim])
    return _cat(len(given))(*given, dim, tuple(sizes))


def _check_joins(shape: tuple[int, ...], other: tuple[int, ...], dim: int, place: int) -> None:
    if len(other) != len(shape):
        raise RuntimeError(
            f"Tensors must have same number of dimensions: got {len(shape)} and {len(other)}"
        )
    for i, (size, its) in enumerate(zip(shape, other, strict=True)):
        if i != dim and size != its:
            raise RuntimeError(
                f"Sizes of tensors must match except in dimension {dim}. Expected size {size} but "
                f"got size {its} for tensor number {place} in the list."
            )


concat = concatenate = cat


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Return tensors of one shape side by side, along a new dimension ``dim``."""
    given = _sequence(tensors, "stack")
    if not given:
        raise RuntimeError("stack expects a non-empty TensorList")
    shape = given[0].array.shape
    for i, each in enumerate(given):
        if each.array.shape != shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {shape_text(shape)} at entry 0 "
                f"and {shape_text(each.array.shape)} at entry {i}"
            )
    return _stack(len(given))(*given, wrap_dim(dim, len(shape) + 1), (1,) * len(given))


def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Return the tensors joined along the columns (vectors: end to end)."""
    given = atleast_1d(*_sequence(tensors, "hstack"))
    given = given if isinstance(given, tuple) else (given,)
    return cat(given, 0 if given[0].array.ndim == 1 else 1)


def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """Return the tensors joined along the rows (vectors: each a row)."""
    return cat([atleast_2d(each) for each in _sequence(tensors, "vstack")], 0)


def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Return the tensors joined along the third dimension."""
    return cat([atleast_3d(each) for each in _sequence(tensors, "dstack")], 2)


def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Return the tensors joined along the columns; vectors are columns."""
    given = _sequence(tensors, "column_stack")
    return hstack(
        [reshape(each, (each.numel(), 1)) if each.array.ndim <= 1 else each for each in given]
    )


row_stack = vstack

# Splitting --------------------------------------------------------------------------------------


def _joined_back(gs: Sequence[Any], sizes: Sequence[int], dim: int, x_shape: Any) -> Any:
    """Put the gradients of parts along ``dim`` together; a missing one is zero."""
    total: Any = None
    end = 0
    for g, size in zip(gs, sizes, strict=True):
        end += size
        if g is not None:
            piece = place(g, at(dim, slice(end - size, end)), x_shape)
            total = piece if total is None else total + piece
    return total


def _slices_back(gs: Sequence[Any], dim: int, x_shape: Any) -> Any:
    total: Any = None
    for i, g in enumerate(gs):
        if g is not None:
            piece = place(g, at(dim, i), x_shape)
            total = piece if total is None else total + piece
    return total


def _parts(x: Any, sizes: Sequence[int], dim: int) -> tuple[Any, ...]:
    ends = np.cumsum(sizes).tolist()
    return tuple(
        [x[at(dim, slice(end - size, end))] for end, size in zip(ends, sizes, strict=True)]
    )


_split = Op("SplitBackward0", _parts, outputs=0, view=True, x=_joined_back)
_split_with_sizes = Op("SplitWithSizesBackward0", _parts, outputs=0, view=True, x=_joined_back)
_unbind = Op(
    "UnbindBackward0",
    lambda x, dim: tuple([x[at(dim, i)] for i in range(x.shape[dim])]),
    outputs=0,
    view=True,
    x=_slices_back,
)


def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Return views of the tensor's parts along ``dim``: of one size (the last may be smaller), or sizes.

    They are made all at once, and refuse in-place writes while operations are recorded.
    """
    shape = tensor.array.shape
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    dim = wrap_dim(dim, len(shape))
    if isinstance(split_size_or_sections, int):
        return _split(tensor, _even_parts(shape[dim], split_size_or_sections), dim)
    sizes = tuple([int(size) for size in split_size_or_sections])
    if any([size < 0 for size in sizes]):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            f"split_sizes={shape_text(sizes)}"
        )
    total = 0
    for size in sizes:
        total += size
    if total != shape[dim]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {shape[dim]} (input tensor's "
            f"size at dimension {dim}), but got split_sizes={shape_text(sizes)}"
        )
    return _split_with_sizes(tensor, sizes, dim)


def split_with_sizes(tensor: Tensor, split_sizes: Sequence[int], dim: int = 0) -> Any:
    """Return views of the tensor's parts along ``dim`` of these sizes; see ``split``."""
    return split(tensor, tuple(split_sizes), dim)


def _even_parts(length: int, size: int) -> tuple[int, ...]:
    if size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    if size == 0:
        if length:
            raise RuntimeError(
                "split_size can only be 0 if dimension size is 0, but got dimension size of "
                f"{length}"
            )
        return (0,)
    return tuple([min(size, length - start) for start in range(0, length, size)]) or (0,)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return views of (at most) so many parts along ``dim``, equal but for the last."""
    if not input.array.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    dim = wrap_dim(dim, input.array.ndim)
    size = -(-input.array.shape[dim] // chunks)
    if not size:
        return split(input, (0,) * chunks, dim)
    return split(input, size, dim)


def tensor_split(
    input: Tensor, indices_or_sections: int | Sequence[int] | Tensor, dim: int = 0
) -> tuple[Tensor, ...]:
    """Return views of so many parts along ``dim``, as equal as can be, or cut at these indices."""
    if not input.array.ndim:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    dim = wrap_dim(dim, input.array.ndim)
    length = input.array.shape[dim]
    if isinstance(indices_or_sections, Tensor):
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, int):
        count = indices_or_sections
        if count <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {count}")
        small, larger = divmod(length, count)
        cuts = [i * small + min(i, larger) for i in range(1, count)]
    else:
        cuts = [slice(None, cut).indices(length)[1] for cut in indices_or_sections]
    starts, ends = [0, *cuts], [*cuts, length]
    return tuple(
        [
            slice_of(input, dim, start, max(start, end))
            for start, end in zip(starts, ends, strict=True)
        ]
    )


def hsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Return views of equal parts, or cut at these indices, along the columns."""
    return _equal_parts(input, indices_or_sections, 0 if input.array.ndim == 1 else 1, "hsplit", 1)


def vsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Return views of equal parts, or cut at these indices, along the rows."""
    return _equal_parts(input, indices_or_sections, 0, "vsplit", 2)


def dsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Return views of equal parts, or cut at these indices, along the third dimension."""
    return _equal_parts(input, indices_or_sections, 2, "dsplit", 3)


def _equal_parts(
    input: Tensor, sections: int | Sequence[int], dim: int, function: str, rank: int
) -> tuple[Tensor, ...]:
    shape = input.array.shape
    if len(shape) < rank:
        raise RuntimeError(
            f"torch.{function} requires a tensor with at least {rank} dimension"
            f"{'s' if rank > 1 else ''}, but got a tensor with {len(shape)} dimensions!"
        )
    if isinstance(sections, int) and shape[dim] % sections:
        raise RuntimeError(
            f"torch.{function} attempted to split along dimension {dim}, but the size of the "
            f"dimension {shape[dim]} is not divisible by the split_size {sections}!"
        )
    return tensor_split(input, sections, dim)


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along ``dim``, all at once; they refuse in-place writes while recorded."""
    if not input.array.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    dim = wrap_dim(dim, input.array.ndim)
    return _unbind(input, dim) if input.array.shape[dim] else ()


# Grids ------------------------------------------------------------------------------------------


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Return a grid's coordinates from vectors of them, as stretched views: one for each vector.

    ``indexing="ij"`` puts the first vector along the rows, ``"xy"`` along the columns.
    """
    given = tensors[0] if len(tensors) == 1 and not isinstance(tensors[0], Tensor) else tensors
    vectors = _sequence(list(given), "meshgrid")
    if not vectors:
        raise ValueError("meshgrid expects a non-empty TensorList")
    for each in vectors:
        if each.array.ndim > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {each!r}"
            )
    if indexing is None:
        warnings.warn(
            "meshgrid: in an upcoming release, it will be required to pass the indexing argument.",
            UserWarning,
            stacklevel=2,
        )
        indexing = "ij"
    if indexing not in ("ij", "xy"):
        raise RuntimeError(
            'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + indexing
        )
    swapped = indexing == "xy" and len(vectors) >= 2
    if swapped:
        vectors = [vectors[1], vectors[0], *vectors[2:]]
    shape = tuple([each.numel() for each in vectors])
    grids = []
    for i, each in enumerate(vectors):
        place_of = [1] * len(shape)
        place_of[i] = shape[i]
        grids.append(expand(view(each, place_of), shape))
    if swapped:
        grids = [grids[1], grids[0], *grids[2:]]
    return tuple(grids)


def block_diag(*tensors: Tensor) -> Tensor:
    """Return a matrix with the tensors as blocks along its diagonal, and zeros beside them."""
    if not tensors:
        raise RuntimeError("torch.block_diag: Input tensors must have 2 or fewer dimensions")
    blocks = _sequence(tensors, "block_diag")
    shapes = tuple([each.array.shape for each in blocks])
    for i, shape in enumerate(shapes):
        if len(shape) > 2:
            raise RuntimeError(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. "
                f"Input {i} has {len(shape)} dimensions"
            )
    return _block_diag(len(blocks))(*blocks, 0, shapes)


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """Return every combination of one element from each vector, a row each."""
    if len(tensors) == 1:
        return tensors[0]
    grids = meshgrid(*tensors, indexing="ij")
    return stack([reshape(each, (-1,)) for each in grids], 1)


__all__ = [
    "block_diag",
    "cartesian_prod",
    "cat",
    "chunk",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "meshgrid",
    "row_stack",
    "split",
    "split_with_sizes",
    "stack",
    "tensor_split",
    "unbind",
    "vsplit",
    "vstack",
]
