"""Lesson 1: what it draws, what its instruments show, and how its exercises answer."""

import linecache
from itertools import count
from typing import Any

import pytest
from lesson_files import LANGUAGES, NOTEBOOKS, Lesson, solved

import minigrad
from minigrad import draw, lessons

NAME = "01_first_cut.ipynb"
LESSON = Lesson.at(NOTEBOOKS / "en" / NAME)
CELLS = {cell.id: cell for cell in LESSON.code}
_numbers = count(1)


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; return the value of its last line, if it has one."""
    file = f"<lesson {next(_numbers)}>"
    body, _, last = source.rpartition("\n\n")
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(body, file, "exec"), names)
    above = "\n" * (body.count("\n") + 2 if body else 0)
    return eval(compile(above + last, file, "eval"), names)


@pytest.fixture
def names() -> dict[str, Any]:
    """What the lesson's first cell brings."""
    here: dict[str, Any] = {}
    exec(CELLS["imports"].source, here)
    return here


def answered(names: dict[str, Any], cell: str, answer: str) -> str:
    """Put an answer in the place of the stub, and return what the check says."""
    return repr(run(solved(CELLS[cell].source, answer), names))


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ("d = ...", "○ d is still to do"),
        ("d = y", "✗ a path still leads from d to x, by way of mul."),
        ("d = x * 2\nd.detach()", "which of the two is d?"),
        ("d = y.detach", "✗ d is a function, not a tensor: are the () missing that call it?"),
        ("d = y.detach().numpy()", "✗ d is of type ndarray, not a tensor"),
        ("d = x.detach()", "✗ d holds [1, 2, 3], and y holds [2, 4, 6]"),
        ("d = x.detach() * 2", "✗ d and y have memory of their own"),
        ("d = y.detach().clone()", "✗ d and y have memory of their own"),
        ("d = minigrad.tensor(y.tolist())", "✗ d and y have memory of their own"),
        ("d = y.detach_()", "✗ no path leads from y to x: "),
        ("d = y.detach_()", "or cut off itself by detach_()?"),
    ],
)
def test_exercise_a_knows_the_slips(names: dict[str, Any], answer: str, hint: str) -> None:
    assert hint in answered(names, "exercise-a", answer)


def test_exercise_a_says_what_a_right_answer_achieves(names: dict[str, Any]) -> None:
    assert answered(names, "exercise-a", "d = y.detach()") == (
        "✓ no path leads from d to x; d and y hold the same values; d and y share memory; "
        "a path leads from y to x, by way of mul"
    )


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ("e = ...", "○ e is still to do"),
        ("e = d", "✗ no path leads from e to x: e was cut off by detach()"),
        ("e = minigrad.tensor(y.tolist())", "was e made of plain numbers"),
        ("e = x.detach() * 2", "computed behind a cut or under no_grad"),
        ("e = y.detach().requires_grad_()", "✗ e requires grad, but it is a new leaf"),
        ("e = x + 2", "✗ e holds [3, 4, 5], and y holds [2, 4, 6]"),
        ("e = [2.0, 4.0, 6.0]", "✗ e is of type list, not a tensor"),
    ],
)
def test_exercise_b_knows_the_slips(names: dict[str, Any], answer: str, hint: str) -> None:
    answered(names, "exercise-a", "d = y.detach()")
    assert hint in answered(names, "exercise-b", answer)


@pytest.mark.parametrize("answer", ["e = x * 2", "e = x + x", "e = y.clone()", "e = y"])
def test_exercise_b_has_several_right_answers(names: dict[str, Any], answer: str) -> None:
    answered(names, "exercise-a", "d = y.detach()")
    assert answered(names, "exercise-b", answer).startswith("✓")


def test_scissors_change_the_gradient_and_nothing_else(names: dict[str, Any]) -> None:
    instrument = run(CELLS["scissors"].source, names)
    cut, cells = instrument.picture.snapshot, instrument.picture.texts
    assert [edge.kind for edge in cut.edges].count("cut") == 1
    instrument.controls["cut"].value = False
    whole = instrument.picture.snapshot
    assert [edge.kind for edge in whole.edges].count("cut") == 0
    for snapshot, grad in ((cut, (4.0, 8.0, 12.0)), (whole, (8.0, 16.0, 24.0))):
        tensors = {tensor.name: tensor for tensor in snapshot.tensors}
        assert tensors["x"].grad == grad
        assert tensors["loss"].values == (56.0,)
        assert tensors["y"].storage == tensors["z"].storage
    changed = {key for key, text in instrument.picture.texts.items() if cells[key] != text}
    assert changed == {"t-x-g0"}


def test_slider_writes_through_z_and_it_arrives_in_y(names: dict[str, Any]) -> None:
    instrument = run(CELLS["write"].source, names)
    for writes in range(6):
        instrument.controls["writes"].value = writes
        snapshot = instrument.picture.snapshot
        tensors = {tensor.name: tensor for tensor in snapshot.tensors}
        written = (2.0 + writes, 4.0 + writes, 6.0 + writes)
        assert tensors["x"].values == (1.0, 2.0, 3.0)
        assert tensors["y"].values == tensors["z"].values == written
        assert [storage.version for storage in snapshot.storages] == [0, writes]
        assert [edge.kind for edge in snapshot.edges].count("cut") == 1


def test_confusions_that_the_prediction_meets_are_marked() -> None:
    assert CELLS["guess"].metadata["confusions"] == ["C02", "C03"]


def test_the_readme_shows_what_the_lesson_draws() -> None:
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    z = y.detach()
    image = (NOTEBOOKS / "images" / "first_cut.svg").read_bytes()
    assert image == draw(z).svg.encode()
    assert image.decode() == CELLS["draw"].outputs[0].data["image/svg+xml"]
    assert y.grad_fn is not None


@pytest.mark.parametrize("code", LANGUAGES)
def test_pictures_are_committed_in_the_language_of_the_lesson(code: str) -> None:
    lessons.language(code)
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    z = y.detach()
    (cell,) = (cell for cell in Lesson.at(NOTEBOOKS / code / NAME).code if cell.id == "draw")
    assert cell.outputs[0].data["text/plain"] == draw(x, y, z).text
