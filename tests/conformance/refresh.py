"""Record what real PyTorch answers to every behaviour program.

    python tests/conformance/refresh.py [GROUP ...]

It needs ``torch==2.13.0``; the tests do not. Answers of the groups named (of all, without names) are
written to the ``expected*.json`` that already holds the group; a new group gets a file of its own,
``expected_GROUP.json``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import torch
from observations import HERE, groups, observe, programs


def main(chosen: list[str]) -> None:
    """Ask PyTorch, and write the answers beside the programs."""
    paths = sorted(HERE.glob("expected*.json"))
    files: dict[Any, dict[str, Any]] = {p: json.loads(p.read_text("utf-8")) for p in paths}
    for group in chosen or groups():
        own = HERE / f"expected_{group}.json"
        home = next((p for p, record in files.items() if group in record["groups"]), own)
        answers = {name: observe(torch, program) for name, program in programs(group).items()}
        for name, answer in answers.items():
            if isinstance(answer, dict) and "CASE_ERROR" in answer:
                print(f"{group}.{name} ends in an exception: {answer}", file=sys.stderr)
        files.setdefault(home, {"groups": {}, "module": "torch"})["groups"][group] = answers
        print(f"{group}: {len(answers)} answers in {home.name}")
    for path, record in files.items():
        record["version"] = torch.__version__.partition("+")[0]
        text = json.dumps(record, indent=1, sort_keys=True, allow_nan=False)
        path.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
