"""Numbers are written as PyTorch writes them."""

from __future__ import annotations

import pytest

from minigrad.picture.values import format_numbers, lines


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((2.0, 4.0), ("2.", "4.")),
        ((0.5, -1.25), ("0.5000", "-1.2500")),
        ((1.0, 2000.0), ("1.0000e+00", "2.0000e+03")),
        ((0.00001,), ("1.0000e-05",)),
        ((1e9,), ("1.0000e+09",)),
        ((1.0, float("nan"), float("-inf")), ("1.", "nan", "-inf")),
        ((0.0, -0.0), ("0.", "-0.")),
        ((1, -20), ("1", "-20")),
        ((True, False), ("True", "False")),
        ((), ()),
    ],
)
def test_numbers_are_written_as_pytorch_writes_them(values, texts):
    assert format_numbers(values) == texts


@pytest.mark.parametrize(
    ("values", "shape", "expected"),
    [
        ((48.0,), (), ("48.",)),
        ((1.0, -2.0), (2,), ("[ 1., -2.]",)),
        ((), (0,), ("[]",)),
        ((), (2, 0), ("[]",)),
        ((1.0, 2.0, 3.0, 4.0), (2, 2), ("[[1., 2.],", " [3., 4.]]")),
        ((1, 2, 3, 4), (2, 1, 2), ("[[[1, 2]],", " [[3, 4]]]")),
        (tuple(range(8)), (8,), ("[0, 1, 2, ..., 5, 6, 7]",)),
        ((0, 1, 2), (1000,), ("[0, 1, 2, ...]",)),
        ((0, 1, 2), (3, 2), ("[[0, 1],", " [2, ...],", " ...]")),
    ],
)
def test_shapes_are_laid_out_in_lines(values, shape, expected):
    assert lines(values, shape) == expected


def test_many_rows_lose_their_middle():
    rows = lines(tuple(range(20)), (10, 2))
    assert len(rows) == 7
    assert rows[0] == "[[ 0,  1],"
    assert rows[3].strip() == "..."
    assert rows[-1] == " [18, 19]]"
