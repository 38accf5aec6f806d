"""A picture whose style sheet was taken away, as GitHub does, looks as it did."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

GOLDEN = Path(__file__).resolve().parents[1] / "picture" / "golden"
PICTURES = sorted(GOLDEN.glob("*.svg"))


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 1400, "height": 900}, color_scheme="light")


def seen(page: Page, svg: str) -> bytes:
    page.set_content(f"<body style='margin: 0'>{svg}")
    return page.locator("svg").screenshot()


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_looks_the_same_without_its_sheet(page: Page, path: Path) -> None:
    svg = path.read_text(encoding="utf-8")
    bare = re.sub(r"(?s)<style>.*?</style>", "", svg)
    assert bare != svg
    assert seen(page, bare) == seen(page, svg)
