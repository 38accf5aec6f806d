"""Probability distributions whose log-probabilities have gradients: ``torch.distributions``'s names.

``sample()`` leaves the graph: a sample is a constant. ``rsample()`` keeps it, where the sample can be
written as a function of the parameters and of noise: then a gradient comes back through it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import minigrad
from minigrad import Size, Tensor

_LOG_TWO_PI = math.log(2 * math.pi)


class Distribution:
    """What all distributions share: ``batch_shape`` independent ones, with events of ``event_shape``."""

    has_rsample = False

    def __init__(self, batch_shape: Sequence[int] = (), event_shape: Sequence[int] = ()) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)

    @property
    def batch_shape(self) -> Size:
        """The shape of the parameters: one distribution each."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of a single sample of one distribution."""
        return self._event_shape

    @property
    def mean(self) -> Tensor:
        """The expected value."""
        raise NotImplementedError

    @property
    def variance(self) -> Tensor:
        """The expected squared distance from the mean."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The square root of the variance."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples, ``sample_shape + batch_shape + event_shape``, outside the graph."""
        with minigrad.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples that gradients come back through, where the distribution allows it."""
        raise NotImplementedError(
            f"{type(self).__name__} has no rsample(): a sample of it is no smooth function of its "
            "parameters; use log_prob(sample()) instead"
        )

    def log_prob(self, value: Tensor) -> Tensor:
        """Return the logarithm of the probability (or its density) of ``value``."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """Return the expected ``-log_prob``."""
        raise NotImplementedError

    def _shape(self, sample_shape: Sequence[int]) -> tuple[int, ...]:
        return (*sample_shape, *self._batch_shape, *self._event_shape)


def _check(name: str, parameter: str, value: Tensor, holds: Tensor, constraint: str) -> None:
    if not bool(holds.all()):
        raise ValueError(
            f"Expected parameter {parameter} (Tensor of shape {tuple(value.shape)}) of distribution "
            f"{name} to satisfy the constraint {constraint}, but found invalid values:\n{value!r}"
        )


def _check_value(value: Tensor, holds: Tensor, constraint: str) -> None:
    if not isinstance(value, Tensor):
        raise ValueError("The value argument to log_prob must be a Tensor")
    if not bool(holds.all()):
        raise ValueError(
            "Expected value argument "
            f"(Tensor of shape {tuple(value.shape)}) to be within the support ({constraint}) of the "
            f"distribution, but found invalid values:\n{value!r}"
        )


def _together(*values: Any) -> list[Tensor]:
    """Bring numbers and tensors to tensors of one shape."""
    tensors = [
        each if isinstance(each, Tensor) else minigrad.tensor(float(each)) for each in values
    ]
    return list(minigrad.broadcast_tensors(*tensors))


class Normal(Distribution):
    """The normal distribution with mean ``loc`` and standard deviation ``scale``."""

    has_rsample = True

    def __init__(self, loc: Tensor | float, scale: Tensor | float) -> None:
        self.loc, self.scale = _together(loc, scale)
        super().__init__(self.loc.shape)
        _check("Normal()", "loc", self.loc, self.loc == self.loc, "Real()")
        _check("Normal()", "scale", self.scale, self.scale > 0, "GreaterThan(lower_bound=0.0)")

    @property
    def mean(self) -> Tensor:
        """The expected value, ``loc``."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        """The likeliest value, ``loc``."""
        return self.loc

    @property
    def stddev(self) -> Tensor:
        """The standard deviation, ``scale``."""
        return self.scale

    @property
    def variance(self) -> Tensor:
        """The square of ``scale``."""
        return self.scale.pow(2)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples outside the graph."""
        with minigrad.no_grad():
            shape = self._shape(sample_shape)
            return minigrad.normal(self.loc.expand(*shape), self.scale.expand(*shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw ``loc + scale * noise``: a gradient comes back to both."""
        noise = minigrad.randn(self._shape(sample_shape), dtype=self.loc.dtype)
        return self.loc + noise * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        """Return the logarithm of the density at ``value``."""
        _check_value(value, value == value, "Real()")
        variance = self.scale**2
        return -((value - self.loc) ** 2) / (2 * variance) - self.scale.log() - _LOG_TWO_PI / 2

    def cdf(self, value: Tensor) -> Tensor:
        """Return the probability of a sample that is at most ``value``."""
        return 0.5 * (1 + ((value - self.loc) / self.scale / math.sqrt(2)).erf())

    def entropy(self) -> Tensor:
        """Return ``log(scale) + log(2 π e) / 2``."""
        return 0.5 + 0.5 * _LOG_TWO_PI + self.scale.log()

    def __repr__(self) -> str:
        return _text("Normal", loc=self.loc, scale=self.scale)


class Uniform(Distribution):
    """Even probability over [``low``, ``high``)."""

    has_rsample = True

    def __init__(self, low: Tensor | float, high: Tensor | float) -> None:
        self.low, self.high = _together(low, high)
        super().__init__(self.low.shape)
        if not bool((self.low < self.high).all()):
            raise ValueError("Uniform is not defined when low>= high")

    @property
    def mean(self) -> Tensor:
        """The middle."""
        return (self.high + self.low) / 2

    @property
    def variance(self) -> Tensor:
        """A twelfth of the squared width."""
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw ``low + (high - low) * noise``."""
        noise = minigrad.rand(self._shape(sample_shape), dtype=self.low.dtype)
        return self.low + noise * (self.high - self.low)

    def log_prob(self, value: Tensor) -> Tensor:
        """Return minus the logarithm of the width, where ``value`` is inside."""
        inside = (value >= self.low) & (value < self.high)
        return inside.to(self.low.dtype).log() - (self.high - self.low).log()

    def entropy(self) -> Tensor:
        """Return the logarithm of the width."""
        return (self.high - self.low).log()

    def __repr__(self) -> str:
        return _text("Uniform", low=self.low, high=self.high)


class _OfLogits(Distribution):
    """What distributions share that take either ``probs`` or ``logits``."""

    def _given(self, probs: Any, logits: Any) -> Tensor:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        self._by_logits = probs is None
        value = logits if probs is None else probs
        return value if isinstance(value, Tensor) else minigrad.tensor(float(value))


class Bernoulli(_OfLogits):
    """1 with probability ``probs`` and 0 otherwise; or ``logits``, the log-odds."""

    def __init__(
        self, probs: Tensor | float | None = None, logits: Tensor | float | None = None
    ) -> None:
        value = self._given(probs, logits)
        if self._by_logits:
            self.logits, self.probs = value, value.sigmoid()
        else:
            inside = (value >= 0) & (value <= 1)
            _check(
                "Bernoulli()", "probs", value, inside, "Interval(lower_bound=0.0, upper_bound=1.0)"
            )
            self.probs = value
            eps = minigrad.finfo(value.dtype).eps
            kept = value.clamp(eps, 1 - eps)
            self.logits = kept.log() - (-kept).log1p()
        super().__init__(value.shape)

    @property
    def mean(self) -> Tensor:
        """The probability of 1."""
        return self.probs

    @property
    def variance(self) -> Tensor:
        """``probs * (1 - probs)``."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw ones and zeros, outside the graph."""
        with minigrad.no_grad():
            return minigrad.bernoulli(self.probs.expand(*self._shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        """Return the logarithm of the probability of ``value``, which is 0 or 1."""
        _check_value(value, (value == 0) | (value == 1), "Boolean()")
        from minigrad.nn.functional import binary_cross_entropy_with_logits

        logits, value = minigrad.broadcast_tensors(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        """Return the expected ``-log_prob``."""
        from minigrad.nn.functional import binary_cross_entropy_with_logits

        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def __repr__(self) -> str:
        return _text("Bernoulli", **self._shown())

    def _shown(self) -> dict[str, Tensor]:
        return {"logits": self.logits} if self._by_logits else {"probs": self.probs}


class Categorical(_OfLogits):
    """One of several classes, with weights ``probs`` or unnormalized log-weights ``logits``.

    The last dimension is the classes; both are normalized along it.
    """

    def __init__(self, probs: Tensor | None = None, logits: Tensor | None = None) -> None:
        value = self._given(probs, logits)
        if value.ndim < 1:
            name = "logits" if self._by_logits else "probs"
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if self._by_logits:
            _check(
                "Categorical()", "logits", value, value == value, "IndependentConstraint(Real(), 1)"
            )
            self.logits = value - value.logsumexp(-1, keepdim=True)
            self.probs = self.logits.softmax(-1)
        else:
            _check(
                "Categorical()",
                "probs",
                value,
                (value >= 0) & (value.sum(-1, keepdim=True) > 0),
                "Simplex()",
            )
            self.probs = value / value.sum(-1, keepdim=True)
            eps = minigrad.finfo(value.dtype).eps
            self.logits = self.probs.clamp(eps, 1 - eps).log()
        super().__init__(value.shape[:-1])
        self._num_events = value.shape[-1]

    @property
    def mean(self) -> Tensor:
        """Not a number: classes have no mean."""
        return minigrad.full(tuple(self.batch_shape), math.nan, dtype=self.probs.dtype)

    @property
    def variance(self) -> Tensor:
        """Not a number: classes have no variance."""
        return self.mean

    @property
    def mode(self) -> Tensor:
        """The likeliest class."""
        return self.probs.argmax(-1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw class numbers (int64), outside the graph."""
        count = 1
        for size in sample_shape:
            count *= size
        with minigrad.no_grad():
            rows = self.probs.reshape(-1, self._num_events)
            drawn = minigrad.multinomial(rows, count, True).t()
            return drawn.reshape(self._shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """Return the logarithm of the probability of each class number in ``value``."""
        inside = (value >= 0) & (value < self._num_events) & (value % 1 == 0)
        _check_value(
            value, inside, f"IntegerInterval(lower_bound=0, upper_bound={self._num_events - 1})"
        )
        index = value.long().unsqueeze(-1)
        shape = minigrad.broadcast_shapes(index.shape[:-1], self.logits.shape[:-1])
        logits = self.logits.expand(*shape, self._num_events)
        return logits.gather(-1, index.expand(*shape, 1)).squeeze(-1)

    def entropy(self) -> Tensor:
        """Return the expected ``-log_prob``; a class of probability 0 adds nothing."""
        lowest = minigrad.finfo(self.logits.dtype).min
        return -(self.logits.clamp(min=lowest) * self.probs).sum(-1)

    def __repr__(self) -> str:
        shown = {"logits": self.logits} if self._by_logits else {"probs": self.probs}
        return _text("Categorical", **shown)


def _text(name: str, **parameters: Tensor) -> str:
    shown = [
        f"{key}: {value if value.numel() == 1 else value.size()}"
        for key, value in parameters.items()
    ]
    return f"{name}({', '.join(shown)})"


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """Return the Kullback-Leibler divergence of ``q`` from ``p``, for two of the same kind."""
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio = (p.scale / q.scale).pow(2)
        distance = ((p.loc - q.loc) / q.scale).pow(2)
        return 0.5 * (ratio + distance - 1 - ratio.log())
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        terms = p.probs * (p.logits - q.logits)
        endless = minigrad.full_like(terms, math.inf)
        terms = minigrad.where(q.probs == 0, endless, terms)
        terms = minigrad.where(p.probs == 0, minigrad.zeros_like(terms), terms)
        return terms.sum(-1)
    if isinstance(p, Bernoulli) and isinstance(q, Bernoulli):
        ones = p.probs * (p.probs / q.probs).log()
        zeros = (1 - p.probs) * ((1 - p.probs) / (1 - q.probs)).log()
        return minigrad.nan_to_num(ones, nan=0.0) + minigrad.nan_to_num(zeros, nan=0.0)
    if isinstance(p, Uniform) and isinstance(q, Uniform):
        found = ((q.high - q.low) / (p.high - p.low)).log()
        outside = (q.low > p.low) | (q.high < p.high)
        return minigrad.where(outside, minigrad.full_like(found, math.inf), found)
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )


__all__ = [
    "Bernoulli",
    "Categorical",
    "Distribution",
    "Normal",
    "Uniform",
    "kl_divergence",
]
