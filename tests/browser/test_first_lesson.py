"""The first lesson as a learner meets it: read, run, predicted and played with, from the keyboard."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lab import Lab, Notebook
from playwright.sync_api import Locator, expect

LESSONS = Path(__file__).resolve().parents[2] / "notebooks"
NAME = "01_first_cut.ipynb"

CUT = "e-t-y--t-z"
TIES = ("m-t-y--s-B", "m-t-z--s-B")
Y_AND_Z = ("t-y-v0", "t-z-v0")
CELLS = ("s-B-c0-text", "s-B-c1-text", "s-B-c2-text")

# Looks at the picture in every frame from now on: is it in the page, of a good size, and are the
# tensors in it, opaque and with their numbers?
WATCH = """
(svg) => {
  window.looks = [];
  const look = () => {
    const box = svg.getBoundingClientRect();
    const full = ["t-x", "t-y", "t-z"].every((id) => {
      const node = svg.querySelector(`[id="${id}"]`);
      return /\\d\\.\\]/.test(node?.textContent) && getComputedStyle(node).opacity === "1";
    });
    looks.push(svg.isConnected && box.width > 300 && box.height > 100 && full);
    requestAnimationFrame(look);
  };
  look();
}
"""


class FirstLesson:
    """The lesson, open and run, and the places in it that the tests look at."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.places = {cell["id"]: index for index, cell in enumerate(notebook.cells())}
        self.sources = {cell["id"]: cell["source"] for cell in notebook.cells()}

    def output(self, cell: str) -> Locator:
        return self.notebook.output(self.places[cell])

    def picture(self, cell: str) -> Locator:
        return self.output(cell).locator(".minigrad-live svg.minigrad-picture")

    def part(self, cell: str, identity: str) -> Locator:
        return self.picture(cell).locator(f'[id="{identity}"]')

    def texts(self, cell: str, identities: tuple[str, ...]) -> list[str]:
        return [self.part(cell, identity).inner_html() for identity in identities]

    def version(self, cell: str) -> int:
        return int(self.part(cell, "s-B-version").inner_html().removeprefix("v"))

    def press(self, control: Locator, *keys: str) -> None:
        control.focus()
        for key in keys:
            self.notebook.page.keyboard.press(key)

    def answer(self, exercise: str, answer: str) -> None:
        """Write an answer in the place of the exercise's dots, and run its cell."""
        index = self.places[exercise]
        source = re.sub(r"(?m)^(\w+) = .*(?=\n\ncheck)", answer, self.sources[exercise])
        assert answer in source
        self.notebook.write_cell(index, source)
        self.notebook.run_cell(index)


@pytest.fixture(params=["en", "zh"])
def opened(
    request: pytest.FixtureRequest, lab: Lab, open_notebook: Callable[..., Notebook]
) -> Notebook:
    """Open a copy of the lesson that was signed, as ``minigrad lessons`` brings it."""
    folder = lab.root / request.param
    shutil.copytree(LESSONS / request.param, folder, dirs_exist_ok=True)
    lab.trust(f"{request.param}/{NAME}")
    return open_notebook(f"{request.param}/{NAME}", viewport={"width": 1280, "height": 900})


@pytest.fixture
def lesson(opened: Notebook) -> FirstLesson:
    opened.run_all()
    lesson = FirstLesson(opened)
    for cell in ("scissors", "write"):
        expect(lesson.picture(cell)).to_be_visible()
    return lesson


def test_the_pictures_are_there_before_anything_is_run(opened: Notebook) -> None:
    lesson = FirstLesson(opened)
    for cell in ("draw", "scissors", "write"):
        shown = lesson.output(cell).locator(".jp-RenderedSVG").locator("svg, img")
        expect(shown).to_be_visible()
        box = shown.bounding_box()
        assert box is not None
        assert box["width"] > 300


def test_the_lesson_runs_from_top_to_bottom(lesson: FirstLesson, request: Any) -> None:
    code = [cell for cell in lesson.notebook.cells() if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    for exercise in ("exercise-a", "exercise-b"):
        expect(lesson.output(exercise)).to_contain_text("○")
    for theme in ("Light", "Dark"):
        lesson.notebook.use_theme(f"JupyterLab {theme}")
        for cell in ("guess", "reveal", "draw", "scissors", "write", "exercise-a"):
            name = f"{request.node.callspec.id}-{theme.lower()}-{cell}"
            place = lesson.notebook.cell(lesson.places[cell])
            place.scroll_into_view_if_needed()
            lesson.notebook.screenshot(name, place)


def test_a_prediction_is_made_with_keys_and_compared(lesson: FirstLesson) -> None:
    expect(lesson.output("reveal")).not_to_contain_text("✓")
    questions = lesson.output("guess").locator(".widget-radio")
    count = questions.count()
    for question in range(count):
        radios = questions.nth(question).locator("input[type=radio]")
        lesson.press(radios.nth(0), "Space")
        expect(radios.nth(0)).to_be_checked()
    lesson.notebook.run_cell(lesson.places["reveal"])
    # z.requires_grad alone is not True.
    compared = lesson.output("reveal").locator(".widget-html-content")
    expect(compared).to_contain_text("✗")
    signs = [sign for sign in compared.inner_text() if sign in "✓✗"]
    assert signs == ["✗"] + ["✓"] * (count - 1)


def test_the_scissors_cut_one_edge_and_leave_the_memory_shared(lesson: FirstLesson) -> None:
    tick = lesson.output("scissors").locator("input[type=checkbox]")
    expect(tick).to_be_checked()
    gradient = lesson.part("scissors", "t-x-g0")
    for _ in range(2):
        cut = lesson.part("scissors", CUT)
        expect(cut).to_have_class("edge cut")
        expect(cut.locator(".half")).to_have_count(2)
        expect(cut.locator(".scissors")).to_be_visible()
        expect(lesson.picture("scissors").locator(".edge.cut")).to_have_count(1)
        expect(gradient).to_have_text("[ 4., 8., 12.]")
        for tie in TIES:
            expect(lesson.part("scissors", tie)).to_be_visible()

        lesson.press(tick, "Space")
        expect(lesson.picture("scissors").locator(".edge.cut")).to_have_count(0)
        expect(gradient).to_have_text("[ 8., 16., 24.]")
        for tie in TIES:
            expect(lesson.part("scissors", tie)).to_be_visible()

        lesson.press(tick, "Space")


def test_a_write_through_z_arrives_in_y(lesson: FirstLesson) -> None:
    for tie in TIES:
        expect(lesson.part("write", tie)).to_be_visible()
    expect(lesson.part("write", CUT)).to_have_class("edge cut")
    assert lesson.texts("write", Y_AND_Z) == ["[3., 5., 7.]"] * 2
    assert lesson.version("write") == 1

    slider = lesson.output("write").locator(".noUi-handle")
    lesson.press(slider, "ArrowRight")
    expect(lesson.part("write", "t-y-v0")).to_have_text("[4., 6., 8.]")
    assert lesson.texts("write", Y_AND_Z) == ["[4., 6., 8.]"] * 2
    assert lesson.texts("write", CELLS) == ["4.", "6.", "8."]
    assert lesson.version("write") == 2
    expect(lesson.picture("write").locator(".cell.changed")).to_have_count(3)
    expect(lesson.part("write", "t-x-v0")).to_have_text("[1., 2., 3.]")
    expect(lesson.part("write", "s-A-version")).to_have_text("v0")
    expect(lesson.part("write", CUT)).to_have_class("edge cut")

    lesson.press(slider, "Home")
    expect(lesson.part("write", "t-y-v0")).to_have_text("[2., 4., 6.]")
    assert lesson.version("write") == 0


def test_the_picture_is_there_in_every_frame(lesson: FirstLesson) -> None:
    page = lesson.notebook.page
    tick = lesson.output("scissors").locator("input[type=checkbox]")
    lesson.picture("scissors").evaluate(WATCH)
    for cuts in (0, 1, 0, 1):
        lesson.press(tick, "Space")
        expect(lesson.picture("scissors").locator(".edge.cut")).to_have_count(cuts)
    lesson.press(tick, *["Space"] * 6)  # faster than anything can be drawn
    page.wait_for_timeout(1000)
    assert_never_away(lesson)

    handle = lesson.output("write").locator(".noUi-handle")
    lesson.picture("write").evaluate(WATCH)
    lesson.press(handle, "Home", *["ArrowRight"] * 5)
    expect(lesson.part("write", "t-z-v0")).to_have_text("[ 7., 9., 11.]")
    track = lesson.output("write").locator(".noUi-base").bounding_box()
    grip = handle.bounding_box()
    assert track is not None
    assert grip is not None
    height = grip["y"] + grip["height"] / 2
    page.mouse.move(grip["x"] + grip["width"] / 2, height)
    page.mouse.down()
    for step in range(60):
        across = abs(step % 20 - 10) / 10
        page.mouse.move(track["x"] + track["width"] * across, height)
    page.mouse.move(track["x"] - 20, height)
    page.mouse.up()
    expect(lesson.part("write", "t-z-v0")).to_have_text("[2., 4., 6.]")
    assert lesson.version("write") == 0
    page.wait_for_timeout(1000)
    assert_never_away(lesson)


def assert_never_away(lesson: FirstLesson) -> None:
    looks = lesson.notebook.page.evaluate("window.looks")
    assert len(looks) > 20
    assert all(looks)


def test_the_exercises_are_solved_in_the_page(lesson: FirstLesson) -> None:
    for exercise, wrong, right in (
        ("exercise-a", "d = y", "d = y.detach()"),
        ("exercise-b", "e = d", "e = x * 2"),
    ):
        for answer, sign in ((wrong, "✗"), (right, "✓")):
            lesson.answer(exercise, answer)
            expect(lesson.output(exercise)).to_contain_text(sign)
