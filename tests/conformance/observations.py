"""Run the behaviour programs and compare what they observe.

A program is a function ``case_...`` in a file of ``cases/`` (or in that file's ``TABLE``). It takes a
module ``T``, PyTorch or minigrad, and returns a dict of plain values. The answers that real PyTorch
gave stand in ``expected*.json``; ``refresh.py`` records them.

Floats agree up to 1e-5 relative, or 1e-6 absolute. All else must be equal, the type included.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
RELATIVE, ABSOLUTE = 1e-5, 1e-6

if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))


def groups() -> list[str]:
    """The files of programs, by name."""
    return sorted(
        p.stem for p in (HERE / "cases").glob("*.py") if p.stem not in ("__init__", "observe")
    )


def programs(group: str) -> dict[str, Callable[[Any], Any]]:
    """The programs of one file, by name."""
    module = importlib.import_module("cases." + group)
    found = {name: item for name, item in vars(module).items() if name.startswith("case_")}
    found.update({case.__name__: case for case in getattr(module, "TABLE", [])})
    return dict(sorted(found.items()))


def recorded() -> dict[str, dict[str, Any]]:
    """What PyTorch answered: group -> program -> observation."""
    answers: dict[str, dict[str, Any]] = {}
    for path in sorted(HERE.glob("expected*.json")):
        for group, cases in json.loads(path.read_text("utf-8"))["groups"].items():
            answers.setdefault(group, {}).update(cases)
    return answers


def observe(package: ModuleType, program: Callable[[Any], Any]) -> Any:
    """Run one program by itself; an exception becomes the observation ``CASE_ERROR``."""
    package.set_grad_enabled(True)
    warn_always = getattr(package, "set_warn_always", None)
    if warn_always is not None:
        warn_always(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return plain(program(package))
    except Exception as error:
        return {"CASE_ERROR": type(error).__name__, "message": str(error).split("\n")[0][:200]}


def plain(value: Any) -> Any:
    """Reduce an observation to what JSON can hold, marking anything that does not belong."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return {"NOT_PLAIN": type(value).__name__}


def differences(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """Where two observations differ, a line each."""
    if isinstance(expected, float) and isinstance(found, float):
        if not math.isclose(expected, found, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            yield f"{path}: PyTorch {expected}, here {found}"
    elif type(expected) is not type(found):
        yield f"{path}: PyTorch {expected!r}, here {found!r}"
    elif isinstance(expected, dict):
        for key in sorted(set(expected) | set(found)):
            if key in expected and key in found:
                yield from differences(expected[key], found[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: PyTorch {expected.get(key)!r}, here {found.get(key)!r}"
    elif isinstance(expected, list) and len(expected) == len(found):
        for place, (left, right) in enumerate(zip(expected, found, strict=True)):
            yield from differences(left, right, f"{path}[{place}]")
    elif expected != found:
        yield f"{path}: PyTorch {expected!r}, here {found!r}"
