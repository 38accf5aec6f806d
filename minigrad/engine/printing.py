"""How a tensor prints: as PyTorch prints it, so that lessons read the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from .dtypes import bool_, get_default_dtype, int64
from .tensor import Tensor


@dataclass(frozen=True)
class PrintOptions:
    """How tensors are printed; ``set_printoptions`` changes it.

    ``threshold`` is the number of elements above which only ``edgeitems`` are shown at each end of a
    dimension. ``sci_mode`` is None to let the numbers decide.
    """

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}
options = PrintOptions()


def get_printoptions() -> dict[str, Any]:
    """Return how tensors are printed at present."""
    return dict(vars(options))


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: Literal["default", "short", "full"] | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors are printed: from a ``profile``, from the options given, or both.

    ``sci_mode`` goes back to None, to be decided by the numbers, unless it is given.
    """
    global options
    start = options if profile is None else _PROFILES[profile]
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    options = replace(start, sci_mode=sci_mode, **changes)


class Style:
    """One way of writing every number of a tensor, all equally wide: chosen from all of them.

    The rules are PyTorch's: whole floats are written ``2.``; otherwise with four decimals; in
    scientific notation when the range is too wide for that. The width is that of the widest number
    that is neither 0 nor infinite nor nan.
    """

    def __init__(self, values: Any) -> None:
        self.floating = values.dtype.kind == "f"
        self.whole = True
        self.scientific = False
        self.width = 1
        counted = values.reshape(-1)
        if self.floating:
            counted = counted[np.isfinite(counted) & (counted != 0)].astype(np.float64)
            if not counted.size:
                return
            self._choose(counted)
        elif not counted.size:
            return
        self.width = max([len(self._written(value)) for value in counted.tolist()])

    def _choose(self, numbers: Any) -> None:
        size = np.abs(numbers)
        largest, smallest = size.max(), size.min()
        self.whole = bool((numbers == np.ceil(numbers)).all())
        wide = largest / smallest > 1000.0 or largest > 1.0e8
        self.scientific = bool(wide or (not self.whole and smallest < 1.0e-4))
        if options.sci_mode is not None:
            self.scientific = options.sci_mode

    def _written(self, value: Any) -> str:
        if not self.floating:
            return str(value)
        if self.scientific:
            return f"{value:.{options.precision}e}"
        if self.whole:
            return f"{value:.0f}" + ("." if math.isfinite(value) else "")
        return f"{value:.{options.precision}f}"

    def text(self, value: Any) -> str:
        """Return one number, padded on the left to the common width."""
        return self._written(value).rjust(self.width)


def _shortened(values: Any) -> Any:
    """Return only the elements that a shortened print shows, for choosing the style."""
    edge = options.edgeitems
    for axis, size in enumerate(values.shape):
        if size > 2 * edge:
            values = values.take([*range(edge), *range(size - edge, size)], axis)
    return values


def _row(values: Any, style: Style, indent: int, short: bool) -> str:
    edge = options.edgeitems
    if short and len(values) > 2 * edge:
        texts = [style.text(v) for v in values[:edge].tolist()] + [" ..."]
        texts += [style.text(v) for v in values[len(values) - edge :].tolist()]
    else:
        texts = [style.text(v) for v in values.tolist()]
    in_a_line = max(1, (options.linewidth - indent) // (style.width + 2))
    lines = [", ".join(texts[i : i + in_a_line]) for i in range(0, len(texts), in_a_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _nested(values: Any, style: Style, indent: int, short: bool) -> str:
    if values.ndim == 0:
        return style.text(values.item())
    if values.ndim == 1:
        return _row(values, style, indent, short)
    edge = options.edgeitems
    cut = short and len(values) > 2 * edge
    shown = [*values[:edge], *values[len(values) - edge :]] if cut else list(values)
    texts = [_nested(part, style, indent + 1, short) for part in shown]
    if cut:
        texts.insert(edge, "...")
    between = "," + "\n" * (values.ndim - 1) + " " * (indent + 1)
    return "[" + between.join(texts) + "]"


def values_text(values: Any, indent: int = 0) -> str:
    """Return the numbers of a numpy array as PyTorch prints them: ``[2., 4., 6.]``."""
    if not values.size:
        return "[]"
    short = values.size > options.threshold
    return _nested(values, Style(_shortened(values) if short else values), indent, short)


def tensor_text(tensor: Tensor, prefix: str = "tensor(") -> str:
    """Return what ``repr(tensor)`` shows: values, then what is not the default, then the history."""
    array = tensor.array
    dtype = tensor.dtype
    told = [get_default_dtype()] if not array.size else [get_default_dtype(), int64, bool_]
    suffixes = []
    if not array.size and array.ndim != 1:
        suffixes.append(f"size={tuple(array.shape)}")
    if dtype not in told:
        suffixes.append(f"dtype={dtype}")
    grad_fn = tensor.grad_fn
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn.name().rpartition('::')[2]}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    return _joined(prefix + values_text(array, len(prefix)), suffixes, len(prefix))


def _joined(text: str, suffixes: Sequence[str], indent: int) -> str:
    """Append the suffixes, on a new line where the last one has no room for them."""
    # PyTorch counts two more than there are, and so do we.
    last = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last + len(suffix) + 2 > options.linewidth:
            text += ",\n" + " " * indent + suffix
            last = indent + len(suffix)
        else:
            text += ", " + suffix
            last += len(suffix) + 2
    return text + ")"


__all__ = ["set_printoptions"]
