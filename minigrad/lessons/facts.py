"""How each fact is looked at, and what is said where it does not hold.

A function here gets its arguments with their names and returns a ``Verdict``; its texts stand in
the catalogue under its own name.
"""

from __future__ import annotations

import warnings
from typing import Any

from minigrad.lessons import walk
from minigrad.lessons.named import Named
from minigrad.lessons.values import alike, first_line, plain, scaled, shape, written
from minigrad.lessons.verdict import Verdict, no, yes


def no_path(tensor: Named, source: Named) -> Verdict:
    """Find out whether no path leads back to the source; of a list, from none of its tensors."""
    several = isinstance(tensor.value, list | tuple)
    need_tensors(source) if several else need_tensors(tensor, source)
    for start in walk.tensors_in(tensor.value):
        between = walk.path(start, source.value)
        if between == []:
            return no("path.itself", a=tensor.name, b=source.name)
        if between is not None:
            kind = "no_path.no_list" if several else "no_path.no"
            return no(kind, a=tensor.name, b=source.name, ops=_chain(between))
    return yes("no_path.yes", a=tensor.name, b=source.name)


def path(tensor: Named, source: Named) -> Verdict:
    """Find out whether a path leads back to the source."""
    need_tensors(tensor, source)
    start, end = tensor.value, source.value
    if start is end:
        return no("path.itself", a=tensor.name, b=source.name)
    between = walk.path(start, end)
    if between is not None:
        return yes("path.yes", a=tensor.name, b=source.name, ops=_chain(between))
    if not end.requires_grad:
        reason = "path.source_off"
    elif not start.requires_grad:
        detached = getattr(start, "_cut_from", None) is not None
        reason = "path.detached" if detached else "path.no_history"
    elif start.is_leaf:
        reason = "path.new_leaf"
    else:
        reason = "path.elsewhere"
    return no(reason, a=tensor.name, b=source.name)


def shares(tensor: Named, other: Named) -> Verdict:
    """Find out whether two tensors read the same memory."""
    need_tensors(tensor, other)
    same = memory_of(tensor.value) == memory_of(other.value)
    answer = yes if same else no
    return answer("shares.yes" if same else "shares.no", a=tensor.name, b=other.name)


def not_shares(tensor: Named, other: Named) -> Verdict:
    """Find out whether two tensors have memory of their own."""
    need_tensors(tensor, other)
    if tensor.value is other.value:
        return no("path.itself", a=tensor.name, b=other.name)
    same = memory_of(tensor.value) == memory_of(other.value)
    answer = no if same else yes
    return answer("not_shares.no" if same else "not_shares.yes", a=tensor.name, b=other.name)


def leaf(tensor: Named) -> Verdict:
    """Find out whether no recorded operation made the tensor."""
    need_tensors(tensor)
    if tensor.value.is_leaf:
        return yes("leaf.yes", a=tensor.name)
    return no("leaf.no", a=tensor.name, op=walk.operation(tensor.value.grad_fn))


def requires_grad(tensor: Named) -> Verdict:
    """Find out whether the tensor requires grad."""
    need_tensors(tensor)
    answer, key = (yes, "yes") if tensor.value.requires_grad else (no, "no")
    return answer(f"requires_grad.{key}", a=tensor.name)


def grad(tensor: Named, expected: Named) -> Verdict:
    """Find out whether the gradient is as expected, and if not, which slip would explain it."""
    need_tensors(tensor)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A result's .grad may be asked for here.
        found = plain(tensor.value.grad)
    wanted = plain(expected.value)
    said = {"a": tensor.name, "value": written(found)}
    if alike(found, wanted):
        return yes("grad.none" if found is None else "grad.yes", **said)
    if found is None:
        return no(_why_no_gradient(tensor.value), **said)
    if wanted is None:
        return no("grad.unwanted", **said)
    for times in (2, 3):
        if alike(found, scaled(wanted, times)):
            return no("grad.added_up", **said, times=times)
    if alike(found, scaled(wanted, -1)):
        return no("grad.sign", **said)
    if alike(found, scaled(found, 0)):
        return no("grad.zero", **said)
    return no("grad.no", **said)


def value(tensor: Named, expected: Named) -> Verdict:
    """Find out whether values are as expected; if not, say whose values they are instead."""
    found, wanted = plain(tensor.value), plain(expected.value)
    said = {"a": tensor.name, "value": written(found)}
    if alike(found, wanted):
        return yes("value.yes", **said)
    if found is None or callable(found):
        need_tensors(tensor)
    for name, other in tensor.scope.items():
        if name != tensor.name and walk.is_tensor(other) and alike(found, other):
            return no("value.of_another", **said, b=name)
    if shape(found) != shape(wanted):
        return no("value.shape", **said, shape=written(shape(found)))
    return no("value.no", **said)


def equal(one: Named, other: Named) -> Verdict:
    """Find out whether two things hold the same values."""
    said = {"a": one.name, "b": other.name}
    if alike(one.value, other.value):
        return yes("equal.yes", **said)
    return no("equal.no", **said, value=written(one.value), other=written(other.value))


def version(tensor: Named, expected: Named) -> Verdict:
    """Find out whether the memory was written as often as expected."""
    need_tensors(tensor)
    found, wanted = tensor.value._version, expected.value
    if found == wanted:
        return yes("version.yes", a=tensor.name, version=found)
    reason = "never" if found == 0 else "fewer" if found < wanted else "more"
    return no(f"version.{reason}", a=tensor.name, version=found)


def ops(tensors: Named, expected: Named) -> Verdict:
    """Find out whether as many operations are kept alive as expected."""
    if not isinstance(tensors.value, list | tuple | int | float):
        need_tensors(tensors)
    found, wanted = len(walk.operations(*walk.tensors_in(tensors.value))), expected.value
    if found == wanted:
        return yes("ops.yes", a=tensors.name, count=found)
    return no("ops.more" if found > wanted else "ops.fewer", a=tensors.name, count=found)


def raises(program: Named, words: Named) -> Verdict:
    """Run a program and find out whether it raises, and about what."""
    if not callable(program.value):
        return no("raises.no_function", a=program.name)
    try:
        program.value()
    except Exception as error:
        said = {"a": program.name, "kind": type(error).__name__, "message": first_line(error)}
        if words.value in str(error):
            return yes("raises.yes", **said | {"message": words.value or said["message"]})
        return no("raises.other", **said)
    return no("raises.nothing", a=program.name)


def runs(program: Named) -> Verdict:
    """Run a program and find out whether it gets to its end."""
    if not callable(program.value):
        return no("raises.no_function", a=program.name)
    try:
        program.value()
    except Exception as error:
        return no("runs.no", a=program.name, kind=type(error).__name__, message=first_line(error))
    return yes("runs.yes", a=program.name)


class NotATensorError(Exception):
    """Raised where a tensor is needed; ``verdict`` says what is there instead."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.message)
        self.verdict = verdict


def need_tensors(*arguments: Named) -> None:
    """Raise ``NotATensorError`` for the first argument that is none."""
    for argument in arguments:
        if walk.is_tensor(argument.value):
            continue
        if argument.value is None:
            raise NotATensorError(no("tensor.none", a=argument.name))
        if callable(argument.value):
            raise NotATensorError(no("tensor.call", a=argument.name))
        kind = type(argument.value).__name__
        raise NotATensorError(no("tensor.other", a=argument.name, kind=kind))


def memory_of(tensor: Any) -> int:
    """Return where the memory starts that a tensor reads, be it a view of a part or all of it."""
    if hasattr(tensor, "untyped_storage"):
        return int(tensor.untyped_storage().data_ptr())
    return int(tensor.storage.address)


def _why_no_gradient(tensor: Any) -> str:
    if not tensor.is_leaf:
        return "grad.of_result"
    return "grad.nothing_came" if tensor.requires_grad else "grad.switched_off"


def _chain(operations: list[str]) -> str:
    """Name the operations of a path, of a long one only its two ends."""
    if len(operations) > 5:
        operations = [*operations[:2], "…", *operations[-2:]]
    return " → ".join(operations)
