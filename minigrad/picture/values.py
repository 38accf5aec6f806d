"""Numbers as PyTorch prints them: ``[2., 4., 6.]``, else four decimals, or scientific."""

from __future__ import annotations

import math
from collections.abc import Sequence

from minigrad.snapshot import Scalar

EDGE_ITEMS = 3
"""How many values stand at each end of a row that is too long to be shown whole."""

MAX_ITEMS = 6
"""The longest row, and the most rows, that are shown whole."""

ELLIPSIS = "..."


def format_numbers(values: Sequence[Scalar]) -> tuple[str, ...]:
    """Return one text for each value, all in the one style that PyTorch would choose for them.

    Examples
    --------
    >>> format_numbers([2.0, 4.0])
    ('2.', '4.')
    >>> format_numbers([0.5, 4.0])
    ('0.5000', '4.0000')
    """
    floats = [value for value in values if isinstance(value, float)]
    sizes = [abs(value) for value in floats if value != 0 and math.isfinite(value)]
    whole = all(size == math.floor(size) for size in sizes)
    low, high = min(sizes, default=1.0), max(sizes, default=1.0)
    scientific = bool(sizes) and (high / low > 1000 or high > 1e8 or low < 1e-4)
    return tuple(_format(value, whole, scientific) for value in values)


def lines(values: Sequence[Scalar], shape: tuple[int, ...]) -> tuple[str, ...]:
    """Return the values of a tensor as PyTorch lays them out, one text for each line.

    ``values`` may be fewer than ``shape`` asks for: then they are the first ones, and the rest is
    an ellipsis.
    """
    texts = format_numbers(values)
    width = max((len(text) for text in texts), default=0)
    if not shape:
        return (texts[0] if texts else ELLIPSIS,)
    if 0 in shape:
        return ("[]",)
    padded = [text.rjust(width) for text in texts]
    if len(shape) == 1:
        return (_row(padded, shape[0]),)
    return _matrix(padded, shape)


def _format(value: Scalar, whole: bool, scientific: bool) -> str:
    if not isinstance(value, float):
        return str(value)
    if not math.isfinite(value):
        return str(value)
    if scientific:
        return f"{value:.4e}"
    return f"{value:.0f}." if whole else f"{value:.4f}"


def _row(texts: Sequence[str], size: int) -> str:
    """Write one row of ``size`` values, of which ``texts`` are the first."""
    shown = list(texts[:size])
    if len(shown) == size and size > MAX_ITEMS:
        shown = [*shown[:EDGE_ITEMS], ELLIPSIS, *shown[-EDGE_ITEMS:]]
    elif len(shown) < size:
        shown = [*shown[: MAX_ITEMS - 1], ELLIPSIS]
    return "[" + ", ".join(shown) + "]"


def _matrix(texts: Sequence[str], shape: tuple[int, ...]) -> tuple[str, ...]:
    """Write the rows of a tensor with two axes or more, one a line, with the brackets it needs."""
    depth, size = len(shape) - 1, shape[-1]
    count = math.prod(shape[:-1])
    numbers = list(range(count))
    if count > MAX_ITEMS:
        numbers = [*numbers[:EDGE_ITEMS], -1, *numbers[-EDGE_ITEMS:]]
    result: list[str] = []
    for number in numbers:
        row = texts[number * size : (number + 1) * size]
        if number < 0 or not row:
            if result[-1].strip() != ELLIPSIS:
                result.append(" " * depth + ELLIPSIS)
            continue
        opened, closed = _brackets(number, count, shape)
        comma = "," if number + 1 < count else ""
        result.append(opened.rjust(depth) + _row(row, size) + closed + comma)
    if result[-1].strip() == ELLIPSIS:
        result[-1] += "]" * depth
    return tuple(result)


def _brackets(number: int, count: int, shape: tuple[int, ...]) -> tuple[str, str]:
    """Return the brackets of the outer axes that open before and close after row ``number``."""
    opened = closed = 0
    block = 1
    for size in reversed(shape[:-1]):
        block *= size
        opened += number % block == 0
        closed += (number + 1) % block == 0
    return "[" * opened, "]" * closed
