"""Every operation as a small program over a module ``T``: minigrad, or PyTorch.

A row is a name, a program, and what its inputs are: each a shape with the kind of numbers that suits
the operation (``reals``, ``positive``, ``inside`` (-1, 1), ``distinct``, ``nonzero``, ``whole`` numbers,
``bits`` for True and False). The programs of ``SMOOTH`` have a gradient that differences can check.
"""

# ruff: noqa: N803 - T is the module, as in the conformance programs
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Make = Callable[[np.random.Generator], np.ndarray]


def reals(*shape: int) -> Make:
    return lambda rng: rng.uniform(-2, 2, shape)


def positive(*shape: int) -> Make:
    return lambda rng: rng.uniform(0.3, 3, shape)


def inside(*shape: int) -> Make:
    return lambda rng: rng.uniform(-0.9, 0.9, shape)


def nonzero(*shape: int) -> Make:
    return lambda rng: rng.uniform(0.3, 2, shape) * rng.choice([-1, 1], shape)


def distinct(*shape: int) -> Make:
    return lambda rng: rng.permutation(int(np.prod(shape))).reshape(shape) * 0.37 - 1.1


def whole(low: int, high: int, *shape: int) -> Make:
    return lambda rng: rng.integers(low, high, shape)


def bits(*shape: int) -> Make:
    return lambda rng: rng.integers(0, 2, shape).astype(bool)


def given(values: Any) -> Make:
    return lambda rng: np.array(values)


@dataclass(frozen=True)
class Row:
    name: str
    program: Callable[..., Any]
    inputs: tuple[Make, ...]
    dtype: str = "float64"

    def arrays(self, seed: int = 0) -> list[np.ndarray]:
        rng = np.random.default_rng(seed)
        made = [make(rng) for make in self.inputs]
        return [a.astype(self.dtype) if a.dtype.kind == "f" else a for a in made]


def row(name: str, program: Callable[..., Any], *inputs: Make) -> Row:
    return Row(name, program, inputs)


A = reals(2, 3)
P = positive(2, 3)
I = inside(2, 3)  # noqa: E741
N = nonzero(2, 3)
D = distinct(2, 3)
V = reals(3)

ONE = [
    row("neg", lambda T, x: -x, A),
    row("positive", lambda T, x: +x * 1, A),
    row("abs", lambda T, x: x.abs(), N),
    row("exp", lambda T, x: x.exp(), A),
    row("exp2", lambda T, x: x.exp2(), A),
    row("expm1", lambda T, x: x.expm1(), A),
    row("log", lambda T, x: x.log(), P),
    row("log2", lambda T, x: x.log2(), P),
    row("log10", lambda T, x: x.log10(), P),
    row("log1p", lambda T, x: x.log1p(), P),
    row("sqrt", lambda T, x: x.sqrt(), P),
    row("rsqrt", lambda T, x: x.rsqrt(), P),
    row("reciprocal", lambda T, x: x.reciprocal(), N),
    row("square", lambda T, x: x.square(), A),
    row("sin", lambda T, x: x.sin(), A),
    row("cos", lambda T, x: x.cos(), A),
    row("tan", lambda T, x: x.tan(), I),
    row("asin", lambda T, x: x.asin(), I),
    row("acos", lambda T, x: x.acos(), I),
    row("atan", lambda T, x: x.atan(), A),
    row("sinh", lambda T, x: x.sinh(), A),
    row("cosh", lambda T, x: x.cosh(), A),
    row("tanh", lambda T, x: x.tanh(), A),
    row("asinh", lambda T, x: x.asinh(), A),
    row("acosh", lambda T, x: (x + 1.5).acosh(), P),
    row("atanh", lambda T, x: x.atanh(), I),
    row("deg2rad", lambda T, x: x.deg2rad(), A),
    row("rad2deg", lambda T, x: x.rad2deg(), A),
    row("sigmoid", lambda T, x: x.sigmoid(), A),
    row("erf", lambda T, x: x.erf(), A),
    row("erfc", lambda T, x: x.erfc(), A),
    row("relu", lambda T, x: x.relu(), N),
    row("sinc", lambda T, x: x.sinc(), N),
    row("frac", lambda T, x: x.frac(), inside(2, 3)),
    row("logit", lambda T, x: x.logit(), lambda rng: rng.uniform(0.1, 0.9, (2, 3))),
    row("logit with eps", lambda T, x: x.logit(0.2), lambda rng: rng.uniform(0.21, 0.79, (2, 3))),
    row("nan_to_num", lambda T, x: x.nan_to_num(), A),
    row("clone", lambda T, x: x.clone(), A),
    row("pow 2", lambda T, x: x**2, A),
    row("pow 3", lambda T, x: x**3, A),
    row("pow 0", lambda T, x: x**0, A),
    row("pow 1", lambda T, x: x**1, A),
    row("pow -1", lambda T, x: x**-1, N),
    row("pow half", lambda T, x: x**0.5, P),
    row("exponential", lambda T, x: 2**x, A),
    row("exponential of 0.5", lambda T, x: 0.5**x, A),
    row("float_power", lambda T, x: x.float_power(2), A),
    row("add number", lambda T, x: x + 2, A),
    row("number add", lambda T, x: 2 + x, A),
    row("sub number", lambda T, x: x - 2, A),
    row("number sub", lambda T, x: 2 - x, A),
    row("mul number", lambda T, x: x * 3, A),
    row("number mul", lambda T, x: 3 * x, A),
    row("div number", lambda T, x: x / 3, A),
    row("number div", lambda T, x: 3 / x, N),
    row("remainder number", lambda T, x: x % 1.7, A),
    row("fmod number", lambda T, x: x.fmod(1.7), A),
    row("clamp", lambda T, x: x.clamp(-1, 1), A),
    row("clamp below", lambda T, x: x.clamp(min=0.1), A),
    row("clamp above", lambda T, x: x.clamp(max=0.1), A),
    row("clamp_min", lambda T, x: x.clamp_min(0.1), A),
    row("clamp_max", lambda T, x: x.clamp_max(0.1), A),
    row("where number", lambda T, x: T.where(x > 0, x * 2, 0.5), N),
    row("lerp to itself", lambda T, x: x.lerp(x * x, 0.3), A),
]

TWO = [
    row("add", lambda T, a, b: a + b, A, A),
    row("add alpha", lambda T, a, b: T.add(a, b, alpha=3), A, A),
    row("sub", lambda T, a, b: a - b, A, A),
    row("sub alpha", lambda T, a, b: T.sub(a, b, alpha=3), A, A),
    row("rsub", lambda T, a, b: T.rsub(a, b), A, A),
    row("mul", lambda T, a, b: a * b, A, A),
    row("div", lambda T, a, b: a / b, A, N),
    row("pow", lambda T, a, b: a**b, P, A),
    row("remainder", lambda T, a, b: a % b, A, N),
    row("fmod", lambda T, a, b: T.fmod(a, b), A, N),
    row("row broadcast", lambda T, a, b: a * b, A, V),
    row("column broadcast", lambda T, a, b: a / b, A, nonzero(2, 1)),
    row("scalar broadcast", lambda T, a, b: a * b, A, reals()),
    row("outer broadcast", lambda T, a, b: a + b, reals(2, 1), reals(3)),
    row("maximum", lambda T, a, b: T.maximum(a, b), A, A),
    row("minimum", lambda T, a, b: T.minimum(a, b), A, A),
    row("max of two", lambda T, a, b: T.max(a, b), A, A),
    row("fmax", lambda T, a, b: T.fmax(a, b), A, A),
    row("fmin", lambda T, a, b: T.fmin(a, b), A, A),
    row("where", lambda T, a, b: T.where(a > 0, a * 1, b), N, A),
    row("where itself", lambda T, c, a, b: T.where(c, a, b), bits(2, 3), A, A),
    row("where broadcast", lambda T, c, a, b: T.where(c, a, b), bits(2, 1), V, reals()),
    row("clamp by tensors", lambda T, x, a, b: T.clamp(x, a, b), A, reals(3), reals(2, 3)),
    row("clamp by min", lambda T, x, a: T.clamp(x, min=a), A, A),
    row("clamp by max", lambda T, x, a: T.clamp(x, max=a), A, A),
    row("clamp_min by", lambda T, x, a: T.clamp_min(x, a), A, A),
    row("clamp_max by", lambda T, x, a: T.clamp_max(x, a), A, A),
    row("lerp", lambda T, a, b: T.lerp(a, b, 0.3), A, A),
    row("lerp by tensor", lambda T, a, b, w: T.lerp(a, b, w), A, A, A),
    row("addcmul", lambda T, x, a, b: T.addcmul(x, a, b, value=0.5), A, A, A),
    row("addcdiv", lambda T, x, a, b: T.addcdiv(x, a, b, value=0.5), A, A, N),
    row("hypot", lambda T, a, b: T.hypot(a, b), N, N),
    row("atan2", lambda T, a, b: T.atan2(a, b), N, N),
    row("logaddexp", lambda T, a, b: T.logaddexp(a, b), A, A),
    row("logaddexp2", lambda T, a, b: T.logaddexp2(a, b), A, A),
    row("xlogy", lambda T, a, b: T.xlogy(a, b), P, P),
    row("copysign", lambda T, a, b: T.copysign(a, b), N, N),
]

REDUCTIONS = [
    row("sum", lambda T, x: x.sum(), A),
    row("sum dim", lambda T, x: x.sum(0), A),
    row("sum keepdim", lambda T, x: x.sum(-1, keepdim=True), A),
    row("sum dims", lambda T, x: x.sum((0, 2)), reals(2, 3, 2)),
    row("sum no dims", lambda T, x: x.sum(()), A),
    row("sum dtype", lambda T, x: x.sum(0, dtype=T.float32), A),
    row("sum all dtype", lambda T, x: x.sum(dtype=T.float32), A),
    row("sum of scalar", lambda T, x: x.sum(), reals()),
    row("sum_to_size", lambda T, x: x.sum_to_size(1, 3), A),
    row("mean", lambda T, x: x.mean(), A),
    row("mean dim", lambda T, x: x.mean(1), A),
    row("mean keepdim", lambda T, x: x.mean((0, 1), True), A),
    row("mean dtype", lambda T, x: x.mean(0, dtype=T.float32), A),
    row("nansum", lambda T, x: x.nansum(), A),
    row("nansum dim", lambda T, x: x.nansum(0), A),
    row("nanmean", lambda T, x: x.nanmean(1), A),
    row("prod", lambda T, x: x.prod(), N),
    row("prod dim", lambda T, x: x.prod(1), N),
    row("prod keepdim", lambda T, x: x.prod(0, keepdim=True), N),
    row("prod of scalar", lambda T, x: x.prod(), N),
    row("var", lambda T, x: x.var(), A),
    row("var dim", lambda T, x: x.var(1, keepdim=True), A),
    row("var biased", lambda T, x: x.var(0, unbiased=False), A),
    row("var correction", lambda T, x: T.var(x, dim=1, correction=0), A),
    row("std", lambda T, x: x.std(), A),
    row("std dim", lambda T, x: x.std(1), A),
    row("var_mean", lambda T, x: T.var_mean(x, 1), A),
    row("std_mean", lambda T, x: T.std_mean(x), A),
    row("norm", lambda T, x: x.norm(), N),
    row("norm dim", lambda T, x: x.norm(dim=1), N),
    row("norm keepdim", lambda T, x: x.norm(dim=0, keepdim=True), N),
    row("norm 1", lambda T, x: x.norm(p=1), N),
    row("norm 3", lambda T, x: x.norm(p=3, dim=1), N),
    row("norm 1.5", lambda T, x: x.norm(p=1.5), N),
    row("norm 0.5", lambda T, x: x.norm(p=0.5), N),
    row("norm inf", lambda T, x: x.norm(p=float("inf")), D),
    row("norm -inf", lambda T, x: x.norm(p=-float("inf"), dim=1), D),
    row("logsumexp", lambda T, x: x.logsumexp(1), A),
    row("logsumexp dims", lambda T, x: x.logsumexp((0, 1), True), A),
    row("max", lambda T, x: x.max(), D),
    row("min", lambda T, x: x.min(), D),
    row("max dim", lambda T, x: x.max(1), D),
    row("min dim keepdim", lambda T, x: x.min(0, keepdim=True), D),
    row("max values only", lambda T, x: x.max(1).values * 2, D),
    row("amax", lambda T, x: x.amax(), D),
    row("amax dim", lambda T, x: x.amax(1, True), D),
    row("amin dims", lambda T, x: x.amin((0, 1)), D),
    row("aminmax", lambda T, x: T.aminmax(x), D),
    row("aminmax dim", lambda T, x: T.aminmax(x, dim=0), D),
    row("median", lambda T, x: x.median(), D),
    row("median dim", lambda T, x: x.median(1), D),
    row("nanmedian dim", lambda T, x: x.nanmedian(1, keepdim=True), D),
    row("nanmedian", lambda T, x: x.nanmedian(), D),
    row("kthvalue", lambda T, x: x.kthvalue(2, 1), D),
    row("quantile", lambda T, x: x.quantile(0.3), D),
    row("quantile dim", lambda T, x: x.quantile(T.tensor([0.2, 0.7], dtype=x.dtype), dim=1), D),
    row("quantile keepdim", lambda T, x: x.quantile(0.5, dim=0, keepdim=True), D),
    row("softmax", lambda T, x: x.softmax(1), A),
    row("softmax of scalar", lambda T, x: x.softmax(0), reals()),
    row("log_softmax", lambda T, x: x.log_softmax(0), A),
    row("diff", lambda T, x: x.diff(), A),
    row("diff twice", lambda T, x, a: T.diff(x, n=2, dim=0, prepend=a), A, A),
    row("cumsum", lambda T, x: x.cumsum(1), A),
    row("cumprod", lambda T, x: x.cumprod(1), N),
    row("logcumsumexp", lambda T, x: x.logcumsumexp(1), A),
    row("cummax", lambda T, x: x.cummax(1), D),
    row("cummin", lambda T, x: x.cummin(0), D),
    row("sort", lambda T, x: x.sort(1), D),
    row("sort descending", lambda T, x: T.sort(x, dim=0, descending=True), D),
    row("sort stable", lambda T, x: x.sort(stable=True), D),
    row("msort", lambda T, x: T.msort(x), D),
    row("topk", lambda T, x: x.topk(2), D),
    row("topk smallest", lambda T, x: x.topk(1, dim=0, largest=False), D),
]

SHAPES = [
    row("reshape", lambda T, x: x.reshape(3, 2), A),
    row("reshape of transposed", lambda T, x: x.t().reshape(6), A),
    row("reshape of a slice", lambda T, x: x[:, :2].reshape(2, 2, 1), A),
    row("flatten of a slice", lambda T, x: x[:, :, :1].flatten(1), reals(2, 3, 2)),
    row("view", lambda T, x: x.view(-1, 2), A),
    row("view of a slice", lambda T, x: x[:, :2].view(2, 1, 2), A),
    row("view_as", lambda T, x: x.view_as(T.ones(3, 2)), A),
    row("flatten", lambda T, x: x.flatten(), A),
    row("flatten some", lambda T, x: x.flatten(1), reals(2, 3, 2)),
    row("flatten transposed", lambda T, x: x.t().flatten(), A),
    row("unflatten", lambda T, x: x.unflatten(1, (1, -1)), A),
    row("ravel", lambda T, x: x.ravel(), A),
    row("ravel transposed", lambda T, x: x.t().ravel(), A),
    row("transpose", lambda T, x: x.transpose(0, -1), A),
    row("t", lambda T, x: x.t(), A),
    row("t of vector", lambda T, x: x.t() * 1, V),
    row("T", lambda T, x: x.T, A),
    row("mT", lambda T, x: x.mT, reals(2, 3, 2)),
    row("H", lambda T, x: x.H, A),
    row("adjoint", lambda T, x: x.adjoint(), A),
    row("permute", lambda T, x: x.permute(2, 0, 1), reals(2, 3, 2)),
    row("movedim", lambda T, x: x.movedim(0, -1), reals(2, 3, 2)),
    row("movedim several", lambda T, x: x.movedim((0, 1), (2, 0)), reals(2, 3, 2)),
    row("unsqueeze", lambda T, x: x.unsqueeze(1), A),
    row("squeeze", lambda T, x: x.squeeze(), reals(2, 1, 3, 1)),
    row("squeeze dim", lambda T, x: x.squeeze(1), reals(2, 1, 3)),
    row("squeeze nothing", lambda T, x: x.squeeze(0), A),
    row("squeeze dims", lambda T, x: x.squeeze((1, 3)), reals(2, 1, 3, 1)),
    row("expand", lambda T, x: x.expand(4, -1, 3), reals(2, 1)),
    row("expand_as", lambda T, x: x.expand_as(T.ones(2, 3)), V),
    row("broadcast_to", lambda T, x: x.broadcast_to((2, 3)), V),
    row("broadcast_tensors", lambda T, a, b: T.broadcast_tensors(a, b), reals(2, 1), V),
    row("select", lambda T, x: x.select(1, -1), A),
    row("narrow", lambda T, x: x.narrow(1, 1, 2), A),
    row("diagonal", lambda T, x: x.diagonal(), A),
    row("diagonal offset", lambda T, x: x.diagonal(1, 0, 2), reals(2, 3, 4)),
    row("diag of matrix", lambda T, x: x.diag(-1), reals(3, 3)),
    row("diag of vector", lambda T, x: x.diag(1), V),
    row("diag_embed", lambda T, x: T.diag_embed(x, 1), A),
    row("unfold", lambda T, x: x.unfold(1, 2, 1), reals(2, 5)),
    row("unfold steps", lambda T, x: x.unfold(0, 3, 2), reals(7, 2)),
    row("as_strided", lambda T, x: x.as_strided((2, 2), (1, 2), 1), A),
    row("as_strided overlapping", lambda T, x: x.as_strided((3, 3), (1, 1)), A),
    row("flip", lambda T, x: x.flip(0, 1), A),
    row("fliplr", lambda T, x: T.fliplr(x), A),
    row("flipud", lambda T, x: T.flipud(x), A),
    row("roll", lambda T, x: x.roll(1, 0), A),
    row("roll flat", lambda T, x: x.roll(2), A),
    row("roll several", lambda T, x: x.roll((1, -1), (0, 1)), A),
    row("rot90", lambda T, x: T.rot90(x, 1, (0, 1)), A),
    row("tril", lambda T, x: x.tril(), reals(3, 3)),
    row("triu", lambda T, x: x.triu(1), reals(2, 3, 3)),
    row("repeat", lambda T, x: x.repeat(2, 1, 2), A),
    row("tile", lambda T, x: x.tile(2), A),
    row("repeat_interleave", lambda T, x: x.repeat_interleave(2), A),
    row("repeat_interleave dim", lambda T, x: x.repeat_interleave(2, dim=1), A),
    row(
        "repeat_interleave by",
        lambda T, x: x.repeat_interleave(T.tensor([1, 2]), dim=0),
        A,
    ),
    row("contiguous", lambda T, x: x.t().contiguous(), A),
    row("to float32", lambda T, x: x.to(T.float32), A),
    row("to itself", lambda T, x: x.to(T.float64, copy=True), A),
    row("cat", lambda T, a, b: T.cat([a, b]), A, reals(1, 3)),
    row("cat columns", lambda T, a, b: T.cat([a, b, a], dim=-1), A, reals(2, 1)),
    row("cat dtypes", lambda T, a, b: T.cat([a, b.float()]), A, A),
    row("stack", lambda T, a, b: T.stack([a, b], 1), A, A),
    row("hstack", lambda T, a, b: T.hstack([a, b]), V, reals(2)),
    row("vstack", lambda T, a, b: T.vstack([a, b]), V, A),
    row("dstack", lambda T, a, b: T.dstack([a, b]), A, A),
    row("column_stack", lambda T, a, b: T.column_stack([a, b]), reals(2), A),
    row("split", lambda T, x: x.split(2, 1), A),
    row("split sizes", lambda T, x: x.split([1, 2], 1), A),
    row("split, one part used", lambda T, x: x.split(1, 1)[1] * 2, A),
    row("chunk", lambda T, x: x.chunk(2, 1), A),
    row("tensor_split", lambda T, x: T.tensor_split(x, 2, dim=1), A),
    row("tensor_split at", lambda T, x: x.tensor_split((1, 1), dim=1), A),
    row("hsplit", lambda T, x: x.hsplit(3), A),
    row("vsplit", lambda T, x: x.vsplit(2), A),
    row("unbind", lambda T, x: x.unbind(1), A),
    row("unbind, one used", lambda T, x: x.unbind()[1] * 3, A),
    row("meshgrid", lambda T, a, b: T.meshgrid(a, b, indexing="ij"), V, reals(2)),
    row("meshgrid xy", lambda T, a, b: T.meshgrid(a, b, indexing="xy"), V, reals(2)),
    row("cartesian_prod", lambda T, a, b: T.cartesian_prod(a, b), V, reals(2)),
    row("block_diag", lambda T, a, b, c: T.block_diag(a, b, c), A, V, reals()),
    row("diagflat", lambda T, x: T.diagflat(x, 1), A),
    row("atleast_2d", lambda T, x: T.atleast_2d(x), V),
    row("atleast_3d", lambda T, x: T.atleast_3d(x), A),
]

INDEX = [
    row("row", lambda T, x: x[1], A),
    row("last column", lambda T, x: x[:, -1], A),
    row("slice", lambda T, x: x[:, 1:], A),
    row("every other", lambda T, x: x[:, ::2], A),
    row("new dimension", lambda T, x: x[None, :, None], A),
    row("ellipsis", lambda T, x: x[..., 0], reals(2, 3, 2)),
    row("whole", lambda T, x: x[:], A),
    row("all of it", lambda T, x: x[...], A),
    row("list", lambda T, x: x[:, [0, 0, 2]], A),
    row("index tensor", lambda T, x, i: x[i], A, whole(0, 2, 4)),
    row("index matrix", lambda T, x, i: x[:, i], A, whole(0, 3, 2, 2)),
    row("index pair", lambda T, x, i, j: x[i, j], A, whole(0, 2, 3), whole(-3, 3, 3)),
    row(
        "index apart", lambda T, x, i, j: x[i, :, j], reals(2, 3, 2), whole(0, 2, 3), whole(0, 2, 3)
    ),
    row("index number", lambda T, x: x[T.tensor(1)], A),
    row("mask", lambda T, x, m: x[m], A, bits(2, 3)),
    row("row mask", lambda T, x, m: x[m], A, bits(2)),
    row("mask and column", lambda T, x, m: x[m, 1], A, bits(2)),
    row("True", lambda T, x: x[True], A),
    row("gather", lambda T, x, i: x.gather(1, i), A, whole(0, 3, 2, 4)),
    row("gather fewer", lambda T, x, i: x.gather(0, i), A, whole(0, 2, 3, 2)),
    row("take_along_dim", lambda T, x: T.take_along_dim(x, x.argsort(1), 1), D),
    row("take_along_dim flat", lambda T, x, i: T.take_along_dim(x, i), A, whole(0, 6, 4)),
    row("scatter", lambda T, x, i, s: x.scatter(1, i, s), A, given([[0, 1], [2, 0]]), reals(2, 2)),
    row("scatter value", lambda T, x, i: x.scatter(1, i, 7.0), A, whole(0, 3, 2, 2)),
    row(
        "scatter_add", lambda T, x, i, s: x.scatter_add(1, i, s), A, whole(0, 3, 2, 4), reals(2, 4)
    ),
    row("index_select", lambda T, x, i: x.index_select(1, i), A, whole(0, 3, 4)),
    row("index_add", lambda T, x, i, s: x.index_add(1, i, s), A, whole(0, 3, 4), reals(2, 4)),
    row(
        "index_add alpha",
        lambda T, x, i, s: x.index_add(0, i, s, alpha=2),
        A,
        whole(0, 2, 4),
        reals(4, 3),
    ),
    row("index_copy", lambda T, x, i, s: x.index_copy(1, i, s), A, given([2, 0]), reals(2, 2)),
    row("index_fill", lambda T, x, i: x.index_fill(1, i, 3.0), A, given([2, 0])),
    row("index_fill by", lambda T, x, i, v: x.index_fill(1, i, v), A, given([2, 0]), reals()),
    row("masked_fill", lambda T, x, m: x.masked_fill(m, 3.0), A, bits(2, 3)),
    row("masked_fill by", lambda T, x, m, v: x.masked_fill(m, v), A, bits(3), reals()),
    row("masked_select", lambda T, x, m: x.masked_select(m), A, bits(2, 3)),
    row("masked_select row", lambda T, x, m: x.masked_select(m), A, bits(3)),
    row("masked_scatter", lambda T, x, m, s: x.masked_scatter(m, s), A, bits(2, 3), reals(6)),
    row("take", lambda T, x, i: x.take(i), A, whole(-6, 6, 2, 2)),
    row("put", lambda T, x, i, s: x.put(i, s), A, given([0, 4]), reals(2)),
    row("put accumulate", lambda T, x, i, s: x.put(i, s, True), A, whole(0, 6, 4), reals(4)),
    row(
        "index_put",
        lambda T, x, i, s: T.index_put(x, (i,), s),
        A,
        given([1]),
        reals(1, 3),
    ),
    row(
        "index_put accumulate",
        lambda T, x, i, j, s: T.index_put(x, (i, j), s, accumulate=True),
        A,
        whole(0, 2, 4),
        whole(0, 3, 4),
        reals(4),
    ),
]

MATRICES = [
    row("mm", lambda T, a, b: T.mm(a, b), A, reals(3, 4)),
    row("matmul", lambda T, a, b: a @ b, A, reals(3, 2)),
    row("matrix by vector", lambda T, a, b: a @ b, A, V),
    row("vector by matrix", lambda T, a, b: a @ b, reals(2), A),
    row("vector by vector", lambda T, a, b: a @ b, V, V),
    row("stack by matrix", lambda T, a, b: a @ b, reals(2, 4, 3), reals(3, 2)),
    row("stack by vector", lambda T, a, b: a @ b, reals(2, 4, 3), V),
    row("vector by stack", lambda T, a, b: a @ b, V, reals(2, 3, 4)),
    row("matrix by stack", lambda T, a, b: a @ b, A, reals(2, 3, 4)),
    row("stack by stack", lambda T, a, b: a @ b, reals(2, 2, 3), reals(2, 3, 2)),
    row("stacks broadcast", lambda T, a, b: a @ b, reals(4, 1, 2, 3), reals(2, 3, 2)),
    row("high stack by matrix", lambda T, a, b: a @ b, reals(2, 2, 2, 3), reals(3, 2)),
    row("bmm", lambda T, a, b: T.bmm(a, b), reals(2, 2, 3), reals(2, 3, 2)),
    row("mv", lambda T, a, b: T.mv(a, b), A, V),
    row("dot", lambda T, a, b: T.dot(a, b), V, V),
    row("vdot", lambda T, a, b: T.vdot(a, b), V, V),
    row("outer", lambda T, a, b: T.outer(a, b), V, reals(2)),
    row("inner", lambda T, a, b: T.inner(a, b), A, reals(4, 3)),
    row("inner of vectors", lambda T, a, b: T.inner(a, b), V, V),
    row("tensordot", lambda T, a, b: T.tensordot(a, b, 1), reals(2, 2, 3), reals(3, 2)),
    row(
        "tensordot of chosen",
        lambda T, a, b: T.tensordot(a, b, ([0, 2], [1, 0])),
        reals(2, 2, 3),
        reals(3, 2, 2),
    ),
    row("kron", lambda T, a, b: T.kron(a, b), A, reals(2)),
    row("inverse", lambda T, x: T.inverse(x), given([[2.0, 0.5], [0.3, 1.5]])),
    row("det", lambda T, x: T.det(x), reals(2, 3, 3)),
    row("trace", lambda T, x: x.trace(), A),
    row("addmm", lambda T, x, a, b: T.addmm(x, a, b), reals(2), A, reals(3, 2)),
    row(
        "addmm scaled",
        lambda T, x, a, b: T.addmm(x, a, b, beta=0.5, alpha=2),
        reals(2, 2),
        A,
        reals(3, 2),
    ),
    row("addmv", lambda T, x, a, b: T.addmv(x, a, b, alpha=2), reals(2), A, V),
    row(
        "baddbmm",
        lambda T, x, a, b: T.baddbmm(x, a, b, beta=0.5),
        reals(2, 2, 2),
        reals(2, 2, 3),
        reals(2, 3, 2),
    ),
    row("addr", lambda T, x, a, b: T.addr(x, a, b, alpha=2), A, reals(2), V),
]


def write(name: str, *args: Any) -> Callable[..., Any]:
    """A program that calls ``x.name(*tensors, *args)`` on a result, which it returns."""

    def program(T: Any, x: Any, *tensors: Any) -> Any:
        y = x * 1
        getattr(y, name)(*tensors, *args)
        return y

    return program


IN_PLACE = [
    row("add_", write("add_"), A, A),
    row("add_ alpha", lambda T, x, a: (x * 1).add_(a, alpha=2), A, A),
    row("add_ number", write("add_", 2), A),
    row("sub_", write("sub_"), A, A),
    row("mul_", write("mul_"), A, A),
    row("mul_ number", write("mul_", 3), A),
    row("div_", write("div_"), A, N),
    row("div_ number", write("div_", 3), A),
    row("pow_", write("pow_", 2), A),
    row("pow_ tensor", write("pow_"), P, A),
    row("remainder_", write("remainder_", 1.7), A),
    row("fmod_", write("fmod_", 1.7), A),
    row("square_", write("square_"), A),
    row("neg_", write("neg_"), A),
    row("abs_", write("abs_"), N),
    row("exp_", write("exp_"), A),
    row("exp2_", write("exp2_"), A),
    row("expm1_", write("expm1_"), A),
    row("log_", write("log_"), P),
    row("log1p_", write("log1p_"), P),
    row("sqrt_", write("sqrt_"), P),
    row("rsqrt_", write("rsqrt_"), P),
    row("reciprocal_", write("reciprocal_"), N),
    row("sin_", write("sin_"), A),
    row("cos_", write("cos_"), A),
    row("tan_", write("tan_"), I),
    row("asin_", write("asin_"), I),
    row("atan_", write("atan_"), A),
    row("sinh_", write("sinh_"), A),
    row("tanh_", write("tanh_"), A),
    row("sigmoid_", write("sigmoid_"), A),
    row("erf_", write("erf_"), A),
    row("relu_", write("relu_"), N),
    row("frac_", write("frac_"), I),
    row("clamp_", write("clamp_", -1, 1), A),
    row("clamp_min_", write("clamp_min_", 0.1), A),
    row("clamp_max_", write("clamp_max_", 0.1), A),
    row("nan_to_num_", write("nan_to_num_"), A),
    row("lerp_", lambda T, x, e: (x * 1).lerp_(e, 0.3), A, A),
    row("lerp_ tensor", lambda T, x, e, w: (x * 1).lerp_(e, w), A, A, A),
    row("addcmul_", lambda T, x, a, b: (x * 1).addcmul_(a, b, value=2), A, A, A),
    row("addcdiv_", lambda T, x, a, b: (x * 1).addcdiv_(a, b, value=2), A, A, N),
    row("cumsum_", write("cumsum_", 1), A),
    row("cumprod_", write("cumprod_", 1), N),
    row("copy_", write("copy_"), A, A),
    row("copy_ broadcast", write("copy_"), A, V),
    row("copy_ cast", lambda T, x, s: (x * 1).copy_(s.float()), A, A),
    row("masked_fill_", lambda T, x, m: (x * 1).masked_fill_(m, 3.0), A, bits(2, 3)),
    row("masked_fill_ by", lambda T, x, m, v: (x * 1).masked_fill_(m, v), A, bits(2, 3), reals()),
    row("masked_scatter_", write("masked_scatter_"), A, bits(2, 3), reals(6)),
    row(
        "scatter_", lambda T, x, i, s: (x * 1).scatter_(1, i, s), A, given([[0], [2]]), reals(2, 1)
    ),
    row("scatter_ value", lambda T, x, i: (x * 1).scatter_(1, i, 2.0), A, given([[0], [2]])),
    row(
        "scatter_add_",
        lambda T, x, i, s: (x * 1).scatter_add_(1, i, s),
        A,
        whole(0, 3, 2, 4),
        reals(2, 4),
    ),
    row(
        "index_add_",
        lambda T, x, i, s: (x * 1).index_add_(1, i, s),
        A,
        whole(0, 3, 4),
        reals(2, 4),
    ),
    row(
        "index_copy_",
        lambda T, x, i, s: (x * 1).index_copy_(1, i, s),
        A,
        given([2, 0]),
        reals(2, 2),
    ),
    row("index_fill_", lambda T, x, i: (x * 1).index_fill_(1, i, 2.0), A, given([2, 0])),
    row("put_", lambda T, x, i, s: (x * 1).put_(i, s), A, given([0, 4]), reals(2)),
    row(
        "index_put_",
        lambda T, x, i, s: (x * 1).index_put_((i,), s),
        A,
        given([1]),
        reals(1, 3),
    ),
    row("addmm_", lambda T, x, a, b: (x * 1).addmm_(a, b), reals(2, 2), A, reals(3, 2)),
    row("tril_", write("tril_"), reals(3, 3)),
    row("triu_", write("triu_", 1), reals(3, 3)),
    row("hypot_", write("hypot_"), N, N),
    row("atan2_", write("atan2_"), N, N),
    row("xlogy_", write("xlogy_"), P, P),
    row("addmv_", write("addmv_"), reals(2), A, V),
    row("baddbmm_", write("baddbmm_"), reals(2, 2, 2), reals(2, 2, 3), reals(2, 3, 2)),
    row("addr_", write("addr_"), A, reals(2), V),
    row("t_", write("t_"), A),
    row("transpose_", write("transpose_", 0, 1), A),
    row("squeeze_", write("squeeze_"), reals(2, 1, 3)),
    row("squeeze_ dim", write("squeeze_", 1), reals(2, 1, 3)),
    row("unsqueeze_", write("unsqueeze_", 0), A),
]


def assign(index: Any) -> Callable[..., Any]:
    def program(T: Any, x: Any, value: Any) -> Any:
        y = x * 1
        y[index] = value
        return y * 2

    return program


IN_PLACE += [
    row("assign row", assign(0), A, V),
    row("assign row number", lambda T, x: assign(0)(T, x, 3.0), A),
    row("assign column", assign((slice(None), 1)), A, reals(2)),
    row("assign slice of scalar", assign((slice(None), slice(1, None))), A, reals()),
    row("assign whole", assign(slice(None)), A, V),
    row("assign all of it", assign(...), A, A),
    row("assign list", assign((slice(None), [0, 2])), A, reals(2, 2)),
    row("assign list with leading ones", assign([0]), A, reals(1, 1, 3)),
    row("assign mask", lambda T, x, m, v: assign(m)(T, x, v), A, bits(2, 3), reals()),
    row("assign mask number", lambda T, x, m: assign(m)(T, x, 5), A, bits(2, 3)),
    row("write to a view", lambda T, x, a: (lambda y: (y[0].mul_(a), y)[1])(x * 1), A, V),
    row(
        "write to a transpose",
        lambda T, x, a: (lambda y: (y.t().add_(a), y)[1])(x * 1),
        A,
        reals(2),
    ),
    row("write to a diagonal", lambda T, x: (lambda y: (y.diagonal().mul_(3), y)[1])(x * 1), A),
]


def turned_then_written(T: Any, x: Any, a: Any) -> Any:
    y = x * 1
    row_before = y[0]
    y.t_()
    row_before.mul_(a)
    y[:, 1].add_(1)
    return y, y[0] * 1


def squeezed_then_read(T: Any, x: Any) -> Any:
    y = x * 1
    before = y[0, 1]
    y.squeeze_().unsqueeze_(1)
    y[0] = 7.0
    return before * 2


IN_PLACE += [
    row("write to a view taken before t_", turned_then_written, A, V),
    row("read a view taken before squeeze_", squeezed_then_read, reals(1, 2, 3)),
    row(
        "transpose_ of a view", lambda T, x: (lambda y: y[:2].transpose_(0, 1))(x * 1), reals(3, 3)
    ),
]

# Steps have a gradient of zero; a few operations have none.
STEPS = [
    row("sign", lambda T, x: x.sign(), N),
    row("sgn", lambda T, x: x.sgn(), N),
    row("floor", lambda T, x: x.floor(), N),
    row("ceil", lambda T, x: x.ceil(), N),
    row("round", lambda T, x: x.round(), N),
    row("round decimals", lambda T, x: T.round(x, decimals=1), N),
    row("trunc", lambda T, x: x.trunc(), N),
    row("div floor", lambda T, a, b: T.div(a, b, rounding_mode="floor"), A, N),
    row("div trunc", lambda T, a, b: T.div(a, b, rounding_mode="trunc"), A, N),
    row("fill_", lambda T, x: (x * 1).fill_(3), A),
    row("fill_ by", lambda T, x, v: (x * 1).fill_(v), A, reals()),
    row("zero_", lambda T, x: (x * 1).zero_(), A),
    row("floor_", write("floor_"), N),
    row("sign_", write("sign_"), N),
    row("lt_", write("lt_", 0.5), A),
    row("eq_", write("eq_"), A, A),
    row("ge_", write("ge_"), A, A),
    row("logical_not_", write("logical_not_"), A),
    row("logical_and_", write("logical_and_"), A, A),
    row("mode", lambda T, x: x.mode(1), given([[1.0, 2.0, 2.0], [3.0, 1.0, 1.0]])),
]

# Ties, zeros, nan and infinities: where a choice of slope has to be made.
NAN, INF = float("nan"), float("inf")
E = given([0.0, 1.0, -1.0, 0.0, NAN, INF, -INF])
F = given([0.0, 1.0, 2.0, -1.0, 1.0, INF, NAN])
Z = given([[0.0, 2.0, 3.0], [0.0, 0.0, 5.0], [1.0, 2.0, 3.0]])
TIES = given([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])

EDGES = [
    row("sign at edges", lambda T, x: x.sign(), E),
    row("abs at 0", lambda T, x: x.abs(), E),
    row("relu at edges", lambda T, x: x.relu(), E),
    row("sqrt at edges", lambda T, x: x.sqrt(), E),
    row("log at edges", lambda T, x: x.log(), E),
    row("exp at edges", lambda T, x: x.exp(), E),
    row(
        "sigmoid at edges",
        lambda T, x: x.sigmoid(),
        given([-1000.0, -50.0, 0.0, 50.0, 1000.0, NAN]),
    ),
    row("tanh at edges", lambda T, x: x.tanh(), E),
    row("clamp at bounds", lambda T, x: x.clamp(-1, 1), E),
    row("clamp with bounds crossed", lambda T, x: x.clamp(1, -1), E),
    row("clamp_min at bounds", lambda T, x: x.clamp_min(0), E),
    row(
        "clamp by tensors crossed",
        lambda T, x, a, b: T.clamp(x, a, b),
        A,
        given([1.0, 0.0, -1.0]),
        given([0.0, 0.0, 1.0]),
    ),
    row("maximum at ties", lambda T, a, b: T.maximum(a, b), E, F),
    row("minimum at ties", lambda T, a, b: T.minimum(a, b), E, F),
    row("fmax at ties", lambda T, a, b: T.fmax(a, b), E, F),
    row("fmin at ties", lambda T, a, b: T.fmin(a, b), E, F),
    row("max of ties", lambda T, x: x.max(), TIES),
    row("max dim of ties", lambda T, x: x.max(1), TIES),
    row("min dim of ties", lambda T, x: x.min(1), TIES),
    row("amax of ties", lambda T, x: x.amax(1), TIES),
    row("amin of ties", lambda T, x: x.amin(), TIES),
    row("aminmax of ties", lambda T, x: T.aminmax(x), TIES),
    row("median of ties", lambda T, x: x.median(), TIES),
    row("max of nan", lambda T, x: x.max(), E),
    row("amax of nan", lambda T, x: x.amax(), E),
    row("max dim of nan", lambda T, x: x.max(0), E),
    row("argmax of nan", lambda T, x: x.argmax(), E),
    row("median of nan", lambda T, x: x.median(0), E),
    row("nanmedian of nan", lambda T, x: x.nanmedian(0), E),
    row("nansum of nan", lambda T, x: x.nansum(), E),
    row("sort of nan", lambda T, x: x.sort(descending=True).values, E),
    row("cummax of nan", lambda T, x: x.cummax(0), E),
    row("cummax of ties", lambda T, x: x.cummax(1), TIES),
    row("norm at 0", lambda T, x: x.norm(dim=1), given([[0.0, 0.0], [3.0, 4.0]])),
    row("norm 1 at 0", lambda T, x: x.norm(p=1, dim=1), given([[0.0, 0.0], [3.0, -4.0]])),
    row("norm inf at ties", lambda T, x: x.norm(p=INF, dim=1), given([[2.0, -2.0], [0.0, 0.0]])),
    row("norm 0", lambda T, x: x.norm(p=0), given([[2.0, 0.0], [1.0, 0.0]])),
    row("std at 0", lambda T, x: x.std(1), given([[2.0, 2.0], [1.0, 3.0]])),
    row("prod with zeros", lambda T, x: x.prod(1), Z),
    row("prod of all with one zero", lambda T, x: x.prod(), given([[2.0, 0.0], [3.0, 4.0]])),
    row("cumprod with zeros", lambda T, x: x.cumprod(1), Z),
    row("pow 0 at 0", lambda T, x: x**0, E),
    row("pow 1 at 0", lambda T, x: x**1, given([0.0, 2.0])),
    row("pow 2 at 0", lambda T, x: x**2, given([0.0, 2.0])),
    row("pow half at 0", lambda T, x: x**0.5, given([0.0, 2.0])),
    row(
        "pow of zeros",
        lambda T, a, b: a**b,
        given([0.0, 0.0, 0.0, 2.0]),
        given([0.0, 2.0, -1.0, 0.0]),
    ),
    row("exponential of 0", lambda T, x: 0**x, given([0.0, 2.0, 1.0])),
    row("exponential of a negative", lambda T, x: (-2) ** x, given([0.0, 2.0, 1.0])),
    row(
        "xlogy at 0", lambda T, a, b: T.xlogy(a, b), given([0.0, 0.0, 2.0]), given([0.0, 2.0, 3.0])
    ),
    row("hypot at 0", lambda T, a, b: T.hypot(a, b), given([0.0, 3.0]), given([0.0, 4.0])),
    row("atan2 at 0", lambda T, a, b: T.atan2(a, b), given([0.0, 3.0]), given([0.0, 4.0])),
    row("sinc at 0", lambda T, x: x.sinc(), given([0.0, 0.5])),
    row("copysign at 0", lambda T, a, b: T.copysign(a, b), given([0.0, 3.0]), given([-1.0, -0.0])),
    row("div by 0", lambda T, a, b: a / b, given([0.0, 3.0]), given([0.0, 0.0])),
    row("remainder by 0", lambda T, x: x % 0.0, given([0.0, 3.0])),
    row("nan_to_num of nan", lambda T, x: x.nan_to_num(1.0), E),
    row("softmax of inf", lambda T, x: x.softmax(0), given([-INF, 1.0, 2.0])),
    row("softmax of large", lambda T, x: x.softmax(0), given([1000.0, -1000.0, 999.0])),
    row("log_softmax of large", lambda T, x: x.log_softmax(0), given([1000.0, -1000.0, 999.0])),
    row(
        "logsumexp of inf",
        lambda T, x: x.logsumexp(1),
        given([[-INF, -INF], [1.0, INF], [1000.0, 1000.0]]),
    ),
    row(
        "logaddexp of large",
        lambda T, a, b: T.logaddexp(a, b),
        given([1000.0, -1000.0]),
        given([999.0, -1000.0]),
    ),
    row("where beside nan", lambda T, x: T.where(x > 0, x.log(), x), given([0.0, 1.0, -1.0])),
    row("var of one", lambda T, x: x.var(1), given([[1.0], [2.0]])),
    row("empty sum", lambda T, x: x.sum(), reals(0, 3)),
    row("empty mean", lambda T, x: x.mean(), reals(0, 3)),
    row("empty sum dim", lambda T, x: x.sum(0), reals(0, 3)),
    row("empty prod", lambda T, x: x.prod(0), reals(0, 3)),
    row("empty softmax", lambda T, x: x.softmax(0), reals(0, 3)),
    row("empty matmul", lambda T, a, b: a @ b, reals(2, 0), reals(0, 3)),
    row("empty cat", lambda T, a, b: T.cat([a, b]), reals(0), reals(2, 3)),
    row("empty mask", lambda T, x: x[x > 100], A),
]

SMOOTH = ONE + TWO + REDUCTIONS + SHAPES + INDEX + MATRICES + IN_PLACE
ROWS = SMOOTH + STEPS + EDGES
