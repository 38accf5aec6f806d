"""Every exercise can be solved: with the solution that the lesson folds away, its check says yes.

As they stand, the cells are run by ``test_lesson_outputs``.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from lesson_files import Lesson, each_lesson, execute, in_folds, solutions_of, solved


def first_line(cell: Any) -> str:
    """Return what a check cell says, in its plain form."""
    said = [output.data["text/plain"] for output in cell.outputs if "data" in output]
    return said[-1] if said else ""


@each_lesson
def test_every_exercise_has_a_solution_and_waits_for_one(path: Path) -> None:
    lesson = Lesson.at(path)
    assert lesson.exercises, "tag the cells that the learner completes with 'exercise'"
    assert {cell.id for cell in lesson.exercises} == set(solutions_of(path))
    for cell in lesson.exercises:
        assert "check" in cell.source, cell.source
        assert first_line(cell)[:1] in ("○", "✗"), cell.source


@each_lesson
def test_every_stub_is_in_an_exercise(path: Path) -> None:
    stubs = [cell for cell in Lesson.at(path).code if re.search(r"(?m)= \.\.\.$", cell.source)]
    assert [cell.source for cell in stubs if "exercise" not in cell.metadata.get("tags", ())] == []


@each_lesson
def test_solutions_are_folded_into_the_lesson(path: Path) -> None:
    lesson = Lesson.at(path)
    solutions = solutions_of(path)
    for cell in lesson.exercises:
        later = lesson.cells[lesson.cells.index(cell) :]
        folded = [fold for c in later if c.cell_type == "markdown" for fold in in_folds(c.source)]
        assert any(f"```python\n{solutions[cell.id]}\n```" in fold for fold in folded), cell.id


@each_lesson
def test_checks_accept_the_solutions(path: Path) -> None:
    lesson = Lesson.at(path)
    solutions = solutions_of(path)
    for cell in lesson.exercises:
        cell.source = solved(cell.source, solutions[cell.id])
    execute(lesson.notebook, path.parent)
    said = {cell.id: first_line(cell) for cell in lesson.exercises}
    assert {name: line for name, line in said.items() if not line.startswith("✓")} == {}


@pytest.mark.parametrize(
    ("source", "solution", "whole"),
    [
        ("d = ...\ncheck(d)", "d = 1", "d = 1\ncheck(d)"),
        ("d = ...  # yours\ncheck(d)", "a = 1\nd = a", "a = 1\nd = a\ncheck(d)"),
        ("a = ...\nb = ...\ncheck(b)", "a = b = 1", "a = b = 1\ncheck(b)"),
        ("def f(h):\n    ...\ncheck(f)", "return h", "def f(h):\n    return h\ncheck(f)"),
        ("x = wrong\ncheck.value(x, 1)", "x = 1", "x = 1\ncheck.value(x, 1)"),
        ("x = f(..., 1)\ncheck(x)", "x = 1", "x = 1\ncheck(x)"),
    ],
)
def test_solution_takes_the_place_of_the_stubs(source: str, solution: str, whole: str) -> None:
    assert solved(source, solution) == whole
