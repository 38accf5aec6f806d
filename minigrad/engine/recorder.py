"""Who listens to every operation, if anybody does.

``active`` is None as long as nothing is being recorded for pictures; the engine asks once an
operation and otherwise knows nothing of the listener.
"""

from __future__ import annotations

from typing import Any, Protocol


class Recorder(Protocol):
    """What the engine tells a listener."""

    def op(self, op: Any, args: tuple[Any, ...], result: Any) -> None:
        """Tell that an operation has computed ``result``, recorded or not."""

    def write(self, op: Any, target: Any, args: tuple[Any, ...]) -> None:
        """Tell that ``target`` was written in place."""

    def detach(self, source: Any, result: Any) -> None:
        """Tell that ``result`` was cut off from ``source``."""

    def step(self, node: Any, g: Any, grads: Any) -> None:
        """Tell that backward went through one node."""


active: Recorder | None = None
