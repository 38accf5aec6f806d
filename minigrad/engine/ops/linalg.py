"""Matrix products, by rank, under the names PyTorch's graph shows.

Products of more than two dimensions are folded into these, as in PyTorch: a stack of matrices times
one matrix becomes one long matrix, a stack times a stack a product pair by pair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import does_not_fit, shape_text
from ..inplace import write
from ..op import Binary, Op
from ..tensor import Tensor
from .arguments import check_tensors, no_bools, not_a_tensor, only_floats
from .arithmetic import mul
from .copying import contiguous
from .shape import (
    _unsafe_view,
    adjoint,
    expand,
    permute,
    reshape,
    squeeze,
    squeeze_,
    t,
    unsqueeze,
    wrap_dims,
)

_dot = Op("DotBackward0", np.dot, a=lambda g, b: g * b, b=lambda g, a: g * a)
_vdot = Op("VdotBackward0", np.dot, a=lambda g, b: g * b, b=lambda g, a: g * a)
_mv = Op(
    "MvBackward0",
    np.matmul,
    a=lambda g, b: g.reshape((-1, 1)) * b,
    b=lambda g, a: a.swapaxes(0, 1) @ g,
)
mm_op = Binary(
    "MmBackward0",
    np.matmul,
    a=lambda g, b: g @ b.swapaxes(0, 1),
    b=lambda g, a: a.swapaxes(0, 1) @ g,
)
_bmm = Op(
    "BmmBackward0",
    np.matmul,
    a=lambda g, b: g @ b.swapaxes(1, 2),
    b=lambda g, a: a.swapaxes(1, 2) @ g,
)


def _turned_vjp(g: Any, a: Any) -> Any:
    """Return the gradient of a transposed matrix so that it lies in memory as that does."""
    return (g.swapaxes(0, 1) @ a).swapaxes(0, 1)


# The second matrix is a transposed one, as the weight of a linear layer is.
_mm_turned = Binary("MmBackward0", np.matmul, a=lambda g, b: g @ b.swapaxes(0, 1), b=_turned_vjp)


def _mm(a: Tensor, b: Tensor) -> Tensor:
    return (_mm_turned if _is_turned(b.array) else mm_op).apply(a, b)


def _is_turned(matrix: Any) -> bool:
    flags = matrix.flags
    return flags.f_contiguous and not flags.c_contiguous


def _product_added(x: Any, a: Any, b: Any) -> Any:
    product = a @ b
    product += x
    return product


# x + a b, as a linear layer has it.
_linear = Op(
    "AddmmBackward0",
    _product_added,
    x=lambda g: g,
    a=lambda g, b: g @ b.swapaxes(0, 1),
    b=lambda g, a: a.swapaxes(0, 1) @ g,
)
_linear_turned = Op(
    "AddmmBackward0",
    _product_added,
    x=lambda g: g,
    a=lambda g, b: g @ b.swapaxes(0, 1),
    b=_turned_vjp,
)
# beta x + alpha (a b): the product is added to something.
_addmm = Op(
    "AddmmBackward0",
    lambda x, a, b, beta, alpha: _sum_of_two(x, a @ b, beta, alpha),
    x=lambda g, beta: _scaled(g, beta),
    a=lambda g, b, alpha: _scaled(g @ b.swapaxes(0, 1), alpha),
    b=lambda g, a, alpha: _scaled(a.swapaxes(0, 1) @ g, alpha),
)
_addmv = Op(
    "AddmvBackward0",
    lambda x, a, b, beta, alpha: _sum_of_two(x, a @ b, beta, alpha),
    x=lambda g, beta: _scaled(g, beta),
    a=lambda g, b, alpha: _scaled(g.reshape((-1, 1)) * b, alpha),
    b=lambda g, a, alpha: _scaled(a.swapaxes(0, 1) @ g, alpha),
)
_baddbmm = Op(
    "BaddbmmBackward0",
    lambda x, a, b, beta, alpha: _sum_of_two(x, a @ b, beta, alpha),
    x=lambda g, beta: _scaled(g, beta),
    a=lambda g, b, alpha: _scaled(g @ b.swapaxes(1, 2), alpha),
    b=lambda g, a, alpha: _scaled(a.swapaxes(1, 2) @ g, alpha),
)
_addr = Op(
    "AddrBackward0",
    lambda x, a, b, beta, alpha: _sum_of_two(x, a.reshape((-1, 1)) * b, beta, alpha),
    x=lambda g, beta: _scaled(g, beta),
    a=lambda g, b, alpha: _scaled(g @ b, alpha),
    b=lambda g, a, alpha: _scaled(g.swapaxes(0, 1) @ a, alpha),
)
_trace = Op(
    "TraceBackward0",
    lambda x: np.trace(x, dtype=None if x.dtype.kind == "f" else np.int64),
    x=lambda g, x_shape: _on_diagonal(g, x_shape),
)
_on_diagonal: Op = Op(
    "TraceBackwardBackward0",
    lambda x, shape: np.eye(*shape, dtype=x.dtype) * x,
    x=lambda g: _trace(g),
)


def _scaled(g: Any, factor: float) -> Any:
    return g if factor == 1 else g * factor


def _sum_of_two(x: Any, product: Any, beta: float, alpha: float) -> Any:
    """Return beta x + alpha product; with ``beta`` 0, nan and inf in x do not count."""
    product = _scaled(product, alpha)
    return product if beta == 0 else _scaled(x, beta) + product


# Checks -----------------------------------------------------------------------------------------


def _check_matrices(function: str, names: tuple[str, str], a: Any, b: Any, rank: int) -> None:
    for place, (name, each) in enumerate(zip(names, (a, b), strict=True)):
        if not isinstance(each, Tensor):
            raise not_a_tensor(function, name, each, place + 1)
        if each.array.ndim != rank:
            kind = "matrix" if rank == 2 else "3D tensor"
            raise RuntimeError(f"{name} must be a {kind}, but it has {each.array.ndim} dimensions")


def _check_dtypes(a: Tensor, b: Tensor) -> None:
    if a.array.dtype != b.array.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {a.dtype.cpp_name} != "
            f"{b.dtype.cpp_name}: convert one of them, for example with .to(other.dtype)"
        )
    no_bools("addmm_impl_cpu_", a.array)


def _check_inner(a: Tensor, b: Tensor) -> None:
    rows, inner = a.array.shape if a.array.ndim == 2 else (1, a.array.shape[0])
    if inner != b.array.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and "
            f"{b.array.shape[0]}x{b.array.shape[1]}): the inner sizes, {inner} and "
            f"{b.array.shape[0]}, must agree"
        )


def _check_batches(a: Tensor, b: Tensor) -> None:
    batch, _, inner = a.array.shape
    if b.array.shape[:2] != (batch, inner):
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{batch}, {inner}] but "
            f"got: {shape_text(b.array.shape[:2])}."
        )


# Two operands -----------------------------------------------------------------------------------


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
        and input.array.dtype.kind == "f"
    ):
        return _mm(input, other)
    check_tensors("matmul", input=input, other=other)
    m, n = input.array.ndim, other.array.ndim
    if not m or not n:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {m}D and {n}D"
        )
    if m == 1 and n == 1:
        return dot(input, other)
    if m == 2 and n == 1:
        return mv(input, other)
    if m == 1 and n == 2:
        return squeeze_(mm(unsqueeze(input, 0), other), 0)
    if m == 2 and n == 2:
        return mm(input, other)
    return _folded(input, other) if _can_fold(input, other) else _pairwise(input, other)


def _can_fold(a: Tensor, b: Tensor) -> bool:
    """Tell whether a stack and one matrix or vector are multiplied as one long matrix.

    As PyTorch decides it: always when the single one requires grad, and otherwise where that needs
    no copy.
    """
    stack, single = (a, b) if a.array.ndim >= b.array.ndim else (b, a)
    if single.array.ndim > 2:
        return False
    if single.requires_grad or not stack.array.size:
        return True
    if a is single and single.array.ndim == 2:
        return False
    turned = stack.array if stack is a else stack.array.swapaxes(-1, -2)
    shape, strides = turned.shape, turned.strides
    return all([strides[i] == strides[i + 1] * shape[i + 1] for i in range(len(shape) - 2)])


def _folded(a: Tensor, b: Tensor) -> Tensor:
    """Multiply a stack of matrices and one matrix or vector, on either side, as one long matrix."""
    if a.array.ndim >= b.array.ndim:
        shape = a.array.shape
        rows = reshape(a, (-1, shape[-1]) if a.array.size else (math.prod(shape[:-1]), shape[-1]))
        product = mm(rows, b) if b.array.ndim == 2 else mv(rows, b)
        return _unsafe_view(product, (*shape[:-1], *b.array.shape[1:]))
    product = _folded(adjoint(b), t(a) if a.array.ndim == 2 else a)
    return contiguous(adjoint(product)) if a.array.ndim == 2 else product


def _pairwise(a: Tensor, b: Tensor) -> Tensor:
    """Multiply two stacks of matrices, pair by pair; the stacks broadcast."""
    first, second = a.array.shape, b.array.shape
    if len(first) == len(second) == 3 and first[0] != second[0]:
        # A stack of one that requires grad is stretched better by folding.
        if first[0] == 1 and a.requires_grad:
            return matmul(squeeze(a, 0), b)
        if second[0] == 1 and b.requires_grad:
            return matmul(a, squeeze(b, 0))
    rows = first[-2:] if len(first) > 1 else (1, first[-1])
    columns = second[-2:] if len(second) > 1 else second
    batch = _batch(first[:-2], second[:-2])
    count = math.prod(batch)
    left = reshape(expand(a, (*batch, *rows)), (count, *rows))
    right = reshape(expand(b, (*batch, *columns)), (count, *columns))
    shape = (*batch, *first[-2:-1], *second[-1:] * (len(second) > 1))
    if len(second) == 1:
        return _unsafe_view(squeeze(bmm(left, unsqueeze(right, 2)), -1), shape)
    return _unsafe_view(bmm(left, right), shape)


def _batch(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(a, b)
    except ValueError as error:
        cells = [np.broadcast_to(np.zeros(()), shape) for shape in (a, b)]
        raise does_not_fit(cells, error) from None


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Return the product of two matrices."""
    check_tensors("mm", input=input, mat2=mat2)
    _check_matrices("mm", ("self", "mat2"), input, mat2, 2)
    _check_inner(input, mat2)
    _check_dtypes(input, mat2)
    return _mm(input, mat2)


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Return the products of two stacks of matrices, pair by pair."""
    _check_matrices("bmm", ("batch1", "batch2"), input, mat2, 3)
    _check_batches(input, mat2)
    _check_dtypes(input, mat2)
    return _bmm(input, mat2)


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """Return the product of a matrix and a vector."""
    if input.array.ndim != 2 or vec.array.ndim != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got {vec.array.ndim}, {input.array.ndim}, "
            f"{vec.array.ndim}"
        )
    rows, inner = input.array.shape
    if inner != vec.array.size:
        raise RuntimeError(
            f"size mismatch, got input ({rows}), mat ({rows}x{inner}), vec ({vec.array.size})"
        )
    _check_dtypes(input, vec)
    return _mv(input, vec)


def _check_vectors(a: Tensor, b: Tensor) -> None:
    if a.array.ndim != 1 or b.array.ndim != 1:
        raise RuntimeError(
            f"1D tensors expected, but got {a.array.ndim}D and {b.array.ndim}D tensors"
        )
    if a.array.dtype != b.array.dtype:
        raise RuntimeError(
            "dot : expected both vectors to have same dtype, but found "
            f"{a.dtype.legacy_name} and {b.dtype.legacy_name}"
        )
    no_bools("dot", a.array)
    if a.array.size != b.array.size:
        m, n = a.array.size, b.array.size
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{m}] and src [{n}] to have the same number "
            f"of elements, but got {m} and {n} elements respectively"
        )


def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """Return the sum of products of two vectors."""
    _check_vectors(input, tensor)
    return _dot(input, tensor)


def vdot(input: Tensor, other: Tensor) -> Tensor:
    """Return the sum of products of two vectors (``dot``, as there are no complex numbers here)."""
    _check_vectors(input, other)
    return _vdot(input, other)


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Return the matrix of all products of an element of ``input`` and one of ``vec2``."""
    check_tensors("outer", input=input, vec2=vec2)
    if input.array.ndim != 1 or vec2.array.ndim != 1:
        raise RuntimeError(
            "outer: Expected 1-D argument self and vec2, but got "
            f"{input.array.ndim}-D and {vec2.array.ndim}-D"
        )
    return mul(reshape(input, (-1, 1)), vec2)


ger = outer


def inner(input: Tensor, other: Tensor) -> Tensor:
    """Return the sums of products over the last dimension of both."""
    if not input.array.ndim or not other.array.ndim:
        return mul(input, other)
    if input.array.shape[-1] != other.array.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{shape_text(input.array.shape)} and {shape_text(other.array.shape)}"
        )
    return tensordot(input, other, ([-1], [-1]))


def tensordot(a: Tensor, b: Tensor, dims: int | tuple[Sequence[int], Sequence[int]] = 2) -> Tensor:
    """Return the sums of products over some dimensions of both tensors.

    ``dims`` is how many: the last of ``a`` with the first of ``b``; or which, as two lists.
    """
    of_a, of_b = _contracted(a, b, dims)
    for i, j in zip(of_a, of_b, strict=True):
        if a.array.shape[i] != b.array.shape[j]:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.array.shape[i]} in dim "
                f"{i} and second has size {b.array.shape[j]} in dim {j}"
            )
    left = [i for i in range(a.array.ndim) if i not in of_a]
    right = [j for j in range(b.array.ndim) if j not in of_b]
    rows, columns = permute(a, (*left, *of_a)), permute(b, (*of_b, *right))
    shape = (*rows.shape[: len(left)], *columns.shape[len(of_b) :])
    size = math.prod(columns.shape[: len(of_b)])
    if not shape and len(of_a) == 1:
        return reshape(dot(rows, columns), ())
    count = math.prod(shape[: len(left)])
    product = mm(
        reshape(rows, (count, size)), reshape(columns, (size, math.prod(shape[len(left) :])))
    )
    return reshape(product, shape)


def _contracted(a: Tensor, b: Tensor, dims: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    m, n = a.array.ndim, b.array.ndim
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(m, n):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        return tuple(range(m - dims, m)), tuple(range(dims))
    of_a, of_b = wrap_dims(dims[0], m), wrap_dims(dims[1], n)
    if len(of_a) != len(of_b):
        raise RuntimeError("both dimension lists should have same length")
    return of_a, of_b


def trace(input: Tensor) -> Tensor:
    """Return the sum of a matrix's diagonal."""
    no_bools("trace", input.array)
    if input.array.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.array.ndim}")
    return _trace(input)


def kron(input: Tensor, other: Tensor) -> Tensor:
    """Return the Kronecker product: every element of ``input`` times the whole of ``other``."""
    rank = max(input.array.ndim, other.array.ndim)
    a = (1,) * (rank - input.array.ndim) + input.array.shape
    b = (1,) * (rank - other.array.ndim) + other.array.shape
    apart = _unsafe_view(input, tuple([n for size in a for n in (size, 1)]))
    inside = _unsafe_view(other, tuple([n for size in b for n in (1, size)]))
    return _unsafe_view(mul(apart, inside), tuple([m * n for m, n in zip(a, b, strict=True)]))


# Inverses ---------------------------------------------------------------------------------------


def _column_by_column(a: Any) -> Any:
    """Return the inverse; as in PyTorch, its columns lie in memory one after another."""
    return np.linalg.inv(a).swapaxes(-1, -2).copy().swapaxes(-1, -2)


_inverse = Op("LinalgInvExBackward0", _column_by_column, a=lambda g, out: _inverse_vjp(g, out))
_det = Op("LinalgDetBackward0", np.linalg.det, a=lambda g, a, out: _det_vjp(g, a, out))


def _inverse_vjp(g: Any, out: Any) -> Any:
    turned = out.swapaxes(-1, -2)
    return -(turned @ g @ turned)


def _det_vjp(g: Any, a: Any, out: Any) -> Any:
    scale = (g * out).reshape((*out.shape, 1, 1))
    return scale * _inverse(a).swapaxes(-1, -2)


def _check_square(function: str, input: Tensor) -> None:
    shape = input.array.shape
    if len(shape) < 2:
        raise RuntimeError(
            f"linalg.{function}: The input tensor A must have at least 2 dimensions."
        )
    if shape[-1] != shape[-2]:
        raise RuntimeError(
            f"linalg.{function}: A must be batches of square matrices, but they are {shape[-2]} by "
            f"{shape[-1]} matrices"
        )
    only_floats(f"linalg_{function}", input.array)


class LinAlgError(RuntimeError):
    """A matrix has no inverse."""


LinAlgError.__name__ = "_LinAlgError"  # as PyTorch's class is called


def inverse(input: Tensor) -> Tensor:
    """Return the inverse of a square matrix, or of each of a stack of them."""
    _check_square("inv", input)
    try:
        return _inverse(input)
    except np.linalg.LinAlgError:
        raise LinAlgError(
            "linalg.inv: The diagonal element is zero, the inversion could not be completed because "
            "the input matrix is singular."
        ) from None


def det(input: Tensor) -> Tensor:
    """Return the determinant of a square matrix, or of each of a stack of them."""
    _check_square("det", input)
    return _det(input)


# A product added to something -------------------------------------------------------------------


def _is_a_layer(bias: Any, a: Any, b: Any) -> bool:
    """Tell whether this is the commonest case, a vector added to a product, and needs no check."""
    if not (isinstance(bias, Tensor) and isinstance(a, Tensor) and isinstance(b, Tensor)):
        return False
    x, m, n = bias.array, a.array, b.array
    kind = m.dtype
    return (
        len(m.shape) == len(n.shape) == 2
        and m.shape[1] == n.shape[0]
        and x.shape == n.shape[1:]
        and x.dtype is kind
        and n.dtype is kind
        and kind.kind == "f"
    )


def _checked_sum(x: Tensor, shape: tuple[int, ...]) -> None:
    try:
        fits = np.broadcast_shapes(x.array.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise RuntimeError(
            "The expanded size of the tensor must match the existing size: input of shape "
            f"{shape_text(x.array.shape)} cannot be added to a product of shape {shape_text(shape)}"
        )


def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Return ``beta * input + alpha * (mat1 @ mat2)``."""
    if alpha == beta == 1 and _is_a_layer(input, mat1, mat2):
        return (_linear_turned if _is_turned(mat2.array) else _linear)(input, mat1, mat2)
    _check_matrices("addmm", ("mat1", "mat2"), mat1, mat2, 2)
    _check_inner(mat1, mat2)
    _check_dtypes(mat1, mat2)
    _checked_sum(input, (mat1.array.shape[0], mat2.array.shape[1]))
    return _addmm(input, mat1, mat2, beta, alpha)


def addmm_(
    target: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Replace this tensor by ``beta * self + alpha * (mat1 @ mat2)``, in its own memory."""
    _check_matrices("addmm_", ("mat1", "mat2"), mat1, mat2, 2)
    _check_inner(mat1, mat2)
    _check_dtypes(mat1, mat2)
    return write("addmm_", target, _addmm, mat1, mat2, beta, alpha)


def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """Return ``beta * input + alpha * (mat @ vec)``."""
    if mat.array.ndim != 2 or vec.array.ndim != 1 or mat.array.shape[1] != vec.array.size:
        raise RuntimeError(
            f"size mismatch, got input ({input.numel()}), mat ({shape_text(mat.array.shape)}), vec "
            f"({vec.array.size})"
        )
    _check_dtypes(mat, vec)
    _checked_sum(input, (mat.array.shape[0],))
    return _addmv(input, mat, vec, beta, alpha)


def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Return ``beta * input + alpha * (batch1 @ batch2)``, pair by pair."""
    _check_matrices("baddbmm", ("batch1", "batch2"), batch1, batch2, 3)
    _check_batches(batch1, batch2)
    _check_dtypes(batch1, batch2)
    _checked_sum(input, (*batch1.array.shape[:2], batch2.array.shape[2]))
    return _baddbmm(input, batch1, batch2, beta, alpha)


def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """Return ``beta * input + alpha * outer(vec1, vec2)``."""
    return _addr(input, vec1, vec2, beta, alpha)


def addmv_(
    target: Tensor, mat: Tensor, vec: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Replace this tensor by ``beta * self + alpha * (mat @ vec)``, in its own memory."""
    return write("addmv_", target, _addmv, mat, vec, beta, alpha)


def baddbmm_(
    target: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Replace this tensor by ``beta * self + alpha * (batch1 @ batch2)``, in its own memory."""
    _check_matrices("baddbmm_", ("batch1", "batch2"), batch1, batch2, 3)
    _check_batches(batch1, batch2)
    return write("baddbmm_", target, _baddbmm, batch1, batch2, beta, alpha)


def addr_(
    target: Tensor, vec1: Tensor, vec2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Replace this tensor by ``beta * self + alpha * outer(vec1, vec2)``, in its own memory."""
    return write("addr_", target, _addr, vec1, vec2, beta, alpha)


__all__ = [
    "addmm",
    "addmv",
    "addmv_",
    "addr",
    "baddbmm",
    "bmm",
    "det",
    "dot",
    "ger",
    "inner",
    "inverse",
    "kron",
    "matmul",
    "mm",
    "mv",
    "outer",
    "tensordot",
    "trace",
    "vdot",
]
