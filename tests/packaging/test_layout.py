"""The top level of the repository holds what it was laid out to hold."""

from repository import project_files

FOLDERS = {".ci", "binder", "minigrad", "notebooks", "tests"}
FILES = {"LICENSE", "README.md", "pyproject.toml"}


def test_top_level_holds_nothing_unexpected() -> None:
    files = {path.parts[0] for path in project_files() if len(path.parts) == 1}
    folders = {path.parts[0] for path in project_files() if len(path.parts) > 1}
    assert folders == FOLDERS
    assert {name for name in files if not name.startswith(".")} == FILES


def test_no_generated_file_is_kept() -> None:
    litter = {".ipynb_checkpoints", "__pycache__", "dist", "build", "node_modules"}
    assert [path for path in project_files() if litter & set(path.parts)] == []
