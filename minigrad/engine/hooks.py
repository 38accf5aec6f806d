"""Handles for hooks: what ``register_hook`` returns, to take the hook away again."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

_next_key = itertools.count().__next__


class Handle:
    """A registered hook; ``remove()`` takes it away. Also a context manager that removes on exit."""

    __slots__ = ("_hooks", "_key")

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self._hooks = hooks
        self._key = _next_key()
        hooks[self._key] = hook

    def remove(self) -> None:
        """Take the hook away; again is harmless."""
        self._hooks.pop(self._key, None)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()
