"""Each behaviour program observes here what it observes in PyTorch."""

from __future__ import annotations

import pytest
from observations import differences, groups, observe, programs, recorded

import minigrad

ANSWERS = recorded()
# Programs whose answer differs here, each with the reason. A few at most.
KNOWN: dict[str, str] = {}

CASES = [(group, name) for group in groups() for name in programs(group)]


@pytest.mark.parametrize(("group", "name"), CASES, ids=lambda part: part.removeprefix("case_"))
def test_program_observes_what_pytorch_observes(group: str, name: str) -> None:
    if f"{group}.{name}" in KNOWN:
        pytest.xfail(KNOWN[f"{group}.{name}"])
    assert name in ANSWERS.get(group, {}), "no recorded answer: run tests/conformance/refresh.py"
    found = observe(minigrad, programs(group)[name])
    assert list(differences(ANSWERS[group][name], found)) == []


def test_every_recorded_answer_has_its_program() -> None:
    answered = {(group, name) for group, cases in ANSWERS.items() for name in cases}
    assert answered - set(CASES) == set()
