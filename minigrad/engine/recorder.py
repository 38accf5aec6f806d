"""Who listens to every operation, if anybody does.

``active`` is None as long as nobody listens; the engine asks once an operation, and otherwise knows
nothing of its listeners. Listeners are told after the fact, and change nothing.
"""

from __future__ import annotations

import threading
from typing import Any


class Listener:
    """What the engine tells: a listener overrides what it wants to hear."""

    def op(self, op: Any, args: tuple[Any, ...], result: Any) -> None:
        """Hear that an operation has computed ``result`` (a tensor or a tuple), recorded or not."""

    def write(self, op: Any, target: Any, args: tuple[Any, ...], name: str) -> None:
        """Hear that ``target`` was written in place, by the operation called ``name``."""

    def detach(self, source: Any, result: Any) -> None:
        """Hear that ``result`` was cut off from ``source``; the same tensor after ``detach_``."""

    def begin(self, roots: Any, gradients: Any) -> None:
        """Hear that backward sets out from ``roots``, with these gradients."""

    def step(self, node: Any, g: Any, grads: Any) -> None:
        """Hear that backward went through one node: what came in, and what goes out by its edges."""

    def accumulated(self, leaf: Any, g: Any) -> None:
        """Hear that ``g`` was added to the ``.grad`` of a tensor."""

    def freed(self, node: Any) -> None:
        """Hear that a node has let go of what it had saved."""

    def failed(self, node: Any, error: BaseException) -> None:
        """Hear that backward failed at a node."""

    def end(self) -> None:
        """Hear that backward is over, however it ended."""


class _Everybody(Listener):
    """All listeners at once, each in the thread that it listens to."""

    def __init__(self, listeners: list[tuple[Listener, int]]) -> None:
        self._listeners = tuple(listeners)

    def _here(self) -> list[Listener]:
        thread = threading.get_ident()
        return [listener for listener, home in self._listeners if home == thread]

    def op(self, op: Any, args: tuple[Any, ...], result: Any) -> None:
        for listener in self._here():
            listener.op(op, args, result)

    def write(self, op: Any, target: Any, args: tuple[Any, ...], name: str) -> None:
        for listener in self._here():
            listener.write(op, target, args, name)

    def detach(self, source: Any, result: Any) -> None:
        for listener in self._here():
            listener.detach(source, result)

    def begin(self, roots: Any, gradients: Any) -> None:
        for listener in self._here():
            listener.begin(roots, gradients)

    def step(self, node: Any, g: Any, grads: Any) -> None:
        for listener in self._here():
            listener.step(node, g, grads)

    def accumulated(self, leaf: Any, g: Any) -> None:
        for listener in self._here():
            listener.accumulated(leaf, g)

    def freed(self, node: Any) -> None:
        for listener in self._here():
            listener.freed(node)

    def failed(self, node: Any, error: BaseException) -> None:
        for listener in self._here():
            listener.failed(node, error)

    def end(self) -> None:
        for listener in self._here():
            listener.end()


active: Listener | None = None

_listeners: list[tuple[Listener, int]] = []


def listen(listener: Listener) -> None:
    """Tell ``listener`` of all that this thread does from now on."""
    _listeners.append((listener, threading.get_ident()))
    _renew()


def leave(listener: Listener) -> None:
    """Tell ``listener`` nothing any more; harmless if it was not told anything."""
    _listeners[:] = [(each, home) for each, home in _listeners if each is not listener]
    _renew()


def _renew() -> None:
    global active
    active = _Everybody(_listeners) if _listeners else None
