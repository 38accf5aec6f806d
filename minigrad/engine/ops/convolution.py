"""Convolutions and pooling: windows slide over the last one or two dimensions.

A convolution is a matrix product once its windows lie side by side. They are looked at without a
copy (``_windows``: strides do it), and the two gradients are convolutions again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..errors import shape_text
from ..op import Op
from ..tensor import Tensor
from .shape import unsqueeze

Sizes = tuple[int, ...]


def _windows(x: Any, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Any:
    """Return a view (batch, channels, *out, *kernel) of all windows of (batch, channels, *in)."""
    spatial = x.shape[2:]
    out = tuple(
        (n - d * (k - 1) - 1) // s + 1
        for n, k, s, d in zip(spatial, kernel, stride, dilation, strict=True)
    )
    steps = x.strides[2:]
    return as_strided(
        x,
        (*x.shape[:2], *out, *kernel),
        (
            *x.strides[:2],
            *[step * s for step, s in zip(steps, stride, strict=True)],
            *[step * d for step, d in zip(steps, dilation, strict=True)],
        ),
    )


def _padded(x: Any, padding: Sizes, value: float = 0.0) -> Any:
    if not any(padding):
        return x
    widths = ((0, 0), (0, 0), *[(p, p) for p in padding])
    return np.pad(x, widths, constant_values=value)


def _spread(shape: Sizes, parts: Any, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Any:
    """Add the parts of all windows, (batch, channels, *out, *kernel), where they were taken from."""
    whole = np.zeros(shape, parts.dtype)
    rank = len(kernel)
    out = parts.shape[2 : 2 + rank]
    for place in np.ndindex(*kernel):
        region = tuple(
            slice(k * d, k * d + s * (n - 1) + 1, s)
            for k, d, s, n in zip(place, dilation, stride, out, strict=True)
        )
        whole[(slice(None), slice(None), *region)] += parts[(..., *place)]
    return whole


def _grouped(x: Any, groups: int) -> Any:
    """Split the channels into groups: (batch, channels, ...) to (batch, groups, part, ...)."""
    return x.reshape(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])


def _correlate(
    x: Any, weight: Any, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Any:
    rank = weight.ndim - 2
    seen = _windows(_padded(x, padding), weight.shape[2:], stride, dilation)
    seen = _grouped(seen, groups)  # batch, groups, channels, *out, *kernel
    kernels = weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])
    axes = tuple(range(3 + rank, 3 + 2 * rank))
    parts = [
        np.tensordot(
            seen[:, g], kernels[g], ((1, *[a - 1 for a in axes]), tuple(range(1, 2 + rank)))
        )
        for g in range(groups)
    ]
    out = parts[0] if groups == 1 else np.concatenate(parts, -1)
    return np.ascontiguousarray(np.moveaxis(out, -1, 1))


def _input_grad(
    g: Any, weight: Any, shape: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Any:
    kernel = weight.shape[2:]
    kernels = weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])
    gs = _grouped(g, groups)
    # For each group: (batch, out channels, *out) x (out channels, channels, *kernel).
    parts = [np.tensordot(gs[:, i], kernels[i], ((1,), (0,))) for i in range(groups)]
    rank = len(kernel)
    # batch, *out, channels, *kernel -> batch, channels, *out, *kernel
    parts = [np.moveaxis(part, 1 + rank, 1) for part in parts]
    whole = parts[0] if groups == 1 else np.concatenate(parts, 1)
    padded = (*shape[:2], *[n + 2 * p for n, p in zip(shape[2:], padding, strict=True)])
    spread = _spread(padded, whole, kernel, stride, dilation)
    inner = tuple(slice(p, p + n) for n, p in zip(shape[2:], padding, strict=True))
    return np.ascontiguousarray(spread[(slice(None), slice(None), *inner)])


def _weight_grad(
    g: Any, x: Any, shape: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Any:
    rank = len(shape) - 2
    seen = _grouped(_windows(_padded(x, padding), shape[2:], stride, dilation), groups)
    gs = _grouped(g, groups)
    over = (0, *range(2, 2 + rank))
    parts = [
        np.tensordot(gs[:, i], seen[:, i], (over, over)) for i in range(groups)
    ]  # out channels, channels, *kernel
    return parts[0] if groups == 1 else np.concatenate(parts, 0)


_convolution: Op = Op(
    "ConvolutionBackward0",
    _correlate,
    x=lambda g, weight, x_shape, stride, padding, dilation, groups: _input_grad_op(
        g, weight, x_shape, stride, padding, dilation, groups
    ),
    weight=lambda g, x, weight_shape, stride, padding, dilation, groups: _weight_grad_op(
        g, x, weight_shape, stride, padding, dilation, groups
    ),
)
_input_grad_op: Op = Op(
    "ConvolutionBackwardBackward0",
    _input_grad,
    g=lambda g2, weight, stride, padding, dilation, groups: _convolution(
        g2, weight, stride, padding, dilation, groups
    ),
    weight=lambda g2, g, weight_shape, stride, padding, dilation, groups: _weight_grad_op(
        g, g2, weight_shape, stride, padding, dilation, groups
    ),
)
_weight_grad_op: Op = Op(
    "ConvolutionBackwardBackward0",
    _weight_grad,
    g=lambda g2, x, stride, padding, dilation, groups: _convolution(
        x, g2, stride, padding, dilation, groups
    ),
    x=lambda g2, g, x_shape, stride, padding, dilation, groups: _input_grad_op(
        g, g2, x_shape, stride, padding, dilation, groups
    ),
)


def _per_dimension(value: int | Sequence[int], rank: int, name: str) -> Sizes:
    if isinstance(value, int):
        return (value,) * rank
    sizes = tuple(int(each) for each in value)
    if len(sizes) == 1:
        return sizes * rank
    if len(sizes) != rank:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {rank} values to match the "
            f"convolution dimensions, but got {name}={list(sizes)}"
        )
    return sizes


def _convolve(
    rank: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: int | Sequence[int],
    padding: int | Sequence[int] | str,
    dilation: int | Sequence[int],
    groups: int,
) -> Tensor:
    name = f"conv{rank}d"
    steps, spans = (
        _per_dimension(stride, rank, "stride"),
        _per_dimension(dilation, rank, "dilation"),
    )
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {name}, but got "
            f"input of size: {shape_text(input.shape)}"
        )
    if input.dtype is not weight.dtype:
        raise RuntimeError(
            f"Input type ({input.dtype.legacy_name}) and weight type ({weight.dtype.legacy_name}) "
            "should be the same"
        )
    if isinstance(padding, str):
        widths = _named_padding(padding, weight.shape[2:], steps, spans)
    else:
        widths = _per_dimension(padding, rank, "padding")
    batched = input if input.ndim == rank + 2 else unsqueeze(input, 0)
    channels = weight.shape[1] * groups
    if batched.shape[1] != channels:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {shape_text(weight.shape)}, expected "
            f"input{shape_text(batched.shape)} to have {channels} channels, but got "
            f"{batched.shape[1]} channels instead"
        )
    spatial = [n + 2 * p for n, p in zip(batched.shape[2:], widths, strict=True)]
    reach = [d * (k - 1) + 1 for k, d in zip(weight.shape[2:], spans, strict=True)]
    if any(n < r for n, r in zip(spatial, reach, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, spatial))}). Kernel "
            f"size: ({' x '.join(map(str, reach))}). Kernel size can't be greater than actual input "
            "size"
        )
    out = _convolution(batched, weight, steps, widths, spans, groups)
    if bias is not None:
        out = out + bias.reshape(-1, *(1,) * rank)
    return out if input.ndim == rank + 2 else out.squeeze(0)


def _named_padding(padding: str, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Sizes:
    if padding == "valid":
        return (0,) * len(kernel)
    if padding != "same":
        raise RuntimeError(f"Invalid padding string: '{padding}', must be one of 'same', 'valid'")
    if any(step != 1 for step in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    totals = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    if any(total % 2 for total in totals):
        raise RuntimeError(
            "padding='same' is supported here for kernels of odd reach only: an even one needs more "
            "on one side than on the other; pad() the input first"
        )
    return tuple(total // 2 for total in totals)


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] | str = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """Slide ``weight`` (out, in / groups, k) over ``input`` ([batch,] in, length)."""
    return _convolve(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] | str = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """Slide ``weight`` (out, in / groups, kh, kw) over ``input`` ([batch,] in, height, width)."""
    return _convolve(2, input, weight, bias, stride, padding, dilation, groups)


# Pooling ------------------------------------------------------------------------------------------


def _max_places(x: Any, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Any:
    """Return the largest element of every window, and where in the flat input it stands."""
    filled = _padded(x, padding, -np.inf)
    seen = _windows(filled, kernel, stride, dilation)
    rank = len(kernel)
    flat = seen.reshape(*seen.shape[: 2 + rank], -1)
    best = flat.argmax(-1)
    values = np.take_along_axis(flat, best[..., None], -1)[..., 0]
    inside = np.unravel_index(best, kernel)
    place = np.zeros_like(best)
    for axis in range(rank):
        shape = [1] * best.ndim
        shape[2 + axis] = best.shape[2 + axis]
        start = (np.arange(best.shape[2 + axis]) * stride[axis] - padding[axis]).reshape(shape)
        place = place * x.shape[2 + axis] + start + inside[axis] * dilation[axis]
    return values, place.astype(np.int64)


def _put_at(g: Any, place: Any, shape: Sizes) -> Any:
    """Put the gradient of every window where its largest element stands."""
    out = np.zeros((shape[0] * shape[1], int(np.prod(shape[2:]))), g.dtype)
    rows = np.arange(len(out))[:, None]
    np.add.at(out, (rows, place.reshape(len(out), -1)), g.reshape(len(out), -1))
    return out.reshape(shape)


def _take_at(x: Any, place: Any) -> Any:
    flat = x.reshape(*x.shape[:2], -1)
    taken = np.take_along_axis(flat, place.reshape(*place.shape[:2], -1), -1)
    return taken.reshape(place.shape)


_max_pool = Op(
    "MaxPool2DWithIndicesBackward0",
    _max_places,
    x=lambda g, out1, x_shape: _put(g, out1, x_shape),
)
_put: Op = Op(
    "MaxPool2DWithIndicesBackwardBackward0",
    _put_at,
    g=lambda g2, place: _take(g2, place),
    place=None,
)
_take: Op = Op(
    "GatherBackward0", _take_at, x=lambda g, place, x_shape: _put(g, place, x_shape), place=None
)


def _mean_of_windows(x: Any, kernel: Sizes, stride: Sizes, padding: Sizes, counts: Any) -> Any:
    seen = _windows(_padded(x, padding), kernel, stride, (1,) * len(kernel))
    rank = len(kernel)
    return seen.sum(tuple(range(2 + rank, 2 + 2 * rank))) / counts


def _mean_back(
    g: Any, x_shape: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, counts: Any
) -> Any:
    rank = len(kernel)
    parts = (g / counts).astype(g.dtype)[(..., *(None,) * rank)]
    parts = np.broadcast_to(parts, (*parts.shape[: 2 + rank], *kernel))
    padded = (*x_shape[:2], *[n + 2 * p for n, p in zip(x_shape[2:], padding, strict=True)])
    whole = _spread(padded, parts, kernel, stride, (1,) * rank)
    inner = tuple(slice(p, p + n) for n, p in zip(x_shape[2:], padding, strict=True))
    return np.ascontiguousarray(whole[(slice(None), slice(None), *inner)])


_avg_pool: Op = Op(
    "AvgPool2DBackward0",
    _mean_of_windows,
    x=lambda g, x_shape, kernel, stride, padding, counts: _mean_back_op(
        g, x_shape, kernel, stride, padding, counts
    ),
)
_mean_back_op: Op = Op(
    "AvgPool2DBackwardBackward0",
    _mean_back,
    g=lambda g2, kernel, stride, padding, counts: _avg_pool(g2, kernel, stride, padding, counts),
)


def _pooled(
    rank: int,
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None,
    padding: int | Sequence[int],
) -> tuple[Tensor, Sizes, Sizes, Sizes]:
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with optional 0 dim batch size "
            f"for input, but got: {shape_text(input.shape)}"
        )
    kernel = _per_dimension(kernel_size, rank, "kernel_size")
    steps = kernel if stride is None else _per_dimension(stride, rank, "stride")
    widths = _per_dimension(padding, rank, "padding")
    if any(2 * p > k for p, k in zip(widths, kernel, strict=True)):
        raise RuntimeError(
            "pad should be at most half of effective kernel size, but got "
            f"pad={max(widths)}, kernel_size={max(kernel)} and dilation=1"
        )
    batched = input if input.ndim == rank + 2 else unsqueeze(input, 0)
    return batched, kernel, steps, widths


def _max_pooling(
    rank: int,
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None,
    padding: int | Sequence[int],
    dilation: int | Sequence[int],
    return_indices: bool,
) -> Any:
    batched, kernel, steps, widths = _pooled(rank, input, kernel_size, stride, padding)
    spans = _per_dimension(dilation, rank, "dilation")
    values, places = _max_pool(batched, kernel, steps, widths, spans)
    if input.ndim != rank + 2:
        values, places = values.squeeze(0), places.squeeze(0)
    return (values, places) if return_indices else values


def max_pool1d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Return the largest element of every window of ([batch,] channels, length)."""
    _no_ceil(ceil_mode)
    return _max_pooling(1, input, kernel_size, stride, padding, dilation, return_indices)


def max_pool2d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Return the largest element of every window of ([batch,] channels, height, width)."""
    _no_ceil(ceil_mode)
    return _max_pooling(2, input, kernel_size, stride, padding, dilation, return_indices)


def _no_ceil(ceil_mode: bool) -> None:
    if ceil_mode:
        raise NotImplementedError("ceil_mode=True is not supported: pad() the input instead")


def _avg_pooling(
    rank: int,
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None,
    padding: int | Sequence[int],
    count_include_pad: bool,
) -> Tensor:
    batched, kernel, steps, widths = _pooled(rank, input, kernel_size, stride, padding)
    counts: Any = float(np.prod(kernel))
    if not count_include_pad and any(widths):
        ones = _padded(np.ones((1, 1, *batched.shape[2:])), widths)
        seen = _windows(ones, kernel, steps, (1,) * rank)
        counts = seen.sum(tuple(range(2 + rank, 2 + 2 * rank)))
    counts = np.asarray(counts, batched.array.dtype)
    out = _avg_pool(batched, kernel, steps, widths, counts)
    return out if input.ndim == rank + 2 else out.squeeze(0)


def avg_pool1d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Return the mean of every window of ([batch,] channels, length)."""
    _no_ceil(ceil_mode)
    return _avg_pooling(1, input, kernel_size, stride, padding, count_include_pad)


def avg_pool2d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Return the mean of every window of ([batch,] channels, height, width)."""
    _no_ceil(ceil_mode)
    return _avg_pooling(2, input, kernel_size, stride, padding, count_include_pad)


__all__ = [
    "avg_pool1d",
    "avg_pool2d",
    "conv1d",
    "conv2d",
    "max_pool1d",
    "max_pool2d",
]
