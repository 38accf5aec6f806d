"""Whether operations are recorded: ``no_grad`` and its relatives.

The switch is one value per thread. Each guard works as a context manager and as a decorator (also
without parentheses), as in PyTorch; a decorated generator has the mode inside its own body only.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Generator
from typing import Any, Self, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_CO_GENERATOR = 0x20


class _Mode(threading.local):
    """The switches of a thread: whether operations are recorded, and inference mode.

    In inference mode nothing is ever recorded; ``asked`` is what ``enable_grad`` asked for there.
    """

    enabled = True
    inference = False
    asked = True


mode = _Mode()


def is_grad_enabled() -> bool:
    """Tell whether operations are recorded at this moment, in this thread.

    In inference mode they never are; there it tells whether ``enable_grad`` asked for it, as in
    PyTorch.
    """
    return mode.asked if mode.inference else mode.enabled


def is_inference_mode_enabled() -> bool:
    """Tell whether inference mode is on at this moment, in this thread."""
    return mode.inference


def _ask_for(recording: bool) -> None:
    """Switch recording on or off, as far as inference mode allows."""
    mode.asked = recording
    mode.enabled = recording and not mode.inference


class _Guard:
    """A stretch of code with its own mode: ``enabled`` (and ``inference``) from entry to exit."""

    enabled: bool
    inference: bool | None = None

    def __init__(self) -> None:
        self._earlier: list[tuple[bool, bool, bool]] = []

    def _again(self) -> _Guard:
        """Return a fresh guard alike, so that a decorated function may call itself."""
        return type(self)()

    def _switch(self) -> None:
        if self.inference is not None:
            mode.inference = self.inference
        _ask_for(self.enabled)

    def __enter__(self) -> Self:
        self._earlier.append((mode.enabled, mode.inference, mode.asked))
        self._switch()
        return self

    def __exit__(self, *error: object) -> None:
        mode.enabled, mode.inference, mode.asked = self._earlier.pop()

    def __call__(self, function: F) -> F:
        code = getattr(function, "__code__", None)
        if code is not None and code.co_flags & _CO_GENERATOR:
            return _around_generator(self._again, function)

        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            with self._again():
                return function(*args, **kwargs)

        return guarded  # type: ignore[return-value]


def _around_generator(guard: Callable[[], _Guard], function: F) -> F:
    """Give a generator function the mode while its body runs, and the caller's in between."""

    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        with guard():
            body = function(*args, **kwargs)
        resume: Callable[[], Any] = functools.partial(next, body)
        while True:
            try:
                with guard():
                    item = resume()
            except StopIteration as stop:
                return stop.value
            try:
                sent = yield item
            except GeneratorExit:
                with guard():
                    body.close()
                raise
            except BaseException as error:
                resume = functools.partial(body.throw, error)
            else:
                resume = functools.partial(body.send, sent)

    return guarded  # type: ignore[return-value]


class _BareGuard(_Guard):
    """A guard that may decorate without parentheses: ``@no_grad`` is ``@no_grad()``."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        """Return a guard, or the function that was given, guarded."""
        if function is None:
            return super().__new__(cls)
        return cls()(function)

    def __init__(self, function: None = None) -> None:
        super().__init__()


class no_grad(_BareGuard):  # noqa: N801 - PyTorch's name
    """Record nothing: results require no gradient, whatever their inputs do.

    A tensor's own ``requires_grad`` stays as it is, and leaves may be written in place.
    """

    enabled = False


class enable_grad(_BareGuard):  # noqa: N801 - PyTorch's name
    """Record again, inside a ``no_grad``."""

    enabled = True


class set_grad_enabled(_Guard):  # noqa: N801 - PyTorch's name
    """Switch recording on or off: from the call on, for a ``with`` block, or for a function."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.enabled = bool(mode)
        self._before_call = is_grad_enabled()
        self._switch()

    def _again(self) -> _Guard:
        return set_grad_enabled(self.enabled)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        _ask_for(self._before_call)

    def __call__(self, function: F) -> F:
        """Guard a function, which then is what counts: the mode is as it was before."""
        _ask_for(self._before_call)
        return super().__call__(function)


class inference_mode(_Guard):  # noqa: N801 - PyTorch's name
    """Like ``no_grad``, for good: tensors made inside can never take part in a graph.

    ``inference_mode(False)`` switches the mode off inside a block, and records again there.
    """

    def __new__(cls, mode: Callable[..., Any] | bool = True) -> Any:
        """Return a guard, or the function that was given, guarded."""
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.inference = mode
        self.enabled = not mode

    def _again(self) -> _Guard:
        return inference_mode(bool(self.inference))


__all__ = [
    "enable_grad",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "set_grad_enabled",
]
