"""Parameters: leaves that a module finds among its attributes, and an optimizer changes."""

from __future__ import annotations

from typing import Any

from minigrad import Tensor, empty


def _alias(data: Tensor | None, kind: type[Any]) -> Any:
    """Return a leaf of class ``kind`` on the memory of ``data``."""
    if data is not None and not isinstance(data, Tensor):
        raise AttributeError(
            f"{kind.__name__}(): data must be a Tensor, but '{type(data).__name__}' object has no "
            "attribute 'detach': make a tensor of it with minigrad.tensor(...)"
        )
    leaf = (empty(0) if data is None else data).detach()
    leaf.__class__ = kind
    return leaf


class Parameter(Tensor):
    """A tensor that a ``Module`` registers when it becomes an attribute; it requires grad.

    It is a leaf on the memory of ``data``. Mirrors ``torch.nn.Parameter``.
    """

    __slots__ = ()

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        """Return a leaf on the memory of ``data``."""
        leaf = _alias(data, cls)
        leaf.requires_grad_(requires_grad)
        return leaf

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None:
        """Do nothing: ``__new__`` has made the parameter."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        copied = super().__deepcopy__(memo)
        copied.grad = None  # a tensor's gradient is copied along, a parameter's is not
        return copied

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


class Buffer(Tensor):
    """A tensor that a ``Module`` keeps and saves, but does not train. Mirrors ``torch.nn.Buffer``."""

    __slots__ = ()

    persistent: bool

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Any:
        """Return a plain tensor on the memory of ``data``."""
        buffer = _alias(data, cls)
        buffer.persistent = persistent
        return buffer

    def __init__(self, data: Tensor | None = None, *, persistent: bool = True) -> None:
        """Do nothing: ``__new__`` has made the buffer."""
