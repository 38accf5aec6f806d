"""A floor imports only from the floors below it, and ``import minigrad`` loads the engine alone."""

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from repository import ROOT, run

import minigrad

PACKAGE = ROOT / "minigrad"

# From the ground up. The units of one floor do not know of each other.
FLOORS = (
    ("callable_module",),
    ("engine",),
    ("autograd",),
    ("nn", "optim", "history", "utils"),
    ("distributions",),
    ("snapshot",),
    ("picture",),
    ("live",),
    ("lessons",),
)
HEIGHT = {unit: height for height, units in enumerate(FLOORS) for unit in units}

# What each unit may import from other projects; the standard library is free to all.
OTHERS = {
    "engine": {"numpy"},
    "nn": {"numpy"},
    "optim": {"numpy"},
    "history": {"numpy"},
    "distributions": {"numpy"},
    "picture": {"graphviz", "graphviz_pure"},
    "live": {"IPython", "anywidget", "ipywidgets", "traitlets"},
    "lessons": {"IPython", "anywidget", "ipywidgets", "jupyter_core", "jupyter_server"}
    | {"jupyterlab", "nbformat", "traitlets", "numpy"},
}

# The public face gathers names from every floor, and no floor imports from it; but for those that
# are built from public tensors, as anyone could, and so ask for tensors where anyone would.
FACE = PACKAGE / "__init__.py"
BUILT_FROM_PUBLIC_NAMES = {"nn", "optim", "history", "distributions", "utils"}


@dataclass(frozen=True)
class Import:
    """One import: where it stands, and the full dotted name of what it asks for."""

    path: Path
    line: int
    target: str

    @property
    def unit(self) -> str:
        """The part of minigrad that the import stands in, such as ``engine`` or ``optim``."""
        return self.path.relative_to(PACKAGE).parts[0].removesuffix(".py")

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line} imports {self.target}"


def imports_in(source: str, path: Path) -> Iterator[Import]:
    """Read every import of a file, also those inside functions and for type checkers only."""
    package = ["minigrad", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(path, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                yield Import(path, node.lineno, f"{module}.{alias.name}")


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != FACE)
IMPORTS = [found for path in FILES for found in imports_in(path.read_text(), path)]


def fault(found: Import) -> str | None:
    """Say what is wrong with an import, or None."""
    project, *rest = found.target.split(".")
    if project != "minigrad":
        allowed = project in sys.stdlib_module_names or project in OTHERS.get(found.unit, set())
        return None if allowed else f"{found}: {found.unit} does not use {project}"
    if not rest or rest[0] not in HEIGHT:
        if found.unit in BUILT_FROM_PUBLIC_NAMES and not set(rest) & set(minigrad._LATER):
            return None
        return f"{found}: import from the module that owns the name, not from minigrad"
    if rest[0] != found.unit and HEIGHT[rest[0]] >= HEIGHT[found.unit]:
        return f"{found}: {found.unit} stands no higher than {rest[0]}"
    return None


def test_every_part_of_the_package_has_its_floor() -> None:
    assert {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in FILES} <= set(HEIGHT)


def test_no_import_climbs() -> None:
    assert [message for found in IMPORTS if (message := fault(found))] == []


def test_no_import_hides_in_a_string() -> None:
    dynamic = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Name | ast.Attribute)
        and ast.unparse(node).split(".")[-1] in ("import_module", "__import__")
    ]
    assert dynamic == []


@pytest.mark.parametrize(
    ("unit", "target", "climbs"),
    [
        ("engine", "minigrad.picture.draw", True),
        ("engine", "minigrad.engine.memory", False),
        ("engine", "graphviz", True),
        ("engine", "numpy", False),
        ("nn", "minigrad.engine.Tensor", False),
        ("nn", "minigrad.optim.SGD", True),
        ("nn", "minigrad.Tensor", False),
        ("nn", "minigrad.draw", True),
        ("snapshot", "minigrad.engine.Tensor", False),
        ("picture", "minigrad.live", True),
        ("picture", "minigrad.Tensor", True),
        ("lessons", "minigrad.live.watch", False),
    ],
)
def test_the_rule_itself_catches_what_climbs(unit: str, target: str, climbs: bool) -> None:
    assert bool(fault(Import(PACKAGE / unit / "some_file.py", 1, target))) is climbs


def test_relative_imports_are_read_as_the_modules_they_name() -> None:
    source = "from ..live import watch\nfrom . import dot\nfrom .svg import escape\n"
    file = PACKAGE / "picture" / "some_file.py"
    targets = [found.target for found in imports_in(source, file)]
    assert targets == ["minigrad.live.watch", "minigrad.picture.dot", "minigrad.picture.svg.escape"]


def test_import_minigrad_loads_the_engine_alone() -> None:
    program = "import json, sys; import minigrad; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(run(sys.executable, "-c", program, cwd=ROOT))
    heavy = {"IPython", "anywidget", "graphviz", "graphviz_pure", "ipywidgets", "traitlets"}
    assert heavy.isdisjoint(loaded)
    ours = {name.split(".")[1] for name in loaded if name.startswith("minigrad.")}
    assert ours == {"autograd", "engine"}  # autograd: the engine's own functions, by torch's name
