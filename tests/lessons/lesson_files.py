"""The lessons under test: where they are, how they are run, and how a solution is put into one."""

import os
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
SOLUTIONS = Path(__file__).with_name("solutions")

LANGUAGES = ("en", "zh")
LESSONS = sorted(path for code in LANGUAGES for path in (NOTEBOOKS / code).glob("[!.]*.ipynb"))

TIMEOUT = 600
"""Seconds that one cell may take."""

each_lesson = pytest.mark.parametrize(
    "path", LESSONS, ids=[path.relative_to(NOTEBOOKS).as_posix() for path in LESSONS]
)

_STUB = re.compile(r"(?m)^(?P<indent> *)(?:[\w, ]+ = )?\.\.\.(?: *#.*)?$")


@dataclass(frozen=True)
class Lesson:
    """A notebook and where it is."""

    path: Path
    notebook: Any

    @classmethod
    def at(cls, path: Path) -> "Lesson":
        return cls(path, nbformat.read(path, as_version=4))

    @property
    def language(self) -> str:
        return self.path.parent.name

    @property
    def cells(self) -> list[Any]:
        return list(self.notebook.cells)

    @property
    def code(self) -> list[Any]:
        return [cell for cell in self.cells if cell.cell_type == "code"]

    @property
    def markdown(self) -> list[Any]:
        return [cell for cell in self.cells if cell.cell_type == "markdown"]

    @property
    def exercises(self) -> list[Any]:
        """The cells that the learner completes."""
        return [cell for cell in self.code if "exercise" in cell.metadata.get("tags", ())]


def kernel_environment() -> dict[str, str]:
    """Let a kernel import this very minigrad, whether or not it is installed."""
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


def execute(notebook: Any, folder: Path) -> None:
    """Run all cells of a notebook, in order, in a new kernel of this Python."""
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
    )
    client.execute(env=kernel_environment())


def solutions_of(path: Path) -> dict[str, str]:
    """Read the solutions of a lesson, by the id of the cell they belong to.

    They are the same in each language: ``solutions/NN_name.py``, a part for each exercise, which
    starts with a line ``# %% id-of-the-cell``.
    """
    file = SOLUTIONS / f"{path.stem}.py"
    if not file.exists():
        return {}
    parts = re.split(r"(?m)^# %% (\S+)\n", file.read_text(encoding="utf-8"))
    return {name: text.strip("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def solved(source: str, solution: str) -> str:
    """Put a solution in the place of an exercise's stubs.

    The stubs are the lines ``name = ...`` and ``...``, and what stands between them. A cell without
    stubs is to be repaired: the solution takes the place of all that comes before the check.
    """
    stubs = list(_STUB.finditer(source))
    if stubs:
        start, end = stubs[0].start(), stubs[-1].end()
        solution = textwrap.indent(solution, stubs[0]["indent"])
    else:
        start, end = 0, re.search(r"(?m)^check\b|\Z", source).start()  # type: ignore[union-attr]
        solution += "\n"
    return source[:start] + solution + source[end:]


def headings(text: str) -> Iterator[tuple[int, str]]:
    """Give the headings of a Markdown text with their levels; what is fenced is no heading."""
    prose = re.sub(r"(?ms)^(```|~~~).*?^\1", "", text)
    for marks, title in re.findall(r"(?m)^(#{1,6}) +(.+?)\s*$", prose):
        yield len(marks), title


def in_folds(text: str) -> list[str]:
    """Give what is folded away in a Markdown text."""
    return re.findall(r"(?s)<details>.*?</details>", text)


def python_command(*arguments: str) -> list[str]:
    """Return a command line of this Python."""
    return [sys.executable, *arguments]
