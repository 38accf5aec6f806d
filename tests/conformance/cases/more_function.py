"""More about autograd.Function: what ctx holds, what apply makes of the outputs, what is refused."""

from .observe import (
    attempt,
    dtype_of,
    flags,
    grad_fn_of,
    grads,
    info,
    parents_of,
    same_memory,
    values,
)


def _double(T, forward=None, backward=None):
    """A Function that doubles, with another forward or backward where given."""

    class Double(T.autograd.Function):
        pass

    Double.forward = staticmethod(forward or (lambda ctx, x: x * 2))
    Double.backward = staticmethod(backward or (lambda ctx, grad: grad * 2))
    return Double


def case_name_of_the_node(T):
    """The node is called after the class, with Backward behind."""
    x = T.tensor([1.0], requires_grad=True)
    y = _double(T).apply(x)
    return {"name": y.grad_fn.name(), "class": type(y.grad_fn).__name__, "parents": parents_of(y)}


def case_plain_inputs_record_nothing(T):
    """Without an input that requires a gradient there is no node, but ctx works all the same."""
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        seen.append(list(ctx.needs_input_grad))
        return x * 2

    y = _double(T, forward).apply(T.tensor([1.0]))
    return {"flags": flags(y), "seen": seen}


def case_apply_under_no_grad(T):
    """Under no_grad forward runs and nothing is recorded."""
    x = T.tensor([1.0], requires_grad=True)
    with T.no_grad():
        y = _double(T).apply(x)
    return {"flags": flags(y), "y": values(y)}


def case_recording_is_off_inside_forward(T):
    """Inside forward nothing is recorded; inside backward only with create_graph."""
    seen = {}

    def forward(ctx, x):
        seen["forward"] = T.is_grad_enabled()
        return x * 2

    def backward(ctx, grad):
        seen.setdefault("backward", []).append(T.is_grad_enabled())
        return grad * 2

    x = T.tensor([1.0], requires_grad=True)
    y = _double(T, forward, backward).apply(x)
    y.sum().backward(retain_graph=True)
    T.autograd.grad(y.sum(), x, create_graph=True)
    return seen


def case_enable_grad_inside_forward(T):
    """A graph may be built inside forward on detached inputs: backward inside backward."""

    def forward(ctx, x):
        with T.enable_grad():
            inner = x.detach().requires_grad_()
            out = (inner**3).sum()
        ctx.inner, ctx.out = inner, out
        return out.detach()

    def backward(ctx, grad):
        (g,) = T.autograd.grad(ctx.out, ctx.inner)
        return grad * g

    x = T.tensor([1.0, 2.0], requires_grad=True)
    return {"grads": grads(_double(T, forward, backward).apply(x) * 10, x)}


def case_returning_an_input_unchanged(T):
    """An input returned as it is becomes a view of it with a node of its own."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = _double(T, lambda ctx, x: x).apply(x)
    return {
        "same_object": y is x,
        "shares": same_memory(x, y),
        "flags": flags(y),
        "grads": grads(y, x),
    }


def case_returning_a_view_of_an_input(T):
    """A view of the input may be returned, and carries the Function's gradient."""
    x = T.tensor([[1.0, 2.0]], requires_grad=True)
    y = _double(T, lambda ctx, x: x.view(2), lambda ctx, grad: grad.view(1, 2) * 7).apply(x)
    return {"shares": same_memory(x, y), "grads": grads(y, x)}


def case_writing_to_a_returned_view(T):
    """A view returned from a Function refuses recorded writes."""
    x = T.tensor([[1.0, 2.0]], requires_grad=True) * 1
    y = _double(T, lambda ctx, x: x.view(2), lambda ctx, grad: grad.view(1, 2)).apply(x)
    return attempt(lambda: y.mul_(2), "view", "custom Function")


def case_mark_dirty(T):
    """An input written in place is marked, returned, and is the same tensor afterwards."""

    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    x = T.tensor([1.0, 2.0], requires_grad=True)
    h = x * 1
    y = _double(T, forward).apply(h)
    return {
        "same": y is h,
        "name": y.grad_fn.name(),
        "version": h._version,
        "grads": grads(y * 3, x),
    }


def case_mark_dirty_on_a_leaf(T):
    """A leaf that requires a gradient cannot be the dirty input."""

    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    x = T.tensor([1.0], requires_grad=True)
    return {
        "error": attempt(lambda: _double(T, forward).apply(x), "leaf Variable that requires grad")[
            "raised"
        ]
    }


def case_dirty_input_spoils_what_was_saved(T):
    """A dirty input that somebody had kept is noticed in backward."""

    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    x = T.tensor([1.0, 2.0], requires_grad=True)
    h = x * 1
    kept = h * h
    _double(T, forward).apply(h)
    return attempt(kept.sum().backward, "modified by an inplace operation")


def case_saved_then_written_within_forward(T):
    """Values are kept as they are when forward returns: a write inside it goes unnoticed."""

    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(y)
        y.add_(1)
        return y

    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * y

    x = T.tensor([1.0], requires_grad=True)
    out = _double(T, forward, backward).apply(x)
    return {"raised": attempt(out.sum().backward)["raised"], "grad": values(x.grad)}


def case_several_outputs(T):
    """Several outputs have one node; backward gets one gradient for each."""
    seen = []

    def forward(ctx, x):
        return x * 2, x * 3

    def backward(ctx, a, b):
        seen.append([values(a), values(b)])
        return a * 2 + b * 3

    x = T.tensor([1.0, 2.0], requires_grad=True)
    a, b = _double(T, forward, backward).apply(x)
    same = a.grad_fn is b.grad_fn
    numbers = [a.output_nr, b.output_nr]
    return {"same_node": same, "numbers": numbers, "grads": grads(a + b * 10, x), "seen": seen}


def case_unused_output_is_zero_by_default(T):
    """By default an unused output's gradient arrives as zeros."""
    seen = []

    def forward(ctx, x):
        return x * 2, x.sum() * 3

    def backward(ctx, a, b):
        seen.append([values(a), values(b)])
        return a * 2

    x = T.tensor([1.0, 2.0], requires_grad=True)
    a, _ = _double(T, forward, backward).apply(x)
    return {"grads": grads(a, x), "seen": seen}


def case_outputs_that_are_no_tensors(T):
    """Numbers and None may be among the outputs; their gradient is None."""
    seen = []

    def forward(ctx, x):
        return x * 2, 7, None

    def backward(ctx, a, b, c):
        seen.append([b is None, c is None])
        return a * 2

    x = T.tensor([1.0], requires_grad=True)
    a, b, c = _double(T, forward, backward).apply(x)
    return {"outputs": [b, c], "grads": grads(a, x), "seen": seen}


def case_integer_output(T):
    """An integer output never requires a gradient."""
    x = T.tensor([1.4, 2.6], requires_grad=True)
    y = _double(T, lambda ctx, x: x.long()).apply(x)
    return {"flags": flags(y), "info": info(y)}


def case_inputs_in_lists_are_not_seen(T):
    """Tensors inside a list are no inputs to autograd."""

    def forward(ctx, many):
        return many[0] * 2

    x = T.tensor([1.0], requires_grad=True)
    return {"flags": flags(_double(T, forward).apply([x]))}


def case_number_of_gradients_is_checked(T):
    """backward must return as many gradients as forward has inputs; extra Nones are let through."""
    x = T.tensor([1.0], requires_grad=True)
    too_many = _double(T, None, lambda ctx, grad: (grad, grad)).apply(x)
    extra_none = _double(T, None, lambda ctx, grad: (grad * 2, None)).apply(x)
    too_few = _double(T, lambda ctx, x, y: x * y, lambda ctx, grad: grad).apply(x, x * 1)
    return {
        "too_many": attempt(
            too_many.sum().backward, "returned an incorrect number of gradients (expected 1, got 2)"
        ),
        "too_few": attempt(
            too_few.sum().backward, "returned an incorrect number of gradients (expected 2, got 1)"
        ),
        "extra_none": grads(extra_none, x),
    }


def case_gradient_of_the_wrong_shape(T):
    """A gradient of the wrong shape is refused; one that can be summed back is summed."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    wrong = _double(T, None, lambda ctx, grad: T.ones(3)).apply(x)
    larger = _double(T, None, lambda ctx, grad: T.ones(3, 2)).apply(x)
    return {
        "wrong": attempt(
            wrong.sum().backward, "returned an invalid gradient at index 0", "got [3]", "[2]"
        ),
        "larger": grads(larger, x),
    }


def case_gradient_of_another_dtype(T):
    """A gradient of another float dtype is cast to the input's."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = _double(T, None, lambda ctx, grad: grad.double() * 3).apply(x)
    y.sum().backward()
    return {"grad": info(x.grad)}


def case_gradient_that_is_no_tensor(T):
    """backward may not return numbers."""
    x = T.tensor([1.0], requires_grad=True)
    y = _double(T, None, lambda ctx, grad: 3.0).apply(x)
    return {"raised": attempt(y.sum().backward)["raised"], "grad": values(x.grad)}


def case_gradient_for_a_plain_input_is_dropped(T):
    """A gradient for an input that requires none is thrown away."""
    x = T.tensor([1.0], requires_grad=True)
    z = T.tensor([5.0])
    y = _double(T, lambda ctx, x, z: x * z, lambda ctx, grad: (grad * 5, grad * 100)).apply(x, z)
    return {"grads": grads(y, x), "z": values(z.grad), "parents": parents_of(y)}


def case_none_for_a_plain_tensor_input(T):
    """None may stand for an input that requires no gradient."""
    x = T.tensor([1.0], requires_grad=True)
    y = _double(T, lambda ctx, x, z: x * z, lambda ctx, grad: (grad * 5, None)).apply(
        x, T.tensor([5.0])
    )
    return {"grads": grads(y, x)}


def case_save_for_backward_takes_tensors_and_none(T):
    """save_for_backward takes tensors and None, nothing else."""
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        return x * 2

    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        seen.append([values(a), b])
        return grad * 2

    def wrong(ctx, x):
        ctx.save_for_backward(3.0)
        return x * 2

    x = T.tensor([1.0], requires_grad=True)
    return {
        "grads": grads(_double(T, forward, backward).apply(x), x),
        "seen": seen,
        "wrong": attempt(
            lambda: _double(T, wrong).apply(x), "save_for_backward can only save variables"
        ),
    }


def case_save_for_backward_twice(T):
    """The second call replaces what the first kept."""
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward(x, x)
        ctx.save_for_backward(x)
        return x * 2

    def backward(ctx, grad):
        seen.append(len(ctx.saved_tensors))
        return grad * 2

    x = T.tensor([1.0], requires_grad=True)
    return {"grads": grads(_double(T, forward, backward).apply(x), x), "seen": seen}


def case_saved_input_is_the_very_tensor(T):
    """The saved input comes back as the leaf itself, flags and all."""
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        seen.append(flags(x))
        return grad * 2

    x = T.tensor([1.0], requires_grad=True)
    return {"grads": grads(_double(T, forward, backward).apply(x), x), "seen": seen}


def case_saved_output_has_its_node(T):
    """A saved output comes back with its node."""
    seen = []

    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(y)
        return y

    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        seen.append([flags(y), grad_fn_of(y) == "DoubleBackward"])
        return grad * 2

    x = T.tensor([1.0], requires_grad=True)
    return {"grads": grads(_double(T, forward, backward).apply(x), x), "seen": seen}


def case_saved_tensors_outside_backward(T):
    """What was saved can be read from the node, until it is freed."""

    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.note = "kept"
        return x * 2

    x = T.tensor([4.0], requires_grad=True)
    y = _double(T, forward).apply(x)
    before = [values(t) for t in y.grad_fn.saved_tensors]
    y.sum().backward()
    return {
        "before": before,
        "note": y.grad_fn.note,
        "after": attempt(lambda: y.grad_fn.saved_tensors, "a second time"),
    }


def case_mark_non_differentiable_twice(T):
    """Only those named in the mark lose their gradient."""

    def forward(ctx, x):
        a, b, c = x * 1, x * 2, x * 3
        ctx.mark_non_differentiable(a, b)
        return a, b, c

    def backward(ctx, a, b, c):
        return c * 3

    x = T.tensor([1.0], requires_grad=True)
    a, b, c = _double(T, forward, backward).apply(x)
    return {"flags": [t.requires_grad for t in (a, b, c)], "grads": grads(c, x)}


def case_once_differentiable(T):
    """once_differentiable refuses the second derivative instead of giving a wrong one."""

    @T.autograd.function.once_differentiable
    def backward(ctx, grad):
        return grad * 2

    x = T.tensor([1.0], requires_grad=True)
    y = _double(T, lambda ctx, x: x * x, backward).apply(x)
    (g,) = T.autograd.grad((y * y).sum(), x, create_graph=True)
    return {
        "g": values(g),
        "again": attempt(
            g.sum().backward, "trying to differentiate twice a function that was marked"
        ),
    }


def case_setup_context_sees_inputs_and_output(T):
    """setup_context gets all inputs as a tuple, and the output."""
    seen = []

    class Scale(T.autograd.Function):
        @staticmethod
        def forward(x, factor):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.append([type(inputs).__name__, inputs[1], values(output)])
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.factor, None

    x = T.tensor([1.0, 2.0], requires_grad=True)
    return {"grads": grads(Scale.apply(x, 5.0), x), "seen": seen}


def case_setup_context_with_several_outputs(T):
    """With several outputs setup_context gets the tuple."""

    class Both(T.autograd.Function):
        @staticmethod
        def forward(x):
            return x.exp(), x.sum()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output[0])

        @staticmethod
        def backward(ctx, a, b):
            (y,) = ctx.saved_tensors
            return a * y + b

    x = T.tensor([0.0, 1.0], requires_grad=True)
    e, s = Both.apply(x)
    return {"grads": grads(e.sum() + s * 10, x)}


def case_forward_is_missing(T):
    """A Function without forward fails when it is applied."""

    class Empty(T.autograd.Function):
        pass

    return {"raised": attempt(lambda: Empty.apply(T.ones(1)))["raised"]}


def case_attributes_of_ctx_are_the_nodes(T):
    """What forward puts on ctx is found on the node."""

    def forward(ctx, x):
        ctx.anything = {"a": 1}
        return x * 2

    y = _double(T, forward).apply(T.tensor([1.0], requires_grad=True))
    return {"anything": y.grad_fn.anything, "missing": attempt(lambda: y.grad_fn.nothing)["raised"]}


def case_an_error_in_forward(T):
    """An exception in forward reaches the caller and leaves recording on."""

    def forward(ctx, x):
        raise KeyError("inside forward")

    x = T.tensor([1.0], requires_grad=True)
    return {
        "error": attempt(lambda: _double(T, forward).apply(x), "inside forward"),
        "enabled": T.is_grad_enabled(),
    }


def case_an_error_in_backward(T):
    """An exception in backward reaches the caller; nothing is accumulated."""

    def backward(ctx, grad):
        raise KeyError("inside backward")

    x = T.tensor([1.0], requires_grad=True)
    y = _double(T, None, backward).apply(x)
    return {"error": attempt(y.sum().backward, "inside backward"), "grad": values(x.grad)}


def case_double_backward_of_a_two_input_function(T):
    """Second derivatives through a Function of two inputs, with cross terms."""

    class Product(T.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            return grad * b, grad * a

    a = T.tensor([2.0], requires_grad=True)
    b = T.tensor([3.0], requires_grad=True)
    ga, gb = T.autograd.grad((Product.apply(a, b) ** 2).sum(), [a, b], create_graph=True)
    second = T.autograd.grad((ga + gb).sum(), [a, b])
    return {"first": [values(ga), values(gb)], "second": [values(g) for g in second]}


def case_subclass_of_a_function(T):
    """A Function may inherit its backward."""

    class Base(T.autograd.Function):
        @staticmethod
        def backward(ctx, grad):
            return grad * 5

    class Derived(Base):
        @staticmethod
        def forward(ctx, x):
            return x + 0

    x = T.tensor([1.0], requires_grad=True)
    y = Derived.apply(x)
    return {"name": y.grad_fn.name(), "grads": grads(y, x)}


def case_same_function_twice_in_one_graph(T):
    """Each application has a node of its own."""
    double = _double(T)
    x = T.tensor([1.0], requires_grad=True)
    a, b = double.apply(x), double.apply(x)
    return {"same": a.grad_fn is b.grad_fn, "grads": grads(a * b, x)}


def case_dtype_seen_by_a_function(T):
    """Gradients arrive in the output's dtype."""
    seen = []

    def backward(ctx, grad):
        seen.append(dtype_of(grad))
        return grad * 2

    x = T.tensor([1.0], requires_grad=True)
    y = _double(T, lambda ctx, x: x.double(), backward).apply(x)
    y.sum().backward()
    return {"seen": seen, "grad": info(x.grad)}


def case_hooks_on_the_output_of_a_function(T):
    """Hooks on the output run before backward."""
    order = []

    def backward(ctx, grad):
        order.append(["backward", values(grad)])
        return grad * 2

    x = T.tensor([1.0], requires_grad=True)
    y = _double(T, None, backward).apply(x)
    y.register_hook(lambda grad: order.append("hook") or grad * 10)
    return {"grads": grads(y, x), "order": order}


def case_a_function_that_keeps_state_between_calls(T):
    """ctx is new for each call."""
    seen = []

    def forward(ctx, x):
        seen.append(hasattr(ctx, "mark"))
        ctx.mark = True
        return x * 2

    double = _double(T, forward)
    x = T.tensor([1.0], requires_grad=True)
    double.apply(x)
    double.apply(x)
    return {"seen": seen}


def case_checkpoint_gives_the_same_gradients(T):
    """checkpoint computes the stretch again in backward: same value, same gradients."""
    from importlib import import_module

    checkpoint = import_module(T.__name__ + ".utils.checkpoint").checkpoint
    calls = []

    def stretch(x, w):
        calls.append(T.is_grad_enabled())
        return (x @ w).tanh()

    w = T.tensor([[0.5, -1.0], [1.0, 2.0]], requires_grad=True)
    x = T.tensor([[1.0, 2.0]], requires_grad=True)
    plain = grads(stretch(x, w) ** 2, x, w)
    x.grad = w.grad = None
    calls.clear()
    out = checkpoint(stretch, x, w, use_reentrant=False)
    kept = grads(out**2, x, w)
    return {"plain": plain, "checkpointed": kept, "calls": len(calls)}


def case_checkpoint_reentrant(T):
    """The older form runs a backward inside backward."""
    from importlib import import_module

    checkpoint = import_module(T.__name__ + ".utils.checkpoint").checkpoint
    x = T.tensor([1.0, 2.0], requires_grad=True)
    out = checkpoint(lambda a: a.exp() * a, x, use_reentrant=True)
    return {"grads": grads(out, x)}


def case_checkpoint_under_no_grad(T):
    """Under no_grad a checkpointed stretch is just called."""
    from importlib import import_module

    checkpoint = import_module(T.__name__ + ".utils.checkpoint").checkpoint
    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.no_grad():
        out = checkpoint(lambda a: a * 2, x, use_reentrant=False)
    return {"flags": flags(out), "values": values(out)}
