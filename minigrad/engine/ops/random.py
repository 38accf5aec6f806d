"""Random numbers: one stream for all, which ``manual_seed`` sets back; or a ``Generator`` of your own.

The stream is numpy's and not PyTorch's: the same seed gives the same numbers in every run and on
every machine, but other numbers than it gives in PyTorch. Samples carry no history.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..create import _shape
from ..dtypes import dtype
from ..inplace import bump
from ..modes import mode
from ..tensor import Tensor, new_tensor


class Generator:
    """A stream of random numbers with a state of its own; ``torch.Generator``'s names."""

    def __init__(self, device: str = "cpu") -> None:
        self._seed = 0
        self._stream: np.random.Generator | None = None

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream anew from ``seed``, and return this generator."""
        if not isinstance(seed, (int, np.integer)):
            raise TypeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        self._seed = int(seed) % 2**64
        self._stream = None
        return self

    @property
    def stream(self) -> np.random.Generator:
        """The numpy generator behind it, made when it is first needed: its import is not cheap."""
        if self._stream is None:
            self._stream = np.random.Generator(np.random.PCG64(self._seed))
        return self._stream

    def seed(self) -> int:
        """Start the stream anew from a seed that is different each time, and return it."""
        fresh = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self.manual_seed(fresh)
        return fresh

    def initial_seed(self) -> int:
        """Return the seed from which the stream was last started."""
        return self._seed

    def get_state(self) -> Any:
        """Return the state of the stream, for ``set_state``."""
        return self.stream.bit_generator.state

    def set_state(self, new_state: Any) -> Generator:
        """Go on where the stream was when ``get_state`` was called."""
        self.stream.bit_generator.state = new_state
        return self


default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    """Start the common stream anew from ``seed``, so that what follows is the same in every run."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Start the common stream anew from a seed that is different each time, and return it."""
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed from which the common stream was last started."""
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """Return the state of the common stream."""
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Go on where the common stream was when ``get_rng_state`` was called."""
    default_generator.set_state(new_state)


def _stream(generator: Generator | None) -> np.random.Generator:
    return (generator or default_generator).stream


def _made(array: Any, kind: dtype | None, requires_grad: bool) -> Tensor:
    result = new_tensor(np.asarray(array).astype((kind or dtypes.get_default_dtype()).numpy))
    if requires_grad:
        result.requires_grad = True
    return result


def rand(
    *size: Any,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return numbers spread evenly over [0, 1); ``size`` is ints or one tuple."""
    return _made(_stream(generator).random(_shape(size)), dtype, requires_grad)


def randn(
    *size: Any,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return numbers from the standard normal distribution; ``size`` is ints or one tuple."""
    return _made(_stream(generator).standard_normal(_shape(size)), dtype, requires_grad)


def randint(
    low: int,
    high: int | Sequence[int] | None = None,
    size: Sequence[int] | None = None,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return integers from ``low`` (0 if it is left out) up to but without ``high``; int64."""
    if size is None:
        if high is None or isinstance(high, int):
            raise TypeError("randint() takes (high, size) or (low, high, size)")
        return randint(0, low, high, generator=generator, dtype=dtype, requires_grad=requires_grad)
    assert isinstance(high, int)
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    drawn = _stream(generator).integers(low, high, tuple(size))
    return _made(drawn, dtype or dtypes.int64, requires_grad)


def randperm(n: int, *, generator: Generator | None = None, dtype: dtype | None = None) -> Tensor:
    """Return the numbers from 0 to ``n - 1`` in random order; int64."""
    return _made(_stream(generator).permutation(n), dtype or dtypes.int64, False)


def normal(
    mean: Tensor | float = 0.0,
    std: Tensor | float = 1.0,
    size: Sequence[int] | None = None,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Return numbers from normal distributions: of ``size``, or one for each mean and std."""
    means = mean.array if isinstance(mean, Tensor) else mean
    stds = std.array if isinstance(std, Tensor) else std
    if np.any(np.asarray(stds) < 0):
        raise RuntimeError(f"normal expects std >= 0.0, but found std {np.min(stds)}")
    shape = np.broadcast_shapes(np.shape(means), np.shape(stds)) if size is None else tuple(size)
    drawn = means + stds * _stream(generator).standard_normal(shape)
    kind = next((each.dtype for each in (mean, std) if isinstance(each, Tensor)), None)
    return _made(drawn, kind, False)


def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Generator | None = None
) -> Tensor:
    """Return 1 with the probability that ``input`` holds (or ``p``) and 0 otherwise."""
    chances = input.array if p is None else np.full(input.array.shape, p)
    if np.any((chances < 0) | (chances > 1)):
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    drawn = _stream(generator).random(chances.shape) < chances
    return _made(drawn, input.dtype, False)


def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Return places drawn with the weights in each row of ``input``: (rows, ``num_samples``), int64."""
    weights = np.atleast_2d(input.array).astype(np.float64)
    if input.array.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if np.any(weights < 0) or not np.isfinite(weights).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if np.any(weights.sum(1) <= 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if not replacement and num_samples > weights.shape[1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    stream = _stream(generator)
    rows = [stream.choice(len(row), num_samples, replacement, row / row.sum()) for row in weights]
    drawn = np.array(rows, np.int64).reshape(len(rows), num_samples)
    return new_tensor(drawn if input.array.ndim == 2 else drawn[0])


def _like(function: Any, name: str, what: str) -> Any:
    def like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
        return function(input.array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)

    like.__name__ = like.__qualname__ = name
    like.__doc__ = f"Return {what}, in the shape and dtype of ``input``."
    return like


rand_like = _like(rand, "rand_like", "numbers spread evenly over [0, 1)")
randn_like = _like(randn, "randn_like", "numbers from the standard normal distribution")


def randint_like(
    input: Tensor, low: int, high: int | None = None, *, dtype: dtype | None = None
) -> Tensor:
    """Return integers from ``low`` up to ``high``, in the shape and dtype of ``input``."""
    start, end = (0, low) if high is None else (low, high)
    return randint(start, end, input.array.shape, dtype=dtype or input.dtype)


# In place -----------------------------------------------------------------------------------------


def _refill(target: Tensor, name: str, values: Any) -> Tensor:
    """Write random numbers into the memory of ``target``: a constant, as its history sees it."""
    from .copying import copy_

    if mode.enabled and target.requires_grad:
        return copy_(target, new_tensor(np.asarray(values).astype(target.array.dtype)))
    np.copyto(target.array, values, casting="unsafe")
    bump(target, name)
    return target


def normal_(
    target: Tensor, mean: float = 0, std: float = 1, *, generator: Generator | None = None
) -> Tensor:
    """Fill with numbers from a normal distribution, in place."""
    if std < 0:
        raise RuntimeError(f"normal_ expects std >= 0.0, but found std={std}")
    drawn = mean + std * _stream(generator).standard_normal(target.array.shape)
    return _refill(target, "normal_", drawn)


def uniform_(
    target: Tensor, a: float = 0, b: float = 1, *, generator: Generator | None = None
) -> Tensor:
    """Fill with numbers spread evenly over [a, b), in place."""
    if a > b:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={a} > to={b}"
        )
    drawn = a + (b - a) * _stream(generator).random(target.array.shape)
    return _refill(target, "uniform_", drawn)


def bernoulli_(
    target: Tensor, p: Tensor | float = 0.5, *, generator: Generator | None = None
) -> Tensor:
    """Fill with 1 with probability ``p`` and 0 otherwise, in place."""
    chances = p.array if isinstance(p, Tensor) else p
    if np.any((np.asarray(chances) < 0) | (np.asarray(chances) > 1)):
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    return _refill(target, "bernoulli_", _stream(generator).random(target.array.shape) < chances)


def exponential_(target: Tensor, lambd: float = 1, *, generator: Generator | None = None) -> Tensor:
    """Fill with numbers from an exponential distribution, in place."""
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    drawn = _stream(generator).exponential(1 / lambd, target.array.shape)
    return _refill(target, "exponential_", drawn)


def random_(
    target: Tensor, low: int = 0, high: int | None = None, *, generator: Generator | None = None
) -> Tensor:
    """Fill with integers from ``low`` up to but without ``high``, in place."""
    if high is None:
        low, high = (0, low) if low else (0, 2**24)
    return _refill(target, "random_", _stream(generator).integers(low, high, target.array.shape))


__all__ = [
    "Generator",
    "bernoulli",
    "default_generator",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "multinomial",
    "normal",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "seed",
    "set_rng_state",
]
