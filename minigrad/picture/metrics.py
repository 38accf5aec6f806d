"""How wide a text will be in a browser that we cannot ask.

Names and numbers are set in a fixed-width font: those differ by less than a hundredth of an em.
The small print is set in Helvetica or Arial, whose widths are in the table; other fonts are wider,
so that whoever needs a size adds slack. Chinese, Japanese, Korean and emoji take a full em.
"""

from __future__ import annotations

import unicodedata

MONO = (
    "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono',"
    " monospace"
)
SANS = "Helvetica, Arial, 'Liberation Sans', sans-serif"

MONO_EM = 0.61
SANS_SLACK = 1.12

_THIN = "ijl|'"
_NARROW = " !,./:;[]\\ft()-`r{}I"
_WIDE = "mwMWGOQ%@"


def mono_width(text: str, size: float) -> float:
    """Return the width of ``text`` in a fixed-width font of ``size`` pixels."""
    return size * sum(_em(character, MONO_EM) for character in text)


def sans_width(text: str, size: float) -> float:
    """Return a width that holds ``text`` in Helvetica, Arial or a somewhat wider font."""
    return size * SANS_SLACK * sum(_em(character, _sans_em(character)) for character in text)


def _em(character: str, plain: float) -> float:
    if character.isascii():
        return plain
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1.05
    # Neither in the table nor known to be wide: the widest letters of the other scripts.
    return max(plain, 0.95)


def _sans_em(character: str) -> float:
    if character in _THIN:
        return 0.24
    if character in _NARROW:
        return 0.335
    if character in _WIDE:
        return 0.9
    return 0.72 if character.isupper() else 0.556
