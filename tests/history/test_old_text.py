"""How PyTorch 0.3 printed: as its own documentation and programs of the time show it."""

from __future__ import annotations

import minigrad
from minigrad.history import Variable, old_text


def text(data) -> str:
    return old_text(minigrad.tensor(data))


def test_a_variable_prints_its_data_below_two_words():
    v = Variable(minigrad.tensor([1.0, 2.0]))
    assert repr(v) == "Variable containing:\n 1\n 2\n[minigrad.FloatTensor of size 2]"


def test_whole_numbers_have_no_point_and_others_four_decimals():
    assert text([1.0, 20.0, -3.0]).splitlines()[:3] == ["  1", " 20", " -3"]
    assert text([0.7071, 0.5]).splitlines()[:2] == [" 0.7071", " 0.5000"]
    assert text([12.5, 1.0]).splitlines()[:2] == [" 12.5000", "  1.0000"]


def test_a_matrix_prints_in_rows_and_its_size_with_a_cross():
    assert text([[1, 2], [3, 4]]) == " 1  2\n 3  4\n[minigrad.LongTensor of size 2x2]"


def test_a_factor_common_to_large_numbers_is_taken_out():
    assert text([123456.5, 2222222.25]).splitlines() == [
        "1.00000e+06 *",
        "  0.1235",
        "  2.2222",
        "[minigrad.FloatTensor of size 2]",
    ]


def test_a_wide_range_is_written_with_powers_of_ten():
    assert text([0.003, 100000.0]).splitlines()[:2] == [" 3.0000e-03", " 1.0000e+05"]


def test_nan_and_infinity_take_three_places():
    assert text([float("nan"), 1.0, float("-inf")]).splitlines()[:3] == ["nan", "  1", "-inf"]


def test_more_dimensions_print_matrix_after_matrix():
    assert old_text(minigrad.arange(8).view(2, 2, 2)).splitlines() == [
        "(0 ,.,.) = ",
        "  0  1",
        "  2  3",
        "",
        "(1 ,.,.) = ",
        "  4  5",
        "  6  7",
        "[minigrad.LongTensor of size 2x2x2]",
    ]


def test_a_long_row_is_broken_into_blocks_of_columns():
    lines = old_text(minigrad.full((1, 30), 10.125)).splitlines()
    assert lines[0] == "Columns 0 to 7 "
    assert all([len(line) <= 80 for line in lines])
    assert lines[-2].count("10.1250") == 6


def test_a_large_tensor_shows_its_ends():
    lines = old_text(minigrad.arange(2000)).splitlines()
    assert lines[:3] == ["    0", "    1", "    2"]
    assert lines[3].strip() == "⋮"
    assert len(lines) == 8
    assert len(old_text(minigrad.arange(1600).view(40, 40)).splitlines()) == 8


def test_an_empty_tensor_says_so():
    assert text([]) == "[minigrad.FloatTensor with no elements]"
