"""The elements in another order, or repeated: copies, not views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..inplace import write
from ..op import Op
from ..tensor import Tensor, new_tensor
from .copying import copied
from .gathering import index_select
from .shape import (
    Shape,
    expand,
    reshape,
    sizes_of,
    unsqueeze,
    view,
    wrap_dim,
    wrap_dims,
)

_flip: Op = Op(
    "FlipBackward0",
    lambda x, dims: np.flip(x, dims).copy(order="K"),
    x=lambda g, dims: _flip(g, dims),
)
_roll: Op = Op(
    "RollBackward0",
    lambda x, shifts, dims: np.roll(x, shifts, dims).copy(order="C"),
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
    if input.array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, 1)


def flipud(input: Tensor) -> Tensor:
    """Return a copy with the rows in reverse order."""
    if input.array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, 0)


def roll(input: Tensor, shifts: Shape, dims: Shape | None = None) -> Tensor:
    """Return a copy shifted along ``dims`` (along the flattened tensor without them), round the end."""
    if dims is None or dims == ():
        return _roll(input, shifts if isinstance(shifts, int) else shifts[0], None)
    if not input.array.size:
        return copied(input)
    if not input.array.ndim:
        raise IndexError(f"Dimension specified as {dims} but tensor has no dimensions")
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


def tril_(target: Tensor, diagonal: int = 0) -> Tensor:
    """Set what is above the diagonal of each matrix to 0, in this tensor's own memory."""
    _check_matrix(target, "tril_")
    return write("tril_", target, _tril, diagonal)


def triu_(target: Tensor, diagonal: int = 0) -> Tensor:
    """Set what is below the diagonal of each matrix to 0, in this tensor's own memory."""
    _check_matrix(target, "triu_")
    return write("triu_", target, _triu, diagonal)


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
        places = np.repeat(np.arange(input.array.shape[dim]), repeats.array)
        return index_select(input, dim, new_tensor(places))
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = input.array.shape
    stretched = unsqueeze(input, dim + 1)
    stretched = expand(stretched, (*shape[: dim + 1], repeats, *shape[dim + 1 :]))
    return view(copied(stretched), (*shape[:dim], shape[dim] * repeats, *shape[dim + 1 :]))


__all__ = [
    "flip",
    "fliplr",
    "flipud",
    "repeat_interleave",
    "roll",
    "rot90",
    "tile",
    "tril",
    "triu",
]
