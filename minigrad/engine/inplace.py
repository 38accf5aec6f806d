"""In-place operations: what is allowed, and what a write does to memory, versions and history.

Everything that can be refused is refused before the first element changes; then the new values are
computed aside, written, and the version is counted up.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from . import recorder, views
from .dtypes import BY_NUMPY, Array, dtype
from .errors import does_not_fit, shape_text
from .memory import INFERENCE, VersionCounter
from .modes import mode
from .op import Op, once_more, quietly, record, saves
from .tensor import Tensor, new_tensor


def write(name: str, target: Tensor, op: Op, *args: Any, uniform: bool = False) -> Tensor:
    """Replace the values of ``target`` by ``op(target, *args)`` in its own memory; return it.

    ``uniform`` says that every element gets the same value, so that they may share their memory.

    Raises RuntimeError where PyTorch does: for a leaf that requires grad (or a view of one), a view
    that may not be written, memory that several elements share, a result of another shape or kind.
    """
    array = target.array
    if target._counter is INFERENCE and not mode.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a "
            "clone to get a normal tensor before doing inplace update."
        )
    operands = (target, *args)
    needs = op.needs(operands) if mode.enabled else 0
    if needs:
        check_history(target)
    if not uniform:
        check_memory(array)
    into: Any = op.into
    direct = into is not None and array.dtype.kind == "f"
    values = [array]
    for arg in args:
        if isinstance(arg, Tensor):
            if arg._storage is not None:
                check_overlap(target, arg)
            arg = arg.array
            direct = direct and arg.shape == array.shape and arg.dtype is array.dtype
        elif type(arg) not in _NUMBERS:
            direct = False
        values.append(arg)
    if not direct:
        out = op.compute(operands)
        _check_result(out, array)

    node = None
    if needs:
        keep = new_tensor(array.copy()) if saves(op, needs, 0) else target
        keep._grad_fn, keep._output_nr = target._grad_fn, target._output_nr
        keep._requires_grad = target._requires_grad
        node = record(op, (keep, *args), needs, target)
    if direct:
        try:
            quietly(into, *values, out=array)
        except TypeError as error:
            raise does_not_fit(values, error) from None
        except RuntimeError as error:
            once_more(error, partial(into, out=array), *values)
    else:
        np.copyto(array, out, casting="unsafe")
    counter = target._counter
    if counter is None:
        counter = target._counter = VersionCounter()
    counter.bump(name)
    if node is not None:
        node.renew_result(target)
        views.rebase(target, node)
    if recorder.active is not None:
        recorder.active.write(op, target, args, name)
    return target


_NUMBERS = (float, int)


def bump(target: Tensor, writer: str) -> None:
    """Count one write to the tensor's memory."""
    counter = target._counter
    if counter is None:
        counter = target._counter = VersionCounter()
    counter.bump(writer)


def check_history(target: Tensor) -> None:
    """Raise if recording a write to ``target`` would break the history of a leaf or of a view."""
    info = target._view
    if info is not None:
        if info.creation:
            raise refuse_view(target, now=True)
        if target._requires_grad and info.base._grad_fn is None:
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place "
                "operation. A leaf's history starts at its value, so the write cannot be recorded. "
                "To change the value itself (as an optimizer does), write under no_grad(); to compute "
                "with a changed value, make a new tensor instead."
            )
    if target._requires_grad and target._grad_fn is None:
        raise leaf_is_written()


def leaf_is_written() -> RuntimeError:
    """Return the error for a recorded write to a leaf that requires grad."""
    return RuntimeError(
        "a leaf Variable that requires grad is being used in an in-place operation. A leaf's history "
        "starts at its value, so the write cannot be recorded. To change the value itself (as an "
        "optimizer does), write under no_grad(); to compute with a changed value, make a new tensor: "
        "x = x + 1 instead of x += 1."
    )


def refuse_view(view: Tensor, now: bool) -> RuntimeError:
    """Return the error for a view that, made as it was, cannot follow a recorded write.

    ``now`` says that the view itself is being written; else its base was, some time ago.
    """
    info = view._view
    assert info is not None
    written = (
        "is being modified inplace"
        if now
        else "its base or another view of its base has been modified inplace"
    )
    if info.creation == "no_grad":
        return RuntimeError(
            f"A view was created in no_grad mode and {written} with grad mode enabled. Given that "
            "this use case is ambiguous and error-prone, it is forbidden. Put both the view and the "
            "in-place operation inside the no_grad block (not recorded), or both outside (recorded)."
        )
    node = view._grad_fn
    maker = node.name().partition("Backward")[0] if node is not None else "a function"
    return RuntimeError(
        f"Output {view._output_nr} of {maker} is a view and {written}. {_WHY[info.creation]}"
    )


_WHY = {
    "several": (
        "This view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace. You should replace the inplace operation by "
        "an out-of-place one, or take the views one by one, by indexing."
    ),
    "function": (
        "This view was created inside a custom Function (or because an input was returned as-is) and "
        "the custom backward would be overridden and never called. This behavior is forbidden. You "
        "can fix this by cloning the output of the custom Function."
    ),
}


def check_memory(array: Array) -> None:
    """Raise if several elements of ``array`` lie in one place, as in an expanded tensor."""
    if array.flags.c_contiguous:
        return
    for size, stride in zip(array.shape, array.strides, strict=True):
        if stride == 0 and size > 1 and array.size:
            raise RuntimeError(
                "unsupported operation: more than one element of the written-to tensor refers to a "
                "single memory location. Please clone() the tensor before performing the operation."
            )


def check_overlap(target: Tensor, operand: Tensor) -> None:
    """Raise if the operand reads a part of what is about to be written, but not the very same.

    As in PyTorch, only blocks without gaps are compared.
    """
    if operand is target or operand._storage is not target._storage:
        return
    a, b = target.array, operand.array
    if not a.size or not b.size:
        return
    (start, end), (other_start, other_end) = byte_bounds(a), byte_bounds(b)
    if end - start != a.nbytes or other_end - other_start != b.nbytes:
        return
    same = (start, end, a.strides) == (other_start, other_end, b.strides)
    if start < other_end and other_start < end and not same:
        raise RuntimeError(
            "unsupported operation: some elements of the input tensor and the written-to tensor refer "
            "to a single memory location. Please clone() the tensor before performing the operation."
        )


def _check_result(out: Array, target: Array) -> None:
    """Raise if the new values have another shape, or a wider kind of number, than the target."""
    if out.shape != target.shape:
        raise RuntimeError(
            f"output with shape {shape_text(target.shape)} doesn't match the broadcast shape "
            f"{shape_text(out.shape)}: an in-place operation cannot make its target larger"
        )
    check_kind(BY_NUMPY[out.dtype], BY_NUMPY[target.dtype])


def check_kind(want: dtype, have: dtype) -> None:
    """Raise if numbers of the kind ``want`` cannot be written where the dtype is ``have``."""
    if want.kind > have.kind:
        raise RuntimeError(
            f"result type {want.legacy_name} can't be cast to the desired output type "
            f"{have.legacy_name}: an in-place operation keeps its target's dtype ({have.name})"
        )
