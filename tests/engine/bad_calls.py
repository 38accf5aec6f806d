"""Calls that PyTorch refuses: each with a name, as a program over a module ``T``."""

# ruff: noqa: N803 - T is the module, as in the conformance programs

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

Call = Callable[[Any], Any]


def error_of(T: Any, call: Call) -> list[str]:
    """The class of the error that a call ends in, and the first line of what it says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = call(T)
        except Exception as error:
            return [type(error).__name__, str(error).split("\n")[0]]
    return ["nothing raised", repr(result)]


def key_words(message: str) -> list[str]:
    """The words of a message's first sentence, without numbers and what is quoted from C++."""
    sentence = message.split(". ")[0]
    return re.findall(r"[A-Za-z_]{3,}", sentence.replace("torch.", ""))[:14]


def x(T: Any) -> Any:
    return T.arange(12.0).reshape(3, 4)


def i(T: Any, *values: Any) -> Any:
    return T.tensor(values)


def assigned(T: Any, index: Any, value: Any) -> Any:
    y = x(T)
    y[index] = value
    return y


CALLS: dict[str, Call] = {
    # Arithmetic
    "bool minus bool": lambda T: T.tensor([True]) - T.tensor([True]),
    "bool minus number": lambda T: T.tensor([True]) - 1,
    "number minus bool": lambda T: 1 - T.tensor([True]),
    "bool sub_": lambda T: T.tensor([True]).sub_(True),
    "minus bool": lambda T: -T.tensor([True]),
    "plus bool": lambda T: +T.tensor([True]),
    "shapes do not broadcast": lambda T: T.ones(2, 3) + T.ones(4),
    "in place broadcast": lambda T: T.ones(2).add_(T.ones(3, 2)),
    "in place kind": lambda T: T.ones(2).long().add_(1.5),
    "in place division of integers": lambda T: T.tensor([1, 2]).div_(2),
    "alpha of integers": lambda T: T.add(T.tensor([1]), T.tensor([1]), alpha=1.5),
    "integer division by zero": lambda T: T.tensor([1]) // 0,
    "integer remainder by zero": lambda T: T.tensor([1]) % 0,
    "negative power of integers": lambda T: T.tensor([2]) ** -1,
    "rounding mode": lambda T: T.div(x(T), 2, rounding_mode="up"),
    "addcdiv of integers": lambda T: T.addcdiv(i(T, 1), i(T, 1), i(T, 1)),
    "lerp of dtypes": lambda T: T.lerp(x(T), x(T).double(), 0.5),
    "mul by None": lambda T: T.mul(x(T), None),
    "mul by text": lambda T: T.mul(x(T), "a"),
    "add list": lambda T: x(T) + [1, 2],  # noqa: RUF005 - a tensor is no list
    "add None": lambda T: x(T) + None,
    "less than None": lambda T: x(T) < None,
    "matmul number": lambda T: x(T) @ 2,
    "exp of number": lambda T: T.exp(2.0),
    "exp of array": lambda T: T.exp(np.ones(2)),
    "exp without anything": lambda T: T.exp(),
    "abs of bool": lambda T: T.abs(T.tensor([True])),
    "relu of bool": lambda T: T.relu(T.tensor([True])),
    "floor of bool": lambda T: T.floor(T.tensor([True])),
    "frac of integers": lambda T: T.frac(T.tensor([1])),
    "invert floats": lambda T: ~x(T),
    "and of floats": lambda T: x(T) & x(T),
    "shift of floats": lambda T: x(T) << 1,
    "isclose of dtypes": lambda T: T.isclose(x(T), x(T).double()),
    "logical_and of number": lambda T: T.logical_and(x(T), 1),
    "maximum of number": lambda T: T.maximum(x(T), 1.0),
    "atan2 of number": lambda T: T.atan2(x(T), 1.0),
    "clamp without bounds": lambda T: x(T).clamp(),
    "where of floats": lambda T: T.where(x(T), x(T), x(T)),
    "where of a bool": lambda T: T.where(True, x(T), x(T)),
    "round of a tensor": lambda T: round(x(T)),
    "floor_divide backward": lambda T: (T.ones(2, requires_grad=True) // 2).sum().backward(),
    "remainder of number backward": lambda T: (2 % T.ones(2, requires_grad=True)).sum().backward(),
    # Reductions
    "sum of missing dim": lambda T: x(T).sum(5),
    "sum of dim twice": lambda T: x(T).sum((0, 0)),
    "sum of text": lambda T: x(T).sum("a"),
    "mean of integers": lambda T: x(T).long().mean(),
    "mean of bools": lambda T: (x(T) > 3).mean(),
    "mean as integers": lambda T: x(T).mean(dtype=T.int64),
    "std of integers": lambda T: x(T).long().std(),
    "norm of integers": lambda T: x(T).long().norm(),
    "softmax of integers": lambda T: x(T).long().softmax(0),
    "softmax of missing dim": lambda T: x(T).softmax(2),
    "max of nothing": lambda T: T.zeros(0).max(),
    "max of nothing along dim": lambda T: T.zeros(0, 3).max(0),
    "amax of nothing": lambda T: T.zeros(0, 3).amax(0),
    "argmax of nothing": lambda T: T.zeros(0).argmax(),
    "argmax of bools": lambda T: T.tensor([True]).argmax(),
    "topk of too many": lambda T: x(T).topk(9),
    "topk of bools": lambda T: T.tensor([True]).topk(1),
    "kthvalue of too many": lambda T: x(T).kthvalue(9),
    "sort of missing dim": lambda T: x(T).sort(5),
    "quantile outside": lambda T: x(T).quantile(2.0),
    "quantile of integers": lambda T: x(T).long().quantile(0.5),
    "cumsum of missing dim": lambda T: x(T).cumsum(3),
    "logcumsumexp of integers": lambda T: x(T).long().logcumsumexp(0),
    "diff of a scalar": lambda T: T.diff(T.tensor(1.0)),
    "bincount of floats": lambda T: T.bincount(x(T)),
    "bincount of negatives": lambda T: T.bincount(i(T, -1)),
    "searchsorted of a scalar": lambda T: T.searchsorted(T.tensor(1.0), x(T)),
    "bucketize by a matrix": lambda T: T.bucketize(x(T), x(T)),
    # Shape
    "view of another size": lambda T: x(T).view(5),
    "view with two unknown": lambda T: x(T).view(-1, -1),
    "view with a negative size": lambda T: x(T).view(-2, 6),
    "view of a transpose": lambda T: x(T).t().view(12),
    "reshape of another size": lambda T: x(T).reshape(5, 2),
    "reshape by text": lambda T: x(T).reshape("a"),
    "reshape of nothing": lambda T: T.zeros(0, 2).reshape(-1, 0),
    "squeeze of missing dim": lambda T: x(T).squeeze(5),
    "unsqueeze too far": lambda T: x(T).unsqueeze(5),
    "transpose of missing dim": lambda T: x(T).transpose(0, 5),
    "t of a stack": lambda T: T.ones(2, 2, 2).t(),
    "mT of a vector": lambda T: T.ones(2).mT,
    "H of a stack": lambda T: T.ones(2, 2, 2).H,
    "permute of too few": lambda T: x(T).permute(0),
    "permute of the same twice": lambda T: x(T).permute(0, 0),
    "movedim of unequal": lambda T: x(T).movedim((0, 1), (1,)),
    "expand of another size": lambda T: x(T).expand(2, 4),
    "expand to fewer": lambda T: x(T).expand(4),
    "expand new by -1": lambda T: x(T).expand(-1, 3, 4),
    "broadcast_tensors": lambda T: T.broadcast_tensors(T.ones(2), T.ones(3)),
    "flatten backwards": lambda T: x(T).flatten(1, 0),
    "unflatten of another size": lambda T: x(T).unflatten(1, (3, 2)),
    "narrow too long": lambda T: x(T).narrow(0, 2, 3),
    "narrow too far": lambda T: x(T).narrow(0, 5, 1),
    "select too far": lambda T: x(T).select(0, 3),
    "select of a scalar": lambda T: T.tensor(1.0).select(0, 0),
    "diagonal of one dim": lambda T: x(T).diagonal(0, 1, 1),
    "diag of a stack": lambda T: T.diag(T.ones(2, 2, 2)),
    "tril of a vector": lambda T: T.tril(T.ones(2)),
    "unfold too large": lambda T: x(T).unfold(0, 5, 1),
    "unfold without a step": lambda T: x(T).unfold(0, 2, 0),
    "as_strided outside": lambda T: x(T).as_strided((5, 5), (5, 1)),
    "as_strided of unequal": lambda T: x(T).as_strided((2, 2), (1,)),
    "roll of unequal": lambda T: x(T).roll((1, 2), (0,)),
    "repeat of too few": lambda T: x(T).repeat(2),
    "repeat_interleave of negatives": lambda T: x(T).repeat_interleave(-1),
    # Joining and splitting
    "cat of unequal sizes": lambda T: T.cat([x(T), x(T)[:, :2]]),
    "cat of unequal ranks": lambda T: T.cat([x(T), x(T)[0]]),
    "cat of nothing": lambda T: T.cat([]),
    "cat of a tensor": lambda T: T.cat(x(T)),
    "cat of a number": lambda T: T.cat([x(T), 1]),
    "cat of scalars": lambda T: T.cat([T.tensor(1.0)]),
    "cat of missing dim": lambda T: T.cat([x(T), x(T)], 2),
    "stack of unequal": lambda T: T.stack([x(T), x(T)[0]]),
    "stack of nothing": lambda T: T.stack([]),
    "split of another size": lambda T: x(T).split([1, 1]),
    "split by zero": lambda T: x(T).split(0),
    "split of a scalar": lambda T: T.tensor(1.0).split(1),
    "chunk by zero": lambda T: x(T).chunk(0),
    "hsplit of another size": lambda T: x(T).hsplit(3),
    "unbind of a scalar": lambda T: T.tensor(1.0).unbind(),
    "meshgrid of matrices": lambda T: T.meshgrid(x(T), x(T), indexing="ij"),
    "meshgrid of another kind": lambda T: T.meshgrid(T.ones(2), indexing="zz"),
    # Indexing
    "index by a float": lambda T: x(T)[1.0],
    "index by text": lambda T: x(T)["a"],
    "index by floats": lambda T: x(T)[T.tensor([1.0])],
    "index by too many": lambda T: x(T)[0, 0, 0],
    "index too far": lambda T: x(T)[5],
    "index column too far": lambda T: x(T)[0, -5],
    "index tensor too far": lambda T: x(T)[T.tensor([5])],
    "index backwards": lambda T: x(T)[::-1],
    "index by an unfitting mask": lambda T: x(T)[T.tensor([True, False])],
    "index of a scalar": lambda T: T.tensor(1.0)[0],
    "index tensors that do not fit": lambda T: x(T)[i(T, 0, 1), i(T, 0, 1, 2)],
    "assign another shape": lambda T: assigned(T, 0, T.zeros(3)),
    "assign list another shape": lambda T: assigned(T, [0, 1], T.zeros(3)),
    "assign list another dtype": lambda T: assigned(T, [0, 1], T.zeros(2, 4, dtype=T.float64)),
    "assign mask another count": lambda T: assigned(T, x(T) > 3, T.zeros(7)),
    "assign a list": lambda T: assigned(T, 0, [1, 2, 3, 4]),
    "assign an array": lambda T: assigned(T, 0, np.ones(4)),
    "gather by floats": lambda T: x(T).gather(0, T.zeros(1, 4)),
    "gather of another rank": lambda T: x(T).gather(0, T.zeros(1, dtype=T.int64)),
    "gather too wide": lambda T: x(T).gather(0, T.zeros(1, 5, dtype=T.int64)),
    "gather too far": lambda T: x(T).gather(0, T.full((1, 4), 7)),
    "scatter too far": lambda T: x(T).scatter(0, T.tensor([[9]]), T.ones(1, 1)),
    "scatter of too few": lambda T: x(T).scatter(0, T.tensor([[0, 0]]), T.ones(1, 1)),
    "scatter of another dtype": lambda T: x(T).scatter(0, T.tensor([[0]]), T.ones(1, 1).double()),
    "index_select too far": lambda T: x(T).index_select(0, i(T, 7)),
    "index_select by a matrix": lambda T: x(T).index_select(0, T.tensor([[0]])),
    "index_select by floats": lambda T: x(T).index_select(0, T.tensor([0.0])),
    "index_add of another count": lambda T: x(T).index_add(0, i(T, 0), T.ones(2, 4)),
    "index_add too far": lambda T: x(T).index_add(0, i(T, 9), T.ones(1, 4)),
    "index_add of another dtype": lambda T: x(T).index_add(0, i(T, 0), T.ones(1, 4).double()),
    "index_copy too far": lambda T: x(T).index_copy(0, i(T, 9), T.ones(1, 4)),
    "index_fill too far": lambda T: x(T).index_fill(0, i(T, 9), 1),
    "masked_fill by floats": lambda T: x(T).masked_fill(T.ones(4), 1),
    "masked_fill with a vector": lambda T: x(T).masked_fill(x(T) > 0, T.ones(1)),
    "masked_select by floats": lambda T: x(T).masked_select(T.ones(3)),
    "take too far": lambda T: x(T).take(i(T, 20)),
    "take_along_dim of another rank": lambda T: T.take_along_dim(x(T), i(T, 0), 0),
    # Matrices
    "mm that does not fit": lambda T: T.mm(T.ones(2, 3), T.ones(2, 3)),
    "mm of a stack": lambda T: T.mm(T.ones(2, 3, 2), T.ones(2, 3)),
    "mv that does not fit": lambda T: T.mv(T.ones(2, 3), T.ones(2)),
    "bmm of a matrix": lambda T: T.bmm(T.ones(2, 3), T.ones(3, 2, 2)),
    "bmm that does not fit": lambda T: T.bmm(T.ones(2, 3, 2), T.ones(2, 3, 2)),
    "dot that does not fit": lambda T: T.dot(T.ones(2), T.ones(3)),
    "dot of dtypes": lambda T: T.dot(T.ones(2), T.ones(2).double()),
    "dot of matrices": lambda T: T.dot(x(T), x(T)),
    "matmul of a scalar": lambda T: T.matmul(T.ones(2), T.tensor(2.0)),
    "matmul of dtypes": lambda T: T.ones(2, 2) @ T.ones(2, 2).double(),
    "matmul of bools": lambda T: T.tensor([[True]]) @ T.tensor([[True]]),
    "vector by matrix that does not fit": lambda T: T.ones(2) @ T.ones(3, 2),
    "stacks that do not fit": lambda T: T.ones(2, 3, 2) @ T.ones(2, 3, 2),
    "stacks that do not broadcast": lambda T: T.ones(2, 3, 2) @ T.ones(3, 2, 2),
    "outer of matrices": lambda T: T.outer(x(T), x(T)),
    "inner that does not fit": lambda T: T.inner(T.ones(2), T.ones(3)),
    "tensordot that does not fit": lambda T: T.tensordot(x(T), x(T), 1),
    "trace of a vector": lambda T: T.trace(T.ones(2)),
    "inverse of a rectangle": lambda T: T.inverse(x(T)),
    "inverse of a singular matrix": lambda T: T.inverse(T.ones(2, 2)),
    # Making and converting
    "tensor of text": lambda T: T.tensor("a"),
    "tensor of texts": lambda T: T.tensor(["a"]),
    "tensor of None": lambda T: T.tensor(None),
    "tensor of unequal rows": lambda T: T.tensor([[1], [1, 2]]),
    "tensor of a row and a number": lambda T: T.tensor([[1], 2]),
    "tensor of long tensors": lambda T: T.tensor([T.ones(2), T.ones(2)]),
    "tensor too large": lambda T: T.tensor(2**70),
    "tensor of a dtype name": lambda T: T.tensor(1, dtype="float32"),
    "uint8 too large": lambda T: T.tensor(300, dtype=T.uint8),
    "integers that require grad": lambda T: T.tensor([1], requires_grad=True),
    "zeros of integers that require grad": lambda T: T.zeros(2, dtype=T.int64, requires_grad=True),
    "arange that requires grad": lambda T: T.arange(2, requires_grad=True),
    "requires_grad_ of integers": lambda T: T.tensor([1]).requires_grad_(),
    "zeros of negative size": lambda T: T.zeros(2, -1),
    "zeros of float size": lambda T: T.zeros(2.0),
    "full of a number": lambda T: T.full(2, 1.0),
    "arange the wrong way": lambda T: T.arange(1, 2, -1),
    "arange without a step": lambda T: T.arange(1, 2, 0),
    "linspace of negative steps": lambda T: T.linspace(0, 1, -1),
    "eye of negative size": lambda T: T.eye(-1),
    "zeros_like of a list": lambda T: T.zeros_like([1]),
    "from_numpy of a list": lambda T: T.from_numpy([1]),
    "from_numpy of objects": lambda T: T.from_numpy(np.array([None])),
    "from_numpy backwards": lambda T: T.from_numpy(np.ones(3)[::-1]),
    "from_numpy of another byte order": lambda T: T.from_numpy(np.ones(2, ">f4")),
    "to cuda": lambda T: x(T).to("cuda"),
    "float of many": lambda T: float(T.ones(2)),
    "int of many": lambda T: int(T.ones(2)),
    "bool of many": lambda T: bool(T.ones(2)),
    "bool of none": lambda T: bool(T.ones(0)),
    "item of many": lambda T: T.ones(2).item(),
    "index with floats": lambda T: [1, 2][T.ones(1)],
    "len of a scalar": lambda T: len(T.tensor(1.0)),
    "iterate over a scalar": lambda T: iter(T.tensor(1.0)),
    "text in a tensor": lambda T: "a" in x(T),
    "format of many": lambda T: f"{x(T):.2f}",
    "fill_ with a vector": lambda T: x(T).fill_(T.ones(2)),
    "copy_ of another shape": lambda T: x(T).copy_(T.ones(2)),
    "default dtype of integers": lambda T: T.set_default_dtype(T.int32),
    "finfo of integers": lambda T: T.finfo(T.int32),
    "write to a leaf": lambda T: T.ones(2, requires_grad=True).add_(1),
    "write to an expanded tensor": lambda T: T.ones(1).expand(3).add_(1),
    "write to one of several views": lambda T: (
        (T.ones(2, requires_grad=True) * 1).unbind()[0].add_(1)
    ),
}
