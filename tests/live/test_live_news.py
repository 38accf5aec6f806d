"""The sentence that says what changed."""

from __future__ import annotations

import pytest

from minigrad import Tensor, lessons, snapshot, tensor
from minigrad.live.news import news
from minigrad.snapshot import Snapshot


def lesson(
    cut: bool = True, factor: float = 2.0, write: bool = False, back: bool = False
) -> Snapshot:
    """Return x, y = x * factor and z, which is cut from y or computed from it."""
    x = tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * factor
    z = y.detach() if cut else y * 1
    if write:
        z[0] = 10.0
    if back:
        y.sum().backward()
    names: dict[str, Tensor] = {"x": x, "y": y, "z": z}
    return snapshot.take(names.values(), names)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (lesson(), lesson(), ""),
        (lesson(), lesson(factor=3.0), "y and z: cells 0, 1 and 2 changed."),
        (
            lesson(),
            lesson(write=True),
            "y and z: cell 0 changed; storage B is now at version 1.",
        ),
        (
            lesson(cut=False),
            lesson(cut=True),
            "cut between y and z; gone: mul 2; y and z share storage B.",
        ),
        (
            lesson(cut=True),
            lesson(cut=False),
            "no longer cut between y and z; new: mul 2; y and z no longer share memory.",
        ),
        (lesson(), lesson(back=True), "grad of x changed."),
    ],
)
def test_news_tells_what_changed(before: Snapshot, after: Snapshot, told: str) -> None:
    assert news(before, after) == told


def test_news_stays_short() -> None:
    names = {name: tensor([1.0]) for name in "abcdefg"}
    before = snapshot.take(names.values(), names)
    for value in names.values():
        value.add_(1)
    after = snapshot.take(names.values(), names)
    assert news(before, after) == (
        "a: cell 0 changed; storage A is now at version 1; b: cell 0 changed; 11 more changes."
    )


def test_news_is_told_in_the_language_of_the_lesson() -> None:
    before, after = lesson(), lesson(write=True)
    lessons.language("zh")
    try:
        assert news(before, after) == "y 和 z：第 0 格变了；存储 B 的版本号现在是 1。"
    finally:
        lessons.language("en")


def test_a_gradient_that_stays_nan_has_not_changed() -> None:
    x = tensor([1.0, 2.0], requires_grad=True)
    (x * float("nan")).sum().backward()
    before = snapshot.take([x], {"x": x})
    assert news(before, snapshot.take([x], {"x": x})) == ""


def test_a_cell_that_stays_nan_has_not_changed() -> None:
    names = {"a": tensor([float("nan"), 1.0])}
    before = snapshot.take(names.values(), names)
    assert news(before, snapshot.take(names.values(), names)) == ""
