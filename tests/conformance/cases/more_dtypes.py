"""More about dtypes: promotion, what each operation gives, casts, and what cannot be cast."""

import numpy as np

from .observe import attempt, dtype_of, flags, grads, info, values

_NAMES = ("bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64")
_FLOATS = ("float16", "float32", "float64")


def _each_pair(T, compute):
    """The dtype of compute(a, b) for vectors of every pair of dtypes."""
    found = {}
    for left in _NAMES:
        for right in _NAMES:
            a = T.ones(2).to(getattr(T, left))
            b = T.ones(2).to(getattr(T, right))
            found[f"{left},{right}"] = dtype_of(compute(a, b))
    return found


def case_sum_of_every_pair(T):
    """The full table of promotion between vectors."""
    return _each_pair(T, lambda a, b: a + b)


def case_quotient_of_every_pair(T):
    """True division gives floats only."""
    return _each_pair(T, lambda a, b: a / b)


def case_comparison_of_every_pair(T):
    """Comparisons give bools, whatever is compared."""
    return _each_pair(T, lambda a, b: a < b)


def case_maximum_of_every_pair(T):
    """maximum promotes as a sum does."""
    return _each_pair(T, lambda a, b: T.maximum(a, b))


def case_vector_with_scalar_tensor(T):
    """A scalar tensor counts only where it is of a higher kind."""
    found = {}
    for left in _NAMES:
        for right in _NAMES:
            a = T.ones(2).to(getattr(T, left))
            b = T.tensor(1).to(getattr(T, right))
            found[f"{left},{right}"] = dtype_of(a * b)
    return found


def case_scalar_tensor_with_scalar_tensor(T):
    """Between two scalar tensors the wider one wins as between vectors."""
    found = {}
    for left in _NAMES:
        for right in _NAMES:
            a = T.tensor(1).to(getattr(T, left))
            b = T.tensor(1).to(getattr(T, right))
            found[f"{left},{right}"] = dtype_of(a * b)
    return found


def case_python_numbers(T):
    """Python numbers widen a tensor only to another kind."""
    found = {}
    for name in _NAMES:
        a = T.ones(2).to(getattr(T, name))
        found[name] = [
            dtype_of(a * True),
            dtype_of(a * 2),
            dtype_of(a * 2.5),
            dtype_of(a / 2),
            dtype_of(2.5 + a),
        ]
    return found


def case_numpy_scalars(T):
    """NumPy scalars count as Python numbers do."""
    a, n = T.ones(2), T.ones(2, dtype=T.int64)
    return {
        "float64": dtype_of(a * np.float64(2)),
        "float32": dtype_of(n * np.float32(2)),
        "int64": dtype_of(a * np.int64(2)),
        "int32": dtype_of(n * np.int32(2)),
        "left": dtype_of(np.float64(2) * a),
        "left_is_tensor": isinstance(np.float64(2) * a, T.Tensor),
        "left_minus": values(np.float64(2) - a),
    }


def case_unary_functions_by_dtype(T):
    """Which functions keep integers, and which give floats."""
    found = {}
    for name in (
        "exp",
        "log",
        "sqrt",
        "sin",
        "tanh",
        "sigmoid",
        "relu",
        "abs",
        "neg",
        "floor",
        "round",
        "square",
        "sign",
    ):
        row = {}
        for kind in ("uint8", "int32", "int64", "float16", "float32", "float64"):
            a = T.ones(2).to(getattr(T, kind))
            row[kind] = dtype_of(getattr(T, name)(a))
        found[name] = row
    return found


def case_functions_of_bools(T):
    """Bools: functions give floats, signs are refused."""
    b = T.tensor([True, False])
    found = {}
    for name in ("exp", "sqrt", "sigmoid", "abs", "neg", "floor", "relu"):
        try:
            found[name] = dtype_of(getattr(T, name)(b))
        except Exception as error:
            found[name] = type(error).__name__
    return found


def case_reductions_by_dtype(T):
    """The dtypes of sum, prod, mean, max, argmax, cumsum."""
    found = {}
    for name in _NAMES:
        a = T.ones(2).to(getattr(T, name))
        row = {}
        for reduce in ("sum", "prod", "mean", "max", "argmax", "all", "any"):
            try:
                row[reduce] = dtype_of(getattr(a, reduce)())
            except Exception as error:
                row[reduce] = type(error).__name__
        row["cumsum"] = dtype_of(a.cumsum(0))
        found[name] = row
    return found


def case_sum_in_another_dtype(T):
    """A reduction may be told its dtype."""
    n = T.tensor([1, 2], dtype=T.int32)
    x = T.tensor([1.0, 2.0], requires_grad=True)
    total = x.sum(dtype=T.float64)
    total.backward()
    return {
        "int_sum": info(n.sum(dtype=T.float32)),
        "int_mean": info(n.mean(dtype=T.float64)),
        "total": info(total),
        "grad": info(x.grad),
        "bool": info(T.tensor([True, True]).sum(dtype=T.float32)),
    }


def case_matrix_products_want_one_dtype(T):
    """A matrix product does not promote."""
    a = T.ones(2, 2)
    return {
        "double": attempt(lambda: a @ a.double(), "same dtype"),
        "int": attempt(lambda: a @ T.ones(2, 2, dtype=T.int64))["raised"],
        "ints": info(T.ones(2, 2, dtype=T.int64) @ T.ones(2, 2, dtype=T.int64)),
        "linear": attempt(lambda: T.nn.Linear(2, 2)(a.double()), "dtype")["raised"],
    }


def case_powers_by_dtype(T):
    """Powers promote like products; a negative integer power of integers is refused."""
    n = T.tensor([1, 2])
    return {
        "int_int": info(n**2),
        "int_float": info(n**0.5),
        "int_tensor": info(n ** T.tensor([2, 3])),
        "float_int": info(T.tensor([4.0]) ** T.tensor([2])),
        "number_int": info(2**n),
        "number_float": info(2.0**n),
        "negative_tensor": values(n ** T.tensor([-1, -1])),
        "negative_number": attempt(lambda: n**-1, "negative integer powers"),
        "float_negative": info(T.tensor([2.0]) ** -1),
        "bool": dtype_of(T.tensor([True]) ** 2),
    }


def case_floor_division_and_remainder(T):
    """// and % by dtype and sign."""
    n, x = T.tensor([7, -7]), T.tensor([7.5, -7.5])
    return {
        "n//2": info(n // 2),
        "n//-2": info(n // -2),
        "n%3": info(n % 3),
        "n%-3": info(n % -3),
        "n//2.0": info(n // 2.0),
        "x//2": info(x // 2),
        "x%2": info(x % 2),
        "x%-2": info(x % -2),
        "2//n": info(2 // n),
        "x//0": info(x // 0),
        "n//0": attempt(lambda: n // 0, "ZeroDivisionError")["raised"],
        "fmod": info(T.fmod(n, 3)),
        "trunc": info(T.div(n, 2, rounding_mode="trunc")),
        "floor": info(T.div(n, 2, rounding_mode="floor")),
    }


def case_integer_overflow_wraps(T):
    """Integers wrap around."""
    return {
        "int32": (T.tensor([2147483647], dtype=T.int32) + 1).tolist(),
        "uint8": (T.tensor([255], dtype=T.uint8) + 1).tolist(),
        "negative": (T.tensor([0], dtype=T.uint8) - 1).tolist(),
        "abs": T.tensor([-128], dtype=T.int8).abs().tolist(),
    }


def case_casts_of_values(T):
    """Casting floats to integers cuts towards zero; to bool asks for non-zero."""
    x = T.tensor([1.9, -1.9, 0.0, 0.5])
    return {
        "int64": values(x.long()),
        "int32": values(x.int()),
        "bool": values(x.bool()),
        "int16": values(x.short()),
        "half": values(T.tensor([0.1, 65504.0]).half()),
        "back": values(x.bool().float()),
    }


def case_to_forms(T):
    """to takes a dtype, a tensor, a device, or names."""
    x = T.tensor([1.0, 2.0])
    like = T.zeros(1, dtype=T.float64)
    return {
        "dtype": dtype_of(x.to(T.int64)),
        "keyword": dtype_of(x.to(dtype=T.float64)),
        "tensor": dtype_of(x.to(like)),
        "device": x.to("cpu") is x,
        "device_dtype": dtype_of(x.to("cpu", T.float64)),
        "same": x.to(T.float32) is x,
        "copy": x.to(T.float32, copy=True) is x,
        "type_as": dtype_of(x.type_as(like)),
        "type": dtype_of(x.type(T.int32)),
        "type_name": x.type().rpartition(".")[2],
    }


def case_casts_between_floats_are_recorded(T):
    """Casts between floats keep the gradient; a cast to integers cuts it."""
    x = T.tensor([1.5, 2.5], requires_grad=True)
    return {
        "double": flags(x.double()),
        "half": flags(x.half()),
        "same": x.float() is x,
        "long": flags(x.long()),
        "bool": flags(x.bool()),
        "grads": grads(x.half().double() * 3, x),
    }


def case_factories_and_their_dtypes(T):
    """What each factory makes by default and on request."""
    return {
        "zeros": dtype_of(T.zeros(1)),
        "full_int": dtype_of(T.full((1,), 3)),
        "full_float": dtype_of(T.full((1,), 3.0)),
        "full_bool": dtype_of(T.full((1,), True)),
        "arange_int": dtype_of(T.arange(3)),
        "arange_float": dtype_of(T.arange(0, 1, 0.5)),
        "arange_asked": dtype_of(T.arange(3, dtype=T.float32)),
        "linspace": info(T.linspace(0, 1, 5)),
        "eye": info(T.eye(2)),
        "ones_like_int": dtype_of(T.ones_like(T.tensor([1]))),
        "zeros_like_asked": dtype_of(T.zeros_like(T.tensor([1]), dtype=T.float64)),
        "new_zeros": dtype_of(T.tensor([1], dtype=T.int32).new_zeros(2)),
        "new_tensor": dtype_of(T.tensor([1.0], dtype=T.float64).new_tensor([1, 2])),
        "tensor_asked": info(T.tensor([1.9, 0.0], dtype=T.int64)),
    }


def case_tensor_from_mixed_data(T):
    """What T.tensor makes of nested and mixed data."""
    return {
        "nested_tuple": info(T.tensor(((1, 2), (3, 4)))),
        "bool_float": info(T.tensor([True, 2.5])),
        "numpy32": dtype_of(T.tensor(np.float32(1.5))),
        "numpy64": dtype_of(T.tensor(np.array([1.5]))),
        "numpy_int": dtype_of(T.tensor([np.int32(1)])),
        "list_of_arrays": info(T.tensor([np.array([1.0, 2.0]), np.array([3.0, 4.0])])),
        "scalars": info(T.tensor([T.tensor(1.0), T.tensor(2.0)])),
        "range": info(T.tensor(range(3))),
        "empty": info(T.tensor([[]])),
        "large": dtype_of(T.tensor(2**40)),
        "text": attempt(lambda: T.tensor("a"))["raised"],
        "none": attempt(lambda: T.tensor(None))["raised"],
        "set": attempt(lambda: T.tensor({1, 2}))["raised"],
        "too_large": attempt(lambda: T.tensor(2**70))["raised"],
    }


def case_default_dtype(T):
    """The default float dtype can be changed and shows in factories and divisions."""
    T.set_default_dtype(T.float64)
    try:
        found = {
            "tensor": dtype_of(T.tensor([1.0])),
            "zeros": dtype_of(T.zeros(1)),
            "division": dtype_of(T.tensor([1]) / 2),
            "product": dtype_of(T.tensor([1]) * 2.5),
            "get": dtype_of(T.get_default_dtype()),
        }
    finally:
        T.set_default_dtype(T.float32)
    return {
        **found,
        "refused": attempt(lambda: T.set_default_dtype(T.int64), "only floating-point types"),
    }


def case_result_type_and_can_cast(T):
    """The promotion rules can be asked directly."""
    return {
        "vectors": dtype_of(T.result_type(T.ones(1, dtype=T.int32), T.ones(1))),
        "scalar": dtype_of(T.result_type(T.tensor([1]), 1.0)),
        "promote": dtype_of(T.promote_types(T.int32, T.float32)),
        "can": [T.can_cast(T.float64, T.float32), T.can_cast(T.float32, T.int64)],
    }


def case_dtype_objects(T):
    """What a dtype says of itself."""
    return {
        "is_floating_point": [getattr(T, n).is_floating_point for n in _NAMES],
        "itemsize": [getattr(T, n).itemsize for n in _NAMES],
        "repr": [repr(getattr(T, n)).rpartition(".")[2] for n in _NAMES],
        "aliases": [
            T.float is T.float32,
            T.double is T.float64,
            T.long is T.int64,
            T.int is T.int32,
            T.half is T.float16,
        ],
        "equal": T.float32 == T.zeros(1).dtype,
        "hashable": len({T.float32, T.float, T.float64}),
    }


def case_finfo_and_iinfo(T):
    """The limits of the number types."""
    return {
        "eps": T.finfo(T.float32).eps,
        "max": T.finfo(T.float64).max,
        "tiny": T.finfo(T.float32).tiny,
        "int_max": T.iinfo(T.int32).max,
        "int_min": T.iinfo(T.int64).min,
    }


def case_inplace_casts(T):
    """An in-place result must fit the target's kind."""
    n, b, x = T.tensor([1, 2]), T.tensor([True, False]), T.tensor([1.0, 2.0])
    return {
        "int_float": attempt(
            lambda: n.add_(1.5), "result type Float can't be cast to the desired output type Long"
        ),
        "int_true_div": attempt(lambda: n.div_(2), "result type Float can't be cast"),
        "bool_int": attempt(lambda: b.add_(1), "can't be cast to the desired output type Bool"),
        "float_double": info(x.mul_(T.tensor([2.0, 2.0], dtype=T.float64))),
        "float_int": info(x.add_(n)),
        "int_floor_div": info(n.floor_divide_(2)),
        "int_exp": attempt(n.exp_, "can't be cast")["raised"],
    }


def case_where_promotes_all_kinds(T):
    """where promotes tensors and numbers by the usual rules."""
    c = T.tensor([True, False])
    return {
        "int_float": dtype_of(T.where(c, T.tensor([1, 2]), T.tensor([1.0, 2.0]))),
        "float_double": dtype_of(
            T.where(c, T.tensor([1.0, 2.0]), T.tensor([1.0, 2.0], dtype=T.float64))
        ),
        "number": dtype_of(T.where(c, T.tensor([1, 2]), 1.5)),
        "numbers": dtype_of(T.where(c, 1.0, 0.0)),
        "scalar_double": dtype_of(T.where(c, T.tensor([1.0, 2.0]), T.tensor(0.0, dtype=T.float64))),
        "int_condition": attempt(lambda: T.where(T.tensor([1, 0]), 1.0, 0.0))["raised"],
    }


def case_cat_and_stack_promote(T):
    """Joining promotes; the gradient goes back in each one's dtype."""
    a = T.tensor([1.0], requires_grad=True)
    b = T.tensor([2.0], dtype=T.float64, requires_grad=True)
    out = T.cat([a, b, T.tensor([3])])
    (out * 2).sum().backward()
    return {
        "out": info(out),
        "a": info(a.grad),
        "b": info(b.grad),
        "stack": dtype_of(T.stack([T.tensor(1), T.tensor(1.5)])),
    }


def case_comparisons_between_dtypes(T):
    """Comparisons promote before they compare; a comparison with None or text is False."""
    n = T.tensor([1, 2])
    return {
        "float": values(n == T.tensor([1.0, 2.5])),
        "number": values(n < 1.5),
        "bool": values(T.tensor([True, False]) == 1),
        "equal": T.equal(n, T.tensor([1, 2])),
        "none": n == None,  # noqa: E711
        "text": attempt(lambda: n == "a")["raised"],
        "allclose": T.allclose(T.tensor([1.0]), T.tensor([1.0 + 1e-7])),
        "isclose": values(T.isclose(T.tensor([1.0, 2.0]), T.tensor([1.0, 2.1]))),
    }


def case_bit_operations(T):
    """Bit operations on integers and bools."""
    n, m = T.tensor([6, 3]), T.tensor([3, 5])
    b = T.tensor([True, False])
    return {
        "and": values(n & m),
        "or": values(n | m),
        "xor": values(n ^ m),
        "not": values(~n),
        "bool_not": values(~b),
        "mixed": info(n & b),
        "number": values(n & 2),
        "float": attempt(lambda: T.ones(2) & T.ones(2))["raised"],
        "shift": [values(n << 1), values(n >> 1)],
        "logical": values(T.logical_and(n, T.tensor([0, 1]))),
    }


def case_gradients_of_half_precision(T):
    """float16 leaves have float16 gradients."""
    x = T.tensor([1.5, 2.0], dtype=T.float16, requires_grad=True)
    y = x * x + 1
    y.sum().backward()
    return {"y": info(y), "grad": info(x.grad)}


def case_number_types_of_item(T):
    """item gives int, float or bool by dtype."""
    return {name: type(T.ones(1).to(getattr(T, name)).item()).__name__ for name in _NAMES}


def case_python_conversions(T):
    """Python conversions of tensors: to int, float, bool and complex."""
    x = T.tensor(2.7)
    return {
        "int": int(x),
        "float": float(T.tensor(3)),
        "bool": bool(T.tensor(0.0)),
        "round": round(float(x)),
        "complex": str(complex(T.tensor(2.0))),
        "is_floating": [T.is_floating_point(x), T.is_tensor(x), T.is_tensor(2.7)],
    }


def case_mixed_dtype_losses(T):
    """mse_loss promotes; cross_entropy wants class numbers in int64."""
    F = T.nn.functional
    return {
        "mse": dtype_of(F.mse_loss(T.ones(2), T.ones(2, dtype=T.float64))),
        "int_target": attempt(lambda: F.cross_entropy(T.ones(1, 2), T.tensor([1], dtype=T.int32)))[
            "raised"
        ],
        "float_target": attempt(lambda: F.cross_entropy(T.ones(1, 2), T.tensor([1.0])))["raised"],
        "probabilities": F.cross_entropy(T.tensor([[1.0, 2.0]]), T.tensor([[0.25, 0.75]])).item(),
    }
