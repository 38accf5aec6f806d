"""A snapshot in words: the same facts as the picture, for a terminal or for someone who hears them.

``->`` is a recorded edge, ``..>`` one that carries a value and no gradient, ``-x detach x->`` one
that was cut.
"""

from __future__ import annotations

from collections.abc import Sequence

from minigrad.picture import boxes, words
from minigrad.picture import values as numbers
from minigrad.picture.escape import visible
from minigrad.snapshot import Edge, Saved, Scalar, Snapshot, StorageInfo, TensorInfo


def text_source(snapshot: Snapshot, memory: bool = True, values: bool = True) -> str:
    """Return ``snapshot`` as lines of text."""
    names = names_of(snapshot)
    letters = boxes.letters(snapshot) if memory else {}
    parts = [
        (words.say("picture.title_tensors"), _tensor_lines(snapshot, names, letters, values)),
        (words.say("picture.title_graph"), _graph_lines(snapshot, names)),
    ]
    if memory:
        kept = [_saved_line(item, snapshot, names) for item in snapshot.saved]
        parts += [
            (words.say("picture.title_memory"), _storage_lines(snapshot, names, values)),
            (words.say("picture.title_saved"), kept),
        ]
    blocks = [[title, *(f"  {line}" for line in lines)] for title, lines in parts if lines]
    told = "\n".join(line for block in blocks for line in block)
    return told or words.say("picture.nothing_to_draw")


def summary(snapshot: Snapshot) -> str:
    """Return one line that says what the picture is of, for its title."""
    counts = (
        (len(snapshot.tensors), "picture.tensor"),
        (len(snapshot.ops), "picture.operation"),
        (sum(edge.kind == "cut" for edge in snapshot.edges), "picture.cut"),
        (len(snapshot.storages), "picture.storage"),
    )
    told = [words.counted(key, count) for count, key in counts if count]
    parts = words.say("picture.also").join(told) or words.say("picture.nothing")
    return words.say("picture.summary", parts=parts)


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
        unnamed = "picture.result_of" if maker else "picture.unnamed"
        names[tensor.id] = boxes.display_name(tensor) or words.say(unnamed, maker=maker)
    return names


def _tensor_lines(
    snapshot: Snapshot, names: dict[str, str], letters: dict[str, str], values: bool
) -> list[str]:
    lines: list[str] = []
    for tensor in snapshot.tensors:
        facts = [boxes.role_of(tensor), boxes.kind_of(tensor)]
        if tensor.storage in letters:
            place = words.say("picture.in_storage", letter=letters[tensor.storage])
            facts.append(place + _part(snapshot, tensor))
        if values and tensor.grad is not None:
            facts.append(f"grad {_one_line(tensor.grad, tensor.shape)}")
        shown = f" = {_one_line(tensor.values, tensor.shape)}" if values else ""
        lines.append(f"{names[tensor.id]}{shown}  " + words.say("picture.also").join(facts))
    return lines


def _part(snapshot: Snapshot, tensor: TensorInfo) -> str:
    """Say which cells a tensor reads, when they are not all cells of its storage."""
    size = next(item.size for item in snapshot.storages if item.id == tensor.storage)
    if tensor.numel >= size or not tensor.cells:
        return ""
    shown = ", ".join(str(cell) for cell in tensor.cells[: numbers.MAX_ITEMS])
    more = ", ..." if tensor.numel > min(len(tensor.cells), numbers.MAX_ITEMS) else ""
    return words.say("picture.cells" if tensor.numel > 1 else "picture.cell", cells=shown + more)


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
        shown = f" {_cells(storage)}" if values else ""
        line = words.say(
            "picture.storage_line",
            letter=storage.letter,
            state=f"v{storage.version}{shown}",
            dtype=storage.dtype,
            size=boxes.bytes_of(storage),
            readers=_readers(readers),
        )
        lines.append(line)
    return lines


def _readers(names: Sequence[str]) -> str:
    kind = "picture.shared" if len(names) > 1 else "picture.read" if names else "picture.no_reader"
    return words.say(kind, names=words.say("picture.and").join(names))


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
    line = words.say(
        "picture.saved_line",
        op=names[item.op],
        what=names.get(item.tensor or "", words.say("picture.storage_name", letter=letter)),
        name=visible(item.name),
        version=item.version_saved,
    )
    return words.say("picture.stale_line", saved=line, now=item.version) if item.stale else line


def _one_line(values: Sequence[Scalar], shape: tuple[int, ...]) -> str:
    return " ".join(line.strip() for line in numbers.lines(values, shape))
