"""A chain of a thousand small operations, as each library writes it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

STEPS = 500
"""Each step of a chain is two operations."""

Step = Callable[[Any, Any, Any], Any]


def _numbers(y: Any, a: Any, b: Any) -> Any:
    return y * 1.001 + 0.001


def _tensors(y: Any, a: Any, b: Any) -> Any:
    return y * a + b


def _functions(y: Any, a: Any, b: Any) -> Any:
    return (y * a).relu()


def _program(step: Step) -> Callable[[str, bool], Callable[[], object] | None]:
    def build(library: str, backward: bool) -> Callable[[], object] | None:
        return _BUILDERS[library](step, backward) if library in _BUILDERS else None

    return build


def _like_torch(name: str) -> Callable[[Step, bool], Callable[[], object]]:
    def build(step: Step, backward: bool) -> Callable[[], object]:
        library = import_module(name)
        x, a, b = (
            library.tensor(values, requires_grad=True)
            for values in ([1.0, 2.0, 3.0], [0.5, 0.9, 1.01], [0.1, 0.2, 0.3])
        )

        def forward() -> Any:
            y = x
            for _ in range(STEPS):
                y = step(y, a, b)
            return y

        def both() -> None:
            forward().sum().backward()
            x.grad = a.grad = b.grad = None

        return both if backward else forward

    return build


def _autograd(step: Step, backward: bool) -> Callable[[], object] | None:
    """HIPS autograd records only while it differentiates, so it has no forward of its own."""
    if step is _functions or not backward:
        return None
    numpy = import_module("autograd.numpy")
    grad = import_module("autograd").grad
    x, a, b = (
        numpy.array(values, dtype="float32")
        for values in ([1.0, 2.0, 3.0], [0.5, 0.9, 1.01], [0.1, 0.2, 0.3])
    )

    def loss(x: Any, a: Any, b: Any) -> Any:
        y = x
        for _ in range(STEPS):
            y = step(y, a, b)
        return numpy.sum(y)

    gradient = grad(loss, (0, 1, 2))
    return lambda: gradient(x, a, b)


def _micrograd(step: Step, backward: bool) -> Callable[[], object]:
    """Micrograd computes with single numbers: a third of the work."""
    value = import_module("micrograd.engine").Value
    x, a, b = value(1.0), value(0.5), value(0.1)

    def forward() -> Any:
        y = x
        for _ in range(STEPS):
            y = step(y, a, b)
        return y

    return (lambda: forward().backward()) if backward else forward


_BUILDERS: dict[str, Callable[[Step, bool], Callable[[], object] | None]] = {
    "minigrad": _like_torch("minigrad"),
    "torch": _like_torch("torch"),
    "autograd": _autograd,
    "micrograd": _micrograd,
}

CHAINS = {
    "y * 1.001 + 0.001": _program(_numbers),
    "y * a + b": _program(_tensors),
    "(y * a).relu()": _program(_functions),
}
