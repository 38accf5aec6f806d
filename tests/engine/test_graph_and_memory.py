"""The core promises: detach cuts the graph and shares memory; versions guard what was saved."""

from __future__ import annotations

import gc
import sys
import tracemalloc
import weakref

import numpy as np
import pytest

import minigrad
from minigrad.engine.graph import Node


@pytest.fixture
def x() -> minigrad.Tensor:
    return minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)


def test_the_printed_example_prints_as_in_pytorch(x):
    y = x * 2
    z = y.detach()
    assert repr(x) == "tensor([1., 2., 3.], requires_grad=True)"
    assert repr(y) == "tensor([2., 4., 6.], grad_fn=<MulBackward0>)"
    assert repr(z) == "tensor([2., 4., 6.])"


def test_detach_returns_a_leaf_without_history_on_the_same_memory(x):
    y = x * 2
    z = y.detach()
    assert (z.requires_grad, z.grad_fn, z.is_leaf) == (False, None, True)
    assert z.data_ptr() == y.data_ptr()
    assert z.storage is y.storage
    assert y.grad_fn is not None


def test_detach_of_a_hundred_megabytes_copies_nothing():
    big = minigrad.zeros(25_000_000)
    tracemalloc.start()
    try:
        cut = big.detach()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert np.shares_memory(cut.numpy(), big.numpy())
    assert peak < 100_000


def test_write_through_detached_alias_shows_in_the_source(x):
    y = x * 2
    y.detach().add_(1)
    assert y.tolist() == [3.0, 5.0, 7.0]
    assert y._version == 1


def test_write_through_detached_alias_raises_in_backward(x):
    y = x * 2
    loss = (y * y).sum()
    z = y.detach()
    z.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation") as caught:
        loss.backward()
    message = str(caught.value)
    assert "is at version 1; expected version 0 instead" in message
    assert "`y`" in message
    assert "MulBackward0 saved" in message
    assert "add_ (line" in message
    assert "test_graph_and_memory.py" in message
    assert x.grad is None


def test_write_through_detached_alias_is_harmless_where_nothing_was_saved(x):
    y = x * 2
    loss = (y + 1).sum()
    y.detach().zero_()
    loss.backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


def test_write_through_data_goes_unnoticed_and_gives_a_wrong_gradient(x):
    loss = (x * x).sum()
    x.data.zero_()
    loss.backward()
    assert x._version == 0
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_a_failed_backward_changes_no_gradient_and_frees_nothing(x):
    w = minigrad.ones(3, requires_grad=True)
    kept = x * w
    loss = (kept * kept).sum() + w.sum()
    kept.detach().add_(1)
    saved = kept.grad_fn.saved
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    assert x.grad is None
    assert w.grad is None
    assert kept.grad_fn.saved is saved


@pytest.mark.parametrize(
    "spoil",
    [
        lambda t: t.add_(minigrad.ones(2)),
        lambda t: t.add_(minigrad.ones(2, 3)),
        lambda t: t.copy_(minigrad.ones(4)),
        lambda t: t.long().add_(0.5),
        lambda t: t @ minigrad.ones(2, 2),
        lambda t: t.view(5),
        lambda t: t[7],
        lambda t: t + minigrad.ones(2),
        lambda t: t.sum(dim=3),
    ],
)
def test_a_refused_operation_leaves_values_versions_and_graph_alone(spoil):
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    node = y.grad_fn
    with pytest.raises((RuntimeError, IndexError)):
        spoil(y)
    assert y.tolist() == [2.0, 4.0, 6.0]
    assert (y._version, y.grad_fn) == (0, node)
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


def test_a_chain_of_a_hundred_thousand_operations_runs_backward():
    x = minigrad.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1
    assert sys.getrecursionlimit() < 100_000
    y.backward()
    assert x.grad.item() == 1.0


def test_a_long_chain_can_be_dropped():
    x = minigrad.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y * 1.5
    del y
    gc.collect()


def test_dropping_the_result_frees_its_graph_without_the_collector(x):
    gc.disable()
    try:
        y = x.exp()
        node = weakref.ref(y.grad_fn)
        z = y.detach()
        del y
        assert node() is None
        assert z.tolist() == pytest.approx(np.exp([1, 2, 3]).tolist(), rel=1e-6)
    finally:
        gc.enable()


def test_a_detached_tensor_knows_its_source_only_as_long_as_it_lives(x):
    y = x * 2
    z = y.detach()
    assert z._cut_from() is y
    del y
    assert z._cut_from() is None


def test_an_operation_saves_only_what_its_vjp_reads(x):
    w = minigrad.ones(3, requires_grad=True)
    assert (x * 2).grad_fn.saved == (2,)
    assert (x + w).grad_fn.saved == ()
    assert (x * minigrad.ones(3)).grad_fn.saved[0].requires_grad is False
    first, second = (x * w).grad_fn.saved
    assert (first is x, second is w) == (True, True)
    y = x.exp()
    (kept,) = y.grad_fn.saved
    assert np.shares_memory(kept.array, y.array)


def test_backward_frees_what_was_saved_and_says_so_the_second_time(x):
    loss = (x * x).sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        loss.backward()
    assert x.grad.tolist() == [2.0, 4.0, 6.0]


def test_next_functions_show_the_leaf_and_the_cut(x):
    y = x * 2
    product = y * y.detach()
    (through, number), cut = product.grad_fn.next_functions
    assert (through, number, cut) == (y.grad_fn, 0, (None, 0))
    ((leaf, _), _) = y.grad_fn.next_functions
    assert leaf.name() == "AccumulateGrad"
    assert leaf.variable is x
    assert isinstance(leaf, Node)


def test_two_leaves_never_share_the_memory_of_their_gradients():
    a = minigrad.ones(3, requires_grad=True)
    b = minigrad.ones(3, requires_grad=True)
    (a + b).sum().backward()
    a.grad.add_(5)
    assert b.grad.tolist() == [1.0, 1.0, 1.0]


def test_error_for_a_leaf_written_in_place_says_what_to_do(x):
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used") as e:
        x.add_(1)
    assert "no_grad" in str(e.value)
    assert x.tolist() == [1.0, 2.0, 3.0]
    with minigrad.no_grad():
        x.add_(1)
    assert (x.tolist(), x._version, x.requires_grad) == ([2.0, 3.0, 4.0], 1, True)
