"""What is seen of a living picture in a notebook that is saved, where no kernel answers.

GitHub, nbviewer and nbconvert take the SVG beside the widget. JupyterLab prefers the widget, and
says that it is not found, unless the saved output names no widget. So a lesson is saved without.
(GitHub also drops the style sheet of an SVG: see ``test_picture_without_sheet.py``.)
"""

from __future__ import annotations

import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable

import nbformat
import pytest
from lab import Lab, Notebook
from playwright.sync_api import expect

VIEW = "application/vnd.jupyter.widget-view+json"

LESSON = """
import minigrad
from minigrad.live import live

def program(factor):
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * factor
    return x, y

live(program, factor=(1, 9))
"""


def jupyter(lab: Lab, *command: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "jupyter", *command],
        cwd=lab.root,
        env=lab.environment,
        check=True,
        capture_output=True,
    )


@pytest.fixture(scope="module")
def saved(lab: Lab) -> nbformat.NotebookNode:
    """Run the lesson, and return it as it would be committed: without the state of widgets."""
    lab.write("run.ipynb", LESSON)
    jupyter(lab, "nbconvert", "--execute", "--to", "notebook", "--inplace", "run.ipynb")
    notebook = nbformat.read(lab.root / "run.ipynb", as_version=4)
    notebook.metadata.pop("widgets", None)
    return notebook


def without_views(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        for output in cell.outputs:
            output.data.pop(VIEW, None)
    return copy


def test_the_saved_output_holds_the_picture_and_one_line(saved: nbformat.NotebookNode) -> None:
    (output,) = saved.cells[0].outputs
    assert sorted(output.data) == [VIEW, "image/svg+xml", "text/plain"]
    assert output.data["text/plain"] == "live picture: factor = 5"


@pytest.mark.parametrize("template", ["lab", "classic", "basic"])
@pytest.mark.parametrize("views", [True, False], ids=["with views", "without"])
def test_nbconvert_shows_the_picture(
    lab: Lab, saved: nbformat.NotebookNode, views: bool, template: str
) -> None:
    nbformat.write(saved if views else without_views(saved), lab.root / "static.ipynb")
    jupyter(lab, "nbconvert", "--to", "html", "--template", template, "static.ipynb")
    html = (lab.root / "static.html").read_text()
    svg = saved.cells[0].outputs[0].data["image/svg+xml"]
    assert svg in html or b64encode(svg.encode()).decode() in html
    assert "widget-state" not in html


def test_jupyterlab_shows_the_picture_before_anything_runs(
    lab: Lab, open_notebook: Callable[..., Notebook], saved: nbformat.NotebookNode
) -> None:
    nbformat.write(without_views(saved), lab.root / "still.ipynb")
    lab.trust("still.ipynb")
    notebook = open_notebook("still.ipynb")
    expect(notebook.output(0).locator(".jp-RenderedSVG svg, .jp-RenderedSVG img")).to_be_visible()
    notebook.screenshot("saved-notebook")
    notebook.run_all()
    expect(notebook.output(0).locator(".minigrad-live svg")).to_be_visible()
    expect(notebook.output(0).locator(".jp-RenderedSVG")).to_have_count(0)


def test_a_notebook_saved_without_views_still_passes_nbval(
    lab: Lab, saved: nbformat.NotebookNode
) -> None:
    nbformat.write(without_views(saved), lab.root / "checked.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "-p", "no:cacheprovider", "checked.ipynb"]
    subprocess.run(command, cwd=lab.root, env=lab.environment, check=True, capture_output=True)
