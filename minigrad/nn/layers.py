"""Layers: linear ones, embeddings, dropout, and those that only reshape."""

from __future__ import annotations

import math
from typing import Any

import minigrad
from minigrad import Tensor

from . import functional as F  # noqa: N812 - the field's name for it
from . import init
from .module import Module
from .parameter import Parameter


class Identity(Module):
    """Return the input; arguments are ignored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """Return ``input``."""
        return input


class Linear(Module):
    """``x @ weight.T + bias``: (*, ``in_features``) to (*, ``out_features``)."""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(minigrad.empty(out_features, in_features, dtype=dtype))
        if bias:
            self.bias = Parameter(minigrad.empty(out_features, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias evenly within ``1 / sqrt(in_features)``."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            init.fan_in_bias_(self.bias, self.weight)

    def forward(self, input: Tensor) -> Tensor:
        """Return ``input @ weight.T + bias``."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Say the sizes."""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Bilinear(Module):
    """``x1 @ weight[k] @ x2 + bias[k]`` for each output k."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True
    ) -> None:
        super().__init__()
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features = out_features
        bound = 1 / math.sqrt(in1_features)
        weight = minigrad.empty(out_features, in1_features, in2_features)
        self.weight = Parameter(init.uniform_(weight, -bound, bound))
        if bias:
            self.bias = Parameter(init.uniform_(minigrad.empty(out_features), -bound, bound))
        else:
            self.register_parameter("bias", None)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """Return the bilinear form of the two."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Say the sizes."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )


class Embedding(Module):
    """A table of ``num_embeddings`` rows to look up by number."""

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None
    ) -> None:
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = padding_idx
        self.weight = Parameter(minigrad.empty(num_embeddings, embedding_dim))
        self.reset_parameters()

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None
    ) -> Embedding:
        """Return an embedding with the given table, which by default does not learn."""
        rows, size = embeddings.shape
        made = cls(rows, size, padding_idx=padding_idx)
        made.weight = Parameter(embeddings, requires_grad=not freeze)
        return made

    def reset_parameters(self) -> None:
        """Draw the rows from the standard normal distribution; the padding row is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with minigrad.no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        """Return the rows that ``input`` names: (*, ``embedding_dim``)."""
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        """Say the sizes."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class Dropout(Module):
    """Set elements to zero with probability ``p`` while training; do nothing otherwise."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        """Return ``dropout(input)`` in training mode, ``input`` in evaluation mode."""
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        """Say p."""
        return f"p={self.p}, inplace={self.inplace}"


class Flatten(Module):
    """Make one dimension of a range of them; by default all but the batch."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """Return ``input.flatten(start_dim, end_dim)``."""
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """Say the range."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Make several dimensions of one."""

    def __init__(self, dim: int, unflattened_size: tuple[int, ...]) -> None:
        super().__init__()
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        """Return ``input`` with dimension ``dim`` in its new shape."""
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """Say the shape."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


__all__ = [
    "Bilinear",
    "Dropout",
    "Embedding",
    "Flatten",
    "Identity",
    "Linear",
    "Unflatten",
]
