"""Random programs of views, writes, cuts, modes and backward passes do here what they do in PyTorch."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from random_programs import PROGRAM, Program, agree, run

import minigrad

RECORDED = Path(__file__).with_name("random_programs.json")
# How many programs to try where PyTorch is installed; a report asks for 10000.
COUNT = int(os.environ.get("MINIGRAD_RANDOM_PROGRAMS", "300"))


def first_difference(program: Program, wanted: list, found: list) -> str:
    for step, one, other in zip([*program, "at the end"], wanted, found, strict=True):
        if not agree(one, other):
            return f"{step}: PyTorch {one}, here {other}"
    return ""


@pytest.mark.parametrize("record", json.loads(RECORDED.read_text("utf-8")), ids=lambda r: r["id"])
def test_recorded_program_does_what_it_did_in_pytorch(record):
    assert (
        first_difference(record["program"], record["seen"], run(minigrad, record["program"])) == ""
    )


def test_random_program_does_what_it_does_in_pytorch():
    torch = pytest.importorskip("torch")

    @settings(
        max_examples=COUNT, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(PROGRAM)
    def compare(program: Program) -> None:
        assert first_difference(program, run(torch, program), run(minigrad, program)) == ""

    compare()
