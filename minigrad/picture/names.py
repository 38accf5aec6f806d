"""What the caller calls things: the names of the variables in a frame, without touching any."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any, TypeVar

T = TypeVar("T")

# What IPython keeps for itself: In, Out, _, __, ___, _1, _i, _ii, _i3, _ih, _oh, _dh, exit, quit.
_IPYTHON = re.compile(r"_+|_\d+|_i+|_i\d+|_ih|_oh|_dh|_exit_code|In|Out|exit|quit|__\w+__")


def variables_of(
    frame: FrameType, keep: Callable[[object], bool] = lambda value: True
) -> dict[str, object]:
    """Return the variables that the code in ``frame`` sees and ``keep`` says yes to.

    The local ones first, in order of definition, then those of the module. Names that IPython
    keeps for itself are left out. When two names hold the same object the first one wins;
    ``aliases_of`` tells the others.
    """
    return _first_names(_scopes(frame), keep)


def aliases_of(
    frame: FrameType, keep: Callable[[object], bool] = lambda value: True
) -> dict[str, tuple[str, ...]]:
    """Return, for each name of ``variables_of``, the later names that hold the same object."""
    aliases: dict[str, tuple[str, ...]] = {}
    for name, _, first in _named(_scopes(frame), keep):
        if first != name:
            aliases[first] = (*aliases.get(first, ()), name)
    return aliases


def call_and_see(
    fn: Callable[..., T], values: Mapping[str, Any], keep: Callable[[object], bool]
) -> tuple[T, dict[str, object]]:
    """Call ``fn(**values)``; return its result and the local variables it had when it returned.

    A profile function listens for the one return that matters, and whoever profiled before goes on
    doing so afterwards, also when ``fn`` raises. Without Python code of its own (a builtin) a
    function has no variables to see.
    """
    code = _code_of(fn)
    if code is None:
        return fn(**values), {}
    seen: dict[str, object] = {}
    previous = sys.getprofile()
    caller = sys._getframe()

    def listen(frame: FrameType, event: Any, argument: object) -> None:
        # The last return wins: a function that calls itself returns last from the outermost call.
        if event == "return" and frame.f_code is code:
            seen.clear()
            seen.update(_first_names([frame.f_locals], keep))
        if previous is not None and frame is not caller:
            previous(frame, event, argument)

    sys.setprofile(listen)
    try:
        result = fn(**values)
    finally:
        sys.setprofile(previous)
    return result, seen


def _scopes(frame: FrameType) -> list[Mapping[str, object]]:
    """List where a name is looked up: in a module or a notebook cell the two are the same."""
    here, module = frame.f_locals, frame.f_globals
    return [here] if here is module else [here, module]


def _first_names(
    scopes: Sequence[Mapping[str, object]], keep: Callable[[object], bool]
) -> dict[str, object]:
    return {name: value for name, value, first in _named(scopes, keep) if first == name}


def _named(
    scopes: Sequence[Mapping[str, object]], keep: Callable[[object], bool]
) -> list[tuple[str, object, str]]:
    """List name, value and the first name of that value, in order of definition."""
    names: dict[str, object] = {}
    for scope in scopes:
        for name, value in tuple(scope.items()):
            if name not in names and not _IPYTHON.fullmatch(name) and keep(value):
                names[name] = value
    first: dict[int, str] = {}
    return [(name, value, first.setdefault(id(value), name)) for name, value in names.items()]


def _code_of(fn: Callable[..., object]) -> CodeType | None:
    """Find the Python code of a function, a method, a partial, or an object with ``__call__``."""
    inner: object = fn
    while hasattr(inner, "func"):
        inner = inner.func
    inner = getattr(inner, "__wrapped__", inner)
    function = getattr(inner, "__func__", inner)
    if not hasattr(function, "__code__"):
        function = getattr(type(inner).__call__, "__func__", type(inner).__call__)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None
