"""The largest and the smallest: of all, along dimensions, and where they stand.

The largest of all shares its gradient evenly with those that attain it too; along one dimension, it
goes to the element at the index that is returned.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..op import Op
from ..tensor import Tensor, new_tensor
from .choosing import maximum, minimum
from .reductions import Dims, DimsLike, _all_or, _kept, restored
from .shape import (
    wrap_dim,
)
from .vjps import masked


class ValuesAndIndices(NamedTuple):
    """What an operation along one dimension found: the values, and where they stood (int64)."""

    values: Tensor
    indices: Tensor


class MinAndMax(NamedTuple):
    """The smallest and the largest."""

    min: Tensor
    max: Tensor


def _text(result: Any) -> str:
    """Return the fields of a result, a line each, as PyTorch prints them."""
    fields = ",\n".join([f"{name}={value!r}" for name, value in result._asdict().items()])
    return f"minigrad.return_types.{type(result).__name__}(\n{fields})"


@cache
def return_type(fields: type[Any], function: str) -> type[Any]:
    """Return the type of what a function returns: those fields, under the function's name."""
    return type(
        function, (fields,), {"__slots__": (), "__repr__": _text, "__doc__": fields.__doc__}
    )


def values_and_indices(operation: Op, *args: Any) -> ValuesAndIndices:
    """Run an operation that returns values and indices, and name the two."""
    function = re.sub(r"Backward\d$", "", operation.name).lower()
    return return_type(ValuesAndIndices, function)(*operation(*args))


def shared_evenly(g: Any, x: Any, out: Any) -> Any:
    """Share the gradient of an extreme value evenly among the elements that attain it."""
    attained = (x == out) | ((x != x) & (out != out))
    return masked(g / attained.sum(), attained)


def _shared_along(g: Any, x: Any, out: Any, dims: Dims, keepdim: bool) -> Any:
    g, out = restored(g, x.shape, dims, keepdim), restored(out, x.shape, dims, keepdim)
    attained = x == out
    return g * attained / attained.sum(axis=dims, keepdims=True)


def put_back(g: Any, out1: Any, dim: int, keepdim: bool, x_shape: Any) -> Any:
    """Put the gradient of a selected value back where it was selected: ``out1`` are the indices."""
    dims = (dim,)
    index = out1 if keepdim else out1.reshape(_kept(x_shape, dims))
    return _placed(restored(g, x_shape, dims, keepdim), index, dim, tuple(x_shape))


def _place_along(x: Any, index: Any, dim: int, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, x.dtype)
    if shape:
        np.put_along_axis(out, index, x, dim)
    else:
        out[...] = x
    return out


# Zeros, with each element at its index along ``dim``; its opposite picks it again.
_placed = Op(
    "ValueSelectingReductionBackward0",
    _place_along,
    x=lambda g, index, dim: picked(g, index, dim),
    index=None,
)
picked: Op = Op(
    "GatherBackward0",
    lambda x, index, dim: np.take_along_axis(x, index, dim) if x.ndim else x.copy(),
    x=lambda g, index, dim, x_shape: _placed(g, index, dim, tuple(x_shape)),
    index=None,
)


def selection(name: str, place: Any) -> Op:
    """Return an operation that selects one element along a dimension, at the index ``place`` finds.

    ``place(x, dim, *rest)`` returns the indices with the dimension kept. Results are the values,
    which carry the gradient, and the indices.
    """

    def forward(x: Any, dim: int, keepdim: bool, rest: tuple[Any, ...]) -> Any:
        if not x.ndim:
            return x.copy(), np.zeros((), np.int64)
        index = place(x, dim, *rest)
        values = np.take_along_axis(x, index, dim)
        return (values, index) if keepdim else (values.squeeze(dim), index.squeeze(dim))

    return Op(name, forward, outputs=1, x=put_back)


_max_all = Op("MaxBackward1", lambda x: x.max(), x=shared_evenly)
_min_all = Op("MinBackward1", lambda x: x.min(), x=shared_evenly)
_max = selection("MaxBackward0", lambda x, dim: np.argmax(x, axis=dim, keepdims=True))
_min = selection("MinBackward0", lambda x, dim: np.argmin(x, axis=dim, keepdims=True))
_amax = Op(
    "AmaxBackward0", lambda x, dims, keepdim: x.max(axis=dims, keepdims=keepdim), x=_shared_along
)
_amin = Op(
    "AminBackward0", lambda x, dims, keepdim: x.min(axis=dims, keepdims=keepdim), x=_shared_along
)


def _aminmax_vjp(gs: Any, x: Any, out: Any, out1: Any, dims: Dims, keepdim: bool) -> Any:
    shares = [
        _shared_along(g, x, extreme, dims, keepdim)
        for g, extreme in zip(gs, (out, out1), strict=True)
        if g is not None
    ]
    return shares[0] if len(shares) == 1 else shares[0] + shares[1]


_aminmax = Op(
    "AminmaxBackward0",
    lambda x, dims, keepdim: (
        x.min(axis=dims, keepdims=keepdim),
        x.max(axis=dims, keepdims=keepdim),
    ),
    outputs=2,
    x=_aminmax_vjp,
)


def selected(operation: Op, input: Tensor, dim: int, keepdim: bool, *rest: Any) -> ValuesAndIndices:
    """Run a selection along ``dim`` and name its two results."""
    dim = wrap_dim(dim, input.array.ndim)
    name = operation.name.removesuffix("Backward0").removesuffix("Backward1").lower()
    if input.array.ndim and not input.array.shape[dim]:
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
    return values_and_indices(operation, input, dim, keepdim, rest)


def _check_not_empty(input: Tensor, function: str) -> None:
    if not input.array.size:
        raise RuntimeError(
            f"{function}(): Expected reduction dim to be specified for input.numel() == 0. Specify "
            "the reduction dim with the 'dim' argument."
        )


def max(
    input: Tensor,
    dim: int | Tensor | None = None,
    keepdim: bool = False,
    *,
    other: Tensor | None = None,
    axis: int | None = None,
) -> Any:
    """Return the largest element; or, along ``dim``, ``(values, indices)``.

    The gradient of the largest of all is shared evenly by those that attain it; along ``dim`` it
    goes to the one at the index. ``max(a, b)`` of two tensors is ``maximum``.
    """
    if isinstance(dim, Tensor) or other is not None:
        return maximum(input, dim if other is None else other)  # type: ignore[arg-type]
    if axis is not None:
        dim = axis
    if dim is not None:
        return selected(_max, input, dim, keepdim)
    _check_not_empty(input, "max")
    return _max_all(input)


def min(
    input: Tensor,
    dim: int | Tensor | None = None,
    keepdim: bool = False,
    *,
    other: Tensor | None = None,
    axis: int | None = None,
) -> Any:
    """Return the smallest element; or, along ``dim``, ``(values, indices)``; see ``max``."""
    if isinstance(dim, Tensor) or other is not None:
        return minimum(input, dim if other is None else other)  # type: ignore[arg-type]
    if axis is not None:
        dim = axis
    if dim is not None:
        return selected(_min, input, dim, keepdim)
    _check_not_empty(input, "min")
    return _min_all(input)


def _extremes(operation: Op, function: str, input: Tensor, dim: DimsLike, keepdim: bool) -> Any:
    if dim is None or dim == ():
        _check_not_empty(input, function)
    elif input.array.ndim:
        for each in [dim] if isinstance(dim, int) else dim:
            if not input.array.shape[wrap_dim(each, input.array.ndim)]:
                raise IndexError(
                    f"{function}(): Expected reduction dim {each} to have non-zero size."
                )
    dims = _all_or(dim, input.array.ndim)
    return operation(input, dims, keepdim)


def amax(input: Tensor, dim: DimsLike = (), keepdim: bool = False) -> Tensor:
    """Return the largest along ``dim`` (all, if none is given); ties share the gradient evenly."""
    return _extremes(_amax, "amax", input, dim, keepdim)


def amin(input: Tensor, dim: DimsLike = (), keepdim: bool = False) -> Tensor:
    """Return the smallest along ``dim`` (all, if none is given); ties share the gradient evenly."""
    return _extremes(_amin, "amin", input, dim, keepdim)


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> MinAndMax:
    """Return the smallest and the largest, of all elements or along ``dim``."""
    return return_type(MinAndMax, "aminmax")(*_extremes(_aminmax, "aminmax", input, dim, keepdim))


def _place_of(function: Any, input: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    if input.array.dtype.kind == "b":
        raise RuntimeError(f"{function.__name__}(): does not support bool input")
    if dim is None:
        if not input.array.size:
            raise IndexError(
                f"{function.__name__}(): Expected reduction dim to be specified for input.numel() == "
                "0. Specify the reduction dim with the 'dim' argument."
            )
    else:
        dim = wrap_dim(dim, input.array.ndim)
        if input.array.ndim and not input.array.shape[dim]:
            raise IndexError(
                f"{function.__name__}(): Expected reduction dim {dim} to have non-zero size."
            )
    if not input.array.ndim:
        return new_tensor(np.zeros((), np.int64))
    return new_tensor(function(input.array, axis=dim, keepdims=keepdim))


def argmax(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, axis: int | None = None
) -> Tensor:
    """Return the place of the largest element (int64), in the flattened tensor or along ``dim``."""
    return _place_of(np.argmax, input, dim if axis is None else axis, keepdim)


def argmin(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, axis: int | None = None
) -> Tensor:
    """Return the place of the smallest element (int64), in the flattened tensor or along ``dim``."""
    return _place_of(np.argmin, input, dim if axis is None else axis, keepdim)


def all(
    input: Tensor, dim: DimsLike = None, keepdim: bool = False, *, axis: DimsLike = None
) -> Tensor:
    """Tell whether every element is true (not zero), in all or along ``dim``."""
    dims = _all_or(dim if axis is None else axis, input.array.ndim)
    return _answers(input.array.all(axis=dims, keepdims=keepdim), input)


def any(
    input: Tensor, dim: DimsLike = None, keepdim: bool = False, *, axis: DimsLike = None
) -> Tensor:
    """Tell whether any element is true (not zero), in all or along ``dim``."""
    dims = _all_or(dim if axis is None else axis, input.array.ndim)
    return _answers(input.array.any(axis=dims, keepdims=keepdim), input)


def _answers(found: Any, input: Tensor) -> Tensor:
    """Return bools as a tensor: for uint8, PyTorch's bools of old, as uint8."""
    return new_tensor(found if input.array.dtype != np.uint8 else np.asarray(found, np.uint8))


__all__ = [
    "all",
    "amax",
    "amin",
    "aminmax",
    "any",
    "argmax",
    "argmin",
    "max",
    "min",
]
