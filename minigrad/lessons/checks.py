"""The checks of the exercises: each looks at one fact and answers with one line.

A check never raises. It says what is so, and where a common slip explains it, it hints at the slip
rather than give the answer away. While an exercise's ``...`` stands it says that this is to do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from minigrad.lessons import facts
from minigrad.lessons.named import named
from minigrad.lessons.values import written
from minigrad.lessons.verdict import Verdict, no, todo, together


class Check:
    """The facts a lesson can ask for; called with several of them, it makes one line of all."""

    def __call__(self, *verdicts: Verdict) -> Verdict:
        """Answer for several facts at once: all that hold, or the first that does not."""
        for position, verdict in enumerate(verdicts, start=1):
            if not isinstance(verdict, Verdict):
                raise TypeError(
                    f"check(): argument {position} must be a fact, such as check.path(a, b), "
                    f"not {type(verdict).__name__}"
                )
        return together(verdicts)

    def no_path(self, tensor: object, source: object) -> Verdict:
        """Check that no recorded path leads from ``tensor``, or any in a list, to ``source``."""
        return _look(facts.no_path, tensor, source)

    def path(self, tensor: object, source: object) -> Verdict:
        """Check that a recorded path leads from ``tensor`` back to ``source``."""
        return _look(facts.path, tensor, source)

    def shares(self, tensor: object, other: object) -> Verdict:
        """Check that the two tensors read the same memory."""
        return _look(facts.shares, tensor, other)

    def not_shares(self, tensor: object, other: object) -> Verdict:
        """Check that the two tensors have memory of their own."""
        return _look(facts.not_shares, tensor, other)

    def leaf(self, tensor: object) -> Verdict:
        """Check that the tensor is a leaf: no recorded operation made it."""
        return _look(facts.leaf, tensor)

    def requires_grad(self, tensor: object) -> Verdict:
        """Check that the tensor requires grad."""
        return _look(facts.requires_grad, tensor)

    def grad(self, tensor: object, expected: object) -> Verdict:
        """Check that the gradient in ``.grad`` is ``expected``, which may be None."""
        return _look(facts.grad, tensor, expected)

    def value(self, value: object, expected: object) -> Verdict:
        """Check that a tensor, number or list is ``expected``, without giving that away."""
        return _look(facts.value, value, expected)

    def equal(self, one: object, other: object) -> Verdict:
        """Check that two tensors, numbers or lists hold the same values."""
        return _look(facts.equal, one, other)

    def version(self, tensor: object, expected: int) -> Verdict:
        """Check that the memory of the tensor was written in place ``expected`` times."""
        return _look(facts.version, tensor, expected)

    def ops(self, tensors: object, expected: int) -> Verdict:
        """Check that a tensor, or all in a list, keep ``expected`` operations alive."""
        return _look(facts.ops, tensors, expected)

    def raises(self, program: Callable[[], object], words: str = "") -> Verdict:
        """Check that calling ``program`` raises an error whose message has ``words`` in it."""
        return _look(facts.raises, program, words)

    def runs(self, program: Callable[[], object]) -> Verdict:
        """Check that calling ``program`` raises nothing."""
        return _look(facts.runs, program)

    def __repr__(self) -> str:
        return "check"


check = Check()


def _look(fact: Callable[..., Verdict], *values: Any) -> Verdict:
    """Name the arguments as the lesson does, and ask for the fact."""
    arguments = named(sys._getframe(2), values)
    for argument in arguments:
        if argument.value is ...:
            return todo(argument.name)
    try:
        return fact(*arguments)
    except facts.NotATensorError as problem:
        return problem.verdict
    except Exception as error:
        return no("check.failed", name=arguments[0].name, error=written(error))
