"""What the browser tests share: a real JupyterLab, a real browser, and notebooks opened in them."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lab import Lab, Notebook
from playwright.sync_api import Browser, Error, sync_playwright


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Serve an empty folder with JupyterLab; ``lab.root`` is the folder."""
    with Lab(tmp_path_factory.mktemp("lab")) as server:
        yield server


# Not for the session: while Playwright runs, nothing else in this thread can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium, or skip; with ``MINIGRAD_REQUIRE_BROWSER=1`` a missing one is a failure."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("MINIGRAD_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        _no_browser(f"no browser: none of {', '.join(names)} is installed, MINIGRAD_CHROMIUM unset")
    arguments = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
    arguments.append("--disable-background-networking")
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        except Error as error:
            _no_browser(f"{path} does not start: {error}")
        yield chromium
        chromium.close()


def _no_browser(reason: str) -> None:
    if os.environ.get("MINIGRAD_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def open_notebook(lab: Lab, browser: Browser) -> Iterator[Callable[..., Notebook]]:
    """Give a function that opens a notebook of ``lab`` in a window of its own.

    ``open_notebook("a.ipynb", reduced_motion="reduce")``: options are those of a browser context.
    Errors that the page throws fail the test.
    """
    opened: list[Notebook] = []

    def open_(name: str | Path, **options: Any) -> Notebook:
        options = {"viewport": {"width": 1000, "height": 800}, **options}
        notebook = Notebook(lab, browser.new_context(**options).new_page(), str(name))
        opened.append(notebook)
        return notebook

    yield open_
    problems = [problem for notebook in opened for problem in notebook.problems]
    for notebook in opened:
        notebook.close()
    assert problems == []
