"""A snapshot in words: the same facts as the picture, for a terminal or for someone who hears them.

``->`` is a recorded edge, ``..>`` one that carries a value and no gradient, ``-x detach x->`` one
that was cut.
"""

from __future__ import annotations

from collections.abc import Sequence

from minigrad.picture import boxes
from minigrad.picture import values as numbers
from minigrad.picture.escape import visible
from minigrad.snapshot import Edge, Saved, Scalar, Snapshot, StorageInfo, TensorInfo


def text_source(snapshot: Snapshot, memory: bool = True, values: bool = True) -> str:
    """Return ``snapshot`` as lines of text."""
    names = names_of(snapshot)
    letters = boxes.letters(snapshot) if memory else {}
    parts = [
        ("tensors", _tensor_lines(snapshot, names, letters, values)),
        ("graph", _graph_lines(snapshot, names)),
    ]
    if memory:
        parts.append(("memory", _storage_lines(snapshot, names, values)))
        parts.append(
            ("saved for backward", [_saved_line(item, snapshot, names) for item in snapshot.saved])
        )
    blocks = [[title, *(f"  {line}" for line in lines)] for title, lines in parts if lines]
    return "\n".join(line for block in blocks for line in block) or "nothing to draw"


def summary(snapshot: Snapshot) -> str:
    """Return one line that says what the picture is of, for its title."""
    counts = (
        (len(snapshot.tensors), "tensor"),
        (len(snapshot.ops), "operation"),
        (sum(edge.kind == "cut" for edge in snapshot.edges), "cut"),
        (len(snapshot.storages), "storage"),
    )
    told = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return "Computation graph and memory: " + (", ".join(told) or "nothing")


def names_of(snapshot: Snapshot) -> dict[str, str]:
    """Return a name for every tensor and operation that tells it from the others, by its id.

    The second ``mul`` is ``mul 2``; what came out of it and has no name is ``result of mul 2``.
    """
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for op in snapshot.ops:
        label = visible(op.label)
        counts[label] = counts.get(label, 0) + 1
        names[op.id] = label if counts[label] == 1 else f"{label} {counts[label]}"
    makers = {edge.head: edge.tail for edge in snapshot.edges}
    for tensor in snapshot.tensors:
        maker = names.get(makers.get(tensor.id, ""))
        unnamed = f"result of {maker}" if maker else "unnamed tensor"
        names[tensor.id] = boxes.display_name(tensor) or unnamed
    return names


def _tensor_lines(
    snapshot: Snapshot, names: dict[str, str], letters: dict[str, str], values: bool
) -> list[str]:
    lines: list[str] = []
    for tensor in snapshot.tensors:
        facts = [boxes.role_of(tensor), boxes.kind_of(tensor)]
        if tensor.storage in letters:
            facts.append(f"in storage {letters[tensor.storage]}{_part(snapshot, tensor)}")
        if values and tensor.grad is not None:
            facts.append(f"grad {_one_line(tensor.grad, tensor.shape)}")
        shown = f" = {_one_line(tensor.values, tensor.shape)}" if values else ""
        lines.append(f"{names[tensor.id]}{shown}  " + ", ".join(facts))
    return lines


def _part(snapshot: Snapshot, tensor: TensorInfo) -> str:
    """Say which cells a tensor reads, when they are not all cells of its storage."""
    size = next(item.size for item in snapshot.storages if item.id == tensor.storage)
    if tensor.numel >= size or not tensor.cells:
        return ""
    shown = ", ".join(str(cell) for cell in tensor.cells[: numbers.MAX_ITEMS])
    more = ", ..." if tensor.numel > min(len(tensor.cells), numbers.MAX_ITEMS) else ""
    return f" (cells {shown}{more})" if tensor.numel > 1 else f" (cell {shown})"


def _graph_lines(snapshot: Snapshot, names: dict[str, str]) -> list[str]:
    """Write a line for each way into an operation; the first one goes on to what came out."""
    ops = {op.id: None for op in snapshot.ops}
    outputs: dict[str, list[Edge]] = {}
    for edge in snapshot.edges:
        if edge.tail in ops:
            outputs.setdefault(edge.tail, []).append(edge)
    lines: list[str] = []
    told: dict[str, None] = {}
    for edge in snapshot.edges:
        if edge.tail in ops:
            continue
        line = f"{names[edge.tail]} {_sign(edge)} {names[edge.head]}"
        if edge.head in outputs and edge.head not in told:
            told[edge.head] = None
            line += _results(outputs[edge.head], names)
        lines.append(line)
    for op, edges in outputs.items():
        if op not in told:
            lines.append(names[op] + _results(edges, names))
    return lines


def _results(edges: Sequence[Edge], names: dict[str, str]) -> str:
    return ", and".join(f" {_sign(edge)} {names[edge.head]}" for edge in edges)


def _sign(edge: Edge) -> str:
    if edge.kind == "cut":
        return f"-x {visible(edge.label) or 'detach'} x->"
    return "->" if edge.kind == "flow" else "..>"


def _storage_lines(snapshot: Snapshot, names: dict[str, str], values: bool) -> list[str]:
    lines: list[str] = []
    for storage in snapshot.storages:
        readers = [names[tensor.id] for tensor in boxes.owners(snapshot, storage.id)]
        verb = "shared by" if len(readers) > 1 else "read by"
        shown = f" {_cells(storage)}" if values else ""
        lines.append(
            f"storage {storage.letter} v{storage.version}{shown}  {storage.dtype}, "
            f"{boxes.bytes_of(storage)}, {verb} {' and '.join(readers) or 'no tensor shown'}"
        )
    return lines


def _cells(storage: StorageInfo) -> str:
    texts = numbers.format_numbers(storage.values)
    shown: list[str] = []
    expected = 0
    for position, text in zip(storage.positions, texts, strict=True):
        if position != expected:
            shown.append(numbers.ELLIPSIS)
        shown.append(text)
        expected = position + 1
    if expected < storage.size:
        shown.append(numbers.ELLIPSIS)
    return "[" + ", ".join(shown) + "]"


def _saved_line(item: Saved, snapshot: Snapshot, names: dict[str, str]) -> str:
    letter = boxes.letters(snapshot).get(item.storage, "?")
    what = names.get(item.tensor or "", f"storage {letter}")
    line = f"{names[item.op]} saved {what} (as {visible(item.name)}) at v{item.version_saved}"
    if item.stale:
        line += f", which is at v{item.version} now: backward will refuse"
    return line


def _one_line(values: Sequence[Scalar], shape: tuple[int, ...]) -> str:
    return " ".join(line.strip() for line in numbers.lines(values, shape))
