"""More values and gradients of single operations, many of them at the edges where formulas break.

Every row makes one case, as in op_gradients.py: float32 leaves a, b, c, ... require a gradient, the
result is multiplied by the weights 1, 2, 3, ... and summed, and the case reports result and gradients.
"""

from .observe import info, values

INF, NAN = float("inf"), float("nan")


def _row(name, sees, compute, *inputs):
    """One row of the table as a case function."""

    def case(T):
        leaves = [T.tensor(data, requires_grad=True) for data in inputs]
        out = compute(T, *leaves)
        weights = (T.arange(out.numel()) + 1).to(out.dtype).reshape(out.shape)
        (out * weights).sum().backward()
        return {"out": info(out), "grads": [values(leaf.grad) for leaf in leaves]}

    case.__name__ = f"case_{name}"
    case.__doc__ = sees
    return case


_A, _B = [0.5, 1.5, -2.5], [2.0, -1.0, 4.0]
_P = [0.5, 1.0, 4.0]
_M = [[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]]
_SQ = [[2.0, 1.0], [1.0, 3.0]]
_X = [[[1.0, -2.0, 3.0, 0.5], [2.0, 1.0, -1.0, 4.0]]]
_IMG = [[[[1.0, 2.0, -1.0], [0.0, 3.0, 1.5], [4.0, -2.0, 0.5]]]]
_KER = [[[[1.0, -1.0], [0.5, 2.0]]]]

TABLE = [
    # Elementwise
    _row("sub_scaled", "T.sub with alpha.", lambda T, a, b: T.sub(a, b, alpha=2), _A, _B),
    _row("add_scaled", "T.add with alpha.", lambda T, a, b: T.add(a, b, alpha=-0.5), _A, _B),
    _row("rsub", "rsub turns the sides.", lambda T, a, b: T.rsub(a, b), _A, _B),
    _row("reciprocal", "1 / a by name.", lambda T, a: a.reciprocal(), [0.5, -2.0, 0.0]),
    _row("rsqrt", "1 / sqrt(a).", lambda T, a: a.rsqrt(), [4.0, 0.25, 0.0]),
    _row("square", "square.", lambda T, a: a.square(), _A),
    _row("sin", "sin.", lambda T, a: a.sin(), [0.0, 1.5, -30.0]),
    _row("tan", "tan.", lambda T, a: a.tan(), [0.0, 1.0, -1.5]),
    _row("asin", "asin at its ends.", lambda T, a: a.asin(), [0.0, 0.5, 1.0]),
    _row("acos", "acos.", lambda T, a: a.acos(), [0.0, 0.5, -0.5]),
    _row("atan", "atan.", lambda T, a: a.atan(), [0.0, 1.0, -100.0]),
    _row(
        "atan2",
        "atan2 in all quarters.",
        lambda T, a, b: T.atan2(a, b),
        [1.0, 1.0, -1.0],
        [1.0, -1.0, -1.0],
    ),
    _row("sinh", "sinh.", lambda T, a: a.sinh(), _A),
    _row("cosh", "cosh.", lambda T, a: a.cosh(), _A),
    _row(
        "exp_large", "exp beyond what float32 holds.", lambda T, a: a.exp(), [88.0, 100.0, -200.0]
    ),
    _row("exp2", "2 to the power a.", lambda T, a: T.exp2(a), _A),
    _row("expm1", "exp(a) - 1 near zero.", lambda T, a: T.expm1(a), [1e-6, 0.0, 1.0]),
    _row("log1p", "log(1 + a) near zero and at -1.", lambda T, a: T.log1p(a), [1e-6, 0.0, -1.0]),
    _row("log2", "log to the base 2.", lambda T, a: a.log2(), [1.0, 8.0]),
    _row("log10", "log to the base 10.", lambda T, a: a.log10(), [1.0, 100.0]),
    _row("erf", "The error function.", lambda T, a: T.erf(a), [0.0, 1.0, -3.0]),
    _row("sqrt_zero", "sqrt at zero has an infinite gradient.", lambda T, a: a.sqrt(), [0.0, 4.0]),
    _row("sqrt_negative", "sqrt of a negative number is nan.", lambda T, a: a.sqrt(), [-1.0, 4.0]),
    _row("sigmoid_far", "sigmoid far out.", lambda T, a: a.sigmoid(), [-200.0, 0.0, 200.0]),
    _row("tanh_far", "tanh far out.", lambda T, a: a.tanh(), [-50.0, 0.0, 50.0]),
    _row("abs_nan", "abs of nan.", lambda T, a: a.abs(), [NAN, -1.0]),
    _row("neg_zero", "Negating zero.", lambda T, a: -a, [0.0, -0.0]),
    _row("sign", "sign has gradient zero.", lambda T, a: a.sign(), [-2.0, 0.0, 3.0]),
    _row("floor", "floor has gradient zero.", lambda T, a: a.floor(), [1.7, -1.7, 2.0]),
    _row("ceil", "ceil has gradient zero.", lambda T, a: a.ceil(), [1.2, -1.7, 2.0]),
    _row("trunc", "trunc has gradient zero.", lambda T, a: a.trunc(), [1.7, -1.7, 2.0]),
    _row("frac", "frac has gradient one.", lambda T, a: a.frac(), [1.75, -1.75, 2.0]),
    _row(
        "round_decimals", "round to decimals.", lambda T, a: T.round(a, decimals=1), [1.25, -1.77]
    ),
    _row(
        "remainder", "% has gradient one for the left side.", lambda T, a: a % 3, [7.5, -7.5, 3.0]
    ),
    _row(
        "remainder_tensors",
        "% of two tensors.",
        lambda T, a, b: T.remainder(a, b),
        [7.5, -7.5],
        [2.0, 2.0],
    ),
    _row(
        "fmod", "fmod keeps the sign of the left side.", lambda T, a: T.fmod(a, 3), [7.5, -7.5, 3.0]
    ),
    _row(
        "div_floor",
        "Division with rounding has no gradient.",
        lambda T, a, b: T.div(a, b, rounding_mode="floor") + a,
        _A,
        _B,
    ),
    _row("pow_one", "a ** 1.", lambda T, a: a**1, [-2.0, 0.0, 3.0]),
    _row("pow_half", "a ** 0.5 at zero and below.", lambda T, a: a**0.5, [4.0, 0.0, -1.0]),
    _row("pow_negative", "a ** -2 at zero.", lambda T, a: a**-2, [2.0, -1.0, 0.0]),
    _row("pow_fraction", "a ** 1.5 at zero.", lambda T, a: a**1.5, [4.0, 0.0]),
    _row(
        "pow_negative_base",
        "A negative base with tensor exponents.",
        lambda T, a, b: a**b,
        [-2.0, -2.0],
        [2.0, 3.0],
    ),
    _row("pow_scalar_exponent", "A scalar tensor as exponent.", lambda T, a, b: a**b, _P, 2.0),
    _row(
        "rpow_negative",
        "A negative number raised to a tensor.",
        lambda T, a: (-2.0) ** a,
        [2.0, 3.0],
    ),
    _row("rpow_one", "1 ** a.", lambda T, a: 1**a, [2.0, -3.0]),
    _row(
        "clamp_tensors",
        "clamp with tensors as bounds.",
        lambda T, a, b, c: T.clamp(a, b, c),
        [0.5, 5.0, -5.0],
        [0.0, 0.0, 0.0],
        [1.0, 1.0, 1.0],
    ),
    _row(
        "clamp_crossed",
        "Bounds that cross: the upper one wins.",
        lambda T, a: a.clamp(2, 1),
        [0.0, 1.5, 3.0],
    ),
    _row("clamp_nan", "nan stays nan.", lambda T, a: a.clamp(0, 1), [NAN, 0.5]),
    _row(
        "maximum_nan", "maximum with nan.", lambda T, a, b: T.maximum(a, b), [NAN, 1.0], [0.0, 2.0]
    ),
    _row(
        "maximum_broadcast",
        "maximum of row and column.",
        lambda T, a, b: T.maximum(a, b),
        [[1.0, 5.0]],
        [[3.0], [5.0]],
    ),
    _row("relu_zero", "relu at zero.", lambda T, a: T.relu(a), [0.0, 1e-30, -1e-30]),
    _row(
        "where_scalar_tensor",
        "where with a scalar branch.",
        lambda T, a, b: T.where(a > 0, a, b),
        _A,
        7.0,
    ),
    _row(
        "where_broadcast",
        "where stretches condition and branches.",
        lambda T, a, b: T.where(T.tensor([[True], [False]]), a, b),
        _A,
        [9.0],
    ),
    _row(
        "where_zero_times_inf",
        "An inf in the branch not taken gives nan through a product.",
        lambda T, a: T.where(a > 0, 1 / a, a * 0),
        [2.0, 0.0],
    ),
    _row(
        "masked_fill",
        "masked_fill cuts the masked places.",
        lambda T, a: a.masked_fill(a > 1, -1.0),
        _A,
    ),
    _row("lerp", "lerp between two tensors.", lambda T, a, b: T.lerp(a, b, 0.25), _A, _B),
    _row(
        "addcmul",
        "a + value * b * c.",
        lambda T, a, b, c: T.addcmul(a, b, c, value=0.5),
        _A,
        _B,
        _P,
    ),
    _row(
        "nan_to_num",
        "nan_to_num cuts what it replaces.",
        lambda T, a: T.nan_to_num(a, nan=5.0),
        [NAN, 1.0],
    ),
    _row("logaddexp", "logaddexp.", lambda T, a, b: T.logaddexp(a, b), [0.0, 100.0], [1.0, -100.0]),
    _row("hypot", "hypot.", lambda T, a, b: T.hypot(a, b), [3.0, 0.5], [4.0, -1.0]),
    # Reductions
    _row("sum_two_dims", "The sum over two dimensions.", lambda T, a: a.sum((0, 2)), _X),
    _row("sum_negative_dim", "The sum over the last dimension.", lambda T, a: a.sum(-1), _M),
    _row("mean_keepdim", "The mean over rows, kept.", lambda T, a: a.mean(0, keepdim=True), _M),
    _row("mean_two_dims", "The mean over two dimensions.", lambda T, a: a.mean((1, 2)), _X),
    _row("prod", "The product of everything.", lambda T, a: a.prod(), _A),
    _row("prod_one_zero", "A product with one zero.", lambda T, a: a.prod(), [2.0, 0.0, 3.0]),
    _row("prod_two_zeros", "A product with two zeros.", lambda T, a: a.prod(), [0.0, 0.0, 3.0]),
    _row(
        "prod_dim",
        "Products along a dimension, zeros among them.",
        lambda T, a: a.prod(1),
        [[1.0, 0.0, 3.0], [2.0, 2.0, 2.0]],
    ),
    _row("var", "The variance, unbiased.", lambda T, a: a.var(), _A),
    _row("var_biased", "The variance, divided by n.", lambda T, a: a.var(unbiased=False), _A),
    _row("var_dim", "Variances of columns.", lambda T, a: a.var(0), _M),
    _row("std", "The standard deviation.", lambda T, a: a.std(), _A),
    _row(
        "std_constant",
        "The standard deviation of equal numbers.",
        lambda T, a: a.std(),
        [2.0, 2.0, 2.0],
    ),
    _row("norm", "The length.", lambda T, a: a.norm(), [3.0, 4.0]),
    _row("norm_zero", "The length of zero has gradient zero.", lambda T, a: a.norm(), [0.0, 0.0]),
    _row("norm_one", "The sum of absolute values.", lambda T, a: a.norm(1), [3.0, 0.0, -4.0]),
    _row("norm_dim", "Lengths of rows.", lambda T, a: a.norm(dim=1), _M),
    _row("norm_inf", "The largest absolute value.", lambda T, a: a.norm(INF), [3.0, -4.0, 4.0]),
    _row(
        "max_all_ties", "All ties of max share evenly.", lambda T, a: a.max(), [2.0, 2.0, 2.0, 1.0]
    ),
    _row("max_nan", "max of nan is nan.", lambda T, a: a.max(), [1.0, NAN, 3.0]),
    _row("min_dim", "The smallest of each column.", lambda T, a: a.min(0)[0], _M),
    _row(
        "amax_ties",
        "amax shares a tie evenly, along a dimension too.",
        lambda T, a: a.amax(1),
        [[3.0, 3.0, 1.0], [0.0, 5.0, 2.0]],
    ),
    _row("amin", "amin over everything.", lambda T, a: a.amin(), _M),
    _row("median", "The lower median.", lambda T, a: a.median(), [3.0, 1.0, 4.0, 2.0]),
    _row("logsumexp", "logsumexp of large numbers.", lambda T, a: a.logsumexp(0), [1000.0, 1001.0]),
    _row(
        "logsumexp_rows",
        "logsumexp of rows, kept.",
        lambda T, a: T.logsumexp(a, 1, keepdim=True),
        _M,
    ),
    _row("cumsum", "Running sums.", lambda T, a: a.cumsum(0), _A),
    _row("cumsum_columns", "Running sums along rows.", lambda T, a: T.cumsum(a, dim=1), _M),
    _row("cumprod", "Running products.", lambda T, a: a.cumprod(0), _A),
    _row(
        "cumprod_zero", "Running products past a zero.", lambda T, a: a.cumprod(0), [2.0, 0.0, 3.0]
    ),
    _row("cummax", "Running maxima.", lambda T, a: T.cummax(a, 0)[0], [1.0, 3.0, 2.0, 5.0]),
    _row("diff", "Differences of neighbours.", lambda T, a: T.diff(a), [1.0, 4.0, 9.0]),
    _row("softmax_inf", "softmax with -inf.", lambda T, a: T.softmax(a, dim=0), [-INF, 0.0, 1.0]),
    _row("softmax_middle_dim", "softmax along the middle.", lambda T, a: T.softmax(a, dim=1), _X),
    _row("softmin", "softmin.", lambda T, a: T.nn.functional.softmin(a, dim=0), _A),
    _row(
        "log_softmax_last",
        "log_softmax along the last dimension.",
        lambda T, a: a.log_softmax(-1),
        _M,
    ),
    _row("normalize", "normalize.", lambda T, a: T.nn.functional.normalize(a, dim=1), _M),
    _row(
        "cosine_similarity",
        "cosine_similarity of rows.",
        lambda T, a, b: T.nn.functional.cosine_similarity(a, b, dim=1),
        _M,
        [[1.0, 1.0, 1.0], [2.0, 0.0, 1.0]],
    ),
    # Matrices
    _row("dot", "T.dot.", lambda T, a, b: T.dot(a, b), _A, _B),
    _row("mv", "T.mv.", lambda T, a, b: T.mv(a, b), _M, _A),
    _row("mm", "T.mm.", lambda T, a, b: T.mm(a, b), _SQ, [[1.0, 0.0], [2.0, -1.0]]),
    _row(
        "bmm",
        "T.bmm.",
        lambda T, a, b: T.bmm(a, b),
        [[[1.0, 2.0]], [[3.0, 4.0]]],
        [[[5.0], [6.0]], [[7.0], [8.0]]],
    ),
    _row("outer", "T.outer.", lambda T, a, b: T.outer(a, b), [1.0, 2.0], _A),
    _row("vector_matrix", "A vector times a matrix.", lambda T, a, b: a @ b, [1.0, -1.0], _M),
    _row(
        "vector_batch",
        "A vector times a batch.",
        lambda T, a, b: a @ b,
        [1.0, -1.0],
        [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]],
    ),
    _row(
        "batch_broadcast",
        "Batches of different depth.",
        lambda T, a, b: a @ b,
        [[[[1.0, 2.0]]], [[[3.0, 4.0]]]],
        [[[5.0], [6.0]], [[7.0], [8.0]]],
    ),
    _row(
        "addmm",
        "addmm with factors.",
        lambda T, a, b, c: T.addmm(a, b, c, beta=0.5, alpha=2),
        [1.0, 2.0],
        _SQ,
        _SQ,
    ),
    _row("einsum_trace", "einsum: a trace.", lambda T, a: T.einsum("ii->", a), _SQ),
    _row("einsum_diagonal", "einsum: a diagonal.", lambda T, a: T.einsum("ii->i", a), _SQ),
    _row(
        "einsum_batch",
        "einsum: a batch of products.",
        lambda T, a, b: T.einsum("bi,bj->bij", a, b),
        _M,
        _M,
    ),
    _row(
        "einsum_implicit",
        "einsum without an arrow.",
        lambda T, a, b: T.einsum("ij,jk", a, b),
        _M,
        [[1.0], [2.0], [3.0]],
    ),
    _row(
        "einsum_ellipsis",
        "einsum with an ellipsis.",
        lambda T, a, b: T.einsum("...i,i->...", a, b),
        _M,
        _A,
    ),
    _row(
        "einsum_sum_out",
        "einsum: letters left out are summed.",
        lambda T, a, b: T.einsum("ij,k->i", a, b),
        _M,
        [1.0, 2.0],
    ),
    _row("tril", "The lower triangle.", lambda T, a: T.tril(a), _SQ),
    _row("triu_above", "The triangle above the diagonal.", lambda T, a: a.triu(1), _M),
    _row("diag_of_vector", "A diagonal matrix from a vector.", lambda T, a: T.diag(a), [1.0, 2.0]),
    _row("diag_of_matrix", "The diagonal of a matrix.", lambda T, a: T.diag(a), _SQ),
    _row("trace", "The trace.", lambda T, a: T.trace(a), _SQ),
    _row(
        "tensordot",
        "tensordot over two dimensions.",
        lambda T, a, b: T.tensordot(a, b, dims=2),
        _M,
        _M,
    ),
    # Shapes
    _row(
        "cat_negative_dim",
        "cat along the last dimension.",
        lambda T, a, b: T.cat([a, b], dim=-1),
        _M,
        [[9.0], [8.0]],
    ),
    _row("cat_same", "A tensor joined with itself.", lambda T, a: T.cat([a, a, a]), [1.0, 2.0]),
    _row(
        "cat_with_constant",
        "Joined with a plain tensor.",
        lambda T, a: T.cat([a, T.zeros(2), a * 2]),
        [1.0, 2.0],
    ),
    _row(
        "stack_last",
        "stack along the last dimension.",
        lambda T, a, b: T.stack([a, b], dim=-1),
        _A,
        _B,
    ),
    _row("hstack", "hstack.", lambda T, a, b: T.hstack([a, b]), _A, _B),
    _row("vstack", "vstack.", lambda T, a, b: T.vstack([a, b]), _A, _B),
    _row("split_sizes", "One part of a split.", lambda T, a: T.split(a, [1, 2])[1], _A),
    _row("chunk", "One chunk.", lambda T, a: T.chunk(a, 2, dim=1)[0], _M),
    _row("repeat", "repeat adds its gradients up.", lambda T, a: a.repeat(2, 2), _M),
    _row(
        "repeat_interleave",
        "repeat_interleave adds them up as well.",
        lambda T, a: a.repeat_interleave(2),
        _A,
    ),
    _row("tile", "tile.", lambda T, a: T.tile(a, (2,)), _A),
    _row("flip", "flip.", lambda T, a: a.flip(0, 1), _M),
    _row("roll", "roll.", lambda T, a: T.roll(a, 1), _A),
    _row("roll_dim", "roll along a dimension.", lambda T, a: a.roll(-1, 1), _M),
    _row("movedim", "movedim.", lambda T, a: a.movedim(0, 2), _X),
    _row("unbind_middle", "One slice of unbind.", lambda T, a: a.unbind(1)[2], _M),
    _row(
        "squeeze_unsqueeze",
        "Out and in again.",
        lambda T, a: a.unsqueeze(0).squeeze().unsqueeze(-1),
        _A,
    ),
    _row("expand_new_dims", "expand with new dimensions.", lambda T, a: a.expand(2, 2, 3), _A),
    _row("broadcast_to", "broadcast_to.", lambda T, a: T.broadcast_to(a, (2, 3)), _A),
    _row("pad", "pad with zeros.", lambda T, a: T.nn.functional.pad(a, (1, 2)), _A),
    _row("unfold", "Windows that overlap.", lambda T, a: a.unfold(0, 2, 1), [1.0, 2.0, 3.0, 4.0]),
    _row(
        "meshgrid",
        "meshgrid.",
        lambda T, a, b: T.meshgrid(a, b, indexing="ij")[0] * T.meshgrid(a, b, indexing="ij")[1],
        [1.0, 2.0],
        _A,
    ),
    # Choosing
    _row(
        "gather_repeated",
        "gather with repeats adds up.",
        lambda T, a: a.gather(1, T.tensor([[0, 0], [2, 2]])),
        _M,
    ),
    _row(
        "index_select_repeated",
        "index_select with repeats.",
        lambda T, a: a.index_select(0, T.tensor([1, 1, 0])),
        _M,
    ),
    _row(
        "take_along",
        "take_along_dim after argsort.",
        lambda T, a: T.take_along_dim(a, a.argsort(1), 1),
        _M,
    ),
    _row("sort", "sort.", lambda T, a: a.sort()[0], [3.0, 1.0, 2.0]),
    _row(
        "sort_descending",
        "sort, largest first, down the columns.",
        lambda T, a: T.sort(a, dim=0, descending=True)[0],
        _M,
    ),
    _row(
        "sort_stable_ties",
        "Ties keep their order.",
        lambda T, a: T.sort(a, stable=True)[0],
        [2.0, 1.0, 2.0, 1.0],
    ),
    _row("topk", "The two largest of each row.", lambda T, a: a.topk(2, dim=1)[0], _M),
    _row("topk_smallest", "The smallest.", lambda T, a: a.topk(1, largest=False)[0], _M),
    _row("kthvalue", "The second smallest.", lambda T, a: a.kthvalue(2)[0], [3.0, 1.0, 2.0]),
    _row(
        "scatter_out_of_place",
        "scatter routes to both.",
        lambda T, a, b: a.scatter(0, T.tensor([2, 0]), b),
        _A,
        [7.0, 8.0],
    ),
    _row(
        "scatter_add_out_of_place",
        "scatter_add adds to both.",
        lambda T, a, b: a.scatter_add(0, T.tensor([2, 2]), b),
        _A,
        [7.0, 8.0],
    ),
    _row(
        "index_add_out_of_place",
        "index_add adds rows.",
        lambda T, a, b: a.index_add(0, T.tensor([0, 0]), b),
        _M,
        _M,
    ),
    _row(
        "index_put",
        "index_put with accumulation.",
        lambda T, a, b: a.index_put((T.tensor([0, 0]),), b, accumulate=True),
        _A,
        [7.0, 8.0],
    ),
    _row(
        "embedding",
        "Rows looked up, one twice.",
        lambda T, a: T.nn.functional.embedding(T.tensor([1, 0, 1]), a),
        _M,
    ),
    _row(
        "embedding_padding",
        "The padding row gets no gradient.",
        lambda T, a: T.nn.functional.embedding(T.tensor([1, 0, 1]), a, padding_idx=1),
        _M,
    ),
    # Activations and losses
    _row(
        "leaky_relu",
        "leaky_relu at zero.",
        lambda T, a: T.nn.functional.leaky_relu(a, 0.1),
        [-2.0, 0.0, 3.0],
    ),
    _row("elu", "elu.", lambda T, a: T.nn.functional.elu(a), [-2.0, 0.0, 3.0]),
    _row("selu", "selu.", lambda T, a: T.nn.functional.selu(a), [-2.0, 0.0, 3.0]),
    _row("gelu", "gelu.", lambda T, a: T.nn.functional.gelu(a), [-2.0, 0.0, 3.0]),
    _row(
        "gelu_tanh",
        "gelu by tanh.",
        lambda T, a: T.nn.functional.gelu(a, approximate="tanh"),
        [-2.0, 0.0, 3.0],
    ),
    _row("silu", "silu.", lambda T, a: T.nn.functional.silu(a), [-2.0, 0.0, 3.0]),
    _row("mish", "mish.", lambda T, a: T.nn.functional.mish(a), [-2.0, 0.0, 3.0]),
    _row(
        "softplus",
        "softplus, beyond its threshold too.",
        lambda T, a: T.nn.functional.softplus(a),
        [-30.0, 0.0, 30.0],
    ),
    _row(
        "logsigmoid",
        "logsigmoid far out.",
        lambda T, a: T.nn.functional.logsigmoid(a),
        [-100.0, 0.0, 100.0],
    ),
    _row(
        "hardtanh",
        "hardtanh at its bounds.",
        lambda T, a: T.nn.functional.hardtanh(a),
        [-1.0, 0.0, 1.0, 2.0],
    ),
    _row("relu6", "relu6.", lambda T, a: T.nn.functional.relu6(a), [-1.0, 3.0, 6.0, 7.0]),
    _row(
        "mse_none",
        "mse_loss, one by one.",
        lambda T, a, b: T.nn.functional.mse_loss(a, b, reduction="none"),
        _A,
        _B,
    ),
    _row(
        "mse_sum",
        "mse_loss, summed.",
        lambda T, a, b: T.nn.functional.mse_loss(a, b, reduction="sum"),
        _A,
        _B,
    ),
    _row(
        "l1",
        "l1_loss where both agree.",
        lambda T, a, b: T.nn.functional.l1_loss(a, b),
        [1.0, 2.0],
        [1.0, 5.0],
    ),
    _row(
        "smooth_l1",
        "smooth_l1_loss at its bend.",
        lambda T, a, b: T.nn.functional.smooth_l1_loss(a, b, reduction="none"),
        [0.0, 0.5, 1.0, 3.0],
        [0.0, 0.0, 0.0, 0.0],
    ),
    _row(
        "huber",
        "huber_loss.",
        lambda T, a, b: T.nn.functional.huber_loss(a, b, reduction="none", delta=2.0),
        [0.5, 2.0, 5.0],
        [0.0, 0.0, 0.0],
    ),
    _row(
        "bce",
        "binary_cross_entropy near the ends.",
        lambda T, a: T.nn.functional.binary_cross_entropy(a, T.tensor([1.0, 0.0, 0.5])),
        [0.25, 0.5, 0.75],
    ),
    _row(
        "bce_ends",
        "binary_cross_entropy at 0 and 1 is cut off at 100.",
        lambda T, a: T.nn.functional.binary_cross_entropy(
            a, T.tensor([1.0, 0.0]), reduction="none"
        ),
        [0.0, 1.0],
    ),
    _row(
        "bce_logits",
        "binary_cross_entropy_with_logits far out.",
        lambda T, a: T.nn.functional.binary_cross_entropy_with_logits(a, T.tensor([1.0, 0.0, 1.0])),
        [-100.0, 100.0, 0.0],
    ),
    _row(
        "cross_entropy_none",
        "cross_entropy, one by one.",
        lambda T, a: T.nn.functional.cross_entropy(a, T.tensor([0, 2]), reduction="none"),
        _M,
    ),
    _row(
        "cross_entropy_weight",
        "cross_entropy with class weights.",
        lambda T, a: T.nn.functional.cross_entropy(
            a, T.tensor([0, 2]), weight=T.tensor([1.0, 2.0, 3.0])
        ),
        _M,
    ),
    _row(
        "cross_entropy_ignore",
        "cross_entropy that passes over a class.",
        lambda T, a: T.nn.functional.cross_entropy(a, T.tensor([0, -100])),
        _M,
    ),
    _row(
        "cross_entropy_smoothing",
        "cross_entropy with smoothed labels.",
        lambda T, a: T.nn.functional.cross_entropy(a, T.tensor([0, 2]), label_smoothing=0.1),
        _M,
    ),
    _row(
        "cross_entropy_probabilities",
        "cross_entropy against probabilities.",
        lambda T, a, b: T.nn.functional.cross_entropy(a, b),
        _M,
        [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]],
    ),
    _row(
        "cross_entropy_one",
        "cross_entropy without a batch.",
        lambda T, a: T.nn.functional.cross_entropy(a, T.tensor(1)),
        _A,
    ),
    _row(
        "nll",
        "nll_loss of log-probabilities.",
        lambda T, a: T.nn.functional.nll_loss(a.log_softmax(1), T.tensor([2, 0])),
        _M,
    ),
    _row(
        "kl_div",
        "kl_div against probabilities.",
        lambda T, a: T.nn.functional.kl_div(
            a.log_softmax(0), T.tensor([0.2, 0.3, 0.5]), reduction="sum"
        ),
        _A,
    ),
    _row(
        "layer_norm",
        "layer_norm with weight and bias.",
        lambda T, a, b, c: T.nn.functional.layer_norm(a, (3,), b, c),
        _M,
        _A,
        _B,
    ),
    _row(
        "layer_norm_constant",
        "layer_norm of equal numbers.",
        lambda T, a: T.nn.functional.layer_norm(a, (3,)),
        [[2.0, 2.0, 2.0]],
    ),
    _row(
        "linear",
        "linear with bias.",
        lambda T, a, b, c: T.nn.functional.linear(a, b, c),
        _M,
        [[1.0, 0.0, -1.0]],
        [0.5],
    ),
    _row(
        "linear_vector",
        "linear of a single vector.",
        lambda T, a, b: T.nn.functional.linear(a, b),
        _A,
        [[1.0, 0.0, -1.0], [2.0, 1.0, 0.5]],
    ),
    # Convolution and pooling
    _row(
        "conv1d",
        "conv1d with two channels and bias.",
        lambda T, a, b, c: T.nn.functional.conv1d(a, b, c),
        _X,
        [[[1.0, -1.0], [0.5, 2.0]]],
        [0.25],
    ),
    _row(
        "conv1d_stride_pad",
        "conv1d with stride and padding.",
        lambda T, a, b: T.nn.functional.conv1d(a, b, stride=2, padding=1),
        _X,
        [[[1.0, -1.0, 0.5], [0.5, 2.0, -1.0]]],
    ),
    _row(
        "conv1d_dilation",
        "conv1d with dilation.",
        lambda T, a, b: T.nn.functional.conv1d(a, b, dilation=2),
        _X,
        [[[1.0, -1.0], [0.5, 2.0]]],
    ),
    _row(
        "conv1d_groups",
        "conv1d by groups.",
        lambda T, a, b: T.nn.functional.conv1d(a, b, groups=2),
        _X,
        [[[1.0, -1.0]], [[0.5, 2.0]]],
    ),
    _row("conv2d", "conv2d.", lambda T, a, b: T.nn.functional.conv2d(a, b), _IMG, _KER),
    _row(
        "conv2d_padding",
        "conv2d with padding and bias.",
        lambda T, a, b, c: T.nn.functional.conv2d(a, b, c, padding=1),
        _IMG,
        _KER,
        [0.5],
    ),
    _row(
        "conv2d_stride",
        "conv2d with a stride that leaves a rest.",
        lambda T, a, b: T.nn.functional.conv2d(a, b, stride=2),
        _IMG,
        _KER,
    ),
    _row(
        "conv2d_same",
        "conv2d that keeps the size.",
        lambda T, a, b: T.nn.functional.conv2d(a, b, padding="same"),
        _IMG,
        [[[[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]]]],
    ),
    _row(
        "max_pool2d", "max_pool2d.", lambda T, a: T.nn.functional.max_pool2d(a, 2, stride=1), _IMG
    ),
    _row("max_pool1d", "max_pool1d.", lambda T, a: T.nn.functional.max_pool1d(a, 2), _X),
    _row(
        "max_pool_padding",
        "max_pool2d with padding.",
        lambda T, a: T.nn.functional.max_pool2d(a, 2, padding=1),
        _IMG,
    ),
    _row(
        "avg_pool2d", "avg_pool2d.", lambda T, a: T.nn.functional.avg_pool2d(a, 2, stride=1), _IMG
    ),
    _row("avg_pool1d", "avg_pool1d.", lambda T, a: T.nn.functional.avg_pool1d(a, 2), _X),
    _row(
        "adaptive_avg_pool2d",
        "The mean of a whole picture.",
        lambda T, a: T.nn.functional.adaptive_avg_pool2d(a, 1),
        _IMG,
    ),
]
