"""The functions behind the layers, without parameters of their own: ``torch.nn.functional``'s names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import minigrad
from minigrad import (
    Tensor,
    avg_pool1d,
    avg_pool2d,
    conv1d,
    conv2d,
    max_pool1d,
    max_pool2d,
    relu,
    selu,
    sigmoid,
    tanh,
    threshold,
)
from minigrad.engine.ops.activations import (
    elu,
    gelu,
    hardtanh,
    leaky_relu,
    logsigmoid,
    mish,
    relu6,
    silu,
    softplus,
    softsign,
)
from minigrad.engine.ops.embedding import embedding as _embedding
from minigrad.engine.ops.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    huber_loss,
    mse_loss,
    nll_loss,
    smooth_l1_loss,
)
from minigrad.engine.ops.normalization import layer_norm as _layer_norm

Sizes = int | Sequence[int]


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return ``input @ weight.T + bias``: (*, in) and (out, in) to (*, out)."""
    if bias is not None and input.ndim == 2 and bias.ndim == 1:
        return minigrad.addmm(bias, input, weight.t())
    out = input @ weight.t() if weight.ndim == 2 else input @ weight
    return out if bias is None else out + bias


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return ``input1 @ weight[k] @ input2`` for each output k."""
    out = minigrad.einsum("...i,kij,...j->...k", input1, weight, input2)
    return out if bias is None else out + bias


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Tensor:
    """Return the rows of ``weight`` that ``input`` names; no gradient to ``padding_idx``."""
    if padding_idx is not None and padding_idx < 0:
        padding_idx += weight.shape[0]
    return _embedding(weight, input, -1 if padding_idx is None else padding_idx)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return a one in the place of each class, and zeros elsewhere: (*, classes), int64."""
    if tensor.numel() and int(tensor.min()) < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    if tensor.numel() and int(tensor.max()) >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (tensor.unsqueeze(-1) == minigrad.arange(num_classes)).long()


# Softmax ------------------------------------------------------------------------------------------


def _dim(input: Tensor, dim: int | None, name: str) -> int:
    if dim is not None:
        return dim
    import warnings

    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        UserWarning,
        stacklevel=3,
    )
    return 0 if input.ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    """Return the softmax along ``dim``: positive, summing to one."""
    return minigrad.softmax(input, _dim(input, dim, "softmax"), dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    """Return the logarithm of the softmax along ``dim``, computed stably."""
    return minigrad.log_softmax(input, _dim(input, dim, "log_softmax"), dtype=dtype)


def softmin(input: Tensor, dim: int | None = None) -> Tensor:
    """Return the softmax of ``-input``."""
    return minigrad.softmax(-input, _dim(input, dim, "softmin"))


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, dim: int = -1) -> Tensor:
    """Sample a nearly one-hot vector that gradients pass through; ``hard`` goes straight through."""
    noise = -minigrad.empty(*logits.shape, dtype=logits.dtype).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    chosen = minigrad.zeros_like(logits).scatter_(dim, index, 1.0)
    return chosen - soft.detach() + soft


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Return ``input`` divided by its p-norm along ``dim``."""
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Return the cosine of the angle between vectors along ``dim``."""
    lengths = x1.norm(2, dim).clamp_min(eps) * x2.norm(2, dim).clamp_min(eps)
    return (x1 * x2).sum(dim) / lengths


# Dropout and normalization ------------------------------------------------------------------------


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set elements to zero with probability ``p`` and scale the others by ``1 / (1 - p)``."""
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    if p == 1:
        kept = minigrad.zeros_like(input)
    else:
        kept = minigrad.empty_like(input).bernoulli_(1 - p).div_(1 - p)
    return input.mul_(kept) if inplace else input * kept


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Bring the last dimensions, which have the shape ``normalized_shape``, to mean 0 and variance 1."""
    shape = tuple(normalized_shape)
    if tuple(input.shape[-len(shape) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape "
            f"[*, {', '.join(map(str, shape))}], but got input of size{list(input.shape)}"
        )
    return _layer_norm(input, weight, bias, tuple(range(-len(shape), 0)), eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Bring every channel (dimension 1) to mean 0 and variance 1: of this batch, or the running ones."""
    dims = tuple(i for i in range(input.ndim) if i != 1)
    shape = [1, -1] + [1] * (input.ndim - 2)
    if training:
        count = input.numel() // input.shape[1]
        if count <= 1:
            raise ValueError(
                f"Expected more than 1 value per channel when training, got input size {input.size()}"
            )
        mean = input.mean(dims)
        centred = input - mean.reshape(shape)
        variance = (centred * centred).mean(dims)
        if running_mean is not None and running_var is not None:
            with minigrad.no_grad():
                unbiased = variance * (count / (count - 1))
                running_mean.mul_(1 - momentum).add_(mean.detach(), alpha=momentum)
                running_var.mul_(1 - momentum).add_(unbiased.detach(), alpha=momentum)
    else:
        assert running_mean is not None
        assert running_var is not None
        variance = running_var
        centred = input - running_mean.reshape(shape)
    out = centred / (variance + eps).sqrt().reshape(shape)
    if weight is not None:
        out = out * weight.reshape(shape)
    return out if bias is None else out + bias.reshape(shape)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Bring every group of channels of every example to mean 0 and variance 1."""
    if input.shape[1] % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {list(input.shape)} and num_groups={num_groups}"
        )
    grouped = input.reshape(input.shape[0], num_groups, -1)
    out = layer_norm(grouped, (grouped.shape[-1],), eps=eps).reshape(input.shape)
    shape = [1, -1] + [1] * (input.ndim - 2)
    if weight is not None:
        out = out * weight.reshape(shape)
    return out if bias is None else out + bias.reshape(shape)


def adaptive_avg_pool2d(input: Tensor, output_size: Sizes) -> Tensor:
    """Return the means over a grid of ``output_size`` regions of the last two dimensions."""
    height, width = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    rows = [
        minigrad.stack(
            [
                input[..., top:bottom, left:right].mean((-2, -1))
                for left, right in _regions(input.shape[-1], width)
            ],
            -1,
        )
        for top, bottom in _regions(input.shape[-2], height)
    ]
    return minigrad.stack(rows, -2)


def _regions(size: int, parts: int) -> list[tuple[int, int]]:
    return [(i * size // parts, -(-(i + 1) * size // parts)) for i in range(parts)]


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float = 0.0) -> Tensor:
    """Put ``value`` around the last dimensions: ``pad`` is (before, after) for the last one first."""
    if mode != "constant":
        raise NotImplementedError(f"pad() knows mode='constant' alone, not {mode!r}")
    if len(pad) % 2 or len(pad) // 2 > input.ndim:
        raise RuntimeError(
            f"Padding length must be divisible by 2 and fit the input, got {list(pad)}"
        )
    shape, inner = list(input.shape), [slice(None)] * input.ndim
    for i in range(len(pad) // 2):
        before, after = pad[2 * i], pad[2 * i + 1]
        dim = input.ndim - 1 - i
        shape[dim] += before + after
        inner[dim] = slice(max(before, 0), shape[dim] - max(after, 0))
        if before < 0 or after < 0:
            input = input.narrow(
                dim, max(-before, 0), input.shape[dim] + min(before, 0) + min(after, 0)
            )
    whole = minigrad.full(tuple(shape), value, dtype=input.dtype)
    whole[tuple(inner)] = input
    return whole


# Losses -------------------------------------------------------------------------------------------


def _reduce(values: Tensor, reduction: str) -> Tensor:
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "none":
        return values
    return values.mean() if reduction == "mean" else values.sum()


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the absolute differences."""
    return _reduce((input - target).abs(), reduction)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return how little ``softmax(input)`` ([batch,] classes, ...) expects the targets.

    Targets are class numbers, or probabilities in the shape of ``input``.
    """
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    classes = 0 if input.ndim == 1 else 1
    if target.is_floating_point():
        return _soft_cross_entropy(input, target, weight, reduction, label_smoothing, classes)
    if input.ndim > 1 and input.shape[0] != target.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size "
            f"({target.shape[0]})."
        )
    log_p = minigrad.log_softmax(input, classes)
    hard = nll_loss(log_p, target, weight, reduction, ignore_index)
    if not label_smoothing:
        return hard
    weights = minigrad.ones(input.shape[classes], dtype=input.dtype) if weight is None else weight
    shape = [-1 if i == classes else 1 for i in range(input.ndim)]
    smooth = -(log_p * weights.reshape(shape)).sum(classes)
    kept = target != ignore_index
    smooth = smooth.masked_fill(~kept, 0.0)
    if reduction == "sum":
        smooth = smooth.sum()
    elif reduction == "mean":
        counted = weights[target.masked_fill(~kept, 0)] * kept
        smooth = smooth.sum() / counted.sum()
    share = label_smoothing / input.shape[classes]
    return hard * (1 - label_smoothing) + smooth * share


def _soft_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    label_smoothing: float,
    classes: int,
) -> Tensor:
    if input.shape != target.shape:
        raise RuntimeError(
            "Expected floating point type for target with class probabilities, and the shape of the "
            f"input: got {list(target.shape)} for an input of shape {list(input.shape)}"
        )
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / input.shape[classes]
    weighted = target
    if weight is not None:
        weighted = target * weight.reshape([-1 if i == classes else 1 for i in range(input.ndim)])
    values = -(minigrad.log_softmax(input, classes) * weighted).sum(classes)
    if reduction == "mean":
        return values.sum() / max(values.numel(), 1)
    return _reduce(values, reduction)


def kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """Return the divergence of ``target`` from the log-probabilities ``input``, element by element."""
    if log_target:
        values = target.exp() * (target - input)
    else:
        safe = minigrad.where(target > 0, target, minigrad.ones_like(target))
        values = (
            minigrad.where(target > 0, target * safe.log(), minigrad.zeros_like(target))
            - target * input
        )
    if reduction == "batchmean":
        return values.sum() / input.shape[0]
    return _reduce(values, reduction)


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Return values averaged by how well queries fit keys: softmax(Q Kᵀ · scale) V."""
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query @ key.transpose(-2, -1)) * factor
    if is_causal:
        allowed = minigrad.ones(query.shape[-2], key.shape[-2], dtype=minigrad.bool).tril()
        scores = scores.masked_fill(~allowed, float("-inf"))
    if attn_mask is not None:
        if attn_mask.dtype is minigrad.bool:
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        else:
            scores = scores + attn_mask
    return dropout(scores.softmax(-1), dropout_p, dropout_p > 0) @ value


__all__ = [
    "adaptive_avg_pool2d",
    "avg_pool1d",
    "avg_pool2d",
    "batch_norm",
    "bilinear",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "conv1d",
    "conv2d",
    "cosine_similarity",
    "cross_entropy",
    "dropout",
    "elu",
    "embedding",
    "gelu",
    "group_norm",
    "gumbel_softmax",
    "hardtanh",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsigmoid",
    "max_pool1d",
    "max_pool2d",
    "mish",
    "mse_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "relu",
    "relu6",
    "scaled_dot_product_attention",
    "selu",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "softmax",
    "softmin",
    "softplus",
    "softsign",
    "tanh",
    "threshold",
]
