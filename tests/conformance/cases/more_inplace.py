"""More about in-place writes: what is refused, what is counted, and which values an operation keeps."""

from .observe import (
    attempt,
    flags,
    grad_fn_of,
    grads,
    info,
    parents_of,
    same_memory,
    shape,
    spoils,
    values,
)


def _saves(name, sees, compute, *inputs):
    """One program: which of the operands, and is the result, kept by the operation for backward?"""

    def case(T):
        def run():
            leaves = [T.tensor(data, requires_grad=True) for data in inputs]
            operands = [leaf * 1 for leaf in leaves]
            out = compute(T, *operands)
            if isinstance(out, tuple):
                out = out[0]
            return operands, out

        found = []
        for place in range(len(inputs)):
            operands, out = run()
            found.append(spoils(out, operands[place]))
        operands, out = run()
        return {"operands": found, "result": spoils(out, out)}

    case.__name__ = f"case_saved_by_{name}"
    case.__doc__ = sees
    return case


_A, _B = [0.5, 1.5, 2.5], [1.0, 2.0, 4.0]
_M, _N = [[1.0, 2.0], [3.0, 4.0]], [[0.5, 1.0], [1.5, 2.0]]

TABLE = [
    _saves("add", "A sum keeps nothing.", lambda T, a, b: a + b, _A, _B),
    _saves("add_same", "a + a keeps nothing.", lambda T, a: a + a, _A),
    _saves("sub", "A difference keeps nothing.", lambda T, a, b: a - b, _A, _B),
    _saves("mul", "A product keeps both factors.", lambda T, a, b: a * b, _A, _B),
    _saves(
        "mul_detached",
        "The factor of a constant is not kept.",
        lambda T, a, b: a * b.detach(),
        _A,
        _B,
    ),
    _saves("mul_number", "A product with a number keeps no tensor.", lambda T, a: a * 3, _A),
    _saves("div", "A quotient keeps both sides.", lambda T, a, b: a / b, _A, _B),
    _saves(
        "div_detached",
        "Divided by a constant: only the divisor.",
        lambda T, a, b: a / b.detach(),
        _A,
        _B,
    ),
    _saves("div_of_constant", "A constant divided: both.", lambda T, a, b: a.detach() / b, _A, _B),
    _saves("div_number", "Divided by a number: nothing.", lambda T, a: a / 3, _A),
    _saves(
        "rdiv_number",
        "A number divided by a tensor is reciprocal times number: what it keeps is hidden.",
        lambda T, a: 3 / a,
        _A,
    ),
    _saves("neg", "Negation keeps nothing.", lambda T, a: -a, _A),
    _saves("pow_number", "a ** 3 keeps its base.", lambda T, a: a**3, _A),
    _saves("pow_zero", "a ** 0 keeps its base all the same.", lambda T, a: a**0, _A),
    _saves("pow_tensor", "a ** b keeps base, exponent and result.", lambda T, a, b: a**b, _A, _B),
    _saves(
        "pow_detached",
        "a ** constant keeps all three as well.",
        lambda T, a, b: a ** b.detach(),
        _A,
        _B,
    ),
    _saves(
        "pow_of_constant",
        "constant ** b keeps all three as well.",
        lambda T, a, b: a.detach() ** b,
        _A,
        _B,
    ),
    _saves("rpow_number", "2 ** a keeps its exponent and result.", lambda T, a: 2**a, _A),
    _saves("exp", "exp keeps its result.", lambda T, a: a.exp(), _A),
    _saves("log", "log keeps its input.", lambda T, a: a.log(), _A),
    _saves("sqrt", "sqrt keeps its result.", lambda T, a: a.sqrt(), _A),
    _saves("sin", "sin keeps its input.", lambda T, a: a.sin(), _A),
    _saves("cos", "cos keeps its input.", lambda T, a: a.cos(), _A),
    _saves("tanh", "tanh keeps its result.", lambda T, a: a.tanh(), _A),
    _saves("sigmoid", "sigmoid keeps its result.", lambda T, a: a.sigmoid(), _A),
    _saves("relu", "relu keeps its result.", lambda T, a: a.relu(), _A),
    _saves("abs", "abs keeps its input.", lambda T, a: a.abs(), _A),
    _saves("round", "round keeps nothing.", lambda T, a: a.round(), _A),
    _saves("floor", "floor keeps nothing.", lambda T, a: a.floor(), _A),
    _saves("clamp", "clamp with numbers keeps its input.", lambda T, a: a.clamp(1, 2), _A),
    _saves("clamp_min", "clamp with one bound.", lambda T, a: a.clamp(min=1), _A),
    _saves("maximum", "maximum keeps both.", lambda T, a, b: T.maximum(a, b), _A, _B),
    _saves(
        "where",
        "where keeps only the condition.",
        lambda T, a, b: T.where(a.detach() > 1, a, b),
        _A,
        _B,
    ),
    _saves("sum", "sum keeps nothing.", lambda T, a: a.sum(), _A),
    _saves("sum_dim", "sum along a dimension keeps nothing.", lambda T, a: a.sum(dim=0), _M),
    _saves("mean", "mean keeps nothing.", lambda T, a: a.mean(), _A),
    _saves("max", "max of everything keeps input and result.", lambda T, a: a.max(), _A),
    _saves(
        "max_dim", "max along a dimension keeps the positions only.", lambda T, a: a.max(dim=0), _M
    ),
    _saves("softmax", "softmax keeps its result.", lambda T, a: T.softmax(a, dim=0), _A),
    _saves(
        "log_softmax", "log_softmax keeps its result.", lambda T, a: T.log_softmax(a, dim=0), _A
    ),
    _saves("matmul", "A matrix product keeps both sides.", lambda T, a, b: a @ b, _M, _N),
    _saves(
        "matmul_detached", "Only the constant side is kept.", lambda T, a, b: a @ b.detach(), _M, _N
    ),
    _saves(
        "matmul_vector",
        "A matrix times a vector keeps both.",
        lambda T, a, b: a @ b,
        _M,
        [1.0, 2.0],
    ),
    _saves("dot", "A dot product keeps both.", lambda T, a, b: a @ b, _A, _B),
    _saves("clone", "clone keeps nothing.", lambda T, a: a.clone(), _A),
    _saves("double", "A conversion keeps nothing.", lambda T, a: a.double(), _A),
    _saves("index_list", "Picking by list keeps the list only.", lambda T, a: a[[0, 2]], _A),
    _saves("mask", "Picking by mask keeps the mask only.", lambda T, a: a[a.detach() > 1], _A),
    _saves("cat", "cat keeps nothing.", lambda T, a, b: T.cat([a, b]), _A, _B),
    _saves("stack", "stack keeps nothing.", lambda T, a, b: T.stack([a, b]), _A, _B),
    _saves("mse", "mse_loss keeps both.", lambda T, a, b: T.nn.functional.mse_loss(a, b), _A, _B),
    _saves("norm", "norm keeps input and result.", lambda T, a: a.norm(), _A),
    _saves("var", "var keeps its input.", lambda T, a: a.var(), _A),
    _saves("prod", "prod keeps input and result.", lambda T, a: a.prod(), _A),
    _saves("cumsum", "cumsum keeps nothing.", lambda T, a: a.cumsum(0), _A),
    _saves("logsumexp", "logsumexp keeps input and result.", lambda T, a: a.logsumexp(0), _A),
    _saves("reciprocal", "reciprocal keeps its result.", lambda T, a: a.reciprocal(), _A),
    _saves("rsqrt", "rsqrt keeps its result.", lambda T, a: a.rsqrt(), _A),
    _saves("square", "square keeps its input.", lambda T, a: a.square(), _A),
    _saves("log1p", "log1p keeps its input.", lambda T, a: T.log1p(a), _A),
    _saves("expm1", "expm1 keeps its result.", lambda T, a: T.expm1(a), _A),
    _saves(
        "leaky_relu", "leaky_relu keeps its input.", lambda T, a: T.nn.functional.leaky_relu(a), _A
    ),
    _saves("gelu", "gelu keeps its input.", lambda T, a: T.nn.functional.gelu(a), _A),
    _saves("softplus", "softplus keeps its input.", lambda T, a: T.nn.functional.softplus(a), _A),
    _saves("elu", "elu keeps its input.", lambda T, a: T.nn.functional.elu(a), _A),
    _saves("silu", "silu keeps its input.", lambda T, a: T.nn.functional.silu(a), _A),
    _saves("flip", "flip keeps nothing.", lambda T, a: a.flip(0), _A),
    _saves(
        "gather",
        "gather keeps its input along with the positions.",
        lambda T, a: a.gather(0, T.tensor([0, 2])),
        _A,
    ),
    _saves("sort", "sort keeps the positions.", lambda T, a: a.sort(), _A),
    _saves("topk", "topk keeps the positions.", lambda T, a: a.topk(2), _A),
    _saves(
        "masked_fill",
        "masked_fill keeps the mask.",
        lambda T, a: a.masked_fill(a.detach() > 1, 0),
        _A,
    ),
    _saves(
        "linear",
        "linear keeps input and weight, not the bias.",
        lambda T, a, b, c: T.nn.functional.linear(a, b, c),
        _M,
        _N,
        [1.0, 2.0],
    ),
    _saves(
        "layer_norm",
        "layer_norm keeps its input.",
        lambda T, a: T.nn.functional.layer_norm(a, (3,)),
        _A,
    ),
    _saves(
        "cross_entropy",
        "cross_entropy keeps what log_softmax made.",
        lambda T, a: T.nn.functional.cross_entropy(a, T.tensor([0, 1])),
        _M,
    ),
    _saves(
        "bce_with_logits",
        "binary_cross_entropy_with_logits keeps both sides.",
        lambda T, a: T.nn.functional.binary_cross_entropy_with_logits(a, T.ones(3)),
        _A,
    ),
    _saves(
        "smooth_l1",
        "smooth_l1_loss keeps both.",
        lambda T, a, b: T.nn.functional.smooth_l1_loss(a, b),
        _A,
        _B,
    ),
    _saves(
        "einsum",
        "einsum keeps what its product keeps.",
        lambda T, a, b: T.einsum("ij,jk->ik", a, b),
        _M,
        _N,
    ),
    _saves("bmm", "A batch product keeps both.", lambda T, a, b: a[None] @ b[None], _M, _N),
    _saves("outer", "outer keeps both.", lambda T, a, b: T.outer(a, b), _A, _B),
]


def case_rounding_functions_in_place(T):
    """The in-place form of every elementwise function keeps the object and counts one."""
    found = {}
    for name in (
        "neg_",
        "abs_",
        "exp_",
        "sqrt_",
        "tanh_",
        "sigmoid_",
        "relu_",
        "round_",
        "floor_",
        "log_",
    ):
        x = T.tensor([0.5, 1.75])
        returned = getattr(x, name)()
        found[name] = {"same": returned is x, "version": x._version, "values": values(x)}
    return found


def case_arithmetic_in_place_with_a_gradient(T):
    """Each arithmetic in-place form differentiates like its ordinary form."""
    found = {}
    for name in ("add_", "sub_", "mul_", "div_"):
        x = T.tensor([1.0, 2.0], requires_grad=True)
        z = T.tensor([4.0, 5.0], requires_grad=True)
        y = x * 3
        getattr(y, name)(z)
        found[name] = [grad_fn_of(y), values(y), grads(y * T.tensor([1.0, 10.0]), x, z)]
    return found


def case_function_in_place_with_a_gradient(T):
    """exp_, tanh_, sigmoid_ and sqrt_ keep their new value for backward."""
    found = {}
    for name in ("exp_", "tanh_", "sigmoid_", "sqrt_", "neg_", "abs_", "relu_"):
        x = T.tensor([0.5, 2.0], requires_grad=True)
        y = x * 2
        getattr(y, name)()
        found[name] = [grad_fn_of(y), grads(y, x)]
    return found


def case_pow_in_place(T):
    """pow_ and **= keep the base as it was."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    y.pow_(2)
    z = x * 1
    z **= 3
    return {"y": values(y), "z": values(z), "grads": grads(y + z, x)}


def case_add_with_alpha(T):
    """add_ and sub_ scale their argument by alpha."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.zeros(2).add_(x, alpha=3)
    z = T.ones(2).sub_(x, alpha=0.5)
    return {"y": values(y), "z": values(z), "grads": grads(y * z, x)}


def case_addcmul_and_addcdiv(T):
    """The two fused forms that optimizers use."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    a = T.zeros(2).addcmul_(x, x, value=2)
    b = T.zeros(2).addcdiv_(T.ones(2), x, value=3)
    return {"a": values(a), "b": values(b), "grads": grads(a + b, x)}


def case_lerp(T):
    """lerp_ moves part of the way."""
    x = T.tensor([1.0, 2.0])
    x.lerp_(T.tensor([3.0, 4.0]), 0.25)
    return {"x": values(x), "version": x._version}


def case_write_of_a_result_into_its_own_operand(T):
    """y.mul_(y) squares; the factor it kept is its own old value, so backward refuses."""
    x = T.tensor([2.0, 3.0], requires_grad=True)
    y = x * 1
    y.mul_(y)
    return {
        "y": values(y),
        "backward": attempt(y.sum().backward, "modified by an inplace operation"),
    }


def case_add_itself_in_place(T):
    """y.add_(y) doubles; nothing is kept, so its gradient is right."""
    x = T.tensor([2.0, 3.0], requires_grad=True)
    y = x * 1
    y.add_(y)
    return {"y": values(y), "grads": grads(y, x)}


def case_plain_target_gets_a_history(T):
    """A plain leaf that takes in a tensor of the graph becomes a result."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.zeros(2)
    before = flags(y)
    y.add_(x)
    return {"before": before, "after": flags(y), "parents": parents_of(y), "grads": grads(y * 2, x)}


def case_plain_target_under_no_grad(T):
    """Under no_grad the same write leaves it a plain leaf."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.zeros(2)
    with T.no_grad():
        y.add_(x)
    return {"flags": flags(y), "values": values(y)}


def case_write_of_a_detached_value(T):
    """Writing a detached value leaves a plain target plain."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.zeros(2)
    y.add_(x.detach())
    y.copy_(x.detach() * 2)
    return {"flags": flags(y), "values": values(y), "version": y._version}


def case_refused_writes_to_a_leaf(T):
    """Every way of writing to a leaf that requires a gradient is refused, and changes nothing."""
    x = T.tensor([1.0, 2.0], requires_grad=True)

    def plus_equals():
        y = x
        y += 1

    def index():
        x[0] = 5.0

    def mask():
        x[x > 0] = 5.0

    phrase = "leaf Variable that requires grad"
    found = {
        "add_": attempt(lambda: x.add_(1), phrase, "is being used in an in-place operation"),
        "zero_": attempt(x.zero_, phrase),
        "copy_": attempt(lambda: x.copy_(T.zeros(2)), phrase),
        "fill_": attempt(lambda: x.fill_(0), phrase),
        "relu_": attempt(x.relu_, phrase),
        "+=": attempt(plus_equals, phrase),
        "index": attempt(index, "a view of a leaf Variable"),
        "mask": attempt(mask, phrase),
    }
    return {**found, "values": values(x), "version": x._version, "flags": flags(x)}


def case_failed_write_changes_nothing(T):
    """A write that cannot be done leaves value, version and history alone."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    n = T.tensor([1, 2])
    found = {
        "shape": attempt(lambda: y.add_(T.ones(3)), "must match"),
        "larger": attempt(lambda: y.add_(T.ones(2, 2)), "doesn't match the broadcast shape"),
        "kind": attempt(lambda: n.mul_(0.5), "can't be cast"),
        "copy": attempt(lambda: y.copy_(T.ones(3)))["raised"],
        "number": attempt(lambda: y.add_("a"))["raised"],
    }
    return {**found, "y": values(y), "versions": [y._version, n._version], "name": grad_fn_of(y)}


def case_write_of_a_wider_dtype(T):
    """A float64 operand is cast to the float32 target, its gradient cast back."""
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = T.zeros(2)
    y.add_(x)
    y.sum().backward()
    return {"y": info(y), "grad": info(x.grad)}


def case_overlapping_operand_is_refused(T):
    """A write that reads a shifted part of its own memory is refused."""
    x = T.arange(4.0)
    return {
        "shifted": attempt(lambda: x[1:].add_(x[:-1]), "refer to a single memory location"),
        "itself": attempt(lambda: x.add_(x)),
        "values": values(x),
    }


def case_copy_between_overlapping_parts(T):
    """Swapping halves through copies of the halves."""
    x = T.arange(4.0)
    a, b = x[:2].clone(), x[2:].clone()
    x[:2] = b
    x[2:] = a
    return {"x": values(x), "version": x._version}


def case_copy_from_another_dtype_and_shape(T):
    """copy_ casts and stretches; the gradient is cast back and summed."""
    x = T.tensor([2.0], dtype=T.float64, requires_grad=True)
    y = T.zeros(2, 3)
    y.copy_(x)
    return {"y": info(y), "grads": grads(y, x)}


def case_fill_with_a_tensor(T):
    """fill_ takes a scalar tensor; its gradient is the sum."""
    v = T.tensor(2.0, requires_grad=True)
    y = T.zeros(3)
    y.fill_(v)
    return {
        "y": values(y),
        "grads": grads(y * T.arange(3.0), v),
        "vector": attempt(lambda: T.zeros(3).fill_(T.ones(2)), "0-dimension"),
    }


def case_zero_then_accumulate(T):
    """zero_ and add_ by turns, as a buffer does."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 5
    y.zero_()
    y.add_(x, alpha=2)
    return {"grads": grads(y, x), "parents": parents_of(y)}


def case_clamp_in_place_with_a_gradient(T):
    """clamp_ keeps the old values to tell who was clamped."""
    x = T.tensor([-2.0, 0.5, 3.0], requires_grad=True)
    y = x * 1
    y.clamp_(-1, 1)
    return {"y": values(y), "grads": grads(y, x)}


def case_clamp_in_place_with_tensors(T):
    """clamp_ with tensor bounds."""
    x = T.tensor([-2.0, 0.5, 3.0])
    x.clamp_(min=T.tensor([0.0, 0.0, 0.0]), max=T.tensor([1.0, 1.0, 1.0]))
    return {"x": values(x)}


def case_masked_fill_in_place(T):
    """masked_fill_ writes under a mask and cuts the gradient there."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    y.masked_fill_(T.tensor([True, False, False]), -1.0)
    return {"y": values(y), "grads": grads(y, x)}


def case_scatter_and_index_add(T):
    """Writes at positions given by a tensor."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.zeros(4).scatter_(0, T.tensor([3, 1]), x)
    z = T.zeros(3).index_add_(0, T.tensor([2, 2]), x)
    return {
        "y": values(y),
        "z": values(z),
        "grads": grads((y * T.arange(4.0)).sum() + (z * 10).sum(), x),
    }


def case_version_of_views_and_aliases(T):
    """One counter for a base, its views, its detached aliases, and their views."""
    x = T.zeros(4)
    v, d = x[:2], x.detach()
    vd = d.view(2, 2)
    for tensor in (x, v, d, vd):
        tensor.add_(1)
    return {"versions": [t._version for t in (x, v, d, vd)], "x": values(x)}


def case_version_is_not_raised_by_reading(T):
    """Computing, reading, backward and switching flags leave the version alone."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.sum().backward()
    y.tolist()
    x.requires_grad_(False)
    x.detach_()
    return {"x": x._version, "y": y._version}


def case_version_of_the_gradient(T):
    """Accumulating into .grad is an in-place write to it."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    g = x.grad
    first = g._version
    (x * 2).sum().backward()
    return {"first": first, "second": g._version, "same": g is x.grad, "g": values(g)}


def case_version_after_unsqueeze(T):
    """A change of shape in place counts too."""
    x = T.zeros(2)
    x.unsqueeze_(0)
    x.squeeze_(0)
    return {"version": x._version, "shape": shape(x)}


def case_transpose_in_place(T):
    """t_ and transpose_ turn the tensor itself."""
    x = T.arange(6.0).view(2, 3).clone()
    before = x.data_ptr()
    x.t_()
    return {"shape": shape(x), "values": values(x), "same_memory": before == x.data_ptr()}


def case_each_augmented_assignment(T):
    """//= and %= write in place; so do the bit forms on bools."""
    n = T.tensor([7, -7])
    first = n
    n //= 2
    m = T.tensor([7, -7])
    m %= 3
    b = T.tensor([True, False])
    b &= T.tensor([True, True])
    b |= T.tensor([False, True])
    return {
        "floor": values(n),
        "same": n is first,
        "remainder": values(m),
        "bits": values(b),
        "versions": [n._version, m._version, b._version],
    }


def case_spoiled_twice_names_the_versions(T):
    """The message counts all writes since the saving."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.add_(1)
    loss = (y * y).sum()
    y.add_(1)
    y.add_(1)
    return attempt(loss.backward, "is at version 3; expected version 1 instead", "FloatTensor [2]")


def case_message_names_the_output(T):
    """The message tells which node made the spoiled tensor."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    loss = (y * y).sum()
    y.add_(1)
    z = x.exp()
    other = z.sum()
    z.mul_(2)
    return {
        "operand": attempt(loss.backward, "which is output 0 of Add"),
        "result": attempt(other.backward, "which is output 0 of Exp"),
    }


def case_spoiled_leaf_names_no_node(T):
    """A spoiled leaf is named by kind and shape only."""
    x = T.ones(2, 3, requires_grad=True)
    loss = (x * x).sum()
    with T.no_grad():
        x.mul_(2)
    return attempt(loss.backward, "FloatTensor [2, 3]] is at version 1; expected version 0")


def case_spoiled_graph_leaves_gradients_alone(T):
    """A backward that is refused at once adds nothing to the leaf behind."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.zero_()
    attempt(loss.backward)
    return {"grad": values(x.grad)}


def case_retained_graph_spoiled_between_passes(T):
    """With a kept graph, a write between two passes spoils the second."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    loss = (y * y).sum()
    loss.backward(retain_graph=True)
    first = values(x.grad)
    y.detach().add_(1)
    return {"first": first, "second": attempt(loss.backward, "modified by an inplace operation")}


def case_optimizer_style_update_between_two_losses(T):
    """A weight written between forward and backward spoils what kept it; a sum does not mind."""
    w = T.tensor([2.0], requires_grad=True)
    product, total = w * w, w + 1
    with T.no_grad():
        w -= 0.1
    return {
        "product": attempt(product.sum().backward, "modified by an inplace operation"),
        "total": attempt(total.sum().backward),
        "grad": values(w.grad),
    }


def case_relu_in_place_on_a_saved_input(T):
    """An in-place activation after a layer that keeps its output is refused."""
    x = T.tensor([1.0, -2.0], requires_grad=True)
    h = x.tanh()
    out = h.relu_()
    return attempt(out.sum().backward, "modified by an inplace operation")


def case_relu_in_place_after_a_linear_layer(T):
    """After a sum or a matrix product it is allowed: those keep their inputs only."""
    w = T.tensor([[1.0, -1.0]], requires_grad=True)
    x = T.tensor([[2.0]])
    h = (x @ w) + 0.5
    h.relu_()
    return {"h": values(h), "grads": grads(h, w)}


def case_inplace_inside_a_loop_over_time(T):
    """A state updated in place through time: mul_ keeps a copy of the state it overwrites."""
    w = T.tensor([0.5], requires_grad=True)
    state = T.zeros(1)
    for _ in range(3):
        state.add_(w)
    fine = grads(state, w)
    state = T.ones(1)
    for _ in range(3):
        state.mul_(w)
    return {"add": fine, "mul": attempt(state.sum().backward)["raised"]}


def case_inplace_result_saved_later_is_right(T):
    """A value saved after the last write is the written value."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.add_(10)
    return {"grads": grads(y * y, x)}


def case_old_reference_sees_the_new_history(T):
    """A second name for the tensor sees its new node."""
    x = T.tensor([1.0], requires_grad=True)
    y = x * 2
    other = y
    y += 1
    return {"same": other is y, "name": grad_fn_of(other)}


def case_rebinding_keeps_the_old_tensor(T):
    """y = y + 1 makes a new tensor; the old one keeps its node."""
    x = T.tensor([1.0], requires_grad=True)
    y = x * 2
    other = y
    y = y + 1
    return {"other": grad_fn_of(other), "y": grad_fn_of(y), "shares": same_memory(other, y)}


def case_write_to_a_saved_index(T):
    """The positions that an index kept are protected as well."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    where = T.tensor([0, 2])
    out = x[where]
    where.add_(-1)
    return attempt(out.sum().backward, "modified by an inplace operation")


def case_write_to_a_saved_mask(T):
    """The condition of where is protected."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    mask = T.tensor([True, False])
    out = T.where(mask, x, -x)
    mask.logical_not_()
    return attempt(out.sum().backward, "modified by an inplace operation")


def case_dropped_data_write_after_saving(T):
    """Assigning .data to a saved leaf is not counted either."""
    w = T.tensor([2.0], requires_grad=True)
    loss = (w * w).sum()
    w.data = T.tensor([100.0])
    loss.backward()
    return {"grad": values(w.grad), "version": w._version}
