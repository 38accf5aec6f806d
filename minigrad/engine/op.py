"""How an operation is written: its forward and its vjps, side by side, once.

    mul = Op("MulBackward0", lambda a, b: a * b, a=lambda g, b: g * b, b=lambda g, a: g * a)

The forward works on arrays. For each input that can get a gradient there is a vjp (a
vector-Jacobian product): from ``g``, the gradient of the result, to the gradient of that input.

**What a vjp reads is what the operation saves.** Its parameters are names: those of inputs, ``out``
for the result (``out1`` for a second one), ``x_shape`` for the mere shape of an input ``x``, or other arguments of the forward.
So ``x * 2`` saves nothing of ``x`` as long as the 2 needs no gradient, and ``exp`` saves its
output. Which in-place writes are caught follows from this, as in PyTorch.

A vjp is written with operators and methods that arrays and tensors share. Calling an ``Op`` with no
tensor among its arguments just computes; so the same line runs on arrays, and on tensors when the
gradient itself is to be differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context
from functools import cache
from operator import itemgetter
from typing import Any, Literal
from weakref import ref

import numpy as np

from . import recorder, views
from .dtypes import Array, common_type, get_default_dtype
from .errors import does_not_fit, left_graph, stale
from .graph import FREED_MESSAGE, Node, next_order
from .memory import INFERENCE, VersionCounter
from .modes import mode
from .tensor import Tensor, new_tensor

# Division by zero and the like give inf and nan without a word, as in PyTorch: numpy computes in a
# context of its own where it does not warn. (That costs far less than switching its warnings off and
# on again around every operation.)
_quiet = Context()
_quiet.run(np.seterr, all="ignore")
quietly = _quiet.run

_OUT = -1
_SAVED_NAMES = {"self": 0, "other": 1, "exponent": 1, "mat2": 1, "result": _OUT}
"""PyTorch's names for the first two inputs and the result, among what a node saved."""
_RESULTS = {"out": _OUT, "out1": _OUT - 1}
_NUMBERS = (float, int)
_new: Any = object.__new__
_ndarray = np.ndarray
_UNTOUCHED = _FIRST = (0, 0)
_RESULT = (_OUT,)
_NOT_WRITTEN = (0,)


class Recipe:
    """What one operation keeps, and calls in backward, for one choice of inputs that need gradients.

    ``saved`` are positions of arguments (below 0: of results, from ``_OUT`` down); ``kept`` are (position, attribute) of what
    is no tensor and never freed; ``calls`` are (input, vjp, which of saved and kept it reads), and
    ``short`` the same where no vjp reads more than one of them: (input, vjp, where), with ``where``
    a place in saved, -1 for nothing to read, -2 and down for the places in kept.
    ``take`` takes several saved arguments at once; ``untouched`` are versions of memory that nobody
    has written yet.
    """

    __slots__ = ("both", "calls", "kept", "node", "saved", "short", "take", "untouched")

    def __init__(self, op: Op, needs: int) -> None:
        self.node = node_class(op.name)
        wanted = [i for i in range(len(op.inputs)) if needs >> i & 1]
        chosen = [op.joint] if op.joint is not None else [op.vjps[i] for i in wanted]
        vjps = [vjp for vjp in chosen if vjp is not None]
        names: list[str] = []
        for vjp in vjps:
            names += [name for name in _parameters(vjp)[1:] if name not in names]
        tensors = [name for name in (*op.inputs, *_RESULTS) if name in names]
        others = [name for name in names if name not in tensors]
        self.saved = tuple(
            _RESULTS[name] if name in _RESULTS else op.inputs.index(name) for name in tensors
        )
        self.kept = tuple(op.locate(name) for name in others)
        results = any([place < 0 for place in self.saved])
        self.take = itemgetter(*self.saved) if len(self.saved) > 1 and not results else None
        self.untouched = (0,) * len(self.saved)
        self.both = self.saved == (0, 1)
        places = tensors + others
        self.calls = tuple(
            (i, vjp, tuple(places.index(name) for name in _parameters(vjp)[1:]))
            for i, vjp in zip(wanted, vjps, strict=False)
        )
        short = [
            (i, vjp, _short_place(reads, len(self.saved)) if reads else -1)
            for i, vjp, reads in self.calls
        ]
        alone = all([len(reads) < 2 for _, _, reads in self.calls])
        self.short = short if alone and op.joint is None else []


def _short_place(reads: tuple[int, ...], count: int) -> int:
    """Return the place of a saved thing as it is, that of a kept one counting down from -2."""
    return reads[0] if reads[0] < count else -2 - (reads[0] - count)


class Named:
    """A forward or vjp of any number of inputs, with names for its parameters."""

    __slots__ = ("function", "parameters")

    def __init__(self, function: Callable[..., Any], parameters: tuple[str, ...]) -> None:
        self.function = function
        self.parameters = parameters

    def __call__(self, *args: Any) -> Any:
        """Call the function."""
        return self.function(*args)


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a forward's or vjp's parameters; none of one of numpy's own functions."""
    if isinstance(function, Named):
        return function.parameters
    code = getattr(function, "__code__", None)
    return code.co_varnames[: code.co_argcount] if code is not None else ()


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
    into
        The forward once more, with its result written to ``out``: for in-place operations. numpy's
        own functions know how; any other forward is computed aside and copied.
    outputs
        How many of the results can carry gradients (0: all, however many); unless it is one, ``g``
        is a tuple.
    view
        True if the result looks into the memory of the first input.
    types
        ``"one"`` if the inputs are brought to one dtype and broadcast against each other;
        ``"float"`` if, beyond that, integers become the default float type.
    vjps
        A vjp per input, under the input's name, in the forward's order; None for an input that is
        a tensor but has no gradient (a condition, an index).
    """

    __slots__ = (
        "arguments",
        "count",
        "differentiable",
        "forward",
        "inputs",
        "into",
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
        into: Callable[..., Any] | None = None,
        outputs: int = 1,
        view: bool = False,
        types: Literal["as given", "one", "float"] = "as given",
        **vjps: Callable[..., Any] | None,
    ) -> None:
        self.name = name
        self.forward = forward
        self.into = into or (forward if isinstance(forward, np.ufunc) else None)
        self.joint = joint
        self.inputs = inputs or tuple(vjps)
        self.vjps = tuple(vjps.values()) or (joint,) * len(inputs)
        self.count = len(self.inputs)
        self.differentiable = sum([1 << i for i, vjp in enumerate(self.vjps) if vjp is not None])
        self.outputs = outputs
        self.view = view
        self.types = types
        self.recipes: dict[int, Recipe] = {}
        self.arguments = _parameters(forward) or self.inputs
        assert self.inputs == self.arguments[: len(self.inputs)], name
        assert not any([each in _RESULTS for each in self.inputs]), name

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
        arrays = []
        needs = 0
        found = False
        bit = 1
        for arg in args:
            if isinstance(arg, Tensor):
                found = True
                arrays.append(arg.array)
                if arg._view is not None:
                    views.before_use(arg)
                if arg._requires_grad:
                    needs |= bit
            else:
                arrays.append(arg)
            bit += bit
        if not found:
            return self.forward(*args)
        if self.types == "as given":
            try:
                out = quietly(self.forward, *arrays)
            except (TypeError, ValueError) as error:
                raise does_not_fit(arrays, error) from None
            except RuntimeError as error:
                out = once_more(error, self.forward, *arrays)
        else:
            out = self.typed(arrays)
        needs &= self.differentiable
        if type(out) is tuple:
            return self._several(args, out, needs if mode.enabled else 0)
        result = views.view_of(args[0], out, self, args[1:]) if self.view else new_tensor(out)
        if needs and mode.enabled:
            result._grad_fn = record(self, args, needs, result)
            result._requires_grad = True
        if recorder.active is not None:
            recorder.active.op(self, args, result)
        return result

    def needs(self, args: tuple[Any, ...]) -> int:
        """Return which of the inputs require a gradient, as bits."""
        needs = 0
        for i, arg in enumerate(args):
            if isinstance(arg, Tensor):
                if arg._view is not None:
                    views.before_use(arg)
                if arg._requires_grad:
                    needs |= 1 << i
        return needs & self.differentiable

    def compute(self, args: tuple[Any, ...]) -> Any:
        """Return the forward's result on the arrays behind ``args``."""
        arrays = [arg.array if isinstance(arg, Tensor) else arg for arg in args]
        if self.types != "as given":
            return self.typed(arrays)
        try:
            return quietly(self.forward, *arrays)
        except (TypeError, ValueError) as error:
            raise does_not_fit(arrays, error) from None
        except RuntimeError as error:
            return once_more(error, self.forward, *arrays)

    def typed(self, arrays: list[Any]) -> Any:
        """Return the forward's result on operands brought to one dtype."""
        try:
            arrays = _one_type(arrays, self.count, self.types == "float")
            return quietly(self.forward, *arrays)
        except (TypeError, ValueError) as error:
            raise does_not_fit(arrays, error) from None
        except RuntimeError as error:
            return once_more(error, self.forward, *arrays)

    def _several(self, args: tuple[Any, ...], outs: tuple[Array, ...], needs: int) -> Any:
        """Wrap several results of one node; only the first ``outputs`` of them carry gradients."""
        if self.view:
            results = views.views_of(args[0], outs, self, args[1:])
        else:
            results = tuple([new_tensor(out) for out in outs])
        if needs:
            node = record(self, args, needs, *results[:2])
            if self.outputs != 1:
                node.outputs = self.outputs or len(outs)
                if node.outputs > 1:
                    node.shape = (-1,)  # a shape that no gradient has: each output has its own
                node.metas = tuple([(out.shape, out.dtype) for out in outs])
            for number in range(node.outputs):
                results[number]._grad_fn = node
                results[number]._output_nr = number
                results[number]._requires_grad = True
        if recorder.active is not None:
            recorder.active.op(self, args, results)
        return results


class Unary(Op):
    """An elementwise operation of one tensor, with a short way of its own."""

    __slots__ = ()

    def __call__(self, a: Any) -> Any:
        """Compute, and record if the operand requires a gradient."""
        return self.apply(a) if isinstance(a, Tensor) else self.forward(a)

    def apply(self, a: Tensor) -> Tensor:
        """Do what a call does, for a tensor; see ``Binary.apply``."""
        x = a.array
        if a._view is not None:
            views.before_use(a)
        try:
            if self.types == "float" and x.dtype.kind != "f":
                out = self.typed([x])
            else:
                out = quietly(self.forward, x)
        except TypeError as error:
            raise does_not_fit([x], error) from None
        except RuntimeError as error:
            out = once_more(error, self.forward, x)
        result = _new(Tensor)
        result.array = out if type(out) is _ndarray else np.asarray(out)
        result._output_nr = 0
        result._view = result._counter = result._storage = None
        if a._requires_grad and mode.enabled:
            result._requires_grad = True
            recipe = self.recipes.get(1) or self.recipe(1)
            result._grad_fn = node = recipe.node()
            node.op = self
            node.recipe = recipe
            node.targets = (a._grad_fn or a,)
            node.numbers = (a._output_nr,)
            node.unrecorded = node.kept = ()
            saved = recipe.saved
            if not saved:
                node.saved = node.versions = ()
            elif saved == _RESULT:
                node.saved = (_alias(result),)
                node.versions = _NOT_WRITTEN
            else:
                keep(node, recipe, (a,), result)
            node.shape = out.shape
            node.dtype = out.dtype
            node.hooks = None
            node.order = next_order()
        else:
            result._requires_grad = False
            result._grad_fn = None
            if mode.inference:
                result._counter = INFERENCE
        if recorder.active is not None:
            recorder.active.op(self, (a,), result)
        return result


class Binary(Op):
    """An elementwise operation of two operands of one dtype, with a short way of its own.

    It is the commonest kind: this is what a chain of small operations waits for.
    """

    __slots__ = ()

    def __call__(self, a: Any, b: Any) -> Any:
        """Compute, and record if an operand requires a gradient."""
        return self.apply(a, b)

    def apply(self, a: Any, b: Any) -> Any:
        """Do what a call does: a method is called faster than an instance.

        Everything that happens to the two operands stands here in one piece, since each call to
        another function would cost as much as the arithmetic of a small tensor.
        """
        needs = 0
        x, y = a, b
        if isinstance(a, Tensor):
            x = a.array
            if a._view is not None:
                views.before_use(a)
            if a._requires_grad:
                needs = 1
        elif not isinstance(b, Tensor):
            return self.forward(a, b)
        if isinstance(b, Tensor):
            y = b.array
            if b._view is not None:
                views.before_use(b)
            if b._requires_grad:
                needs |= 2
        if (
            x.dtype is y.dtype
            if type(x) is type(y)
            else type(y) in _NUMBERS and x.dtype.kind == "f"
        ):
            try:
                out = quietly(self.forward, x, y)
            except (TypeError, ValueError) as error:
                raise does_not_fit([x, y], error) from None
            except RuntimeError as error:
                out = once_more(error, self.forward, x, y)
        else:
            out = self.typed([x, y])
        result = _new(Tensor)
        result.array = out if type(out) is _ndarray else np.asarray(out)
        result._output_nr = 0
        result._view = result._counter = result._storage = None
        needs &= self.differentiable
        if needs and mode.enabled:
            result._requires_grad = True
            recipe = self.recipes.get(needs) or self.recipe(needs)
            result._grad_fn = node = recipe.node()
            node.op = self
            node.recipe = recipe
            node.numbers = _FIRST
            if needs == 3:
                node.targets = (a._grad_fn or a, b._grad_fn or b)
                if a._output_nr or b._output_nr:
                    node.numbers = (a._output_nr, b._output_nr)
                node.unrecorded = ()
            elif needs == 1:
                node.targets = (a._grad_fn or a, None)
                if a._output_nr:
                    node.numbers = (a._output_nr, 0)
                node.unrecorded = ((1, ref(b)),) if isinstance(b, Tensor) else ()
            else:
                node.targets = (None, b._grad_fn or b)
                if b._output_nr:
                    node.numbers = (0, b._output_nr)
                node.unrecorded = ((0, ref(a)),) if isinstance(a, Tensor) else ()
            node.kept = ()
            if not recipe.saved:
                node.saved = node.versions = ()
            elif needs == 3 and recipe.both and a._counter is None and b._counter is None:
                node.saved = (a, b)
                node.versions = _UNTOUCHED
            else:
                keep(node, recipe, (a, b), result)
            node.shape = out.shape
            node.dtype = out.dtype
            node.hooks = None
            node.order = next_order()
        else:
            result._requires_grad = False
            result._grad_fn = None
            if mode.inference:
                result._counter = INFERENCE
        if recorder.active is not None:
            recorder.active.op(self, (a, b), result)
        return result


def once_more(error: RuntimeError, forward: Callable[..., Any], *args: Any) -> Any:
    """Compute where the quiet context was taken, by another thread; raise if that is not it."""
    if "cannot enter context" not in str(error):
        raise error
    with np.errstate(all="ignore"):
        return forward(*args)


def _one_type(arrays: list[Any], count: int, floating: bool) -> list[Any]:
    """Bring the operands of an elementwise operation to their common type."""
    first = arrays[0]
    for each in arrays[:count]:
        if not isinstance(each, np.ndarray) or each.dtype is not first.dtype:
            break
    else:
        if not floating or first.dtype.kind == "f":
            return arrays
    operands = arrays[:count]
    common = common_type(operands)
    if floating and not common.is_floating_point:
        common = get_default_dtype()
    target = common.numpy
    cast = [
        each.astype(target, copy=False)
        if isinstance(each, np.ndarray)
        else np.asarray(each).astype(target)[()]  # as in C++, it wraps round what is out of range
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
    def fresh(self) -> bool:  # type: ignore[override]
        """Whether each gradient is new memory: so it is where every input has a vjp of its own."""
        return self.op.joint is None

    def check(self) -> None:
        """Raise if what was saved is freed or was overwritten; see ``Node.check``."""
        saved = self.saved
        if saved is None:
            raise RuntimeError(FREED_MESSAGE)
        versions = self.versions
        for i, entry in enumerate(saved):
            if isinstance(entry, Tensor):
                counter = entry._counter
                if counter is None:
                    continue
                if versions[i] >= 0 and counter.version != versions[i]:
                    raise stale(self, entry, versions[i])
                if entry._left_graph:
                    place = self.recipe.saved[i]
                    if place >= 0 and isinstance(self.targets[place], Node):
                        raise left_graph(entry)

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

    def __getattr__(self, name: str) -> Any:
        """Return what was saved, as ``_saved_self``, ``_saved_other`` or ``_saved_result``.

        None for what the vjps do not need; RuntimeError once it is freed or overwritten.
        """
        word = name.removeprefix("_saved_")
        inputs = {each: place for place, each in enumerate(self.op.inputs)} if word != name else {}
        place = inputs.get(word, _SAVED_NAMES.get(word) if inputs else None)
        if place is None:
            raise AttributeError(f"{self.op.name!r} object has no attribute {name!r}")
        self.check()
        return dict(zip(self.recipe.saved, self.unpack(), strict=True)).get(place)

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Where gradients go from here; an input without a vjp (an index, a mask) is not shown."""
        shown = zip(super().next_functions, self.op.vjps, strict=True)
        return tuple([each for each, vjp in shown if vjp is not None])

    def output_meta(self, number: int) -> tuple[tuple[int, ...], Any]:
        """Return the shape and numpy dtype of one output."""
        return self.metas[number] if self.metas else (self.shape, self.dtype)

    def pull(self, g: Any, on_tensors: bool) -> Sequence[Any]:
        """Return a gradient for each edge; see ``Node.pull``."""
        recipe = self.recipe
        saved = self.saved
        assert saved is not None
        grads: list[Any] = [None] * len(self.targets)
        if self.outputs == 1 and self.op.outputs != 1:
            g = (g,)  # of several results that might have been, there is one
        if on_tensors:
            values = self.unpack()
        else:
            values = [e.array if isinstance(e, Tensor) else e for e in saved]
        values += self.kept
        if self.op.joint is not None:
            _, vjp, places = recipe.calls[0]
            return vjp(g, *[values[place] for place in places])
        for i, vjp, places in recipe.calls:
            grads[i] = vjp(g, *[values[place] for place in places])
        return grads

    def unpack(self) -> list[Any]:
        """Return what was saved, as tensors with their history (a saved result leads back here)."""
        assert self.saved is not None
        values = []
        for entry, version, place in zip(self.saved, self.versions, self.recipe.saved, strict=True):
            if version >= 0 and place < 0 and _OUT - place < self.outputs:
                entry = entry.detach()
                entry._grad_fn, entry._requires_grad = self, True
                entry._output_nr = _OUT - place
            values.append(entry)
        return values


@cache
def node_class(name: str) -> type[OpNode]:
    """Return the class of the nodes of one name, so that ``type(grad_fn)`` says it, as in PyTorch."""
    return type(name, (OpNode,), {"__slots__": (), "__module__": OpNode.__module__})


def record(
    op: Op, args: tuple[Any, ...], needs: int, result: Tensor, second: Tensor | None = None
) -> OpNode:
    """Make the node of an operation: its edges, and what its vjps will read."""
    recipe = op.recipes.get(needs) or op.recipe(needs)
    node = recipe.node()
    node.op = op
    node.recipe = recipe
    targets: list[Node | Tensor | None] = []
    numbers: list[int] = []
    node.unrecorded = ()
    bit = 1
    for arg in args[: op.count]:
        if needs & bit:
            targets.append(arg._grad_fn or arg)
            numbers.append(arg._output_nr)
        else:
            if isinstance(arg, Tensor):
                node.unrecorded += ((len(targets), ref(arg)),)
            targets.append(None)
            numbers.append(0)
        bit += bit
    node.targets = tuple(targets)
    node.numbers = tuple(numbers)
    keep(node, recipe, args, result, second)
    array = result.array
    node.shape = array.shape
    node.dtype = array.dtype
    node.hooks = None
    node.order = next_order()
    return node


def keep(
    node: OpNode,
    recipe: Recipe,
    args: tuple[Any, ...],
    result: Tensor,
    second: Tensor | None = None,
) -> None:
    """Keep in the node what its vjps will read, with the versions it has now."""
    if recipe.take is not None:
        node.saved = saved = recipe.take(args)
    else:
        node.saved = saved = tuple(
            [
                args[place] if place >= 0 else _alias(result if place == _OUT else second)
                for place in recipe.saved
            ]
        )
    node.versions = recipe.untouched
    for entry in saved:
        if not isinstance(entry, Tensor) or entry._counter is not None:
            node.versions = tuple([_version(each) for each in saved])
            break
    kept = recipe.kept
    if kept:
        kept = tuple([args[i] if not name else getattr(args[i], name) for i, name in kept])
    node.kept = kept


def _version(entry: Any) -> int:
    """Return the present version of a tensor to be saved; -1 for a number."""
    if isinstance(entry, Tensor):
        counter = entry._counter
        if counter is INFERENCE:
            raise RuntimeError(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
                "inference mode in computation tracked by autograd. To work around this, you can make "
                "a clone to get a normal tensor and use it in autograd, or use `minigrad.no_grad()` "
                "instead of `minigrad.inference_mode()`."
            )
        return counter.version if counter is not None else 0
    return -1


def _alias(result: Any) -> Tensor:
    """Return the result's values for saving, without its history: else it would hold itself."""
    counter = result._counter
    if counter is None:
        counter = result._counter = VersionCounter()
    alias = _new(Tensor)
    alias.array = result.array
    alias._requires_grad = False
    alias._output_nr = 0
    alias._grad_fn = alias._view = alias._storage = None
    alias._counter = counter
    return alias
