"""The command ``minigrad lessons``: a copy of the lessons for the learner, opened in JupyterLab.

The lessons are copied to a folder of the learner's own. What was copied is written down there, in
``.minigrad.json``, by the hashes of the files: a file that still is as it was copied may be
replaced by a newer one, and one that is not is the learner's, and is never touched.

JupyterLab hides the pictures of a notebook that it does not trust, so the copies are signed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import locale
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
from nbformat.sign import NotebookNotary

from minigrad.lessons.speech import LANGUAGES, language, say

FOLDER = "minigrad-lessons"
MANIFEST = ".minigrad.json"


class CommandError(Exception):
    """Something that the learner can put right; its text says what."""


@dataclass
class Copied:
    """What became of the files of the lessons, each known by its path inside the folder."""

    new: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command ``minigrad``, and return its exit code: 2 if it could not do its work."""
    language(system_language())
    chosen = _parser().parse_args(argv)
    try:
        return open_lessons(Path(chosen.folder), chosen.language, browser=not chosen.no_browser)
    except CommandError as error:
        print(f"minigrad: {error}", file=sys.stderr)
        return 2


def open_lessons(folder: Path, code: str, *, browser: bool = True) -> int:
    """Bring the lessons to ``folder``, and open JupyterLab there, at the first one in ``code``."""
    language(code)
    source = notebooks()
    first = _first_page(source, code)
    if find_spec("jupyterlab") is None:
        raise CommandError(say("command.no_jupyterlab", python=sys.executable))
    folder = folder.expanduser().resolve()
    copied = copy_lessons(source, folder)
    _report(copied, folder)
    try:
        sign(folder / name for name in copied.new + copied.updated + copied.same)
    except OSError as error:
        print(say("command.unsigned", reason=error))
    return _start_jupyterlab(folder, first, browser)


def notebooks() -> Path:
    """Return the folder of the lessons: inside an installed package, or at the top of a clone."""
    here = Path(__file__).resolve()
    inside = here.with_name("notebooks")
    return inside if inside.is_dir() else here.parents[2] / "notebooks"


def copy_lessons(source: Path, folder: Path) -> Copied:
    """Copy what is in ``source`` to ``folder``, and leave alone what the learner has changed."""
    if folder == source or source in folder.parents:
        raise CommandError(say("command.is_source", folder=folder))
    if folder.is_file():
        raise CommandError(say("command.is_file", folder=folder))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        manifest = _read_manifest(folder)
        copied = Copied()
        try:
            for name in _files(source):
                _bring(source / name, folder / name, name, manifest, copied)
        finally:
            _write(folder / MANIFEST, json.dumps(manifest, indent=1).encode())
    except OSError as error:
        raise CommandError(say("command.not_writable", reason=error)) from error
    return copied


def sign(files: Iterable[Path]) -> None:
    """Mark notebooks as trusted, so that JupyterLab shows what they hold; skip other files."""
    notary: Any = NotebookNotary()  # type: ignore[no-untyped-call]
    try:
        for file in files:
            if file.suffix == ".ipynb":
                notary.sign(nbformat.read(file, as_version=4))  # type: ignore[no-untyped-call]
    finally:
        notary.store.close()


def system_language() -> str:
    """Return the language of the user's system, as far as the lessons speak it; else English."""
    settings = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next(filter(None, settings), None) or locale.getlocale()[0] or ""
    return "zh" if spoken.lower().startswith(("zh", "chinese")) else "en"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="minigrad")
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(required=True, metavar="lessons")
    lessons = commands.add_parser("lessons", help=say("command.what"))
    lessons.add_argument(
        "folder", nargs="?", default=FOLDER, metavar="FOLDER", help=say("command.folder")
    )
    lessons.add_argument(
        "--language", choices=LANGUAGES, default=system_language(), help=say("command.language")
    )
    lessons.add_argument("--no-browser", action="store_true", help=say("command.no_browser"))
    return parser


def _version() -> str:
    try:
        return version("minigrad-notebooks")
    except PackageNotFoundError:
        return "unknown: run from a folder, not installed"


def _files(source: Path) -> list[str]:
    """List the files of the lessons; what starts with a dot is not part of them."""
    inside = (path.relative_to(source) for path in sorted(source.rglob("*")) if path.is_file())
    return [path.as_posix() for path in inside if not any(part[0] == "." for part in path.parts)]


def _first_page(source: Path, code: str) -> str:
    """Choose what to open first: an index if there is one, else the first lesson."""
    pages = sorted(path.name for path in (source / code).glob("[!.]*.ipynb"))
    if not pages:
        raise CommandError(say("command.no_lessons", language=code))
    return f"{code}/{'index.ipynb' if 'index.ipynb' in pages else pages[0]}"


def _bring(
    original: Path, target: Path, name: str, manifest: dict[str, str], copied: Copied
) -> None:
    """Copy one file unless the learner has changed it, and note what was done."""
    content = original.read_bytes()
    wanted = _hash(content)
    there = _hash(target.read_bytes()) if target.exists() else None
    if there is None:
        copied.new.append(name)
    elif there == wanted:
        copied.same.append(name)
    elif there == manifest.get(name):
        copied.updated.append(name)
    else:
        copied.kept.append(name)
        return
    if there != wanted:
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(target, content)
    manifest[name] = wanted


def _write(target: Path, content: bytes) -> None:
    """Write a file in one step: it is never there in part."""
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(content)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def _read_manifest(folder: Path) -> dict[str, str]:
    """Read which file was copied with which hash; nothing if that is not known."""
    try:
        known = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _report(copied: Copied, folder: Path) -> None:
    """Say what was done, where anything was."""
    if copied.new:
        print(say("command.copied", folder=folder, count=len(copied.new)))
    if copied.updated:
        print(say("command.updated", count=len(copied.updated)))
    if copied.kept:
        print(say("command.kept", names=", ".join(copied.kept)))


def _start_jupyterlab(folder: Path, first: str, browser: bool) -> int:
    """Become JupyterLab, where a process can become another; else run it to its end.

    It asks nothing about news or updates: the first thing to see is the lesson. It refuses to run
    as root unless told to; whoever is root here, as in a container, asked for just that.
    """
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root:
        print(say("command.root"))
    command = [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={folder}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        *(["--allow-root"] if root else []),
        f"--LabApp.default_url=/doc/tree/{quote(first)}",  # The lesson alone: room for pictures.
        *([] if browser else ["--no-browser"]),
    ]
    sys.stdout.flush()
    return os.execv(command[0], command) if os.name == "posix" else subprocess.call(command)
