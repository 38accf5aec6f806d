"""Where each thing of a snapshot is drawn: the graph as the layout program says, the memory below.

This is geometry alone; how a thing looks is said in ``svg.py`` and ``style.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from minigrad.picture import boxes, words
from minigrad.picture.curve import Curve, Point
from minigrad.picture.dot import dot_source, edge_ids, numbered
from minigrad.picture.escape import element_id
from minigrad.picture.layout import Layout, Route, layout
from minigrad.picture.metrics import sans_width
from minigrad.picture.plane import Box, Wish, descend, pack, passage
from minigrad.snapshot import Edge, Saved, Snapshot, TensorInfo

MARGIN = 12.0
LABEL_HEIGHT = 15.0
BALL = 4.0

_BAND = 48.0
_REACH_STEP = 8.0


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge of the graph."""

    id: str
    edge: Edge
    route: Route


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """The line from a tensor to its storage, and the runs of cells it reads if not all of them."""

    id: str
    tensor: TensorInfo
    curve: Curve
    runs: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class SavedLine:
    """The line from an operation to a storage it keeps: down to its label, and on from there."""

    id: str
    saved: Saved
    text: str
    label: Box
    upper: Curve
    lower: Curve


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is drawn, and where. ``places`` are the boxes by the ids of the snapshot."""

    cards: dict[str, boxes.Card]
    bubbles: dict[str, boxes.Bubble]
    rows: dict[str, boxes.Row]
    places: dict[str, Box]
    arrows: tuple[Arrow, ...]
    memory_lines: tuple[MemoryLine, ...]
    saved_lines: tuple[SavedLine, ...]
    frame: Box
    plane: Box | None


def scene(snapshot: Snapshot, memory: bool = True, values: bool = True) -> Scene:
    """Find a place for everything in ``snapshot``."""
    placed = layout(dot_source(snapshot, memory, values))
    letters = boxes.letters(snapshot) if memory else {}
    cards = {
        tensor.id: boxes.card(tensor, letters.get(tensor.storage, ""), values)
        for tensor in snapshot.tensors
    }
    bubbles = {op.id: boxes.bubble(op) for op in snapshot.ops}
    places = _places(placed, {**cards, **bubbles})
    arrows = tuple(
        Arrow(identity, edge, placed.routes[identity]) for identity, edge in edge_ids(snapshot)
    )
    if not (memory and snapshot.storages):
        frame = _frame(placed, places, ())
        return Scene(cards, bubbles, {}, places, arrows, (), (), frame, None)
    rows = {storage.id: boxes.row(snapshot, storage, values) for storage in snapshot.storages}
    labels = _saved_labels(snapshot, places, placed.height + 16)
    top = max((label.bottom for _, _, label in labels.values()), default=placed.height) + _BAND
    places |= _storage_places(snapshot, rows, places, top)
    lines, lanes = _memory_lines(snapshot, rows, places)
    saved = _saved_lines(labels, rows, places, lanes)
    curves = [*(line.curve for line in lines), *(line.upper for line in saved)]
    frame = _frame(placed, places, curves)
    top = placed.height + 8
    plane = Box(frame.x, top, frame.width, frame.bottom - top + LABEL_HEIGHT)
    frame = Box(frame.x, frame.y, frame.width, plane.bottom - frame.y)
    return Scene(cards, bubbles, rows, places, arrows, lines, saved, frame, plane)


def saved_text(saved: Saved) -> str:
    """Return the label of a saved tensor: ``saved v0``, or ``saved v0, now v1`` when stale."""
    kind = "picture.stale" if saved.stale else "picture.saved"
    return words.say(kind, version=saved.version_saved, now=saved.version)


def _places(placed: Layout, sized: Mapping[str, boxes.Card | boxes.Bubble]) -> dict[str, Box]:
    result: dict[str, Box] = {}
    for identity, box in sized.items():
        centre = placed.places[element_id(identity)]
        x, y = centre.x - box.width / 2, centre.y - box.height / 2
        result[identity] = Box(x, y, box.width, box.height)
    return result


def _saved_labels(
    snapshot: Snapshot, places: dict[str, Box], top: float
) -> dict[str, tuple[Saved, str, Box]]:
    """Place the labels of the saved tensors below the graph, one for an operation and a storage.

    ``y * y`` saves ``y`` twice: that is one line.
    """
    once: dict[tuple[str, str, int, int], Saved] = {}
    for item in snapshot.saved:
        once.setdefault((item.op, item.storage, item.version_saved, item.version), item)
    ids = numbered(f"v-{element_id(item.op)}--{element_id(item.storage)}" for item in once.values())
    named = dict(zip(ids, once.values(), strict=True))
    wishes = {
        identity: Wish(places[item.op].middle, label_width(saved_text(item)), LABEL_HEIGHT)
        for identity, item in named.items()
    }
    spots = pack(wishes, top, apart=6, step=3)
    return {identity: (item, saved_text(item), spots[identity]) for identity, item in named.items()}


def label_width(text: str) -> float:
    """Return the width of a label that holds ``text``."""
    return sans_width(text, boxes.SMALL_SIZE) + 8


def _storage_places(
    snapshot: Snapshot, rows: dict[str, boxes.Row], places: dict[str, Box], top: float
) -> dict[str, Box]:
    wishes: dict[str, Wish] = {}
    for identity, row in rows.items():
        middles = [places[tensor.id].middle for tensor in boxes.owners(snapshot, identity)]
        middle = sum(middles) / len(middles) if middles else row.width / 2
        # Whole pixels: a sum of floats must not show in the last digit.
        wishes[identity] = Wish(float(round(middle)), row.width, row.height)
    return pack(wishes, top, apart=18, step=_BAND)


def _memory_lines(
    snapshot: Snapshot, rows: dict[str, boxes.Row], places: dict[str, Box]
) -> tuple[tuple[MemoryLine, ...], list[Box]]:
    lines: list[MemoryLine] = []
    lanes: list[Box] = []
    for tensor in snapshot.tensors:
        target, runs = _landing(snapshot, tensor, rows[tensor.storage], places)
        identity = f"m-{element_id(tensor.id)}--{element_id(tensor.storage)}"
        curve = _way_down(tensor.id, tensor.storage, target, places, rows, lanes)
        lines.append(MemoryLine(identity, tensor, curve, runs))
    return tuple(lines), lanes


def _way_down(
    start: str,
    storage: str,
    target: Point,
    places: Mapping[str, Box],
    rows: Mapping[str, boxes.Row],
    lanes: list[Box],
) -> Curve:
    """Return the line from a box to ``target`` on ``storage``, between the storages above that."""
    place = places[storage]
    graph = [box for name, box in places.items() if name not in rows and name != start]
    above = [places[name] for name in rows if places[name].y < place.y]
    band = _BAND - (place.y - target[1]) - 6
    if not above:
        return descend(places[start], target, band, graph, lanes)
    gate = passage(target[0], [*above, *(lane for lane in lanes if lane.bottom > above[0].y)])
    top = min(box.y for box in above) - BALL
    first = descend(places[start], (gate, top), _BAND - 10, graph, lanes)
    below = Box(gate, top, 0.0, 0.0)
    lanes.append(Box(gate, top, 0.0, place.y - top))
    return first + descend(below, target, band, above, [])[1:]


def _landing(
    snapshot: Snapshot, tensor: TensorInfo, row: boxes.Row, places: dict[str, Box]
) -> tuple[Point, tuple[tuple[float, float], ...]]:
    """Return where the line of ``tensor`` ends, and the runs of cells it reads if not all.

    Those who read the whole storage land side by side on its upper edge, in the order they stand
    in the graph. Each one that reads a part has a bar of its own above the cells.
    """
    place = places[row.info.id]
    owners = sorted(boxes.owners(snapshot, row.info.id), key=lambda owner: places[owner.id].middle)
    runs = _runs(tensor, row)
    if not runs:
        whole = [owner for owner in owners if not _runs(owner, row)]
        share = (whole.index(tensor) + 1) / (len(whole) + 1)
        return (place.x + place.width * share, place.y - BALL), ()
    level = [owner for owner in owners if _runs(owner, row)].index(tensor) + 1
    runs = tuple((place.x + start, place.x + end) for start, end in runs)
    return (sum(runs[0]) / 2, place.y - level * _REACH_STEP), runs


def _runs(tensor: TensorInfo, row: boxes.Row) -> tuple[tuple[float, float], ...]:
    """Return the stretches of the row that ``tensor`` reads; nothing if it reads all there is."""
    mine = dict.fromkeys(tensor.cells)
    shown = [cell for cell in row.cells if cell.position is not None]
    if tensor.numel >= row.info.size or all(cell.position in mine for cell in shown):
        return ()
    runs: list[tuple[float, float]] = []
    for cell in row.cells:
        if cell.position is None or cell.position not in mine:
            continue
        if runs and runs[-1][1] == cell.x:
            runs[-1] = (runs[-1][0], cell.x + cell.width)
        else:
            runs.append((cell.x, cell.x + cell.width))
    return tuple(runs)


def _saved_lines(
    labels: dict[str, tuple[Saved, str, Box]],
    rows: dict[str, boxes.Row],
    places: dict[str, Box],
    lanes: list[Box],
) -> tuple[SavedLine, ...]:
    lines: list[SavedLine] = []
    landed: dict[str, int] = {}
    for identity, (item, text, label) in labels.items():
        graph = [box for name, box in places.items() if name not in rows and name != item.op]
        upper = descend(places[item.op], (label.middle, label.y), 12, graph, lanes)
        place = places[item.storage]
        count = landed[item.storage] = landed.get(item.storage, 0) + 1
        target = (place.right - min(12.0 * count, place.width - 12), place.y - 4)
        lower = _way_down(identity, item.storage, target, {**places, identity: label}, rows, lanes)
        lines.append(SavedLine(identity, item, text, label, upper, lower))
    return tuple(lines)


def _frame(placed: Layout, places: dict[str, Box], curves: Sequence[Curve]) -> Box:
    """Return the whole picture, with a margin around everything."""
    points = [point for curve in curves for point in curve]
    boxes_ = places.values()
    left = min([0.0, *(box.x for box in boxes_), *(x for x, _ in points)])
    right = max([placed.width, *(box.right for box in boxes_), *(x for x, _ in points)])
    bottom = max([placed.height, *(box.bottom for box in boxes_)])
    return Box(left - MARGIN, -MARGIN, right - left + 2 * MARGIN, bottom + 2 * MARGIN)
