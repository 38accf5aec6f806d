"""Run lessons from top to bottom and save them with what they show.

    python tests/lessons/execute.py [NOTEBOOK ...]

Without arguments all lessons are run. The same lesson gives the same file on every machine: cells
are counted from 1, and what differs from run to run (widget state, timings, versions) is left out.
"""

import argparse
from pathlib import Path
from typing import Any

import nbformat
from lesson_files import LESSONS, execute

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
WIDGET = "application/vnd.jupyter.widget-view+json"


def save(path: Path) -> None:
    """Run one notebook, and write it in place; if a cell fails the file stays as it was."""
    notebook = nbformat.read(path, as_version=4)
    execute(notebook, path.parent)
    tidy(notebook)
    nbformat.write(notebook, path)


def tidy(notebook: Any) -> None:
    """Leave in a notebook only what is the same in every run."""
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNEL, "language_info": {"name": "python"}}
        | {key: value for key, value in notebook.metadata.items() if key in ("title", "confusions")}
    )
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: value for key, value in cell.metadata.items() if key in ("tags", "confusions")}
        )
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET, None)
            output.get("metadata", {}).pop(WIDGET, None)


def main() -> None:
    """Run the notebooks that are named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", default=LESSONS)
    for path in parser.parse_args().notebooks:
        print(path)
        save(path)


if __name__ == "__main__":
    main()
