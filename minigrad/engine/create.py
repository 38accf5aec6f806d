"""Making tensors from numbers, lists and numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import dtypes
from .dtypes import Array, dtype
from .errors import shape_text
from .tensor import Tensor, new_tensor


def tensor(data: Any, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Make a tensor from a number, nested lists, a numpy array or another tensor; always a copy.

    Python floats become float32, ints int64, bools bool (``torch.tensor``'s rules); arrays and
    tensors keep their dtype. The result is a leaf, whatever ``data`` was.

    Raises
    ------
    ValueError
        If lists are ragged.
    RuntimeError
        If ``requires_grad`` is asked of anything but floating point numbers.
    """
    array = _array_of(data)
    if dtype is not None:
        array = array.astype(_checked(dtype).numpy)
    return _leaf(array, requires_grad)


def _checked(dtype_: Any) -> dtype:
    if not isinstance(dtype_, dtype):
        raise TypeError(f"dtype must be a minigrad dtype such as minigrad.float32, not {dtype_!r}")
    return dtype_


def _leaf(array: Array, requires_grad: bool) -> Tensor:
    result = new_tensor(array)
    if requires_grad:
        result.requires_grad = True
    return result


def _array_of(data: Any) -> Array:
    """Return a fresh array of ``data`` with the dtype that PyTorch would infer."""
    if isinstance(data, Tensor):
        return data.array.copy()
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.array(data)
        dtypes.of_array(array)
        return array
    _check_ragged(data)
    kinds: list[dtype] = []
    plain = _plain(data, kinds)
    found = kinds[0] if kinds else dtypes.get_default_dtype()
    for kind in kinds[1:]:
        found = dtypes.wider(found, kind)
    return np.array(plain, dtype=found.numpy)


def _plain(data: Any, kinds: list[dtype]) -> Any:
    """Return nested lists of numbers, noting every dtype met."""
    if isinstance(data, (list, tuple)):
        return [_plain(item, kinds) for item in data]
    if isinstance(data, Tensor):
        kinds.append(data.dtype)
        return data.array.tolist()
    if isinstance(data, (np.ndarray, np.generic)):
        kinds.append(dtypes.of_array(np.asarray(data)))
        return data.tolist()
    if isinstance(data, (bool, int, float)):
        kind = dtypes.of_number(data)
        if kind not in kinds:
            kinds.append(kind)
        return data
    raise TypeError(
        f"tensor() takes numbers, nested lists of numbers, numpy arrays or tensors; "
        f"could not infer dtype of {type(data).__name__}"
    )


def _check_ragged(data: Any, dim: int = 0) -> None:
    if not isinstance(data, (list, tuple)) or not data:
        return
    first = data[0]
    if not isinstance(first, (list, tuple)):
        return
    for item in data:
        if not isinstance(item, (list, tuple)) or len(item) != len(first):
            got = len(item) if isinstance(item, (list, tuple)) else 0
            raise ValueError(
                f"expected sequence of length {len(first)} at dim {dim + 1} (got {got})"
            )
        _check_ragged(item, dim + 1)


def as_tensor(data: Any, dtype: dtype | None = None) -> Tensor:
    """Return ``data`` as a tensor, without a copy where possible.

    A tensor comes back as it is; a numpy array is shared.
    """
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    result = from_numpy(data) if isinstance(data, np.ndarray) else tensor(data)
    return result if dtype is None else result.to(dtype)


def from_numpy(array: Array) -> Tensor:
    """Return a tensor on the array's own memory: writes go both ways."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    dtypes.of_array(array)
    if any(step < 0 for step in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array with array.copy().)"
        )
    return new_tensor(array.view())


def _shape(size: tuple[Any, ...]) -> tuple[int, ...]:
    shape = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    result = tuple(int(n) for n in shape)
    if any(n < 0 for n in result):
        raise RuntimeError(
            f"Trying to create tensor with negative dimension: size is {shape_text(result)}"
        )
    return result


def zeros(*size: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Return a tensor of zeros; ``size`` is ints or one tuple."""
    kind = dtypes.get_default_dtype() if dtype is None else _checked(dtype)
    return _leaf(np.zeros(_shape(size), kind.numpy), requires_grad)


def ones(*size: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Return a tensor of ones; ``size`` is ints or one tuple."""
    kind = dtypes.get_default_dtype() if dtype is None else _checked(dtype)
    return _leaf(np.ones(_shape(size), kind.numpy), requires_grad)


def empty(*size: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Return a tensor to be filled; here its elements are zero, so that programs stay the same."""
    return zeros(*size, dtype=dtype, requires_grad=requires_grad)


def full(
    size: int | Sequence[int],
    fill_value: float,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor with every element ``fill_value``, whose kind decides the dtype."""
    kind = dtypes.of_number(fill_value) if dtype is None else _checked(dtype)
    shape = _shape((size,) if isinstance(size, int) else (tuple(size),))
    return _leaf(np.full(shape, fill_value, kind.numpy), requires_grad)


def arange(
    start: float,
    end: float | None = None,
    step: float = 1,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return the numbers from ``start`` (0 if only one is given) up to but without ``end``.

    int64 for whole bounds, float32 if any is a float.
    """
    if end is None:
        start, end = 0, start
    bounds = [each.item() if isinstance(each, Tensor) else each for each in (start, end, step)]
    if bounds[2] == 0:
        raise RuntimeError("step must be nonzero")
    if (bounds[1] - bounds[0]) * bounds[2] < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is not None:
        kind = _checked(dtype)
    elif any(isinstance(each, float) for each in bounds):
        kind = dtypes.get_default_dtype()
    else:
        kind = dtypes.int64
    count = max(0, int(np.ceil((bounds[1] - bounds[0]) / bounds[2])))
    values = bounds[0] + np.arange(count) * bounds[2]
    return _leaf(values.astype(kind.numpy), requires_grad)


def linspace(
    start: float, end: float, steps: int, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """Return ``steps`` numbers from ``start`` to ``end``, both included, evenly spaced."""
    kind = dtypes.get_default_dtype() if dtype is None else _checked(dtype)
    return _leaf(np.linspace(start, end, steps).astype(kind.numpy), requires_grad)


def eye(n: int, m: int | None = None, *, dtype: dtype | None = None) -> Tensor:
    """Return a matrix with ones on the diagonal and zeros elsewhere."""
    kind = dtypes.get_default_dtype() if dtype is None else _checked(dtype)
    return new_tensor(np.eye(n, m, dtype=kind.numpy))


def zeros_like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Return zeros of the same shape and dtype; not whether it requires grad."""
    return zeros(input.array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


def ones_like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Return ones of the same shape and dtype; not whether it requires grad."""
    return ones(input.array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


def full_like(
    input: Tensor, fill_value: float, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor of the same shape and dtype with every element ``fill_value``."""
    return full(
        input.array.shape, fill_value, dtype=dtype or input.dtype, requires_grad=requires_grad
    )


def is_tensor(value: object) -> bool:
    """Tell whether ``value`` is a tensor."""
    return isinstance(value, Tensor)


__all__ = [
    "arange",
    "as_tensor",
    "empty",
    "eye",
    "from_numpy",
    "full",
    "full_like",
    "is_tensor",
    "linspace",
    "ones",
    "ones_like",
    "tensor",
    "zeros",
    "zeros_like",
]
