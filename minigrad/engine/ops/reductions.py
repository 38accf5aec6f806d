"""Reductions: many elements to few. Going back, a gradient is stretched over what was reduced."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ..dtypes import DType, int64
from ..errors import shape_text
from ..op import Op
from ..tensor import Tensor, new_tensor
from .elementwise import _sign
from .shape import expand_to, view, wrap_dims
from .vjps import masked

Dims = tuple[int, ...]
DimsLike: TypeAlias = "int | Sequence[int] | None"


def _all_or(dim: DimsLike, rank: int) -> Dims:
    """Return the dimensions to reduce, counted from the front: all, where none are given."""
    if dim is None or (not isinstance(dim, int) and len(dim) == 0):
        return tuple(range(rank))
    return wrap_dims(dim, rank)


def _kept(shape: Sequence[int], dims: Dims) -> tuple[int, ...]:
    """Return the shape with the reduced dimensions kept as size one."""
    return tuple([1 if i in dims else size for i, size in enumerate(shape)])


def restored(g: Any, x_shape: Sequence[int], dims: Dims, keepdim: bool) -> Any:
    """Return a reduced value with the dimensions that were reduced, as size one."""
    return g if keepdim else g.reshape(_kept(x_shape, dims))


def _stretched(g: Any, x_shape: Sequence[int], dims: Dims, keepdim: bool) -> Any:
    """Stretch the gradient of a reduction back over the dimensions that were reduced."""
    return expand_to(restored(g, x_shape, dims, keepdim), x_shape)


def _count(shape: Sequence[int], dims: Dims) -> int:
    count = 1
    for dim in dims:
        count *= shape[dim]
    return count


def _numel(shape: Sequence[int]) -> int:
    return _count(shape, tuple(range(len(shape))))


# Sums and means ---------------------------------------------------------------------------------

_sum_all = Op(
    "SumBackward0",
    lambda x, kind: np.add.reduce(x, axis=None, dtype=kind),
    x=lambda g, x_shape: expand_to(g, x_shape),
)
_sum = Op(
    "SumBackward1",
    lambda x, dims, keepdim, kind: np.add.reduce(x, axis=dims, keepdims=keepdim, dtype=kind),
    x=_stretched,
)
_mean_all = Op(
    "MeanBackward0",
    lambda x, kind: _sum_all.forward(x, kind) / (kind or x.dtype).type(x.size),
    x=lambda g, x_shape: expand_to(g, x_shape) / _numel(x_shape),
)
_mean = Op(
    "MeanBackward1",
    lambda x, dims, keepdim, kind: (
        _sum.forward(x, dims, keepdim, kind) / (kind or x.dtype).type(_count(x.shape, dims))
    ),
    x=lambda g, x_shape, dims, keepdim: (
        _stretched(g, x_shape, dims, keepdim) / _count(x_shape, dims)
    ),
)
_nansum = Op(
    "NansumBackward0",
    lambda x, dims, keepdim, kind: np.nansum(x, axis=dims, keepdims=keepdim, dtype=kind),
    x=lambda g, x, dims, keepdim: _stretched(g, x.shape, dims, keepdim) * (x == x),
)


def sum(
    input: Tensor,
    dim: DimsLike = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
    axis: DimsLike = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the sum of all elements, or along ``dim`` (an int or several).

    Sums of bools and of narrow integers are int64; ``dtype`` chooses another. ``axis`` and
    ``keepdims`` are numpy's words for ``dim`` and ``keepdim``.
    """
    if axis is not None:
        dim = axis
    kind = dtype.numpy if dtype is not None else None
    if kind is None and input.array.dtype.kind != "f":
        kind = int64.numpy
    keepdim = keepdim or keepdims
    if dim is None and not keepdim:
        return _sum_all(input, kind)
    return _sum(input, _all_or(dim, input.array.ndim), keepdim, kind)


def sum_to_size(input: Tensor, size: Sequence[int]) -> Tensor:
    """Return the sums over the dimensions in which ``size`` would have to be stretched to fit."""
    shape = input.array.shape
    extra = len(shape) - len(size)
    pairs = zip(size, shape[extra:], strict=False)
    if extra < 0 or [own for n, own in pairs if n not in (1, own)]:
        raise RuntimeError(
            f"size {{{shape_text(size)}}} is not expandable to size {{{shape_text(shape)}}}."
        )
    stretched = [
        i for i, own in enumerate(shape) if i < extra or (size[i - extra] == 1 and own != 1)
    ]
    if not stretched:
        return input
    total = sum(input, stretched, True)
    return view(total, size) if extra else total


def mean(
    input: Tensor,
    dim: DimsLike = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
    axis: DimsLike = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the mean of all elements, or along ``dim``; of floating point numbers only.

    ``axis`` and ``keepdims`` are numpy's words for ``dim`` and ``keepdim``.
    """
    if axis is not None:
        dim = axis
    kind = dtype.numpy if dtype is not None else None
    if (kind or input.array.dtype).kind != "f":
        given = dtype or input.dtype
        raise RuntimeError(
            f"mean(): could not infer output dtype. {'Optional' if dtype else 'Input'} dtype must be "
            "either a floating point or complex dtype. "
            f"Got: {given.legacy_name}. Convert the tensor first, with .float()."
        )
    keepdim = keepdim or keepdims
    if dim is None and not keepdim:
        return _mean_all(input, kind)
    return _mean(input, _all_or(dim, input.array.ndim), keepdim, kind)


def nansum(
    input: Tensor, dim: DimsLike = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Return the sum of the elements that are numbers: nan counts as 0, and gets no gradient."""
    if input.array.dtype.kind != "f":
        return sum(input, dim, keepdim, dtype=dtype)
    kind = dtype.numpy if dtype is not None else None
    return _nansum(input, _all_or(dim, input.array.ndim), keepdim, kind)


def nanmean(
    input: Tensor, dim: DimsLike = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Return the mean of the elements that are numbers."""
    _check_floating(input, "nanmean")
    numbers = new_tensor(~np.isnan(input.array))
    return nansum(input, dim, keepdim, dtype=dtype) / sum(numbers, dim, keepdim)


def count_nonzero(input: Tensor, dim: DimsLike = None) -> Tensor:
    """Return how many elements are not zero (int64), in all or along ``dim``."""
    dims = _all_or(dim, input.array.ndim)
    return new_tensor(np.asarray(np.count_nonzero(input.array, axis=dims), np.int64))


def _check_floating(input: Tensor, function: str) -> None:
    if not input.is_floating_point():
        raise RuntimeError(
            f"{function}: Expected a floating point or complex tensor as input. Got "
            f"{input.dtype.legacy_name}. Convert it first, with .float()."
        )


# Spread -----------------------------------------------------------------------------------------


def _squares(x: Any, dims: Dims, correction: float, keepdim: bool) -> Any:
    """Return the sum of squared distances from the mean, over the count less the correction."""
    count = _count(x.shape, dims)
    away = x - x.sum(axis=dims, keepdims=True) / x.dtype.type(count)
    return (away * away).sum(axis=dims, keepdims=keepdim) / x.dtype.type(
        np.maximum(count - correction, 0)
    )


def _var_vjp(g: Any, x: Any, dims: Dims, correction: float, keepdim: bool) -> Any:
    count = _count(x.shape, dims)
    away = x - x.sum(axis=dims, keepdims=True) / count
    free = count - correction
    scale = 2.0 / free if free else np.inf
    return restored(g, x.shape, dims, keepdim) * scale * away


def _std_vjp(g: Any, x: Any, out: Any, dims: Dims, correction: float, keepdim: bool) -> Any:
    return _var_vjp(masked(g / (out * 2), out != 0), x, dims, correction, keepdim)


def _with_mean(of_spread: Any, g_mean: Any, x_shape: Any, dims: Dims, keepdim: bool) -> Any:
    """Return the gradient that comes through a spread, and through the mean beside it."""
    if g_mean is None:
        return of_spread
    of_mean = _stretched(g_mean, x_shape, dims, keepdim) / _count(x_shape, dims)
    return of_mean if of_spread is None else of_spread + of_mean


def _var_mean_vjp(gs: Any, x: Any, dims: Dims, correction: float, keepdim: bool) -> Any:
    g, g_mean = gs
    of_var = None if g is None else _var_vjp(g, x, dims, correction, keepdim)
    return _with_mean(of_var, g_mean, x.shape, dims, keepdim)


def _std_mean_vjp(gs: Any, x: Any, out: Any, dims: Dims, correction: float, keepdim: bool) -> Any:
    g, g_mean = gs
    of_std = None if g is None else _std_vjp(g, x, out, dims, correction, keepdim)
    return _with_mean(of_std, g_mean, x.shape, dims, keepdim)


_var = Op("VarBackward0", _squares, x=_var_vjp)
_std = Op(
    "StdBackward0",
    lambda x, dims, correction, keepdim: np.sqrt(_squares(x, dims, correction, keepdim)),
    x=_std_vjp,
)
_var_mean = Op(
    "VarMeanBackward0",
    lambda x, dims, correction, keepdim: (
        _squares(x, dims, correction, keepdim),
        _mean.forward(x, dims, keepdim, None),
    ),
    outputs=2,
    x=_var_mean_vjp,
)
_std_mean = Op(
    "StdMeanBackward0",
    lambda x, dims, correction, keepdim: (
        np.sqrt(_squares(x, dims, correction, keepdim)),
        _mean.forward(x, dims, keepdim, None),
    ),
    outputs=2,
    x=_std_mean_vjp,
)


def _spread(
    operation: Op,
    input: Tensor,
    dim: DimsLike,
    unbiased: bool | None,
    keepdim: bool,
    correction: float | None,
) -> Any:
    """Compute a variance or deviation; ``dim`` may be the old first argument, ``unbiased``."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 0 if unbiased is False else 1
    if not input.is_floating_point():
        raise RuntimeError("std and var only support floating point and complex dtypes")
    dims = _all_or(dim, input.array.ndim)
    if _count(input.array.shape, dims) <= correction:
        name = operation.name.removesuffix("Backward0").lower().replace("mean", "_mean")
        warnings.warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the "
            "reduction factor (input numel divided by output numel).",
            UserWarning,
            stacklevel=3,
        )
    return operation(input, dims, correction, keepdim)


def var(
    input: Tensor,
    dim: DimsLike = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """Return the variance, of all elements or along ``dim``.

    The sum of squared distances is divided by the count less ``correction``: 1 unless said, 0 with
    ``unbiased=False``.
    """
    return _spread(_var, input, dim, unbiased, keepdim, correction)


def std(
    input: Tensor,
    dim: DimsLike = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """Return the standard deviation, the root of the variance; see ``var``."""
    return _spread(_std, input, dim, unbiased, keepdim, correction)


def var_mean(
    input: Tensor,
    dim: DimsLike = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the variance and the mean; see ``var``."""
    return _spread(_var_mean, input, dim, unbiased, keepdim, correction)


def std_mean(
    input: Tensor,
    dim: DimsLike = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the standard deviation and the mean; see ``var``."""
    return _spread(_std_mean, input, dim, unbiased, keepdim, correction)


# Norms ------------------------------------------------------------------------------------------


def _norm_forward(x: Any, p: float, dims: Dims, keepdim: bool, kind: Any) -> Any:
    size = np.abs(x if kind is None else x.astype(kind))
    if p == np.inf:
        return size.max(axis=dims, keepdims=keepdim)
    if p == -np.inf:
        return size.min(axis=dims, keepdims=keepdim)
    if p == 0:
        return (size != 0).sum(axis=dims, keepdims=keepdim).astype(size.dtype)
    if p == 1:
        return size.sum(axis=dims, keepdims=keepdim)
    if p == 2:
        return np.sqrt((size * size).sum(axis=dims, keepdims=keepdim))
    return (size**p).sum(axis=dims, keepdims=keepdim) ** (1 / p)


def _norm_vjp(g: Any, x: Any, out: Any, p: float, dims: Dims, keepdim: bool) -> Any:
    """Return the slope of a norm; 0 where the norm is 0."""
    g, out = restored(g, x.shape, dims, keepdim), restored(out, x.shape, dims, keepdim)
    if p == 0:
        return None
    if p == 1:
        return g * _sign(x)
    if p == 2:
        return g * masked(x / out, out != 0)
    size = abs(x)
    if p in (np.inf, -np.inf):
        attained = size == out
        return masked(_sign(x) * (g / attained.sum(axis=dims, keepdims=True)), attained)
    share = masked(size ** (p - 1), size != 0) if p < 2 else size ** (p - 1)
    return _sign(x) * share * masked(g / out ** (p - 1), out != 0)


_norm = Op("LinalgVectorNormBackward0", _norm_forward, x=_norm_vjp)


def vector_norm(
    input: Tensor,
    ord: float = 2,
    dim: DimsLike = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
) -> Tensor:
    """Return the length of a vector: the root of the sum of squares, or another ``ord``.

    ``ord`` 1 sums absolute values, infinity takes the largest, 0 counts what is not zero.
    """
    _check_floating(input, "linalg.vector_norm")
    dims = _all_or(dim, input.array.ndim)
    if (ord < 0 or ord == np.inf) and not _count(input.array.shape, dims):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {ord} norm on an empty tensor because the "
            "operation does not have an identity"
        )
    return _norm(input, float(ord), dims, keepdim, dtype.numpy if dtype is not None else None)


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: DimsLike = None,
    keepdim: bool = False,
    dtype: DType | None = None,
) -> Tensor:
    """Return the norm of all elements, or along ``dim``; see ``linalg.vector_norm`` for ``p``."""
    if p == "fro" or p is None:
        if isinstance(dim, (tuple, list)) and len(dim) > 2:
            raise RuntimeError(
                f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}: say p=2 for "
                "the norm over more dimensions"
            )
        p = 2.0
    if isinstance(p, str):
        raise RuntimeError(
            f"the norm {p!r} of a matrix is not available here; numbers and 'fro' are"
        )
    return vector_norm(input, p, dim, keepdim, dtype=dtype)


__all__ = [
    "count_nonzero",
    "mean",
    "nanmean",
    "nansum",
    "norm",
    "std",
    "std_mean",
    "sum",
    "var",
    "var_mean",
]
