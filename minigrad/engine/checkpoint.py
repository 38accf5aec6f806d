"""Less memory for more time: a stretch of a computation that is forgotten, and computed again.

``checkpoint(function, x)`` returns what ``function(x)`` returns, and lets go of everything that its
operations had saved. One node stands for the whole stretch. When a gradient reaches it, the function
is called once more, recorded this time; the gradient goes back through that fresh graph, and out of
it to wherever the first one had led: to ``x``, and to every other tensor that the function used.

So the function has to do the same each time. (What it draws at random is drawn again from where the
common stream stood.) Mirrors ``torch.utils.checkpoint``, in which the nodes of the stretch stay to be
seen and only what they saved is forgotten; gradients are the same.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import recorder
from .backward import run
from .graph import Edge, Node, next_order
from .memory import VersionCounter
from .modes import enable_grad, is_grad_enabled, no_grad
from .ops import random
from .tensor import Tensor, new_tensor


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Call ``function(*args, **kwargs)``, keep only its arguments, and compute it again in backward.

    ``use_reentrant=False`` is the form to use. The older one needs at least one argument that
    requires a gradient, and takes no keyword arguments; what it computes is the same.

    Raises
    ------
    RuntimeError
        In backward, if an argument was written in place since, or if the function does something
        else the second time.
    ValueError
        For keyword arguments with ``use_reentrant=True``.
    """
    if use_reentrant is None:
        warnings.warn(
            "minigrad.utils.checkpoint: the use_reentrant parameter should be passed explicitly. "
            "use_reentrant=False is recommended.",
            UserWarning,
            stacklevel=2,
        )
        use_reentrant = True
    if use_reentrant and kwargs:
        raise ValueError(f"Unexpected keyword arguments: {','.join(kwargs)}")
    if use_reentrant and not any([isinstance(x, Tensor) and x.requires_grad for x in args]):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None",
            UserWarning,
            stacklevel=2,
        )
        with no_grad():
            return function(*args)
    if not is_grad_enabled():
        return function(*args, **kwargs)
    return _Stretch(function, args, kwargs, preserve_rng_state).forward()


def checkpoint_sequential(
    functions: Sequence[Callable[..., Any]],
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Run functions (or the layers of a ``Sequential``) one after another, in checkpointed segments.

    The last segment is computed as usual: its graph is needed at once.
    """
    steps = list(functions)
    size = len(steps) // segments
    for start in range(0, size * (segments - 1), size):
        segment = steps[start : start + size]
        input = checkpoint(_one_by_one, segment, input, use_reentrant=use_reentrant, **kwargs)
    return _one_by_one(steps[size * (segments - 1) :], input)


def _one_by_one(steps: Sequence[Callable[..., Any]], value: Any) -> Any:
    for step in steps:
        value = step(value)
    return value


class _Stretch(Node):
    """The node that stands for a whole call, and makes the call again when a gradient comes."""

    __slots__ = ("args", "function", "kwargs", "metas", "outputs", "random_state")

    metas: tuple[tuple[tuple[int, ...], Any], ...]

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        preserve_rng_state: bool,
    ) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.random_state = random.get_rng_state() if preserve_rng_state else None
        self.hooks = None
        self.order = next_order()

    def name(self) -> str:
        """Return a name in PyTorch's style; there, the nodes of the stretch show themselves."""
        return "CheckpointFunctionBackward"

    def output_meta(self, number: int) -> tuple[tuple[int, ...], Any]:
        """Return the shape and numpy dtype of one output."""
        return self.metas[number]

    def forward(self) -> Any:
        """Call the function; return its results with this node as their history."""
        given = [x for x in (*self.args, *self.kwargs.values()) if isinstance(x, Tensor)]
        versions = [x._version for x in given]
        out = self.function(*self.args, **self.kwargs)
        results = out if isinstance(out, tuple) else (out,)
        graphs = [x for x in results if _is_recorded(x, self.order)]
        if not graphs:
            return out
        _, edges = _stretch_of([x._grad_fn for x in graphs], self.order)
        self.targets = tuple([target for target, _ in edges])
        self.numbers = tuple([number for _, number in edges])
        self.saved, self.versions = tuple(given), tuple(versions)
        self.outputs = len(graphs)
        self.metas = tuple([(x.array.shape, x.array.dtype) for x in graphs])
        self.shape, self.dtype = self.metas[0] if self.outputs == 1 else (None, None)  # type: ignore[assignment]
        self.order = next_order()
        return self._linked(out, graphs)

    def _linked(self, out: Any, graphs: list[Tensor]) -> Any:
        """Return the results on the same memory, cut off from the stretch and tied to this node."""
        tied: dict[int, Tensor] = {}
        for number, result in enumerate(graphs):
            fresh = result.detach()
            fresh._cut_from = None
            fresh._counter = VersionCounter()
            fresh._grad_fn, fresh._output_nr, fresh._requires_grad = self, number, True
            tied[id(result)] = fresh
        if isinstance(out, tuple):
            return tuple([tied.get(id(each), each) for each in out])
        return tied.get(id(out), out)

    def pull(self, g: Any, on_tensors: bool) -> Sequence[Any]:
        """Call the function again, and send the gradients back through the graph that it makes."""
        arrived = g if self.outputs != 1 else [g]
        listener, recorder.active = recorder.active, None
        state = random.get_rng_state()
        before = next_order()
        try:
            if self.random_state is not None:
                random.set_rng_state(self.random_state)
            with enable_grad():
                out = self.function(*self.args, **self.kwargs)
        finally:
            random.set_rng_state(state)
            recorder.active = listener
        results = out if isinstance(out, tuple) else (out,)
        graphs = [x for x in results if _is_recorded(x, before)]
        inner, ways_out = _stretch_of([x._grad_fn for x in graphs], before)
        again = [(x.array.shape, x.array.dtype) for x in graphs]
        known = dict.fromkeys(self.edges)
        if again != list(self.metas) or any([way not in known for way in ways_out]):
            raise RuntimeError(
                "checkpoint: the function did something else when it was called again for backward: "
                "it returned other shapes than the first time, or used other tensors. What it does "
                "must depend on its arguments alone."
            )
        wanted = [(x, grad) for x, grad in zip(graphs, arrived, strict=True) if grad is not None]
        ends = {way: _end(*way) for way in ways_out}
        original = {node: node.edges for node in inner}
        for node, edges in original.items():
            node.edges = tuple([(ends[e], 0) if e is not None and e in ends else e for e in edges])
        try:
            found = run(
                [(x._grad_fn, x._output_nr) for x, _ in wanted],
                [grad for _, grad in wanted],
                retain_graph=on_tensors,
                create_graph=on_tensors,
                targets=[(end, 0) for end in ends.values()],
                accumulate=False,
            )
        finally:
            for node, edges in original.items():
                node.edges = edges  # second derivatives go this way
        came = dict(zip(ends, found, strict=True))
        grads = [came.get(way) if way is not None else None for way in self.edges]
        return [grad if grad is None or on_tensors else grad.array for grad in grads]


def _is_recorded(result: Any, since: int) -> bool:
    """Tell whether something that the function returned was recorded inside it."""
    if not isinstance(result, Tensor):
        return False
    node = result.grad_fn
    return node is not None and result._grad_fn.order > since  # type: ignore[union-attr]


def _stretch_of(nodes: list[Any], since: int) -> tuple[list[Node], list[Edge]]:
    """Return the nodes that are newer than ``since``, and where gradients leave them, each once."""
    out: dict[Edge, None] = {}
    seen: dict[Node, None] = dict.fromkeys(nodes)
    waiting = list(seen)
    while waiting:
        for edge in waiting.pop().edges:
            if edge is None:
                continue
            target = edge[0]
            if not isinstance(target, Node) or target.order <= since:
                out[edge] = None
            elif target not in seen:
                seen[target] = None
                waiting.append(target)
    return list(seen), list(out)


def _end(target: Node | Tensor, number: int) -> Tensor:
    """Return a leaf that stands for a place outside, so that backward stops there."""
    if isinstance(target, Node):
        shape, dtype = target.output_meta(number)
        array = np.broadcast_to(np.zeros((), dtype), shape)
    else:
        array = target.array
    end = new_tensor(array)
    end._requires_grad = True
    return end
