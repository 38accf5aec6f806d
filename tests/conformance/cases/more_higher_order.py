"""More about derivatives of derivatives, and about checking them by finite differences."""

from .observe import attempt, flags, grad_fn_of, info, values


def _twice(name, sees, compute, *inputs):
    """One program: first and second derivatives of a function, weighted so that no two agree."""

    def case(T):
        leaves = [T.tensor(data, requires_grad=True) for data in inputs]
        out = compute(T, *leaves)
        weights = (T.arange(out.numel()) + 1).float().reshape(out.shape)
        first = T.autograd.grad((out * weights).sum(), leaves, create_graph=True)
        total = sum((g * (k + 2)).sum() for k, g in enumerate(first))
        second = T.autograd.grad(total, leaves, allow_unused=True, materialize_grads=True)
        return {"first": [values(g) for g in first], "second": [values(g) for g in second]}

    case.__name__ = f"case_twice_{name}"
    case.__doc__ = sees
    return case


def _thrice(name, sees, compute, start):
    """One program: the first three derivatives at some points."""

    def case(T):
        x = T.tensor(start, requires_grad=True)
        found, y = [], compute(T, x)
        for _ in range(3):
            (y,) = T.autograd.grad(y.sum(), x, create_graph=True)
            found.append(values(y))
        return {"derivatives": found}

    case.__name__ = f"case_thrice_{name}"
    case.__doc__ = sees
    return case


_A, _B = [0.5, 1.5, 2.5], [1.0, -2.0, 4.0]
_M, _N = [[1.0, 2.0], [3.0, 5.0]], [[0.5, 1.0], [1.5, -2.0]]

TABLE = [
    _twice("mul", "A product.", lambda T, a, b: a * b * a, _A, _B),
    _twice("div", "A quotient.", lambda T, a, b: a / b, _A, _B),
    _twice("pow", "A power of tensors.", lambda T, a, b: a**b, _A, _B),
    _twice("square", "A square.", lambda T, a: a**2, _B),
    _twice("sqrt", "A root.", lambda T, a: a.sqrt(), _A),
    _twice("log", "A logarithm.", lambda T, a: a.log(), _A),
    _twice("sigmoid", "sigmoid.", lambda T, a: a.sigmoid(), _B),
    _twice("tanh", "tanh.", lambda T, a: a.tanh(), _B),
    _twice("softmax", "softmax.", lambda T, a: T.softmax(a, dim=0), _B),
    _twice("log_softmax", "log_softmax.", lambda T, a: T.log_softmax(a, dim=0), _B),
    _twice("matmul", "A matrix product, squared.", lambda T, a, b: (a @ b) ** 2, _M, _N),
    _twice(
        "matmul_vector",
        "A matrix times a vector, squared.",
        lambda T, a, b: (a @ b) ** 2,
        _M,
        [1.0, 2.0],
    ),
    _twice("mean", "A squared mean.", lambda T, a: a.mean() ** 2, _A),
    _twice("sum_dim", "A product of sums.", lambda T, a: a.sum(0) * a.sum(1), _M),
    _twice("max", "The square of the largest.", lambda T, a: a.max() ** 2, _A),
    _twice("relu", "The square of relu.", lambda T, a: a.relu() ** 2, _B),
    _twice("abs", "abs times itself.", lambda T, a: a.abs() * a, _B),
    _twice("clamp", "The square of a clamped value.", lambda T, a: a.clamp(-1, 2) ** 2, _B),
    _twice("where", "A choice between two powers.", lambda T, a: T.where(a > 1, a**2, a**3), _A),
    _twice("index", "Elements picked twice, squared.", lambda T, a: a[[0, 0, 2]] ** 2, _A),
    _twice("slice", "A slice, cubed.", lambda T, a: a[1:] ** 3, _A),
    _twice("expand", "A stretched row, cubed.", lambda T, a: a.expand(2, 3) ** 3, _A),
    _twice("transpose", "A product with the transpose.", lambda T, a: a @ a.t(), _M),
    _twice("cat", "Joined, then squared.", lambda T, a, b: T.cat([a, b]) ** 2, _A, _B),
    _twice(
        "broadcast",
        "A row against a column.",
        lambda T, a, b: (a * b) ** 2,
        [[1.0, 2.0]],
        [[3.0], [4.0]],
    ),
    _twice("norm", "A length.", lambda T, a: (a * a).sum().sqrt(), _B),
    _twice("norm_method", "A length by norm().", lambda T, a: a.norm(), _B),
    _twice("prod", "A product of all.", lambda T, a: a.prod(), _B),
    _twice("cumsum", "Running sums, squared.", lambda T, a: a.cumsum(0) ** 2, _B),
    _twice("var", "A variance, squared.", lambda T, a: a.var() ** 2, _A),
    _twice("logsumexp", "logsumexp.", lambda T, a: a.logsumexp(0), _B),
    _twice("mse", "mse_loss.", lambda T, a, b: T.nn.functional.mse_loss(a, b), _A, _B),
    _twice(
        "cross_entropy",
        "cross_entropy.",
        lambda T, a: T.nn.functional.cross_entropy(a, T.tensor([0, 1])),
        _M,
    ),
    _twice(
        "layer_norm",
        "layer_norm, squared.",
        lambda T, a: T.nn.functional.layer_norm(a, (3,)) ** 2,
        _A,
    ),
    _twice("softplus", "softplus.", lambda T, a: T.nn.functional.softplus(a), _B),
    _twice("gelu", "gelu.", lambda T, a: T.nn.functional.gelu(a), _B),
    _twice(
        "gather", "Gathered elements, squared.", lambda T, a: a.gather(0, T.tensor([2, 2])) ** 2, _A
    ),
    _twice(
        "sort",
        "Sorted elements, each to its own power.",
        lambda T, a: a.sort()[0] ** T.arange(3.0),
        _A,
    ),
    _twice(
        "einsum", "A bilinear form.", lambda T, a, b: T.einsum("i,ij,j->", b, a, b), _M, [1.0, -2.0]
    ),
    _twice(
        "detached",
        "A detached factor is a constant in both orders.",
        lambda T, a: a**2 * a.detach(),
        _B,
    ),
    _thrice("exp", "exp is its own derivative.", lambda T, x: x.exp(), [0.0, 1.0]),
    _thrice("sin", "sin goes round.", lambda T, x: x.sin(), [0.5, 2.0]),
    _thrice("cube", "x cubed ends in a constant.", lambda T, x: x**3, [2.0, -1.0]),
    _thrice("reciprocal", "1 / x.", lambda T, x: 1 / x, [2.0, -0.5]),
    _thrice("tanh", "tanh.", lambda T, x: x.tanh(), [0.3, -1.0]),
    _thrice("power_of_two", "2 ** x.", lambda T, x: 2**x, [0.0, 1.5]),
    _thrice("x_to_the_x", "x ** x.", lambda T, x: x**x, [1.0, 2.0]),
    _thrice("log", "log.", lambda T, x: x.log(), [1.0, 4.0]),
]


def case_derivative_of_a_linear_function_has_no_graph(T):
    """The gradient of a linear function is a constant: differentiating it again is refused."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (g,) = T.autograd.grad((x * 3).sum(), x, create_graph=True)
    return {
        "flags": flags(g),
        "again": attempt(lambda: T.autograd.grad(g.sum(), x), "does not require grad"),
    }


def case_second_pass_through_backward_calls(T):
    """Two backward calls, the first with create_graph, add both gradients."""
    x = T.tensor([2.0], requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    x.grad.sum().backward()
    return {"grad": values(x.grad)}


def case_gradient_penalty_with_two_leaves(T):
    """The norm of a gradient with respect to the data trains the weight."""
    w = T.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    x = T.tensor([[0.5, -1.0]], requires_grad=True)
    (g,) = T.autograd.grad((x @ w).tanh().sum(), x, create_graph=True)
    penalty = (g.norm() - 1) ** 2
    penalty.backward()
    return {"penalty": penalty.item(), "w": values(w.grad)}


def case_hessian_by_rows(T):
    """A Hessian, one row a pass."""
    x = T.tensor([1.0, 2.0, -1.0], requires_grad=True)
    y = (x[0] * x[1] ** 2 + x[1] * x[2] ** 3).sum()
    (g,) = T.autograd.grad(y, x, create_graph=True)
    rows = [values(T.autograd.grad(g[i], x, retain_graph=True)[0]) for i in range(3)]
    return {"hessian": rows}


def case_hessian_vector_product_two_ways(T):
    """A seed on the gradient, or the gradient of a dot product: the same."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    v = T.tensor([1.0, -1.0])
    (g,) = T.autograd.grad((x**3).sum() + x.prod(), x, create_graph=True)
    (a,) = T.autograd.grad(g, x, grad_outputs=v, retain_graph=True)
    (b,) = T.autograd.grad((g * v).sum(), x)
    return {"a": values(a), "b": values(b)}


def case_seed_that_requires_grad(T):
    """With create_graph the seed itself can be differentiated: a forward derivative from two backward ones."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    seed = T.ones(2, requires_grad=True)
    (g,) = T.autograd.grad(x**2, x, grad_outputs=seed, create_graph=True)
    (forward,) = T.autograd.grad(g, seed, grad_outputs=T.tensor([10.0, 100.0]))
    return {"forward": values(forward)}


def case_double_backward_through_an_inplace_write(T):
    """A recorded write is differentiated twice like any step."""
    x = T.tensor([2.0, 3.0], requires_grad=True)
    y = x**3
    y.mul_(2)
    (g,) = T.autograd.grad(y.sum(), x, create_graph=True)
    return {"g": values(g), "second": values(T.autograd.grad(g.sum(), x)[0])}


def case_double_backward_through_copy_slices(T):
    """A write through a view is differentiated twice."""
    x = T.tensor([2.0, 3.0], requires_grad=True)
    y = x**3
    y[:1].mul_(x[1:])
    (g,) = T.autograd.grad(y.sum(), x, create_graph=True)
    return {"g": values(g), "second": values(T.autograd.grad(g.sum(), x)[0])}


def case_detached_first_gradient(T):
    """Detaching the first gradient makes the update a constant step."""
    w = T.tensor([2.0], requires_grad=True)
    (g,) = T.autograd.grad((w**3).sum(), w, create_graph=True)
    kept, cut = w - 0.1 * g, w - 0.1 * g.detach()
    return {
        "kept": values(T.autograd.grad((kept**2).sum(), w, retain_graph=True)[0]),
        "cut": values(T.autograd.grad((cut**2).sum(), w)[0]),
    }


def case_node_of_a_gradient(T):
    """The gradient of x ** 2 is a product, and says so."""
    x = T.tensor([2.0], requires_grad=True)
    (g,) = T.autograd.grad((x**2).sum(), x, create_graph=True)
    return {"name": grad_fn_of(g), "flags": flags(g), "info": info(g)}


def case_no_graph_without_create_graph(T):
    """Without create_graph gradients are plain tensors."""
    x = T.tensor([2.0], requires_grad=True)
    (g,) = T.autograd.grad((x**2).sum(), x)
    return {"flags": flags(g), "again": attempt(lambda: T.autograd.grad(g.sum(), x))["raised"]}


def case_no_grad_around_create_graph(T):
    """create_graph records even when the call stands under no_grad."""
    x = T.tensor([2.0], requires_grad=True)
    y = (x**3).sum()
    with T.no_grad():
        (g,) = T.autograd.grad(y, x, create_graph=True)
    return {"flags": flags(g), "values": values(g)}


def case_gradcheck_passes(T):
    """gradcheck compares with finite differences in float64."""
    x = T.tensor([0.5, 1.5], dtype=T.float64, requires_grad=True)
    y = T.tensor([2.0, -1.0], dtype=T.float64, requires_grad=True)
    check = T.autograd.gradcheck
    return {
        "one": check(lambda a: a.exp() * a, (x,)),
        "two": check(lambda a, b: a * b + a**2, (x, y)),
        "several_outputs": check(lambda a: (a * 2, a.sum()), (x,)),
        "twice": T.autograd.gradgradcheck(lambda a, b: a**2 * b, (x, y)),
    }


def case_gradcheck_finds_a_wrong_backward(T):
    """A Function with a wrong backward is found, by exception or by False."""

    class Wrong(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 3

    x = T.tensor([0.5, 1.5], dtype=T.float64, requires_grad=True)
    return {
        "raised": attempt(
            lambda: T.autograd.gradcheck(Wrong.apply, (x,)),
            "Jacobian mismatch for output 0 with respect to input 0",
        ),
        "returned": T.autograd.gradcheck(Wrong.apply, (x,), raise_exception=False),
    }


def case_gradcheck_wants_a_gradient(T):
    """gradcheck needs an input that requires a gradient."""
    x = T.tensor([0.5], dtype=T.float64)
    return attempt(
        lambda: T.autograd.gradcheck(lambda a: a * 2, (x,)),
        "at least one input tensor to require gradient",
    )


def case_gradcheck_warns_about_single_precision(T):
    """In float32 the check is too coarse: it warns, or fails."""
    import warnings

    x = T.tensor([0.5], requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        T.autograd.gradcheck(lambda a: a * 2, (x,), raise_exception=False)
    return {"warned": any("not a double precision" in str(w.message) for w in caught)}


def case_gradgradcheck_finds_a_wrong_second_derivative(T):
    """A backward that hides its dependence on the input fails the second check only."""

    class Square(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.kept = x.detach()
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return grad * 2 * ctx.kept

    x = T.tensor([0.5, 1.5], dtype=T.float64, requires_grad=True)
    return {
        "first": T.autograd.gradcheck(Square.apply, (x,)),
        "second": T.autograd.gradgradcheck(Square.apply, (x,), raise_exception=False),
    }
