"""Layers that bring activations to mean 0 and variance 1."""

from __future__ import annotations

from collections.abc import Sequence

import minigrad
from minigrad import Tensor

from . import functional as F  # noqa: N812 - the field's name for it
from .module import Module
from .parameter import Parameter


class LayerNorm(Module):
    """Normalize each example over its last dimensions, then scale and shift."""

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape, self.eps = tuple(shape), eps
        self.elementwise_affine = elementwise_affine
        scaled = Parameter(minigrad.ones(self.normalized_shape)) if elementwise_affine else None
        self.register_parameter("weight", scaled)
        shifted = elementwise_affine and bias
        self.register_parameter(
            "bias", Parameter(minigrad.zeros(self.normalized_shape)) if shifted else None
        )

    def forward(self, input: Tensor) -> Tensor:
        """Return the normalized input."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Say the shape."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class GroupNorm(Module):
    """Normalize each example over groups of channels, then scale and shift."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        scaled = Parameter(minigrad.ones(num_channels)) if affine else None
        self.register_parameter("weight", scaled)
        shift = Parameter(minigrad.zeros(num_channels)) if affine else None
        self.register_parameter("bias", shift)

    def forward(self, input: Tensor) -> Tensor:
        """Return the normalized input."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Say the sizes."""
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"


class _BatchNorm(Module):
    """Normalize each channel over the batch; in evaluation mode, by the running statistics.

    In training mode the running statistics move with every forward, gradients or not.
    """

    ranks: tuple[int, ...]

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        scaled = Parameter(minigrad.ones(num_features)) if affine else None
        self.register_parameter("weight", scaled)
        shift = Parameter(minigrad.zeros(num_features)) if affine else None
        self.register_parameter("bias", shift)
        track = track_running_stats
        self.register_buffer("running_mean", minigrad.zeros(num_features) if track else None)
        self.register_buffer("running_var", minigrad.ones(num_features) if track else None)
        counted = minigrad.tensor(0) if track else None
        self.register_buffer("num_batches_tracked", counted)

    def forward(self, input: Tensor) -> Tensor:
        """Return the normalized input, (batch, ``num_features``, ...)."""
        if input.ndim not in self.ranks:
            expected = " or ".join(f"{rank}D" for rank in self.ranks)
            raise ValueError(f"expected {expected} input (got {input.ndim}D input)")
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
        return F.batch_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum,
            self.eps,
        )

    def extra_repr(self) -> str:
        """Say the sizes."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Normalize (batch, features) or (batch, features, length) by batch."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalize (batch, features, height, width) by batch."""

    ranks = (4,)


__all__ = ["BatchNorm1d", "BatchNorm2d", "GroupNorm", "LayerNorm"]
