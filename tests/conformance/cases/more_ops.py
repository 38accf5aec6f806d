"""More about what operations return: forms of calling, tuples by name, ties, empty tensors, seeds."""

import math

from .observe import attempt, dtype_of, flags, grads, info, same_memory, shape, values


def case_max_and_min_in_all_forms(T):
    """max of everything, along a dimension, of two tensors; the tuple has names."""
    x = T.tensor([[1.0, 5.0, 5.0], [7.0, 0.0, 7.0]])
    along = x.max(1)
    return {
        "all": info(x.max()),
        "along": [values(along.values), values(along.indices)],
        "unpacked": [values(part) for part in T.min(x, dim=0)],
        "keepdim": shape(x.max(dim=1, keepdim=True).values),
        "two": values(T.max(x, T.tensor(5.0))),
        "negative": values(x.min(-1)[1]),
        "argmax": [x.argmax().item(), values(x.argmax(dim=0)), values(x.argmax(1, keepdim=True))],
        "argmin": values(T.argmin(x, dim=1)),
    }


def case_sort_and_argsort(T):
    """sort gives values and positions by name; equal elements keep their order when stable."""
    x = T.tensor([[3.0, 1.0, 2.0], [0.0, -1.0, 5.0]])
    s = x.sort()
    ties = T.tensor([2.0, 1.0, 2.0, 1.0])
    return {
        "values": values(s.values),
        "indices": info(s.indices),
        "descending": values(x.sort(descending=True)[1]),
        "columns": values(T.sort(x, dim=0)[0]),
        "argsort": values(T.argsort(x, dim=1)),
        "stable": values(T.sort(ties, stable=True)[1]),
        "stable_descending": values(T.sort(ties, stable=True, descending=True)[1]),
        "ints": values(T.tensor([3, 1, 2]).sort()[0]),
        "bools": values(T.tensor([True, False]).sort()[0]),
    }


def case_topk(T):
    """topk gives the largest in order, with their positions."""
    x = T.tensor([3.0, 1.0, 4.0, 1.5])
    top = T.topk(x, 2)
    return {
        "values": values(top.values),
        "indices": values(top.indices),
        "smallest": values(x.topk(2, largest=False)[0]),
        "dim": values(T.tensor([[1.0, 2.0], [4.0, 3.0]]).topk(1, dim=0)[0]),
        "too_many": attempt(lambda: x.topk(5), "selected index k out of range"),
    }


def case_unique_and_counts(T):
    """unique sorts; it can tell positions and counts."""
    x = T.tensor([3, 1, 3, 2, 1])
    out, inverse, counts = T.unique(x, return_inverse=True, return_counts=True)
    return {
        "unique": values(T.unique(x)),
        "inverse": values(inverse),
        "counts": values(counts),
        "out": info(out),
        "bincount": values(T.bincount(x)),
    }


def case_searchsorted_and_bucketize(T):
    """Where a value belongs in a sorted row."""
    edges = T.tensor([1.0, 3.0, 5.0])
    return {
        "left": values(T.searchsorted(edges, T.tensor([0.0, 3.0, 6.0]))),
        "right": values(T.searchsorted(edges, T.tensor([0.0, 3.0, 6.0]), right=True)),
    }


def case_all_and_any(T):
    """all and any, over everything and along dimensions; of nothing."""
    b = T.tensor([[True, False], [True, True]])
    return {
        "all": [b.all().item(), values(b.all(dim=1)), values(T.all(b, 0))],
        "any": [b.any().item(), values(b.any(0, keepdim=True))],
        "floats": T.tensor([0.0, 2.0]).any().item(),
        "empty": [T.zeros(0).all().item(), T.zeros(0).any().item()],
    }


def case_reductions_of_nothing(T):
    """Empty tensors: sums are 0, products 1, means nan; largest elements do not exist."""
    e = T.zeros(0)
    return {
        "sum": e.sum().item(),
        "prod": e.prod().item(),
        "mean": str(e.mean().item()),
        "max": attempt(e.max)["raised"],
        "argmax": attempt(e.argmax)["raised"],
        "sum_dim": values(T.zeros(0, 3).sum(0)),
        "max_dim": attempt(lambda: T.zeros(0, 3).max(0))["raised"],
        "cat": shape(T.cat([e, T.ones(2)])),
        "matmul": values(T.ones(2, 0) @ T.ones(0, 2)),
    }


def case_gradient_of_an_empty_sum(T):
    """The gradient of an empty selection is zero everywhere."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    return {"grads": grads(x[:0].sum() + x[x > 5].sum(), x)}


def case_comparison_functions(T):
    """The comparisons by name, and their negations."""
    a, b = T.tensor([1.0, 2.0, math.nan]), T.tensor([1.0, 3.0, math.nan])
    return {name: values(getattr(T, name)(a, b)) for name in ("eq", "ne", "lt", "le", "gt", "ge")}


def case_tests_of_numbers(T):
    """isnan, isinf, isfinite, and the sign bit."""
    x = T.tensor([1.0, math.inf, -math.inf, math.nan, -0.0])
    return {
        "isnan": values(T.isnan(x)),
        "isinf": values(T.isinf(x)),
        "isfinite": values(T.isfinite(x)),
        "signbit": values(T.signbit(x)),
        "sign": values(T.sign(x)),
    }


def case_rounding(T):
    """The four ways to an integer."""
    x = T.tensor([-1.5, -0.5, 0.5, 1.5, 2.5])
    return {name: values(getattr(x, name)()) for name in ("round", "floor", "ceil", "trunc")}


def case_arange_and_linspace_ends(T):
    """Which ends are in, downwards too."""
    return {
        "down": values(T.arange(3, 0, -1)),
        "float_step": values(T.arange(0.0, 1.0, 0.3)),
        "empty": values(T.arange(0)),
        "keyword": values(T.arange(start=1, end=4)),
        "linspace": values(T.linspace(-1, 1, 5)),
        "one": values(T.linspace(2, 3, 1)),
        "logspace": values(T.logspace(0, 2, 3)),
        "wrong_way": attempt(lambda: T.arange(0, 3, -1))["raised"],
        "zero_step": attempt(lambda: T.arange(0, 3, 0))["raised"],
    }


def case_factories_take_sizes_in_many_forms(T):
    """Sizes as numbers, a tuple, a list or a Size; none for a scalar."""
    return {
        "numbers": shape(T.zeros(2, 3)),
        "tuple": shape(T.ones((2, 3))),
        "list": shape(T.zeros([4])),
        "size": shape(T.empty(T.zeros(2, 1).shape)),
        "keyword": shape(T.zeros(size=(2, 2))),
        "scalar": shape(T.zeros(())),
        "negative": attempt(lambda: T.zeros(-1))["raised"],
        "float": attempt(lambda: T.zeros(1.5))["raised"],
        "full": shape(T.full((2, 3), 7)),
        "eye": shape(T.eye(2, 3)),
        "new": shape(T.zeros(1).new_ones((2, 2))),
    }


def case_factories_with_requires_grad(T):
    """Factories make leaves that require a gradient on request."""
    return {
        name: flags(make())
        for name, make in {
            "zeros": lambda: T.zeros(2, requires_grad=True),
            "arange": lambda: T.arange(2.0, requires_grad=True),
            "full": lambda: T.full((2,), 1.0, requires_grad=True),
            "eye": lambda: T.eye(2, requires_grad=True),
            "randn": lambda: T.randn(2, requires_grad=True),
            "linspace": lambda: T.linspace(0, 1, 2, requires_grad=True),
        }.items()
    }


def case_cat_and_stack_errors(T):
    """Joining wants tensors of fitting shapes."""
    return {
        "empty": attempt(lambda: T.cat([]), "non-empty list of Tensors"),
        "rank": attempt(
            lambda: T.cat([T.ones(2), T.ones(2, 2)]), "Tensors must have same number of dimensions"
        ),
        "size": attempt(
            lambda: T.cat([T.ones(2, 2), T.ones(2, 3)]),
            "Sizes of tensors must match except in dimension 0",
        ),
        "scalars": attempt(
            lambda: T.cat([T.tensor(1.0), T.tensor(2.0)]), "zero-dimensional tensor"
        ),
        "stack": attempt(
            lambda: T.stack([T.ones(2), T.ones(3)]), "stack expects each tensor to be equal size"
        ),
        "dim": attempt(lambda: T.cat([T.ones(2)], dim=1), "Dimension out of range"),
        "number": attempt(lambda: T.cat([T.ones(1), 2.0]))["raised"],
        "tensor": attempt(lambda: T.cat(T.ones(2, 2)))["raised"],
    }


def case_cat_copies(T):
    """cat and stack copy, even a single tensor."""
    x = T.ones(2)
    return {"cat": same_memory(x, T.cat([x])), "stack": same_memory(x, T.stack([x]))}


def case_where_forms(T):
    """where with tensors, numbers, and none."""
    x = T.tensor([1.0, -2.0])
    return {
        "numbers": values(T.where(x > 0, 1.0, 0.0)),
        "mixed": values(T.where(x > 0, x, 0.0)),
        "method": values(x.where(x > 0, T.zeros(2))),
        "broadcast": shape(T.where(T.tensor([[True], [False]]), x, x)),
    }


def case_clamp_forms(T):
    """clamp by place, by name, and its aliases; without bounds it is refused."""
    x = T.tensor([-2.0, 0.5, 3.0])
    return {
        "place": values(T.clamp(x, 0, 1)),
        "clip": values(x.clip(max=1)),
        "clamp_min": values(x.clamp_min(0)),
        "none": attempt(lambda: x.clamp(), "At least one of 'min' or 'max' must not be None"),
        "int": info(T.tensor([1, 5]).clamp(max=3)),
    }


def case_einsum_errors(T):
    """einsum explains what does not fit."""
    a = T.ones(2, 3)
    return {
        "count": attempt(lambda: T.einsum("ij,jk->ik", a))["raised"],
        "rank": attempt(lambda: T.einsum("ijk->k", a))["raised"],
        "size": attempt(lambda: T.einsum("ij,jk->ik", a, a))["raised"],
        "letter": attempt(lambda: T.einsum("ij->k", a))["raised"],
    }


def case_matmul_of_every_rank(T):
    """Shapes of products from vectors to batches."""
    return {
        "1,1": shape(T.ones(3) @ T.ones(3)),
        "2,1": shape(T.ones(2, 3) @ T.ones(3)),
        "1,2": shape(T.ones(3) @ T.ones(3, 4)),
        "3,1": shape(T.ones(5, 2, 3) @ T.ones(3)),
        "1,3": shape(T.ones(3) @ T.ones(5, 3, 4)),
        "3,2": shape(T.ones(5, 2, 3) @ T.ones(3, 4)),
        "3,3": shape(T.ones(1, 2, 3) @ T.ones(5, 3, 4)),
        "4,3": shape(T.ones(6, 1, 2, 3) @ T.ones(5, 3, 4)),
    }


def case_matmul_errors(T):
    """What does not fit in a product, rank by rank."""
    return {
        "vectors": attempt(lambda: T.ones(2) @ T.ones(3), "inconsistent tensor size")["raised"],
        "matrices": attempt(
            lambda: T.ones(2, 3) @ T.ones(2, 3), "mat1 and mat2 shapes cannot be multiplied"
        ),
        "matrix_vector": attempt(lambda: T.ones(2, 3) @ T.ones(2))["raised"],
        "batches": attempt(
            lambda: T.ones(2, 2, 3) @ T.ones(3, 3, 2), "must match the size of tensor b"
        ),
        "inner": attempt(
            lambda: T.ones(2, 2, 3) @ T.ones(2, 2, 3),
            "Expected size for first two dimensions of batch2",
        ),
        "scalar": attempt(
            lambda: T.ones(2) @ T.tensor(2.0), "both arguments to matmul need to be at least 1D"
        ),
        "number": attempt(lambda: T.ones(2) @ 2.0)["raised"],
        "mm": attempt(lambda: T.mm(T.ones(2), T.ones(2, 2)))["raised"],
        "dot": attempt(lambda: T.dot(T.ones(2, 2), T.ones(2)), "1D tensors expected"),
    }


def case_names_of_results(T):
    """Results with several parts are tuples whose parts have names."""
    x = T.tensor([3.0, 1.0])
    found = {}
    for name, result in {
        "max": x.max(0),
        "min": x.min(0),
        "sort": x.sort(),
        "topk": x.topk(1),
        "cummax": T.cummax(x, 0),
        "median": x.median(0),
    }.items():
        same = result.values is result[0] and result.indices is result[1]
        found[name] = [isinstance(result, tuple), len(result), same]
    return found


def case_seeded_sampling_repeats(T):
    """The same seed gives the same numbers, another seed others."""
    T.manual_seed(3)
    a = [values(T.rand(3)), values(T.randn(3)), values(T.randint(0, 100, (5,)))]
    T.manual_seed(3)
    b = [values(T.rand(3)), values(T.randn(3)), values(T.randint(0, 100, (5,)))]
    T.manual_seed(4)
    return {"same": a == b, "other": values(T.rand(3)) == a[0]}


def case_sampling_shapes_and_dtypes(T):
    """What the random factories give, whatever the numbers."""
    T.manual_seed(0)
    r = T.rand(1000)
    n = T.randint(2, 5, (1000,))
    p = T.randperm(10)
    return {
        "rand": [dtype_of(r), r.min().item() >= 0, r.max().item() < 1],
        "randn": [dtype_of(T.randn(2, 3)), shape(T.randn(2, 3))],
        "randint": [dtype_of(n), sorted(set(n.tolist()))],
        "randperm": [dtype_of(p), sorted(p.tolist())],
        "like": [
            shape(T.rand_like(T.zeros(2, 2))),
            dtype_of(T.randn_like(T.zeros(1, dtype=T.float64))),
        ],
        "bernoulli": sorted(set(T.bernoulli(T.full((100,), 0.5)).tolist())),
        "normal": shape(T.normal(0.0, 1.0, (2, 3))),
        "multinomial": [
            shape(T.multinomial(T.tensor([0.0, 1.0]), 3, replacement=True)),
            values(T.multinomial(T.tensor([0.0, 1.0]), 2, replacement=True)),
        ],
    }


def case_generators_are_separate_streams(T):
    """A Generator has its own seed and stream."""
    g = T.Generator().manual_seed(7)
    a = values(T.rand(2, generator=g))
    T.rand(5)
    h = T.Generator().manual_seed(7)
    return {
        "same": a == values(T.rand(2, generator=h)),
        "moves_on": a == values(T.rand(2, generator=g)),
    }


def case_random_in_place(T):
    """Random fills write in place and count."""
    x = T.zeros(100)
    x.uniform_(2, 3)
    inside = [x.min().item() >= 2, x.max().item() < 3]
    x.normal_(5.0, 0.0)
    w = T.ones(2, requires_grad=True)
    return {
        "inside": inside,
        "normal": sorted(set(x.tolist())),
        "version": x._version,
        "leaf": attempt(lambda: w.uniform_(), "leaf Variable that requires grad"),
    }


def case_dropout_behaviour(T):
    """Dropout scales what it keeps, is the identity in eval, and gives gradients where it kept."""
    F = T.nn.functional
    T.manual_seed(0)
    x = T.ones(1000, requires_grad=True)
    y = F.dropout(x, 0.25)
    y.sum().backward()
    kept = y.detach() != 0
    return {
        "values": sorted({round(v, 4) for v in y.tolist()}),
        "share": 0.6 < kept.float().mean().item() < 0.9,
        "grad_follows": T.equal(x.grad, y.detach()),
        "eval": T.equal(F.dropout(x, 0.5, training=False), x),
        "all": values(F.dropout(T.ones(3), 1.0)),
        "none": values(F.dropout(T.ones(3), 0.0)),
        "range": attempt(
            lambda: F.dropout(x, 1.5), "dropout probability has to be between 0 and 1"
        ),
    }


def case_one_hot(T):
    """Class numbers as rows of zeros and a one."""
    return {
        "counted": info(T.nn.functional.one_hot(T.tensor([0, 2]))),
        "given": values(T.nn.functional.one_hot(T.tensor([1]), 4)),
        "negative": attempt(lambda: T.nn.functional.one_hot(T.tensor([-1])), "non-negative"),
    }


def case_numel_and_friends(T):
    """Sizes asked in different ways."""
    x = T.zeros(2, 3)
    return {
        "numel": [x.numel(), T.numel(x), x.nelement(), x.shape.numel()],
        "size": [x.size(0), x.size(-1), list(x.size())],
        "dim": [x.dim(), x.ndim, x.ndimension()],
        "element_size": x.element_size(),
        "nbytes": x.nbytes,
        "range": attempt(lambda: x.size(2), "Dimension out of range"),
    }


def case_size_is_a_tuple(T):
    """A shape compares, unpacks and slices like a tuple."""
    s = T.zeros(2, 3).shape
    rows, columns = s
    return {
        "equal": s == (2, 3),
        "unpacked": [rows, columns],
        "is_tuple": isinstance(s, tuple),
        "last": s[-1],
        "joined": list(s + (4,)),
        "slice": list(s[1:]),
        "numel": s.numel(),
    }


def case_gradient_through_chosen_positions(T):
    """Positions from argmax carry no gradient; the values that they pick do."""
    x = T.tensor([[1.0, 5.0], [7.0, 2.0]], requires_grad=True)
    best = x.argmax(dim=1)
    picked = x.gather(1, best[:, None]).squeeze(1)
    return {"flags": flags(best), "grads": grads(picked * T.tensor([1.0, 10.0]), x)}


def case_functions_and_methods_agree(T):
    """A function and the method of the same name give the same."""
    x = T.tensor([[0.5, 1.5], [2.5, 0.1]])
    found = {}
    for name in (
        "exp",
        "log",
        "sqrt",
        "sum",
        "mean",
        "abs",
        "tanh",
        "sigmoid",
        "relu",
        "neg",
        "t",
        "prod",
        "floor",
    ):
        found[name] = values(getattr(T, name)(x)) == values(getattr(x, name)())
    return found


def case_true_and_floor_division_by_name(T):
    """The aliases of the arithmetic functions."""
    a, b = T.tensor([7.0, -7.0]), T.tensor([2.0, 2.0])
    return {
        "div": values(T.div(a, b)),
        "divide": values(T.divide(a, b)),
        "true_divide": values(T.true_divide(a, b)),
        "floor_divide": values(T.floor_divide(a, b)),
        "multiply": values(T.multiply(a, b)),
        "subtract": values(T.subtract(a, b)),
        "pow": values(T.pow(a, 2)),
        "square": values(T.square(a)),
        "absolute": values(T.absolute(a)),
        "negative": values(T.negative(a)),
    }


def case_out_of_place_names_leave_the_tensor_alone(T):
    """Names without an underscore never write."""
    x = T.tensor([1.0, -2.0])
    x.add(1), x.mul(2), x.clamp(0, 1), x.relu(), x.masked_fill(x > 0, 5.0)
    return {"x": values(x), "version": x._version}


def case_running_statistics_by_hand(T):
    """var_mean and std along dimensions, kept."""
    x = T.tensor([[1.0, 2.0, 6.0], [3.0, 3.0, 3.0]])
    v, m = T.var_mean(x, dim=1)
    return {
        "var": values(v),
        "mean": values(m),
        "std": values(x.std(dim=1, keepdim=True)),
        "one": str(T.tensor([1.0]).var().item()),
    }
