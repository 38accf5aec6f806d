"""The lessons say the same things in each language."""

import re
from html import unescape
from string import Formatter

import pytest

import minigrad
from minigrad import draw, lessons
from minigrad.lessons.speech import LANGUAGES, catalogue, prose, say

ENGLISH = catalogue("en")


def placeholders(text: str) -> set[str]:
    """Name what is put into a text, also by argparse."""
    fields = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    return fields | set(re.findall(r"%\(\w+\)s", text))


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_the_same_keys(code: str) -> None:
    assert list(catalogue(code)) == list(ENGLISH)


@pytest.mark.parametrize("key", ENGLISH)
def test_every_text_has_the_same_placeholders(key: str) -> None:
    assert placeholders(catalogue("zh")[key]) == placeholders(ENGLISH[key])


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_is_one_line_of_words(code: str) -> None:
    assert all(text.strip() and "\n" not in text for text in catalogue(code).values())


def test_chinese_is_chinese() -> None:
    words = {key: re.sub(r"\{\w+\}|\W", "", text) for key, text in catalogue("zh").items()}
    assert [
        key for key, text in words.items() if text and not re.search("[\u4e00-\u9fff]", text)
    ] == []


def test_language_changes_what_is_said_and_returns_nothing() -> None:
    assert say("check.todo", name="d") == "d is still to do"
    assert lessons.language("zh") is None  # type: ignore[func-returns-value]
    assert say("check.todo", name="d") == "d 还没有写"


def test_pictures_speak_the_language_of_the_lesson() -> None:
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    loss = (y * y.detach()).sum() + y.unsqueeze(0)[0, 1]
    picture = draw(loss, y)
    assert "shared by y" in picture.svg
    lessons.language("zh")
    shown = unescape(re.sub(r"(?s)<style>.*?</style>", "", picture.svg).replace("&gt;", ""))
    texts = [*re.findall(r">([^<]+)<", shown), *re.findall(r'aria-label="([^"]*)"', shown)]
    words = {word for text in texts for word in re.findall("[A-Za-z_]{2,}", text)}
    code = {"requires_grad", "detach", "float", "mul", "sum", "add", "select", "unsqueeze", "loss"}
    names_of_saved = {"self", "other"}
    others = words - code - names_of_saved
    assert {word for word in others if not word.endswith("Backward")} == set()
    assert "内存" in texts


@pytest.mark.parametrize("code", ["de", "EN", "", None, 1])
def test_a_language_that_is_not_spoken_is_refused_by_the_arguments_name(code: str) -> None:
    with pytest.raises(ValueError, match="code must be 'en' or 'zh', but code is"):
        lessons.language(code)
    assert say("verdict.yes") == "right"


def test_what_is_put_into_a_text_is_not_read_as_a_text() -> None:
    assert say("check.todo", name="{name}") == "{name} is still to do"


def test_prose_is_only_what_the_catalogue_has_words_for() -> None:
    assert prose("path_was_cut") == "the path was cut"
    assert prose("d.is_leaf") is None
