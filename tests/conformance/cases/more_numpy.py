"""More about tensors and NumPy: sharing, copying, functions of either on the other."""

import warnings

import numpy as np

from .observe import attempt, dtype_of, flags, info, listen, same_memory, shape, values


def case_array_conversion_shares(T):
    """np.asarray shares memory, np.array copies."""
    t = T.tensor([1.0, 2.0])
    shared, copied = np.asarray(t), np.array(t)
    t.fill_(9.0)
    return {"asarray": shared.tolist(), "array": copied.tolist(), "dtype": str(shared.dtype)}


def case_array_conversion_with_a_dtype(T):
    """A dtype asked for copies when it differs."""
    t = T.tensor([1.5, 2.5])
    same, other = np.asarray(t, dtype=np.float32), np.asarray(t, dtype=np.float64)
    t.zero_()
    return {
        "same": same.tolist(),
        "other": [other.tolist(), str(other.dtype)],
        "ints": np.asarray(T.tensor([1.9]), dtype=np.int64).tolist(),
    }


def case_array_of_a_graph_tensor(T):
    """Every conversion of a tensor that requires a gradient is refused."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    phrase = "Can't call numpy() on Tensor that requires grad"
    return {
        "asarray": attempt(lambda: np.asarray(x), phrase),
        "array": attempt(lambda: np.array(x), phrase),
        "sum": attempt(lambda: np.exp(x), phrase),
        "numpy": attempt(x.numpy, phrase),
        "result": attempt(lambda: np.asarray(x * 1), phrase),
        "force": x.numpy(force=True).tolist(),
        "view": attempt(lambda: np.asarray(x[0]), phrase),
    }


def case_array_of_a_graph_tensor_under_no_grad(T):
    """Under no_grad numpy() works, and shares."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.no_grad():
        a = np.asarray(x)
    a[0] = 50.0
    return {"x": values(x), "version": x._version}


def case_force_shares_too(T):
    """numpy(force=True) is detach().numpy(): it shares."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    x.numpy(force=True)[0] = 9.0
    return {"x": values(x), "result": (x * 2).numpy(force=True).tolist()}


def case_numpy_functions_on_tensors(T):
    """A NumPy function of a tensor gives a tensor where it works elementwise; a sum gives one as well."""
    t = T.tensor([1.0, 4.0])
    found = {}
    for name, call in {
        "sqrt": lambda: np.sqrt(t),
        "exp": lambda: np.exp(t * 0),
        "add": lambda: np.add(t, t),
        "multiply": lambda: np.multiply(t, np.array([2.0, 2.0], dtype=np.float32)),
        "maximum": lambda: np.maximum(t, 2.0),
        "stack": lambda: np.stack([t, t]),
        "where": lambda: np.where(t > 2, 1.0, 0.0),
        "concatenate": lambda: np.concatenate([t, t]),
    }.items():
        result = call()
        kind = "tensor" if isinstance(result, T.Tensor) else type(result).__name__
        found[name] = [kind, np.asarray(result).tolist()]
    return found


def case_numpy_reductions_of_tensors(T):
    """np.sum and its like call the tensor's methods in a way that few of them take."""
    t = T.tensor([1.0, 2.0, 4.0])
    found = {}
    for name in ("sum", "mean", "max", "min", "prod", "argmax"):
        try:
            result = getattr(np, name)(t)
        except TypeError:
            found[name] = "TypeError"
            continue
        kind = "tensor" if isinstance(result, T.Tensor) else "numpy"
        found[name] = [kind, float(result)]
    return found


def case_numpy_shape_functions(T):
    """np.shape, np.ndim and np.size look at a tensor."""
    t = T.zeros(2, 3)
    return {
        "shape": [int(n) for n in np.shape(t)],
        "ndim": np.ndim(t),
        "allclose": bool(np.allclose(t, np.zeros((2, 3)))),
    }


def case_array_plus_tensor(T):
    """Array on the left, tensor on the right, and the other way round."""
    a, t = np.array([1.0, 2.0], dtype=np.float32), T.tensor([10.0, 20.0])
    found = {}
    for name, call in {
        "left": lambda: a + t,
        "right": lambda: t + a,
        "left_mul": lambda: a * t,
        "right_mul": lambda: t * a,
        "left_sub": lambda: a - t,
        "compare": lambda: a < t,
        "matmul": lambda: T.ones(2, 2) @ np.ones(2, dtype=np.float32),
    }.items():
        try:
            result = call()
        except TypeError:
            found[name] = "TypeError"
            continue
        kind = "tensor" if isinstance(result, T.Tensor) else type(result).__name__
        found[name] = [kind, np.asarray(result).tolist()]
    return found


def case_numpy_scalars_on_the_left(T):
    """A NumPy scalar on the left gives a tensor, with its gradient."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    out = np.float32(3.0) * x + np.float64(1.0) - np.int64(2) * x
    out.sum().backward()
    return {
        "out": info(out),
        "grad": values(x.grad),
        "is_tensor": isinstance(np.float64(2.0) * x, T.Tensor),
    }


def case_numpy_scalar_compared(T):
    """Comparisons and powers with NumPy scalars on either side."""
    t = T.tensor([1.0, 2.0, 3.0])
    return {
        "right": values(t > np.float64(1.5)),
        "power": values(t ** np.int64(2)),
        "left_power": values(np.float32(2.0) ** t),
        "divide": values(np.float64(6.0) / t),
        "equal": values(t == np.float32(2.0)),
    }


def case_in_place_with_numpy_values(T):
    """In-place arithmetic takes NumPy scalars; an index assignment takes float64 and integers."""
    t = T.zeros(3)
    t.add_(np.float64(1.5))
    t[1] = np.float64(7.0)
    t[2] = np.int64(3)
    t *= np.int64(2)

    def single():
        t[0] = np.float32(7.0)

    return {"t": values(t), "version": t._version, "single": attempt(single)["raised"]}


def case_from_numpy_kinds(T):
    """Which dtypes come over, and which are refused."""
    found = {}
    for name in ("bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"):
        found[name] = dtype_of(T.from_numpy(np.zeros(1, dtype=name)))
    found["text"] = attempt(
        lambda: T.from_numpy(np.array(["a"])), "can't convert np.ndarray of type"
    )["raised"]
    found["object"] = attempt(lambda: T.from_numpy(np.array([None])))["raised"]
    found["list"] = attempt(lambda: T.from_numpy([1.0]), "expected np.ndarray")
    found["scalar"] = attempt(lambda: T.from_numpy(np.float32(1.0)), "expected np.ndarray")
    return found


def case_from_numpy_layouts(T):
    """Transposed and stepped arrays share; reversed ones are refused."""
    a = np.arange(6.0).reshape(2, 3)
    t, s = T.from_numpy(a.T), T.from_numpy(a[:, ::2])
    t[0, 1] = 50.0
    s[0, 1] = 60.0
    return {
        "a": a.tolist(),
        "strides": [list(t.stride()), list(s.stride())],
        "reversed": attempt(lambda: T.from_numpy(a[::-1]), "negative strides", "copy"),
        "scalar": shape(T.from_numpy(np.array(3.0))),
        "empty": shape(T.from_numpy(np.zeros((0, 2)))),
    }


def case_read_only_arrays_warn(T):
    """A read-only array is taken with a warning, by from_numpy and as_tensor."""
    a = np.arange(3.0)
    a.setflags(write=False)
    phrase = "The given NumPy array is not writable"
    return {
        "from_numpy": listen(lambda: T.from_numpy(a), phrase),
        "as_tensor": listen(lambda: T.as_tensor(a), phrase),
        "tensor": listen(lambda: T.tensor(a), phrase),
        "copy": listen(lambda: T.from_numpy(a.copy()), phrase),
    }


def case_constructors_share_or_copy(T):
    """from_numpy and as_tensor share; tensor copies; as_tensor with another dtype copies."""
    found = {}
    for name, make in {
        "from_numpy": T.from_numpy,
        "as_tensor": T.as_tensor,
        "tensor": T.tensor,
        "as_tensor_cast": lambda a: T.as_tensor(a, dtype=T.float32),
        "asarray": T.asarray,
    }.items():
        a = np.zeros(2)
        t = make(a)
        a[0] = 7.0
        found[name] = values(t)
    return found


def case_array_outlives_the_tensor(T):
    """The array keeps the memory when the tensor is gone, and the other way round."""
    a = (T.ones(2) * 3).numpy()
    t = T.from_numpy(np.full(2, 5.0))
    return {"a": a.tolist(), "t": values(t)}


def case_two_arrays_of_one_tensor(T):
    """Each numpy() call gives a new array on the same memory."""
    t = T.zeros(2)
    a, b = t.numpy(), t.numpy()
    a[0] = 1.0
    return {"same_object": a is b, "b": b.tolist(), "shares": bool(np.shares_memory(a, b))}


def case_array_views_match_tensor_views(T):
    """Arrays of views share with the array of the whole."""
    t = T.arange(6.0).view(2, 3)
    whole, column = t.numpy(), t[:, 1].numpy()
    column[:] = 9.0
    return {"whole": whole.tolist(), "strides": [s // 4 for s in t.t().numpy().strides]}


def case_version_is_blind_to_numpy(T):
    """A write through numpy spoils a saved value silently."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y.detach().numpy()[:] = 0.0
    y.sum().backward()
    return {"version": y._version, "grad": values(x.grad)}


def case_from_numpy_then_graph_then_write(T):
    """The data array changed after forward spoils the gradient silently."""
    a = np.array([1.0, 2.0], dtype=np.float32)
    x = T.from_numpy(a)
    w = T.tensor([3.0, 4.0], requires_grad=True)
    loss = (w * x).sum()
    a[:] = 100.0
    loss.backward()
    return {"grad": values(w.grad)}


def case_tolist_of_all_kinds(T):
    """tolist gives plain Python numbers at every depth."""
    return {
        "matrix": T.tensor([[1, 2], [3, 4]]).tolist(),
        "bools": T.tensor([True, False]).tolist(),
        "scalar": T.tensor(2.5).tolist(),
        "empty": T.zeros(0, 2).tolist(),
        "types": [
            type(v).__name__ for v in (T.tensor([1]).tolist()[0], T.tensor([1.0]).tolist()[0])
        ],
        "graph": (T.tensor([1.0], requires_grad=True) * 2).tolist(),
    }


def case_array_protocol_attributes(T):
    """What NumPy looks for on a tensor."""
    t = T.tensor([1.0])
    return {
        "priority": t.__array_priority__,
        "array": type(t.__array__()).__name__,
        "array_dtype": str(t.__array__(np.float64).dtype),
        "interface": hasattr(t, "__array_interface__"),
    }


def case_numpy_random_as_data(T):
    """Float64 arrays give float64 tensors; .float() copies."""
    a = np.linspace(0, 1, 3)
    t = T.from_numpy(a)
    f = t.float()
    f.zero_()
    return {"t": info(t), "f": dtype_of(f), "shares": same_memory(t, f)}


def case_numpy_bool_in_conditions(T):
    """NumPy bools as conditions and masks."""
    x = T.tensor([1.0, 2.0, 3.0])
    mask = np.array([True, False, True])
    return {
        "index": values(x[mask]),
        "where": values(T.where(T.from_numpy(mask), x, T.zeros(3))),
        "write": _written(x, mask),
    }


def _written(x, mask):
    y = x.clone()
    y[mask] = 0.0
    return values(y)


def case_no_warning_in_plain_use(T):
    """Division by zero, logs of zero and overflow give inf and nan without a word."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        x = T.tensor([0.0, -1.0, 1e30], requires_grad=True)
        out = x.log() + x / 0 + x * x + x.sqrt()
        out.sum().backward()
    return {"warned": len(caught), "flags": flags(out)}
