"""The graph: nodes, the edges between them, and what each node keeps for its backward.

A ``Node`` is what PyTorch calls a ``grad_fn``: it stands for one operation that was recorded. Its
``edges`` lead to where its inputs came from: to another node, or to a leaf tensor, where gradients
are collected in ``.grad``. An input that needs no gradient has no edge: that is all that ``detach``
does to the graph.

Every node is newer than all that its edges lead to, so ``order`` (a running number) sorts any part
of the graph; backward needs nothing more.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import Array

if TYPE_CHECKING:
    from .tensor import Tensor

# Where a gradient goes next: a node and the number of its output, or a leaf tensor and 0.
Edge = tuple["Node | Tensor", int]

next_order = itertools.count(1).__next__

FREED_MESSAGE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they "
    "have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


class Node:
    """One recorded operation.

    ``edges`` run parallel to the operation's differentiable inputs; None where no gradient goes.
    ``saved`` holds the tensors (and numbers) that the vjps read, with the ``versions`` their memory
    had; None once freed. ``shape`` and ``dtype`` (numpy's) are those of the result: every gradient
    that arrives is brought to them. ``hooks`` is None until somebody registers one.
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "dtype",
        "hooks",
        "numbers",
        "order",
        "saved",
        "shape",
        "targets",
        "versions",
    )

    targets: tuple[Node | Tensor | None, ...]
    numbers: tuple[int, ...]
    saved: tuple[Any, ...] | None
    versions: tuple[int, ...]
    shape: tuple[int, ...]
    dtype: Any
    hooks: Hooks | None
    order: int

    outputs = 1
    """How many results the operation has that gradients can come back through."""

    fresh = False
    """Whether each gradient that ``pull`` returns is new memory, or the very ``g`` it was given."""

    @property
    def face(self) -> Any:
        """What is shown of this node as a ``grad_fn``: itself, or the ``ctx`` of a ``Function``."""
        return self

    def name(self) -> str:
        """Return the operation's name as PyTorch gives it, such as ``MulBackward0``."""
        raise NotImplementedError

    @property
    def edges(self) -> tuple[Edge | None, ...]:
        """Where gradients go from here: ``(target, number of its output)``, or None."""
        return tuple(
            [
                (target, number) if target is not None else None
                for target, number in zip(self.targets, self.numbers, strict=True)
            ]
        )

    @edges.setter
    def edges(self, edges: tuple[Edge | None, ...]) -> None:
        self.targets = tuple([edge[0] if edge is not None else None for edge in edges])
        self.numbers = tuple([edge[1] if edge is not None else 0 for edge in edges])

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Where gradients go from here, as PyTorch shows it: ``((node, output number), ...)``.

        A leaf appears as its ``AccumulateGrad``; an input that needs no gradient as ``(None, 0)``.
        """
        shown: list[tuple[Node | None, int]] = []
        for edge in self.edges:
            if edge is None:
                shown.append((None, 0))
            else:
                target, number = edge
                shown.append(
                    (target.face if isinstance(target, Node) else accumulator(target), number)
                )
        return tuple(shown)

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dictionary for the user's own notes on this node."""
        notes: dict[Any, Any] = self.__dict__.setdefault("_metadata", {})
        return notes

    def output_meta(self, number: int) -> tuple[tuple[int, ...], Any]:
        """Return the shape and numpy dtype of one output."""
        return self.shape, self.dtype

    def pull(self, g: Any, on_tensors: bool) -> Sequence[Any]:
        """Return a gradient for each edge (or None), from the gradient ``g`` of the result.

        ``g`` is an array, or a tensor if ``on_tensors`` (then the steps are recorded in their
        turn); a tuple of these, with None for missing ones, where there are several outputs.
        """
        raise NotImplementedError

    def check(self) -> None:
        """Raise, before anything is computed, if what was saved is freed or was overwritten."""
        saved = self.saved
        if saved is None:
            raise RuntimeError(FREED_MESSAGE)
        if saved:
            for entry, version in zip(saved, self.versions, strict=True):
                if version >= 0 and current_version(entry) != version:
                    from .errors import stale

                    raise stale(self, entry, version)

    def release(self) -> None:
        """Let go of what was saved. A node that saved nothing can be used again and again."""
        if self.saved:
            self.saved = None

    def register_hook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` when this node has computed its gradients.

        It may return a tuple to take the place of ``grad_inputs``. Returns a handle to
        ``remove()``.
        """
        from .hooks import Handle

        return Handle(hooks_of(self).after, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(grad_outputs)`` before this node computes; it may return a replacement."""
        from .hooks import Handle

        return Handle(hooks_of(self).before, hook)

    def __repr__(self) -> str:
        return f"<{self.name()}>"


class Hooks:
    """What listens at a node: the tensors' hooks and retained tensors of each output, then its own."""

    __slots__ = ("after", "before", "on_output", "retained")

    def __init__(self) -> None:
        self.on_output: dict[int, dict[int, Callable[..., Any]]] = {}
        self.retained: dict[int, Any] = {}
        self.before: dict[int, Callable[..., Any]] = {}
        self.after: dict[int, Callable[..., Any]] = {}


def hooks_of(node: Node) -> Hooks:
    """Return the node's hooks, made on first use."""
    if node.hooks is None:
        node.hooks = Hooks()
    return node.hooks


def current_version(entry: Any) -> int:
    """Return how often the memory of a saved tensor was written by now."""
    counter = entry._counter
    return counter.version if counter is not None else 0


class AccumulateGrad(Node):
    """The end of a path: it adds what arrives to the ``.grad`` of its leaf, ``variable``.

    The engine delivers to leaves directly; this node is how ``next_functions`` shows one.
    """

    __slots__ = ("variable",)

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable
        self.edges = ()
        self.saved = ()
        self.versions = ()
        self.shape = variable.array.shape
        self.dtype = variable.array.dtype
        self.hooks = None
        self.order = 0

    def name(self) -> str:
        """Return ``AccumulateGrad``."""
        return "AccumulateGrad"


def accumulator(leaf: Tensor) -> AccumulateGrad:
    """Return the leaf's ``AccumulateGrad``: the same one for as long as anybody holds it."""
    import weakref

    known = leaf._accumulator
    found: AccumulateGrad | None = known() if known is not None else None
    if found is None:
        found = AccumulateGrad(leaf)
        leaf._accumulator = weakref.ref(found)
    return found


def sum_to(g: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient over the dimensions that broadcasting stretched: the one place that undoes it.

    Mirrors what PyTorch's engine does with a gradient whose shape is expandable from the input's.
    Works on arrays and tensors.
    """
    extra = len(g.shape) - len(shape)
    if extra and g.shape[extra:] == shape:
        leading = tuple(range(extra))
        if isinstance(g, np.ndarray):
            return np.add.reduce(g, axis=leading)
        return g.sum(axis=leading)
    stretched = tuple(range(extra)) + tuple(
        [extra + i for i, size in enumerate(shape) if size == 1 and g.shape[extra + i] != 1]
    )
    if stretched:
        g = g.sum(axis=stretched, keepdims=True)
    return g.reshape(shape) if extra else g


__all__ = [
    "FREED_MESSAGE",
    "AccumulateGrad",
    "Array",
    "Edge",
    "Hooks",
    "Node",
    "accumulator",
    "current_version",
    "hooks_of",
    "next_order",
    "sum_to",
]
