"""Views of parts: one slice, several, a diagonal, windows, any strided look into the memory.

The vjp of taking a part puts the gradient in its place, among zeros; that, in turn, takes it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import shape_text
from ..memory import Storage
from ..op import Op
from ..tensor import Tensor
from .copying import contiguous
from .shape import (
    reshape,
    view,
    wrap_dim,
)

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
    index, size = int(index), shape[dim]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {shape_text(shape)} at dimension "
            f"{dim}"
        )
    return _select(input, dim, index + size if index < 0 else index)


def slice_of(input: Tensor, dim: int, start: int, stop: int, step: int = 1) -> Tensor:
    """Return every ``step``-th slice from ``start`` up to but without ``stop``, as a view."""
    return _slice(input, dim, start, stop, step)


def narrow(input: Tensor, dim: int, start: int | Tensor, length: int) -> Tensor:
    """Return ``length`` slices from ``start`` on along ``dim``, as a view."""
    shape = input.array.shape
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    dim, start = wrap_dim(dim, len(shape)), int(start)
    size = shape[dim]
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


def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """Return a matrix with the elements of ``input``, flattened, as its diagonal."""
    return diag(view(contiguous(input), (-1,)), offset)


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
    if not shape:
        return reshape(input, (1,))
    return _unfold(input, dim, size, step)


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


__all__ = [
    "as_strided",
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal",
    "narrow",
    "select",
]
