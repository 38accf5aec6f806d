"""Walks over a recorded graph, by what every tensor tells: ``grad_fn`` and ``next_functions``.

PyTorch's tensors tell the same, so the checks work on both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Place = tuple[Any, int]
"""A node, and the number of its output that a path leaves from."""


def is_tensor(value: object) -> bool:
    """Tell whether ``value`` behaves as a tensor does."""
    return not isinstance(value, type) and hasattr(value, "grad_fn") and hasattr(value, "is_leaf")


def tensors_in(value: object) -> Iterator[Any]:
    """Give a tensor, or all tensors of nested lists and tuples."""
    if is_tensor(value):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors_in(item)


def path(start: Any, end: Any) -> list[str] | None:
    """Name the operations on a shortest way from ``start`` back to ``end``; None without a way."""
    if start is end:
        return [] if end.requires_grad else None
    if start.grad_fn is None or not end.requires_grad:
        return None
    origin = (start.grad_fn, start.output_nr)
    came_from: dict[Place, Place | None] = {origin: None}
    waiting = [origin]
    for place in waiting:
        if _leads_to(place, end):
            return _operations(place, came_from)
        for onward in place[0].next_functions:
            if onward[0] is not None and onward not in came_from:
                came_from[onward] = place
                waiting.append(onward)
    return None


def operations(*tensors: Any) -> list[Any]:
    """List the recorded operations that ``tensors`` keep alive."""
    seen: dict[Any, None] = {t.grad_fn: None for t in tensors if t.grad_fn is not None}
    waiting = list(seen)
    for node in waiting:
        for onward, _ in node.next_functions:
            if onward is not None and onward not in seen:
                seen[onward] = None
                waiting.append(onward)
    return [node for node in waiting if not _is_end(node)]


def operation(node: Any) -> str:
    """Name an operation as the pictures do: ``mul`` for ``MulBackward0``."""
    return re.sub(r"Backward\d*$", "", str(node.name())).lower()


def _is_end(node: Any) -> bool:
    """Tell whether a node stands for a leaf, and so for no operation."""
    return hasattr(node, "variable")


def _leads_to(place: Place, end: Any) -> bool:
    node, number = place
    if end.grad_fn is None:
        return _is_end(node) and node.variable is end
    return node is end.grad_fn and number == end.output_nr


def _operations(place: Place, came_from: dict[Place, Place | None]) -> list[str]:
    """Name what lies between the first place and this last one, in the order they were met."""
    way = [place]
    while (before := came_from[way[-1]]) is not None:
        way.append(before)
    return [operation(node) for node, _ in reversed(way[1:])]
