"""Every core operation's gradient against central differences, in float64."""

from __future__ import annotations

from collections.abc import Callable

import minigrad
import numpy as np
import pytest

Function = Callable[..., minigrad.Tensor]

ONE: dict[str, Function] = {
    "neg": lambda x: -x,
    "exp": lambda x: x.exp(),
    "log": lambda x: (x * x + 0.5).log(),
    "sqrt": lambda x: (x * x + 0.5).sqrt(),
    "tanh": lambda x: x.tanh(),
    "relu": lambda x: x.relu(),
    "sigmoid": lambda x: x.sigmoid(),
    "abs": lambda x: x.abs(),
    "square": lambda x: x**2,
    "cube": lambda x: x**3,
    "exponential": lambda x: 2**x,
    "sum": lambda x: x.sum(),
    "sum of rows": lambda x: x.sum(dim=0) * x.sum(dim=-1, keepdim=True),
    "mean": lambda x: x.mean(),
    "mean of columns": lambda x: x.mean(dim=1),
    "softmax": lambda x: x.softmax(1),
    "log_softmax": lambda x: x.log_softmax(0),
    "reshape": lambda x: x.reshape(3, 2),
    "transpose": lambda x: x.transpose(0, 1) * x.T,
    "row": lambda x: x[1],
    "every other": lambda x: x[:, ::2],
    "picked twice": lambda x: x[:, [0, 0, 2]],
    "expand": lambda x: x.sum(dim=0, keepdim=True).expand(4, 3),
    "max": lambda x: x.max(),
    "max of rows": lambda x: x.max(dim=1).values,
    "clone": lambda x: x.clone(),
    "written part": lambda x: _written(x),
}
TWO: dict[str, Function] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / (b * b + 0.5),
    "matmul": lambda a, b: a @ b.T,
    "row broadcast": lambda a, b: a * b[0],
    "column broadcast": lambda a, b: a + b.sum(dim=1, keepdim=True),
    "maximum": lambda a, b: a.maximum(b),
    "where": lambda a, b: minigrad.where(a > b, a * 2, b * 3),
    "power": lambda a, b: (a * a + 0.5) ** b,
}


def _written(x: minigrad.Tensor) -> minigrad.Tensor:
    y = x * 1
    y[0].mul_(x[1])
    y[:, 1] = 7.0
    return y


def numbers(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, (2, 3))


def assert_gradients_match(function: Function, *arrays: np.ndarray) -> None:
    def total(*values: np.ndarray) -> minigrad.Tensor:
        out = function(*[minigrad.tensor(v, requires_grad=True) for v in values])
        weights = np.cos(np.arange(out.numel())).reshape(out.shape)
        return (out * minigrad.tensor(weights)).sum()

    leaves = [minigrad.tensor(a, requires_grad=True) for a in arrays]
    out = function(*leaves)
    weights = np.cos(np.arange(out.numel())).reshape(out.shape)
    out.backward(minigrad.tensor(weights))
    step = 1e-6
    for place, leaf in enumerate(leaves):
        for index in np.ndindex(leaf.shape):
            up, down = [a.copy() for a in arrays], [a.copy() for a in arrays]
            up[place][index] += step
            down[place][index] -= step
            slope = (total(*up).item() - total(*down).item()) / (2 * step)
            assert leaf.grad[index].item() == pytest.approx(slope, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("name", ONE)
def test_gradient_of_one_tensor(name):
    assert_gradients_match(ONE[name], numbers(1))


@pytest.mark.parametrize("name", TWO)
def test_gradient_of_two_tensors(name):
    assert_gradients_match(TWO[name], numbers(1), numbers(2))
