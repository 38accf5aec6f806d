"""The one place where a text becomes safe to stand in SVG, HTML or DOT.

A tensor may be called anything: ``</svg><script>``, two lines, a quotation mark, an emoji. The
picture shows that text and does nothing else with it. Every text passes through here, once.
"""

from __future__ import annotations

import re

import graphviz  # type: ignore[import-untyped]

_ELLIPSIS = "…"
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# What XML 1.0 cannot hold at all, even escaped, and the characters that would move or hide the
# text after them: the control characters, the surrogates, the two non-characters, the line and
# paragraph separators, and the marks that turn the direction of writing.
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_NOT_ID = re.compile(r"[^A-Za-z0-9_-]")


def visible(text: str) -> str:
    r"""Return ``text`` with what cannot be seen written out: a newline as ``\n``."""
    return _INVISIBLE.sub(_written_out, text)


def xml(text: str) -> str:
    """Return ``text`` fit to stand between tags or between double quotes in XML."""
    return (
        visible(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&#39;")
    )


def element_id(text: str) -> str:
    """Return ``text`` as an id: what is no ASCII letter or digit, ``_`` or ``-`` becomes ``.hex.``.

    Two texts never share an id, because a dot itself is written as its number.
    """
    return _NOT_ID.sub(lambda match: f".{ord(match.group()):x}.", text)


def dot_label(text: str) -> str:
    """Return ``text`` as a label that DOT shows letter by letter (no HTML, no escape sequences)."""
    return str(graphviz.escape(visible(text)))


def shorten(text: str, limit: int) -> str:
    """Return ``text`` in at most ``limit`` characters, with the middle left out."""
    if len(text) <= limit:
        return text
    head = (limit - 1 + 1) // 2
    tail = limit - 1 - head
    return text[:head] + _ELLIPSIS + text[len(text) - tail :]


def _written_out(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    return _NAMED.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
