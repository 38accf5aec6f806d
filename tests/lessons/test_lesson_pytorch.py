"""What a lesson says that PyTorch prints, minigrad prints too; and PyTorch, where it is installed."""

import importlib
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from lesson_files import Lesson, each_lesson

SHOWN = re.compile(r"(?s)```python\n(import torch\n.*?)```.*?```text\n(.*?)```")


def printed_by(library: str, program: str) -> str:
    """Run a program for PyTorch with another library in its place."""
    printed = StringIO()
    names = {"torch": importlib.import_module(library)}
    with redirect_stdout(printed):
        exec(program.replace("import torch\n", ""), names)
    return printed.getvalue()


def programs(path: Path) -> list[tuple[str, str]]:
    return [found for cell in Lesson.at(path).markdown for found in SHOWN.findall(cell.source)]


@each_lesson
def test_minigrad_prints_what_the_lesson_says_that_pytorch_prints(path: Path) -> None:
    assert programs(path)
    for program, output in programs(path):
        assert printed_by("minigrad", program) == output


@each_lesson
def test_pytorch_prints_it(path: Path) -> None:
    pytest.importorskip("torch")
    for program, output in programs(path):
        assert printed_by("torch", program) == output
