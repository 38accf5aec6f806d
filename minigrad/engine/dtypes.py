"""Which kind of number a tensor holds, and which kind comes out when kinds meet.

The rules are PyTorch's type promotion: a wider *kind* always wins (bool < integer < float), but a
Python number or a zero-dimensional tensor widens another tensor only to another kind, never to a
wider type of the same kind. So ``float32 vector * 2.0`` stays float32.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class dtype:  # noqa: N801 - PyTorch's name
    """The type of a tensor's elements, such as ``minigrad.float32``.

    ``numpy`` is the numpy type behind it, ``itemsize`` the bytes of one element,
    ``is_floating_point`` tells whether it can carry a gradient. In messages PyTorch also calls it by
    other names: ``legacy_name`` (Float) and ``cpp_name`` (float).
    """

    __slots__ = (
        "cpp_name",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "kind",
        "legacy_name",
        "name",
        "numpy",
    )

    def __init__(self, name: str, legacy_name: str) -> None:
        self.name = name
        self.legacy_name = legacy_name
        self.cpp_name = _CPP_NAMES.get(name, name)
        self.numpy: np.dtype[Any] = np.dtype(name)
        self.itemsize: int = self.numpy.itemsize
        self.is_floating_point: bool = self.numpy.kind == "f"
        self.is_complex = False
        self.is_signed: bool = self.numpy.kind in "if"
        self.kind: int = _KINDS[self.numpy.kind]

    def __repr__(self) -> str:
        return f"minigrad.{self.name}"

    def __reduce__(self) -> str:
        return f"{self.name}_" if self.name == "bool" else self.name


DType: TypeAlias = dtype
"""The same class, for annotations beside a parameter that is called ``dtype``."""

_KINDS = {"b": 0, "u": 1, "i": 1, "f": 2}
# What C++ calls them, and so PyTorch's messages.
_CPP_NAMES = {
    **{"float64": "double", "float32": "float", "float16": "c10::Half"},
    **{"int64": "long int", "int32": "int", "int16": "short int"},
    **{"int8": "signed char", "uint8": "unsigned char"},
}

float64 = dtype("float64", "Double")
float32 = dtype("float32", "Float")
float16 = dtype("float16", "Half")
int64 = dtype("int64", "Long")
int32 = dtype("int32", "Int")
int16 = dtype("int16", "Short")
int8 = dtype("int8", "Char")
uint8 = dtype("uint8", "Byte")
bool_ = dtype("bool", "Bool")

ALL = (float64, float32, float16, int64, int32, int16, int8, uint8, bool_)
BY_NUMPY: dict[np.dtype[Any], dtype] = {each.numpy: each for each in ALL}

_default = float32


def get_default_dtype() -> dtype:
    """Return the type that Python floats become: ``float32`` unless it was changed."""
    return _default


def set_default_dtype(d: dtype) -> None:
    """Make Python floats become ``d``, a floating point type."""
    global _default
    if not isinstance(d, dtype) or not d.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, got d={d!r}")
    _default = d


def of_array(array: Array) -> dtype:
    """Return the dtype of a numpy array; TypeError for one that tensors cannot hold."""
    found = BY_NUMPY.get(array.dtype)
    if found is None:
        names = ", ".join(each.name for each in ALL)
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{array.dtype.type.__name__}. "
            f"The only supported types are: {names}."
        )
    return found


def of_number(number: Any) -> dtype:
    """Return the dtype that a Python number stands for in promotion; TypeError for anything else."""
    if isinstance(number, bool):
        return bool_
    if isinstance(number, (int, np.integer)):
        return int64
    if isinstance(number, (float, np.floating, np.bool_)):  # PyTorch reads np.bool_ as a float
        return _default
    raise TypeError(f"argument 'other' must be Tensor (or a number), not {type(number).__name__}")


def wider(a: dtype, b: dtype) -> dtype:
    """Return the type that holds both, as between two tensors of full rank."""
    if a is b:
        return a
    if a.kind != b.kind:
        return a if a.kind > b.kind else b
    return BY_NUMPY[np.promote_types(a.numpy, b.numpy)]


def common_type(operands: Iterable[Any]) -> dtype:
    """Return the type of an elementwise result over arrays and Python numbers.

    Full-rank arrays decide; zero-dimensional ones, then Python numbers, count only where they bring
    a wider kind.
    """
    ranked: list[dtype | None] = [None, None, None]
    for operand in operands:
        if isinstance(operand, np.ndarray):
            rank, found = (0 if operand.ndim else 1), of_array(operand)
        else:
            rank, found = 2, of_number(operand)
        held = ranked[rank]
        ranked[rank] = found if held is None else wider(held, found)
    result: dtype | None = None
    for found_here in ranked:
        if found_here is None:
            continue
        if result is None or found_here.kind > result.kind:
            result = found_here
    assert result is not None, "common_type needs at least one operand"
    return result


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Return the smallest type that holds both, as between two tensors that have dimensions."""
    return wider(type1, type2)


def can_cast(from_: dtype, to: dtype) -> bool:
    """Tell whether an in-place operation may write ``from_`` into ``to``: no wider kind than it."""
    return from_.kind <= to.kind


class finfo:  # noqa: N801 - PyTorch's name
    """What a floating point type can hold: ``eps``, ``max``, ``min``, ``tiny``, ``bits``, ..."""

    def __init__(self, type: dtype | None = None) -> None:
        kind = _default if type is None else type
        if not kind.is_floating_point:
            raise TypeError(
                f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                f"'{kind!r}'".replace("torch.", "minigrad.")
            )
        limits = np.finfo(kind.numpy)
        self.bits: int = limits.bits
        self.eps = float(limits.eps)
        self.max = float(limits.max)
        self.min = float(limits.min)
        self.tiny = self.smallest_normal = float(limits.smallest_normal)
        self.resolution = 10.0**-limits.precision
        self.dtype = kind.name

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        numbers = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"finfo({numbers}, dtype={self.dtype})"


class iinfo:  # noqa: N801 - PyTorch's name
    """What an integer type can hold: ``max``, ``min``, ``bits``."""

    def __init__(self, type: dtype) -> None:
        if type.numpy.kind not in "iu":
            raise TypeError(
                f"torch.iinfo() requires an integer input type. Use torch.finfo to handle "
                f"'{type!r}'".replace("torch.", "minigrad.")
            )
        limits = np.iinfo(type.numpy)
        self.bits: int = limits.bits
        self.max = int(limits.max)
        self.min = int(limits.min)
        self.dtype = type.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


__all__ = [
    "can_cast",
    "dtype",
    "finfo",
    "float16",
    "float32",
    "float64",
    "get_default_dtype",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "promote_types",
    "set_default_dtype",
    "uint8",
]
