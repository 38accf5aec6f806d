"""``live`` without a browser: what is run, what is sent, what is shown where no kernel answers."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import ipywidgets
import pytest

import minigrad
from minigrad import Tensor, lessons
from minigrad.live import Live, LivePicture, live
from minigrad.picture import Picture, draw

VIEW = "application/vnd.jupyter.widget-view+json"


def lesson(cut: bool = True, factor: float = 2) -> tuple[Tensor, ...]:
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * factor
    z = y.detach() if cut else y * 1
    return x, y, z


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """List the traits in each message that a living picture sends."""
    messages: list[set[str]] = []
    send = LivePicture.send_state

    def listen(self: LivePicture, key: Any = None) -> None:
        messages.append({key} if isinstance(key, str) else set(key or ()))
        send(self, key)

    monkeypatch.setattr(LivePicture, "send_state", listen)
    return messages


def view(widget: Live) -> LivePicture:
    return next(child for child in widget.children if isinstance(child, LivePicture))


def test_the_controls_stand_above_the_picture() -> None:
    box, slider, picture = live(lesson, factor=(1, 5)).children
    assert isinstance(box, ipywidgets.Checkbox)
    assert isinstance(slider, ipywidgets.IntSlider)
    assert isinstance(picture, LivePicture)


def test_moving_a_control_draws_anew() -> None:
    widget = live(lesson, factor=(1, 5))
    widget.controls["factor"].value = 5
    assert view(widget).texts["t-y-v0"] == "[ 5., 10., 15.]"
    assert view(widget).news == "y and z: cells 0, 1 and 2 changed."


def test_new_values_are_sent_without_the_picture(sent: list[set[str]]) -> None:
    widget = live(lesson, factor=(1, 5))
    sent.clear()
    widget.controls["factor"].value = 4
    assert sent == [{"texts", "words", "news"}]


def test_a_new_structure_is_one_message(sent: list[set[str]]) -> None:
    widget = live(lesson)
    sent.clear()
    widget.controls["cut"].value = False
    assert sent == [{"structure", "texts", "words", "news"}]


def test_a_late_view_gets_the_whole_state() -> None:
    widget = live(lesson, factor=(1, 5))
    widget.controls["cut"].value = False
    widget.controls["factor"].value = 4
    state = view(widget).get_state()
    picture = widget.picture
    assert picture is not None
    assert state["structure"] == picture.structure
    assert state["texts"] == picture.texts
    assert state["words"] == picture.text


def both() -> tuple[Tensor, Tensor]:
    a = minigrad.tensor([1.0])
    b = a * 2
    return a, b


@pytest.mark.parametrize(
    ("result", "names"),
    [
        (lambda: both()[1], [None]),
        (lambda: list(both()), [None, None]),
        (lambda: {"first": both()[0], "second": both()[1]}, ["first", "second"]),
        (both, ["a", "b"]),
    ],
)
def test_a_program_returns_tensors_in_any_wrapping(result: Any, names: list[str | None]) -> None:
    picture = live(result).picture
    assert picture is not None
    assert [tensor.name for tensor in picture.snapshot.tensors] == names


def test_a_program_may_return_a_picture_of_its_own() -> None:
    def program() -> Picture:
        a, b = both()
        return draw(a, b, memory=False)

    picture = live(program).picture
    assert picture is not None
    assert not picture.memory


@pytest.mark.parametrize(
    ("result", "told"), [(None, "NoneType"), ((), "an empty tuple"), ([1.0], "float"), ({}, "dict")]
)
def test_a_program_that_returns_no_tensors_is_told_so(result: object, told: str) -> None:
    def program() -> object:
        return result

    error = live(program).error
    assert error.startswith("TypeError: program() must return the tensors to draw")
    assert told in error


def picky(n: int = 1) -> Tensor:
    x = minigrad.tensor([1.0])
    if n > 1:
        raise ValueError(f"n is {n}")
    return x


def test_an_error_is_told_with_its_line_and_the_last_picture_stays() -> None:
    widget = live(picky)
    before = view(widget).structure, view(widget).texts
    widget.controls["n"].value = 2
    assert widget.error.startswith("ValueError: n is 2\nin picky(), line ")
    assert widget.error.endswith(': raise ValueError(f"n is {n}")')
    assert (view(widget).structure, view(widget).texts) == before
    assert view(widget).news == "the picture is that of the last run that worked."


def test_an_error_goes_when_the_program_works_again() -> None:
    widget = live(picky)
    widget.controls["n"].value = 2
    widget.controls["n"].value = 1
    assert widget.error == ""


def test_an_error_in_the_first_run_is_told_in_the_text_too() -> None:
    widget = live(picky, n=2)
    bundle, _ = widget._repr_mimebundle_()
    assert bundle["text/plain"] == "live picture: n = 2 (ValueError: n is 2)"
    assert "image/svg+xml" not in bundle
    assert view(widget).news == ""


def test_an_interruption_is_not_swallowed() -> None:
    def program(n: int = 1) -> Tensor:
        if n > 1:
            raise KeyboardInterrupt
        return minigrad.tensor([1.0])

    widget = live(program)
    with pytest.raises(KeyboardInterrupt):
        widget.controls["n"].value = 2


def test_what_a_program_prints_and_warns_of_stands_below_the_picture(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def program() -> Tensor:
        print("one")
        print("two", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return minigrad.tensor([1.0])

    widget = live(program)
    assert view(widget).said == "one\ntwo\nUserWarning: careful"
    assert capsys.readouterr() == ("", "")


def test_the_text_is_one_fixed_line() -> None:
    widget = live(lesson, factor=(0.5, 3.0))
    assert repr(widget) == "live picture: cut = True, factor = 2"
    assert repr(live(both)) == "live picture"
    assert repr(LivePicture()) == "live picture"


def test_it_speaks_the_language_of_the_lesson() -> None:
    widget = live(picky)
    lessons.language("zh")
    try:
        assert repr(widget) == "互动图：n = 1"
        widget.controls["n"].value = 2
        assert view(widget).language == "zh-CN"
        assert view(widget).news == "图还是上一次成功运行时的样子。"
        assert "在 picky() 第 " in widget.error
    finally:
        lessons.language("en")


def test_the_picture_is_shown_where_no_kernel_answers() -> None:
    widget = live(lesson)
    bundle, _ = widget._repr_mimebundle_()
    picture = widget.picture
    assert picture is not None
    assert bundle["image/svg+xml"] == picture.svg
    assert bundle["text/plain"] == repr(widget)
    assert bundle[VIEW]["model_id"] == widget.model_id


def test_without_a_layout_program_the_words_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINIGRAD_DOT", "no-such-program")
    widget = live(lesson)
    assert view(widget).structure == ""
    assert "x -> mul -> y" in view(widget).words
    assert "graphviz-pure" in view(widget).words
    bundle, _ = widget._repr_mimebundle_()
    assert bundle["text/plain"].startswith("live picture: cut = True, factor = 2\ntensors\n")
    assert "image/svg+xml" not in bundle


def test_closing_closes_all_that_was_made() -> None:
    lent = ipywidgets.IntSlider(2)
    widget = live(lesson, factor=lent)
    parts = list(widget.children)
    widget.close()
    assert [part.comm is None for part in parts] == [True, False, True]
    assert widget.comm is None
    widget.close()


def test_a_lent_widget_no_longer_runs_a_closed_program() -> None:
    runs: list[int] = []

    def program(n: int) -> Tensor:
        runs.append(n)
        return minigrad.tensor([1.0])

    lent = ipywidgets.IntSlider(2)
    widget = live(program, n=lent)
    widget.close()
    lent.value = 3
    assert runs == [2]
