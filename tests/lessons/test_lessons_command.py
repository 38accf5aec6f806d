"""``minigrad lessons`` brings the lessons, signed, and never touches what a learner has changed."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from minigrad.lessons import command
from minigrad.lessons.command import MANIFEST, copy_lessons, main, sign

SVG = {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": "<svg/>"}}


def write_lesson(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cell = nbformat.v4.new_code_cell(text, id="a", outputs=[nbformat.from_dict(SVG)])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for the lessons that minigrad comes with, and for a learner's home."""
    folder = tmp_path / "package" / "notebooks"
    for code in ("en", "zh"):
        write_lesson(folder / code / "01_first.ipynb", f"'first, {code}'")
        write_lesson(folder / code / "02_second.ipynb", f"'second, {code}'")
    (folder / "images").mkdir()
    (folder / "images" / "a.svg").write_text("<svg/>")
    (folder / "en" / ".ipynb_checkpoints").mkdir()
    (folder / "en" / ".ipynb_checkpoints" / "old.ipynb").touch()
    monkeypatch.setattr(command, "notebooks", lambda: folder)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Note what would be started by an ordinary user, and start nothing."""
    commands: list[list[str]] = []

    def instead(*arguments: Any) -> int:
        commands.append(arguments[-1])
        return 0

    monkeypatch.setattr(os, "execv", instead)
    monkeypatch.setattr(command.subprocess, "call", instead)
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    return commands


def trusted(path: Path) -> bool:
    notary = NotebookNotary()
    try:
        return bool(notary.check_signature(nbformat.read(path, as_version=4)))
    finally:
        notary.store.close()


def test_lessons_are_copied_signed_and_opened(
    source: Path, started: list[list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lessons"]) == 0
    folder = tmp_path / "minigrad-lessons"
    copies = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert copies == [
        MANIFEST,
        *("en/01_first.ipynb", "en/02_second.ipynb", "images/a.svg"),
        *("zh/01_first.ipynb", "zh/02_second.ipynb"),
    ]
    assert all(trusted(path) for path in folder.rglob("*.ipynb"))
    assert started == [
        [
            *(sys.executable, "-m", "jupyterlab"),
            f"--ServerApp.root_dir={folder}",
            "--LabApp.news_url=None",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--LabApp.default_url=/doc/tree/en/01_first.ipynb",
        ]
    ]
    assert capsys.readouterr().out == f"Files copied to {folder}: 5\n"


def test_language_and_browser_are_chosen_on_the_command_line(
    source: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lessons", "mine", "--language", "zh", "--no-browser"]) == 0
    assert started[0][-2:] == ["--LabApp.default_url=/doc/tree/zh/01_first.ipynb", "--no-browser"]
    assert "已复制到" in capsys.readouterr().out


def test_an_index_is_opened_before_the_first_lesson(source: Path, started: list[list[str]]) -> None:
    write_lesson(source / "en" / "index.ipynb", "'index'")
    assert main(["lessons"]) == 0
    assert started[0][-1].endswith("/doc/tree/en/index.ipynb")


def test_root_is_told_so_and_jupyterlab_starts_all_the_same(
    source: Path,
    started: list[list[str]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert main(["lessons"]) == 0
    assert "--allow-root" in started[0]
    assert "runs as root" in capsys.readouterr().out


def test_a_second_start_changes_nothing_and_says_nothing(
    source: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["lessons"])
    capsys.readouterr()
    assert main(["lessons"]) == 0
    assert capsys.readouterr().out == ""
    assert len(started) == 2


def test_a_lesson_that_a_learner_changed_is_kept(
    source: Path, started: list[list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["lessons"])
    mine = tmp_path / "minigrad-lessons" / "en" / "01_first.ipynb"
    write_lesson(mine, "'my own words'")
    write_lesson(source / "en" / "01_first.ipynb", "'a newer first'")
    capsys.readouterr()
    assert main(["lessons"]) == 0
    assert "my own words" in mine.read_text()
    assert "Kept as you changed them: en/01_first.ipynb." in capsys.readouterr().out
    assert not trusted(mine)


def test_a_lesson_that_nobody_changed_is_brought_up_to_date(
    source: Path, started: list[list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["lessons"])
    write_lesson(source / "zh" / "02_second.ipynb", "'a newer second'")
    capsys.readouterr()
    assert main(["lessons"]) == 0
    copy = tmp_path / "minigrad-lessons" / "zh" / "02_second.ipynb"
    assert "a newer second" in copy.read_text()
    assert trusted(copy)
    assert "Files brought up to date, as you had not changed them: 1" in capsys.readouterr().out


def test_a_lesson_that_was_moved_away_is_copied_again(
    source: Path, started: list[list[str]], tmp_path: Path
) -> None:
    main(["lessons"])
    copy = tmp_path / "minigrad-lessons" / "en" / "01_first.ipynb"
    copy.rename(copy.with_name("mine.ipynb"))
    main(["lessons"])
    assert copy.exists()
    assert copy.with_name("mine.ipynb").exists()


@pytest.mark.parametrize("manifest", ["", "{", "[]", '{"en/01_first.ipynb": 3}'])
def test_without_a_manifest_nothing_that_differs_is_touched(
    source: Path, tmp_path: Path, manifest: str
) -> None:
    folder = tmp_path / "mine"
    write_lesson(folder / "en" / "01_first.ipynb", "'mine'")
    (folder / MANIFEST).write_text(manifest)
    copied = copy_lessons(source, folder)
    assert copied.kept == ["en/01_first.ipynb"]
    assert len(copied.new) == 4


def fill(folder: Path) -> None:
    folder.write_text("a file")


@pytest.mark.parametrize(
    ("argument", "prepare", "message"),
    [
        ("a-file", fill, "FOLDER is a file"),
        ("a-file/inside", lambda folder: fill(folder.parent), "FOLDER cannot be written"),
        ("package/notebooks", lambda _: None, "FOLDER is where the lessons themselves are"),
        ("package/notebooks/en", lambda _: None, "FOLDER is where the lessons themselves are"),
    ],
)
def test_a_folder_that_cannot_serve_is_refused(
    source: Path,
    started: list[list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    argument: str,
    prepare: Callable[[Path], object],
    message: str,
) -> None:
    prepare(tmp_path / argument)
    assert main(["lessons", argument]) == 2
    assert message in capsys.readouterr().err
    assert started == []


def test_a_full_disk_leaves_nothing_half_written(
    source: Path,
    started: list[list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write = Path.write_bytes

    def until_full(path: Path, content: bytes) -> int:
        if "02_second" in path.name:
            write(path, content[:10])
            raise OSError(28, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", until_full)
    assert main(["lessons"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    folder = tmp_path / "minigrad-lessons"
    left = sorted(path.name for path in folder.rglob("*") if path.is_file())
    assert left == [MANIFEST, "01_first.ipynb"]
    assert list(json.loads((folder / MANIFEST).read_text())) == ["en/01_first.ipynb"]


def test_without_jupyterlab_the_command_says_how_to_get_it(
    source: Path,
    started: list[list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert main(["lessons"]) == 2
    assert "-m pip install jupyterlab" in capsys.readouterr().err
    assert not (tmp_path / "minigrad-lessons").exists()


def test_lessons_that_cannot_be_signed_are_opened_all_the_same(
    source: Path,
    started: list[list[str]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(files: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(command, "sign", refuse)
    assert main(["lessons"]) == 0
    assert "could not be marked as trusted" in capsys.readouterr().out
    assert len(started) == 1


def test_sign_skips_what_is_no_notebook(source: Path) -> None:
    lesson, picture = source / "en" / "01_first.ipynb", source / "images" / "a.svg"
    assert not trusted(lesson)
    sign([lesson, picture])
    assert trusted(lesson)


@pytest.mark.parametrize(
    ("settings", "spoken"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_the_language_of_the_system_is_the_default(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], spoken: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert command.system_language() == spoken


@pytest.mark.parametrize("arguments", [[], ["lesson"], ["lessons", "--language", "de"]])
def test_what_is_not_understood_ends_with_two(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: minigrad" in capsys.readouterr().err


def test_lessons_are_found_at_the_top_of_a_clone() -> None:
    assert command.notebooks() == Path(__file__).resolve().parents[2] / "notebooks"
