"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

import minigrad
from minigrad import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Return all parameters, one after another, in one vector; recorded."""
    return minigrad.cat([each.reshape(-1) for each in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let the parameters look into a vector, each at its part."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    start = 0
    for each in parameters:
        size = each.numel()
        each.data = vec[start : start + size].view_as(each).data
        start += size
