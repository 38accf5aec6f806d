"""Layer normalization, which is one operation in PyTorch's graph: it saves its input and its weight."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import Op
from ..tensor import Tensor

Dims = tuple[int, ...]


def _mean(x: Any, dims: Dims) -> Any:
    count = 1
    for dim in dims:
        count *= x.shape[dim]
    return x.sum(axis=dims, keepdims=True) / count


def _root(x: Any) -> Any:
    return x.sqrt() if isinstance(x, Tensor) else np.sqrt(x)


def _normal(x: Any, dims: Dims, eps: float) -> tuple[Any, Any]:
    """Return ``x`` with mean 0 and variance 1, and by what it was divided."""
    centred = x - _mean(x, dims)
    scale = _root(_mean(centred * centred, dims) + eps)
    return centred / scale, scale


def _forward(x: Any, weight: Any, bias: Any, dims: Dims, eps: float) -> Any:
    out, _ = _normal(x, dims, eps)
    if weight is not None:
        out = out * weight
    return out if bias is None else out + bias


def _input_vjp(g: Any, x: Any, weight: Any, dims: Dims, eps: float) -> Any:
    out, scale = _normal(x, dims, eps)
    if weight is not None:
        g = g * weight
    return (g - _mean(g, dims) - out * _mean(g * out, dims)) / scale


layer_norm = Op(
    "NativeLayerNormBackward0",
    _forward,
    x=_input_vjp,
    weight=lambda g, x, dims, eps: g * _normal(x, dims, eps)[0],
    bias=lambda g: g,
)
