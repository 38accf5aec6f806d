"""The repository under test: its files, clean copies of it, and commands run on it."""

import subprocess
from pathlib import Path
from shutil import copy2
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, **options: Any) -> str:
    """Run a command to its end and return what it printed; a failure shows both streams."""
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        **options,
    )
    if done.returncode:
        pytest.fail(
            f"{' '.join(map(str, command))} ended with {done.returncode}\n"
            f"--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}"
        )
    return done.stdout


def project_files() -> list[Path]:
    """Name every file that is committed, or would be: what git does not ignore."""
    listing = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    names = sorted(filter(None, listing.split("\0")))
    return [Path(name) for name in names if (ROOT / name).is_file()]


def copy_repository(folder: Path) -> Path:
    """Write the repository as a clone would, with the edits that are not committed yet."""
    for name in project_files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy2(ROOT / name, folder / name)
    return folder
