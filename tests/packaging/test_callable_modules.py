"""A module that shares its name with a public function can be called, however it was imported."""

import inspect
import sys
from types import ModuleType

import pytest
from repository import ROOT, run

from minigrad.callable_module import make_callable

PROGRAM = """
def program(n=1):
    t = minigrad.tensor([1.0]) * n
    return t

print(repr({call}))
"""

IMPORTS = {
    "the package alone": ("import minigrad", "minigrad.live(program)"),
    "the module before": ("import minigrad.live", "minigrad.live(program)"),
    "the module by its name": ("import minigrad\nfrom minigrad import live", "live(program)"),
    "the function": ("import minigrad\nfrom minigrad.live import live", "live(program)"),
    "the module after use": (
        "import minigrad; minigrad.live; import minigrad.live",
        "minigrad.live(program)",
    ),
    "another name of the module": ("import minigrad.live as m\nimport minigrad", "m(program)"),
    "a module inside": ("import minigrad.live.news", "minigrad.live(program)"),
    "the floor above": ("import minigrad.lessons", "minigrad.live(program)"),
}


@pytest.mark.parametrize(("imports", "call"), IMPORTS.values(), ids=IMPORTS)
def test_live_can_be_called_however_it_was_imported(imports: str, call: str) -> None:
    source = imports + PROGRAM.format(call=call)
    assert run(sys.executable, "-c", source, cwd=ROOT) == "live picture: n = 1\n"


def test_the_module_under_the_name_is_the_module() -> None:
    import minigrad.live

    assert inspect.ismodule(minigrad.live)
    assert minigrad.live is sys.modules["minigrad.live"]


def test_a_callable_module_has_the_signature_of_its_function() -> None:
    import minigrad.live

    assert inspect.signature(minigrad.live) == inspect.signature(minigrad.live.live)


@pytest.fixture
def module() -> ModuleType:
    """Make a module that can be called: it tells what its caller calls things."""
    module = ModuleType("locals_of_caller")
    sys.modules[module.__name__] = module
    make_callable(module.__name__, lambda: list(sys._getframe(1).f_locals))
    yield module
    del sys.modules[module.__name__]


def test_the_function_sees_its_callers_variables(module: ModuleType) -> None:
    mine = 1
    assert "mine" in module()
    assert mine
