"""Order: sorting, the k largest, the median, what occurs and how often, where a value belongs.

What is selected carries the gradient back to where it stood; nan counts as larger than any number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..op import Op
from ..tensor import Tensor, new_tensor
from .arguments import no_bools, only_floats
from .arithmetic import lerp
from .extremes import ValuesAndIndices, selected, selection, shared_evenly, values_and_indices
from .gathering import gather, summed_at
from .shape import (
    flatten,
    reshape,
    squeeze_,
    transpose,
    transpose_,
    unsqueeze,
    unsqueeze_,
    view,
    wrap_dim,
)

# Sorting ----------------------------------------------------------------------------------------


def _order(x: Any, dim: int, descending: bool) -> Any:
    """Return the indices that sort ``x`` along ``dim``; equal elements keep their order."""
    if not x.ndim:
        return np.zeros((), np.int64)
    if not descending:
        return np.argsort(x, axis=dim, kind="stable")
    backwards = np.argsort(np.flip(x, dim), axis=dim, kind="stable")
    return np.flip(x.shape[dim] - 1 - backwards, dim).copy()


def _sorted(x: Any, dim: int, descending: bool) -> Any:
    order = _order(x, dim, descending)
    return (np.take_along_axis(x, order, dim), order) if x.ndim else (x.copy(), order)


def _put_back(g: Any, out1: Any, dim: int, x_shape: Any) -> Any:
    return summed_at(g, out1, dim, x_shape)


_sort = Op("SortBackward0", _sorted, outputs=1, x=_put_back)
_sort_stable = Op("SortBackward1", _sorted, outputs=1, x=_put_back)
_topk = Op(
    "TopkBackward0",
    lambda x, k, dim, largest: _first_sorted(x, k, dim, largest),
    outputs=1,
    x=_put_back,
)


def _first_sorted(x: Any, k: int, dim: int, largest: bool) -> Any:
    if not x.ndim:
        return x.copy(), np.zeros((), np.int64)
    order = _order(x, dim, largest).take(range(k), dim)
    return np.take_along_axis(x, order, dim), order


def sort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> ValuesAndIndices:
    """Return the elements in order along ``dim``, and the indices where they stood.

    Equal elements always keep their order here; ``stable`` only changes the name in the graph.
    """
    operation = _sort if stable is None else _sort_stable
    return values_and_indices(operation, input, wrap_dim(dim, input.array.ndim), descending)


def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False
) -> Tensor:
    """Return the indices that sort the elements along ``dim``."""
    return new_tensor(_order(input.array, wrap_dim(dim, input.array.ndim), descending))


def msort(input: Tensor) -> Tensor:
    """Return the elements in order along the first dimension."""
    return sort(input, 0).values


def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> ValuesAndIndices:
    """Return the ``k`` largest (or smallest) elements along ``dim``, in order, and their indices."""
    if input.array.dtype.kind == "b":
        raise RuntimeError("topk does not support bool dtypes on CPU")
    dim = wrap_dim(dim, input.array.ndim)
    size = input.array.shape[dim] if input.array.ndim else 1
    if not 0 <= k <= size:
        raise RuntimeError(
            f"selected index k out of range: k is {k}, and there are {size} elements along dimension "
            f"{dim}"
        )
    return values_and_indices(_topk, input, k, dim, largest)


# Ranks ------------------------------------------------------------------------------------------


def _place_of_rank(x: Any, dim: int, rank: int) -> Any:
    return np.argsort(x, axis=dim, kind="stable").take([rank], dim)


def _place_of_median(x: Any, dim: int) -> Any:
    """Return the index of the median, the lower of two; that of a nan, where there is one."""
    middle = _place_of_rank(x, dim, (x.shape[dim] - 1) // 2)
    if x.dtype.kind != "f":
        return middle
    isnan = np.isnan(x)
    first = np.argmax(isnan, axis=dim, keepdims=True)
    return np.where(isnan.any(axis=dim, keepdims=True), first, middle)


def _place_of_nanmedian(x: Any, dim: int) -> Any:
    order = np.argsort(x, axis=dim, kind="stable")
    numbers = (x == x).sum(axis=dim, keepdims=True)
    return np.take_along_axis(order, np.maximum(numbers - 1, 0) // 2, dim)


def _place_of_mode(x: Any, dim: int) -> Any:
    """Return the last index of the commonest value (the smallest of several such)."""

    def one(row: Any) -> Any:
        values, counts = np.unique(row, return_counts=True)
        return np.flatnonzero(row == values[counts.argmax()])[-1]

    return np.expand_dims(np.apply_along_axis(one, dim, x), dim)


def _value_at(place: Any) -> Any:
    """Return the forward that gives the value at a place in the flattened tensor."""

    def forward(x: Any) -> Any:
        no_bools("median_cpu", x)
        flat = x.reshape(-1)
        if not flat.size:
            nothing = np.nan if x.dtype.kind == "f" else np.iinfo(x.dtype).min
            return np.asarray(nothing, x.dtype)
        return flat[place(flat, 0)[0]]

    return forward


_median_all = Op("MedianBackward0", _value_at(_place_of_median), x=shared_evenly)
_nanmedian_all = Op("NanmedianBackward0", _value_at(_place_of_nanmedian), x=shared_evenly)
_median = selection("MedianBackward1", _place_of_median)
_nanmedian = selection("NanmedianBackward1", _place_of_nanmedian)
_kthvalue = selection("KthvalueBackward0", _place_of_rank)
_mode = selection("ModeBackward0", _place_of_mode)


def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median, the lower of two; or, along ``dim``, ``(values, indices)``."""
    if dim is None:
        return _median_all(input)
    no_bools("median_out", input.array)
    return selected(_median, input, dim, keepdim)


def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median of the elements that are numbers; see ``median``."""
    if dim is None:
        return _nanmedian_all(input)
    no_bools("median_out", input.array)
    return selected(_nanmedian, input, dim, keepdim)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> ValuesAndIndices:
    """Return the ``k``-th smallest element (counted from 1) along ``dim``, and its index."""
    no_bools("kthvalue_cpu", input.array)
    dim = wrap_dim(dim, input.array.ndim)
    size = input.array.shape[dim] if input.array.ndim else 1
    if not 1 <= k <= size:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    return selected(_kthvalue, input, dim, keepdim, k - 1)


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> ValuesAndIndices:
    """Return the commonest value along ``dim`` (the smallest of several), and its last index."""
    return selected(_mode, input, dim, keepdim)


def quantile(
    input: Tensor,
    q: float | Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """Return the element below which a share ``q`` lies, along ``dim`` or of all.

    Between two elements the value is interpolated. Several ``q`` give a first dimension for them.
    """
    if input.array.dtype not in (np.float32, np.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if interpolation != "linear":
        raise RuntimeError(f"quantile() interpolation must be linear here, but got {interpolation}")
    shares = q if isinstance(q, Tensor) else new_tensor(np.asarray(q, input.array.dtype))
    if shares.array.size and not (shares.array.min() >= 0 and shares.array.max() <= 1):
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    rank = input.array.ndim
    if dim is None:
        ordered = sort(flatten(input)).values
    elif wrap_dim(dim, rank) == rank - 1 and not keepdim:
        ordered = sort(input).values
    else:
        ordered = sort(transpose(unsqueeze(input, -1), dim if dim >= 0 else dim - 1, -1)).values
    found = _interpolated(view(ordered, ordered.array.shape), shares.array.reshape(-1))
    if dim is None and keepdim:
        found = reshape(found, (1,) * rank + (-1,))
    elif dim is not None and found.array.ndim > rank and not keepdim:
        squeeze_(found, dim)
    if not shares.array.ndim:
        return squeeze_(found, -1)
    return squeeze_(transpose_(unsqueeze_(found, 0), 0, -1), -1)


def _interpolated(ordered: Tensor, shares: Any) -> Tensor:
    """Return the values at these shares of the sorted last dimension."""
    *others, size = ordered.array.shape
    place = shares * (size - 1)
    low = np.floor(place)

    def at(places: Any) -> Tensor:
        index = np.broadcast_to(places.astype(np.int64), (*others, len(places)))
        return gather(ordered, -1, new_tensor(index))

    return lerp(at(low), at(np.ceil(place)), new_tensor((place - low).astype(ordered.array.dtype)))


# What occurs ------------------------------------------------------------------------------------


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the different elements (or slices along ``dim``), in order.

    With ``return_inverse``, also where each element of ``input`` is among them; with
    ``return_counts``, also how often each occurs.
    """
    axis = None if dim is None else wrap_dim(dim, input.array.ndim)
    values, inverse, counts = np.unique(
        input.array, return_inverse=True, return_counts=True, axis=axis
    )
    inverse = inverse.reshape(-1 if axis is not None else input.array.shape)
    found = [values]
    found += [inverse.astype(np.int64)] if return_inverse else []
    found += [counts.astype(np.int64)] if return_counts else []
    return new_tensor(values) if len(found) == 1 else tuple(map(new_tensor, found))


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False
) -> Any:
    """Return the elements of the flattened tensor without repetitions that follow each other."""
    flat = input.array.reshape(-1)
    starts = np.ones(flat.size, np.bool_)
    starts[1:] = flat[1:] != flat[:-1]
    at = np.flatnonzero(starts)
    found = [flat[at]]
    if return_inverse:
        found.append((np.cumsum(starts) - 1).reshape(input.array.shape))
    if return_counts:
        found.append(np.diff(at, append=flat.size))
    return new_tensor(found[0]) if len(found) == 1 else tuple(map(new_tensor, found))


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Return how often each of 0, 1, 2, ... occurs among integers (or the sum of their weights)."""
    array = input.array
    if array.dtype.kind == "f":
        raise NotImplementedError(
            f"\"bincount_cpu\" not implemented for '{input.dtype.legacy_name}': it counts integers"
        )
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.size and array.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    counts = np.bincount(array, None if weights is None else weights.array, minlength)
    if weights is not None and weights.array.dtype == np.float32:
        counts = counts.astype(np.float32)
    return new_tensor(counts)


class Histogram(NamedTuple):
    """How many elements fall into each bin, and the edges of the bins."""

    hist: Tensor
    bin_edges: Tensor


def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """Return how many elements fall into each of ``bins`` equal bins from ``min`` to ``max``.

    With ``min == max``, the range is that of the elements.
    """
    array = input.array
    only_floats("histogram_cpu", array)
    low, high = (min, max) if min != max or not array.size else (array.min(), array.max())
    if low == high:
        low, high = low - 1, high + 1
    counts, _ = np.histogram(array, bins, (low, high))
    return new_tensor(counts.astype(array.dtype))


# Where it belongs -------------------------------------------------------------------------------


def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor | float,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
) -> Tensor:
    """Return the index before which each element has to go to keep ``sorted_sequence`` in order.

    Of equal elements, before the first (``right=True``: after the last). A sequence of several rows
    is searched row by row.
    """
    rows = sorted_sequence.array
    if not rows.ndim:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 "
            "dimension"
        )
    wanted = input.array if isinstance(input, Tensor) else np.asarray(input).astype(rows.dtype)
    no_bools("searchsorted_out_cpu", np.empty(0, np.result_type(rows, wanted)))
    side = side or ("right" if right else "left")
    if rows.ndim == 1:
        found = np.searchsorted(rows, wanted, side)  # type: ignore[call-overload]
    elif rows.shape[:-1] == wanted.shape[:-1]:
        pairs = zip(
            rows.reshape(-1, rows.shape[-1]), wanted.reshape(-1, wanted.shape[-1]), strict=True
        )
        found = np.stack([np.searchsorted(row, each, side) for row, each in pairs])  # type: ignore[call-overload]
        found = found.reshape(wanted.shape)
    else:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions "
            "of boundaries tensor and input value tensor must match"
        )
    return new_tensor(np.asarray(found, np.int32 if out_int32 else np.int64))


def bucketize(
    input: Tensor | float, boundaries: Tensor, *, out_int32: bool = False, right: bool = False
) -> Tensor:
    """Return the number of the bin, between sorted ``boundaries``, that each element falls into."""
    if boundaries.array.ndim != 1:
        raise RuntimeError(
            f"boundaries tensor must be 1 dimension, but got dim({boundaries.array.ndim})"
        )
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


__all__ = [
    "argsort",
    "bincount",
    "bucketize",
    "histc",
    "kthvalue",
    "median",
    "mode",
    "msort",
    "nanmedian",
    "quantile",
    "searchsorted",
    "sort",
    "topk",
    "unique",
    "unique_consecutive",
]
