"""A training step of two networks, as each library writes it; and by hand in numpy.

Both are layers of ``x @ w + b`` with a nonlinearity between. The small one (tanh, mean squared
error) shows what an operation costs beside its arithmetic; the large one (relu, cross entropy)
shows whether the arithmetic is done once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

RATE = 0.01


@dataclass(frozen=True)
class Network:
    """Sizes of the layers, the points of a batch, and which of the two kinds it is."""

    sizes: tuple[int, ...]
    points: int
    classifies: bool

    def data(self) -> tuple[Any, Any, list[Any]]:
        """Return inputs, targets and initial parameters (weight, bias, ...), all float32."""
        rng = np.random.default_rng(0)
        x = rng.standard_normal((self.points, self.sizes[0])).astype(np.float32)
        if self.classifies:
            target: Any = rng.integers(0, self.sizes[-1], self.points)
        else:
            target = (x[:, :1] * x[:, 1:]).astype(np.float32)
        parameters = []
        for n, m in zip(self.sizes, self.sizes[1:], strict=False):
            parameters.append((rng.standard_normal((n, m)) / np.sqrt(n)).astype(np.float32))
            parameters.append(np.zeros(m, np.float32))
        return x, target, parameters

    def __call__(self, library: str) -> Callable[[], object] | None:
        """Return a training step in one library; None where it is not written for it."""
        builder = _BUILDERS.get(library)
        return builder(self) if builder is not None else None


def _by_hand(network: Network) -> Callable[[], object]:
    x, target, parameters = network.data()
    weights, biases = parameters[::2], parameters[1::2]
    last = len(weights) - 1

    def step() -> Any:
        inputs = [x]
        for i, (w, b) in enumerate(zip(weights, biases, strict=True)):
            out = inputs[-1] @ w
            out += b
            if i < last:
                out = np.maximum(out, 0) if network.classifies else np.tanh(out)
            inputs.append(out)
        out = inputs[-1]
        if network.classifies:
            loss, g = _cross_entropy(out, target)
        else:
            difference = out - target
            loss, g = np.mean(difference * difference), difference * (2 / difference.size)
        for i in range(last, -1, -1):
            if i < last:
                g = g * (inputs[i + 1] > 0) if network.classifies else g * (1 - inputs[i + 1] ** 2)
            w_grad, b_grad = inputs[i].T @ g, g.sum(0)
            if i:
                g = g @ weights[i].T
            weights[i] -= RATE * w_grad
            biases[i] -= RATE * b_grad
        return loss

    return step


def _cross_entropy(out: Any, target: Any) -> tuple[Any, Any]:
    rows = np.arange(len(target))
    shifted = out - out.max(1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    g = np.exp(log_p)
    g[rows, target] -= 1
    g /= len(target)
    return -log_p[rows, target].mean(), g


def _layers(x: Any, parameters: Sequence[Any], act: Callable[[Any], Any]) -> Any:
    """Return the network's output, in the words that all the libraries share."""
    for i in range(0, len(parameters), 2):
        x = x @ parameters[i] + parameters[i + 1]
        if i + 2 < len(parameters):
            x = act(x)
    return x


def _like_torch(name: str) -> Callable[[Network], Callable[[], object]]:
    def build(network: Network) -> Callable[[], object]:
        library = import_module(name)
        functional = import_module(f"{name}.nn.functional")
        x, target, initial = network.data()
        x, target = library.from_numpy(x), library.from_numpy(target)
        # A layer's weight is (out, in), and its transpose is what the input is multiplied by.
        parameters = [library.from_numpy(each.T.copy()).requires_grad_() for each in initial]
        optimizer = import_module(f"{name}.optim").SGD(parameters, lr=RATE)
        act = library.relu if network.classifies else library.tanh
        criterion = functional.cross_entropy if network.classifies else functional.mse_loss

        def forward(h: Any) -> Any:
            for i in range(0, len(parameters), 2):
                h = functional.linear(h, parameters[i], parameters[i + 1])
                if i + 2 < len(parameters):
                    h = act(h)
            return h

        def step() -> Any:
            optimizer.zero_grad()
            loss = criterion(forward(x), target)
            loss.backward()
            optimizer.step()
            return loss

        return step

    return build


def _autograd(network: Network) -> Callable[[], object]:
    numpy = import_module("autograd.numpy")
    value_and_grad = import_module("autograd").value_and_grad
    x, target, parameters = network.data()
    rows = np.arange(network.points)

    def loss(parameters: Any) -> Any:
        if not network.classifies:
            return numpy.mean((_layers(x, parameters, numpy.tanh) - target) ** 2)
        out = _layers(x, parameters, lambda h: numpy.maximum(h, 0))
        shifted = out - numpy.max(out, 1, keepdims=True)
        log_p = shifted - numpy.log(numpy.sum(numpy.exp(shifted), 1, keepdims=True))
        return -numpy.mean(log_p[rows, target])

    both = value_and_grad(loss)

    def step() -> Any:
        value, grads = both(parameters)
        for parameter, g in zip(parameters, grads, strict=True):
            parameter -= RATE * g
        return value

    return step


def _tinygrad(network: Network) -> Callable[[], object] | None:
    """Tinygrad plans a step anew unless it is compiled: it is measured compiled, as it is meant."""
    tinygrad = import_module("tinygrad")
    try:
        print(f"(tinygrad runs on {tinygrad.Device.DEFAULT})")
    except RuntimeError:  # It finds no compiler here.
        return None
    tensor = tinygrad.Tensor
    x, target, initial = network.data()
    x, target = tensor(x), tensor(target.astype(np.int32) if network.classifies else target)
    parameters = [tensor(each, requires_grad=True) for each in initial]
    optimizer = import_module("tinygrad.nn.optim").SGD(parameters, lr=RATE)

    @tinygrad.TinyJit
    def compiled() -> Any:
        optimizer.zero_grad()
        out = _layers(x, parameters, tensor.relu if network.classifies else tensor.tanh)
        loss = (
            out.sparse_categorical_crossentropy(target)
            if network.classifies
            else ((out - target) ** 2).mean()
        )
        loss.backward()
        return loss.realize(*optimizer.schedule_step())

    def step() -> Any:
        with tensor.train():
            return compiled().item()

    return step


_BUILDERS: dict[str, Callable[[Network], Callable[[], object] | None]] = {
    "numpy": _by_hand,
    "minigrad": _like_torch("minigrad"),
    "torch": _like_torch("torch"),
    "autograd": _autograd,
    "tinygrad": _tinygrad,
}

NETWORKS = {
    "small net: 2-16-16-1, 100 points": Network((2, 16, 16, 1), 100, classifies=False),
    "large net: 784-256-128-10, batch of 64": Network((784, 256, 128, 10), 64, classifies=True),
}
