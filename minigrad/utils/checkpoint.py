"""Checkpointing: forget what was computed on the way, and compute it again when backward needs it.

Between forward and backward only the inputs are kept; backward runs the function once more. That
trades time for memory. Mirrors ``torch.utils.checkpoint``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import minigrad
from minigrad import Tensor
from minigrad.autograd import Function, grad


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool = False,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Return ``function(*args, **kwargs)``, of which nothing is kept but its inputs.

    Backward calls ``function`` again, with the random numbers of the first time unless
    ``preserve_rng_state`` is False. Gradients come to the tensors among ``args`` and to every leaf
    that the function uses (parameters, say). With ``use_reentrant``, as in PyTorch's older variant, a
    gradient must come to one of ``args``, else nothing is recorded.
    """
    if not minigrad.is_grad_enabled():
        return function(*args, **kwargs)
    wanting = [each for each in args if isinstance(each, Tensor) and each.requires_grad]
    if use_reentrant and not wanting:
        import warnings

        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None",
            UserWarning,
            stacklevel=2,
        )
        with minigrad.no_grad():
            return function(*args, **kwargs)
    state = minigrad.get_rng_state() if preserve_rng_state else None
    output = function(*[_cut(each) for each in args], **kwargs)
    several = isinstance(output, tuple)
    outputs = output if several else (output,)
    leaves = _leaves(outputs, args)
    tensors = [each for each in args if isinstance(each, Tensor)]
    values = [each.detach() if isinstance(each, Tensor) else each for each in outputs]

    class Checkpoint(Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Tensor) -> Any:
            ctx.save_for_backward(*inputs)
            return tuple(values)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            inputs = ctx.saved_tensors
            given = iter(inputs)
            again = [next(given) if isinstance(each, Tensor) else each for each in args]
            differentiating = minigrad.is_grad_enabled()
            if not differentiating:
                again = [_cut(each) for each in again]
                inputs = (*[each for each in again if isinstance(each, Tensor)], *inputs[len(tensors) :])
            with _random_numbers(state), minigrad.enable_grad():
                recomputed = function(*again, **kwargs)
            found = recomputed if isinstance(recomputed, tuple) else (recomputed,)
            pairs = [
                (each, g)
                for each, g in zip(found, grads, strict=True)
                if isinstance(each, Tensor) and each.requires_grad and g is not None
            ]
            wanted = [each for each in inputs if each.requires_grad]
            results = grad(
                [each for each, _ in pairs],
                wanted,
                [g for _, g in pairs],
                create_graph=differentiating,
                allow_unused=True,
            )
            answers = iter(results)
            return tuple([next(answers) if each.requires_grad else None for each in inputs])

    if not any(each.requires_grad for each in (*tensors, *leaves)):
        return output
    results = Checkpoint.apply(*tensors, *leaves)
    return results if several else results[0]


def _cut(value: Any) -> Any:
    """Return an input for the first run, so that its graph ends here."""
    if isinstance(value, Tensor) and value.requires_grad:
        return value.detach().requires_grad_()
    return value


def _leaves(outputs: Sequence[Any], args: Sequence[Any]) -> list[Tensor]:
    """Return the leaves that the function used beside its arguments."""
    from minigrad.engine.graph import AccumulateGrad

    seen: set[Any] = set()
    leaves: dict[Tensor, None] = {}
    own = {id(each.storage) for each in args if isinstance(each, Tensor)}
    waiting = [each.grad_fn for each in outputs if isinstance(each, Tensor)]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if isinstance(node, AccumulateGrad):
            if id(node.variable.storage) not in own:
                leaves[node.variable] = None
            continue
        waiting += [onward for onward, _ in node.next_functions]
    return list(leaves)


class _random_numbers:  # noqa: N801 - used as a context manager
    """Give a block the random numbers that followed ``state``, and take them back after it."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def __enter__(self) -> None:
        if self.state is not None:
            self.kept = minigrad.get_rng_state()
            minigrad.set_rng_state(self.state)

    def __exit__(self, *error: object) -> None:
        if self.state is not None:
            minigrad.set_rng_state(self.kept)


def checkpoint_sequential(
    functions: Any, segments: int, input: Tensor, use_reentrant: bool = False
) -> Any:
    """Run the modules of a sequence in ``segments`` parts, each but the last checkpointed."""
    steps = list(functions)
    size = len(steps) // segments

    def part(start: int, end: int) -> Callable[[Any], Any]:
        def run(value: Any) -> Any:
            for step in steps[start:end]:
                value = step(value)
            return value

        return run

    end = 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(part(start, end), input, use_reentrant=use_reentrant)
    return part(end, len(steps))(input)


__all__ = ["checkpoint", "checkpoint_sequential"]
