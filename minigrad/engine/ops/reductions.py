"""Reductions: many elements to few. Going back, a gradient is stretched over what was reduced."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..dtypes import dtype, int64
from ..op import Op
from ..tensor import Tensor, new_tensor
from .elementwise import exp, to, where
from .shape import expand_to, gather, scatter_add, wrap_dim, wrap_dims

Dims = tuple[int, ...]


def _kept(shape: tuple[int, ...], dims: Dims) -> tuple[int, ...]:
    """Return the shape with the reduced dimensions kept as size one."""
    return tuple([1 if i in dims else size for i, size in enumerate(shape)])


def _stretched(g: Any, x_shape: tuple[int, ...], dims: Dims, keepdim: bool) -> Any:
    """Stretch the gradient of a reduction back over the dimensions that were reduced."""
    if not keepdim:
        g = g.reshape(_kept(x_shape, dims))
    return expand_to(g, x_shape)


def _count(shape: tuple[int, ...], dims: Dims) -> int:
    count = 1
    for dim in dims:
        count *= shape[dim]
    return count


# Sums and means ---------------------------------------------------------------------------------

_sum_all = Op(
    "SumBackward0",
    lambda x: np.add.reduce(x, axis=None),
    x=lambda g, x_shape: expand_to(g, x_shape),
)
_sum = Op(
    "SumBackward1",
    lambda x, dims, keepdim: np.add.reduce(x, axis=dims, keepdims=keepdim),
    x=_stretched,
)
_mean_all = Op(
    "MeanBackward0",
    lambda x: np.add.reduce(x, axis=None) / x.dtype.type(x.size),
    x=lambda g, x_shape: expand_to(g, x_shape) / _count(x_shape, tuple(range(len(x_shape)))),
)
_mean = Op(
    "MeanBackward1",
    lambda x, dims, keepdim: np.add.reduce(x, axis=dims, keepdims=keepdim)
    / x.dtype.type(_count(x.shape, dims)),
    x=lambda g, x_shape, dims, keepdim: (
        _stretched(g, x_shape, dims, keepdim) / _count(x_shape, dims)
    ),
)


def sum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: dtype | None = None
) -> Tensor:
    """Return the sum of all elements, or along ``dim`` (an int or several).

    Sums of bools and of narrow integers are int64, as in PyTorch.
    """
    if dtype is None and input.array.dtype.kind in "biu":
        dtype = int64
    if dtype is not None:
        input = to(input, dtype)
    rank = input.array.ndim
    if dim is None or (not isinstance(dim, int) and len(dim) == 0):
        if not keepdim:
            return _sum_all(input)  # type: ignore[no-any-return]
        dim = tuple(range(rank))
    return _sum(input, wrap_dims(dim, rank), keepdim)  # type: ignore[no-any-return]


def mean(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: dtype | None = None
) -> Tensor:
    """Return the mean of all elements, or along ``dim``; of floating point numbers only."""
    if dtype is not None:
        input = to(input, dtype)
    if not input.is_floating_point():
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {input.dtype.legacy_name}. Convert it first, with .float()."
        )
    rank = input.array.ndim
    if dim is None or (not isinstance(dim, int) and len(dim) == 0):
        if not keepdim:
            return _mean_all(input)  # type: ignore[no-any-return]
        dim = tuple(range(rank))
    return _mean(input, wrap_dims(dim, rank), keepdim)  # type: ignore[no-any-return]


# Largest and smallest ---------------------------------------------------------------------------


class ValuesAndIndices(NamedTuple):
    """What ``max(dim=...)`` returns: the values, and where they stood (int64)."""

    values: Tensor
    indices: Tensor


def _shared(g: Any, x: Any, out: Any) -> Any:
    """Share the gradient of an extreme value evenly among the elements that attain it."""
    attained = x == out
    return where(attained, g / attained.sum(), 0)


_max_all = Op("MaxBackward1", lambda x: x.max(), x=_shared)
_min_all = Op("MinBackward1", lambda x: x.min(), x=_shared)


def _pick(x: Any, index: Any, dim: int, keepdim: bool) -> Any:
    out = np.take_along_axis(x, index, dim)
    return out if keepdim else out.squeeze(dim)


def _put_back(g: Any, index: Any, dim: int, keepdim: bool, x_shape: tuple[int, ...]) -> Any:
    if not keepdim:
        g = g.reshape(_kept(x_shape, (dim,)))
    return scatter_add(g, index, dim, x_shape)


_max = Op("MaxBackward0", _pick, x=_put_back, index=None)
_min = Op("MinBackward0", _pick, x=_put_back, index=None)


def _extreme(input: Tensor, dim: int | None, keepdim: bool, largest: bool) -> Any:
    if dim is None:
        if not input.array.size:
            raise RuntimeError(
                f"{'max' if largest else 'min'}(): Expected reduction dim to be specified for "
                "input.numel() == 0. Specify the reduction dim with the 'dim' argument."
            )
        return (_max_all if largest else _min_all)(input)
    if not input.array.ndim:
        wrap_dim(dim, 0)
        return ValuesAndIndices(input, new_tensor(np.zeros((), np.int64)))
    dim = wrap_dim(dim, input.array.ndim)
    index = (np.argmax if largest else np.argmin)(input.array, axis=dim, keepdims=True)
    values = (_max if largest else _min)(input, index, dim, keepdim)
    return ValuesAndIndices(values, new_tensor(index if keepdim else index.squeeze(dim)))


def max(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the largest element; or, along ``dim``, ``(values, indices)``."""
    return _extreme(input, dim, keepdim, largest=True)


def min(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the smallest element; or, along ``dim``, ``(values, indices)``."""
    return _extreme(input, dim, keepdim, largest=False)


def _place_of(function: Any, input: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    if dim is not None:
        dim = wrap_dim(dim, input.array.ndim)
    if not input.array.ndim:
        return new_tensor(np.zeros((), np.int64))
    return new_tensor(function(input.array, axis=dim, keepdims=keepdim))


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the place of the largest element (int64), in the flattened tensor or along ``dim``."""
    return _place_of(np.argmax, input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the place of the smallest element (int64), in the flattened tensor or along ``dim``."""
    return _place_of(np.argmin, input, dim, keepdim)


def all(input: Tensor) -> Tensor:
    """Tell whether every element is true (or not zero)."""
    return new_tensor(input.array.all())


def any(input: Tensor) -> Tensor:
    """Tell whether any element is true (or not zero)."""
    return new_tensor(input.array.any())


# Softmax ----------------------------------------------------------------------------------------


def _softmax_forward(x: Any, dim: int) -> Any:
    raised = np.exp(x - x.max(axis=dim, keepdims=True))
    return raised / raised.sum(axis=dim, keepdims=True)


def _log_softmax_forward(x: Any, dim: int) -> Any:
    shifted = x - x.max(axis=dim, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=dim, keepdims=True))


_softmax = Op(
    "SoftmaxBackward0",
    _softmax_forward,
    x=lambda g, out, dim: out * (g - (g * out).sum(axis=dim, keepdims=True)),
)
_log_softmax = Op(
    "LogSoftmaxBackward0",
    _log_softmax_forward,
    x=lambda g, out, dim: g - exp(out) * g.sum(axis=dim, keepdims=True),
)


def _floating(input: Tensor, name: str) -> Tensor:
    if not input.is_floating_point():
        raise NotImplementedError(f'"{name}" not implemented for \'{input.dtype.legacy_name}\'')
    return input


def softmax(input: Tensor, dim: int, *, dtype: dtype | None = None) -> Tensor:
    """Return ``exp(x) / exp(x).sum(dim)``: positive, summing to one along ``dim``."""
    input = _floating(input if dtype is None else to(input, dtype), "softmax_lastdim_kernel_impl")
    dim = wrap_dim(dim, input.array.ndim)
    return _softmax(input, dim) if input.array.ndim else input * 0 + 1


def log_softmax(input: Tensor, dim: int, *, dtype: dtype | None = None) -> Tensor:
    """Return the logarithm of ``softmax``, computed without ever leaving the range of floats."""
    input = _floating(
        input if dtype is None else to(input, dtype), "log_softmax_lastdim_kernel_impl"
    )
    dim = wrap_dim(dim, input.array.ndim)
    return _log_softmax(input, dim) if input.array.ndim else input * 0


