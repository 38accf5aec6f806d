"""Splines, as the layout program gives them: a start, then three points for each cubic segment."""

from __future__ import annotations

import math
from itertools import pairwise

Point = tuple[float, float]
Curve = tuple[Point, ...]

_STEPS = 24


def number(value: float) -> str:
    """Write a coordinate with at most one decimal, the same everywhere, and never ``-0``."""
    text = f"{round(value, 1):.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    """Write a point as ``x,y``."""
    return f"{number(point[0])},{number(point[1])}"


def path(curve: Curve) -> str:
    """Write ``curve`` as the ``d`` of an SVG path."""
    return f"M{pair(curve[0])}C" + " ".join(pair(point) for point in curve[1:])


def length(curve: Curve) -> float:
    """Return the length of ``curve``, near enough."""
    return _samples(curve)[-1][0]


def at(curve: Curve, share: float) -> tuple[Point, float]:
    """Return the point at ``share`` of the length, and the direction there in degrees."""
    head, tail = split(curve, share)
    (x0, y0), (x1, y1) = _before(head), _after(tail)
    return tail[0], math.degrees(math.atan2(y1 - y0, x1 - x0))


def split(curve: Curve, share: float) -> tuple[Curve, Curve]:
    """Cut ``curve`` in two at ``share`` of its length."""
    samples = _samples(curve)
    wanted = share * samples[-1][0]
    position = samples[-1][1]
    for (before, start), (after, end) in pairwise(samples):
        if after >= wanted:
            within = (wanted - before) / (after - before) if after > before else 0.0
            position = start + within * (end - start)
            break
    segments = (len(curve) - 1) // 3
    index = min(int(position), segments - 1)
    a, b = _halves(curve[3 * index : 3 * index + 4], position - index)
    return (*curve[: 3 * index], *a), (*b, *curve[3 * index + 4 :])


def _before(curve: Curve) -> Point:
    """Return the last point that differs from the end."""
    return next(
        (point for point in reversed(curve) if math.dist(point, curve[-1]) > 0.01), curve[0]
    )


def _after(curve: Curve) -> Point:
    return next((point for point in curve if math.dist(point, curve[0]) > 0.01), curve[-1])


def _samples(curve: Curve) -> list[tuple[float, float]]:
    """Return pairs of the length so far and the position, counted in segments."""
    samples = [(0.0, 0.0)]
    last, total = curve[0], 0.0
    for index in range((len(curve) - 1) // 3):
        segment = curve[3 * index : 3 * index + 4]
        for step in range(1, _STEPS + 1):
            point = _halves(segment, step / _STEPS)[0][-1]
            total += math.dist(last, point)
            last = point
            samples.append((total, index + step / _STEPS))
    return samples


def _halves(segment: Curve, t: float) -> tuple[Curve, Curve]:
    """De Casteljau: the two cubics that together are ``segment``, meeting at ``t``."""
    p0, p1, p2, p3 = segment
    p01, p12, p23 = _mix(p0, p1, t), _mix(p1, p2, t), _mix(p2, p3, t)
    p012, p123 = _mix(p01, p12, t), _mix(p12, p23, t)
    middle = _mix(p012, p123, t)
    return (p0, p01, p012, middle), (middle, p123, p23, p3)


def _mix(p: Point, q: Point, t: float) -> Point:
    return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t
