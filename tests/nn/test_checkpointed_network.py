"""A checkpointed function gives the same values and gradients, and keeps nothing in between."""

import gc
import weakref

import pytest

import minigrad
from minigrad import nn
from minigrad.autograd import grad
from minigrad.utils.checkpoint import checkpoint, checkpoint_sequential


def layers() -> nn.Sequential:
    minigrad.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))


def gradients(network: nn.Module, result: minigrad.Tensor) -> list[list[float]]:
    network.zero_grad()
    result.sum().backward()
    return [p.grad.tolist() for p in network.parameters()]


@pytest.mark.parametrize("use_reentrant", [False, True])
def test_checkpointed_network_has_the_same_value_and_gradients(use_reentrant: bool) -> None:
    network = layers()
    x = minigrad.randn(4, 3, requires_grad=True)
    plain = network(x)
    wanted = gradients(network, plain), x.grad.tolist()
    x.grad = None
    kept = checkpoint(network, x, use_reentrant=use_reentrant)
    assert kept.tolist() == plain.tolist()
    assert (gradients(network, kept), x.grad.tolist()) == wanted


def test_parameters_get_gradients_though_no_input_requires_grad() -> None:
    network = layers()
    x = minigrad.randn(4, 3)
    wanted = gradients(network, network(x))
    assert gradients(network, checkpoint(network, x, use_reentrant=False)) == wanted


def test_reentrant_checkpoint_without_an_input_that_requires_grad_warns() -> None:
    network = layers()
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        out = checkpoint(network, minigrad.randn(4, 3), use_reentrant=True)
    assert not out.requires_grad


def test_second_derivatives_come_through_a_checkpoint() -> None:
    x = minigrad.tensor([2.0, 3.0], requires_grad=True)
    (first,) = grad(checkpoint(lambda x: x**3, x, use_reentrant=False).sum(), x, create_graph=True)
    (second,) = grad(first.sum(), x)
    assert first.tolist() == [12.0, 27.0]
    assert second.tolist() == [12.0, 18.0]


def test_backward_draws_the_random_numbers_of_the_first_time() -> None:
    minigrad.manual_seed(1)
    x = minigrad.ones(50, requires_grad=True)
    out = checkpoint(lambda x: nn.functional.dropout(x, 0.5), x, use_reentrant=False)
    out.sum().backward()
    assert x.grad.tolist() == out.tolist()


def test_nothing_is_kept_between_forward_and_backward() -> None:
    kept = []

    def function(x: minigrad.Tensor) -> minigrad.Tensor:
        h = x.exp()
        kept.append(weakref.ref(h))
        return (h * h).sum()

    x = minigrad.ones(3, requires_grad=True)
    gc.disable()
    try:
        out = checkpoint(function, x, use_reentrant=False)
        assert kept[0]() is None
    finally:
        gc.enable()
    out.backward()
    assert len(kept) == 2


def test_sequence_is_run_in_segments() -> None:
    network = layers()
    x = minigrad.randn(4, 3, requires_grad=True)
    wanted = gradients(network, network(x))
    assert gradients(network, checkpoint_sequential(network, 2, x, use_reentrant=False)) == wanted


def test_under_no_grad_nothing_is_recorded() -> None:
    with minigrad.no_grad():
        out = checkpoint(layers(), minigrad.randn(4, 3, requires_grad=True), use_reentrant=False)
    assert not out.requires_grad
