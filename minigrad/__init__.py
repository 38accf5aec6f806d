"""minigrad: see what ``detach()`` does.

Used like PyTorch: ``minigrad.tensor``, ``minigrad.no_grad``, ``minigrad.autograd.grad``. Beside
that, ``draw`` shows the graph and the memory of any tensor, and ``live`` redraws them as you play.
"""

from __future__ import annotations

from importlib import import_module
from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi
from typing import TYPE_CHECKING, Any

from . import autograd as autograd
from .engine import Size as Size
from .engine import Tensor as Tensor
from .engine.copies import *  # noqa: F403
from .engine.create import *  # noqa: F403
from .engine.device import *  # noqa: F403
from .engine.dtypes import *  # noqa: F403
from .engine.dtypes import bool_, float16, float32, float64, int16, int32, int64
from .engine.modes import *  # noqa: F403
from .engine.ops import *  # noqa: F403
from .engine.printing import *  # noqa: F403

__version__ = "0.1.0"

bool, short, int, long = bool_, int16, int32, int64
half, float, double = float16, float32, float64

if TYPE_CHECKING:
    from .live import live as live
    from .picture import draw as draw

# Pictures, widgets and what is built on tensors are loaded when they are first used: a name that
# another module holds, or a module. (``live`` is a module that can be called.)
_LATER = {
    "draw": "picture",
    "live": "",
    "lessons": "",
    "nn": "",
    "optim": "",
    "distributions": "",
    "history": "",
    "utils": "",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'minigrad' has no attribute {name!r}")
    module = import_module(f".{_LATER[name] or name}", __name__)
    found = getattr(module, name) if _LATER[name] else module
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
