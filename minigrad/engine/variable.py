"""``autograd.Variable`` as it is today: a name for tensors, kept so that old code still runs.

The ``Variable`` of PyTorch 0.1 to 0.3, with its ``volatile`` flag at work, is in
``minigrad.history``.
"""

from __future__ import annotations

import warnings
from typing import Any

from .tensor import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)

    def __call__(
        cls, data: Tensor | None = None, requires_grad: bool = False, volatile: bool = False
    ) -> Any:
        if volatile:
            warnings.warn(
                "volatile was removed and now has no effect. Use `with minigrad.no_grad():` instead.",
                UserWarning,
                stacklevel=2,
            )
        if volatile and requires_grad:
            raise ValueError("Variable can't be volatile and require_grad at the same time!")
        if data is None:
            return Tensor()
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        return data.detach().requires_grad_(requires_grad)


class Variable(metaclass=_VariableMeta):
    """Return the tensor ``data`` itself, detached, with ``requires_grad`` as asked.

    ``isinstance(t, Variable)`` is True for every tensor; ``volatile`` warns and has no effect.
    """


__all__ = ["Variable"]
