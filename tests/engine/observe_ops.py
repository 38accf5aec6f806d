"""What can be observed of an operation, in minigrad and in PyTorch alike."""

# ruff: noqa: N803 - T is the module, as in the conformance programs
from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from op_table import Row


def names(node: Any) -> str:
    """The names of a node and of those behind it: ``MulBackward0(leaf, -)``."""
    if node is None:
        return "-"
    name = node.name().rpartition("::")[2]
    if name == "AccumulateGrad":
        return "leaf"
    return f"{name}({', '.join(names(behind) for behind, _ in node.next_functions)})"


def tensors(T: Any, result: Any) -> list[Any]:
    """The tensors in a result: one, or those of a tuple."""
    if isinstance(result, T.Tensor):
        return [result]
    return [each for part in result for each in tensors(T, part)]


def weights(shape: Sequence[int], dtype: str, shift: int) -> np.ndarray:
    count = int(np.prod(shape))
    return np.cos(np.arange(count) + shift).reshape(tuple(shape)).astype(dtype)


def plain_name(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


def weighted(T: Any, outs: list[Any], shift: int) -> Any:
    """A single number that depends on all of ``outs`` that require grad, with curvature in each."""
    total = None
    for place, out in enumerate(outs):
        if out is not None and out.requires_grad:
            w = T.tensor(weights(out.shape, plain_name(out.dtype), shift + place))
            term = (out * out * w + out).sum()
            total = term if total is None else total + term
    return total


def observe(T: Any, row: Row, arrays: list[np.ndarray]) -> dict[str, Any]:
    """Results, names, gradients and second gradients of one program; or the error it ends in."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _observe(T, row, arrays)
        except Exception as error:
            return {"raised": type(error).__name__, "message": str(error)}


def _observe(T: Any, row: Row, arrays: list[np.ndarray]) -> dict[str, Any]:
    inputs = [T.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]
    leaves = [x for x in inputs if x.requires_grad]
    outs = tensors(T, row.program(T, *inputs))
    seen: dict[str, Any] = {
        "dtypes": [plain_name(out.dtype) for out in outs],
        "shapes": [tuple(out.shape) for out in outs],
        "values": [out.numpy(force=True).copy() for out in outs],
        "requires_grad": [out.requires_grad for out in outs],
        "names": [names(out.grad_fn) for out in outs],
        "output_nr": [out.output_nr for out in outs],
        "views": [out._base is not None for out in outs],
        "strides": [out.stride() for out in outs if out.numel() and 1 not in out.shape],
    }
    total = weighted(T, outs, 0)
    if total is None:
        return seen
    try:
        grads = T.autograd.grad(total, leaves, create_graph=True, allow_unused=True)
    except (RuntimeError, NotImplementedError) as error:
        return seen | {"backward raised": type(error).__name__}
    seen["undefined"] = [g is None for g in grads]
    seen["gradients"] = [None if g is None else g.numpy(force=True).copy() for g in grads]
    seen["differentiable again"] = [g is not None and g.requires_grad for g in grads]
    total = weighted(T, list(grads), 3)
    if total is not None:
        second = T.autograd.grad(total, leaves, allow_unused=True)
        seen["second"] = [
            np.zeros(tuple(x.shape)) if g is None else g.numpy(force=True).copy()
            for x, g in zip(leaves, second, strict=True)
        ]
    return seen


def facts(seen: dict[str, Any]) -> dict[str, Any]:
    """What of an observation is no number, so that it can be recorded and compared exactly."""
    kept = ("dtypes", "shapes", "requires_grad", "names", "output_nr", "views", "strides")
    kept += ("undefined", "differentiable again", "backward raised")
    return {
        name: [list(each) if isinstance(each, tuple) else each for each in value]
        if isinstance(value, list)
        else value
        for name, value in seen.items()
        if name in kept
    }


def caught_writes(T: Any, row: Row, arrays: list[np.ndarray]) -> dict[str, Any]:
    """Which writes, to an input or a result, backward refuses; for each choice of inputs with grad."""
    floats = [i for i, a in enumerate(arrays) if a.dtype.kind == "f"]
    seen: dict[str, Any] = {}
    for count in range(1, len(floats) + 1):
        for chosen in itertools.combinations(floats, count):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                seen[f"grad for {chosen}"] = _caught(T, row, arrays, chosen)
    return seen


def _caught(T: Any, row: Row, arrays: list[np.ndarray], chosen: tuple[int, ...]) -> list[str]:
    caught = []
    _, outs = _run(T, row, arrays, chosen)
    for kind, place in [("input", i) for i in range(len(arrays))] + [
        ("result", i) for i in range(len(outs))
    ]:
        inputs, outs = _run(T, row, arrays, chosen)
        total = weighted(T, outs, 0)
        if total is None:
            return ["no result requires grad"]
        written = inputs[place] if kind == "input" else outs[place]
        try:
            with T.no_grad():
                written.detach().zero_()
        except RuntimeError:
            caught.append(f"{kind} {place} cannot be written")
            continue
        try:
            total.backward()
        except (RuntimeError, NotImplementedError):
            caught.append(f"{kind} {place}")
    return caught


def _run(T: Any, row: Row, arrays: list[np.ndarray], chosen: tuple[int, ...]) -> Any:
    inputs = [T.tensor(a) for a in arrays]
    inputs = [x.requires_grad_() * 1 if i in chosen else x for i, x in enumerate(inputs)]
    return inputs, tensors(T, row.program(T, *inputs))
