"""Predict first, then run: questions with radio buttons, and their answers compared later.

    guess = predict("d.requires_grad", "d.grad_fn is None")
    guess

A question is a piece of Python; the options are what it may turn out to be. The cell that runs the
program ends with ``guess.reveal()``, which asks Python and compares. So no lesson holds an answer
beside its question, and a learner who changes the program still gets the truth.

All that changes goes through widget traits. The texts beside the widgets, for places without a
kernel, depend on the program alone and never on what was chosen.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Sequence
from html import escape
from typing import Any

from ipywidgets import HTML, Layout, RadioButtons, VBox  # type: ignore[import-untyped]

from minigrad.lessons.speech import prose, say
from minigrad.lessons.values import alike, written
from minigrad.lessons.verdict import Verdict

_ONE_LINE = 40
"""Options that are together no longer than this stand side by side."""


def predict(*questions: str, options: Sequence[object] = (True, False)) -> Prediction:
    """Ask what each of ``questions`` will be: True or False, or one of ``options``.

    A question is a Python expression, or the name of a text in the catalogue. An option is any
    plain value; an exception class stands for a question that raises one.
    """
    if not questions:
        raise ValueError("predict(): questions must name at least one, but there is none")
    for position, question in enumerate(questions, start=1):
        if not isinstance(question, str):
            raise TypeError(
                f"predict(): question {position} must be Python code in a string, "
                f"not {type(question).__name__}"
            )
    if len(options) < 2:
        raise ValueError(f"predict(): options must be two or more, but options is {options!r}")
    return Prediction(questions, tuple(options))


class Prediction:
    """Questions that wait for a choice, and remember it. Made by ``predict``."""

    def __init__(self, questions: tuple[str, ...], options: tuple[object, ...]) -> None:
        self.questions = questions
        self.options = options
        labels = [written(option) for option in options]
        self.choices = [_choice(question, labels) for question in questions]
        self.widget = VBox(self.choices)

    @property
    def answers(self) -> tuple[object | None, ...]:
        """What is chosen for each question; an ellipsis where nothing is."""
        return tuple(
            ... if choice.index is None else self.options[choice.index] for choice in self.choices
        )

    def reveal(self, *outcomes: object) -> Comparison:
        """Compare the choices with what the questions turned out to be.

        Python is asked where the call stands, after the program has run. ``outcomes`` may be given
        instead, for questions that are not code.
        """
        if outcomes and len(outcomes) != len(self.questions):
            raise ValueError(
                f"reveal(): outcomes must be one for each of the {len(self.questions)} questions, "
                f"but there are {len(outcomes)}"
            )
        frame = sys._getframe(1)
        found = outcomes or tuple(
            _outcome(question, frame.f_globals, frame.f_locals) for question in self.questions
        )
        return Comparison(self.questions, self.answers, found)

    def __repr__(self) -> str:
        options = " / ".join(written(option) for option in self.options)
        return _table([(prose(question) or question, options) for question in self.questions], "?")

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return _shown(self.widget, repr(self))


class Comparison:
    """What the questions turned out to be, beside what was predicted."""

    def __init__(
        self,
        questions: tuple[str, ...],
        answers: tuple[object, ...],
        outcomes: tuple[object, ...],
    ) -> None:
        self.questions = questions
        self.outcomes = outcomes
        lines = [
            _compared(question, answer, outcome)
            for question, answer, outcome in zip(questions, answers, outcomes, strict=True)
        ]
        if ... in answers:
            lines.append(escape(say("prediction.unanswered")))
        self.widget = HTML("<br>".join(lines))

    def __repr__(self) -> str:
        outcomes = [written(_answer_to(outcome)) for outcome in self.outcomes]
        questions = [prose(question) or question for question in self.questions]
        return _table(list(zip(questions, outcomes, strict=True)), "→")

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return _shown(self.widget, repr(self))


def _choice(question: str, labels: list[str]) -> Any:
    words = prose(question)
    shown = escape(words) if words else f"<code>{escape(question)}</code>"
    side_by_side = sum(map(len, labels)) <= _ONE_LINE
    if side_by_side:
        labels = [f"{label}\N{EM SPACE}" for label in labels]  # So each is seen to be its button's.
    return RadioButtons(
        options=labels,
        index=None,
        description=shown,
        description_allow_html=True,
        tooltip=words or question,
        orientation="horizontal" if side_by_side else "vertical",
        layout=Layout(width="max-content"),
        style={"description_width": "initial"},
    )


def _outcome(question: str, module: dict[str, Any], here: Any) -> object:
    """Ask Python; an error is an outcome too."""
    file = f"<question {question}>"
    linecache.cache[file] = (len(question), None, [question], file)  # A check reads its source.
    try:
        return eval(compile(question, file, "eval"), module, here)
    except Exception as error:
        return error


def _answer_to(outcome: object) -> object:
    """Return the plain value that a question came to: of a check, whether its fact holds."""
    return bool(outcome) if isinstance(outcome, Verdict) else outcome


def _compared(question: str, answer: object, outcome: object) -> str:
    """Say in HTML whether ``answer`` was right, and what is."""
    words = prose(question)
    code = escape(words) if words else f"<code>{escape(question)}</code>"
    value = f"<b>{escape(written(_answer_to(outcome)))}</b>"
    if isinstance(outcome, Verdict):
        reason = escape(outcome.message)
        fact = say("prediction.is_because", question=code, outcome=value, reason=reason)
    else:
        fact = say("prediction.is", question=code, outcome=value)
    if answer is ...:
        return say("prediction.open", fact=fact)
    if _agree(answer, _answer_to(outcome)):
        return f"✓ {say('prediction.right', fact=fact)}"
    return f"✗ {say('prediction.wrong', answer=f'<b>{escape(written(answer))}</b>', fact=fact)}"


def _agree(answer: object, outcome: object) -> bool:
    if isinstance(answer, type):
        return isinstance(outcome, answer)
    return alike(answer, outcome)


def _table(rows: list[tuple[str, str]], sign: str) -> str:
    widest = max(len(left) for left, _ in rows)
    return "\n".join(f"{left:{widest}}  {sign}  {right}" for left, right in rows)


def _shown(widget: Any, text: str) -> dict[str, Any]:
    """Return what Jupyter shows: the living widget, and a text where there is no kernel."""
    bundle: dict[str, Any] = {"text/plain": text}
    if widget.comm is not None:
        view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
        bundle["application/vnd.jupyter.widget-view+json"] = view
    return bundle
