"""What ``import minigrad`` costs beside ``import numpy``, each in a fresh process, side by side.

    python tests/benchmarks/import_time.py [rounds]

Pictures, widgets and networks are loaded when they are first used, so little should come on top.
"""

from __future__ import annotations

import os
import subprocess
import sys

from interleave import side_by_side, table

PROGRAMS = {
    "numpy": "import numpy",
    "minigrad": "import minigrad",
    "nothing": "pass",
}


# An installed package is compiled once, so it is here too, in the warm-up.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _fresh(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True, env=ENVIRONMENT)


def main() -> None:
    """Measure, and print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    programs = {name: (lambda text=text: _fresh(text)) for name, text in PROGRAMS.items()}
    timings = side_by_side(programs, rounds=rounds, warm_up=2)
    print(table("import, in a fresh process", timings, reference="numpy", per=1, unit="a process"))


if __name__ == "__main__":
    main()
