"""A checkpointed stretch gives the gradients of the plain one, and keeps nothing of itself."""

from __future__ import annotations

import gc
import weakref

import pytest

import minigrad
from minigrad.utils.checkpoint import checkpoint, checkpoint_sequential


def leaf(*numbers: float):
    return minigrad.tensor(numbers, requires_grad=True)


def plain(function, *args, **kwargs):
    kwargs.pop("use_reentrant", None)
    return function(*args, **kwargs)


def gradients(how, program, *leaves):
    for each in leaves:
        each.grad = None
    program(how).sum().backward()
    return [None if each.grad is None else each.grad.tolist() for each in leaves]


X, W = leaf(1.0, 2.0), leaf(0.5, -1.0)


@pytest.mark.parametrize(
    "program",
    [
        lambda c: c(lambda a: a.exp() * a, X, use_reentrant=False),
        lambda c: c(lambda a: a * W, X, use_reentrant=False),
        lambda c: c(lambda a: a * X, X * 2, use_reentrant=False) + X,
        lambda c: c(lambda a: a.tanh(), X * W, use_reentrant=False) * X,
        lambda c: c(lambda a, b: (a * b).exp(), X, W * 2, use_reentrant=True),
        lambda c: c(lambda a, *, k: a**k, X, k=3, use_reentrant=False),
        lambda c: c(
            lambda a: c(lambda b: b.exp(), a * W, use_reentrant=False) * a, X, use_reentrant=False
        ),
        lambda c: c(lambda a: (a * 2, a.sum() * W), X, use_reentrant=False)[1],
        lambda c: sum(c(lambda a: a.unbind(0), X * W, use_reentrant=False)),
    ],
)
def test_gradients_are_those_of_the_plain_call(program):
    assert gradients(checkpoint, program, X, W) == gradients(plain, program, X, W)


def test_hooks_of_what_the_stretch_used_run_once():
    x, calls = leaf(1.0), []
    h = x * 2
    for each in (x, h):
        each.register_hook(lambda grad: calls.append(grad.tolist()) or grad * 10)
    checkpoint(lambda a: a * 3, h, use_reentrant=False).sum().backward()
    assert calls == [[3.0], [60.0]]
    assert x.grad.tolist() == [600.0]


def test_what_the_stretch_saved_is_let_go():
    x, inside = leaf(1.0, 2.0), []

    def stretch(a):
        h = a.exp()
        inside.append(weakref.ref(h.grad_fn))
        return h * h

    out = checkpoint(stretch, x, use_reentrant=False)
    gc.collect()
    assert inside[0]() is None
    out.sum().backward()
    assert len(inside) == 2


def test_second_derivatives_go_through_the_stretch():
    x = leaf(1.0, 2.0)
    for function in (lambda a: a**3, lambda a: a.exp() * a, lambda a: (a * X).tanh()):
        found = []
        for how in (checkpoint, plain):
            (g,) = minigrad.autograd.grad(
                how(function, x * 1, use_reentrant=False).sum(), x, create_graph=True
            )
            found.append([t.tolist() for t in (g, *minigrad.autograd.grad(g.sum(), x))])
        assert found[0] == found[1]


def test_a_second_pass_needs_retain_graph():
    out = checkpoint(lambda a: a * a, leaf(3.0), use_reentrant=False)
    out.sum().backward(retain_graph=True)
    out.sum().backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        out.sum().backward()


def test_random_numbers_are_drawn_again():
    x = minigrad.ones(1000, requires_grad=True)
    minigrad.manual_seed(3)
    out = checkpoint(lambda a: a * (minigrad.rand(1000) < 0.5), x, use_reentrant=False)
    following = minigrad.rand(1).item()
    out.sum().backward()
    assert x.grad.tolist() == out.tolist()
    minigrad.manual_seed(3)
    minigrad.rand(1000)
    assert minigrad.rand(1).item() == following


def test_an_argument_written_since_is_noticed():
    h = leaf(1.0) * 1
    out = checkpoint(lambda a: a * a, h, use_reentrant=False)
    h.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.sum().backward()


def test_a_function_that_does_something_else_is_refused():
    x, runs = leaf(1.0, 2.0), []

    def moody(a):
        runs.append(1)
        return a * W if len(runs) == 1 else a[:1] * 2

    with pytest.raises(RuntimeError, match="did something else"):
        checkpoint(moody, x, use_reentrant=False).sum().backward()


def test_the_older_form_needs_an_argument_that_requires_grad():
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        out = checkpoint(lambda a: a * W, minigrad.ones(2), use_reentrant=True)
    assert not out.requires_grad
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        checkpoint(lambda a: a * 2, X)
    with pytest.raises(ValueError, match="Unexpected keyword arguments: k"):
        checkpoint(lambda a, k: a * k, X, k=2, use_reentrant=True)


def test_a_chain_of_functions_runs_in_segments():
    steps = [
        lambda a: a * 2,
        lambda a: a.tanh(),
        lambda a: a * a,
        lambda a: a + 1,
        lambda a: a.exp(),
    ]

    def chained(how):
        if how is checkpoint:
            return checkpoint_sequential(steps, 2, X, use_reentrant=False)
        value = X
        for step in steps:
            value = step(value)
        return value

    assert gradients(checkpoint, chained, X) == gradients(plain, chained, X)
