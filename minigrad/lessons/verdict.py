"""What a check answers: one line, that says whether a fact holds."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

from minigrad.lessons.speech import say

State = Literal["yes", "no", "todo"]

_SIGNS: dict[State, str] = {"yes": "✓", "no": "✗", "todo": "○"}
_COLOURS: dict[State, str] = {"yes": "#2e7d32", "no": "#d32f2f", "todo": "#808080"}


@dataclass(frozen=True, repr=False)
class Verdict:
    """A fact that holds, one that does not (with a hint), or one that is still to come.

    As a truth value it is True if the fact holds.
    """

    state: State
    message: str

    def __bool__(self) -> bool:
        return self.state == "yes"

    def __repr__(self) -> str:
        return f"{_SIGNS[self.state]} {self.message}"

    def _repr_html_(self) -> str:
        # The sign and the words carry the meaning; colour only helps to find them.
        return (
            f'<div style="border-left: 4px solid {_COLOURS[self.state]}; padding-left: 0.7em">'
            f'<span role="img" aria-label="{escape(say(f"verdict.{self.state}"))}">'
            f"{_SIGNS[self.state]}</span> {escape(self.message)}</div>"
        )


def yes(key: str, **values: object) -> Verdict:
    """Return a fact that holds."""
    return Verdict("yes", say(key, **values))


def no(key: str, **values: object) -> Verdict:
    """Return a fact that does not hold, with a hint."""
    return Verdict("no", say(key, **values))


def todo(name: str) -> Verdict:
    """Return what is said of an exercise whose ``...`` still stands."""
    return Verdict("todo", say("check.todo", name=name))


def together(verdicts: tuple[Verdict, ...]) -> Verdict:
    """Make one line of several: what is still to do, else the first that fails, else all."""
    for state in ("todo", "no"):
        for verdict in verdicts:
            if verdict.state == state:
                return verdict
    return Verdict("yes", say("check.and").join(verdict.message for verdict in verdicts))
