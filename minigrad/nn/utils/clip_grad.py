"""Clipping gradients before a step, in place."""

from __future__ import annotations

from collections.abc import Iterable

import minigrad
from minigrad import Tensor


def _with_grads(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    several = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [each.grad for each in several if each.grad is not None]


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
) -> Tensor:
    """Scale all gradients so that their norm, taken together, is at most ``max_norm``.

    Returns the norm that they had before.
    """
    grads = _with_grads(parameters)
    if not grads:
        return minigrad.tensor(0.0)
    with minigrad.no_grad():
        norms = minigrad.stack([each.detach().norm(norm_type) for each in grads])
        total = norms.norm(norm_type)
        if error_if_nonfinite and not bool(total.isfinite()):
            raise RuntimeError(
                f"The total norm of order {float(norm_type)} for gradients from `parameters` is "
                "non-finite, so it cannot be clipped. To disable this error and scale the gradients "
                "by the non-finite norm anyway, set `error_if_nonfinite=False`"
            )
        factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for each in grads:
            each.mul_(factor)
    return total


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Limit every element of the gradients to between ``-clip_value`` and ``clip_value``."""
    with minigrad.no_grad():
        for each in _with_grads(parameters):
            each.clamp_(-float(clip_value), float(clip_value))
