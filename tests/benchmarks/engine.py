"""How fast the engine is: ratios to the same mathematics in other hands, in one interleaved run.

    python tests/benchmarks/engine.py [rounds]

Measured beside minigrad, whichever of them is installed: PyTorch on the CPU, HIPS autograd,
micrograd, tinygrad; and the same formulas written by hand in numpy, which are the floor for all that
compute with numpy. One thread each.

chain        a thousand small operations on three numbers, forward, and forward with backward
small net    a training step of a 2-16-16-1 network on 100 points
large net    a training step of a 784-256-128-10 network on a batch of 64
"""

from __future__ import annotations

import os
import sys

# Before numpy is loaded: one thread, and whatever kernel suits the processor.
for _setting in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(_setting, None)
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import chains
import networks
from interleave import side_by_side, table

LIBRARIES = ("minigrad", "torch", "autograd", "tinygrad", "micrograd")


def installed() -> list[str]:
    """Return the libraries to measure, minigrad first."""
    return [name for name in LIBRARIES if find_spec(name) is not None]


def main() -> None:
    """Measure all, and print a table each."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    sys.setrecursionlimit(100_000)  # micrograd walks its graph recursively
    names = installed()
    if "torch" in names:
        import torch

        torch.set_num_threads(1)
    reference = "torch" if "torch" in names else "minigrad"
    for label, build in chains.CHAINS.items():
        for backward in (False, True):
            programs = built(build, names, backward)
            title = f"\nchain of 1,000: {label}, " + (
                "forward and backward" if backward else "forward"
            )
            timings = side_by_side(programs, rounds=rounds)
            print(table(title, timings, reference=reference, per=1000, unit="an op"), flush=True)
    for title, network in networks.NETWORKS.items():
        programs = built(network, ["numpy", *names])
        timings = side_by_side(programs, rounds=rounds)
        print(table("\n" + title, timings, reference="numpy", per=1, unit="a step"), flush=True)


def built(
    build: Callable[..., Callable[[], object] | None], names: list[str], *given: Any
) -> dict[str, Callable[[], object]]:
    """Return the program of every library that can express it."""
    programs = {name: build(name, *given) for name in names}
    return {name: program for name, program in programs.items() if program is not None}


if __name__ == "__main__":
    main()
