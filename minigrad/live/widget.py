"""A picture that moves in the browser. The twin of ``widget.js``.

Python decides what is shown, JavaScript moves it there. These traits are all that passes between
the two. They are set here and never there, and together they are always the whole state, so that
a view which opens late misses nothing:

``structure``   the SVG without the texts that change; empty when there is no picture
``texts``       those texts, by the ids of their elements
``words``       the picture in words: its text alternative, and shown when there is no SVG
``news``        one sentence that says what the last change did
``said``        what the program printed, and what it warned of
``error``       what the program raised; the picture then still is that of the last good run
``language``    the language that all of them speak, as HTML names it

While the structure stays the same it is not sent again: a new value costs only its text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
from traitlets import Dict, Unicode

from minigrad.live.news import news
from minigrad.picture import LayoutUnavailable, Picture
from minigrad.picture.words import say, tag


class LivePicture(anywidget.AnyWidget):
    """A ``Picture`` that can be replaced: what differs moves, fades or flashes."""

    _esm = Path(__file__).with_name("widget.js")
    _css = Path(__file__).with_name("widget.css")

    structure = Unicode().tag(sync=True)
    texts = Dict(key_trait=Unicode(), value_trait=Unicode()).tag(sync=True)
    words = Unicode().tag(sync=True)
    news = Unicode().tag(sync=True)
    said = Unicode().tag(sync=True)
    error = Unicode().tag(sync=True)
    language = Unicode().tag(sync=True)

    picture: Picture | None = None
    """The picture that is shown: the last one that was good."""

    def __init__(self, picture: Picture | None = None) -> None:
        super().__init__()
        if picture is not None:
            self.show(picture)

    def show(self, picture: Picture, said: str = "") -> None:
        """Show ``picture`` in place of the last one; all of it goes out in one message."""
        try:
            structure, words = picture.structure, picture.text
        except LayoutUnavailable as reason:
            structure, words = "", f"{picture.text}\n\n({reason})"
        told = news(self.picture.snapshot, picture.snapshot) if self.picture else ""
        with self.hold_sync():
            self.structure, self.texts, self.words = structure, picture.texts, words
            self.news, self.said, self.error = told, said, ""
            self.language = tag()
        self.picture = picture

    def fail(self, error: str, said: str = "") -> None:
        """Say what went wrong, below the last good picture."""
        told = say("live.last_good") + say("live.end") if self.picture else ""
        with self.hold_sync():
            self.news, self.said, self.error = told, said, error
            self.language = tag()

    def __repr__(self) -> str:
        return say("live.picture")

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return mimebundle(self, self.picture)


def mimebundle(widget: Any, picture: Picture | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what Jupyter shows of ``widget``: its view, which lives, and the picture as it is now.

    The picture is for every place where no kernel answers.
    """
    line = repr(widget)
    bundle: dict[str, Any] = {} if picture is None else dict(picture._repr_mimebundle_())
    words = bundle.get("text/plain", "")
    bundle["text/plain"] = line if "image/svg+xml" in bundle else f"{line}\n{words}".rstrip()
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    bundle["application/vnd.jupyter.widget-view+json"] = view
    return bundle, {}
