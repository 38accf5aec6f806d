"""What the vjps of several families have in common. All of it works on arrays and on tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import Op
from ..tensor import Tensor, new_tensor


def zeros(g: Any) -> Any:
    """Return zeros in the place of a gradient: for steps, along which nothing flows."""
    return new_tensor(np.zeros_like(g.array)) if isinstance(g, Tensor) else np.zeros_like(g)


def constant(values: Any, g: Any) -> Any:
    """Return an array as what travels beside ``g``: an array, or a tensor without a history."""
    return new_tensor(values) if isinstance(g, Tensor) else values


def masked(g: Any, mask: Any) -> Any:
    """Return ``g`` where the mask is true, and zero elsewhere (even in the place of nan and inf)."""
    return _masked(g, mask) if isinstance(g, Tensor) else np.where(mask, g, g.dtype.type(0))


_masked = Op(
    "WhereBackward0",
    lambda x, mask: np.where(mask, x, x.dtype.type(0)),
    x=lambda g, mask: masked(g, mask),
    mask=None,
)


def blocked(g: Any, mask: Any) -> Any:
    """Return zero where the mask is true, and ``g`` elsewhere."""
    return _blocked(g, mask) if isinstance(g, Tensor) else np.where(mask, g.dtype.type(0), g)


_blocked = Op(
    "WhereBackward0",
    lambda x, mask: np.where(mask, x.dtype.type(0), x),
    x=lambda g, mask: blocked(g, mask),
    mask=None,
)


def no_derivative(function: str, hint: str) -> Any:
    """Return a vjp that refuses: PyTorch has no derivative of this function either."""

    def vjp(g: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{function} is not implemented. {hint}")

    return vjp
