"""How the pictures are kept: run ``pytest tests/picture --update-golden`` to draw them anew.

Then look at every changed file in ``golden/`` before it is kept.
"""

from __future__ import annotations

from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden pictures")


@pytest.fixture
def golden(request: pytest.FixtureRequest):
    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--update-golden", default=False):
            file.write_text(text, encoding="utf-8", newline="\n")
        assert text == file.read_text(encoding="utf-8"), f"{name} is drawn differently"

    return compare
