"""The wheel holds all of the package and nothing else, and works where only pip has been."""

import tomllib
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest
from environments import Environment, new_environment, serving
from packaging.requirements import Requirement
from repository import ROOT, project_files

LANGUAGES = ("en", "zh")


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Install the wheel into an environment that holds nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    return new_environment(folder, installing=(wheel,), cwd=folder)


def packed_files(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_wheel_holds_the_package_and_the_lessons_and_nothing_else(wheel: Path) -> None:
    expected = set()
    for path in project_files():
        if path.parts[0] == "minigrad":
            expected.add(path.as_posix())
        elif path.parts[0] == "notebooks":
            expected.add(f"minigrad/lessons/{path.as_posix()}")
    assert packed_files(wheel) == expected


def test_wheel_holds_every_floor(wheel: Path) -> None:
    files = packed_files(wheel)
    for floor in ("engine", "nn", "picture", "live", "lessons"):
        assert f"minigrad/{floor}/__init__.py" in files
    for module in ("snapshot", "distributions", "history"):
        assert f"minigrad/{module}.py" in files
    assert any(name.startswith("minigrad/live/") and name.endswith(".js") for name in files)
    assert "minigrad/py.typed" in files


def test_wheel_holds_the_same_lessons_in_both_languages(wheel: Path) -> None:
    folder = "minigrad/lessons/notebooks"
    english, chinese = (
        {Path(name).name for name in packed_files(wheel) if name.startswith(f"{folder}/{code}/")}
        for code in LANGUAGES
    )
    assert "01_first_cut.ipynb" in english
    assert english == chinese


def test_metadata_says_what_pyproject_says(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_string(archive.read(name).decode())
        packed = {Path(name).name: name for name in archive.namelist() if ".dist-info/" in name}
        licence = archive.read(packed["LICENSE"]).decode()
        entry_points = archive.read(packed["entry_points.txt"]).decode()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]

    assert metadata["Name"] == "minigrad-notebooks"
    assert metadata["Version"] == project["version"]
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    assert licence == (ROOT / "LICENSE").read_text()
    assert {str(one) for one in required if one.marker is None} == {
        str(Requirement(line)) for line in project["dependencies"]
    }
    assert "minigrad = minigrad.lessons.command:main" in entry_points


def test_installed_package_is_imported_from_the_environment(
    installed: Environment, tmp_path: Path
) -> None:
    where = installed.python("import minigrad; print(minigrad.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.folder)


def test_installed_package_draws_with_no_graphviz_on_the_machine(
    installed: Environment, tmp_path: Path
) -> None:
    program = """
import minigrad
x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
z = y.detach()
print(minigrad.draw(y, z).svg)
"""
    only_the_environment = installed.variables | {"PATH": str(installed.bin)}
    drawn = installed.python(program, cwd=tmp_path, env=only_the_environment)
    assert "<svg" in drawn
    assert "detach" in drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_command_serves_signed_lessons(
    installed: Environment, tmp_path: Path, language: str
) -> None:
    folder = tmp_path / "my lessons"
    command = (installed.bin / "minigrad", "lessons", folder, "--no-browser")
    with serving(installed, *command, "--language", language, cwd=tmp_path) as server:
        assert server.root == folder
        lesson = server.get(f"contents/{language}/01_first_cut.ipynb")

    code = [cell for cell in lesson["content"]["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["metadata"]["trusted"] for cell in code)
    assert f'"{language}"' in "".join(cell["source"] for cell in code)


def test_lessons_command_opens_a_lesson_and_asks_nothing(
    installed: Environment, tmp_path: Path
) -> None:
    command = (installed.bin / "minigrad", "lessons", "--no-browser", "--language", "zh")
    with serving(installed, *command, cwd=tmp_path) as server:
        page = server.page_config()
        first = server.first_page()
    assert page["news"] == {"disabled": True}
    assert first == "/doc/tree/zh/01_first_cut.ipynb"


def test_lessons_command_leaves_a_learners_edits_alone(
    installed: Environment, tmp_path: Path
) -> None:
    folder = tmp_path / "lessons"
    first = folder / "zh" / "01_first_cut.ipynb"
    command = (installed.bin / "minigrad", "lessons", folder, "--no-browser")
    with serving(installed, *command, cwd=tmp_path):
        pass
    edited = first.read_text().replace("detach", "detach, my own words")
    first.write_text(edited)
    with serving(installed, *command, cwd=tmp_path):
        pass
    assert first.read_text() == edited
