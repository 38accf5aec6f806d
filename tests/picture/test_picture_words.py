"""Pictures speak one language at a time, and every word of theirs stands in one table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from picture_examples import EXAMPLES, lesson

from minigrad.picture import Picture, words

SVG = "{http://www.w3.org/2000/svg}"


def loud(text: str) -> str:
    """Shout a text; what is put into it keeps its place."""
    parts = re.split(r"(\{\w+\})", text)
    return "".join(part if part.startswith("{") else part.upper() for part in parts)


LOUD = {key: loud(text) for key, text in words.ENGLISH.items()}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    words.use(words.ENGLISH, "en")


def test_other_words_are_shown_from_then_on():
    words.use(LOUD, "x-loud")
    picture = Picture(lesson(version=1))
    root = ElementTree.fromstring(picture.svg)
    assert root.find(f"{SVG}title").text.startswith("COMPUTATION GRAPH AND MEMORY: 5 TENSORS")
    assert root.get("aria-label").startswith("TENSORS")
    shown = [item.text for item in root.iter(f"{SVG}text")]
    assert {"NO GRAD", "MEMORY", "SHARED BY y AND z", "SAVED V0, NOW V1"} <= set(shown)
    assert "  STORAGE A v0 [1., 2., 3.]  float32, 12 BYTES, READ BY x" in picture.text.split("\n")


def test_names_of_code_are_no_words():
    words.use(LOUD, "x-loud")
    shown = [item.text for item in ElementTree.fromstring(Picture(lesson()).svg).iter(f"{SVG}text")]
    assert {"mul", "MulBackward0", "detach", "(3,) float32", "v0"} <= set(shown)


def test_the_language_is_marked_where_it_is_not_english():
    assert "lang=" not in Picture(lesson()).svg
    words.use(LOUD, "x-loud")
    assert ' lang="x-loud" xml:lang="x-loud"' in Picture(lesson()).svg


def test_english_comes_back():
    before = {name: Picture(snapshot).svg for name, snapshot in EXAMPLES.items()}
    words.use(LOUD, "x-loud")
    assert Picture(lesson()).svg != before["lesson"]
    words.use(words.ENGLISH, "en")
    assert {name: Picture(snapshot).svg for name, snapshot in EXAMPLES.items()} == before


def test_a_table_with_a_gap_is_refused_and_changes_nothing():
    short = {key: text for key, text in LOUD.items() if key != "picture.memory"}
    with pytest.raises(ValueError, match=r"table must have a text for every key.*picture\.memory"):
        words.use(short, "x-loud")
    assert words.say("picture.memory") == "memory"
    assert words.tag() == "en"


def test_names_are_listed_as_one_speaks_them():
    assert words.listed([]) == ""
    assert words.listed(["x"]) == "x"
    assert words.listed(["x", "y"]) == "x and y"
    assert words.listed(["x", "y", "z"]) == "x, y and z"
    assert words.listed(list("abcdef")) == "a, b, c and 3 more"


def test_one_and_many_are_told_apart():
    assert words.counted("picture.byte", 1) == "1 byte"
    assert words.counted("picture.byte", 12_000) == "12,000 bytes"
    assert words.counted("picture.tensor", 0) == "0 tensors"


def test_no_word_is_kept_that_no_picture_says():
    package = Path(words.__file__).parents[1]
    files = [*package.glob("picture/*.py"), *package.glob("live/*.py")]
    a_key = r"[\"']((?:picture|live)\.\w+)[\"'](?!:)"
    asked = {key for file in files for key in re.findall(a_key, file.read_text())}
    plurals = {f"{key}s" for key in asked}
    assert asked <= set(words.ENGLISH) <= asked | plurals
