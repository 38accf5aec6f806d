"""How ``minigrad.live`` can be a package and a function at once.

Python binds a module to its name in the package around it as soon as anything imports it, so a
function under the same name would be there or not as the imports happened to run. Here the module
itself stays under its name, and calling it calls its function: ``minigrad.live(...)`` is
``minigrad.live.live(...)``, whatever was imported before, and in whatever way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def make_callable(name: str, function: Callable[..., Any]) -> None:
    """Let the module ``name`` be called as ``function`` is, with the same signature.

    No frame comes between: a function that reads its caller's variables still finds them one up.
    """
    module = sys.modules[name]
    module.__class__ = type("CallableModule", (ModuleType,), {"__call__": staticmethod(function)})
    module.__dict__["__wrapped__"] = function  # where inspect.signature looks for a signature
