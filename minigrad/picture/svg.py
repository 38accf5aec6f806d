"""A snapshot as SVG, written by hand: the layout program only says where things go.

Every thing is one ``<g>`` with an id that is the same in every run, and the classes of the
vocabulary (``tensor leaf grad``, ``edge cut``, ...). Boxes are drawn around their own centre and
put in place by a ``transform``: whoever animates the picture need change nothing else. There is
no script, no reference to anything outside, and no ``url(#...)``: two pictures can share a page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from minigrad.picture import boxes, words
from minigrad.picture.attributes import with_attributes
from minigrad.picture.boxes import Bubble, Card, Row
from minigrad.picture.curve import Point, at, length, number, pair, path, split
from minigrad.picture.dot import tensor_classes
from minigrad.picture.escape import element_id, xml
from minigrad.picture.metrics import sans_width
from minigrad.picture.plane import Box
from minigrad.picture.scene import Arrow, MemoryLine, SavedLine, Scene, label_width, scene
from minigrad.picture.style import STORAGE_COLOURS, STYLE
from minigrad.picture.text import summary, text_source
from minigrad.snapshot import Snapshot, StorageInfo

_SCISSORS_WIDTH = 24.0
_SCISSORS = (
    "M-4.5,-2.5L8,4M-4.5,2.5L8,-4"
    "M-4.5,-2.5a2.6,2.6 0 1 0 -4.4,-2.7a2.6,2.6 0 1 0 4.4,2.7"
    "M-4.5,2.5a2.6,2.6 0 1 1 -4.4,2.7a2.6,2.6 0 1 1 4.4,-2.7"
)


def svg_source(snapshot: Snapshot, memory: bool = True, values: bool = True) -> str:
    """Draw ``snapshot``; raise ``LayoutUnavailable`` when there is no layout program."""
    drawn = scene(snapshot, memory, values)
    body = _body(snapshot, drawn, texts_of(snapshot, values))
    return _document(drawn.frame, body, summary(snapshot), text_source(snapshot, memory, values))


def structure_of(snapshot: Snapshot, memory: bool = True, values: bool = True) -> str:
    """Draw ``snapshot`` without the texts that ``texts_of`` lists.

    Two pictures of the same structure differ in those texts alone, so that one becomes the other
    when they are put in place.
    """
    drawn = scene(snapshot, memory, values)
    return _document(drawn.frame, _body(snapshot, drawn, {}), "", "")


def texts_of(snapshot: Snapshot, values: bool = True) -> dict[str, str]:
    """Return what may change while the structure stays: the text of each ``<text>``, by its id.

    ``t-x-v0`` is the first line of the values of ``x``, ``t-x-g0`` of its gradient, ``s-B-c0-text``
    the number in cell 0 of storage B, ``s-B-version`` its version.
    """
    texts: dict[str, str] = {}
    for tensor in snapshot.tensors:
        card = boxes.card(tensor, "", values)
        for kind, lines in (("v", card.values), ("g", card.grad)):
            for line, text in enumerate(lines):
                texts[f"{element_id(tensor.id)}-{kind}{line}"] = text
    for storage in snapshot.storages:
        identity = element_id(storage.id)
        texts[f"{identity}-version"] = f"v{storage.version}"
        for cell in boxes.row(snapshot, storage, values).cells:
            if cell.position is not None:
                texts[f"{identity}-c{cell.position}-text"] = cell.text
    return texts


def colour_classes(storages: Iterable[StorageInfo]) -> dict[str, str]:
    """Return the class that colours each storage and all that belongs to it, by its id."""
    return {
        storage.id: f"c{index % len(STORAGE_COLOURS)}" for index, storage in enumerate(storages)
    }


def _document(frame: Box, body: str, title: str, description: str) -> str:
    width, height = number(frame.width), number(frame.height)
    told = "\n".join(xml(line) for line in description.split("\n"))
    tag = xml(words.tag())
    # Fonts draw a character as its language does, and a screen reader speaks it so.
    spoken = "" if tag == "en" else f' lang="{tag}" xml:lang="{tag}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{spoken} class="minigrad-picture" width="{width}"'
        f' height="{height}" viewBox="{number(frame.x)} {number(frame.y)} {width} {height}"'
        f' style="max-width:100%;height:auto" role="img" aria-label="{told}">\n'
        f"<title>{xml(title)}</title>\n<desc>{told}</desc>\n<style>{STYLE}</style>\n"
        f"{with_attributes(body)}\n</svg>\n"
    )


def _body(snapshot: Snapshot, drawn: Scene, texts: Mapping[str, str]) -> str:
    """Draw everything, what lies behind first: the plane, its lines, the arrows, the boxes."""
    colours = colour_classes(snapshot.storages)
    parts: list[str] = []
    if drawn.plane is not None:
        parts.append(_plane(drawn.plane))
    parts += [_memory(line, colours[line.tensor.storage]) for line in drawn.memory_lines]
    parts += [_saved(line) for line in drawn.saved_lines]
    parts += [_arrow(arrow) for arrow in drawn.arrows]
    for identity, card in drawn.cards.items():
        colour = colours.get(card.info.storage, "")
        parts.append(_card(card, drawn.places[identity], colour, texts))
    parts += [_op(bubble, drawn.places[name]) for name, bubble in drawn.bubbles.items()]
    for name, row in drawn.rows.items():
        parts.append(_storage(row, drawn.places[name], colours[name], texts))
    return "\n".join(parts)


def _plane(plane: Box) -> str:
    x, y = plane.x + 3, plane.y
    word = words.say("picture.memory")
    spot = (x + 6 + label_width(word) / 2, plane.bottom - 15)
    return (
        f'<g class="plane">{_rect(Box(x, y, plane.width - 6, plane.height - 3), 10)}'
        f"{_label(spot, word)}</g>"
    )


def _arrow(arrow: Arrow) -> str:
    kind, route = arrow.edge.kind, arrow.route
    if kind == "cut":
        return _cut(arrow)
    return (
        f'<g id="{arrow.id}" class="edge {kind}"><path d="{path(route.curve)}"/>'
        f"{_arrow_head(route.curve[-1], route.tip)}</g>"
    )


def _arrow_head(base: Point, tip: Point, half: float = 4.0) -> str:
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    size = math.hypot(dx, dy) or 1.0
    across = (-dy / size * half, dx / size * half)
    left = (base[0] + across[0], base[1] + across[1])
    right = (base[0] - across[0], base[1] - across[1])
    return f'<polygon points="{pair(tip)} {pair(left)} {pair(right)}"/>'


def _cut(arrow: Arrow) -> str:
    """Draw two halves with scissors between them, and the bar at which a gradient would stop."""
    curve = (*arrow.route.curve, arrow.route.curve[-1], arrow.route.tip, arrow.route.tip)
    whole = length(curve)
    gap = min(_SCISSORS_WIDTH, 0.6 * whole) / whole
    tail, _ = split(curve, 0.5 - gap / 2)
    _, head = split(curve, 0.5 + gap / 2)
    middle, turn = at(curve, 0.5)
    end, end_turn = at(curve, max(0.5, 1 - 4 / whole))
    word = arrow.edge.label or "detach"
    stops = words.say("picture.stops", word=word)
    # On the outer side: where a cut edge goes down, its neighbours go on above it.
    side = 18 if curve[-1][1] - curve[0][1] > 4 else -18
    spot = (middle[0], middle[1] + side)
    if whole < label_width(word):
        # Too short for the word to stand between two boxes: over the tail, which is an operation.
        spot = (arrow.route.tip[0] - 6 - label_width(word) / 2, middle[1] - 28)
    return (
        f'<g id="{arrow.id}" class="edge cut"><title>{xml(stops)}</title>'
        f'<path class="half tail" d="{path(tail)}"/><path class="half head" d="{path(head)}"/>'
        f'<path class="bar" d="M0,-8L0,8" transform="{_move(end)} rotate({number(end_turn)})"/>'
        f'<g class="scissors" transform="{_move(middle)} rotate({number(turn)})">'
        f'<path d="{_SCISSORS}"/></g>{_label(spot, word)}</g>'
    )


def _memory(line: MemoryLine, colour: str) -> str:
    x, y = line.curve[-1]
    bars = "".join(
        f'<path class="reach" d="M{number(start + 4)},{number(y)}H{number(end - 4)}"/>'
        for start, end in line.runs
    )
    return (
        f'<g id="{line.id}" class="edge memory {colour}"><path d="{path(line.curve)}"/>{bars}'
        f'<circle cx="{number(x)}" cy="{number(y)}" r="4"/></g>'
    )


def _saved(line: SavedLine) -> str:
    x, y = line.lower[-1]
    classes = "edge saved stale" if line.saved.stale else "edge saved"
    return (
        f'<g id="{line.id}" class="{classes}"><path d="{path(line.upper)}"/>'
        f'<path d="{path(line.lower)}"/>{_square((x, y), 3.5)}'
        f"{_label((line.label.middle, line.label.y + line.label.height / 2), line.text)}</g>"
    )


def _card(card: Card, place: Box, colour: str, texts: Mapping[str, str]) -> str:
    identity = element_id(card.info.id)
    left, y = -card.width / 2 + boxes.PAD, -card.height / 2 + boxes.BASELINE
    frame = _centred(card.width, card.height, 8)
    parts = [frame.replace("/>", ' stroke-dasharray="2 4"/>') if card.mark else frame]
    if card.name:
        parts.append(_text(left, y, card.name, "name"))
        y += boxes.LINE
    for line, _ in enumerate(card.values):
        parts.append(_changing(left, y, f"{identity}-v{line}", texts, "value"))
        y += boxes.LINE
    if card.name:
        for text, classes in ((card.role, "role"), (card.kind, "kind")):
            parts.append(_text(left, y, text, classes))
            if card.mark and classes == "role":
                parts.append(_mark(card, left + sans_width(text, boxes.SMALL_SIZE) + 6, y))
            y += boxes.SMALL_LINE
        y += boxes.LINE - boxes.SMALL_LINE
    elif card.mark:
        parts.append(_mark(card, left, y))
        y += boxes.SMALL_LINE
    for line, _ in enumerate(card.grad):
        if line == 0:
            parts.append(_text(left, y, "grad", "gradient"))
        x = left + boxes.GRAD_WIDTH
        parts.append(_changing(x, y, f"{identity}-g{line}", texts, "value gradient"))
        y += boxes.LINE
    if card.letter:
        corner = (card.width / 2 - boxes.BADGE - 6, -card.height / 2 + 6)
        parts.append(_badge(card.letter, corner, colour))
    return _group(identity, tensor_classes(card.info), place, parts)


def _mark(card: Card, x: float, y: float) -> str:
    """Draw the word that marks a card, on a plate with the card's own broken border."""
    width = boxes.mark_width(card.mark) - 6
    plate = _rect(Box(x, y - 11, width, 14), 7)
    border = ' stroke="#7d8794" stroke-dasharray="2 2"'
    word = _text(x + width / 2, y, card.mark)
    return f'<g class="label mark">{plate.replace("/>", border + "/>")}{word}</g>'


def _op(bubble: Bubble, place: Box) -> str:
    info = bubble.info
    ellipse = f'<ellipse rx="{number(bubble.width / 2)}" ry="{number(bubble.height / 2)}"/>'
    parts = [f"<title>{xml(info.name)}</title>", ellipse]
    parts.append(_text(0, 1 if info.freed else 4, bubble.label))
    if info.freed:
        parts.append(_text(0, 12, words.say("picture.freed"), "note"))
    classes = "op freed" if info.freed else "op" if info.recorded else "op unrecorded"
    return _group(element_id(info.id), classes, place, parts)


def _storage(row: Row, place: Box, colour: str, texts: Mapping[str, str]) -> str:
    identity = element_id(row.info.id)
    left, top = -row.width / 2, -row.height / 2
    parts: list[str] = []
    for cell in row.cells:
        box = _rect(Box(left + cell.x, top, cell.width, boxes.CELL_HEIGHT))
        x, y = left + cell.x + cell.width / 2, top + 16
        if cell.position is None:
            parts.append(f'<g class="rest">{box}{_text(x, y, cell.text)}</g>')
        else:
            name = f"{identity}-c{cell.position}"
            number_ = _changing(x, y, f"{name}-text", texts)
            parts.append(f'<g class="cell" id="{name}">{box}{number_}</g>')
    top += boxes.CELL_HEIGHT
    version = _changing(-left - 6, top + 13.5, f"{identity}-version", texts, "version")
    parts.append(
        f'<g class="caption">{_rect(Box(left, top, row.width, boxes.CAPTION_HEIGHT))}'
        f"{_badge(row.info.letter, (left + 1, top + 1), colour)}"
        f"{_text(left + boxes.BADGE + 6, top + 13.5, row.caption)}{version}</g>"
    )
    if row.shared:
        top += boxes.CAPTION_HEIGHT
        back = _rect(Box(left, top, row.width, boxes.CAPTION_HEIGHT))
        parts.append(f'<g class="shared">{back}{_text(0, top + 13.5, row.shared)}</g>')
    return _group(identity, f"storage {colour}", place, parts)


def _group(identity: str, classes: str, place: Box, parts: Iterable[str]) -> str:
    centre = (place.middle, place.y + place.height / 2)
    return f'<g id="{identity}" class="{classes}" transform="{_move(centre)}">{"".join(parts)}</g>'


def _badge(letter: str, corner: Point, colour: str) -> str:
    x, y = corner
    box = _rect(Box(x, y, boxes.BADGE, boxes.BADGE), 4)
    return f'<g class="badge {colour}">{box}{_text(x + boxes.BADGE / 2, y + 12.5, letter)}</g>'


def _label(centre: Point, text: str) -> str:
    """Draw ``text`` on a plate of its own, so that it can be read whatever is behind."""
    x, y = centre
    width = label_width(text)
    return (
        f'<g class="label">{_rect(Box(x - width / 2, y - 7.5, width, 15), 4)}'
        f"{_text(x, y + 3.5, text)}</g>"
    )


def _square(centre: Point, half: float) -> str:
    x, y = centre
    return f'<path class="end" d="M{number(x - half)},{number(y - half)}h7v7h-7z"/>'


def _rect(box: Box, radius: float = 0) -> str:
    rounded = f' rx="{number(radius)}"' if radius else ""
    return (
        f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}"'
        f' height="{number(box.height)}"{rounded}/>'
    )


def _centred(width: float, height: float, radius: float) -> str:
    return _rect(Box(-width / 2, -height / 2, width, height), radius)


def _text(x: float, y: float, text: str, classes: str = "") -> str:
    named = f' class="{classes}"' if classes else ""
    return f'<text{named} x="{number(x)}" y="{number(y)}">{xml(text)}</text>'


def _changing(
    x: float, y: float, identity: str, texts: Mapping[str, str], classes: str = ""
) -> str:
    named = f' class="{classes}"' if classes else ""
    text = xml(texts.get(identity, ""))
    return (
        f'<text id="{identity}"{named} x="{number(x)}" y="{number(y)}" xml:space="preserve">'
        f"{text}</text>"
    )


def _move(point: Point) -> str:
    return f"translate({pair(point)})"
