"""What the lessons say, and in which language.

Every text that a check, a prediction or the command shows stands in ``catalogue/``, once for each
language and under the same key. A lesson says at its top which language it speaks; from then on
``say`` takes the texts from there, and pictures take their words from there too. What pictures say
in English stands where they are drawn, in ``minigrad/picture/words.py``.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from minigrad.picture import words

LANGUAGES = ("en", "zh")
_TAGS = {"en": "en", "zh": "zh-CN"}

_spoken = LANGUAGES[0]


def language(code: str) -> None:
    """Speak English (``"en"``) or Simplified Chinese (``"zh"``) from now on."""
    global _spoken
    if code not in LANGUAGES:
        known = " or ".join(map(repr, LANGUAGES))
        raise ValueError(f"language(): code must be {known}, but code is {code!r}")
    words.use(catalogue(code), _TAGS[code])
    _spoken = code


def say(key: str, /, **values: object) -> str:
    """Return the text ``key`` in the language that is spoken, with ``values`` put in."""
    return catalogue(_spoken)[key].format(**values)


def prose(name: str) -> str | None:
    """Return the words for ``name``, if the catalogue has any: code needs none."""
    return catalogue(_spoken).get(f"prose.{name}")


@cache
def catalogue(code: str) -> dict[str, str]:
    """Return all texts of one language, under keys such as ``"path.yes"``."""
    file = Path(__file__).with_name("catalogue") / f"{code}.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    texts = {
        f"{title}.{key}": text for title, table in tables.items() for key, text in table.items()
    }
    return {**texts, **words.ENGLISH} if code == LANGUAGES[0] else texts
