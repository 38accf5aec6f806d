"""Views: tensors that look into another tensor's memory, and what an in-place write does to them.

A view remembers its ``base`` and the ``steps`` (operations) that lead from the base to it. That is
all it takes to keep gradients right when memory is written in place:

- A write through a view rewrites the history of the *base*: its new ``grad_fn`` is ``CopySlices``,
  which sends the gradient of the written part through the write and the rest straight on.
- Every other view of that base then has a stale history; it is made anew, when next asked for, by
  walking the steps from the base's present history (``AsStridedBackward0``).

These are PyTorch's rules (``CopySlices`` and view regeneration in its variable machinery).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .dtypes import Array
from .graph import Edge, Node, hooks_of, next_order, sum_to
from .memory import VersionCounter
from .modes import mode
from .tensor import Tensor, new_tensor

if TYPE_CHECKING:
    from .op import Op

Steps = tuple[tuple["Op", tuple[Any, ...]], ...]
_new: Any = object.__new__


class ViewInfo:
    """How a view came to be.

    ``creation`` is ``""``, or why it must not be written in place while recording: ``"no_grad"``,
    ``"several"`` (one of several views made at once), ``"function"`` (made in a custom Function).
    ``version`` is the memory's version for which the view's ``grad_fn`` is right. ``borrowed`` marks
    a view without history that requires grad only because its base was switched on later: as in
    PyTorch, no gradient arrives there.
    """

    __slots__ = ("_steps", "_turns", "base", "borrowed", "creation", "version")

    def __init__(self, base: Tensor, steps: Steps, creation: str, version: int) -> None:
        self.base = base
        self._steps = steps
        self._turns = len(base._turns)
        self.borrowed = False
        self.creation = creation
        self.version = version

    @property
    def steps(self) -> Steps:
        """The operations that lead from the base to the view.

        If the base's shape was changed in place since (``t_``), they begin by undoing that.
        """
        since = self.base._turns[self._turns :]
        return (*reversed(since), *self._steps) if since else self._steps


def share(source: Tensor, array: Array) -> Tensor:
    """Return a tensor that looks at ``source``'s memory, and counts writes together with it."""
    result = _new(Tensor)
    result.array = array
    result._requires_grad = False
    result._output_nr = 0
    result._grad_fn = result._view = None
    counter = source._counter
    if counter is None:
        counter = source._counter = VersionCounter()
    result._counter = counter
    result._storage = source._storage or source.storage
    return result


def view_of(source: Tensor, array: Array, op: Op, args: tuple[Any, ...]) -> Tensor:
    """Return the view that ``op(source, *args)`` gives: ``array`` looks into the source's memory."""
    result = share(source, array)
    counter = result._counter
    assert counter is not None
    steps: Steps = ((op, args),)
    earlier = source._view
    if earlier is None:
        base, creation = source, ""
    else:
        base, steps, creation = earlier.base, earlier.steps + steps, earlier.creation
    if not mode.enabled:
        creation = creation or "no_grad"
    result._view = ViewInfo(base, steps, creation, counter.version)
    return result


def views_of(
    source: Tensor, arrays: Sequence[Array], op: Op, args: tuple[Any, ...]
) -> tuple[Tensor, ...]:
    """Return the views of an operation that gives several at once; they refuse in-place writes."""
    results = []
    for number, array in enumerate(arrays):
        view = view_of(source, array, _Pick(op, number), args)  # type: ignore[arg-type]
        assert view._view is not None
        view._view.creation = "several"
        results.append(view)
    return tuple(results)


class _Pick:
    """One of the several results of an operation, as a step of its own."""

    def __init__(self, op: Op, number: int) -> None:
        self.op = op
        self.number = number

    def __call__(self, *args: Any) -> Any:
        return self.op(*args)[self.number]


def replay(base: Any, steps: Steps) -> Any:
    """Walk the steps of a view from ``base``, an array or a tensor."""
    for op, args in steps:
        base = op(base, *args)
    return base


def before_use(view: Tensor) -> None:
    """Bring a view's history up to date before an operation records it."""
    if mode.enabled:
        refresh(view)


def refresh(view: Tensor) -> None:
    """Bring a view's history up to date with what was written to its base since."""
    info = view._view
    counter = view._counter
    assert info is not None
    assert counter is not None
    base = info.base
    if info.version != counter.version and (base._requires_grad or view._grad_fn is not None):
        if info.creation:
            from .inplace import refuse_view

            raise refuse_view(view, now=False)
        view._grad_fn = ViewOfBase(base, info.steps)
        view._output_nr = 0
        info.version = counter.version
    if info.borrowed or (base._requires_grad and not view._requires_grad):
        view._requires_grad = base._requires_grad
        info.borrowed = view._grad_fn is None


def origin(base: Tensor) -> Edge | None:
    """Return where the gradient of a base goes; nowhere if it requires none."""
    return (base._grad_fn or base, base._output_nr) if base._requires_grad else None


class ViewOfBase(Node):
    """The history of a view, made anew after a write to its base."""

    __slots__ = ("end",)

    def __init__(self, base: Tensor, steps: Steps) -> None:
        stand_in = new_tensor(base.array)
        stand_in._requires_grad = True
        earlier, mode.enabled = mode.enabled, True
        try:
            view = replay(stand_in, steps)
        finally:
            mode.enabled = earlier
        self.end: Node = view._grad_fn
        self.edges = (origin(base),)
        self.saved = ()
        self.versions = ()
        self.shape = view.array.shape
        self.dtype = view.array.dtype
        self.hooks = None
        self.order = next_order()

    def name(self) -> str:
        """Return PyTorch's name for it."""
        return "AsStridedBackward0"

    def pull(self, g: Any, on_tensors: bool) -> Sequence[Any]:
        """Put the view's gradient in its place in a gradient of the base."""
        node: Any = self.end
        while isinstance(node, Node):
            (g,) = node.pull(sum_to(g, node.shape), on_tensors)
            edge = node.edges[0]
            assert edge is not None
            node = edge[0]
        return (g,)


class CopySlices(Node):
    """The history of a base after a write through one of its views: ``write`` is the write's node."""

    __slots__ = ("steps", "write")

    def __init__(self, base: Tensor, write: Node, steps: Steps) -> None:
        self.write = write
        self.steps = steps
        self.edges = (origin(base), *write.edges[1:])
        self.saved = ()
        self.versions = ()
        self.shape = base.array.shape
        self.dtype = base.array.dtype
        self.hooks = None
        self.order = next_order()

    def name(self) -> str:
        """Return PyTorch's name for it."""
        return "CopySlices"

    def check(self) -> None:
        """Check what the write saved."""
        self.write.check()

    def release(self) -> None:
        """Free what the write saved."""
        self.write.release()

    def pull(self, g: Any, on_tensors: bool) -> Sequence[Any]:
        """Send the written part of the gradient through the write, and the rest straight on."""
        whole = g.clone() if on_tensors else g.copy()
        part = replay(whole, self.steps)
        inner, *others = self.write.pull(part.clone() if on_tensors else part.copy(), on_tensors)
        part[...] = 0 if inner is None else inner
        return (whole, *others)


def _take_retained(tensor: Tensor, history: Node) -> None:
    """Let a tensor that retains its gradient retain it at its new history; hooks stay behind."""
    node = tensor._grad_fn
    if node is None or node.hooks is None:
        return
    held = node.hooks.retained.get(tensor._output_nr)
    if held is not None and held() is tensor:
        del node.hooks.retained[tensor._output_nr]
        hooks_of(history).retained[0] = held


def rebase(target: Tensor, write: Node) -> None:
    """Give ``target`` the history that an in-place operation, recorded as ``write``, leads to."""
    info = target._view
    if info is None:
        _take_retained(target, write)
        target._grad_fn = write
        target._output_nr = 0
    else:
        base = info.base
        history = CopySlices(base, write, info.steps)
        _take_retained(base, history)
        base._grad_fn = history
        base._output_nr = 0
        base._requires_grad = True
        refresh(target)
    target._requires_grad = True
