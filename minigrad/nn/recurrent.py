"""Recurrent cells: one step in time, from an input and a state to the next state."""

from __future__ import annotations

import math

import minigrad
from minigrad import Tensor

from . import functional as F  # noqa: N812 - the field's name for it
from . import init
from .module import Module
from .parameter import Parameter


class _Cell(Module):
    """Weights for ``chunks`` gates, drawn evenly within ``1 / sqrt(hidden_size)``."""

    chunks: int

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__()
        self.input_size, self.hidden_size = input_size, hidden_size
        rows = self.chunks * hidden_size
        self.weight_ih = Parameter(minigrad.empty(rows, input_size))
        self.weight_hh = Parameter(minigrad.empty(rows, hidden_size))
        self.register_parameter("bias_ih", Parameter(minigrad.empty(rows)) if bias else None)
        self.register_parameter("bias_hh", Parameter(minigrad.empty(rows)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size else 0.0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _state(self, input: Tensor, hx: Tensor | None) -> Tensor:
        if input.ndim not in (1, 2):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.ndim}D instead"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {input.shape[-1]} expected "
                f"{self.input_size}"
            )
        if hx is None:
            return minigrad.zeros(*input.shape[:-1], self.hidden_size, dtype=input.dtype)
        return hx

    def _gates(self, input: Tensor, hx: Tensor) -> tuple[Tensor, Tensor]:
        return (
            F.linear(input, self.weight_ih, self.bias_ih),
            F.linear(hx, self.weight_hh, self.bias_hh),
        )

    def extra_repr(self) -> str:
        """Say the sizes."""
        bias = "" if self.bias_ih is not None else ", bias=False"
        return f"{self.input_size}, {self.hidden_size}{bias}"


class RNNCell(_Cell):
    """``tanh(W_ih x + b_ih + W_hh h + b_hh)``."""

    chunks = 1

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh"
    ) -> None:
        super().__init__(input_size, hidden_size, bias)
        if nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {nonlinearity}")
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """Return the next state, ([batch,] ``hidden_size``)."""
        ours, theirs = self._gates(input, self._state(input, hx))
        total: Tensor = ours + theirs
        return total.tanh() if self.nonlinearity == "tanh" else total.relu()


class GRUCell(_Cell):
    """A gated recurrent unit: how much of the state is reset, and how much is kept."""

    chunks = 3

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """Return the next state, ([batch,] ``hidden_size``)."""
        state = self._state(input, hx)
        ours, theirs = self._gates(input, state)
        r1, z1, n1 = ours.chunk(3, -1)
        r2, z2, n2 = theirs.chunk(3, -1)
        reset, update = (r1 + r2).sigmoid(), (z1 + z2).sigmoid()
        new = (n1 + reset * n2).tanh()
        return new + update * (state - new)


class LSTMCell(_Cell):
    """A long short-term memory cell: a state, and a memory beside it."""

    chunks = 4

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the next state and memory, each ([batch,] ``hidden_size``)."""
        state = self._state(input, None if hx is None else hx[0])
        memory = self._state(input, None if hx is None else hx[1])
        ours, theirs = self._gates(input, state)
        i, f, g, o = (ours + theirs).chunk(4, -1)
        memory = f.sigmoid() * memory + i.sigmoid() * g.tanh()
        return o.sigmoid() * memory.tanh(), memory


__all__ = ["GRUCell", "LSTMCell", "RNNCell"]
