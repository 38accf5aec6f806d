"""A snapshot as DOT source: the boxes with their sizes, and the arrows between them.

Three rules keep the picture still. A cut edge is laid out like any other, so that cutting moves
nothing. Arrows leave in the order they were made (``ordering=out``), so that a new one goes to the
end. And nothing here depends on a value, a version or what backward has freed, so that the layout
of a structure can be remembered.
"""

from __future__ import annotations

from collections.abc import Iterable

import graphviz  # type: ignore[import-untyped]

from minigrad.picture import boxes
from minigrad.picture.escape import dot_label, element_id
from minigrad.snapshot import Edge, Snapshot, TensorInfo

_POINTS_PER_INCH = 72.0
_STYLES = {"flow": "solid", "data": "dotted", "cut": "dashed"}


def dot_source(snapshot: Snapshot, memory: bool = True, values: bool = True) -> str:
    """Return the graph of ``snapshot`` as DOT, fit for any program that reads it.

    ``memory`` and ``values`` say what the cards will show, for which there must be room; the
    memory itself stands below the graph, and needs no layout program.
    """
    graph = graphviz.Digraph("minigrad")
    graph.attr(rankdir="LR", ordering="out", nodesep="0.3", ranksep="0.48")
    graph.attr("node", fixedsize="true", fontname="Helvetica", fontsize="11", margin="0")
    graph.attr("edge", arrowsize="0.7")
    letters = boxes.letters(snapshot) if memory else {}
    for tensor in snapshot.tensors:
        card = boxes.card(tensor, letters.get(tensor.storage, ""), values)
        kind = (card.name, card.kind) if card.name else (card.kind,)
        _add(graph, tensor.id, kind, card, shape="box", classes=tensor_classes(tensor))
    for op in snapshot.ops:
        bubble = boxes.bubble(op)
        _add(graph, op.id, (bubble.label,), bubble, shape="ellipse", classes="op")
    cards = {tensor.id: None for tensor in snapshot.tensors}
    for identity, edge in _as_made(edge_ids(snapshot)):
        graph.edge(
            element_id(edge.tail),
            element_id(edge.head),
            id=identity,
            # From card to card: as far apart as if an operation stood between, so that there is
            # room for the scissors, and cards stay in the columns of cards.
            minlen="2" if edge.tail in cards and edge.head in cards else "1",
            style=_STYLES[edge.kind],
            **{"class": f"edge {edge.kind}"},
        )
    return str(graph.source)


def edge_ids(snapshot: Snapshot) -> tuple[tuple[str, Edge], ...]:
    """Return the edges with their ids: ``e-t-x--o-mul-1``, then ``e-t-x--o-mul-1-2`` and so on."""
    names = (f"e-{element_id(edge.tail)}--{element_id(edge.head)}" for edge in snapshot.edges)
    return tuple(zip(numbered(names), snapshot.edges, strict=True))


def numbered(names: Iterable[str]) -> tuple[str, ...]:
    """Return ``names`` with ``-2``, ``-3``, ... behind those that were there before."""
    taken: dict[str, None] = {}
    for name in names:
        unique, count = name, 1
        while unique in taken:
            count += 1
            unique = f"{name}-{count}"
        taken[unique] = None
    return tuple(taken)


def tensor_classes(tensor: TensorInfo) -> str:
    """Return the classes of a tensor: ``tensor leaf grad``, ``tensor grad`` or ``tensor``.

    A volatile one, which requires no gradient, is ``tensor volatile``.
    """
    if not tensor.requires_grad:
        return "tensor volatile" if tensor.volatile else "tensor"
    return "tensor leaf grad" if tensor.is_leaf else "tensor grad"


def _as_made(edges: tuple[tuple[str, Edge], ...]) -> list[tuple[str, Edge]]:
    """Put each cut before the first arrow into an operation that reads what was cut off.

    A snapshot lists the cuts last, though what was cut off was there before it was read.
    """
    readers: dict[str, str] = {}
    for _, edge in edges:
        readers.setdefault(edge.tail, edge.head)
    result = [item for item in edges if item[1].kind != "cut"]
    for item in edges:
        if item[1].kind == "cut":
            reader = readers.get(item[1].head)
            places = (i for i, (_, edge) in enumerate(result) if edge.head == reader)
            result.insert(next(places, len(result)), item)
    return result


def _add(
    graph: graphviz.Digraph,
    identity: str,
    lines: tuple[str, ...],
    box: boxes.Card | boxes.Bubble,
    shape: str,
    classes: str,
) -> None:
    name = element_id(identity)
    graph.node(
        name,
        "\\n".join(dot_label(line) for line in lines),
        id=name,
        shape=shape,
        width=f"{box.width / _POINTS_PER_INCH:.4f}",
        height=f"{box.height / _POINTS_PER_INCH:.4f}",
        **{"class": classes},
    )
