"""Operations record, save and refuse what PyTorch does: compared with its recorded answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bad_calls import CALLS, error_of, key_words
from observe_ops import caught_writes, facts, observe
from op_table import ROWS

import minigrad

ANSWERS = json.loads((Path(__file__).parent / "op_answers.json").read_text("utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_graph_dtypes_and_views_are_those_of_pytorch(row):
    expected = {k: v for k, v in ANSWERS["rows"][row.name].items() if k != "caught"}
    assert facts(observe(minigrad, row, row.arrays())) == expected


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_backward_refuses_after_the_same_writes(row):
    assert caught_writes(minigrad, row, row.arrays()) == ANSWERS["rows"][row.name]["caught"]


@pytest.mark.parametrize("name", CALLS)
def test_bad_call_raises_the_same_class_with_the_same_key_words(name):
    kind, message = ANSWERS["errors"][name]
    found_kind, found_message = error_of(minigrad, CALLS[name])
    assert found_kind == kind, found_message
    if "invalid combination of arguments" in message:
        return  # what follows is a list of C++ signatures
    wanted = key_words(message)
    said = [word for word in wanted if word in found_message]
    assert len(said) >= 0.6 * len(wanted), f"{message!r} is not in {found_message!r}"


def test_every_row_and_call_has_an_answer():
    assert {row.name for row in ROWS} == set(ANSWERS["rows"])
    assert set(CALLS) == set(ANSWERS["errors"])
    assert len({row.name for row in ROWS}) == len(ROWS)
