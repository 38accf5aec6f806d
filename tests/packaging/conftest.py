"""What the packaging tests share: a clean copy of the repository, and the wheel built from one."""

import sys
from pathlib import Path

import pytest
from repository import copy_repository, run


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a clean copy of the repository, for tests that leave its files as they are."""
    return copy_repository(tmp_path_factory.mktemp("clone") / "minigrad")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, from a copy in which Jupyter and Python have left their usual litter."""
    folder = copy_repository(tmp_path_factory.mktemp("wheel") / "minigrad")
    for litter in ("notebooks/en/.ipynb_checkpoints/a.ipynb", "minigrad/__pycache__/a.pyc"):
        (folder / litter).parent.mkdir(parents=True)
        (folder / litter).touch()
    out = folder / "dist"
    run(sys.executable, "-m", "build", "--wheel", "--outdir", out, folder)
    (built,) = out.glob("*.whl")
    return built
