"""Softmax and its relatives, computed without ever leaving the range of floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..dtypes import DType, get_default_dtype
from ..op import Op
from ..tensor import Tensor
from .arguments import only_floats
from .copying import to
from .elementwise import _exp
from .reductions import Dims, _all_or, restored
from .shape import (
    wrap_dim,
)


def _softmax_forward(x: Any, dim: int) -> Any:
    raised = np.exp(x - x.max(axis=dim, keepdims=True, initial=-np.inf))
    return raised / raised.sum(axis=dim, keepdims=True)


def _log_softmax_forward(x: Any, dim: int) -> Any:
    shifted = x - x.max(axis=dim, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.exp(shifted).sum(axis=dim, keepdims=True))


def _logsumexp_forward(x: Any, dims: Dims, keepdim: bool) -> Any:
    largest = x.max(axis=dims, keepdims=True, initial=-np.inf)
    largest = np.where(np.isinf(largest), x.dtype.type(0), largest)
    total = np.log(np.exp(x - largest).sum(axis=dims, keepdims=True)) + largest
    return total if keepdim else total.squeeze(dims)


_softmax = Op(
    "SoftmaxBackward0",
    _softmax_forward,
    x=lambda g, out, dim: out * (g - (g * out).sum(axis=dim, keepdims=True)),
)
_log_softmax = Op(
    "LogSoftmaxBackward0",
    _log_softmax_forward,
    x=lambda g, out, dim: g - _exp(out) * g.sum(axis=dim, keepdims=True),
)
_logsumexp = Op(
    "LogsumexpBackward0",
    _logsumexp_forward,
    x=lambda g, x, out, dims, keepdim: (
        restored(g, x.shape, dims, keepdim) * _exp(x - restored(out, x.shape, dims, keepdim))
    ),
)


def _for_softmax(input: Tensor, dtype: DType | None, kernel: str) -> Tensor:
    if dtype is not None:
        input = to(input, dtype)
    only_floats(kernel, input.array)
    return input


def softmax(input: Tensor, dim: int, dtype: DType | None = None) -> Tensor:
    """Return ``exp(x) / exp(x).sum(dim)``: positive, summing to one along ``dim``."""
    input = _for_softmax(input, dtype, "softmax_lastdim_kernel_impl")
    return _softmax(input, wrap_dim(dim, input.array.ndim) if input.array.ndim else ())


def log_softmax(input: Tensor, dim: int, dtype: DType | None = None) -> Tensor:
    """Return the logarithm of ``softmax``, computed without ever leaving the range of floats."""
    input = _for_softmax(input, dtype, "log_softmax_lastdim_kernel_impl")
    return _log_softmax(input, wrap_dim(dim, input.array.ndim) if input.array.ndim else ())


def logsumexp(input: Tensor, dim: int | Sequence[int], keepdim: bool = False) -> Tensor:
    """Return ``exp(x).sum(dim).log()``, computed without ever leaving the range of floats."""
    if not input.is_floating_point():
        input = to(input, get_default_dtype())
    return _logsumexp(input, _all_or(dim, input.array.ndim), keepdim)


__all__ = [
    "log_softmax",
    "logsumexp",
    "softmax",
]
