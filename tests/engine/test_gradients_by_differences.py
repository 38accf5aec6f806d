"""Every operation's gradient, and the gradient of its gradient, against central differences.

In float64. The number that is differentiated has curvature in every result, so that the second
derivative goes through the vjps of the vjps.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from observe_ops import tensors, weighted
from op_table import SMOOTH, Row

import minigrad

STEP = 1e-6


def total(row: Row, inputs: list[minigrad.Tensor]) -> minigrad.Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return weighted(minigrad, tensors(minigrad, row.program(minigrad, *inputs)), 0)


def leaves(arrays: list[np.ndarray]) -> list[minigrad.Tensor]:
    return [minigrad.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]


def gradients(row: Row, arrays: list[np.ndarray]) -> list[np.ndarray]:
    inputs = leaves(arrays)
    wanted = [x for x in inputs if x.requires_grad]
    found = minigrad.autograd.grad(total(row, inputs), wanted, materialize_grads=True)
    return [g.numpy() for g in found]


def second_gradients(row: Row, arrays: list[np.ndarray]) -> list[np.ndarray]:
    inputs = leaves(arrays)
    wanted = [x for x in inputs if x.requires_grad]
    first = minigrad.autograd.grad(
        total(row, inputs), wanted, create_graph=True, materialize_grads=True
    )
    mixed = sum((g * w).sum() for g, w in zip(first, mixing(first), strict=True))
    if not mixed.requires_grad:
        return [np.zeros(x.shape) for x in wanted]
    found = minigrad.autograd.grad(mixed, wanted, materialize_grads=True)
    return [g.numpy() for g in found]


def mixing(grads: list) -> list[minigrad.Tensor]:
    return [
        minigrad.tensor(np.sin(np.arange(g.numel()) + 1.0).reshape(g.shape))
        for g in map(tensor_of, grads)
    ]


def tensor_of(g: object) -> minigrad.Tensor:
    return g if isinstance(g, minigrad.Tensor) else minigrad.tensor(g)


def differences(
    function: Callable[[list[np.ndarray]], float], arrays: list[np.ndarray]
) -> list[np.ndarray]:
    """The slope of ``function`` in every element of every array of floats."""
    slopes = []
    for place, array in enumerate(arrays):
        if array.dtype.kind != "f":
            continue
        slope = np.zeros(array.shape)
        for index in np.ndindex(array.shape):
            ends = []
            for step in (STEP, -STEP):
                moved = [a.copy() for a in arrays]
                moved[place][index] += step
                ends.append(function(moved))
            slope[index] = (ends[0] - ends[1]) / (2 * STEP)
        slopes.append(slope)
    return slopes


# A result in float32 is too coarse for differences.
FINE = [
    row
    for row in SMOOTH
    if "float32" not in row.name and "dtype" not in row.name and "cast" not in row.name
]


@pytest.mark.parametrize("row", FINE, ids=lambda row: row.name)
def test_gradient_is_the_slope(row):
    arrays = row.arrays(seed=3)
    slopes = differences(lambda moved: total(row, leaves(moved)).item(), arrays)
    for found, slope in zip(gradients(row, arrays), slopes, strict=True):
        np.testing.assert_allclose(found, slope, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("row", FINE, ids=lambda row: row.name)
def test_gradient_of_the_gradient_is_the_slope_of_the_gradient(row):
    arrays = row.arrays(seed=3)

    def mixed(moved: list[np.ndarray]) -> float:
        first = gradients(row, moved)
        return float(sum((g * w.numpy()).sum() for g, w in zip(first, mixing(first), strict=True)))

    slopes = differences(mixed, arrays)
    for found, slope in zip(second_gradients(row, arrays), slopes, strict=True):
        np.testing.assert_allclose(found, slope, rtol=1e-5, atol=1e-6)
