"""Making tensors: from numbers, lists and numpy arrays, and filled with regular values."""

from __future__ import annotations

import builtins
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import dtypes
from .device import check_device
from .dtypes import Array, DType
from .errors import shape_text
from .tensor import Size, Tensor, new_tensor

# From data --------------------------------------------------------------------------------------


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
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
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() "
            "or sourceTensor.detach().clone().requires_grad_(True), rather than "
            "minigrad.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    check_device(device)
    array = _array_of(data)
    if dtype is not None:
        kind = checked_dtype(dtype, "tensor")
        _check_range(array, kind)
        array = array.astype(kind.numpy)
    return _leaf(array, requires_grad)


def checked_dtype(given: Any, function: str) -> DType:
    """Return a dtype; Python's ``float``, ``int`` and ``bool`` stand for the widest of their kind."""
    if isinstance(given, DType):
        return given
    for plain, found in (
        (builtins.float, dtypes.float64),
        (builtins.int, dtypes.int64),
        (builtins.bool, dtypes.bool_),
    ):
        if given is plain:
            return found
    raise TypeError(
        f"{function}(): argument 'dtype' must be minigrad.dtype, such as minigrad.float32, not "
        f"{type(given).__name__}"
    )


def _check_range(array: Array, kind: DType) -> None:
    """Raise if integers do not fit into a narrower integer type."""
    if kind.numpy.kind in "iu" and array.size and array.dtype.kind in "iu":
        limits = np.iinfo(kind.numpy)
        if array.min() < limits.min or array.max() > limits.max:
            raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")


def _leaf(array: Array, requires_grad: bool) -> Tensor:
    result = new_tensor(array)
    if requires_grad:
        if array.dtype.kind != "f":
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients, and this one "
                f"is {result.dtype.name}: give numbers with a point, or dtype=minigrad.float32"
            )
        result._requires_grad = True
    return result


def _array_of(data: Any) -> Array:
    """Return a fresh array of ``data`` with the dtype that PyTorch would infer."""
    if isinstance(data, Tensor):
        return data.array.copy()
    if isinstance(data, (np.ndarray, np.generic)):
        _check_array(np.asarray(data))
        return np.array(data)
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(data, builtins.range):
        data = list(data)
    _check_ragged(data)
    kinds: list[DType] = []
    plain = _plain(data, kinds)
    found = kinds[0] if kinds else dtypes.get_default_dtype()
    for kind in kinds[1:]:
        found = dtypes.wider(found, kind)
    try:
        return np.array(plain, dtype=found.numpy)
    except OverflowError:
        raise ValueError(
            "Overflow when unpacking long long: an integer does not fit 64 bits"
        ) from None


def _check_array(array: Array) -> None:
    """Raise for an array that tensors cannot hold."""
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion between "
            "byte orders is currently not supported."
        )
    dtypes.of_array(array)
    if any([step < 0 for step in array.strides]):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array with array.copy().)"
        )


def _plain(data: Any, kinds: list[DType]) -> Any:
    """Return nested lists of numbers, noting every dtype met."""
    if isinstance(data, (list, tuple)):
        return [_plain(item, kinds) for item in data]
    if isinstance(data, Tensor):
        kinds.append(data.dtype)
        return float(data) if data.is_floating_point() else data.item()
    if isinstance(data, (np.ndarray, np.generic)):
        kinds.append(dtypes.of_array(np.asarray(data)))
        return data.tolist()
    if isinstance(data, (bool, int, float)):
        kind = dtypes.of_number(data)
        if kind not in kinds:
            kinds.append(kind)
        return data
    if isinstance(data, str):
        raise ValueError("too many dimensions 'str'")
    raise RuntimeError(
        f"Could not infer dtype of {type(data).__name__}: tensor() takes numbers, nested lists of "
        "numbers, numpy arrays or tensors"
    )


def _check_ragged(data: Any, dim: int = 0) -> None:
    if not isinstance(data, (list, tuple)) or not data:
        return
    first = data[0]
    nested = isinstance(first, (list, tuple))
    for item in data:
        if isinstance(item, (list, tuple)) != nested:
            raise TypeError(
                "not a sequence" if nested else "'list' object cannot be interpreted as a number"
            )
        if not nested:
            continue
        if len(item) != len(first):
            raise ValueError(
                f"expected sequence of length {len(first)} at dim {dim + 1} (got {len(item)})"
            )
        _check_ragged(item, dim + 1)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Return ``data`` as a tensor, without a copy where possible.

    A tensor comes back as it is; a numpy array is shared.
    """
    check_device(device)
    if isinstance(data, Tensor):
        result = data
    else:
        result = from_numpy(data) if isinstance(data, np.ndarray) else tensor(data)
    return result if dtype is None else result.to(checked_dtype(dtype, "as_tensor"))


asarray = as_tensor


def from_numpy(array: Array) -> Tensor:
    """Return a tensor on the array's own memory: writes go both ways."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {_full_name(type(array))})")
    _check_array(array)
    if not array.flags.writeable:
        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. "
            "This means writing to this tensor will result in undefined behavior. You may want to copy "
            "the array to protect its data or make it writable before converting it to a tensor.",
            UserWarning,
            stacklevel=2,
        )
    return new_tensor(array.view())


def from_class(*data: Any) -> Tensor:
    """Return what calling the class ``Tensor`` gives; ``tensor()`` and ``zeros()`` are clearer.

    From data a float32 copy; from sizes a tensor to be filled; from a tensor another one on its
    memory.
    """
    first = data[0] if data else ()
    if isinstance(first, Tensor):
        return first.view_as(first)
    if not data or isinstance(first, Size) or type(first) is int:
        return empty(*(data or (0,)), dtype=dtypes.float32)
    if isinstance(first, str):
        raise TypeError("new(): invalid data type 'str'")
    if not isinstance(first, (Sequence, np.ndarray)):
        raise TypeError(f"new(): data must be a sequence (got {type(first).__name__})")
    return tensor(first, dtype=dtypes.float32)


def _full_name(kind: type) -> str:
    """Return the name of a type as PyTorch writes it: ``list``, ``numpy.float32``."""
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


# One value everywhere ---------------------------------------------------------------------------


def _shape(sizes: Any, function: str = "size", size: Any = None) -> tuple[int, ...]:
    """Return a shape given as ints, as one sequence, or by the name ``size``; checked."""
    if size is None:
        if not len(sizes) and isinstance(sizes, tuple) and function != "full":
            raise TypeError(f'{function}() missing 1 required positional arguments: "size"')
        one = len(sizes) == 1 and isinstance(sizes[0], (tuple, list))
        size = sizes[0] if one else sizes
    for n in size:
        if isinstance(n, float) or not hasattr(n, "__index__"):
            raise TypeError(
                f"{function}(): argument 'size' (position 1) must be tuple of ints, not "
                f"{type(n).__name__}"
            )
    result = tuple([int(n) for n in size])
    if any([n < 0 for n in result]):
        raise RuntimeError(
            f"{function}: Dimension size must be non-negative: Trying to create tensor with negative "
            f"dimension {min(result)}: {shape_text(result)}"
        )
    return result


def _kind(dtype: Any, device: Any, function: str) -> DType:
    check_device(device)
    return dtypes.get_default_dtype() if dtype is None else checked_dtype(dtype, function)


def zeros(
    *sizes: Any,
    size: Sequence[int] | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of zeros; the size is given by ints or by one tuple."""
    kind = _kind(dtype, device, "zeros")
    return _leaf(np.zeros(_shape(sizes, "zeros", size), kind.numpy), requires_grad)


def ones(
    *sizes: Any,
    size: Sequence[int] | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of ones; the size is given by ints or by one tuple."""
    kind = _kind(dtype, device, "ones")
    return _leaf(np.ones(_shape(sizes, "ones", size), kind.numpy), requires_grad)


def empty(
    *sizes: Any,
    size: Sequence[int] | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor to be filled; here its elements are zero, so that programs stay the same."""
    kind = _kind(dtype, device, "empty")
    return _leaf(np.zeros(_shape(sizes, "empty", size), kind.numpy), requires_grad)


def full(
    size: Sequence[int],
    fill_value: float,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor with every element ``fill_value``, whose kind decides the dtype."""
    if not isinstance(size, (tuple, list)):
        raise TypeError(
            f"full(): argument 'size' (position 1) must be tuple of ints, not {type(size).__name__}"
        )
    if isinstance(fill_value, Tensor):
        fill_value = fill_value.item()
    kind = dtypes.of_number(fill_value) if dtype is None else checked_dtype(dtype, "full")
    check_device(device)
    filled = np.full(_shape(size, "full"), fill_value).astype(kind.numpy)
    return _leaf(filled, requires_grad)


def scalar_tensor(
    value: float, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor without dimensions that holds one number, of the default dtype."""
    kind = _kind(dtype, device, "scalar_tensor")
    return _leaf(np.asarray(value, kind.numpy), requires_grad)


# Like another tensor ----------------------------------------------------------------------------


def _like(
    input: Tensor, fill_value: Any, dtype: Any, device: Any, requires_grad: bool, function: str
) -> Tensor:
    if not isinstance(input, Tensor):
        raise TypeError(
            f"{function}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
        )
    check_device(device)
    kind = input.dtype if dtype is None else checked_dtype(dtype, function)
    # As in PyTorch, the order of the elements in memory is that of the input.
    array = np.empty_like(input.array, kind.numpy)
    array[...] = np.asarray(fill_value).astype(kind.numpy)
    return _leaf(array, requires_grad)


def zeros_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return zeros of the same shape and dtype; not whether it requires grad."""
    return _like(input, 0, dtype, device, requires_grad, "zeros_like")


def ones_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return ones of the same shape and dtype; not whether it requires grad."""
    return _like(input, 1, dtype, device, requires_grad, "ones_like")


def empty_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor of the same shape and dtype, to be filled; here its elements are zero."""
    return _like(input, 0, dtype, device, requires_grad, "empty_like")


def full_like(
    input: Tensor,
    fill_value: float,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of the same shape and dtype with every element ``fill_value``."""
    return _like(input, fill_value, dtype, device, requires_grad, "full_like")


# Rows of numbers --------------------------------------------------------------------------------


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, (Tensor, np.generic)) else value


def arange(
    start: float,
    end: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return the numbers from ``start`` (0 if only one is given) up to but without ``end``.

    int64 for whole bounds, the default float type if any is a float.
    """
    check_device(device)
    if end is None:
        start, end = 0, start
    first, last, by = map(_number, (start, end, step))
    if by == 0:
        raise RuntimeError("step must be nonzero")
    if (last - first) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is not None:
        kind = checked_dtype(dtype, "arange")
    elif any([isinstance(each, float) for each in (first, last, by)]):
        kind = dtypes.get_default_dtype()
    else:
        kind = dtypes.int64
    count = max(0, math.ceil((last - first) / by))
    return _leaf((first + np.arange(count) * by).astype(kind.numpy), requires_grad)


def range(
    start: float,
    end: float,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return the numbers from ``start`` to ``end``, both included; ``arange`` is the one to use."""
    warnings.warn(
        "range is deprecated and will be removed in a future release because its behavior is "
        "inconsistent with Python's range builtin. Instead, use arange, which produces values in "
        "[start, end).",
        UserWarning,
        stacklevel=2,
    )
    kind = _kind(dtype, device, "range")
    count = math.floor((end - start) / step) + 1
    return _leaf((start + np.arange(count) * step).astype(kind.numpy), requires_grad)


def _check_steps(steps: int) -> None:
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")


def linspace(
    start: float,
    end: float,
    steps: int,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return ``steps`` numbers from ``start`` to ``end``, both included, evenly spaced."""
    _check_steps(steps)
    kind = _kind(dtype, device, "linspace")
    values = np.linspace(_number(start), _number(end), steps)
    return _leaf(values.astype(kind.numpy), requires_grad)


def logspace(
    start: float,
    end: float,
    steps: int,
    base: float = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return ``base`` to the power of ``steps`` numbers from ``start`` to ``end``."""
    _check_steps(steps)
    kind = _kind(dtype, device, "logspace")
    values = np.logspace(_number(start), _number(end), steps, base=base)
    return _leaf(values.astype(kind.numpy), requires_grad)


# Matrices ---------------------------------------------------------------------------------------


def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a matrix with ones on the diagonal and zeros elsewhere."""
    for name, size in (("n", n), ("m", m)):
        if size is not None and size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    kind = _kind(dtype, device, "eye")
    return _leaf(np.eye(n, m, dtype=kind.numpy), requires_grad)


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Tensor:
    """Return the rows and columns (two rows of int64) of the lower triangle of a matrix."""
    kind = dtypes.int64 if dtype is None else checked_dtype(dtype, "tril_indices")
    return new_tensor(np.stack(np.tril_indices(row, offset, col)).astype(kind.numpy))


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Tensor:
    """Return the rows and columns (two rows of int64) of the upper triangle of a matrix."""
    kind = dtypes.int64 if dtype is None else checked_dtype(dtype, "triu_indices")
    return new_tensor(np.stack(np.triu_indices(row, offset, col)).astype(kind.numpy))


# Questions --------------------------------------------------------------------------------------


def is_tensor(obj: object) -> bool:
    """Tell whether ``obj`` is a tensor."""
    return isinstance(obj, Tensor)


def is_floating_point(input: Tensor) -> bool:
    """Tell whether the elements are floating point numbers."""
    return input.is_floating_point()


def is_nonzero(input: Tensor) -> bool:
    """Tell whether the only element of a tensor is not zero."""
    return bool(input)


def numel(input: Tensor) -> int:
    """Return the number of elements."""
    return input.numel()


def result_type(tensor1: Any, tensor2: Any) -> DType:
    """Return the dtype of an elementwise result of two tensors or numbers."""
    operands = [each.array if isinstance(each, Tensor) else each for each in (tensor1, tensor2)]
    return dtypes.common_type(operands)


__all__ = [
    "arange",
    "as_tensor",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_numpy",
    "full",
    "full_like",
    "is_floating_point",
    "is_nonzero",
    "is_tensor",
    "linspace",
    "logspace",
    "numel",
    "ones",
    "ones_like",
    "range",
    "result_type",
    "scalar_tensor",
    "tensor",
    "tril_indices",
    "triu_indices",
    "zeros",
    "zeros_like",
]
