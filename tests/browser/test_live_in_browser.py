"""``live`` in a real JupyterLab: what the learner sees while playing with the controls."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from lab import Lab, Notebook
from playwright.sync_api import Locator, expect

LESSON = """
import minigrad
from minigrad.live import live

def program(cut, factor):
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * factor
    z = y.detach() if cut else y * 1
    return x, y, z

picture = live(program, cut=True, factor=(1, 9))
picture
"""

PICKY = """
import minigrad
from minigrad.live import live

def picky(n=1):
    x = minigrad.tensor([1.0]) * n
    print("n is", n)
    if n == 2:
        raise ValueError("two is too much")
    return x

live(picky)
"""

SLOW = """
import time
import minigrad
from minigrad.live import live

runs = []

def slow(n=(0, 1000)):
    runs.append(n)
    time.sleep(0.15)
    x = minigrad.tensor([float(n)])
    return x

picture = live(slow, n=(0, 1000))
picture
"""

Open = Callable[..., Notebook]


@pytest.fixture
def lesson(lab: Lab, open_notebook: Open) -> Callable[..., Notebook]:
    """Give a function that opens a notebook with the lesson's program, and runs it."""

    def open_(*cells: str, **options: Any) -> Notebook:
        notebook = open_notebook(lab.write("lesson.ipynb", *(cells or (LESSON,))), **options)
        notebook.run_all()
        notebook.page.wait_for_selector(".minigrad-live .stage > *")
        return notebook

    return open_


def picture(notebook: Notebook, cell: int = 0) -> Locator:
    return notebook.output(cell).locator(".minigrad-live svg.minigrad-picture")


def text(notebook: Notebook, identity: str) -> Locator:
    return picture(notebook).locator(f'[id="{identity}"]')


def news(notebook: Notebook) -> Locator:
    return notebook.output(0).locator(".minigrad-live .news")


def press(notebook: Notebook, key: str, times: int = 1) -> None:
    """Press a key on the slider."""
    notebook.output(0).locator(".noUi-handle").focus()
    for _ in range(times):
        notebook.page.keyboard.press(key)


def toggle(notebook: Notebook) -> None:
    notebook.output(0).locator("input[type=checkbox]").click()


def moving(notebook: Notebook) -> int:
    """Count what moves in the picture, or will move."""
    count = "(svg) => svg.getAnimations({ subtree: true }).length"
    return int(picture(notebook).evaluate(count))


def wait_until_still(notebook: Notebook) -> None:
    finished = (
        "(svg) => Promise.allSettled(svg.getAnimations({ subtree: true }).map((a) => a.finished))"
    )
    picture(notebook).evaluate(f"(svg) => ({finished})(svg).then(() => null)")
    notebook.settle()


def test_a_key_on_the_slider_changes_the_picture(lesson: Open) -> None:
    notebook = lesson()
    press(notebook, "ArrowRight")
    expect(text(notebook, "t-y-v0")).to_have_text("[ 6., 12., 18.]")
    expect(text(notebook, "s-B-c0-text")).to_have_text("6.")
    expect(news(notebook)).to_have_text("y and z: cells 0, 1 and 2 changed.")
    notebook.screenshot("live-light")


def test_new_values_touch_nothing_but_texts(lesson: Open) -> None:
    notebook = lesson()
    picture(notebook).evaluate(
        """(svg) => {
          window.touched = [];
          const all = { attributes: true, childList: true, characterData: true, subtree: true };
          new MutationObserver((records) => {
            for (const { type, target, attributeName } of records) {
              touched.push(type === "attributes" ? attributeName : target.nodeName);
            }
          }).observe(svg, all);
        }"""
    )
    press(notebook, "ArrowRight")
    expect(text(notebook, "t-y-v0")).to_have_text("[ 6., 12., 18.]")
    wait_until_still(notebook)
    touched = notebook.page.evaluate("[...new Set(touched)].sort()")
    assert touched == ["aria-label", "class", "text"]


def test_the_picture_is_never_away_and_never_empty(lesson: Open) -> None:
    notebook = lesson()
    picture(notebook).evaluate(
        """(svg) => {
          window.frames_ = [];
          const look = () => {
            const box = svg.getBoundingClientRect();
            const shown = svg.isConnected && box.width > 100 && box.height > 100;
            const full = ["t-x", "t-y", "t-z"].every((id) => {
              const node = svg.querySelector(`[id="${id}"]`);
              return node?.textContent.includes(".]") && getComputedStyle(node).opacity === "1";
            });
            window.frames_.push(shown && full);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    for cuts in (0, 1, 0):
        toggle(notebook)
        press(notebook, "ArrowRight")
        expect(picture(notebook).locator('[id="e-t-y--t-z"]')).to_have_count(cuts)
    wait_until_still(notebook)
    frames = notebook.page.evaluate("window.frames_")
    assert len(frames) > 20
    assert all(frames)


def test_cutting_breaks_the_edge_and_what_is_gone_leaves(lesson: Open) -> None:
    notebook = lesson()
    toggle(notebook)
    expect(picture(notebook).locator('[id="o-mul-2"]')).to_be_visible()
    expect(news(notebook)).to_contain_text("no longer cut between y and z")
    wait_until_still(notebook)
    toggle(notebook)
    expect(picture(notebook).locator(".edge.cut .half.tail")).to_be_attached()
    halves = picture(notebook).locator('[id="e-t-y--t-z"] > .half')
    assert halves.evaluate_all("(halves) => halves.map((half) => half.getAnimations().length)") == [
        1,
        1,
    ]
    wait_until_still(notebook)
    expect(picture(notebook).locator(".leaving > *")).to_have_count(0)
    expect(picture(notebook).locator('[id="o-mul-2"]')).to_have_count(0)
    expect(news(notebook)).to_contain_text("y and z share storage B")


def test_boxes_glide_to_where_they_belong(lesson: Open) -> None:
    notebook = lesson()
    picture(notebook).evaluate(
        """(svg) => {
          const box = svg.querySelector('[id="t-z"]');
          window.path = [];
          const look = () => {
            window.path.push(box.getBoundingClientRect().left);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    toggle(notebook)
    expect(picture(notebook).locator('[id="o-mul-2"]')).to_be_attached()
    wait_until_still(notebook)
    path = notebook.page.evaluate("window.path")
    whole = path[-1] - path[0]
    assert whole > 20
    assert max(after - before for before, after in pairwise(path)) < 0.8 * whole


def test_a_drag_ends_in_the_last_value_and_builds_no_queue(lesson: Open) -> None:
    notebook = lesson(SLOW, "print(len(runs), runs[-1])")
    handle = notebook.output(0).locator(".noUi-handle").bounding_box()
    track = notebook.output(0).locator(".noUi-base").bounding_box()
    assert handle is not None
    assert track is not None
    mouse = notebook.page.mouse
    middle = handle["y"] + handle["height"] / 2
    mouse.move(handle["x"] + handle["width"] / 2, middle)
    mouse.down()
    for step in range(60):
        mouse.move(track["x"] + track["width"] * step / 60, middle)
    mouse.move(track["x"] + track["width"] + 20, middle)
    mouse.up()
    # Two runs of the program at most are still to come: the one under way, and the last.
    expect(text(notebook, "t-x-v0")).to_have_text("[1000.]", timeout=1500)
    notebook.run_cell(1)
    runs, last = map(int, notebook.output(1).inner_text().split()[-2:])
    assert last == 1000
    assert runs < 30


def test_an_error_is_told_and_the_last_picture_stays(lesson: Open) -> None:
    notebook = lesson(PICKY)
    expect(notebook.output(0).locator(".said")).to_have_text("n is 1")
    press(notebook, "ArrowRight")
    error = notebook.output(0).get_by_role("alert")
    expect(error).to_contain_text("ValueError: two is too much")
    expect(error).to_contain_text('raise ValueError("two is too much")')
    expect(text(notebook, "t-x-v0")).to_have_text("[1.]")
    expect(news(notebook)).to_have_text("the picture is that of the last run that worked.")
    wait_until_still(notebook)
    assert picture(notebook).evaluate("(svg) => getComputedStyle(svg).filter") == "grayscale(1)"
    notebook.screenshot("live-error")
    press(notebook, "ArrowRight")
    expect(text(notebook, "t-x-v0")).to_have_text("[3.]")
    expect(error).to_be_empty()
    expect(notebook.output(0).locator(".failed")).to_have_count(0)


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_every_text_can_be_read_in_either_theme(lesson: Open, theme: str) -> None:
    notebook = lesson()
    press(notebook, "ArrowRight")
    notebook.use_theme(theme)
    wait_until_still(notebook)
    notebook.screenshot(f"live-{theme.split()[-1].lower()}-theme")
    pairs = picture(notebook).evaluate(
        """(svg) => [...svg.querySelectorAll(".tensor > text, .cell > text, .op > text")].map(
          (text) => [text, text.parentNode.querySelector("rect, ellipse")].map(
            (node) => getComputedStyle(node).fill.match(/\\d+/g).map(Number)))"""
    )
    assert len(pairs) > 15
    assert min(contrast(*pair) for pair in pairs) >= 4.5
    ink, paper = news(notebook).evaluate(
        """(node) => [getComputedStyle(node).color,
          getComputedStyle(node.closest(".jp-Notebook")).backgroundColor].map(
            (colour) => colour.match(/[\\d.]+/g).map(Number))"""
    )
    assert contrast(over(ink, paper), paper) >= 4.5


def over(ink: list[float], paper: list[float]) -> list[float]:
    """Return what a colour that may be partly transparent looks like on another."""
    alpha = ink[3] if len(ink) > 3 else 1.0
    return [alpha * i + (1 - alpha) * p for i, p in zip(ink[:3], paper, strict=False)]


def luminance(rgb: list[float]) -> float:
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: list[float], other: list[float]) -> float:
    """Return the contrast of two colours as WCAG 2 counts it, from 1 to 21."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_with_reduced_motion_nothing_moves_and_what_changed_is_outlined(lesson: Open) -> None:
    notebook = lesson(reduced_motion="reduce")
    toggle(notebook)
    expect(picture(notebook).locator('[id="o-mul-2"]')).to_be_visible()
    assert moving(notebook) == 0
    press(notebook, "ArrowRight")
    expect(text(notebook, "s-B-c0-text")).to_have_text("6.")
    assert moving(notebook) == 0
    outlined = picture(notebook).locator(".cell.changed rect").first
    assert outlined.evaluate("(rect) => getComputedStyle(rect).strokeWidth") == "3px"
    notebook.screenshot("live-reduced-motion")


def test_the_keyboard_reaches_the_controls_and_then_the_picture(lesson: Open) -> None:
    notebook = lesson()
    notebook.output(0).locator("input[type=checkbox]").focus()
    notebook.page.keyboard.press("Space")
    expect(picture(notebook).locator(".edge.cut")).to_have_count(0)
    for _ in range(3):  # the slider, its readout, the picture
        notebook.page.keyboard.press("Tab")
    assert notebook.page.evaluate("document.activeElement.getAttribute('role')") == "img"


def test_the_picture_is_told_in_words(lesson: Open) -> None:
    notebook = lesson()
    label = picture(notebook).get_attribute("aria-label")
    assert label is not None
    assert "y -x detach x-> z" in label
    press(notebook, "ArrowRight")
    expect(text(notebook, "t-y-v0")).to_have_text("[ 6., 12., 18.]")
    label = picture(notebook).get_attribute("aria-label")
    assert label is not None
    assert "y = [ 6., 12., 18.]" in label
    assert news(notebook).get_attribute("aria-live") == "polite"


def test_every_view_shows_the_same_also_one_that_opens_late(lesson: Open) -> None:
    notebook = lesson(LESSON, "# later", "# last")
    press(notebook, "ArrowRight")
    expect(text(notebook, "t-y-v0")).to_have_text("[ 6., 12., 18.]")
    notebook.write_cell(1, "picture")
    notebook.run_cell(1)
    expect(picture(notebook, 1).locator('[id="t-y-v0"]')).to_have_text("[ 6., 12., 18.]")
    toggle(notebook)
    for cell in (0, 1):
        expect(picture(notebook, cell).locator('[id="o-mul-2"]')).to_be_visible()
    notebook.write_cell(2, "picture.close()")
    notebook.run_cell(2)
    expect(notebook.page.locator(".minigrad-live")).to_have_count(0)


def test_a_name_that_looks_like_markup_is_only_text(lesson: Open) -> None:
    notebook = lesson(
        """
import minigrad
from minigrad.live import live

def program(n=1):
    return {"</text></svg><img src=x onerror='window.hurt=1'><script>window.hurt=1</script>":
            minigrad.tensor([1.0]) * n}

live(program)
"""
    )
    press(notebook, "ArrowRight")
    expect(news(notebook)).to_contain_text("cell 0 changed")
    assert notebook.page.evaluate("window.hurt") is None
    assert notebook.output(0).locator("img, script").count() == 0
