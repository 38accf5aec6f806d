"""Plain values: reading them out of whatever a learner made, comparing them, writing them down."""

from __future__ import annotations

import math
from typing import Any

from minigrad.lessons.speech import prose

_MOST = 8
"""How many elements of a list are written; the others are an ellipsis."""


def plain(value: Any) -> Any:
    """Return numbers, and lists of them, in place of tensors and arrays; the rest as it is."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def alike(one: Any, other: Any) -> bool:
    """Tell whether two values are the same, numbers up to the rounding of float32."""
    one, other = plain(one), plain(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        both_nan = math.isnan(one) and math.isnan(other)
        return both_nan or math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-7)
    return type(one) is type(other) and bool(one == other)


def scaled(value: Any, factor: float) -> Any:
    """Return ``value`` with each of its numbers multiplied by ``factor``."""
    value = plain(value)
    if isinstance(value, list):
        return [scaled(item, factor) for item in value]
    return value * factor if isinstance(value, int | float) else value


def shape(value: Any) -> tuple[int, ...]:
    """Return the lengths of nested lists, from the outermost to the innermost first one."""
    value = plain(value)
    if not isinstance(value, list):
        return ()
    return (len(value), *(shape(value[0]) if value else ()))


def written(value: Any) -> str:
    """Write a value on one line, the same on every machine."""
    value = plain(value)
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float):
        return f"{value:.6g}"
    if isinstance(value, list):
        shown = [written(item) for item in value[:_MOST]]
        return f"[{', '.join(shown + ['…'] * (len(value) > _MOST))}]"
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {first_line(value)}"
    if isinstance(value, str):
        return prose(value) or " ".join(value.split())
    return type(value).__name__


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    return next(iter(str(error).splitlines()), "")
