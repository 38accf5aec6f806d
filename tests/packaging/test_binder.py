"""What Binder would build: repo2docker's own plan is read, and its install steps are carried out.

repo2docker writes the Dockerfile without a Docker engine (``--no-build``).
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from environments import Environment, new_environment
from packaging.specifiers import SpecifierSet
from repository import ROOT, project_files, run

BINDER = ROOT / "binder"
INSTALL = 'RUN ${KERNEL_PYTHON_PREFIX}/bin/pip install --no-cache-dir -r "binder/requirements.txt"'
POST_BUILD = "RUN ./binder/postBuild"
BINDER_LINK = re.compile(r"https://mybinder\.org/v2/[^\s)>\"'\\]+")

SIGNED = """
import sys
import nbformat
from nbformat.sign import NotebookNotary

notary = NotebookNotary()
for path in sys.argv[1:]:
    print(notary.check_signature(nbformat.read(path, as_version=4)))
"""


@dataclass(frozen=True)
class Plan:
    """What repo2docker means to do: the Dockerfile's instructions in order, and its log."""

    instructions: tuple[str, ...]
    log: str

    def index(self, wanted: str) -> int:
        """Give the place of the one instruction that reads ``wanted``."""
        places = [place for place, text in enumerate(self.instructions) if text == wanted]
        assert len(places) == 1, f"{wanted!r} stands {len(places)} times in the Dockerfile"
        return places[0]


@pytest.fixture(scope="session")
def plan(clone: Path) -> Plan:
    """Ask repo2docker for its Dockerfile, as Binder's ordinary user would."""
    user = ("--user-id", "1000", "--user-name", "jovyan")
    command = (sys.executable, "-m", "repo2docker", "--no-build", "--debug", *user, str(clone))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    dockerfile = re.sub(r"\\\n\s*", "", done.stdout)
    lines = (line.strip() for line in dockerfile.splitlines())
    return Plan(tuple(line for line in lines if line and not line.startswith("#")), done.stderr)


@pytest.fixture(scope="session")
def built(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Carry out the plan's two steps, from the root of a clean copy, in a clean environment."""
    environment = new_environment(
        tmp_path_factory.mktemp("binder"),
        installing=("-r", "binder/requirements.txt"),
        cwd=clone,
    )
    run(clone / "binder" / "postBuild", cwd=clone, env=environment.variables)
    return environment


def test_repo2docker_takes_the_python_that_runtime_txt_names(plan: Plan) -> None:
    name, version = (BINDER / "runtime.txt").read_text().strip().split("-")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert name == "python"
    assert f"Building conda environment for python={version}" in plan.log
    assert f"{version}.0" in SpecifierSet(project["requires-python"])


def test_repo2docker_installs_the_project_after_copying_its_sources(plan: Plan) -> None:
    (sources,) = (
        place
        for place, text in enumerate(plan.instructions)
        if text.startswith("COPY") and text.endswith(" src/ ${REPO_DIR}/")
    )
    assert sources < plan.index(INSTALL)


def test_repo2docker_runs_post_build_once_the_project_is_installed(plan: Plan) -> None:
    assert plan.index(INSTALL) < plan.index(POST_BUILD)


def test_repo2docker_installs_nothing_else_with_pip(plan: Plan) -> None:
    assert [text for text in plan.instructions if "pip install" in text] == [INSTALL]


def test_binder_asks_for_the_project_alone() -> None:
    lines = (line.split("#")[0].strip() for line in (BINDER / "requirements.txt").open())
    assert [line for line in lines if line] == ["."]


def test_binder_folder_holds_three_files() -> None:
    assert sorted(path.name for path in BINDER.iterdir()) == [
        "postBuild",
        "requirements.txt",
        "runtime.txt",
    ]


def test_post_build_is_an_executable_bash_script(clone: Path) -> None:
    script = clone / "binder" / "postBuild"
    assert os.access(script, os.X_OK)
    assert script.read_text().startswith("#!/usr/bin/env bash\n")


def test_post_build_signs_every_lesson(built: Environment, clone: Path) -> None:
    lessons = sorted((clone / "notebooks").rglob("*.ipynb"))
    assert lessons
    assert built.python(SIGNED, *lessons).split() == ["True"] * len(lessons)


def test_a_notebook_that_post_build_has_not_seen_is_not_trusted(
    built: Environment, tmp_path: Path
) -> None:
    output = {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": "<svg/>"}}
    cell = {"cell_type": "code", "id": "a", "source": "", "metadata": {}}
    stranger = {
        "cells": [cell | {"execution_count": 1, "outputs": [output]}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "stranger.ipynb").write_text(json.dumps(stranger))
    assert built.python(SIGNED, tmp_path / "stranger.ipynb").split() == ["False"]


def test_post_build_silences_jupyters_news(built: Environment) -> None:
    settings = built.folder / "etc" / "jupyter" / "labconfig" / "page_config.json"
    disabled = json.loads(settings.read_text())["disabledExtensions"]
    assert disabled["@jupyterlab/apputils-extension:announcements"] is True


def test_a_lesson_on_binder_imports_the_installed_package(built: Environment, clone: Path) -> None:
    where = built.python(
        "import minigrad; print(minigrad.__file__)", cwd=clone / "notebooks" / "en"
    )
    assert Path(where.strip()).is_relative_to(built.folder)


def binder_links() -> list[tuple[str, str]]:
    """List every link to Binder in the README and the lessons, with the file that holds it."""
    return [
        (path.as_posix(), link)
        for path in project_files()
        if path.name == "README.md" or path.suffix == ".ipynb"
        for link in BINDER_LINK.findall((ROOT / path).read_text())
    ]


def test_binder_links_open_a_notebook_that_exists() -> None:
    assert "README.md" in dict(binder_links())
    for holder, link in binder_links():
        (urlpath,) = parse_qs(urlsplit(link).query)["urlpath"]
        assert urlpath.startswith("/doc/tree/notebooks/"), (holder, link)
        assert (ROOT / urlpath.removeprefix("/doc/tree/")).is_file(), (holder, link)


def test_a_lessons_binder_link_opens_that_lesson() -> None:
    for holder, link in binder_links():
        if holder.endswith(".ipynb"):
            assert parse_qs(urlsplit(link).query)["urlpath"] == [f"/doc/tree/{holder}"]


def test_binder_links_all_name_one_repository() -> None:
    assert len({urlsplit(link).path for _, link in binder_links()}) == 1
