"""The memory plane: rows of storages below the graph, and the lines that come down to them.

What goes sideways is computing; what goes down is memory. Each storage stands below the middle of
its owners. A line leaves its card at the bottom where nothing stands below, or else beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from minigrad.picture.curve import Curve, Point

_CLEAR = 8.0
_LANES_APART = 5.0
_LANE_STEP = 4.0
_BEND = 14.0
_SIDE = 8.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, by its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The centre, from the left."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Wish:
    """A box that has no place yet, and the ``middle`` it would like to have."""

    middle: float
    width: float
    height: float


def pack(wishes: Mapping[str, Wish], top: float, apart: float, step: float) -> dict[str, Box]:
    """Give every box a place as near as may be to its wish, on lines that begin at ``top``.

    A box that would have to move far to the right goes to the next line instead.
    """
    ends: list[float] = []
    spots: dict[str, tuple[int, float]] = {}
    for name in sorted(wishes, key=lambda name: wishes[name].middle):
        spots[name] = _spot(ends, wishes[name], apart)
    tops = [top]
    for line in range(len(ends)):
        tallest = max(wishes[name].height for name, spot in spots.items() if spot[0] == line)
        tops.append(tops[-1] + tallest + step)
    return {
        name: Box(spots[name][1], tops[spots[name][0]], wish.width, wish.height)
        for name, wish in wishes.items()
    }


def descend(
    start: Box, target: Point, band: float, others: Sequence[Box], lanes: list[Box]
) -> Curve:
    """Return a line from ``start`` straight down past ``others``, then over to ``target``.

    ``band`` is the height of the strip above the target in which the line may go sideways.
    ``lanes`` are the ways down that are taken already; the line's own is added to them.
    """
    x, y = target
    bend = max(start.bottom, y - band)
    inset = min(14.0, start.width / 3)
    lane = _lane_below(
        start.x + inset, start.right - inset, x, _walls(others, lanes, start.bottom, bend)
    )
    if lane is not None:
        curve = _straight((lane, start.bottom), (lane, bend))
    else:
        side = start.bottom - _SIDE
        lane = _lane_beside(start.right, _walls(others, lanes, side, bend))
        curve = (
            (start.right, side),
            *((lane - 2, side), (lane, side + 2), (lane, side + _BEND)),
            *_straight((lane, side + _BEND), (lane, bend))[1:],
        )
    half = bend + (y - bend) * 0.55
    lanes.append(Box(lane, start.bottom, 0.0, bend - start.bottom))
    return (*curve, (lane, half), (x, half), (x, y))


def passage(wish: float, others: Sequence[Box]) -> float:
    """Return the place nearest to ``wish`` at which a line can go down between ``others``."""
    walls = [_widened(box, _CLEAR) for box in others]
    edges = [edge for wall in walls for edge in (wall.x - 0.5, wall.right + 0.5)]
    clear = [edge for edge in (wish, *edges) if _is_clear(edge, walls)]
    return min(clear, key=lambda edge: (abs(edge - wish), edge))


def _walls(boxes: Sequence[Box], lanes: Sequence[Box], top: float, bottom: float) -> list[Box]:
    """Return what no line may cross between ``top`` and ``bottom``, with the distance to keep."""
    kept_clear = ((boxes, _CLEAR), (lanes, _LANES_APART))
    return [
        _widened(box, by)
        for group, by in kept_clear
        for box in group
        if box.bottom > top and box.y < bottom
    ]


def _widened(box: Box, by: float) -> Box:
    return Box(box.x - by, box.y, box.width + 2 * by, box.height)


def _straight(start: Point, end: Point) -> Curve:
    return start, start, end, end


def _lane_below(low: float, high: float, wish: float, below: Sequence[Box]) -> float | None:
    """Find the place from ``low`` to ``high`` nearest to ``wish`` that is clear all the way."""
    best = min(max(wish, low), high)
    count = max(1, int((high - low) // _LANE_STEP))
    places = [best, *(low + (high - low) * index / count for index in range(count + 1))]
    places.sort(key=lambda place: (abs(place - best), place))
    near = [wall for wall in below if wall.right >= low and wall.x <= high]
    return next((place for place in places if _is_clear(place, near)), None)


def _lane_beside(right: float, beside: Sequence[Box]) -> float:
    """Find the first place to the right of a card that is clear all the way down."""
    lane = right + _CLEAR
    while not _is_clear(lane, beside):
        lane = min(box.right for box in beside if not _is_clear(lane, [box])) + 0.5
    return lane


def _is_clear(lane: float, walls: Sequence[Box]) -> bool:
    return all(lane < wall.x or lane > wall.right for wall in walls)


def _spot(ends: list[float], wish: Wish, apart: float) -> tuple[int, float]:
    """Choose a line for a box, and its place there; ``ends`` is how far each line is full."""
    x = wish.middle - wish.width / 2
    for line, end in enumerate(ends):
        place = max(x, end + apart)
        if place - x <= wish.width * 0.8:
            ends[line] = place + wish.width
            return line, place
    ends.append(x + wish.width)
    return len(ends) - 1, x
