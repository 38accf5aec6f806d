"""Random programs over tensors, and what a package observes when it runs one.

A program is a list of steps, plain data that JSON can hold. Steps name earlier tensors by number
(taken modulo how many there are), so that every list is a program. Running one collects, step by
step, what was made or which error was raised, and at the end all that can be seen of every tensor.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from hypothesis import strategies as st

Step = list[Any]
Program = list[Step]

UNARY = ("neg", "tanh", "sigmoid", "exp", "relu", "abs", "sin", "clone", "square")
BINARY = ("add", "sub", "mul", "matmul", "maximum", "div")
UNARY_INPLACE = ("neg_", "tanh_", "sigmoid_", "exp_", "relu_", "zero_")
BINARY_INPLACE = ("add_", "sub_", "mul_", "copy_")
NUMBERS = (2.0, -1.0, 0.5, 3)
SHAPES = ([], [1], [2], [3], [2, 3], [3, 2], [1, 3], [2, 2])

number = st.integers(0, 30)
some_number = st.sampled_from(NUMBERS)

STEP = st.one_of(
    st.tuples(st.just("leaf"), st.sampled_from(SHAPES), st.integers(0, 9), st.booleans()),
    st.tuples(st.just("unary"), st.sampled_from(UNARY), number),
    st.tuples(st.just("binary"), st.sampled_from(BINARY), number, number),
    st.tuples(st.just("binary"), st.sampled_from(BINARY), number, number),
    st.tuples(
        st.just("scalar"), st.sampled_from(("add", "mul", "pow", "sub")), number, some_number
    ),
    st.tuples(
        st.just("reduce"), st.sampled_from(("sum", "mean")), number, st.sampled_from((None, 0, -1))
    ),
    st.tuples(st.just("row"), number, st.integers(-2, 2)),
    st.tuples(st.just("slice"), number, st.integers(0, 2), st.sampled_from((None, 2, 3))),
    st.tuples(st.just("flat"), number),
    st.tuples(st.just("turn"), number),
    st.tuples(st.just("unsqueeze"), number, st.integers(0, 1)),
    st.tuples(st.just("expand"), number, st.integers(1, 3)),
    st.tuples(st.just("pick"), number, st.lists(st.integers(-1, 1), min_size=1, max_size=3)),
    st.tuples(st.just("detach"), number),
    st.tuples(st.just("detach"), number),
    st.tuples(st.just("detach_"), number),
    st.tuples(st.just("data"), number),
    st.tuples(st.just("unary_"), st.sampled_from(UNARY_INPLACE), number),
    st.tuples(st.just("binary_"), st.sampled_from(BINARY_INPLACE), number, number),
    st.tuples(st.just("scalar_"), st.sampled_from(("add_", "mul_", "fill_")), number, some_number),
    st.tuples(st.just("set"), number, st.integers(0, 1), some_number),
    st.tuples(st.just("set_row"), number, st.integers(0, 1), number),
    st.tuples(st.just("flag"), number, st.booleans()),
    st.tuples(st.just("retain"), number),
    st.tuples(st.just("hook"), number, some_number),
    st.tuples(st.just("mode"), st.booleans()),
    st.tuples(st.just("mode"), st.just(True)),
    st.tuples(st.just("backward"), number, st.booleans()),
    st.tuples(st.just("backward"), number, st.booleans()),
    st.tuples(st.just("grad"), number, number, st.booleans()),
    st.tuples(st.just("forget"), number),
)

PROGRAM = st.lists(STEP, min_size=3, max_size=25).map(
    lambda steps: [["leaf", [2, 3], 1, True], *map(list, steps)]
)


def run(T: Any, program: Program) -> list[Any]:  # noqa: N803 - the package under test
    """Run a program on a package and return what was observed, as plain data."""
    tensors: list[Any] = []
    seen: list[Any] = []
    with warnings.catch_warnings(), ExitStack() as stack:
        warnings.simplefilter("ignore")
        stack.callback(T.set_grad_enabled, True)
        T.set_grad_enabled(True)
        for step in program:
            try:
                made = _take(T, tensors, step)
            except Exception as error:
                seen.append(_kind(error))
                continue
            if made is None:
                seen.append(None)
            elif isinstance(made, (list, float)):
                seen.append(made)
            else:
                tensors.append(made)
                seen.append(_or_error(_facts, made))
        T.set_grad_enabled(True)
        seen.append([_or_error(_all_of, tensor) for tensor in tensors])
    return seen


def _or_error(look: Callable[[Any], list[Any]], tensor: Any) -> Any:
    """Return what is seen of a tensor; some views refuse even to be looked at."""
    try:
        return look(tensor)
    except Exception as error:
        return _kind(error)


def _take(T: Any, tensors: list[Any], step: Step) -> Any:  # noqa: N803
    """Take one step; return the tensor it makes, or None."""
    kind, *args = step
    if kind == "leaf":
        shape, seed, flag = args
        count = math.prod(shape)
        values = [((i * 7 + seed * 3) % 11 - 5) / 4 + 0.125 for i in range(count)]
        return T.tensor(values).reshape(shape).requires_grad_(flag)
    if kind == "mode":
        T.set_grad_enabled(args[0])
        return None
    if not tensors:
        return None

    def at(place: int) -> Any:
        return tensors[place % len(tensors)]

    if kind in ("unary", "unary_"):
        made = getattr(at(args[1]), args[0])()
        return made if kind == "unary" else None
    if kind == "binary":
        one, other = at(args[1]), at(args[2])
        # PyTorch squeezes in place behind a product of a vector, which shows in _version.
        if args[0] == "matmul" and (one.dim(), other.dim()) != (2, 2):
            return one * other
        return getattr(one, args[0])(other)
    if kind == "binary_":
        getattr(at(args[1]), args[0])(at(args[2]))
        return None
    if kind in ("scalar", "scalar_"):
        made = getattr(at(args[1]), args[0])(args[2])
        return made if kind == "scalar" else None
    if kind == "reduce":
        return (
            getattr(at(args[1]), args[0])()
            if args[2] is None
            else getattr(at(args[1]), args[0])(args[2])
        )
    x = at(args[0])
    if kind == "row":
        return x[args[1]]
    if kind == "slice":
        return x[args[1] : args[2]]
    if kind == "flat":
        return x.view(-1)
    if kind == "turn":
        return x.transpose(0, -1)
    if kind == "unsqueeze":
        return x.unsqueeze(args[1])
    if kind == "expand":
        return x.expand(args[1], *x.shape)
    if kind == "pick":
        return x[args[1]] if 0 not in x.shape else None
    if kind == "detach":
        return x.detach()
    if kind == "detach_":
        x.detach_()
    elif kind == "data":
        return x.data
    elif kind == "set":
        x[args[1]] = args[2]
    elif kind == "set_row":
        x[args[1]] = at(args[2])
    elif kind == "flag":
        x.requires_grad_(args[1])
    elif kind == "retain":
        x.retain_grad()
    elif kind == "hook":
        factor = args[1]
        # A hook on a view that has lost its history crashes PyTorch 2.13.
        if x._base is None:
            x.register_hook(lambda grad: grad * factor)
    elif kind == "backward":
        x.sum().backward(retain_graph=args[1])
    elif kind == "grad":
        (found,) = T.autograd.grad(x.sum(), at(args[1]), create_graph=args[2], allow_unused=True)
        return None if found is None else found * 1
    elif kind == "forget":
        x.grad = None
    return None


def _kind(error: Exception) -> str:
    name = type(error).__name__
    # PyTorch raises one of these where it would say the other in another place.
    return "RuntimeError" if name == "NotImplementedError" else name


def _facts(tensor: Any) -> list[Any]:
    node = tensor.grad_fn
    name = None if node is None else node.name().split("::")[-1].rstrip("0123456789")
    return [list(tensor.shape), tensor.requires_grad, tensor.is_leaf, name, tensor._version]


def _all_of(tensor: Any) -> list[Any]:
    grad = tensor.grad
    return [*_facts(tensor), _numbers(tensor), None if grad is None else _numbers(grad)]


def _numbers(tensor: Any) -> list[Any]:
    return [_plain(value) for value in tensor.detach().reshape(-1).tolist()]


def _plain(value: float) -> Any:
    return value if math.isfinite(value) else str(value)


def agree(one: Any, other: Any) -> bool:
    """Tell whether two observations are the same, up to rounding."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(agree, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=2e-4, abs_tol=1e-5)
    if (
        isinstance(one, (float, str))
        and isinstance(other, (float, str))
        and type(one) is not type(other)
    ):
        return _huge(one) and _huge(other)
    return type(one) is type(other) and one == other


def _huge(value: Any) -> bool:
    return value in ("inf", "-inf", "nan") or (isinstance(value, float) and abs(value) > 1e30)
