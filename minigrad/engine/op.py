"""How an operation is written: its forward and its vjps, side by side, once.

    mul = Op("MulBackward0", lambda a, b: a * b, a=lambda g, b: g * b, b=lambda g, a: g * a)

The forward works on arrays. For each input that can get a gradient there is a vjp (a
vector-Jacobian product): from ``g``, the gradient of the result, to the gradient of that input.

**What a vjp reads is what the operation saves.** Its parameters are names: those of inputs, ``out``
for the result, ``x_shape`` for the mere shape of an input ``x``, or other arguments of the forward.
So ``x * 2`` saves nothing of ``x`` as long as the 2 needs no gradient, and ``exp`` saves its output.
Which in-place writes are caught follows from this, as in PyTorch.

A vjp is written with operators and methods that arrays and tensors share. Calling an ``Op`` with no
tensor among its arguments just computes; so the same line runs on arrays, and on tensors when the
gradient itself is to be differentiated.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Literal
from weakref import ref

import numpy as np

from . import recorder, views
from .dtypes import Array, get_default_dtype, result_type
from .errors import shapes_do_not_fit
from .graph import Edge, Node, next_order
from .memory import VersionCounter
from .modes import mode
from .tensor import Tensor, new_tensor

_OUT = -1


class Recipe:
    """What one operation keeps, and calls in backward, for one choice of inputs that need gradients.

    ``saved`` are positions of arguments (or ``_OUT``); ``kept`` are (position, attribute) of what is
    no tensor and never freed; ``calls`` are (input, vjp, which of the saved and kept it takes).
    """

    __slots__ = ("calls", "kept", "saved")

    def __init__(self, op: Op, needs: int) -> None:
        wanted = [i for i in range(len(op.inputs)) if needs >> i & 1]
        vjps = [op.joint] if op.joint is not None else [op.vjps[i] for i in wanted]
        names: list[str] = []
        for vjp in vjps:
            assert vjp is not None
            names += [name for name in _parameters(vjp)[1:] if name not in names]
        tensors = [name for name in names if name == "out" or name in op.inputs]
        others = [name for name in names if name not in tensors]
        self.saved = tuple(_OUT if name == "out" else op.inputs.index(name) for name in tensors)
        self.kept = tuple(op.locate(name) for name in others)
        places = tensors + others
        self.calls = tuple(
            (i, vjp, _picker([places.index(name) for name in _parameters(vjp)[1:]], len(places)))
            for i, vjp in zip(wanted, vjps, strict=False)
        )


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


def _picker(places: list[int], available: int) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that takes the items at some places out of a sequence."""
    if places == list(range(available)):
        return tuple
    if len(places) == 1:
        only = places[0]
        return lambda values: (values[only],)
    if not places:
        return lambda values: ()
    return itemgetter(*places)


class Op:
    """One differentiable operation; see the module's text for how it is written.

    Parameters
    ----------
    name
        PyTorch's name of the node, such as ``MulBackward0``.
    forward
        Computes the result from arrays (and plain arguments, which come after the inputs). It
        returns an array, or a tuple of them.
    joint
        Instead of one vjp per input: a single function that returns a gradient for every input.
    outputs
        How many of the results can carry gradients (0: all, however many); unless it is one, ``g``
        is a tuple.
    view
        True if the result looks into the memory of the first input.
    types
        ``"one"`` if the inputs are brought to one dtype and broadcast against each other; ``"float"``
        if, beyond that, integers become the default float type.
    vjps
        A vjp per input, under the input's name, in the forward's order; None for an input that is
        a tensor but has no gradient (a condition, an index).
    """

    __slots__ = (
        "arguments",
        "forward",
        "inputs",
        "joint",
        "name",
        "outputs",
        "recipes",
        "types",
        "view",
        "vjps",
    )

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        *,
        joint: Callable[..., Any] | None = None,
        inputs: tuple[str, ...] = (),
        outputs: int = 1,
        view: bool = False,
        types: Literal["as given", "one", "float"] = "as given",
        **vjps: Callable[..., Any] | None,
    ) -> None:
        self.name = name
        self.forward = forward
        self.joint = joint
        self.inputs = inputs or tuple(vjps)
        self.vjps = tuple(vjps.values()) or (joint,) * len(inputs)
        self.outputs = outputs
        self.view = view
        self.types = types
        self.recipes: dict[int, Recipe] = {}
        code = getattr(forward, "__code__", None)
        self.arguments = self.inputs if code is None else _parameters(forward)
        assert self.inputs == self.arguments[: len(self.inputs)], name

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def recipe(self, needs: int) -> Recipe:
        """Return what to keep and call when these inputs need gradients."""
        found = self.recipes.get(needs)
        if found is None:
            found = self.recipes[needs] = Recipe(self, needs)
        return found

    def locate(self, name: str) -> tuple[int, str]:
        """Return where a vjp's parameter that is no tensor comes from: (argument, attribute)."""
        arguments = self.arguments
        if name in arguments:
            return arguments.index(name), ""
        stem, _, attribute = name.rpartition("_")
        return arguments.index(stem), attribute

    def __call__(self, *args: Any) -> Any:
        """Compute, and record if an input requires a gradient."""
        if not any([isinstance(arg, Tensor) for arg in args]):
            return self.forward(*args)
        needs = self.needs(args) if mode.enabled else 0
        out = self.compute(args)
        if type(out) is tuple:
            return self._several(args, out, needs)
        result = views.view_of(args[0], out, self, args[1:]) if self.view else new_tensor(out)
        if needs:
            result._grad_fn = record(self, args, needs, result)
            result._requires_grad = True
        if recorder.active is not None:
            recorder.active.op(self, args, result)
        return result

    def needs(self, args: tuple[Any, ...]) -> int:
        """Return which of the inputs require a gradient, as bits."""
        needs = 0
        for i, (arg, vjp) in enumerate(zip(args, self.vjps, strict=False)):
            if isinstance(arg, Tensor):
                if arg._view is not None:
                    views.refresh(arg)
                if arg._requires_grad and vjp is not None:
                    needs |= 1 << i
        return needs

    def compute(self, args: tuple[Any, ...]) -> Any:
        """Return the forward's result on the arrays behind ``args``."""
        arrays = [arg.array if isinstance(arg, Tensor) else arg for arg in args]
        if self.types == "as given":
            return self.forward(*arrays)
        try:
            return self.forward(*_one_type(arrays, len(self.inputs), self.types == "float"))
        except ValueError as error:
            raise shapes_do_not_fit(arrays, error) from None

    def _several(self, args: tuple[Any, ...], outs: tuple[Array, ...], needs: int) -> Any:
        """Wrap several results of one node; only the first ``outputs`` of them carry gradients."""
        if self.view:
            results = views.views_of(args[0], outs, self, args[1:])
        else:
            results = tuple([new_tensor(out) for out in outs])
        if needs:
            node = record(self, args, needs, results[0])
            if self.outputs != 1:
                node.metas = tuple([(out.shape, out.dtype) for out in outs])
            for number, result in enumerate(results[: self.outputs or None]):
                result._grad_fn = node
                result._output_nr = number
                result._requires_grad = True
        if recorder.active is not None:
            recorder.active.op(self, args, results)
        return results


def _one_type(arrays: list[Any], count: int, floating: bool) -> list[Any]:
    """Bring the operands of an elementwise operation to their common type."""
    operands = arrays[:count]
    common = result_type(operands)
    if floating and not common.is_floating_point:
        common = get_default_dtype()
    target = common.numpy
    cast = [
        each.astype(target, copy=False) if isinstance(each, np.ndarray) else target.type(each)
        for each in operands
    ]
    return cast + arrays[count:]


def saves(op: Op, needs: int, place: int) -> bool:
    """Tell whether the operation would save its argument at ``place``."""
    return place in op.recipe(needs).saved


class OpNode(Node):
    """A recorded ``Op``: which one, for which inputs, and what it kept beside the saved tensors."""

    __slots__ = ("kept", "op", "recipe", "unrecorded")

    op: Op
    recipe: Recipe
    kept: tuple[Any, ...]
    unrecorded: tuple[tuple[int, ref[Tensor]], ...]
    """Inputs that need no gradient, weakly: for pictures, which show that their values went in."""

    metas: tuple[tuple[tuple[int, ...], Any], ...] = ()

    @property
    def outputs(self) -> int:  # type: ignore[override]
        """How many results of the operation gradients can come back through."""
        return len(self.metas) or 1

    @property
    def fresh(self) -> bool:  # type: ignore[override]
        """Whether each gradient is new memory: so it is where every input has a vjp of its own."""
        return self.op.joint is None

    def renew_result(self, written: Tensor) -> None:
        """Take the written tensor's present version for a saved result: after an in-place write."""
        counter = written._counter
        assert counter is not None
        self.versions = tuple(
            [
                counter.version if place == _OUT else version
                for place, version in zip(self.recipe.saved, self.versions, strict=True)
            ]
        )

    def name(self) -> str:
        """Return the operation's name as PyTorch gives it."""
        return self.op.name

    def output_meta(self, number: int) -> tuple[tuple[int, ...], Any]:
        """Return the shape and numpy dtype of one output."""
        return self.metas[number] if self.metas else (self.shape, self.dtype)

    def pull(self, g: Any, on_tensors: bool) -> tuple[Any, ...]:
        """Return a gradient for each edge; see ``Node.pull``."""
        recipe = self.recipe
        saved = self.saved
        assert saved is not None
        if on_tensors:
            values = self.unpack()
        else:
            values = [e.array if v >= 0 else e for e, v in zip(saved, self.versions, strict=True)]
        values += self.kept
        if self.op.joint is not None:
            return self.op.joint(g, *recipe.calls[0][2](values))  # type: ignore[no-any-return]
        grads: list[Any] = [None] * len(self.edges)
        for i, vjp, pick in recipe.calls:
            grads[i] = vjp(g, *pick(values))
        return tuple(grads)

    def unpack(self) -> list[Any]:
        """Return what was saved, as tensors with their history (a saved result leads back here)."""
        assert self.saved is not None
        values = []
        for entry, version, place in zip(self.saved, self.versions, self.recipe.saved, strict=True):
            if version >= 0 and place == _OUT:
                entry = entry.detach()
                entry._grad_fn, entry._requires_grad = self, True
            values.append(entry)
        return values


def record(op: Op, args: tuple[Any, ...], needs: int, result: Tensor) -> OpNode:
    """Make the node of an operation: its edges, and what its vjps will read."""
    recipe = op.recipe(needs)
    node = OpNode()
    node.op = op
    node.recipe = recipe
    edges: list[Edge | None] = []
    unrecorded = ()
    for i, arg in enumerate(args[: len(op.inputs)]):
        if needs >> i & 1:
            edges.append((arg._grad_fn or arg, arg._output_nr))
        else:
            edges.append(None)
            if isinstance(arg, Tensor):
                unrecorded = (*unrecorded, (i, ref(arg)))
    node.edges = tuple(edges)
    node.unrecorded = unrecorded
    saved = []
    versions = []
    for place in recipe.saved:
        entry = args[place] if place >= 0 else _alias(result)
        saved.append(entry)
        if isinstance(entry, Tensor):
            counter = entry._counter
            versions.append(counter.version if counter is not None else 0)
        else:
            versions.append(-1)
    node.saved = tuple(saved)
    node.versions = tuple(versions)
    node.kept = tuple(
        [args[i] if not name else getattr(args[i], name) for i, name in recipe.kept]
    )
    array = result.array
    node.shape = array.shape
    node.dtype = array.dtype
    node.hooks = None
    node.order = next_order()
    return node


def _alias(result: Tensor) -> Tensor:
    """Return the result's values for saving, without its history: else it would hold itself."""
    if result._counter is None:
        result._counter = VersionCounter()
    alias = new_tensor(result.array)
    alias._counter = result._counter
    return alias
