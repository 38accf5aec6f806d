"""Asking for gradients: ``backward`` adds them to ``.grad``, ``grad`` returns them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import views
from .backward import run
from .errors import shape_text
from .graph import Edge
from .tensor import Tensor


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    *,
    inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Compute the gradients of ``tensors`` and add them to ``.grad`` of the leaves (or ``inputs``).

    ``grad_tensors`` go in at each of the tensors (all ones for one element). Mirrors
    ``torch.autograd.backward``.
    """
    roots = _several(tensors)
    gradients = _gradients(roots, _several(grad_tensors, len(roots)), create_graph)
    if create_graph:
        warnings.warn(
            "Using backward() with create_graph=True will create a reference cycle between the "
            "parameter and its gradient which can cause a memory leak. We recommend using "
            "autograd.grad when creating the graph to avoid this. If you have to use this function, "
            "make sure to reset the .grad fields of your parameters to None after use to break the "
            "cycle and avoid the leak.",
            UserWarning,
            stacklevel=3,
        )
    wanted = None if inputs is None else _several(inputs)
    if wanted is not None and not wanted:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    targets = None if wanted is None else [_edge(each, "inputs", backward=True) for each in wanted]
    for each in wanted or ():
        each.retain_grad()  # a result keeps its gradient from now on, as in PyTorch
    run(
        [_edge(root, "tensors", place) for place, root in enumerate(roots)],
        gradients,
        retain_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        targets=targets,
    )


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    *,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """Return the gradients of ``outputs`` with respect to ``inputs``; no ``.grad`` is touched.

    An input that the outputs do not depend on is an error, unless ``allow_unused`` (then its
    gradient is None) or ``materialize_grads`` (then zeros). Mirrors ``torch.autograd.grad``.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    roots, wanted = _several(outputs), _several(inputs)
    if not wanted:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    gradients = _gradients(roots, _several(grad_outputs, len(roots)), create_graph)
    targets = [_edge(each, "inputs") for each in wanted]
    found = run(
        [_edge(root, "outputs", place) for place, root in enumerate(roots)],
        gradients,
        retain_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        targets=targets,
        accumulate=False,
    )
    if materialize_grads:
        from .create import zeros_like

        return tuple(
            zeros_like(each) if g is None else g for each, g in zip(wanted, found, strict=True)
        )
    unused = [place for place, g in enumerate(found) if g is None]
    if unused and not allow_unused:
        raise RuntimeError(
            f"The differentiated Tensor at index {unused[0]} appears to not have been used in the "
            "graph. One of the inputs, that is, does not lead to the outputs. Set "
            "allow_unused=True if this is the desired behavior: its gradient is then None. (A tensor "
            "that was detached, or rebuilt from numbers, is another tensor than the one that was "
            "used.)"
        )
    return tuple(found)


def _several(given: Any, count: int = 0) -> list[Any]:
    """Return one or several tensors as a list; None as ``count`` times None."""
    if given is None:
        return [None] * count
    if isinstance(given, Tensor):
        return [given]
    return list(given)


def _edge(tensor: Tensor, argument: str, place: int = 0, *, backward: bool = False) -> Edge:
    """Return where a tensor's gradient arrives; RuntimeError if none ever can."""
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"{argument} can be either a Tensor or a sequence of Tensors, but got "
            f"{type(tensor).__name__}"
        )
    if tensor._view is not None:
        views.refresh(tensor)
    if not tensor._requires_grad:
        if argument == "inputs":
            raise RuntimeError(
                "One of the differentiated Tensors does not require grad"
                if not backward
                else "can't retain_grad on Tensor that has requires_grad=False: each of inputs needs "
                "a gradient to collect"
            )
        raise RuntimeError(
            f"element {place} of tensors does not require grad and does not have a grad_fn: no operation "
            "that leads to it was recorded. Was it detached, or made under no_grad, or does no input "
            "require grad?"
        )
    return (tensor._grad_fn or tensor, tensor._output_nr)


def _gradients(
    roots: Sequence[Tensor], given: Sequence[Tensor | None], create_graph: bool
) -> list[Any]:
    """Return the gradient that goes in at each root, checked; ones where a scalar has none."""
    for g in given:
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
    if len(given) != len(roots):
        raise RuntimeError(
            f"got {len(roots)} tensors and {len(given)} gradients: give one gradient (or None) for "
            "each"
        )
    gradients: list[Any] = []
    for place, (root, g) in enumerate(zip(roots, given, strict=True)):
        array = root.array
        if g is None:
            _edge(root, "outputs", place)
            if array.size != 1:
                raise RuntimeError(
                    "grad can be implicitly created only for scalar outputs, and this one has shape "
                    f"{shape_text(array.shape)}: reduce it first, for example with .sum(), or pass a "
                    "gradient of that shape"
                )
            ones = np.ones(array.shape, array.dtype)
            gradients.append(_as_travels(ones, create_graph))
            continue
        if g.array.shape != array.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{place}] has a shape of {g.shape} and "
                f"output[{place}] has a shape of {root.shape}."
            )
        gradients.append(g if create_graph else g.array)
    return gradients


def _as_travels(array: Any, on_tensors: bool) -> Any:
    from .tensor import new_tensor

    return new_tensor(array) if on_tensors else array
