"""Check gradients by finite differences: ``gradcheck`` and, for second ones, ``gradgradcheck``.

For an input element ``x`` the slope ``(f(x + eps) - f(x - eps)) / (2 eps)`` is measured and compared
with what ``backward`` says. Use float64: float32 has too few digits for it. Signature, defaults and
key words are those of ``torch.autograd.gradcheck``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .autograd import grad
from .tensor import Tensor, new_tensor


class GradcheckError(RuntimeError):
    """What ``gradcheck`` raises when gradients disagree."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
) -> bool:
    """Tell whether the gradients of ``func(*inputs)`` agree with finite differences.

    Every input that requires grad is checked against every floating point output, element by
    element, within ``atol + rtol * |measured|``. Raises GradcheckError where they disagree, or
    returns False if not ``raise_exception``.
    """
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    try:
        wanted = _wanted(given)
        outputs = _outputs(func, given)
        for number in range(len(outputs)):
            computed = _by_backward(func, given, wanted, number)
            again = _by_backward(func, given, wanted, number)
            for place, tensor in enumerate(wanted):
                measured = _by_differences(func, given, tensor, number, eps)
                _compare(computed[place], measured, place, number, atol, rtol)
                if np.abs(computed[place] - again[place]).max(initial=0) > nondet_tol:
                    raise GradcheckError(
                        "Backward is not reentrant, i.e., running backward with same input and "
                        "grad_output multiple times gives different values, although analytical "
                        f"gradient matches numerical gradient. The tolerance for nondeterminism was "
                        f"{nondet_tol}."
                    )
        if check_undefined_grad:
            _check_shapes(func, given, wanted)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
) -> bool:
    """Tell whether second derivatives agree with finite differences of first ones.

    ``grad_outputs`` go in at the outputs; random ones (always the same) if there are none given.
    """
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    wanted = [each for each in given if isinstance(each, Tensor) and each.requires_grad]
    outputs = _outputs(func, given)
    if grad_outputs is None:
        rng = np.random.default_rng(0)
        seeds = tuple(
            [
                new_tensor(rng.uniform(0.5, 1.5, out.array.shape).astype(out.array.dtype))
                for out in outputs
            ]
        )
        for seed in seeds:
            seed.requires_grad_()
    else:
        seeds = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)

    def first(*args: Any) -> tuple[Tensor, ...]:
        values, given_seeds = args[: len(given)], args[len(given) :]
        targets = [each for each in values if isinstance(each, Tensor) and each.requires_grad]
        found = grad(
            _outputs(func, values), targets, given_seeds, create_graph=True, allow_unused=True
        )
        return tuple([each for each in found if each is not None and each.requires_grad])

    if not wanted:
        raise ValueError("gradgradcheck expects at least one input that requires grad")
    return gradcheck(
        first,
        (*given, *seeds),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
    )


def _wanted(given: Sequence[Any]) -> list[Tensor]:
    wanted = [each for each in given if isinstance(each, Tensor) and each.requires_grad]
    if not wanted:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them "
            "have requires_grad=True."
        )
    for place, each in enumerate(given):
        if isinstance(each, Tensor) and each.requires_grad:
            if each.array.dtype != np.float64:
                warnings.warn(
                    f"Input #{place} requires gradient and is not a double precision floating point "
                    "or complex. This check will likely fail if all the inputs are not of double "
                    "precision floating point or complex.",
                    UserWarning,
                    stacklevel=3,
                )
            if 0 in [
                step for step, size in zip(each.stride(), each.shape, strict=True) if size > 1
            ]:
                raise GradcheckError(
                    f"The {place}th input has a dimension with stride 0. gradcheck only supports "
                    "inputs that are non-overlapping to be able to compute the numerical gradients "
                    "correctly. You should call .contiguous on the input before passing it to "
                    "gradcheck."
                )
            each.retain_grad()
    return wanted


def _outputs(func: Callable[..., Any], given: Sequence[Any]) -> list[Tensor]:
    """Return the outputs that can carry a gradient."""
    outputs = func(*given)
    several = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    return [
        each
        for each in several
        if isinstance(each, Tensor) and each.is_floating_point() and each.requires_grad
    ]


def _by_backward(
    func: Callable[..., Any],
    given: Sequence[Any],
    wanted: list[Tensor],
    number: int,
) -> list[Any]:
    """Return the Jacobian of one output for each input, a row for each element of the input."""
    output = _outputs(func, given)[number]
    size = output.array.size
    jacobians = [np.zeros((each.array.size, size)) for each in wanted]
    for column in range(size):
        seed = np.zeros(size, output.array.dtype)
        seed[column] = 1
        found = grad(
            output,
            wanted,
            new_tensor(seed.reshape(output.array.shape)),
            retain_graph=True,
            allow_unused=True,
        )
        for jacobian, g in zip(jacobians, found, strict=True):
            if g is not None:
                jacobian[:, column] = g.array.reshape(-1)
    return jacobians


def _by_differences(
    func: Callable[..., Any], given: Sequence[Any], tensor: Tensor, number: int, eps: float
) -> Any:
    """Return the Jacobian of one output for one input, measured."""
    values = tensor.array
    rows = []
    for place in np.ndindex(values.shape):
        kept = values[place]
        ends = []
        for end in (kept + eps, kept - eps):
            values[place] = end
            ends.append(_outputs(func, given)[number].array.astype(np.float64).reshape(-1))
        values[place] = kept
        rows.append((ends[0] - ends[1]) / (2 * eps))
    return np.array(rows).reshape(values.size, -1)


def _compare(
    computed: Any, measured: Any, place: int, number: int, atol: float, rtol: float
) -> None:
    if not np.allclose(computed, measured, rtol=rtol, atol=atol, equal_nan=False):
        raise GradcheckError(
            f"Jacobian mismatch for output {number} with respect to input {place},\n"
            f"numerical:{new_tensor(measured)!r}\nanalytical:{new_tensor(computed)!r}\n"
        )


def _check_shapes(func: Callable[..., Any], given: Sequence[Any], wanted: list[Tensor]) -> None:
    outputs = _outputs(func, given)
    if not outputs:
        return
    zeros = [new_tensor(np.zeros_like(out.array)) for out in outputs]
    for g, tensor in zip(grad(outputs, wanted, zeros, allow_unused=True), wanted, strict=True):
        if g is not None and np.any(g.array != 0):
            raise GradcheckError("backward not multiplied by grad_output")
        if g is not None and g.array.shape != tensor.array.shape:
            raise GradcheckError("grad is incorrect size")


__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
