"""The face of this floor: a ``Picture``, and ``draw``, which makes one of a program's tensors."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from minigrad.picture import words
from minigrad.picture.dot import dot_source
from minigrad.picture.layout import LayoutUnavailable
from minigrad.picture.names import variables_of
from minigrad.picture.svg import structure_of, svg_source, texts_of
from minigrad.picture.text import text_source
from minigrad.snapshot import Snapshot

if TYPE_CHECKING:
    from minigrad.snapshot import Drawable


@dataclass(frozen=True, repr=False)
class Picture:
    """A snapshot that shows itself: as SVG in a notebook, as text anywhere else.

    ``memory=False`` leaves out the storages and ``values=False`` the numbers.
    """

    snapshot: Snapshot
    memory: bool = True
    values: bool = True

    @property
    def svg(self) -> str:
        """The picture. Raises ``LayoutUnavailable`` when there is no layout program."""
        return svg_source(self.snapshot, self.memory, self.values)

    @property
    def dot(self) -> str:
        """The graph as DOT source."""
        return dot_source(self.snapshot, self.memory, self.values)

    @property
    def text(self) -> str:
        """The picture in words."""
        return text_source(self.snapshot, self.memory, self.values)

    @property
    def structure(self) -> str:
        """The picture without its ``texts``: two equal ones differ in their texts alone."""
        return structure_of(self.snapshot, self.memory, self.values)

    @property
    def texts(self) -> dict[str, str]:
        """The texts that change while the structure stays, by the ids of their elements."""
        return texts_of(self.snapshot, self.values)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to ``path``: as ``.svg``, ``.dot`` or ``.txt``, as its name ends."""
        target = Path(path)
        suffix = target.suffix.lower()
        if suffix == ".svg":
            content = self.svg
        elif suffix == ".dot":
            content = self.dot
        elif suffix == ".txt":
            content = self.text + "\n"
        else:
            raise ValueError(
                f"save(): path must end in .svg, .dot or .txt, but path is {str(path)!r}"
            )
        target.write_text(content, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Offer Jupyter the SVG and the text; the text alone, with a reason, if there is no SVG."""
        try:
            return {"image/svg+xml": self.svg, "text/plain": self.text}
        except LayoutUnavailable as reason:
            return {"text/plain": f"{self.text}\n\n({reason})"}
        except Exception as error:  # a display must never break the cell that asked for it
            said = words.say("picture.no_picture", error=f"{type(error).__name__}: {error}")
            return {"text/plain": f"{self.text}\n\n({said})"}


def draw(
    *tensors: Drawable,
    names: Mapping[str, Drawable] | None = None,
    memory: bool = True,
    values: bool = True,
) -> Picture:
    """Draw the graph behind ``tensors``, and the memory they stand in.

    The tensors are called what the caller calls them; ``names`` (a dictionary of tensors) says
    otherwise. ``memory=False`` leaves out the storages and ``values=False`` the numbers. Variables
    of ``minigrad.history`` are drawn as tensors are; a volatile one has a mark.

    Examples
    --------
    >>> import minigrad
    >>> from minigrad.picture import draw
    >>> x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    >>> print(draw(x, names={"x": x}, memory=False).text)
    tensors
      x = [1., 2.]  leaf, requires_grad, (2,) float32
    """
    from minigrad import snapshot

    for position, value in enumerate(tensors, start=1):
        _check(value, f"argument {position}", snapshot.DRAWABLE)
    if names is None:
        names = _tensors_seen_by(sys._getframe(1), snapshot.DRAWABLE)
    elif not isinstance(names, Mapping):
        raise TypeError(f"draw(): names must be a dictionary of tensors, not {_type_of(names)}")
    for name, value in names.items():
        _check(value, f"names[{name!r}]", snapshot.DRAWABLE)
    return Picture(snapshot.take(tensors, names), memory, values)


def _tensors_seen_by(frame: FrameType, kind: tuple[type[Drawable], ...]) -> dict[str, Drawable]:
    seen = variables_of(frame, lambda value: isinstance(value, kind))
    return {name: value for name, value in seen.items() if isinstance(value, kind)}


def _check(value: object, argument: str, expected: tuple[type[Drawable], ...]) -> None:
    if not isinstance(value, expected):
        raise TypeError(f"draw(): {argument} must be a Tensor, not {_type_of(value)}")


def _type_of(value: object) -> str:
    return type(value).__name__
