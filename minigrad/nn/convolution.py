"""Convolutions and pooling as modules."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import minigrad
from minigrad import Tensor

from . import functional as F  # noqa: N812 - the field's name for it
from . import init
from .module import Module
from .parameter import Parameter

Sizes = int | Sequence[int]


def _sizes(value: Sizes, rank: int) -> tuple[int, ...]:
    return (value,) * rank if isinstance(value, int) else tuple(value)


class _Convolution(Module):
    rank: int
    function: Callable[..., Tensor]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | str = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size = _sizes(kernel_size, self.rank)
        self.stride, self.dilation = _sizes(stride, self.rank), _sizes(dilation, self.rank)
        self.padding = padding if isinstance(padding, str) else _sizes(padding, self.rank)
        weight = minigrad.empty(out_channels, in_channels // groups, *self.kernel_size)
        self.weight = Parameter(weight)
        if bias:
            self.bias = Parameter(minigrad.empty(out_channels))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias evenly within ``1 / sqrt(fan_in)``."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            init.fan_in_bias_(self.bias, self.weight)

    def forward(self, input: Tensor) -> Tensor:
        """Return the convolution of ``input`` with the weight."""
        return type(self).function(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )

    def extra_repr(self) -> str:
        """Say the sizes, and what differs from the defaults."""
        parts = [f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"]
        parts.append(f"stride={self.stride}")
        if self.padding != (0,) * self.rank:
            parts.append(f"padding={self.padding!r}")
        if self.dilation != (1,) * self.rank:
            parts.append(f"dilation={self.dilation}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        return ", ".join(parts)


class Conv1d(_Convolution):
    """Slide filters over ([batch,] ``in_channels``, length)."""

    rank = 1
    function = staticmethod(F.conv1d)


class Conv2d(_Convolution):
    """Slide filters over ([batch,] ``in_channels``, height, width)."""

    rank = 2
    function = staticmethod(F.conv2d)


class _Pooling(Module):
    function: Callable[..., Any]

    def __init__(self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> None:
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = kernel_size if stride is None else stride

    def forward(self, input: Tensor) -> Tensor:
        """Return the pooled input."""
        return type(self).function(input, self.kernel_size, self.stride, self.padding)

    def extra_repr(self) -> str:
        """Say the sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxPool1d(_Pooling):
    """The largest element of every window."""

    function = staticmethod(F.max_pool1d)

    def extra_repr(self) -> str:
        """Say the sizes."""
        return super().extra_repr() + ", dilation=1, ceil_mode=False"


class MaxPool2d(_Pooling):
    """The largest element of every window."""

    function = staticmethod(F.max_pool2d)

    def extra_repr(self) -> str:
        """Say the sizes."""
        return super().extra_repr() + ", dilation=1, ceil_mode=False"


class AvgPool1d(_Pooling):
    """The mean of every window."""

    function = staticmethod(F.avg_pool1d)


class AvgPool2d(_Pooling):
    """The mean of every window."""

    function = staticmethod(F.avg_pool2d)


class AdaptiveAvgPool2d(Module):
    """Means over a grid of regions, whatever the size of the input."""

    def __init__(self, output_size: Sizes) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """Return the means, (*, ``output_size``)."""
        return F.adaptive_avg_pool2d(input, self.output_size)

    def extra_repr(self) -> str:
        """Say the size of the grid."""
        return f"output_size={self.output_size}"


__all__ = [
    "AdaptiveAvgPool2d",
    "AvgPool1d",
    "AvgPool2d",
    "Conv1d",
    "Conv2d",
    "MaxPool1d",
    "MaxPool2d",
]
