"""Matrix products, by rank, under the names PyTorch's graph shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import Binary, Op
from ..tensor import Tensor
from .shape import squeeze, unsqueeze

_dot = Op("DotBackward0", np.dot, types="as given", a=lambda g, b: g * b, b=lambda g, a: g * a)
_mv = Op(
    "MvBackward0",
    np.matmul,
    a=lambda g, b: g.reshape((-1, 1)) * b,
    b=lambda g, a: a.swapaxes(0, 1) @ g,
)
mm = Binary(
    "MmBackward0",
    np.matmul,
    a=lambda g, b: g @ b.swapaxes(0, 1),
    b=lambda g, a: a.swapaxes(0, 1) @ g,
)
# Leading dimensions broadcast; the engine sums over what was stretched.
_bmm = Op(
    "BmmBackward0",
    np.matmul,
    a=lambda g, b: g @ b.swapaxes(-1, -2),
    b=lambda g, a: a.swapaxes(-1, -2) @ g,
)


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Return the matrix product, by the ranks' rules of ``torch.matmul``.

    Vectors multiply to a number, matrices as matrices; a vector beside a matrix stands for one row or
    column; further leading dimensions are a batch and broadcast.
    """
    if (
        isinstance(input, Tensor)
        and isinstance(other, Tensor)
        and len(shape := input.array.shape) == len(other.array.shape) == 2
        and shape[1] == other.array.shape[0]
        and input.array.dtype is other.array.dtype
    ):
        return mm.apply(input, other)
    for name, each in (("input", input), ("other", other)):
        if not isinstance(each, Tensor):
            raise TypeError(f"matmul(): argument '{name}' must be Tensor, not {type(each).__name__}")
    a, b = input.array, other.array
    if not a.ndim or not b.ndim:
        raise RuntimeError(
            "both arguments to matmul need to be at least 1D, but they are "
            f"{a.ndim}D and {b.ndim}D"
        )
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {input.dtype.name} != "
            f"{other.dtype.name}"
        )
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise _misfit(a, b)
    if a.ndim == 2 and b.ndim == 2:
        return mm(input, other)  # type: ignore[no-any-return]
    if a.ndim == 1 and b.ndim == 1:
        return _dot(input, other)  # type: ignore[no-any-return]
    if a.ndim == 2 and b.ndim == 1:
        return _mv(input, other)  # type: ignore[no-any-return]
    if a.ndim == 1:
        return squeeze(matmul(unsqueeze(input, 0), other), -2)
    if b.ndim == 1:
        return squeeze(matmul(input, unsqueeze(other, 1)), -1)
    try:
        return _bmm(input, other)  # type: ignore[no-any-return]
    except ValueError:
        raise _misfit(a, b) from None


def _misfit(a: Any, b: Any) -> RuntimeError:
    if a.ndim == 1 and b.ndim == 1:
        return RuntimeError(
            "inconsistent tensor size, expected tensor [{}] and src [{}] to have the same number of "
            "elements, but got {} and {} elements respectively".format(*(a.shape + b.shape) * 2)
        )
    if a.ndim == 2 and b.ndim == 1:
        return RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), "
            f"vec ({b.shape[0]})"
        )
    if a.ndim <= 2 and b.ndim <= 2:
        rows, inner = (1, a.shape[0]) if a.ndim == 1 else a.shape
        return RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and "
            f"{b.shape[0]}x{b.shape[1]}): the inner sizes, {inner} and {b.shape[0]}, must agree"
        )
    return RuntimeError(
        f"Expected the batches and inner sizes of the tensors to fit for matmul, but got "
        f"{list(a.shape)} and {list(b.shape)}"
    )
