"""The checks of style and of types, so that the one test command covers them."""

import sys

from repository import ROOT, run


def test_ruff_finds_nothing() -> None:
    run(sys.executable, "-m", "ruff", "check", ".", cwd=ROOT)


def test_python_files_are_formatted() -> None:
    run(sys.executable, "-m", "ruff", "format", "--check", "minigrad", "tests", cwd=ROOT)


def test_the_package_passes_mypy_strict() -> None:
    run(sys.executable, "-m", "mypy", cwd=ROOT)
