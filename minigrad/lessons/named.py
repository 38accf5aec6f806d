"""The arguments of a check, each with the words the learner has for it.

A check that is called as ``check.no_path(d, x)`` speaks of ``d`` and ``x``. Python knows where in
the source a call that is running stands; the arguments are read there.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import FrameType
from typing import Any

from minigrad.picture.names import variables_of


@dataclass(frozen=True)
class Named:
    """A value, what its owner calls it, and the variables around it."""

    name: str
    value: Any
    scope: Mapping[str, object] = field(default_factory=dict)


def named(frame: FrameType, values: tuple[object, ...]) -> tuple[Named, ...]:
    """Name the arguments ``values`` of the call that ``frame`` is busy with.

    Where the source cannot be read, a value goes by the name of a variable that holds it.
    """
    scope = variables_of(frame)
    names = _argument_sources(frame)
    if len(names) != len(values):
        names = [_variable_with(value, scope) for value in values]
    return tuple(Named(name, value, scope) for name, value in zip(names, values, strict=True))


def _variable_with(value: object, scope: Mapping[str, object]) -> str:
    return next((name for name, other in scope.items() if other is value), "?")


def _argument_sources(frame: FrameType) -> list[str]:
    """Read the arguments of the running call as they are written; nothing if that fails."""
    source = _running_source(frame)
    try:
        call = ast.parse(f"({source})", mode="eval").body
    except (SyntaxError, ValueError):
        return []
    if not isinstance(call, ast.Call):
        return []
    return [_short(argument) for argument in (*call.args, *(word.value for word in call.keywords))]


def _short(argument: ast.expr) -> str:
    """Write an argument; of a function without arguments, what it does."""
    return ast.unparse(argument.body if isinstance(argument, ast.Lambda) else argument)


def _running_source(frame: FrameType) -> str:
    """Cut from the source what is being run: lines from 1, columns in bytes, as Python counts."""
    positions = frame.f_code.co_positions()
    first, last, start, end = next(islice(positions, frame.f_lasti // 2, None))
    if first is None or last is None or start is None or end is None:
        return ""
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)[first - 1 : last]
    encoded = [line.encode() for line in lines]
    if not encoded:
        return ""
    encoded[-1] = encoded[-1][:end]
    encoded[0] = encoded[0][start:]
    return b"".join(encoded).decode()
