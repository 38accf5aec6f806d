"""Record what PyTorch observes in a few hundred random programs.

    python tests/engine/record_random_programs.py [COUNT]

It needs ``torch==2.13.0`` and hypothesis; the test that reads ``random_programs.json`` needs neither.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from hypothesis import HealthCheck, Phase, given, seed, settings
from random_programs import PROGRAM, Program, run


def main(count: int) -> None:
    """Draw ``count`` programs, always the same ones, and write what PyTorch saw."""
    records = []

    @seed(20260101)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(PROGRAM)
    def collect(program: Program) -> None:
        records.append(
            {"id": f"{len(records):04}", "program": program, "seen": run(torch, program)}
        )

    collect()
    lines = ",\n".join(json.dumps(record, allow_nan=False) for record in records)
    Path(__file__).with_name("random_programs.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
