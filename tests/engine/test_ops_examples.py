"""Operations by example: dtypes, text, choices at edges, methods, and calls that fail."""

from __future__ import annotations

import inspect
import threading
import warnings

import numpy as np
import pytest

import minigrad as T  # noqa: N812
from minigrad.engine import ops
from minigrad.engine.methods import Methods

INF, NAN = float("inf"), float("nan")


def names(tensor: T.Tensor) -> str:
    return tensor.dtype.name


# Which dtype comes out --------------------------------------------------------------------------


def test_a_wider_kind_wins_and_a_number_widens_only_the_kind():
    f32, f64, i64, u8 = (T.ones(2).to(d) for d in (T.float32, T.float64, T.int64, T.uint8))
    assert names(f32 * 2.5) == "float32"
    assert names(i64 * 2.5) == "float32"
    assert names(i64 / 2) == "float32"
    assert names(f32 + f64) == "float64"
    assert names(u8 + i64) == "int64"
    assert names(u8 + 300) == "uint8"
    assert names(f32 + T.tensor(1.0, dtype=T.float64)) == "float32"
    assert names(f32 > i64) == "bool"


def test_integers_out_of_range_wrap_round():
    assert (T.tensor([1], dtype=T.uint8) + 300).tolist() == [45]
    assert (T.tensor([1], dtype=T.uint8) - 2).tolist() == [255]


def test_sums_of_bools_and_small_integers_are_int64():
    assert names((T.ones(3) > 0).sum()) == "int64"
    assert names(T.ones(3, dtype=T.int8).cumsum(0)) == "int64"
    assert names(T.ones(3, dtype=T.uint8).all()) == "uint8"


def test_float64_of_a_list_is_asked_for():
    assert names(T.tensor([1.0])) == "float32"
    assert names(T.tensor(np.array([1.0]))) == "float64"
    T.set_default_dtype(T.float64)
    try:
        assert names(T.tensor([1.0])) == "float64"
        assert names(T.tensor([1]) / 2) == "float64"
    finally:
        T.set_default_dtype(T.float32)


def test_conversion_to_integers_leaves_the_graph():
    x = T.tensor([1.5], requires_grad=True)
    assert x.double().grad_fn.name() == "ToCopyBackward0"
    assert not x.long().requires_grad


def test_tolist_gives_python_numbers():
    assert [type(v) for v in T.tensor([1.5]).tolist()] == [float]
    assert [type(v) for v in T.tensor([1]).tolist()] == [int]
    assert [type(v) for v in T.tensor([True]).tolist()] == [bool]


# How it prints ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1.0, 2.5, -3.25], "tensor([ 1.0000,  2.5000, -3.2500])"),
        ([1.0, 2.0], "tensor([1., 2.])"),
        ([1e-5, 1.0], "tensor([1.0000e-05, 1.0000e+00])"),
        ([NAN, 1.0], "tensor([nan, 1.])"),
        ([INF, 1.5], "tensor([   inf, 1.5000])"),
        ([1, -2], "tensor([ 1, -2])"),
        ([True, False], "tensor([ True, False])"),
        (3.0, "tensor(3.)"),
        ([], "tensor([])"),
        ([[1, 2], [3, 4]], "tensor([[1, 2],\n        [3, 4]])"),
    ],
    ids=str,
)
def test_a_tensor_prints_as_in_pytorch(values, text):
    assert repr(T.tensor(values)) == text


def test_what_is_not_the_default_is_said():
    assert repr(T.zeros(2, dtype=T.float64)) == "tensor([0., 0.], dtype=minigrad.float64)"
    assert repr(T.zeros(0, 3)) == "tensor([], size=(0, 3))"
    assert repr(T.zeros(1, requires_grad=True)) == "tensor([0.], requires_grad=True)"


def test_large_tensors_are_shortened():
    assert repr(T.arange(2000)) == "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])"


def test_values_and_indices_have_a_name():
    pair = T.tensor([1.0, 3.0]).max(0)
    assert repr(pair) == "minigrad.return_types.max(\nvalues=tensor(3.),\nindices=tensor(1))"
    values, indices = pair
    assert (values.item(), indices.item()) == (3.0, 1)


# Choices of slope -------------------------------------------------------------------------------


def slope(function, *values):
    x = T.tensor(values, requires_grad=True)
    function(x).sum().backward()
    return x.grad.tolist()


def test_slope_at_a_corner():
    assert slope(lambda x: x.abs(), 0.0) == [0.0]
    assert slope(lambda x: x.relu(), 0.0) == [0.0]
    assert slope(lambda x: x.clamp(0, 1), 0.0, 1.0) == [1.0, 1.0]
    assert slope(lambda x: x.norm(), 0.0, 0.0) == [0.0, 0.0]


def test_relu_lets_the_gradient_of_nan_pass():
    assert slope(lambda x: x.relu(), NAN, -1.0) == [1.0, 0.0]


def test_ties_share_the_gradient_or_give_it_to_the_first():
    assert slope(lambda x: x.max(), 2.0, 2.0) == [0.5, 0.5]
    assert slope(lambda x: x.amax(0), 2.0, 2.0) == [0.5, 0.5]
    assert slope(lambda x: x.max(0).values, 2.0, 2.0) == [1.0, 0.0]
    assert slope(lambda x: T.maximum(x, T.tensor([2.0, 2.0])), 2.0, 3.0) == [0.5, 1.0]


def test_a_mask_keeps_nan_out_of_the_gradient():
    assert slope(lambda x: x.masked_fill(x == 0, 1.0).log(), 0.0, 2.0) == [0.0, 0.5]


def test_products_with_zeros_have_a_gradient():
    assert slope(lambda x: x.prod(), 0.0, 2.0, 3.0) == [6.0, 0.0, 0.0]
    assert slope(lambda x: x.cumprod(0), 0.0, 2.0) == [3.0, 0.0]


def test_floor_division_has_no_derivative():
    x = T.tensor([5.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="derivative for aten::floor_divide is not implemented"):
        (x // 2).backward()


# Without a word ---------------------------------------------------------------------------------


def test_division_by_zero_and_overflow_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = T.tensor([0.0, -1.0, 1e30])
        assert (x / 0).tolist()[1:] == [-INF, INF]
        assert (x * x).tolist() == [0.0, 1.0, INF]
        assert x.log().tolist()[0] == -INF
        assert T.tensor([-1000.0, 1000.0]).sigmoid().tolist() == [0.0, 1.0]


def test_threads_compute_side_by_side():
    sums = []

    def work():
        x = T.ones(50_000)
        for _ in range(50):
            x = (x * 1.5).exp().log() / 1.5
        sums.append(round(x.sum().item()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [50_000] * 4


def test_a_scalar_taken_out_of_the_graph_by_float_warns():
    x = T.tensor(2.0, requires_grad=True)
    with pytest.warns(UserWarning, match="Converting a tensor with requires_grad=True to a scalar"):
        float(x)
    assert x.item() == 2.0


def test_reversing_all_dimensions_of_a_stack_warns():
    with pytest.warns(UserWarning, match=r"The use of `x\.T`"):
        assert T.ones(2, 3, 4).T.shape == (4, 3, 2)


# Iterating, one row or none ---------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 2])
def test_rows_taken_by_iteration_send_their_gradients_back(rows):
    x = T.ones(rows, 2, requires_grad=True)
    sum(row.sum() for row in x).backward()
    assert x.grad.tolist() == [[1.0, 1.0]] * rows


def test_a_tensor_without_rows_gives_none():
    assert list(T.ones(0, 2, requires_grad=True)) == []


# Methods ----------------------------------------------------------------------------------------

STATED = [name for name, value in vars(Methods).items() if not name.startswith("__")]


@pytest.mark.parametrize("name", STATED)
def test_every_method_is_a_function_that_explains_itself(name):
    method = getattr(T.Tensor, name)
    assert inspect.isfunction(method)
    assert inspect.getdoc(method)
    assert next(iter(inspect.signature(method).parameters)) in (
        "input",
        "target",
        "tensor",
        "a",
        "elements",
    )


def test_a_method_is_the_function_of_that_name():
    for name in ops.__all__:
        if name in STATED and name not in ("permute",):
            assert getattr(T.Tensor, name) is getattr(T, name), name


def test_methods_written_out_explain_themselves():
    for name in dir(T.Tensor):
        if not name.startswith("_") and name != "array":
            assert inspect.getdoc(getattr(T.Tensor, name)), name


def test_in_place_methods_return_the_tensor_itself():
    x = T.ones(2)
    for written in (x.add_(1), x.mul_(2), x.exp_(), x.clamp_(0, 1), x.zero_(), x.t_()):
        assert written is x
    assert x._version == 6


# Calls that fail change nothing -----------------------------------------------------------------

REFUSED = {
    "shape": lambda y: y.add_(T.ones(3)),
    "larger": lambda y: y.add_(T.ones(4, 2)),
    "text": lambda y: y.mul_("a"),
    "power": lambda y: y.pow_(None),
    "clamp": lambda y: y.clamp_(),
    "mask": lambda y: y.masked_fill_(T.ones(2), 1),
    "index": lambda y: y.index_add_(0, T.tensor([9]), T.ones(1)),
    "scatter": lambda y: y.scatter_(0, T.tensor([9]), 1.0),
    "assigned": lambda y: y.__setitem__(5, 1.0),
    "assigned shape": lambda y: y.__setitem__([0, 1], T.ones(3)),
    "lerp": lambda y: y.lerp_(T.ones(2, dtype=T.float64), 0.5),
    "copy": lambda y: y.copy_(T.ones(3)),
    "fill": lambda y: y.fill_(T.ones(2)),
    "unsqueeze": lambda y: y.unsqueeze_(7),
    "cumsum": lambda y: y.cumsum_(4),
    "put": lambda y: y.put_(T.tensor([9]), T.ones(1)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_write_leaves_everything_as_it_was(name):
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    node = y.grad_fn
    with pytest.raises((RuntimeError, TypeError, IndexError)):
        REFUSED[name](y)
    assert (y.tolist(), y._version, y.grad_fn, tuple(y.shape)) == ([3.0, 6.0], 0, node, (2,))
    (y * y).sum().backward()
    assert x.grad.tolist() == [18.0, 36.0]
