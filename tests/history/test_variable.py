"""The Variable of PyTorch 0.1 to 0.3: what its two flags do, and what it shares."""

from __future__ import annotations

import copy
import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

import minigrad
from minigrad import history
from minigrad.history import Variable, lift


def wrap(*numbers: float, **flags: bool) -> Variable:
    return Variable(minigrad.tensor(numbers, dtype=minigrad.float32), **flags)


# The two flags ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("requires_grad", "volatile", "out_requires_grad", "out_volatile"),
    [
        (False, False, False, False),
        (True, False, True, False),
        (False, True, False, True),
        (True, True, False, True),  # on two different inputs: volatile wins
    ],
)
def test_one_input_is_enough_for_either_flag_and_volatile_wins(
    requires_grad, volatile, out_requires_grad, out_volatile
):
    a = wrap(1, 2, requires_grad=requires_grad)
    b = wrap(3, 4, volatile=volatile)
    out = a * b
    assert out.requires_grad is out_requires_grad
    assert out.volatile is out_volatile
    assert (out.creator is not None) is out_requires_grad
    assert out.data.tolist() == [3, 8]


def test_one_volatile_input_among_ten_makes_the_result_volatile():
    inputs = [wrap(float(k), requires_grad=True) for k in range(9)] + [wrap(9, volatile=True)]
    out = history.cat(inputs)
    assert (out.volatile, out.requires_grad, out.creator) == (True, False, None)
    assert history.cat(inputs[:9]).requires_grad


def test_volatile_spreads_through_everything_that_follows():
    w = wrap(2, requires_grad=True)
    out = (w * wrap(3, volatile=True) + w).exp().sum()
    assert out.volatile
    assert not out.requires_grad


def test_both_flags_at_once_are_refused_in_the_words_of_the_time():
    words = "can't be volatile and require_grad at the same time"
    with pytest.raises(RuntimeError, match=words):
        wrap(1, requires_grad=True, volatile=True)
    with pytest.raises(ValueError, match=words):
        wrap(1, volatile=True).requires_grad = True
    leaf = wrap(1, requires_grad=True)
    with pytest.raises(RuntimeError, match=words):
        leaf.volatile = True
    assert not leaf.volatile


def test_flags_can_be_set_on_leaves_only():
    y = wrap(1, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="volatile can only be set on leaf variables"):
        y.volatile = True
    with pytest.raises(RuntimeError, match="only change requires_grad flags of leaf variables"):
        y.requires_grad = False
    v = wrap(1)
    v.volatile = True
    assert (v * 2).volatile
    v.volatile = False
    v.requires_grad = True
    assert (v * 2).requires_grad
    with pytest.raises(TypeError, match="volatile must be a bool"):
        v.volatile = 1


def test_a_volatile_result_saves_nothing_and_holds_nothing():
    w = wrap(1, 2, requires_grad=True)
    h = w.exp()
    held = weakref.ref(h.tensor)
    kept = h * wrap(3, 4, volatile=True)
    del h
    gc.collect()
    assert held() is None
    assert kept.tensor.grad_fn is None


def test_backward_of_a_volatile_result_is_refused():
    out = (wrap(1, requires_grad=True) * wrap(2, volatile=True)).sum()
    with pytest.raises(RuntimeError, match="calling backward on a volatile variable"):
        out.backward()
    with pytest.raises(RuntimeError, match="element 0 of variables tuple is volatile"):
        out.backward()
    with pytest.raises(RuntimeError, match="cannot register a hook on a volatile variable"):
        out.register_hook(lambda grad: grad)


def test_todays_variable_only_warns():
    with pytest.warns(UserWarning, match="volatile was removed"):
        today = minigrad.autograd.Variable(minigrad.ones(1), volatile=True)
    assert isinstance(today, minigrad.Tensor)


# detach, data and memory ------------------------------------------------------------------------


def test_detach_keeps_volatile_and_never_requires_grad():
    v = wrap(1, volatile=True)
    y = wrap(1, requires_grad=True) * 2
    assert v.detach() is not v
    assert v.detach().volatile
    assert not y.detach().volatile
    assert not y.detach().requires_grad
    assert y.detach().creator is None


def test_a_variable_of_the_data_starts_with_both_flags_off():
    for v in (wrap(1, volatile=True), wrap(1, requires_grad=True), wrap(1, requires_grad=True) * 2):
        fresh = Variable(v.data)
        assert (fresh.volatile, fresh.requires_grad, fresh.creator) == (False, False, None)
        assert fresh.data.data_ptr() == v.data.data_ptr()


def test_data_is_a_plain_tensor_on_the_same_memory():
    v = wrap(1, 2, requires_grad=True)
    assert type(v.data) is minigrad.Tensor
    assert not v.data.requires_grad
    v.data.fill_(7)
    assert v.data.tolist() == [7, 7]
    v.data = minigrad.tensor([5.0])
    assert v.data.tolist() == [5]


def test_a_write_shows_in_both_and_trips_the_check():
    x = wrap(1, 2, requires_grad=True)
    y = x * 2
    z = y.detach()
    loss = (y * y).sum()
    z.add_(1)
    assert y.data.tolist() == [3, 5]
    assert y._version == z._version == 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_a_write_through_the_data_goes_unnoticed():
    x = wrap(1, 2, requires_grad=True)
    y = x * 2
    loss = (y * y).sum()
    Variable(y.data).zero_()
    loss.backward()
    assert x.grad.data.tolist() == [0, 0]


def test_detach_in_place_makes_a_leaf_and_refuses_views():
    y = wrap(1, 2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        y[0].detach_()
    assert y.detach_() is y
    assert y.is_leaf
    assert not y.requires_grad
    v = wrap(1, volatile=True)
    assert v.detach_().volatile


def test_a_leaf_that_requires_grad_cannot_be_written():
    w = wrap(1, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        w.add_(1)
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        w.add_(wrap(1, volatile=True))
    assert w.data.tolist() == [1]


def test_a_volatile_value_written_into_a_result_makes_it_volatile():
    x = wrap(1, 2, requires_grad=True)
    y = x * 2
    earlier = y + 0
    y.add_(wrap(10, 20, volatile=True))
    assert y.data.tolist() == [12, 24]
    assert (y.volatile, y.requires_grad, y.creator) == (True, False, None)
    earlier.sum().backward()
    assert x.grad.data.tolist() == [2, 2]


def test_index_assignment_is_a_write_like_any_other():
    x = wrap(1, 2, 3, requires_grad=True)
    y = x * 2
    y[0] = 100.0
    y.sum().backward()
    assert x.grad.data.tolist() == [0, 2, 2]
    y[1] = wrap(5, volatile=True)[0]
    assert y.volatile


# Gradients --------------------------------------------------------------------------------------


def test_grad_is_a_variable_and_volatile():
    x = wrap(1, 2, requires_grad=True)
    assert x.grad is None
    (x * x).sum().backward()
    assert isinstance(x.grad, Variable)
    assert x.grad is x.grad
    assert x.grad.data.tolist() == [2, 4]
    assert x.grad.volatile
    x.grad = None
    assert x.grad is None
    with pytest.raises(TypeError, match="expected Variable or None"):
        x.grad = minigrad.ones(2)


def test_grad_with_a_graph_of_its_own_is_not_volatile():
    x = wrap(3, requires_grad=True)
    with pytest.warns(UserWarning, match="reference cycle"):
        (x * x * x).backward(create_graph=True)
    g = x.grad
    assert not g.volatile
    x.grad = None
    g.backward()
    assert x.grad.data.tolist() == [18]


def test_creator_and_grad_fn_are_one():
    y = wrap(1, requires_grad=True) * 2
    assert y.creator is y.grad_fn
    assert y.creator.name() == "MulBackward0"


def test_retain_variables_is_the_old_name_of_retain_graph():
    x = wrap(3, requires_grad=True)
    loss = (x * x).sum()
    with pytest.warns(UserWarning, match="retain_variables option is deprecated"):
        loss.backward(retain_variables=True)
    loss.backward()
    assert x.grad.data.tolist() == [12]


def test_gradient_may_be_a_tensor_or_a_variable():
    x = wrap(1, 2, requires_grad=True)
    (x * 3).backward(minigrad.tensor([1.0, 10.0]))
    (x * 3).backward(wrap(1, 1))
    assert x.grad.data.tolist() == [6, 33]
    x.sum().backward(minigrad.tensor([5.0]))
    assert x.grad.data.tolist() == [11, 38]


def test_hooks_see_and_return_variables():
    x = wrap(1, 2, requires_grad=True)
    seen = []
    y = x * 2
    y.register_hook(lambda grad: seen.append(grad) or grad * 10)
    y.sum().backward()
    assert [type(grad) for grad in seen] == [Variable]
    assert x.grad.data.tolist() == [20, 20]


# A tensor's methods, operators and functions ----------------------------------------------------


def test_methods_operators_and_functions_give_variables():
    x = wrap(4, 9, requires_grad=True)
    for out in (x.sqrt(), 1 - x, x / 2, 2**x, -x, abs(x), x.view(2, 1).t(), x[0], history.exp(x)):
        assert isinstance(out, Variable)
        assert out.requires_grad
    for out in (x > 5, x == x, x.data.max(0) and x.max(0).indices):
        assert not out.requires_grad
    values, indices = x.max(0)
    assert (values.data.tolist(), indices.data.tolist()) == ([9], [1])
    assert [part.data.tolist() for part in x] == [[4], [9]]
    assert x.contiguous() is x
    assert (np.float32(2) * x).data.tolist() == [8, 18]


def test_there_were_no_tensors_without_dimensions():
    loss = wrap(1, 2, requires_grad=True).sum()
    assert loss.size() == (1,)
    assert float(loss.data[0]) == 3
    assert loss[0].data.tolist() == [3]
    assert len(loss) == 1


def test_what_came_later_is_missing_and_the_message_says_what_to_write():
    v = wrap(1, 2)
    for name, instead in (("item", "data[0]"), ("numpy", "data.numpy()"), ("tolist", "data.tol")):
        with pytest.raises(AttributeError, match=r"PyTorch 0\.3") as raised:
            getattr(v, name)
        assert instead in str(raised.value)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = v.nonsense


def test_a_bare_tensor_beside_a_variable_is_refused():
    v = wrap(1, 2)
    for wrong in (
        lambda: v + minigrad.ones(2),
        lambda: minigrad.ones(2) * v,
        lambda: v.add_(minigrad.ones(2)),
    ):
        with pytest.raises(TypeError, match="Wrap it"):
            wrong()
    assert v[minigrad.tensor([1, 0])].data.tolist() == [2, 1]


def test_only_tensors_can_be_wrapped():
    for wrong in ([1.0], 3.0, np.ones(2), wrap(1)):
        with pytest.raises(TypeError, match="Variable data has to be a tensor"):
            Variable(wrong)


def test_the_truth_of_a_variable_is_ambiguous():
    with pytest.raises(RuntimeError, match="bool value of Variable objects"):
        bool(wrap(1) > 0)


def test_lift_lets_any_function_of_tensors_take_variables():
    square = lift(lambda a, b: (a * b).sum())
    assert square(wrap(2, requires_grad=True), wrap(3)).requires_grad
    assert square(wrap(2, requires_grad=True), wrap(3, volatile=True)).volatile


def test_the_three_old_idioms_of_the_lesson():
    w = wrap(2, requires_grad=True)
    batch = Variable(minigrad.tensor([1.0, 2.0]), volatile=True)  # inference on a batch
    assert (w * batch).creator is None
    hidden = Variable((w * 3).data)  # repackage_hidden
    assert hidden.creator is None
    total = 0.0
    total += float((w * 5).sum().data[0])  # keeping a number
    assert total == 10


def test_deepcopy_copies_memory_and_flags_of_a_leaf():
    v = copy.deepcopy(wrap(1, 2, volatile=True))
    assert v.volatile
    with pytest.raises(RuntimeError, match="deepcopy protocol"):
        copy.deepcopy(wrap(1, requires_grad=True) * 2)


def test_every_docstring_says_what_is_written_today():
    told = [Variable, lift, *(vars(Variable)[name] for name in sorted(vars(Variable)))]
    for thing in told:
        public = thing.__doc__ and not getattr(thing, "__name__", "").startswith("_")
        if public and (callable(thing) or isinstance(thing, property)):
            assert "Today:" in thing.__doc__, thing


def test_history_is_loaded_when_it_is_first_used():
    program = (
        "import sys, minigrad; print('minigrad.history' in sys.modules); minigrad.history.Variable"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


# Pictures ---------------------------------------------------------------------------------------


def test_a_volatile_variable_is_drawn_with_its_mark():
    x = wrap(1, 2, requires_grad=True)
    v = wrap(3, 4, volatile=True)
    y = x * v
    z = y.detach()
    picture = minigrad.draw(x * 2, y)
    shown = {tensor.name: tensor for tensor in picture.snapshot.tensors}
    assert list(shown) == ["x", None, "y", "z"]
    assert (shown["y"].volatile, shown["z"].volatile, shown["x"].volatile) == (True, True, False)
    assert shown["y"].storage == shown["z"].storage
    assert 'class="tensor volatile"' in picture.svg
    assert "y = [3., 8.]  no grad, volatile, (2,) float32" in picture.text
    assert z.volatile
