"""Anomaly detection: every operation remembers the lines that called it, and backward looks for nan.

When backward fails, a warning then shows where in the program the operation was, whose backward it
is. It costs time, so it is off unless asked for. Mirrors ``torch.autograd.detect_anomaly``.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import recorder
from .graph import Node
from .recorder import Listener
from .tensor import Tensor

_KEY = "traceback_"


class _Watch(Listener):
    """Notes the lines of forward at every new node, and looks at every gradient."""

    def __init__(self, check_nan: bool) -> None:
        self.check_nan = check_nan

    def op(self, op: Any, args: tuple[Any, ...], result: Any) -> None:
        """Note where the operation was called."""
        for each in result if isinstance(result, tuple) else (result,):
            self._note(each)

    def write(self, op: Any, target: Any, args: tuple[Any, ...], name: str) -> None:
        """Note where the write was called."""
        self._note(target)

    def _note(self, tensor: Any) -> None:
        node = tensor._grad_fn if isinstance(tensor, Tensor) else None
        if node is not None and _KEY not in node.metadata:
            import traceback  # rarely needed

            lines = traceback.format_stack()
            package = __file__.rpartition("engine")[0]
            node.metadata[_KEY] = [line for line in lines if package not in line]

    def step(self, node: Any, g: Any, grads: Any) -> None:
        """Raise if a gradient is not a number."""
        if not self.check_nan:
            return
        for number, each in enumerate(grads):
            array = each.array if isinstance(each, Tensor) else each
            if array is not None and np.isnan(array).any():
                error = RuntimeError(
                    f"Function '{node.name()}' returned nan values in its {number}th output."
                )
                self.failed(node, error)
                raise error

    def failed(self, node: Any, error: BaseException) -> None:
        """Show where the operation was called whose backward failed."""
        lines = node.metadata.get(_KEY)
        if lines is None:
            text = (
                f"Error detected in {node.name()}. No forward pass information available. Enable "
                "detect anomaly during forward pass for more information."
            )
        else:
            text = (
                f"Error detected in {node.name()}. Traceback of forward call that caused the "
                f"error:\n{''.join(lines)}"
            )
        warnings.warn(text, UserWarning, stacklevel=2)


_watch: _Watch | None = None


def is_anomaly_enabled() -> bool:
    """Tell whether anomaly detection is on."""
    return _watch is not None


def is_anomaly_check_nan_enabled() -> bool:
    """Tell whether backward looks for nan."""
    return _watch is not None and _watch.check_nan


def _switch(on: bool, check_nan: bool) -> None:
    global _watch
    if _watch is not None:
        recorder.leave(_watch)
    _watch = _Watch(check_nan) if on else None
    if _watch is not None:
        recorder.listen(_watch)


class set_detect_anomaly:  # noqa: N801 - PyTorch's name
    """Switch anomaly detection on or off: from the call on, or for a ``with`` block."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._earlier = (is_anomaly_enabled(), is_anomaly_check_nan_enabled())
        _switch(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        _switch(*self._earlier)


class detect_anomaly:  # noqa: N801 - PyTorch's name
    """Detect anomalies inside a ``with`` block."""

    def __init__(self, check_nan: bool = True) -> None:
        self._check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only "
            "be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._earlier = (is_anomaly_enabled(), is_anomaly_check_nan_enabled())
        _switch(True, self._check_nan)

    def __exit__(self, *error: object) -> None:
        _switch(*self._earlier)


def forward_lines(node: Node) -> list[str] | None:
    """Return the lines of the program that made a node, if anomaly detection was on then."""
    found: list[str] | None = node.metadata.get(_KEY)
    return found


__all__ = [
    "detect_anomaly",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "set_detect_anomaly",
]
