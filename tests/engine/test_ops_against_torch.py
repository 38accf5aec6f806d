"""Operations beside real PyTorch: values, gradients, dtypes, shapes, text. Skipped where it is absent."""

# ruff: noqa: N803, N806 - T is the module, as in the conformance programs

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from observe_ops import caught_writes, facts, observe, tensors
from op_table import ROWS

import minigrad

torch = pytest.importorskip("torch")
hypothesis = pytest.importorskip("hypothesis")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from hypothesis.extra import numpy as arrays_of  # noqa: E402

NUMBERS = ("values", "gradients", "second")
FEW = settings(max_examples=150, deadline=None)


def assert_same_numbers(expected: Any, found: Any) -> None:
    if isinstance(expected, list):
        assert len(expected) == len(found)
        for left, right in zip(expected, found, strict=True):
            assert_same_numbers(left, right)
    elif expected is None:
        assert found is None
    else:
        coarse = expected.dtype == np.float16
        rtol, atol = (2e-3, 1e-3) if coarse else (1e-5, 1e-6)
        np.testing.assert_allclose(
            found.astype(np.float64), expected.astype(np.float64), rtol=rtol, atol=atol
        )


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_operation_gives_what_it_gives_in_pytorch(row, seed):
    arrays = row.arrays(seed)
    expected, found = observe(torch, row, arrays), observe(minigrad, row, arrays)
    assert facts(found) == facts(expected)
    for name in NUMBERS:
        assert_same_numbers(expected.get(name), found.get(name))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_backward_refuses_after_the_same_writes_as_in_pytorch(row):
    arrays = row.arrays(seed=1)
    assert caught_writes(minigrad, row, arrays) == caught_writes(torch, row, arrays)


# Dtypes -----------------------------------------------------------------------------------------

DTYPES = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool")
BY_NAME = [
    "add",
    "sub",
    "mul",
    "div",
    "true_divide",
    "floor_divide",
    "remainder",
    "fmod",
    "pow",
    "float_power",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "atan2",
    "hypot",
    "logaddexp",
    "xlogy",
    "copysign",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bitwise_left_shift",
    "bitwise_right_shift",
    "clamp",
    "clamp_min",
    "rsub",
    "isclose",
    "equal",
    "result_type",
    "heaviside",
]
OF_TWO: dict[str, Callable[..., Any]] = {
    name: lambda T, a, b, name=name: getattr(T, name)(a, b) for name in BY_NAME
}
OF_TWO |= {
    "+": lambda T, a, b: a + b,
    "-": lambda T, a, b: a - b,
    "*": lambda T, a, b: a * b,
    "/": lambda T, a, b: a / b,
    "//": lambda T, a, b: a // b,
    "%": lambda T, a, b: a % b,
    "**": lambda T, a, b: a**b,
    "&": lambda T, a, b: a & b,
    "<<": lambda T, a, b: a << b,
    "where": lambda T, a, b: T.where(T.tensor([True, False, True]), a, b),
    "addcmul": lambda T, a, b: T.addcmul(a, b, b),
    "add alpha": lambda T, a, b: T.add(a, b, alpha=2),
    "div floor": lambda T, a, b: T.div(a, b, rounding_mode="floor"),
    "div trunc": lambda T, a, b: T.div(a, b, rounding_mode="trunc"),
    "masked_fill": lambda T, a, b: a.masked_fill(T.tensor([True, False, True]), b),
    "lerp": lambda T, a, b: T.lerp(a, b, 0.5),
}
OF_TWO |= {
    name: lambda T, a, b, name=name: getattr(a.clone(), name)(b)
    for name in [
        "add_",
        "sub_",
        "mul_",
        "div_",
        "pow_",
        "remainder_",
        "floor_divide_",
        "copy_",
        "lt_",
        "bitwise_and_",
        "fill_",
    ]
}
OF_ONE: dict[str, Callable[..., Any]] = {
    name: lambda T, a, name=name: getattr(T, name)(a)
    for name in [
        "abs",
        "acos",
        "asin",
        "asinh",
        "atan",
        "ceil",
        "cos",
        "cosh",
        "deg2rad",
        "erf",
        "exp",
        "exp2",
        "expm1",
        "floor",
        "frac",
        "log",
        "log10",
        "log1p",
        "log2",
        "neg",
        "reciprocal",
        "relu",
        "round",
        "rsqrt",
        "sigmoid",
        "sign",
        "sin",
        "sinh",
        "sqrt",
        "square",
        "tan",
        "tanh",
        "trunc",
        "isnan",
        "isinf",
        "isfinite",
        "isposinf",
        "signbit",
        "logical_not",
        "bitwise_not",
        "nan_to_num",
        "logit",
        "sum",
        "mean",
        "prod",
        "max",
        "min",
        "amax",
        "amin",
        "aminmax",
        "argmax",
        "argmin",
        "all",
        "any",
        "var",
        "std",
        "norm",
        "nansum",
        "count_nonzero",
        "unique",
        "sort",
        "argsort",
        "trace",
        "tril",
        "flipud",
        "clone",
        "nonzero",
        "numel",
    ]
}
OF_ONE |= {
    "cumsum": lambda T, a: a.cumsum(0),
    "cumprod": lambda T, a: a.cumprod(0),
    "cummax": lambda T, a: a.cummax(0),
    "logsumexp": lambda T, a: a.logsumexp(0),
    "max along dim": lambda T, a: a.max(0),
    "any along dim": lambda T, a: a.any(0, keepdim=True),
    "sum as int32": lambda T, a: a.sum(dtype=T.int32),
    "sum as float16": lambda T, a: a.sum(0, dtype=T.float16),
    "prod as float64": lambda T, a: a.prod(dtype=T.float64),
    "conversions": lambda T, a: [a.to(getattr(T, name)) for name in DTYPES],
    "zeros_like": lambda T, a: [T.zeros_like(a), T.ones_like(a), T.full_like(a, 2), a.new_zeros(2)],
    "require grad": lambda T, a: a.requires_grad_(),
    "abs_": lambda T, a: a.clone().abs_(),
    "exp_": lambda T, a: a.clone().exp_(),
    "sqrt_": lambda T, a: a.clone().sqrt_(),
    "logical_not_": lambda T, a: a.clone().logical_not_(),
}


def outcome(T: Any, program: Callable[..., Any], operands: list[Any]) -> Any:
    """(dtype, shape, values) of each result, or the class of the error."""
    given = [T.tensor(each) if isinstance(each, np.ndarray) else each for each in operands]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = program(T, *given)
        except Exception as error:
            return type(error).__name__
        if not isinstance(result, (T.Tensor, tuple, list)):
            return str(result).rpartition(".")[2]
        return [
            (str(each.dtype).rpartition(".")[2], tuple(each.shape), each.numpy(force=True))
            for each in tensors(T, result)
        ]


def assert_same_outcome(program: Callable[..., Any], *operands: Any) -> None:
    expected, found = (outcome(T, program, list(operands)) for T in (torch, minigrad))
    told = [getattr(each, "dtype", type(each).__name__) for each in operands]
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected, told
        return
    assert [each[:2] for each in found] == [each[:2] for each in expected], told
    for left, right in zip(expected, found, strict=True):
        coarse = "float16" in (left[0], *map(str, told))
        np.testing.assert_allclose(
            right[2].astype(np.float64),
            left[2].astype(np.float64),
            rtol=2e-3 if coarse else 1e-5,
            atol=1e-3 if coarse else 1e-6,
            err_msg=str(told),
        )


@pytest.mark.parametrize("name", OF_TWO)
def test_result_dtype_of_two_operands(name):
    one, other = np.array([3, 1, 2]), np.array([2, 1, 3])
    for first, second in itertools.product(DTYPES, DTYPES):
        assert_same_outcome(OF_TWO[name], one.astype(first), other.astype(second))
        assert_same_outcome(OF_TWO[name], one.astype(first), np.array(2).astype(second))
        assert_same_outcome(OF_TWO[name], np.array(3).astype(first), np.array(2).astype(second))


@pytest.mark.parametrize("name", OF_TWO)
def test_result_dtype_beside_a_number(name):
    for dtype, number in itertools.product(DTYPES, (2, 2.5, True, -1)):
        assert_same_outcome(OF_TWO[name], np.array([3, 1, 2]).astype(dtype), number)
        assert_same_outcome(OF_TWO[name], np.array(3).astype(dtype), number)


@pytest.mark.parametrize("name", ["+", "-", "*", "/", "//", "%", "**", "where"])
def test_result_dtype_of_a_number_beside_a_tensor(name):
    for dtype, number in itertools.product(DTYPES, (2, 2.5, True, -1)):
        assert_same_outcome(OF_TWO[name], number, np.array([3, 1, 2]).astype(dtype))


@pytest.mark.parametrize("name", ["+", "-", "*", "/", "//", "%", "**"])
def test_result_dtype_beside_a_numpy_number(name):
    numbers = (np.float32(2.5), np.float64(2.5), np.int64(2), np.int32(2), np.bool_(True))
    for dtype, number in itertools.product(DTYPES, numbers):
        assert_same_outcome(OF_TWO[name], np.array([3, 1, 2]).astype(dtype), number)


@pytest.mark.parametrize("name", OF_ONE)
def test_result_dtype_of_one_tensor(name):
    for dtype in DTYPES:
        for values in (np.array([[3, 1], [0, 2]]), np.array([2, 0, 1]), np.array(1)):
            assert_same_outcome(OF_ONE[name], values.astype(dtype))


def test_promotion_and_casting_of_all_dtypes():
    for first, second in itertools.product(DTYPES, DTYPES):
        pairs = [(getattr(T, first), getattr(T, second)) for T in (torch, minigrad)]
        promoted = [
            str(T.promote_types(*pair)) for T, pair in zip((torch, minigrad), pairs, strict=True)
        ]
        assert promoted[0].rpartition(".")[2] == promoted[1].rpartition(".")[2]
        assert torch.can_cast(*pairs[0]) == minigrad.can_cast(*pairs[1])


def test_limits_of_dtypes():
    for name in ("float64", "float32", "float16"):
        assert repr(minigrad.finfo(getattr(minigrad, name))) == repr(
            torch.finfo(getattr(torch, name))
        )
    for name in ("int64", "int32", "int16", "int8", "uint8"):
        theirs, ours = torch.iinfo(getattr(torch, name)), minigrad.iinfo(getattr(minigrad, name))
        assert (ours.min, ours.max, ours.bits) == (theirs.min, theirs.max, theirs.bits)
        assert repr(ours) == repr(theirs)


# Random shapes ----------------------------------------------------------------------------------

shapes = arrays_of.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


def numbers(shape: tuple[int, ...], seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.3, 2.0, shape)


def assert_same(program: Callable[..., Any], *arrays: np.ndarray) -> None:
    """A program gives the same results, of the same strides, and the same gradients."""
    seen = []
    for T in (torch, minigrad):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            inputs = [T.tensor(a, requires_grad=True) for a in arrays]
            try:
                outs = tensors(T, program(T, *inputs))
            except Exception as error:
                seen.append(type(error).__name__)
                continue
            total = sum((out * out).sum() for out in outs)
            total = total + sum(x.sum() * 0 for x in inputs)
            grads = T.autograd.grad(total, inputs)
        places = [out.stride() for out in outs if out.numel() and 1 not in out.shape]
        seen.append(([out.numpy(force=True) for out in outs], [g.numpy() for g in grads], places))
    expected, found = seen
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    assert found[2] == expected[2]
    for part in (0, 1):
        assert [a.shape for a in found[part]] == [a.shape for a in expected[part]]
        assert_same_numbers(expected[part], found[part])


@FEW
@given(arrays_of.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=3), st.data())
def test_two_operands_of_random_shapes(shapes, data):
    name = data.draw(st.sampled_from(["+", "-", "*", "/", "**", "maximum", "atan2"]))
    a, b = (numbers(shape, seed) for seed, shape in enumerate(shapes.input_shapes))
    assert_same(OF_TWO[name], a, b)


@FEW
@given(shapes, shapes)
def test_operands_that_may_not_fit(first, second):
    assert_same(OF_TWO["+"], numbers(first, 0), numbers(second, 1))


REDUCTIONS = (
    "sum mean prod amax var std logsumexp norm softmax max argmax cumsum cumprod median all"
)


@FEW
@given(shapes, st.sampled_from(REDUCTIONS.split()), st.data())
def test_reductions_over_random_dims(shape, name, data):
    rank = len(shape)
    one = st.integers(-rank - 1, rank)
    several = st.lists(st.integers(-max(rank, 1), max(rank, 1) - 1), max_size=3).map(tuple)
    if name in ("var", "std", "logsumexp"):  # PyTorch has no right gradient of these for no dims
        several = several.filter(len)
    many = name in ("sum", "mean", "amax", "var", "std", "logsumexp", "norm")
    dim = data.draw(st.one_of(one, several) if many else one)
    keepdim = data.draw(st.booleans())

    def program(T: Any, x: Any) -> Any:
        if name in ("softmax", "cumsum", "cumprod"):
            return getattr(x, name)(dim)
        if name == "norm":
            return x.norm(dim=dim, keepdim=keepdim)
        if name in ("argmax", "all"):
            return getattr(x, name)(dim, keepdim=keepdim).double() + 0 * x.sum()
        return getattr(x, name)(dim, keepdim=keepdim)

    assert_same(program, numbers(shape, 2))


@FEW
@given(shapes, st.data())
def test_views_of_random_shapes(shape, data):
    rank = len(shape)
    dims = st.integers(-rank - 1, rank)
    name = data.draw(
        st.sampled_from(
            [
                "transpose",
                "permute",
                "movedim",
                "squeeze",
                "unsqueeze",
                "flatten",
                "select",
                "narrow",
                "flip",
                "roll",
                "expand",
                "split",
                "chunk",
                "tensor_split",
                "unbind",
                "repeat",
                "reshape",
                "diagonal",
                "unfold",
            ]
        )
    )
    small = st.integers(-1, 4)
    args: Any = {
        "transpose": (dims, dims),
        "permute": (st.permutations(range(rank)).map(tuple),),
        "movedim": (dims, dims),
        "squeeze": (dims,),
        "unsqueeze": (dims,),
        "flatten": (dims, dims),
        "select": (dims, small),
        "narrow": (dims, small, small),
        "flip": (dims,),
        "roll": (small, dims),
        "expand": (st.lists(small, min_size=rank, max_size=rank + 1).map(tuple),),
        "split": (st.integers(0, 4), dims),
        "chunk": (st.integers(0, 4), dims),
        "tensor_split": (st.integers(0, 4), dims),
        "unbind": (dims,),
        "repeat": (st.lists(st.integers(0, 2), min_size=rank, max_size=rank + 1).map(tuple),),
        "reshape": (st.lists(small, max_size=3).map(tuple),),
        "diagonal": (small, dims, dims),
        "unfold": (dims, st.integers(1, 3), st.integers(1, 2)),
    }[name]
    chosen = [data.draw(each) for each in args]
    turned = data.draw(st.booleans())

    def program(T: Any, x: Any) -> Any:
        x = x.transpose(0, -1) if turned and rank else x
        return getattr(x, name)(*chosen)

    assert_same(program, numbers(shape, 3))


@FEW
@given(arrays_of.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4), st.data())
def test_random_indices(shape, data):
    index = data.draw(
        arrays_of.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True).filter(
            positive_steps
        )
    )
    assert_same(lambda T, x: x[index], numbers(shape, 4))

    def assigned(T: Any, x: Any) -> Any:
        y = x * 1
        y[index] = y[index] * 2
        return y

    assert_same(assigned, numbers(shape, 4))


def positive_steps(index: Any) -> bool:
    items = index if isinstance(index, tuple) else (index,)
    return all(not isinstance(item, slice) or (item.step or 1) > 0 for item in items)


@FEW
@given(arrays_of.array_shapes(min_dims=2, max_dims=3, min_side=2, max_side=4), st.data())
def test_random_indices_by_tensors(shape, data):
    """Index tensors, masks, numbers and slices, in any order."""
    kinds = st.sampled_from(["number", "slice", "tensor", "matrix", "mask", "none", "list"])
    index: list[Any] = []
    dim = 0
    for kind in data.draw(st.lists(kinds, min_size=1, max_size=4)):
        if dim >= len(shape):
            break
        size = shape[dim]
        some = st.integers(-size, size - 1)
        if kind == "none":
            index.append(None)
            continue
        dim += 1
        if kind == "number":
            index.append(data.draw(some))
        elif kind == "slice":
            index.append(slice(data.draw(some), None))
        elif kind == "list":
            index.append(data.draw(st.lists(some, min_size=2, max_size=2)))
        elif kind == "mask":
            index.append(np.array([True] * 2 + [False] * (size - 2)))
        else:
            count = (2,) if kind == "tensor" else (2, 2)
            index.append(data.draw(arrays_of.arrays(np.int64, count, elements=some)))

    def of(T: Any) -> tuple[Any, ...]:
        return tuple(T.tensor(item) if isinstance(item, np.ndarray) else item for item in index)

    assert_same(lambda T, x: x[of(T)], numbers(shape, 5))

    def assigned(T: Any, x: Any) -> Any:
        y = x * 1
        y[of(T)] = 3.0
        return y * 2

    assert_same(assigned, numbers(shape, 5))


@FEW
@given(st.data())
def test_matmul_of_random_ranks(data):
    side = st.integers(1, 3)
    batch = arrays_of.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=3)
    first, second = data.draw(batch).input_shapes
    rows, inner, columns = data.draw(side), data.draw(side), data.draw(side)
    a = data.draw(st.sampled_from([(inner,), (*first, rows, inner)]))
    b = data.draw(st.sampled_from([(inner,), (*second, inner, columns)]))
    assert_same(lambda T, x, y: x @ y, numbers(a, 6), numbers(b, 7))


# Text -------------------------------------------------------------------------------------------


def text(T: Any, array: np.ndarray, grad: bool) -> str:
    tensor = T.tensor(array)
    if grad and array.dtype.kind == "f":
        tensor = tensor.requires_grad_() * 1
    said = repr(tensor).replace("torch.", "minigrad.")
    # The longer name of the package may bring what follows it to the next line.
    return re.sub(r",\s+(dtype|grad_fn|size)", r", \1", said) if "dtype" in said else said


@settings(max_examples=400, deadline=None)
@given(
    arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=11),
    st.sampled_from(["normal", "wide", "whole", "large", "special", "ints", "bools", "zeros"]),
    st.sampled_from(["float32", "float64", "float16"]),
    st.integers(0, 1000),
    st.booleans(),
)
def test_a_tensor_prints_as_in_pytorch(shape, kind, dtype, seed, grad):
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=shape)
    array = np.asarray(
        {
            "normal": lambda: normal,
            "wide": lambda: normal * 10.0 ** rng.integers(-6, 5, shape),
            "whole": lambda: np.round(normal * 3),
            "large": lambda: np.round(normal * 10.0 ** rng.integers(0, 9)),
            "special": lambda: np.where(
                rng.random(shape) < 0.4, rng.choice([np.nan, np.inf, -np.inf, -0.0], shape), normal
            ),
            "ints": lambda: rng.integers(-(10**9), 10**9, shape),
            "bools": lambda: normal > 0,
            "zeros": lambda: np.zeros(shape),
        }[kind]()
    )
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            array = array.astype(dtype)
    assert text(minigrad, array, grad) == text(torch, array, grad)


@pytest.mark.parametrize(
    "options",
    [
        {"precision": 2},
        {"threshold": 5},
        {"edgeitems": 1, "threshold": 5},
        {"linewidth": 40},
        {"profile": "full"},
        {"profile": "short"},
        {"sci_mode": True},
        {"sci_mode": False},
    ],
    ids=str,
)
def test_print_options_change_the_text_as_in_pytorch(options):
    rng = np.random.default_rng(1)
    try:
        for T in (torch, minigrad):
            T.set_printoptions(**options)
        for _ in range(30):
            shape = tuple(rng.integers(1, 9, rng.integers(1, 4)))
            array = (rng.normal(size=shape) * 10.0 ** rng.integers(-3, 5)).astype("float32")
            assert text(minigrad, array, True) == text(torch, array, True)
            assert text(minigrad, np.round(array), False) == text(torch, np.round(array), False)
    finally:
        for T in (torch, minigrad):
            T.set_printoptions(profile="default")


# Names ------------------------------------------------------------------------------------------


def test_every_operation_is_called_as_in_pytorch():
    from minigrad.engine import ops

    unknown = [name for name in ops.__all__ if not hasattr(torch, name)]
    assert [name for name in unknown if not hasattr(torch.nn.functional, name)] == []


def test_every_method_is_called_as_in_pytorch():
    own = {"array"}
    public = [name for name in dir(minigrad.Tensor) if not name.startswith("_")]
    assert [name for name in public if not hasattr(torch.Tensor, name) and name not in own] == []
