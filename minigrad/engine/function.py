"""Operations of one's own: a ``Function`` says what to compute, and what its gradient is.

    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    y = Square.apply(x)

``forward`` runs unrecorded: whatever happens in it, the graph shows one node. That node's
``ctx`` carries notes from forward to backward, and is what the result shows as its ``grad_fn``.
Mirrors ``torch.autograd.Function``.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from . import recorder, views
from .errors import shape_text
from .graph import FREED_MESSAGE, Node, next_order
from .inplace import bump, leaf_is_written
from .memory import VersionCounter
from .modes import mode
from .tensor import Tensor, new_tensor


class FunctionCtx:
    """What ``forward`` and ``backward`` of one application share.

    Any attribute may be set on it. Tensors go through ``save_for_backward``, so that backward
    notices when they were overwritten, and so that they are freed with the graph.
    """

    _forward_class: ClassVar[type[Function]]

    def __init__(self) -> None:
        self._node: FunctionNode | None = None
        self._to_save: tuple[Any, ...] = ()
        self._dirty: tuple[Tensor, ...] = ()
        self._constant: tuple[Tensor, ...] = ()
        self._materialize = True
        self.needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward, with the versions they have when forward returns."""
        for place, each in enumerate(tensors):
            if each is not None and not isinstance(each, Tensor):
                raise TypeError(
                    "save_for_backward can only save variables, but argument "
                    f"{place} is of type {type(each).__name__}: keep what is no tensor as an "
                    "attribute, such as ctx.factor = factor"
                )
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for forward-mode derivatives, which are not computed here: does nothing."""

    def mark_dirty(self, *inputs: Tensor) -> None:
        """Say which inputs ``forward`` wrote in place; they have to be among its results."""
        self._dirty = inputs

    def mark_non_differentiable(self, *outputs: Tensor) -> None:
        """Say which results get no gradient, such as indices."""
        self._constant = outputs

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether backward gets zeros (True, the default) or None for an unused result."""
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What ``save_for_backward`` kept; RuntimeError if it was freed or overwritten."""
        return () if self._node is None else self._node.unpacked()

    saved_variables = saved_tensors

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Where gradients go from here; see ``Node.next_functions``."""
        return () if self._node is None else self._node.next_functions

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dictionary for the user's own notes on this node."""
        return {} if self._node is None else self._node.metadata

    def name(self) -> str:
        """Return the name of the Function with ``Backward`` behind, as the graph shows it."""
        return type(self).__name__

    def register_hook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` after backward; see ``Node.register_hook``."""
        assert self._node is not None, "forward has not returned yet"
        return self._node.register_hook(hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(grad_outputs)`` before backward; see ``Node.register_prehook``."""
        assert self._node is not None, "forward has not returned yet"
        return self._node.register_prehook(hook)

    def __repr__(self) -> str:
        return f"<{self.name()}>"


class Function:
    """The base of one's own operations: write ``forward`` and ``backward``, and call ``apply``.

    Either ``forward(ctx, *args)``, or ``forward(*args)`` together with
    ``setup_context(ctx, inputs, output)``. ``backward(ctx, *grads)`` gets a gradient for each result
    and returns one for each argument of forward: None for those that are no tensors.
    """

    _ctx_class: ClassVar[type[FunctionCtx]]
    name: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = f"{cls.__name__}Backward"
        cls._ctx_class = type(cls.name, (FunctionCtx,), {"_forward_class": cls})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, "
            "so you should invoke them on the class itself. Instantiating an autograd function will "
            "raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: operations are applied through the class."""
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use "
            "new-style autograd function with static forward method: call "
            f"{type(self).__name__}.apply(...) on the class, not an instance."
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the results; to be written by the subclass."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Note in ``ctx`` what backward needs, if ``forward`` is written without ``ctx``."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradients of the arguments; to be written by the subclass."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Compute, and record if an argument requires a gradient."""
        ctx = cls._ctx_class()
        tensors = [arg for arg in args if isinstance(arg, Tensor)]
        for tensor in tensors:
            if tensor._view is not None:
                views.before_use(tensor)
        ctx.needs_input_grad = tuple(
            [isinstance(arg, Tensor) and arg.requires_grad for arg in args]
        )
        recorded = mode.enabled and any(ctx.needs_input_grad)
        earlier, mode.enabled = mode.enabled, False
        try:
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        finally:
            mode.enabled = earlier
        outputs = output if isinstance(output, tuple) else (output,)
        node = FunctionNode(cls, ctx, args) if recorded else None
        results = tuple([_result(each, ctx, node, tensors) for each in outputs])
        for dirty in ctx._dirty:
            bump(dirty, "mark_dirty")
            if not any([dirty is each for each in outputs]):
                warnings.warn(
                    "Only input Tensors that have been mutated should be passed to "
                    "ctx.mark_dirty(), and they have to be returned.",
                    UserWarning,
                    stacklevel=2,
                )
        if node is not None:
            node.finish(results)
        if recorder.active is not None:
            recorder.active.op(cls, args, results if isinstance(output, tuple) else results[0])
        return results if isinstance(output, tuple) else results[0]


def _result(
    value: Any, ctx: FunctionCtx, node: FunctionNode | None, tensors: Sequence[Tensor]
) -> Any:
    """Return what ``apply`` returns for one thing that ``forward`` returned.

    The rules are PyTorch's: a result that requires no gradient is plain; an input that comes back
    as it was is returned as a view of itself; one that was written in place stays the same tensor,
    with a new history.
    """
    if not isinstance(value, Tensor):
        return value
    given = any([value is each for each in tensors])
    written = any([value is each for each in ctx._dirty])
    constant = any([value is each for each in ctx._constant])
    if node is None or constant or not value.is_floating_point():
        if given and not written:
            return value.detach() if node is not None else _again(value)
        if value.requires_grad and node is not None:
            value.detach_()
        return value
    if written:
        if given and value._requires_grad and value._grad_fn is None and value._view is None:
            raise leaf_is_written()
        return value
    if given:
        value = _again(value)
    if value._view is not None:
        value._view.creation = "function"
    return value


def _again(value: Tensor) -> Tensor:
    """Return a view of the whole tensor, not recorded: an input that was returned as it is."""
    earlier, mode.enabled = mode.enabled, False
    try:
        result = value.view_as(value)
    finally:
        mode.enabled = earlier
    return result


_NO_TENSOR = ((), np.dtype(np.float32))
"""The shape and dtype of a result that is no tensor: no gradient ever comes back through it."""


class FunctionNode(Node):
    """The node of one application: it calls the Function's ``backward``."""

    __slots__ = ("arguments", "ctx", "function", "metas", "outputs", "places")

    def __init__(self, function: type[Function], ctx: FunctionCtx, args: tuple[Any, ...]) -> None:
        self.function = function
        self.ctx = ctx
        self.places = tuple([i for i, arg in enumerate(args) if isinstance(arg, Tensor)])
        self.arguments = len(args)
        inputs = [args[i] for i in self.places]
        self.targets = tuple([(t._grad_fn or t) if t._requires_grad else None for t in inputs])
        self.numbers = tuple([t._output_nr if t._requires_grad else 0 for t in inputs])
        self.saved = ()
        self.versions = ()
        self.hooks = None
        self.order = next_order()

    def finish(self, results: tuple[Any, ...]) -> None:
        """Become the history of the results, and keep what ``forward`` asked to be saved."""
        self.outputs = len(results)
        metas: list[Any] = []
        for number, result in enumerate(results):
            if not isinstance(result, Tensor):
                metas.append(_NO_TENSOR)
                continue
            metas.append((result.array.shape, result.array.dtype))
            if any([result is each for each in self.ctx._constant]):
                continue
            if result.is_floating_point():
                written = any([result is each for each in self.ctx._dirty])
                if written and result._view is not None:
                    views.rebase(result, self)
                else:
                    result._grad_fn = self
                    result._output_nr = number
                    result._requires_grad = True
                    if result._view is not None:
                        result._view.version = result._version
        self.metas = tuple(metas)
        self.shape, self.dtype = metas[0] if len(metas) == 1 else ((), None)
        entries = [_kept(each, results) for each in self.ctx._to_save]
        self.saved = tuple(entries)
        self.versions = tuple([-1 if entry is None else entry[0]._version for entry in entries])
        self.ctx._to_save = ()
        self.ctx._node = self

    @property
    def face(self) -> FunctionCtx:
        """What stands for this node as a ``grad_fn``: its ``ctx``."""
        return self.ctx

    def name(self) -> str:
        """Return the name of the Function with ``Backward`` behind."""
        return self.ctx.name()

    def output_meta(self, number: int) -> tuple[tuple[int, ...], Any]:
        """Return the shape and numpy dtype of one output."""
        return self.metas[number]

    def check(self) -> None:
        """Do nothing: as in PyTorch, ``ctx.saved_tensors`` checks when backward reads it."""

    def unpacked(self) -> tuple[Tensor | None, ...]:
        """Return what was saved, checked; a saved result comes back with its history."""
        if self.saved is None:
            raise RuntimeError(FREED_MESSAGE)
        unpacked: list[Tensor | None] = []
        for entry, version in zip(self.saved, self.versions, strict=True):
            if entry is None:
                unpacked.append(None)
                continue
            tensor, number = entry
            if tensor._version != version:
                from .errors import stale

                raise stale(self, tensor, version)
            if number is not None:
                tensor = tensor.detach()
                tensor._grad_fn, tensor._output_nr, tensor._requires_grad = self, number, True
            unpacked.append(tensor)
        return tuple(unpacked)

    def pull(self, g: Any, on_tensors: bool) -> Sequence[Any]:
        """Call ``backward`` and check what it returns; see ``Node.pull``."""
        arrived = g if self.outputs != 1 else [g]
        grads = [self._grad(each, number) for number, each in enumerate(arrived)]
        function = self.function
        backward = function.backward if function.vjp is Function.vjp else function.vjp
        answer = backward(self.ctx, *grads)
        given = list(answer) if isinstance(answer, (tuple, list)) else [answer]
        while len(given) > self.arguments and given[-1] is None:
            given.pop()
        if len(given) != self.arguments:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected "
                f"{self.arguments}, got {len(given)}): backward returns one for each argument of "
                "forward, and None for those that are no tensors"
            )
        for place, each in enumerate(given):
            if each is not None and place not in self.places:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{place + 1}, but the corresponding forward input was not a Variable"
                )
        return [
            self._checked(given[place], number, on_tensors)
            for number, place in enumerate(self.places)
        ]

    def _grad(self, g: Any, number: int) -> Tensor | None:
        if g is not None:
            return g if isinstance(g, Tensor) else new_tensor(g)
        if not self.ctx._materialize or self.metas[number] is _NO_TENSOR:
            return None
        shape, dtype = self.metas[number]
        return new_tensor(np.zeros(shape, dtype))

    def _checked(self, g: Any, number: int, on_tensors: bool) -> Any:
        """Return a gradient for the input ``number`` as it travels; errors in PyTorch's words."""
        target = self.targets[number]
        if g is None or target is None:
            return None
        if not isinstance(g, Tensor):
            raise RuntimeError(
                f"expected Variable or None (got {type(g).__name__}): backward returns tensors"
            )
        if isinstance(target, Node):
            wanted, _ = target.output_meta(self.numbers[number])
        else:
            wanted = target.array.shape
        if not _can_be_summed_to(g.array.shape, wanted):
            raise RuntimeError(
                f"Function {self.name()} returned an invalid gradient at index {number} - got "
                f"{shape_text(g.array.shape)} but expected shape compatible with "
                f"{shape_text(wanted)}"
            )
        return g if on_tensors else g.array


def _kept(tensor: Tensor | None, results: tuple[Any, ...]) -> tuple[Tensor, int | None] | None:
    """Return a saved tensor; a result without its history (it would hold itself), and its number."""
    if tensor is None:
        return None
    for number, result in enumerate(results):
        if tensor is result:
            if result._counter is None:
                result._counter = VersionCounter()
            alias = new_tensor(result.array)
            alias._counter = result._counter
            return (alias, number) if result.requires_grad else (alias, None)
    return (tensor, None)


def _can_be_summed_to(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    extra = len(shape) - len(wanted)
    pairs = zip(shape[extra:], wanted, strict=True) if extra >= 0 else ()
    return extra >= 0 and all([a == b or b == 1 for a, b in pairs])


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a ``backward`` whose own steps cannot be differentiated (it leaves for numpy, say).

    It runs unrecorded; differentiating its result again is a RuntimeError, not a wrong zero.
    Mirrors ``torch.autograd.function.once_differentiable``.
    """

    @functools.wraps(backward)
    def unrecorded(ctx: Any, *grads: Any) -> Any:
        recording, mode.enabled = mode.enabled, False
        try:
            answer = backward(ctx, *grads)
        finally:
            mode.enabled = recording
        if not recording or not any([isinstance(g, Tensor) and g.requires_grad for g in grads]):
            return answer
        outputs = answer if isinstance(answer, tuple) else (answer,)
        refused = tuple(
            [_refuse_twice(each) if isinstance(each, Tensor) else each for each in outputs]
        )
        return refused if isinstance(answer, tuple) else refused[0]

    return unrecorded


class _DelayedError(Node):
    """A node that raises when a gradient reaches it."""

    __slots__ = ()

    def __init__(self, result: Tensor) -> None:
        self.targets = ()
        self.numbers = ()
        self.saved = ()
        self.versions = ()
        self.shape = result.array.shape
        self.dtype = result.array.dtype
        self.hooks = None
        self.order = next_order()

    def name(self) -> str:
        """Return PyTorch's name for it."""
        return "DelayedErrorBackward"

    def pull(self, g: Any, on_tensors: bool) -> Sequence[Any]:
        """Raise."""
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def _refuse_twice(result: Tensor) -> Tensor:
    refused = result.detach()
    refused._requires_grad = True
    refused._grad_fn = _DelayedError(result)
    return refused


__all__ = ["Function", "FunctionCtx", "once_differentiable"]
