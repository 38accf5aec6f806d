"""The lessons say the same things in each language."""

import re
from string import Formatter

import pytest

from minigrad import lessons
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
