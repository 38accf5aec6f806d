"""Record what real PyTorch answers to every row of ``op_table.py``, and to every call of ``bad_calls.py``.

    python tests/engine/record_op_answers.py

It needs ``torch==2.13.0``; the tests do not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from bad_calls import CALLS, error_of
from observe_ops import caught_writes, facts, observe
from op_table import ROWS

HOME = Path(__file__).parent


def main() -> None:
    rows = {}
    for row in ROWS:
        arrays = row.arrays()
        seen = observe(torch, row, arrays)
        assert "raised" not in seen, (row.name, seen)
        rows[row.name] = facts(seen) | {"caught": caught_writes(torch, row, arrays)}
    errors = {name: error_of(torch, call) for name, call in CALLS.items()}
    version = json.dumps(torch.__version__.partition("+")[0])
    text = f'{{\n"version": {version},\n"errors": {lines(errors)},\n"rows": {lines(rows)}\n}}\n'
    (HOME / "op_answers.json").write_text(text, "utf-8")
    print(f"{len(rows)} rows, {len(errors)} errors")


def lines(answers: dict[str, Any]) -> str:
    """JSON with a line for each answer."""
    entries = [
        f"{json.dumps(name)}: {json.dumps(answer, sort_keys=True)}"
        for name, answer in sorted(answers.items())
    ]
    return "{\n" + ",\n".join(entries) + "\n}"


if __name__ == "__main__":
    main()
