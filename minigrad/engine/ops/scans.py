"""Running totals along a dimension, and products, whose gradients are made from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DType, int64
from ..inplace import write
from ..op import Op
from ..tensor import Tensor
from .arguments import no_bools, only_floats
from .arithmetic import sub
from .comparing import logical_xor
from .elementwise import _exp
from .extremes import ValuesAndIndices, values_and_indices
from .gathering import summed_at
from .joining import cat, joined
from .parts import _slice
from .rearranging import _flip
from .shape import wrap_dim
from .vjps import constant

# Running sums -----------------------------------------------------------------------------------

_cumsum = Op(
    "CumsumBackward0",
    lambda x, dim, kind: np.cumsum(x, dim, kind) if x.ndim else x.astype(kind or x.dtype),
    x=lambda g, dim: _sums_from_here(g, dim),
)


def _sums_from_here(g: Any, dim: int) -> Any:
    """Return, at each place along ``dim``, the sum of what stands there and after."""
    return _flip(_cumsum(_flip(g, (dim,)), dim, None), (dim,)) if g.shape else g


def _logcumsumexp_forward(x: Any, dim: int) -> Any:
    only_floats("logcumsumexp_out_cpu", x)
    return np.logaddexp.accumulate(x, dim) if x.ndim else x.copy()


_logcumsumexp = Op(
    "LogcumsumexpBackward0",
    _logcumsumexp_forward,
    x=lambda g, x, out, dim: _exp(x) * _sums_from_here(g * _exp(-out), dim),
)

# Products ---------------------------------------------------------------------------------------


def _cumprod_vjp(g: Any, x: Any, out: Any, dim: int) -> Any:
    """Return the slope of running products.

    Where nothing is 0, that is each product over the element. Otherwise the products without the
    element are made, one element at a time.
    """
    if not (x == 0).any():
        return _sums_from_here(g * out, dim) / x
    if not x.shape:
        return g
    return joined([_slope_at(k, g, x, out, dim) for k in range(x.shape[dim])], dim)


def _slope_at(k: int, g: Any, x: Any, out: Any, dim: int) -> Any:
    """Return the slope in the ``k``-th element: the product before it, times products after it."""
    length = x.shape[dim]
    one = _ones_like(_slice(x, dim, k, k + 1, 1))
    after = _cumprod(joined([one, _slice(x, dim, k + 1, length, 1)], dim), dim, None)
    slope = (_slice(g, dim, k, length, 1) * after).sum(axis=dim, keepdims=True)
    return slope * _slice(out, dim, k - 1, k, 1) if k else slope


def _ones_like(x: Any) -> Any:
    return constant(np.ones(x.shape, x.array.dtype if isinstance(x, Tensor) else x.dtype), x)


_cumprod = Op(
    "CumprodBackward0",
    lambda x, dim, kind: np.cumprod(x, dim, kind) if x.ndim else x.astype(kind or x.dtype),
    x=_cumprod_vjp,
)


def _products_before(x: Any, dim: int) -> Any:
    """Return, at each place along ``dim``, the product of all that stands before it."""
    one = _ones_like(_slice(x, dim, 0, 1, 1))
    return _cumprod(joined([one, _slice(x, dim, 0, x.shape[dim] - 1, 1)], dim), dim, None)


def _products_without(x: Any, dim: int) -> Any:
    """Return, at each place along ``dim``, the product of all the others."""
    return _products_before(x, dim) * _flip(_products_before(_flip(x, (dim,)), dim), (dim,))


def _prod_vjp(g: Any, x: Any, out: Any, dim: int, keepdim: bool) -> Any:
    if not keepdim:
        shape = (*x.shape[:dim], 1, *x.shape[dim + 1 :])
        g, out = g.reshape(shape), out.reshape(shape)
    if not (x == 0).any():
        return g * (out / x)
    return g * _products_without(x, dim)


def _prod_all_vjp(g: Any, x: Any, out: Any) -> Any:
    if not x.shape:
        return g
    if not (x == 0).any():
        return g * (out / x)
    return g * _products_without(x.reshape((-1,)), 0).reshape(x.shape)


_prod_all = Op(
    "ProdBackward0",
    lambda x, kind: np.multiply.reduce(x, axis=None, dtype=kind),
    x=_prod_all_vjp,
)
_prod = Op(
    "ProdBackward1",
    lambda x, dim, keepdim, kind: np.multiply.reduce(x, axis=dim, keepdims=keepdim, dtype=kind),
    x=_prod_vjp,
)

# Running extremes -------------------------------------------------------------------------------


def _running(extreme: Any) -> Any:
    """Return the forward of a running extreme: values, and where each was last attained."""

    def forward(x: Any, dim: int) -> Any:
        if not x.ndim:
            return x.copy(), np.zeros((), np.int64)
        values = extreme.accumulate(x, dim)
        attained = (x == values) | (x != x)
        steps = np.arange(x.shape[dim]).reshape([-1 if i == dim else 1 for i in range(x.ndim)])
        return values, np.maximum.accumulate(np.where(attained, steps, 0), dim)

    return forward


def _running_vjp(g: Any, x: Any, out1: Any, dim: int) -> Any:
    return summed_at(g, out1, dim, x.shape)  # PyTorch saves x as well


_cummax = Op("CummaxBackward0", _running(np.maximum), outputs=1, x=_running_vjp)
_cummin = Op("CumminBackward0", _running(np.minimum), outputs=1, x=_running_vjp)

# Differences ------------------------------------------------------------------------------------


def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the differences of neighbours along ``dim``, taken ``n`` times.

    ``prepend`` and ``append`` are put at the ends before.
    """
    if not input.array.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    dim = wrap_dim(dim, input.array.ndim)
    parts = [each for each in (prepend, input, append) if each is not None]
    result = cat(parts, dim) if len(parts) > 1 else input
    step = logical_xor if input.array.dtype.kind == "b" else sub
    for _ in range(min(n, result.array.shape[dim])):
        size = result.array.shape[dim]
        result = step(_slice(result, dim, 1, size, 1), _slice(result, dim, 0, size - 1, 1))
    return result


# What people call -------------------------------------------------------------------------------


def _kind(input: Tensor, dtype: DType | None) -> Any:
    """Return the numpy type of a total: integers and bools are totalled as int64."""
    if dtype is not None:
        return dtype.numpy
    return None if input.array.dtype.kind == "f" else int64.numpy


def cumsum(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Return the sum of all elements up to each, along ``dim``."""
    return _cumsum(input, wrap_dim(dim, input.array.ndim), _kind(input, dtype))


def cumsum_(target: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Replace each element by the sum up to it, in this tensor's own memory."""
    no_bools("cumsum_out_cpu", target.array)
    kind = dtype.numpy if dtype is not None else target.array.dtype
    return write("cumsum_", target, _cumsum, wrap_dim(dim, target.array.ndim), kind)


def cumprod(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Return the product of all elements up to each, along ``dim``."""
    return _cumprod(input, wrap_dim(dim, input.array.ndim), _kind(input, dtype))


def cumprod_(target: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Replace each element by the product up to it, in this tensor's own memory."""
    no_bools("cumprod_out_cpu", target.array)
    kind = dtype.numpy if dtype is not None else target.array.dtype
    return write("cumprod_", target, _cumprod, wrap_dim(dim, target.array.ndim), kind)


def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """Return ``exp(x).cumsum(dim).log()``, computed without ever leaving the range of floats."""
    return _logcumsumexp(input, wrap_dim(dim, input.array.ndim))


def prod(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Return the product of all elements, or along ``dim``; of integers, as int64."""
    kind = _kind(input, dtype)
    if dim is None:
        return _prod_all(input, kind)
    if not input.array.ndim:
        wrap_dim(dim, 0)
        return _prod_all(input, kind)
    return _prod(input, wrap_dim(dim, input.array.ndim), keepdim, kind)


def cummax(input: Tensor, dim: int) -> ValuesAndIndices:
    """Return the largest element up to each along ``dim``, and where it stands."""
    return values_and_indices(_cummax, input, wrap_dim(dim, input.array.ndim))


def cummin(input: Tensor, dim: int) -> ValuesAndIndices:
    """Return the smallest element up to each along ``dim``, and where it stands."""
    return values_and_indices(_cummin, input, wrap_dim(dim, input.array.ndim))


__all__ = [
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "diff",
    "logcumsumexp",
    "prod",
]
