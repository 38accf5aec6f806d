"""Predictions are remembered, and compared with what the program turned out to do."""

from typing import Any

import pytest

import minigrad
from minigrad import lessons
from minigrad.lessons import check, predict


def first_cut() -> tuple[Any, Any, Any]:
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    return x, y, y.detach()


def choose(guess: Any, *answers: object) -> None:
    for choice, answer in zip(guess.choices, answers, strict=True):
        choice.index = guess.options.index(answer)


def test_nothing_is_chosen_at_first() -> None:
    guess = predict("d.is_leaf", "d.requires_grad")
    assert guess.answers == (..., ...)
    assert [choice.value for choice in guess.choices] == [None, None]


def test_reveal_asks_python_where_it_is_called() -> None:
    guess = predict("d.requires_grad", "d.grad_fn is None", "d.is_leaf")
    _, _, d = first_cut()
    assert repr(guess.reveal()) == (
        "d.requires_grad    →  False\nd.grad_fn is None  →  True\nd.is_leaf          →  True"
    )
    assert not d.requires_grad


def test_each_choice_is_compared() -> None:
    guess = predict("d.requires_grad", "d.is_leaf")
    choose(guess, True, True)
    _, _, d = first_cut()
    shown = guess.reveal().widget.value
    assert (
        "✗ Not quite: you said <b>True</b>, but <code>d.requires_grad</code> is <b>False</b>."
    ) in shown
    assert "✓ Right: <code>d.is_leaf</code> is <b>True</b>." in shown
    assert d.is_leaf


def test_without_a_choice_the_answer_comes_with_an_invitation() -> None:
    guess = predict("1 < 2")
    shown = guess.reveal().widget.value
    assert shown.startswith("<code>1 &lt; 2</code> is <b>True</b>.<br>")
    assert "Something is not predicted yet" in shown


def test_a_check_is_a_question_and_its_line_the_reason() -> None:
    guess = predict("check.shares(d, y)", "check.equal(y, x * 2)")
    choose(guess, False, True)
    x, y, d = first_cut()
    revealed = guess.reveal()
    assert repr(revealed) == "check.shares(d, y)     →  True\ncheck.equal(y, x * 2)  →  True"
    assert "is <b>True</b> (d and y share memory)." in revealed.widget.value
    assert "is <b>True</b> (y and x * 2 hold the same values)." in revealed.widget.value
    assert check.path(y, x)
    assert check.leaf(d)


@pytest.mark.parametrize(
    ("options", "answer", "right"),
    [
        ([108, 54, 27, 0], 54, True),
        ([108, 54, 27, 0], 108, False),
        ([[54.0], 54, None], None, False),
        ([True, 54], True, False),
    ],
)
def test_one_of_several_options(options: list[object], answer: object, right: bool) -> None:
    guess = predict("x.grad", options=options)
    choose(guess, answer)
    x = minigrad.tensor(27.0, requires_grad=True)
    (2 * x).backward()
    x.grad *= 27
    assert ("Right" in guess.reveal().widget.value) is right


def test_an_error_is_an_outcome_that_can_be_predicted() -> None:
    guess = predict("1 // 0", "nowhere", options=[0, ZeroDivisionError])
    choose(guess, ZeroDivisionError, ZeroDivisionError)
    revealed = guess.reveal()
    assert repr(revealed) == (
        "1 // 0   →  ZeroDivisionError: integer division or modulo by zero\n"
        "nowhere  →  NameError: name 'nowhere' is not defined"
    )
    assert revealed.widget.value.count("Right") == 1


def test_questions_in_words_come_from_the_catalogue() -> None:
    guess = predict("memory_shared", options=["path_was_cut", "not_a_leaf"])
    assert repr(guess) == "the memory is shared  ?  the path was cut / it is not a leaf"
    choose(guess, "not_a_leaf")
    assert "you said <b>it is not a leaf</b>" in guess.reveal("path_was_cut").widget.value


def test_what_is_shown_without_a_kernel_does_not_depend_on_the_choice() -> None:
    guess = predict("1 < 2", "2 < 1")
    before = repr(guess), repr(guess.reveal())
    choose(guess, False, False)
    assert (repr(guess), repr(guess.reveal())) == before
    assert repr(guess) == "1 < 2  ?  True / False\n2 < 1  ?  True / False"


def test_both_are_shown_as_a_widget_beside_a_text() -> None:
    guess = predict("1 < 2")
    for shown in (guess, guess.reveal()):
        bundle = shown._repr_mimebundle_()
        assert bundle["text/plain"] == repr(shown)
        assert set(bundle) <= {"text/plain", "application/vnd.jupyter.widget-view+json"}


def test_options_can_be_read_in_full_and_reached_by_keyboard() -> None:
    long = ["a rather long option that would not fit on a line with others", "another"]
    guess = predict("x", options=long)
    (choice,) = guess.choices
    assert choice.layout.width == "max-content"
    assert choice.orientation == "vertical"
    assert list(choice.options) == long
    assert choice.tooltip == "x"
    assert predict("x").choices[0].orientation == "horizontal"


def test_everything_is_escaped() -> None:
    guess = predict("'</code><script>'", options=["<b>", "</p>"])
    choose(guess, "<b>")
    assert "<script>" not in guess.choices[0].description
    assert "<script>" not in guess.reveal().widget.value
    assert "<b>&lt;b&gt;</b>" in guess.reveal().widget.value


def test_predictions_speak_the_language_of_the_lesson() -> None:
    lessons.language("zh")
    guess = predict("1 < 2")
    choose(guess, False)
    assert "<code>1 &lt; 2</code> 的结果是 <b>True</b>。" in guess.reveal().widget.value


def test_mistakes_of_an_author_are_told_by_the_arguments_name() -> None:
    with pytest.raises(ValueError, match="questions must name at least one"):
        predict()
    with pytest.raises(TypeError, match="question 2 must be Python code in a string, not bool"):
        predict("a", True)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="options must be two or more"):
        predict("a", options=[1])
    with pytest.raises(ValueError, match="outcomes must be one for each of the 2 questions"):
        predict("a", "b").reveal(True)
