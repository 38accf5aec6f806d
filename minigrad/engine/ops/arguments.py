"""What operations take: tensors and numbers; and the errors for anything else."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ..dtypes import of_array
from ..tensor import Tensor

Operand: TypeAlias = "Tensor | float | np.generic"
"""A tensor, or a number beside one."""


def check_tensors(function: str, **arguments: Any) -> None:
    """Raise unless all of a function's arguments, given by name and in order, are tensors."""
    for place, (name, given) in enumerate(arguments.items()):
        if not isinstance(given, Tensor):
            raise not_a_tensor(function, name, given, place + 1)


def no_bools(name: str, array: Any) -> None:
    """Raise for bools, with the name that PyTorch gives to the inner loop that it lacks."""
    if array.dtype.kind == "b":
        raise NotImplementedError(
            f"\"{name}\" not implemented for 'Bool': convert the tensor first, with .int()"
        )


def only_floats(name: str, array: Any) -> None:
    """Raise for bools and integers, with the name of the inner loop that PyTorch lacks."""
    if array.dtype.kind != "f":
        raise NotImplementedError(
            f"\"{name}\" not implemented for '{of_array(array).legacy_name}': convert the tensor "
            "first, with .float()"
        )


def not_a_tensor(function: str, argument: str, given: object, position: int = 1) -> TypeError:
    """Return PyTorch's error for an argument that should have been a tensor."""
    return TypeError(
        f"{function}(): argument '{argument}' (position {position}) must be Tensor, not "
        f"{type(given).__name__}: make one of it, with minigrad.tensor(...)"
    )
