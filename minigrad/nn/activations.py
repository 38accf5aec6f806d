"""Activations as modules, for ``Sequential``."""

from __future__ import annotations

from minigrad import Tensor

from . import functional as F  # noqa: N812 - the field's name for it
from .module import Module


class ReLU(Module):
    """Replace negative elements by 0."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Return the elements, with negative ones replaced by 0."""
        return input.relu_() if self.inplace else input.relu()

    def extra_repr(self) -> str:
        """Say whether it works in place."""
        return "inplace=True" if self.inplace else ""


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Tensor) -> Tensor:
        """Return the hyperbolic tangents."""
        return input.tanh()


class Sigmoid(Module):
    """The logistic function."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``1 / (1 + exp(-x))``."""
        return input.sigmoid()


class LeakyReLU(Module):
    """Multiply negative elements by ``negative_slope``."""

    def __init__(self, negative_slope: float = 0.01) -> None:
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, input: Tensor) -> Tensor:
        """Return the elements, with negative ones scaled."""
        return F.leaky_relu(input, self.negative_slope)

    def extra_repr(self) -> str:
        """Say the slope."""
        return f"negative_slope={self.negative_slope}"


class ELU(Module):
    """The exponential linear unit."""

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, input: Tensor) -> Tensor:
        """Return the elements, with negative ones replaced by ``alpha * (exp(x) - 1)``."""
        return F.elu(input, self.alpha)

    def extra_repr(self) -> str:
        """Say alpha."""
        return f"alpha={self.alpha}"


class SELU(Module):
    """The scaled exponential linear unit."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``selu(input)``."""
        return F.selu(input)


class GELU(Module):
    """The Gaussian error linear unit."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """Return ``gelu(input)``."""
        return F.gelu(input, self.approximate)

    def extra_repr(self) -> str:
        """Say how it is computed."""
        return f"approximate={self.approximate!r}"


class SiLU(Module):
    """``x * sigmoid(x)``."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``silu(input)``."""
        return F.silu(input)


class Mish(Module):
    """``x * tanh(softplus(x))``."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``mish(input)``."""
        return F.mish(input)


class ReLU6(Module):
    """Limit the elements to between 0 and 6."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``relu6(input)``."""
        return F.relu6(input)


class Softplus(Module):
    """A smooth ReLU."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        """Return ``softplus(input)``."""
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """Say beta and threshold."""
        return f"beta={self.beta}, threshold={self.threshold}"


class Softsign(Module):
    """``x / (1 + |x|)``."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``softsign(input)``."""
        return F.softsign(input)


class LogSigmoid(Module):
    """The logarithm of the sigmoid."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``logsigmoid(input)``."""
        return F.logsigmoid(input)


class Hardtanh(Module):
    """Limit the elements to between ``min_val`` and ``max_val``."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0) -> None:
        super().__init__()
        self.min_val, self.max_val = min_val, max_val

    def forward(self, input: Tensor) -> Tensor:
        """Return ``hardtanh(input)``."""
        return F.hardtanh(input, self.min_val, self.max_val)

    def extra_repr(self) -> str:
        """Say the limits."""
        return f"min_val={self.min_val}, max_val={self.max_val}"


class _AlongDim(Module):
    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        """Say along which dimension."""
        return f"dim={self.dim}"


class Softmax(_AlongDim):
    """The softmax along ``dim``."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``softmax(input, dim)``."""
        return F.softmax(input, self.dim)


class LogSoftmax(_AlongDim):
    """The logarithm of the softmax along ``dim``."""

    def forward(self, input: Tensor) -> Tensor:
        """Return ``log_softmax(input, dim)``."""
        return F.log_softmax(input, self.dim)


__all__ = [
    "ELU",
    "GELU",
    "SELU",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Softsign",
    "Tanh",
]
