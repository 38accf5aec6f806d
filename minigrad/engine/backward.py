"""Backward: walk the graph from the newest node to the oldest, and pass gradients along its edges.

Every node is newer than what its edges lead to, so going through the nodes by falling ``order``
meets each one after all that send it gradients. No recursion, no counting; a chain of a hundred
thousand operations is only a long list.

Gradients in flight live in ``arriving``, a local dictionary. They are arrays, and nothing is
recorded; with ``create_graph`` they are tensors, and the very same vjps record their steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from sys import getrefcount
from typing import Any

import numpy as np

from . import dtypes, ops, recorder
from .errors import shape_text
from .graph import Edge, Node, sum_to
from .inplace import bump
from .modes import mode
from .op import OpNode
from .tensor import Tensor, new_tensor


def run(
    roots: Sequence[Edge],
    gradients: Sequence[Any],
    *,
    retain_graph: bool,
    create_graph: bool,
    targets: Sequence[Edge] | None = None,
    accumulate: bool = True,
) -> list[Any]:
    """Send ``gradients`` back from ``roots`` and return what arrived at each of ``targets``.

    Without targets, every leaf that is reached adds what arrives to its ``.grad``. With targets,
    only the nodes that lead to them run; what arrives there is returned, as tensors, and leaves
    among them add it to their ``.grad`` if ``accumulate``. Nothing has changed if a saved tensor is
    found freed or overwritten: that is checked for the whole graph first.
    """
    nodes, uses = _reachable(roots)
    leading: dict[Node, bool] = {}
    running = nodes
    if targets is not None:
        leading = _leading_to(nodes, targets)
        nodes = list(leading)
        running = [node for node in nodes if leading[node]]
        uses = _uses(running)
    for node in running:
        if node.saved != () or type(node) is not OpNode:
            _check(node)
    for target, _ in roots:
        if not isinstance(target, Node):
            uses[target] = uses.get(target, 0) + 1
    walk = _Walk(uses, create_graph, targets, leading, accumulate)
    listener = recorder.active
    earlier, mode.enabled = mode.enabled, create_graph
    try:
        with np.errstate(all="ignore"):  # inf and nan without a word, as in the forward pass
            if listener is not None:
                listener.begin(roots, gradients)
            for (target, number), g in zip(roots, gradients, strict=True):
                walk.deliver(target, number, g, fresh=False)
            if targets is None and listener is None:
                _walk_plainly(walk, nodes, retain_graph)
            else:
                for node in nodes:
                    walk.through(node)
                    if not retain_graph and leading.get(node, True):
                        node.release()
                        if listener is not None:
                            listener.freed(node)
    finally:
        mode.enabled = earlier
        if listener is not None:
            listener.end()
    return walk.captured


def _check(node: Node) -> None:
    """Raise if what a node saved is freed or was overwritten; tell who listens."""
    try:
        node.check()
    except RuntimeError as error:
        if recorder.active is not None:
            recorder.active.failed(node, error)
        raise


def _walk_plainly(walk: _Walk, nodes: list[Any], retain_graph: bool) -> None:
    """Go through all nodes as ``_Walk.through`` does, in short where nobody listens.

    The same steps, written out for the common case: this loop is what a training step waits for.
    """
    arriving, uses, on_tensors = walk.arriving, walk.uses, walk.on_tensors
    for node in nodes:
        g = arriving.pop(node, None) if node.hooks is None else None
        if g is None:
            walk.through(node)
        else:
            short = node.recipe.short if isinstance(node, OpNode) and not on_tensors else None
            if short:
                saved = node.saved
                targets = node.targets
                last: list[tuple[Any, Any]] = []
                for i, vjp, place in short:
                    if place >= 0:
                        entry = saved[place]
                        out = vjp(g, entry.array if isinstance(entry, Tensor) else entry)
                    elif place == -1:
                        out = vjp(g)
                    else:
                        out = vjp(g, node.kept[-2 - place])
                    target = targets[i]
                    if isinstance(target, Node):
                        if out.shape == target.shape and out.dtype is target.dtype:
                            held = arriving.get(target)
                            arriving[target] = out if held is None else held + out
                            continue
                    elif target._post_hooks or target._hooks:
                        # A hook may write what the node's other gradients are computed from.
                        last.append((target, out))
                        continue
                    elif uses[target] > 1:
                        held = arriving.get(target)
                        if held is not None and held.shape == out.shape and held.dtype is out.dtype:
                            arriving[target] = held + out
                            uses[target] -= 1
                            continue
                    elif (
                        (out.base is None or _alone(out, g))
                        and out is not g
                        and out.shape == target.array.shape
                        and out.dtype is target.array.dtype
                        and target not in arriving
                    ):
                        walk.at_leaf(target, out)
                        continue
                    walk.deliver(target, node.numbers[i], out, fresh=out is not g)
                for leaf, out in last:
                    walk.deliver(leaf, 0, out, fresh=False)
            else:
                for target, number, out in zip(
                    node.targets, node.numbers, node.pull(g, on_tensors), strict=True
                ):
                    if target is not None:
                        walk.deliver(target, number, out, fresh=out is not g and node.fresh)
        if not retain_graph and node.saved:
            node.release()


_NAMES_OF_BASE_ITSELF = 5
_NAMES_OF_VIEW = 3
_NAMES_OF_BASE = 4


def _alone(out: Any, g: Any) -> bool:
    """Tell whether a gradient looks into memory that nobody else knows of: then it may be kept.

    ``out`` was made of ``g``, perhaps as a view. The counts are those of the names in this function
    and in the loop that calls it; one more means that ``g`` goes somewhere else, too.
    """
    base = out.base
    if base is g:
        return getrefcount(g) == _NAMES_OF_BASE_ITSELF
    return (
        g.base is base and getrefcount(g) == _NAMES_OF_VIEW and getrefcount(base) == _NAMES_OF_BASE
    )


def _reachable(roots: Sequence[Edge]) -> tuple[list[Node], dict[Tensor, int]]:
    """Return the nodes that the roots lead to, newest first, and how many edges end at each leaf."""
    seen: dict[Node, None] = {}
    uses: dict[Tensor, int] = {}
    waiting: list[Node] = []
    for target, _ in roots:
        if isinstance(target, Node) and target not in seen:
            seen[target] = None
            waiting.append(target)
    while waiting:
        for onward in waiting.pop().targets:
            if onward is not None:
                if not isinstance(onward, Node):
                    uses[onward] = uses.get(onward, 0) + 1
                elif onward not in seen:
                    seen[onward] = None
                    waiting.append(onward)
    return sorted(seen, key=_order, reverse=True), uses


_order = attrgetter("order")


def _leading_to(nodes: list[Node], targets: Sequence[Edge]) -> dict[Node, bool]:
    """Keep the nodes that are targets or lead to one, and tell which do lead on to one."""
    useful: dict[Node | Tensor, None] = {target: None for target, _ in targets}
    leading: dict[Node, bool] = {}
    for node in reversed(nodes):
        leads = any([edge is not None and edge[0] in useful for edge in node.edges])
        if leads or node in useful:
            useful[node] = None
            leading[node] = leads
    return dict(reversed(leading.items()))


def _uses(nodes: list[Node]) -> dict[Tensor, int]:
    """Count how many edges of these nodes end at each leaf."""
    uses: dict[Tensor, int] = {}
    for node in nodes:
        for edge in node.edges:
            if edge is not None and not isinstance(edge[0], Node):
                uses[edge[0]] = uses.get(edge[0], 0) + 1
    return uses


class _Walk:
    """One backward pass: the gradients in flight, and what becomes of them.

    ``uses`` counts the edges that have still to deliver to each leaf; ``arriving`` holds what has
    come so far, by node or leaf (a list by output for nodes with several). With targets, ``leading``
    tells of each node whether it leads on to one, or is only looked at.
    """

    def __init__(
        self,
        uses: dict[Tensor, int],
        on_tensors: bool,
        targets: Sequence[Edge] | None,
        leading: dict[Node, bool],
        accumulate: bool,
    ) -> None:
        self.uses = uses
        self.on_tensors = on_tensors
        self.leading = leading
        self.accumulate = accumulate
        self.arriving: dict[Any, Any] = {}
        self.captured: list[Any] = [None] * len(targets or ())
        self.wanted: dict[Edge, list[int]] | None = None
        if targets is not None:
            self.wanted = {}
            for place, target in enumerate(targets):
                self.wanted.setdefault(target, []).append(place)

    def through(self, node: Node) -> None:
        """Pass the gradient of one node's result on along its edges."""
        g = self.arriving.pop(node, None)
        hooks = node.hooks
        if hooks is not None or self.wanted:
            g = self.at_outputs(node, g)
        if self.wanted is not None and not self.leading[node]:
            return
        if g is None:
            grads: Sequence[Any] = (None,) * len(node.edges)
        else:
            grads = self.pulled(node, g)
            if hooks is not None and hooks.after:
                grads = self.after(node, g, grads)
        if recorder.active is not None:
            recorder.active.step(node, g, grads)
        for edge, out in zip(node.edges, grads, strict=True):
            if edge is not None:
                self.deliver(edge[0], edge[1], out, fresh=out is not g and node.fresh)

    def pulled(self, node: Node, g: Any) -> Sequence[Any]:
        """Return the gradients that a node computes; tell who listens if it fails."""
        try:
            return node.pull(g, self.on_tensors)
        except Exception as error:
            if recorder.active is not None:
                recorder.active.failed(node, error)
            raise

    def deliver(self, target: Node | Tensor, number: int, g: Any, fresh: bool) -> None:
        """Add a gradient to what has arrived at a node's output, or at a leaf."""
        arriving = self.arriving
        if isinstance(target, Node):
            if g is None:
                return
            if target.outputs == 1:
                if g.shape != target.shape:
                    g = sum_to(g, target.shape)
                if g.dtype is not target.dtype:
                    g = of_type(g, target.dtype)
                held = arriving.get(target)
                arriving[target] = g if held is None else held + g
            else:
                shape, dtype = target.output_meta(number)
                g = of_type(sum_to(g, shape), dtype)
                row = arriving.setdefault(target, [None] * target.outputs)
                row[number] = g if row[number] is None else row[number] + g
            return
        self.uses[target] -= 1
        if g is not None and (self.wanted is None or (target, 0) in self.wanted):
            array = target.array
            if g.shape != array.shape:
                g = _fitting(g, array.shape)
            if g.dtype is not array.dtype:
                g = of_type(g, array.dtype)
            held = arriving.get(target)
            if held is not None:
                g = held + g
            elif not fresh or (not self.on_tensors and g.base is not None):
                g = g.clone() if self.on_tensors else g.copy()
            arriving[target] = g
        if not self.uses[target]:
            total = arriving.pop(target, None)
            if total is not None:
                self.at_leaf(target, total)

    def at_leaf(self, leaf: Tensor, g: Any) -> None:
        """Give a leaf the sum of all that came to it."""
        if leaf._grad_fn is not None:
            raise RuntimeError(
                "leaf variable has been moved into the graph interior: it was written in place after "
                "it had been used as a leaf"
            )
        if leaf._view is not None and leaf._view.borrowed:
            return
        if leaf._hooks:
            for hook in tuple(leaf._hooks.values()):
                g = self._replaced(hook, g)
        node = leaf._accumulator() if leaf._accumulator is not None else None
        if node is not None and node.hooks is not None:
            g = self.at_outputs(node, g)
        if self.wanted is not None:
            for place in self.wanted[leaf, 0]:
                self.captured[place] = as_tensor(g)
            if not self.accumulate:
                return
        if leaf._requires_grad:
            accumulate(leaf, g)
            if recorder.active is not None:
                recorder.active.accumulated(leaf, g)
            if leaf._post_hooks:
                for hook in tuple(leaf._post_hooks.values()):
                    answer = hook(leaf)
                    if answer is not None:
                        raise TypeError(
                            f"expected None, but hook returned '{type(answer).__name__}': a "
                            "post-accumulate hook returns nothing"
                        )
            if node is not None and node.hooks is not None and node.hooks.after:
                self.after(node, g, ())

    def at_outputs(self, node: Node, g: Any) -> Any:
        """Let hooks see, or replace, the gradient of each output; retain it, capture it."""
        several = node.outputs != 1
        row: list[Any] = ([None] * node.outputs if g is None else g) if several else [g]
        hooks = node.hooks
        for number in range(len(row)):
            if row[number] is None:
                continue
            if hooks is not None:
                for hook in tuple(hooks.on_output.get(number, {}).values()):
                    row[number] = self._replaced(hook, row[number])
                tensor = hooks.retained.get(number, _nobody)()
                if tensor is not None:
                    accumulate(tensor, row[number] + 0, replace=True)
            if self.wanted is not None:
                for place in self.wanted.get((node, number), ()):
                    self.captured[place] = as_tensor(row[number])
        if hooks is not None and hooks.before:
            for hook in tuple(hooks.before.values()):
                answer = hook(tuple([None if each is None else as_tensor(each) for each in row]))
                if answer is not None:
                    answer = answer if isinstance(answer, tuple) else (answer,)
                    row = [None if each is None else self.raw(each) for each in answer]
        if not several:
            return row[0]
        return None if all(each is None for each in row) else row

    def after(self, node: Node, g: Any, grads: Sequence[Any]) -> Sequence[Any]:
        """Let the node's own hooks see, or replace, the gradients it computed."""
        outputs = g if node.outputs != 1 else [g]
        arrived = tuple([None if each is None else as_tensor(each) for each in outputs])
        for hook in tuple(node.hooks.after.values()):  # type: ignore[union-attr]
            computed = tuple([None if each is None else as_tensor(each) for each in grads])
            answer = hook(computed, arrived)
            if answer is not None:
                answer = answer if isinstance(answer, tuple) else (answer,)
                if len(answer) != len(grads):
                    raise RuntimeError(
                        f"hook has returned an incorrect number of values (got {len(answer)}, but "
                        f"expected {len(grads)})"
                    )
                grads = tuple([None if each is None else self.raw(each) for each in answer])
        return grads

    def _replaced(self, hook: Any, g: Any) -> Any:
        """Call a tensor's hook on a gradient; return what it returns, or the gradient as it was."""
        answer = hook(as_tensor(g))
        if answer is None:
            return g
        if not isinstance(answer, Tensor):
            raise TypeError(
                f"expected Variable, but hook returned '{type(answer).__name__}': a hook returns a "
                "tensor in place of the gradient, or None to leave it as it is"
            )
        if answer.array.shape != g.shape:
            raise RuntimeError(
                f"hook '{getattr(hook, '__name__', type(hook).__name__)}' has changed the size of "
                f"value: from {shape_text(g.shape)} to "
                f"{shape_text(answer.array.shape)}"
            )
        return self.raw(answer)

    def raw(self, tensor: Tensor) -> Any:
        """Return what travels in this pass for a tensor: itself, or its array."""
        return tensor if self.on_tensors else tensor.array


def _nobody() -> None:
    return None


def _fitting(g: Any, shape: tuple[int, ...]) -> Any:
    """Return a leaf's gradient in the leaf's shape; RuntimeError if that is another one by now."""
    summed = sum_to(g, shape) if len(g.shape) >= len(shape) else g
    if summed.shape != shape:
        raise RuntimeError(
            f"a leaf was given an invalid gradient - got {shape_text(g.shape)} but expected shape "
            f"compatible with {shape_text(shape)}: was its .data changed after it had been used?"
        )
    return summed


def of_type(g: Any, dtype: Any) -> Any:
    """Return the gradient in the numpy type ``dtype``; works on arrays and tensors."""
    if isinstance(g, Tensor):
        return g.to(dtypes.BY_NUMPY[dtype]) if g.array.dtype != dtype else g
    return g.astype(dtype, copy=False)


def as_tensor(g: Any) -> Tensor:
    """Return a gradient as a tensor that shares its memory."""
    return g if isinstance(g, Tensor) else new_tensor(g)


def accumulate(tensor: Tensor, g: Any, replace: bool = False) -> None:
    """Add ``g``, which nobody else holds, to the tensor's ``.grad``.

    The first gradient becomes ``.grad``; later ones are added into that very tensor, unless the sum
    is itself recorded (``create_graph``) or ``replace`` asks for a new one, as ``retain_grad``
    does.
    """
    held = tensor._grad
    if held is None:
        tensor._grad = as_tensor(g)
    elif isinstance(g, Tensor) or replace:
        tensor._grad = ops.add(held, as_tensor(g))
    else:
        np.add(held.array, g, out=held.array, casting="unsafe")
        bump(held, "backward")
