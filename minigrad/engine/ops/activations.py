"""Activations: the nonlinear steps between the layers of a network, as ``nn.functional`` has them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..op import Op
from ..tensor import Tensor
from . import elementwise
from .choosing import where

_SQRT_HALF = math.sqrt(0.5)
_DENSITY = 1 / math.sqrt(2 * math.pi)
_TANH_FACTOR = math.sqrt(2 / math.pi)


def _exp(x: Any) -> Any:
    return elementwise.exp(x) if isinstance(x, Tensor) else np.exp(x)


def _tanh(x: Any) -> Any:
    return elementwise.tanh(x) if isinstance(x, Tensor) else np.tanh(x)


def _sigmoid(x: Any) -> Any:
    return elementwise.sigmoid(x) if isinstance(x, Tensor) else elementwise._logistic(x)


def _erf(x: Any) -> Any:
    # Arrays go through a tensor and back: numpy has no erf of its own.
    return elementwise.erf(x) if isinstance(x, Tensor) else elementwise._erf(x)


def _either(condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, Tensor):
        return where(condition, a, b)
    found = np.where(condition, a, b)
    kind = next(each.dtype for each in (a, b) if isinstance(each, np.ndarray))
    return found.astype(kind, copy=False)


_leaky_relu = Op(
    "LeakyReluBackward0",
    lambda x, slope: np.where(x > 0, x, x * slope).astype(x.dtype),
    x=lambda g, x, slope: _either(x > 0, g, g * slope),
)
_elu = Op(
    "EluBackward0",
    lambda x, alpha, scale: (np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))) * scale).astype(
        x.dtype
    ),
    x=lambda g, x, alpha, scale: g * _either(x > 0, x * 0 + scale, alpha * scale * _exp(x)),
)
_silu = Op(
    "SiluBackward0",
    lambda x: x * _sigmoid(x),
    x=lambda g, x: g * (_sigmoid(x) * (1 + x * (1 - _sigmoid(x)))),
)
_gelu = Op(
    "GeluBackward0",
    lambda x: 0.5 * x * (1 + _erf(x * _SQRT_HALF)),
    x=lambda g, x: g * (0.5 * (1 + _erf(x * _SQRT_HALF)) + x * _DENSITY * _exp(-0.5 * x * x)),
)
_gelu_tanh = Op(
    "GeluBackward0",
    lambda x: 0.5 * x * (1 + _tanh(_TANH_FACTOR * (x + 0.044715 * x * x * x))),
    x=lambda g, x: g * _gelu_tanh_slope(x),
)


def _gelu_tanh_slope(x: Any) -> Any:
    t = _tanh(_TANH_FACTOR * (x + 0.044715 * x * x * x))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * _TANH_FACTOR * (1 + 3 * 0.044715 * x * x)


def _softplus_forward(x: Any, beta: float, threshold: float) -> Any:
    scaled = x * beta
    soft = (np.log1p(np.exp(-np.abs(scaled))) + np.maximum(scaled, 0)) / beta
    return np.where(scaled > threshold, x, soft).astype(x.dtype)


_softplus = Op(
    "SoftplusBackward0",
    _softplus_forward,
    x=lambda g, x, beta, threshold: _either(x * beta > threshold, g, g * _sigmoid(x * beta)),
)
_log_sigmoid = Op(
    "LogSigmoidBackward0",
    lambda x: np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))),
    x=lambda g, x: g * (1 - _sigmoid(x)),
)
_hardtanh = Op(
    "HardtanhBackward0",
    lambda x, low, high: np.clip(x, x.dtype.type(low), x.dtype.type(high)),
    x=lambda g, x, low, high: _either((x > low) & (x < high), g, g * 0),
)
_mish = Op(
    "MishBackward0",
    lambda x: x * _tanh(np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)),
    x=lambda g, x: g * _mish_slope(x),
)


def _mish_slope(x: Any) -> Any:
    soft = softplus(x) if isinstance(x, Tensor) else _softplus_forward(x, 1.0, 20.0)
    t = _tanh(soft)
    return t + x * (1 - t * t) * _sigmoid(x)


_threshold = Op(
    "ThresholdBackward0",
    lambda x, limit, value: np.where(x > limit, x, x.dtype.type(value)),
    x=lambda g, x, limit: _either(x > limit, g, g * 0),
)


def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """Return the elements, with negative ones multiplied by ``negative_slope``."""
    return _leaky_relu(input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Return the elements, with negative ones replaced by ``alpha * (exp(x) - 1)``."""
    return _elu(input, alpha, 1.0)


def selu(input: Tensor) -> Tensor:
    """Return the scaled exponential linear unit, which keeps mean and variance in deep networks."""
    return _elu(input, 1.6732632423543772, 1.0507009873554805)


def silu(input: Tensor) -> Tensor:
    """Return ``x * sigmoid(x)``, also called swish."""
    return _silu(input)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Return x times the chance that a normal number is smaller; ``"tanh"`` approximates it."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    operation = _gelu if approximate == "none" else _gelu_tanh
    return operation(input)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """Return ``log(1 + exp(beta * x)) / beta``, and x itself where ``beta * x > threshold``."""
    return _softplus(input, beta, threshold)


def logsigmoid(input: Tensor) -> Tensor:
    """Return the logarithm of the sigmoid, computed stably."""
    return _log_sigmoid(input)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Return the elements, limited to between ``min_val`` and ``max_val``."""
    return _hardtanh(input, min_val, max_val)


def relu6(input: Tensor) -> Tensor:
    """Return the elements, limited to between 0 and 6."""
    return _hardtanh(input, 0.0, 6.0)


def mish(input: Tensor) -> Tensor:
    """Return ``x * tanh(softplus(x))``."""
    return _mish(input)


def threshold(input: Tensor, threshold: float, value: float) -> Tensor:
    """Return the elements above ``threshold``, and ``value`` in the place of the others."""
    return _threshold(input, threshold, value)


def softsign(input: Tensor) -> Tensor:
    """Return ``x / (1 + |x|)``."""
    return input / (1 + input.abs())


__all__ = ["selu", "threshold"]
