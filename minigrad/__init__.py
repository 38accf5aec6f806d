"""minigrad: see what ``detach()`` does.

Used like PyTorch: ``minigrad.tensor``, ``minigrad.no_grad``, ``minigrad.autograd.grad``. Beside
that, ``draw`` shows the graph and the memory of any tensor, and ``live`` redraws them as you play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .engine import Size, Tensor
from .engine import autograd as autograd
from .engine.create import (
    arange,
    as_tensor,
    empty,
    eye,
    from_numpy,
    full,
    full_like,
    is_tensor,
    linspace,
    ones,
    ones_like,
    tensor,
    zeros,
    zeros_like,
)
from .engine.dtypes import bool_ as bool
from .engine.dtypes import (
    dtype,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
)
from .engine.modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .engine.ops import *  # noqa: F403
