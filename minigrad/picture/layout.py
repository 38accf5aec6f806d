"""Where everything goes: the layout program is asked once for each structure and remembered."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from minigrad.picture import words
from minigrad.picture.curve import Curve, Point

TIMEOUT = 60.0
"""Seconds after which the layout program is given up."""


class LayoutUnavailable(RuntimeError):  # noqa: N818 (it is a state of the machine, not an error)
    """No layout program was found, or the one that was found failed."""


@dataclass(frozen=True, slots=True)
class Place:
    """The centre of a node, from the top left corner."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Route:
    """The way of an edge, and the point its arrow touches."""

    curve: Curve
    tip: Point


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole drawing, by the ids that were given in DOT. In pixels, y grows downwards."""

    width: float
    height: float
    places: dict[str, Place]
    routes: dict[str, Route]


def program() -> str:
    """Return the path of the layout program, or raise ``LayoutUnavailable``.

    In this order: what ``MINIGRAD_DOT`` names, ``graphviz-pure``, the system's ``dot``.
    """
    chosen = os.environ.get("MINIGRAD_DOT")
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise _unavailable("picture.not_a_program", path=chosen)
        return found
    installed = sysconfig.get_path("scripts")
    by_user = sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
    for folder in (str(Path(sys.executable).parent), installed, by_user, None):
        found = shutil.which("graphviz-pure", path=folder)
        if found is not None:
            return found
    found = shutil.which("dot")
    if found is None:
        raise _unavailable("picture.no_program")
    return found


def layout(source: str) -> Layout:
    """Lay out ``source`` (DOT). The same text is laid out once, however often it is asked for."""
    return _layout(program(), source)


@lru_cache(maxsize=256)
def _layout(path: str, source: str) -> Layout:
    try:
        done = subprocess.run(
            [path, "-Kdot", "-Tjson"],
            input=source.encode(),
            capture_output=True,
            timeout=TIMEOUT,
            check=True,
        )
        return _read(json.loads(done.stdout))
    except subprocess.TimeoutExpired:
        raise _unavailable("picture.too_slow", path=path, seconds=round(TIMEOUT)) from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip() or f"exit status {error.returncode}"
        raise _unavailable("picture.failed", path=path, reason=said) from None
    except (OSError, ValueError, KeyError, LookupError) as error:
        raise _unavailable("picture.no_layout", path=path, reason=error) from None


def _unavailable(key: str, /, **values: object) -> LayoutUnavailable:
    return LayoutUnavailable(words.say(key, help=words.say("picture.help"), **values))


def _read(drawing: dict[str, Any]) -> Layout:
    _, _, width, height = (float(number) for number in drawing["bb"].split(","))
    places = {
        item["name"]: _place(item["pos"], height)
        for item in drawing.get("objects", ())
        if "pos" in item
    }
    routes = {
        item["id"]: _route(item["pos"], height)
        for item in drawing.get("edges", ())
        if "pos" in item
    }
    return Layout(width, height, places, routes)


def _place(text: str, height: float) -> Place:
    x, y = text.split(",")
    return Place(float(x), height - float(y))


def _route(text: str, height: float) -> Route:
    """Read a spline: ``e,x,y`` (where the arrow ends), then a start and three points a segment."""
    tip: Point | None = None
    points: list[Point] = []
    for word in text.split(";")[0].split():
        parts = word.split(",")
        x, y = float(parts[-2]), height - float(parts[-1])
        if parts[0] == "e":
            tip = (x, y)
        elif parts[0] != "s":
            points.append((x, y))
    return Route(tuple(points), tip or points[-1])
