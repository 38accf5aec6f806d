"""Every lesson runs from top to bottom and shows, byte for byte, what was committed with it."""

import subprocess
from pathlib import Path

import nbformat
import pytest
from execute import save
from lesson_files import ROOT, TIMEOUT, Lesson, each_lesson, kernel_environment, python_command
from nbclient.exceptions import CellExecutionError


def compare(path: Path) -> "subprocess.CompletedProcess[str]":
    """Let nbval run a notebook and compare all that it shows."""
    command = python_command(
        *(
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--no-header",
            "-q",
            "--tb=short",
            "--color=no",
        ),
        *("--nbval", "--nbval-current-env", f"--nbval-cell-timeout={TIMEOUT}", str(path)),
    )
    alone = kernel_environment() | {"PYTEST_ADDOPTS": ""}
    return subprocess.run(
        command, cwd=ROOT, env=alone, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


@each_lesson
def test_lesson_shows_what_was_committed(path: Path) -> None:
    done = compare(path)
    if done.returncode:
        pytest.fail(f"{path.relative_to(ROOT)}\n{done.stdout}{done.stderr}", pytrace=False)


@each_lesson
def test_lesson_was_run_from_top_to_bottom(path: Path) -> None:
    counts = [cell.execution_count for cell in Lesson.at(path).code]
    assert counts == list(range(1, len(counts) + 1)), "run tests/lessons/execute.py on it"


@each_lesson
def test_lesson_was_saved_with_what_it_shows(path: Path) -> None:
    assert any(cell.outputs for cell in Lesson.at(path).code)


@each_lesson
def test_lesson_carries_nothing_that_differs_from_run_to_run(path: Path) -> None:
    lesson = Lesson.at(path)
    assert "widgets" not in lesson.notebook.metadata
    assert "version" not in lesson.notebook.metadata.language_info
    assert lesson.notebook.metadata.kernelspec.name == "python3"
    assert not any("execution" in cell.metadata for cell in lesson.cells)
    assert "widget-view" not in path.read_text(encoding="utf-8")


@each_lesson
def test_lesson_warns_of_nothing(path: Path) -> None:
    outputs = [output for cell in Lesson.at(path).code for output in cell.outputs]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


def write_notebook(path: Path, *sources: str) -> Path:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


PREDICTED = """\
from minigrad.lessons import predict
guess = predict("1 < 2", "1 > 2")
guess"""


def test_saving_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    path = write_notebook(tmp_path / "a.ipynb", "print(1)\nprint(2)", PREDICTED, "guess.reveal()")
    save(path)
    once = path.read_bytes()
    save(path)
    assert path.read_bytes() == once
    assert [cell.execution_count for cell in Lesson.at(path).code] == [1, 2, 3]
    assert compare(path).returncode == 0


def test_a_notebook_that_fails_is_left_as_it_was(tmp_path: Path) -> None:
    path = write_notebook(tmp_path / "a.ipynb", "1 / 0")
    before = path.read_bytes()
    with pytest.raises(CellExecutionError):
        save(path)
    assert path.read_bytes() == before


def test_an_output_that_is_not_the_committed_one_is_told(tmp_path: Path) -> None:
    path = write_notebook(tmp_path / "a.ipynb", "print(2)")
    save(path)
    path.write_text(path.read_text().replace("2\\n", "3\\n"))
    done = compare(path)
    assert done.returncode == 1
    assert r"'3\n' == '2\n'" in done.stdout


def test_what_a_learner_predicted_changes_nothing_that_is_compared(tmp_path: Path) -> None:
    path = write_notebook(tmp_path / "a.ipynb", PREDICTED, "guess.reveal()")
    save(path)
    notebook = Lesson.at(path).notebook
    notebook.cells[0].source += "\nguess.choices[0].index = 1\nguess"
    nbformat.write(notebook, path)
    assert compare(path).returncode == 0
