"""What the tests of the lessons share: they start in English, and leave it as they found it."""

from collections.abc import Iterator

import pytest

from minigrad import lessons


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    lessons.language("en")
    yield
    lessons.language("en")
