"""More about tensors as Python objects: copies, pickles, files, sets, `in`, iteration, attributes."""

import copy
import io
import pickle

from .observe import attempt, flags, grads, info, same_memory, shape, values


def case_deepcopy_of_a_leaf(T):
    """A deep copy has its own memory and the same flags; the gradient is copied along."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x * 3).sum().backward()
    c = copy.deepcopy(x)
    with T.no_grad():
        c.add_(1)
    return {
        "flags": flags(c),
        "shares": same_memory(x, c),
        "grad": values(c.grad),
        "grad_shares": same_memory(x.grad, c.grad),
        "x": values(x),
    }


def case_shallow_copy(T):
    """copy.copy of a leaf is a new tensor object."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    c = copy.copy(x)
    return {"same_object": c is x, "flags": flags(c), "shares": same_memory(c, x)}


def case_deepcopy_keeps_sharing_within(T):
    """Inside one deep copy, objects met twice stay one; views of one memory still share."""
    x = T.arange(4.0)
    first, second, view = copy.deepcopy([x, x, x[1:3]])
    first.fill_(7.0)
    return {"same": first is second, "view": values(view), "source": values(x)}


def case_deepcopy_of_views_and_strides(T):
    """A deep copy of a view keeps shape and strides."""
    x = T.arange(6.0).view(2, 3)
    c = copy.deepcopy(x.t())
    return {
        "stride": list(c.stride()),
        "values": values(c),
        "offset": copy.deepcopy(x[1]).storage_offset(),
    }


def case_deepcopy_of_results(T):
    """A result of a recorded operation is refused; under no_grad or detached it is not."""
    x = T.tensor([1.0], requires_grad=True)
    phrase = (
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol"
    )
    with T.no_grad():
        quiet = x * 2
    return {
        "result": attempt(lambda: copy.deepcopy(x * 2), phrase),
        "view": attempt(lambda: copy.deepcopy(x[0]), phrase),
        "in_a_list": attempt(lambda: copy.deepcopy([1, x * 2]), "deepcopy protocol")["raised"],
        "quiet": values(copy.deepcopy(quiet)),
        "detached": values(copy.deepcopy((x * 2).detach())),
    }


def case_deepcopy_of_a_parameter(T):
    """A copied Parameter is a Parameter, frozen if it was; its gradient stays behind."""
    p = T.nn.Parameter(T.ones(2), requires_grad=False)
    q = copy.deepcopy(p)
    learning = T.nn.Parameter(T.ones(2))
    (learning * 2).sum().backward()
    layer = T.nn.Linear(1, 1)
    layer(T.ones(1, 1)).sum().backward()
    return {
        "type": isinstance(q, T.nn.Parameter),
        "flags": flags(q),
        "shares": same_memory(p, q),
        "grad": values(copy.deepcopy(learning).grad),
        "layer": values(copy.deepcopy(layer).weight.grad),
    }


def case_deepcopy_keeps_attributes(T):
    """Attributes that the user set are copied along."""
    x = T.ones(1)
    x.note = ["a"]
    c = copy.deepcopy(x)
    return {"note": c.note, "same": c.note is x.note}


def case_deepcopy_drops_hooks(T):
    """Hooks do not come along with a copy."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)
    x.register_hook(lambda grad: calls.append(1))
    c = copy.deepcopy(x)
    (c * 2).sum().backward()
    return {"calls": calls, "grad": values(c.grad)}


def case_pickle_round_trip(T):
    """A pickled leaf comes back with values, dtype, strides and flag, without its gradient."""
    x = T.arange(6.0).view(2, 3).t().detach().requires_grad_()
    (x * 2).sum().backward()
    y = pickle.loads(pickle.dumps(x))
    return {
        "info": info(y),
        "flags": flags(y),
        "stride": list(y.stride()),
        "shares": same_memory(x, y),
        "grad": values(y.grad),
    }


def case_pickle_of_all_dtypes(T):
    """Every dtype survives."""
    found = {}
    for name in ("bool", "int32", "int64", "float16", "float32", "float64"):
        found[name] = info(pickle.loads(pickle.dumps(T.ones(2).to(getattr(T, name)))))
    found["dtype_itself"] = pickle.loads(pickle.dumps(T.float32)) is T.float32
    found["size"] = type(pickle.loads(pickle.dumps(T.zeros(2, 3).shape))).__name__
    return found


def case_pickle_of_a_result(T):
    """A pickled result comes back as a leaf, requiring a gradient as it did."""
    x = T.tensor([1.0], requires_grad=True)
    y = pickle.loads(pickle.dumps((x * 2).detach()))
    return {"detached": flags(y), "result": attempt(lambda: pickle.dumps(x * 2))["raised"]}


def case_pickle_of_a_parameter_and_a_module(T):
    """Parameters and modules survive pickling."""
    p = pickle.loads(pickle.dumps(T.nn.Parameter(T.ones(2))))
    layer = T.nn.Linear(2, 1)
    other = pickle.loads(pickle.dumps(layer))
    return {
        "parameter": [isinstance(p, T.nn.Parameter), flags(p)],
        "module": T.equal(layer.weight, other.weight),
        "module_parameter": isinstance(other.weight, T.nn.Parameter),
        "keys": list(other.state_dict()),
    }


def case_pickle_copies_each_on_its_own(T):
    """Two tensors on one memory, pickled together, come back with a memory each."""
    x = T.arange(4.0)
    a, b = pickle.loads(pickle.dumps([x, x[1:3]]))
    a.fill_(7.0)
    return {"b": values(b)}


def case_save_and_load(T):
    """T.save and T.load through a file object: tensors, dicts, state dicts."""
    layer = T.nn.Linear(2, 1)
    x = T.tensor([1.0, 2.0], requires_grad=True)
    buffer = io.BytesIO()
    T.save({"x": x, "state": layer.state_dict(), "epoch": 3}, buffer)
    buffer.seek(0)
    back = T.load(buffer)
    other = T.nn.Linear(2, 1)
    other.load_state_dict(back["state"])
    return {
        "x": values(back["x"]),
        "flags": flags(back["x"]),
        "epoch": back["epoch"],
        "weights": T.equal(layer.weight, other.weight),
    }


def case_hash_and_identity(T):
    """Tensors hash by identity: equal values are different keys."""
    a, b = T.tensor([1.0]), T.tensor([1.0])
    table = {a: "a", b: "b"}
    return {
        "entries": len(table),
        "found": table[a],
        "set": len({a, b, a}),
        "stable": hash(a) == hash(a),
        "view": hash(a) == hash(a[:1]),
    }


def case_membership(T):
    """`in` asks whether any element equals."""
    x = T.tensor([1.0, 2.0, 3.0])
    return {
        "number": 2.0 in x,
        "missing": 5 in x,
        "tensor": T.tensor(3.0) in x,
        "bool": True in T.tensor([True, False]),
        "text": attempt(lambda: "a" in x)["raised"],
        "list_of_tensors": attempt(lambda: T.tensor([1.0, 2.0]) in [T.tensor([3.0, 4.0])])[
            "raised"
        ],
    }


def case_iteration_forms(T):
    """for, list, tuple, zip, enumerate, unpacking and reversed."""
    x = T.tensor([[1.0, 2.0], [3.0, 4.0]])
    a, b = x
    first, *rest = T.tensor([1, 2, 3])
    return {
        "for": [values(row) for row in x],
        "list": len(list(x)),
        "unpacked": [values(a), values(b)],
        "star": [values(first), [values(r) for r in rest]],
        "zip": [
            float(p) * float(q)
            for p, q in zip(T.tensor([1.0, 2.0]), T.tensor([3.0, 4.0]), strict=True)
        ],
        "reversed": [values(r) for r in reversed(x)],
        "sum": sum(T.tensor([1.0, 2.0, 3.0])).item(),
        "max": max(T.tensor([1.0, 5.0, 3.0])).item(),
        "sorted": [t.item() for t in sorted(T.tensor([3.0, 1.0, 2.0]))],
    }


def case_python_sum_keeps_the_graph(T):
    """Python's sum over rows is a chain of additions."""
    x = T.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    return {"grads": grads(sum(x) * T.tensor([1.0, 10.0]), x)}


def case_truth_of_tensors(T):
    """One element is as true as its number."""
    return {
        "zero": bool(T.tensor(0)),
        "one": bool(T.tensor([0.5])),
        "nan": bool(T.tensor(float("nan"))),
        "not": not T.tensor([0.0]),
        "comparison": bool(T.tensor(2.0) > 1),
        "all": bool((T.ones(2) == 1).all()),
    }


def case_comparison_of_tensor_objects(T):
    """== is elementwise; `is` and list.index ask otherwise."""
    a, b = T.tensor([1.0]), T.tensor([2.0])
    return {
        "equal": values(a == a.clone()),
        "index": [a, b].index(b),
        "none": a == None,  # noqa: E711
        "not_none": a != None,  # noqa: E711
        "other_object": a == object(),
    }


def case_attributes_listed(T):
    """dir lists methods and attributes; vars holds what the user set."""
    x = T.ones(1)
    x.mine = 1
    names = dir(x)
    return {
        "has": [
            name in names
            for name in ("detach", "grad", "backward", "requires_grad", "mine", "view")
        ],
        "vars": x.__dict__,
        "callable": callable(x.detach),
    }


def case_tensor_class_and_constructor(T):
    """T.Tensor makes float32 from data or sizes; what is no data is refused."""
    return {
        "from_list": info(T.Tensor([1, 2])),
        "from_sizes": shape(T.Tensor(2, 3)),
        "nothing": shape(T.Tensor()),
        "isinstance": isinstance(T.tensor([1]), T.Tensor),
        "of_tensor": attempt(lambda: T.Tensor("a"))["raised"],
    }


def case_device_facts(T):
    """Facts that a learner prints."""
    x = T.zeros(2)
    return {
        "device": str(x.device),
        "is_cuda": x.is_cuda,
        "cpu": x.cpu() is x,
        "cuda_there": T.cuda.is_available(),
        "itemsize": x.itemsize,
        "storage_bytes": x.untyped_storage().nbytes(),
    }


def case_storage_identity(T):
    """Whether two tensors share is seen from their storage's address."""
    x = T.arange(4.0)
    y, z = x[2:], x.clone()

    def address(t):
        return t.untyped_storage().data_ptr()

    return {
        "view": address(x) == address(y),
        "detached": address(x) == address(x.detach()),
        "clone": address(x) == address(z),
        "element": x.data_ptr() == y.data_ptr(),
        "bytes_apart": y.data_ptr() - x.data_ptr(),
    }


def case_length_and_bool_of_sizes(T):
    """len of tensors and shapes."""
    return {
        "len": len(T.zeros(3, 2)),
        "shape": len(T.zeros(3, 2).shape),
        "scalar_shape": len(T.tensor(1.0).shape),
        "empty": len(T.zeros(0)),
    }


def case_weak_references(T):
    """Tensors can be referred to weakly and die when nobody holds them."""
    import gc
    import weakref

    x = T.ones(1)
    ref = weakref.ref(x)
    alive = ref() is x
    del x
    gc.collect()
    return {"alive": alive, "gone": ref() is None}


def case_operators_return_not_implemented_for_strangers(T):
    """A class with reflected operators gets its turn."""

    class Stranger:
        def __radd__(self, other):
            return "radd"

        def __rmul__(self, other):
            return "rmul"

        def __rsub__(self, other):
            return "rsub"

    x = T.ones(1)
    return {"add": x + Stranger(), "mul": x * Stranger(), "sub": x - Stranger()}


def case_unary_plus_and_abs(T):
    """+x is x itself; abs() and round() go to the tensor."""
    x = T.tensor([-1.5, 2.5])
    return {"plus": (+x) is x, "abs": values(abs(x)), "pow": values(pow(x, 2)), "neg": values(-x)}
