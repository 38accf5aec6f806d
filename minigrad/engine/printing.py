"""How a tensor prints: as PyTorch prints it, so that lessons read the same."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .dtypes import bool_, get_default_dtype, int64
from .tensor import Tensor

PRECISION = 4
THRESHOLD = 1000
EDGE_ITEMS = 3
LINE_WIDTH = 80


class Formatter:
    """One way of writing every number of a tensor, all equally wide: chosen from all of them.

    The rules are PyTorch's: whole floats are written ``2.``; four decimals otherwise; scientific
    when the range is too wide for that.
    """

    def __init__(self, values: Any) -> None:
        self.whole = True
        self.scientific = False
        self.floating = values.dtype.kind == "f"
        if not self.floating:
            self.width = max((len(self._plain(v)) for v in values.reshape(-1)), default=1)
            return
        finite = values[np.isfinite(values) & (values != 0)].astype(np.float64)
        if finite.size:
            size = np.abs(finite)
            largest, smallest = size.max(), size.min()
            self.whole = bool((finite == np.ceil(finite)).all())
            wide = largest / smallest > 1000.0 or largest > 1.0e8
            self.scientific = bool(wide if self.whole else wide or smallest < 1.0e-4)
        self.width = max((len(self._plain(v)) for v in values.reshape(-1)), default=1)

    def _plain(self, value: Any) -> str:
        if not self.floating:
            return str(value)
        number = float(value)
        if not math.isfinite(number):
            return str(number)
        if self.scientific:
            return f"{number:.{PRECISION}e}"
        if self.whole:
            return f"{number:.0f}."
        return f"{number:.{PRECISION}f}"

    def text(self, value: Any) -> str:
        """Return one number, padded on the left to the common width."""
        return self._plain(value).rjust(self.width)


def _summarized(values: Any) -> Any:
    """Return only the elements that a shortened print shows, for choosing the format."""
    for axis, size in enumerate(values.shape):
        if size > 2 * EDGE_ITEMS:
            edges = [*range(EDGE_ITEMS), *range(size - EDGE_ITEMS, size)]
            values = values.take(edges, axis)
    return values


def _vector(values: Any, formatter: Formatter, indent: int, short: bool) -> str:
    per_line = max(1, (LINE_WIDTH - indent) // (formatter.width + 2))
    if short and len(values) > 2 * EDGE_ITEMS:
        texts = [formatter.text(v) for v in values[:EDGE_ITEMS]] + [" ..."]
        texts += [formatter.text(v) for v in values[-EDGE_ITEMS:]]
    else:
        texts = [formatter.text(v) for v in values]
    lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _nested(values: Any, formatter: Formatter, indent: int, short: bool) -> str:
    if values.ndim == 0:
        return formatter.text(values[()])
    if values.ndim == 1:
        return _vector(values, formatter, indent, short)
    rows = list(values)
    if short and len(rows) > 2 * EDGE_ITEMS:
        texts = [_nested(row, formatter, indent + 1, short) for row in rows[:EDGE_ITEMS]]
        texts.append("...")
        texts += [_nested(row, formatter, indent + 1, short) for row in rows[-EDGE_ITEMS:]]
    else:
        texts = [_nested(row, formatter, indent + 1, short) for row in rows]
    between = "," + "\n" * (values.ndim - 1) + " " * (indent + 1)
    return "[" + between.join(texts) + "]"


def values_text(values: Any, indent: int = 0) -> str:
    """Return the numbers of a numpy array as PyTorch prints them: ``[2., 4., 6.]``."""
    short = values.size > THRESHOLD
    return _nested(values, Formatter(_summarized(values) if short else values), indent, short)


def tensor_text(tensor: Tensor, prefix: str = "tensor(") -> str:
    """Return what ``repr(tensor)`` shows: values, then what is not the default, then the history."""
    array = tensor.array
    suffixes = []
    if not array.size:
        body = "[]"
        if array.ndim != 1:
            suffixes.append(f"size={tuple(array.shape)}")
        if tensor.dtype is not get_default_dtype():
            suffixes.append(f"dtype={tensor.dtype}")
    else:
        body = values_text(array, len(prefix))
        if tensor.dtype not in (get_default_dtype(), int64, bool_):
            suffixes.append(f"dtype={tensor.dtype}")
    grad_fn = tensor.grad_fn
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn.name()}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    return _joined(prefix, body, suffixes)


def _joined(prefix: str, body: str, suffixes: list[str]) -> str:
    """Append the suffixes, on a new line where the last one has no room for them."""
    out = prefix + body
    last = len(out) - out.rfind("\n") - 1
    for suffix in suffixes:
        if last + len(suffix) + 2 > LINE_WIDTH:
            out += ",\n" + " " * len(prefix) + suffix
            last = len(prefix) + len(suffix)
        else:
            out += ", " + suffix
            last += len(suffix) + 2
    return out + ")"
