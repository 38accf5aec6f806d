"""Losses that are one operation in PyTorch's graph, so that they are one here too.

Each is computed element by element, and then left as it is (``"none"``), summed or averaged.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..op import Op
from ..tensor import Tensor
from . import elementwise
from .choosing import where

REDUCTIONS = ("none", "mean", "sum")


def _reduced(values: Any, reduction: str) -> Any:
    if reduction == "none":
        return values
    total = np.add.reduce(values, axis=None)
    return total if reduction == "sum" else total / values.dtype.type(values.size)


def _scale(shape: tuple[int, ...], reduction: str) -> float:
    """Return by what a reduced loss's gradient is divided."""
    if reduction != "mean":
        return 1.0
    count = 1
    for size in shape:
        count *= size
    return float(count)


def _pair(name: str, values: Callable[..., Any], slope: Callable[..., Any]) -> Op:
    """Return the loss of ``x`` and ``target`` with the given values, and slope in ``x``.

    The slope is of the difference for those losses that only depend on it, so the target's gradient
    is its opposite.
    """

    def vjp(g: Any, x: Any, target: Any, reduction: str, width: float) -> Any:
        scale = _scale(x.shape, reduction)
        return g * slope(x - target, width) * (1 / scale)

    return Op(
        name,
        lambda x, target, reduction, width: _reduced(values(x - target, width), reduction),
        x=vjp,
        target=lambda g, x, target, reduction, width: -vjp(g, x, target, reduction, width),
    )


_mse = _pair("MseLossBackward0", lambda d, _: d * d, lambda d, _: d * 2)
_smooth_l1 = _pair(
    "SmoothL1LossBackward0",
    lambda d, beta: np.where(np.abs(d) < beta, 0.5 * d * d / beta, np.abs(d) - 0.5 * beta),
    lambda d, beta: _either(_abs(d) < beta, d / beta, _sign(d)),
)
_huber = _pair(
    "HuberLossBackward0",
    lambda d, delta: np.where(np.abs(d) <= delta, 0.5 * d * d, delta * (np.abs(d) - 0.5 * delta)),
    lambda d, delta: _either(_abs(d) <= delta, d, _sign(d) * delta),
)


def _either(condition: Any, a: Any, b: Any) -> Any:
    return where(condition, a, b) if isinstance(condition, Tensor) else np.where(condition, a, b)


def _abs(x: Any) -> Any:
    return elementwise.abs(x) if isinstance(x, Tensor) else np.abs(x)


def _sign(x: Any) -> Any:
    return elementwise.sign(x) if isinstance(x, Tensor) else np.sign(x)


def _checked(input: Tensor, target: Tensor, name: str, reduction: str) -> None:
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction: use one of {REDUCTIONS}")
    for argument, each in (("input", input), ("target", target)):
        if not isinstance(each, Tensor):
            raise TypeError(
                f"{name}(): argument '{argument}' must be Tensor, not {type(each).__name__}"
            )
    if input.array.shape != target.array.shape:
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}). This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size.",
            UserWarning,
            stacklevel=4,
        )


def _together(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Bring both to one shape and dtype."""
    if input.array.shape != target.array.shape:
        from .shape import broadcast_tensors

        input, target = broadcast_tensors(input, target)
    if target.dtype is not input.dtype:
        from ..dtypes import promote_types

        common = promote_types(input.dtype, target.dtype)
        input, target = input.to(common), target.to(common)
    return input, target


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the squared differences."""
    _checked(input, target, "mse_loss", reduction)
    return _mse(*_together(input, target), reduction, 0.0)


def smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """Return half the squared difference over ``beta`` below ``beta``, and a line from there on."""
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    _checked(input, target, "smooth_l1_loss", reduction)
    return _smooth_l1(*_together(input, target), reduction, float(beta))


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0
) -> Tensor:
    """Return half the squared difference up to ``delta``, and ``delta`` times a line from there on."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    _checked(input, target, "huber_loss", reduction)
    return _huber(*_together(input, target), reduction, float(delta))


# Likelihoods ----------------------------------------------------------------------------------------


def _nll_values(x: Any, target: Any, weight: Any, ignore: int, reduction: str) -> Any:
    picked, weights = _picked(x, target, weight, ignore)
    values = -picked * weights
    if reduction == "none":
        return values
    total = np.add.reduce(values, axis=None)
    return total if reduction == "sum" else total / np.add.reduce(weights, axis=None)


def _picked(x: Any, target: Any, weight: Any, ignore: int) -> tuple[Any, Any]:
    """Return the log-probability of each target, and how much each counts."""
    kept = target != ignore
    safe = target if kept.all() else np.where(kept, target, 0)
    picked = np.take_along_axis(x, np.expand_dims(safe, 1), 1).squeeze(1)
    weights = kept.astype(x.dtype) if weight is None else weight[safe] * kept
    return picked, weights


def _nll_back(
    g: Any, target: Any, weight: Any, ignore: int, reduction: str, shape: tuple[int, ...]
) -> Any:
    out = np.zeros(shape, g.dtype)
    kept = target != ignore
    safe = target if kept.all() else np.where(kept, target, 0)
    weights = kept.astype(g.dtype) if weight is None else weight[safe] * kept
    if reduction == "mean":
        weights = weights / np.add.reduce(weights, axis=None)
    np.put_along_axis(out, np.expand_dims(safe, 1), np.expand_dims(-g * weights, 1), 1)
    return out


_nll: Op = Op(
    "NllLossBackward0",
    _nll_values,
    x=lambda g, target, weight, ignore, reduction, x_shape: _nll_grad(
        g, target, weight, ignore, reduction, x_shape
    ),
    target=None,
    weight=None,
)
_nll_grad: Op = Op(
    "NllLossBackwardBackward0",
    _nll_back,
    g=lambda g2, target, weight, ignore, reduction: _nll(g2, target, weight, ignore, reduction),
    target=None,
    weight=None,
)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int = -100,
) -> Tensor:
    """Return minus the log-probability that ``input`` ([batch,] classes, ...) gives each target."""
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction: use one of {REDUCTIONS}")
    alone = input.ndim == 1
    if alone:
        input, target = input.unsqueeze(0), target.unsqueeze(0)
    if input.ndim < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {input.ndim})")
    if input.array.shape[0] != target.array.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input.array.shape[0]}) to match target batch_size "
            f"({target.array.shape[0]})."
        )
    classes = input.array.shape[1]
    places = target.array
    if places.dtype not in (np.int64, np.uint8):
        raise RuntimeError(
            f"expected scalar type Long but found {target.dtype.legacy_name}: targets are class "
            "numbers"
        )
    if (*input.array.shape[:1], *input.array.shape[2:]) != places.shape:
        raise RuntimeError(
            f"size mismatch (got input: {list(input.array.shape)}, target: {list(places.shape)})"
        )
    counted = places[places != ignore_index]
    if counted.size and not (counted.min() >= 0 and counted.max() < classes):
        wrong = counted.max() if counted.max() >= classes else counted.min()
        raise IndexError(
            f"Target {wrong} is out of bounds: there are {classes} classes, numbered from 0 to "
            f"{classes - 1}"
        )
    if weight is not None and weight.array.shape != (classes,):
        raise RuntimeError(
            "weight tensor should be defined either for all or no classes, got "
            f"{weight.numel()} weights for {classes} classes"
        )
    loss: Tensor = _nll(input, target, weight, ignore_index, reduction)
    return loss.squeeze(0) if alone and reduction == "none" else loss


def _bce_values(x: Any, target: Any, weight: Any, reduction: str) -> Any:
    log_x = np.maximum(np.log(x), -100)
    log_1 = np.maximum(np.log1p(-x), -100)
    values = -(target * log_x + (1 - target) * log_1)
    return _reduced(values if weight is None else values * weight, reduction)


def _bce_vjp(g: Any, x: Any, target: Any, weight: Any, reduction: str) -> Any:
    spread = x * (1 - x)
    # At probabilities of 0 and 1 PyTorch stops here.
    out = g * (x - target) / _either(spread > 1e-12, spread, 1e-12)
    if weight is not None:
        out = out * weight
    return out * (1 / _scale(x.shape, reduction))


_bce = Op(
    "BinaryCrossEntropyBackward0",
    _bce_values,
    x=_bce_vjp,
    target=lambda g, x, weight, reduction: (
        (g if weight is None else g * weight)
        * (_log(1 - x) - _log(x))
        * (1 / _scale(x.shape, reduction))
    ),
    weight=None,
)


def _log(x: Any) -> Any:
    return elementwise.log(x) if isinstance(x, Tensor) else np.log(x)


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Return the cross entropy of probabilities ``input`` against ``target``, both in [0, 1]."""
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction: use one of {REDUCTIONS}")
    if input.array.shape != target.array.shape:
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if input.array.size and not (input.array.min() >= 0 and input.array.max() <= 1):
        raise RuntimeError("all elements of input should be between 0 and 1")
    return _bce(input, target, weight, reduction)


def _logits_values(x: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    softplus = np.log1p(np.exp(-np.abs(x))) + np.maximum(-x, 0)
    factor = 1 if pos_weight is None else (pos_weight - 1) * target + 1
    values = (1 - target) * x + factor * softplus
    return _reduced(values if weight is None else values * weight, reduction)


def _logits_vjp(g: Any, x: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    p = elementwise.sigmoid(x) if isinstance(x, Tensor) else elementwise._logistic(x)
    factor = 1 if pos_weight is None else (pos_weight - 1) * target + 1
    out = g * ((1 - target) - factor * (1 - p))
    if weight is not None:
        out = out * weight
    return out * (1 / _scale(x.shape, reduction))


_bce_logits = Op(
    "BinaryCrossEntropyWithLogitsBackward0",
    _logits_values,
    x=_logits_vjp,
    target=lambda g, x, weight, pos_weight, reduction: (
        (g if weight is None else g * weight)
        * (-x if pos_weight is None else -x + (pos_weight - 1) * _softplus_minus(x))
        * (1 / _scale(x.shape, reduction))
    ),
    weight=None,
    pos_weight=None,
)


def _softplus_minus(x: Any) -> Any:
    """Return ``log(1 + exp(-x))``, without ever leaving the range of floats."""
    if isinstance(x, Tensor):
        return elementwise.log1p(elementwise.exp(-elementwise.abs(x))) + elementwise.relu(-x)
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(-x, 0)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Return the cross entropy of ``sigmoid(input)`` against ``target``, computed stably."""
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction: use one of {REDUCTIONS}")
    if input.array.shape != target.array.shape:
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return _bce_logits(input, target, weight, pos_weight, reduction)


__all__: list[str] = []
