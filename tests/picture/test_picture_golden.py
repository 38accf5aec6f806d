"""The pictures as they are, byte for byte, and that they are the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from picture_examples import EXAMPLES

from minigrad.picture import Picture

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", EXAMPLES)
def test_picture_is_drawn_as_it_was(name, golden):
    picture = Picture(EXAMPLES[name])
    golden(f"{name}.svg", picture.svg)
    golden(f"{name}.txt", picture.text + "\n")


def test_dot_is_written_as_it_was(golden):
    golden("lesson.dot", Picture(EXAMPLES["lesson"]).dot)


def test_every_process_draws_the_same_bytes():
    program = (
        "import hashlib\n"
        "from picture_examples import EXAMPLES\n"
        "from minigrad.picture import Picture\n"
        "for snapshot in EXAMPLES.values():\n"
        "    picture = Picture(snapshot)\n"
        "    for text in (picture.svg, picture.dot, picture.text):\n"
        "        print(hashlib.sha256(text.encode()).hexdigest())\n"
    )
    path = os.pathsep.join([str(HERE), str(HERE.parent.parent)])
    outputs = []
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
        outputs.append(done.stdout)
    assert outputs[0].count("\n") == 3 * len(EXAMPLES)
    assert outputs[0] == outputs[1] == outputs[2]
