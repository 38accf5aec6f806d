"""Words for errors: PyTorch's key words first, then what happened here and how to mend it."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

from .dtypes import of_array

if TYPE_CHECKING:
    from .graph import Node
    from .tensor import Tensor

_PACKAGE = __name__.partition(".")[0]


def shape_text(shape: Sequence[int]) -> str:
    """Return a shape as PyTorch writes it in messages: ``[2, 3]``."""
    return "[" + ", ".join(str(size) for size in shape) + "]"


def does_not_fit(operands: Sequence[Any], error: Exception) -> Exception:
    """Return PyTorch's error for operands that numpy refused: by their dtypes or their shapes."""
    if isinstance(error, TypeError):
        return _dtype_does_not_fit(operands, error)
    shapes = [each.shape for each in operands if hasattr(each, "shape")]
    for a, b in itertools.pairwise(shapes):
        rank = max(len(a), len(b))
        for place in range(1, min(len(a), len(b)) + 1):
            m, n = a[-place], b[-place]
            if m != n and 1 not in (m, n):
                return RuntimeError(
                    f"The size of tensor a ({m}) must match the size of tensor b ({n}) at "
                    f"non-singleton dimension {rank - place}: shapes {shape_text(a)} and "
                    f"{shape_text(b)} cannot be broadcast together"
                )
    if "broadcast" in str(error) or "remapp" in str(error):
        first, *others = map(shape_text, shapes)
        return RuntimeError(
            f"output with shape {first} doesn't match the broadcast shape of {', '.join(others)}"
        )
    return error


_MASK_HINT = "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."


def _dtype_does_not_fit(operands: Sequence[Any], error: TypeError) -> Exception:
    said = str(error)
    if "boolean subtract" in said:
        return RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator instead."
        )
    if "boolean negative" in said:
        return RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. " + _MASK_HINT
        )
    if "ufunc" in said:
        name = said.partition("'")[2].partition("'")[0]
        kind = next(of_array(each).legacy_name for each in operands if hasattr(each, "dtype"))
        return NotImplementedError(
            f"\"{name}_cpu\" not implemented for '{kind}': {name} is defined for other dtypes only"
        )
    return error


def subtraction_of_bools() -> RuntimeError:
    """Return the error for a bool tensor minus something else, or something else minus it."""
    return RuntimeError(
        "Subtraction, the `-` operator, with a bool tensor is not supported. " + _MASK_HINT
    )


def line_text(code: CodeType | None, line: int) -> str:
    """Return where a line of the user's program stands, in a form that is the same everywhere."""
    if code is None:
        return ""
    name = code.co_filename
    if "ipykernel" in name or name.startswith("<ipython"):
        return f"line {line} of its cell"
    return f"line {line} of {name.replace(chr(92), '/').rpartition('/')[2]}"


def variable_name(matches: Callable[[Any], bool]) -> str | None:
    """Return the name of the user's variable whose value matches, looking outwards from the call."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] != _PACKAGE:
            for names in (frame.f_locals, frame.f_globals):
                for name, value in list(names.items()):
                    if not name.startswith("_") and matches(value):
                        return name
        frame = frame.f_back  # type: ignore[assignment]
    return None


def stale(node: Node, entry: Tensor, saved_version: int) -> RuntimeError:
    """Return the error for a saved tensor that was overwritten before backward could read it."""
    from .tensor import Tensor

    counter = entry._counter
    assert counter is not None
    array = entry.array
    kind = f"minigrad.{of_array(array).legacy_name}Tensor {shape_text(array.shape)}"
    origin = entry._grad_fn.name() if entry._grad_fn is not None else None
    is_result = entry._grad_fn is None and not entry._requires_grad and not _is_input(node, entry)
    if is_result:
        origin = node.name()
    which = f", which is output {entry._output_nr} of {origin}," if origin else ""
    name = variable_name(lambda value: value is entry) or variable_name(
        lambda value: (
            isinstance(value, Tensor)
            and value._counter is counter
            and value.array.shape == array.shape
        )
    )
    called = f"`{name}`" if name else "a tensor"
    where = line_text(counter.code, counter.line)
    writes = counter.version - saved_version
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [{kind}]{which} is at version {counter.version}; expected version "
        f"{saved_version} instead.\n"
        f"{node.name()} saved {called} at version {saved_version}, because its gradient is computed "
        f"from those values. Since then the memory was written in place "
        f"{'once' if writes == 1 else f'{writes} times'}, last by {counter.writer}"
        f"{f' ({where})' if where else ''}.\n"
        f"To mend it: write to a copy ({name or 'x'}.clone()), or use the operation that makes a new "
        "tensor, or write after backward(). Hint: enable anomaly detection to find the operation "
        "that failed to compute its gradient, with minigrad.autograd.set_detect_anomaly(True)."
    )


def left_graph(entry: Tensor) -> RuntimeError:
    """Return the error for a saved tensor that ``detach_()`` has cut off since."""
    name = variable_name(lambda value: value is entry)
    called = f"`{name}`" if name else "it"
    return RuntimeError(
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_(). This is "
        "not supported, please use out-of-place `.detach()` instead: it leaves "
        f"{called} in the graph, where an operation still needs it."
    )


def _is_input(node: Node, entry: Tensor) -> bool:
    return any(edge is not None and edge[0] is entry for edge in node.edges)
