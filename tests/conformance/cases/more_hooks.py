"""More about hooks: on leaves, results, nodes and modules; their order, and what they may return."""

from .observe import attempt, flags, grads, info, listen, shape, values


def case_handle_removes_only_its_own_hook(T):
    """Removing one handle leaves the other hooks; removing twice is harmless."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)
    first = x.register_hook(lambda grad: calls.append("first"))
    x.register_hook(lambda grad: calls.append("second"))
    first.remove()
    first.remove()
    (x * 2).sum().backward()
    return {"calls": calls}


def case_handle_as_a_context_manager(T):
    """A handle can be used in a with statement."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)
    with x.register_hook(lambda grad: calls.append("inside")):
        (x * 2).sum().backward()
    (x * 2).sum().backward()
    return {"calls": calls}


def case_same_hook_twice(T):
    """A hook registered twice runs twice."""
    x = T.tensor([1.0], requires_grad=True)

    def double(grad):
        return grad * 2

    x.register_hook(double)
    x.register_hook(double)
    return {"grads": grads(x * 3, x)}


def case_hook_sees_each_pass_not_the_total(T):
    """A leaf hook sees the gradient of this pass, not what had accumulated."""
    seen = []
    x = T.tensor([1.0], requires_grad=True)
    x.register_hook(lambda grad: seen.append(values(grad)))
    (x * 2).sum().backward()
    (x * 5).sum().backward()
    return {"seen": seen, "grad": values(x.grad)}


def case_hook_that_returns_the_wrong_thing(T):
    """A hook may return a tensor or None; anything else is refused."""
    found = {}
    for name, value in {"number": 3.0, "list": [1.0], "text": "a"}.items():
        x = T.tensor([1.0], requires_grad=True)
        x.register_hook(lambda grad, value=value: value)
        found[name] = attempt((x * 2).sum().backward)["raised"]
    return found


def case_hook_that_returns_another_shape(T):
    """A replacement of another shape is refused."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    x.register_hook(lambda grad: T.ones(3))
    return {
        "error": attempt((x * 2).sum().backward, "changed the size of value"),
        "grad": values(x.grad),
    }


def case_hook_that_changes_the_gradient_in_place(T):
    """A hook that returns nothing but writes to the gradient changes it all the same."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3

    def scale(grad):
        grad.mul_(10)

    y.register_hook(scale)
    return {"grads": grads(y * T.tensor([1.0, 1.0]), x)}


def case_hooks_run_where_nothing_is_recorded(T):
    """Inside a hook nothing is recorded, unless backward was asked to create a graph."""
    seen = []
    x = T.tensor([1.0], requires_grad=True)
    x.register_hook(lambda grad: seen.append([T.is_grad_enabled(), grad.requires_grad]))
    (x**3).sum().backward()
    T.autograd.grad((x**3).sum(), x, create_graph=True)
    return {"seen": seen}


def case_hook_with_create_graph_is_differentiated(T):
    """What a hook does to a gradient is part of the second derivative."""
    x = T.tensor([2.0], requires_grad=True)
    y = x * 1
    y.register_hook(lambda grad: grad * grad)
    (g,) = T.autograd.grad((y**3).sum(), x, create_graph=True)
    return {"g": values(g), "second": values(T.autograd.grad(g.sum(), x)[0])}


def case_order_of_hooks_through_a_graph(T):
    """Hooks fire from the result towards the leaf."""
    order = []
    x = T.tensor([1.0], requires_grad=True)
    h = x * 2
    y = h + 1
    for name, tensor in (("x", x), ("h", h), ("y", y)):
        tensor.register_hook(lambda grad, name=name: order.append(name))
    y.sum().backward()
    return {"order": order}


def case_hook_registered_after_the_forward_pass(T):
    """A hook may be added any time before backward."""
    x = T.tensor([1.0], requires_grad=True)
    h = x * 2
    loss = (h * h).sum()
    h.register_hook(lambda grad: grad * 0)
    loss.backward()
    return {"grad": values(x.grad)}


def case_hook_on_a_result_nobody_keeps(T):
    """A hook lives with the node: the tensor object may be gone."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)

    def make():
        h = x * 2
        h.register_hook(lambda grad: calls.append(values(grad)))
        return h * 3

    make().sum().backward()
    return {"calls": calls}


def case_hook_on_a_clone_or_a_view(T):
    """Hooks of a view or clone see their own part only."""
    seen = []
    x = T.tensor([1.0, 2.0], requires_grad=True)
    a, b = x[:1], x.clone()
    a.register_hook(lambda grad: seen.append(["view", values(grad)]))
    b.register_hook(lambda grad: seen.append(["clone", values(grad)]))
    (a * 3).sum().backward()
    (b * 5).sum().backward()
    return {"seen": seen, "x": values(x.grad)}


def case_hook_on_one_of_several_outputs(T):
    """A hook on one output of a node sees that output's gradient."""
    seen = []
    x = T.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    first, second = x.unbind(0)
    second.register_hook(lambda grad: seen.append(values(grad)))
    second.register_hook(lambda grad: grad * 10)
    (first * 2 + second * 3).sum().backward()
    return {"seen": seen, "x": values(x.grad)}


def case_hook_on_a_leaf_and_inputs(T):
    """A leaf hook runs only when its gradient is computed."""
    calls = []
    a = T.tensor([1.0], requires_grad=True)
    b = T.tensor([1.0], requires_grad=True)
    a.register_hook(lambda grad: calls.append("a"))
    b.register_hook(lambda grad: calls.append("b"))
    (a * b).sum().backward(inputs=[a])
    return {"calls": calls}


def case_leaf_hook_and_autograd_grad(T):
    """A leaf hook changes what autograd.grad returns."""
    x = T.tensor([1.0], requires_grad=True)
    x.register_hook(lambda grad: grad * 100)
    (g,) = T.autograd.grad((x * 2).sum(), x)
    return {"g": values(g), "grad": values(x.grad)}


def case_hooks_on_a_switched_off_leaf(T):
    """A leaf that requires no gradient takes no hook of either kind."""
    x = T.tensor([1.0])
    phrase = "doesn't require gradient"
    return {
        "hook": attempt(
            lambda: x.register_hook(lambda grad: None), "cannot register a hook", phrase
        ),
        "post": attempt(
            lambda: x.register_post_accumulate_grad_hook(lambda leaf: None),
            "cannot register a hook",
        ),
    }


def case_post_accumulate_hooks_in_order(T):
    """Post-accumulate hooks run in order, after the tensor's own hooks and the accumulation."""
    order = []
    x = T.tensor([1.0], requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda leaf: order.append(["post", values(leaf.grad)]))
    x.register_hook(lambda grad: order.append(["hook", values(x.grad)]))
    x.register_post_accumulate_grad_hook(lambda leaf: order.append(["second", values(leaf.grad)]))
    (x * 2).sum().backward()
    return {"order": order}


def case_post_accumulate_hook_may_return_nothing(T):
    """A post-accumulate hook that returns something is refused."""
    x = T.tensor([1.0], requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda leaf: 3.0)
    return {"raised": attempt((x * 2).sum().backward)["raised"]}


def case_post_accumulate_hook_removed(T):
    """Its handle removes it."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)
    handle = x.register_post_accumulate_grad_hook(lambda leaf: calls.append(1))
    (x * 2).sum().backward()
    handle.remove()
    (x * 2).sum().backward()
    return {"calls": calls, "grad": values(x.grad)}


def case_post_accumulate_hook_is_silent_in_autograd_grad(T):
    """autograd.grad accumulates nothing, so the hook does not run."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda leaf: calls.append(1))
    T.autograd.grad((x * 2).sum(), x)
    return {"calls": calls}


def case_post_accumulate_hook_as_an_optimizer(T):
    """Each weight steps as soon as its gradient is there; gradients are freed at once."""
    weights = [T.tensor([1.0], requires_grad=True), T.tensor([2.0], requires_grad=True)]

    def step(leaf):
        with T.no_grad():
            leaf.sub_(leaf.grad, alpha=0.1)
        leaf.grad = None

    for w in weights:
        w.register_post_accumulate_grad_hook(step)
    for _ in range(2):
        ((weights[0] * weights[1]) ** 2).sum().backward()
    return {"weights": [values(w) for w in weights], "grads": [values(w.grad) for w in weights]}


def case_node_hook(T):
    """A hook on a node sees the gradients that it hands on and those that it got."""
    seen = []
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.grad_fn.register_hook(
        lambda inputs, outputs: seen.append(
            [[values(g) for g in inputs], [values(g) for g in outputs]]
        )
    )
    y.backward(T.tensor([1.0, 10.0]))
    return {"seen": seen, "x": values(x.grad)}


def case_node_hook_can_replace_gradients(T):
    """What a node's hook returns is handed on instead."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    z = T.tensor([5.0, 6.0], requires_grad=True)
    y = x * z
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 0, inputs[1] + 1))
    return {"grads": grads(y, x, z)}


def case_node_prehook(T):
    """A pre-hook sees and may replace what the node is given."""
    seen = []
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3

    def hook(outputs):
        seen.append([values(g) for g in outputs])
        return (outputs[0] * 100,)

    handle = y.grad_fn.register_prehook(hook)
    y.sum().backward(retain_graph=True)
    handle.remove()
    first = values(x.grad)
    y.sum().backward()
    return {"seen": seen, "first": first, "both": values(x.grad)}


def case_node_hook_removed(T):
    """A node's hook goes by its handle."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)
    y = x + 3
    handle = y.grad_fn.register_hook(lambda inputs, outputs: calls.append(1))
    y.sum().backward()
    handle.remove()
    y.sum().backward()
    return {"calls": calls}


def case_hook_on_an_accumulator(T):
    """The node that fills a leaf's .grad takes hooks too."""
    seen = []
    x = T.tensor([1.0], requires_grad=True)
    y = x * 2
    accumulator = y.grad_fn.next_functions[0][0]
    accumulator.register_hook(
        lambda inputs, outputs: seen.append([len(inputs), values(outputs[0])])
    )
    y.sum().backward()
    return {"seen": seen}


def case_gradient_clipping_by_hooks(T):
    """Clamping each gradient on its way."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x.register_hook(lambda grad: grad.clamp(-2, 2))
    return {"grads": grads(x**2, x)}


def case_gradient_of_zero_by_a_hook_is_not_none(T):
    """A hook that returns zeros leaves zeros, not None."""
    x = T.tensor([1.0], requires_grad=True)
    x.register_hook(lambda grad: T.zeros_like(grad))
    return {"grads": grads(x * 5, x)}


def case_hook_and_detached_branch(T):
    """The hook sees only what comes through attached uses."""
    seen = []
    x = T.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    h.register_hook(lambda grad: seen.append(values(grad)))
    (h * 3 + h.detach() * 100).sum().backward()
    return {"seen": seen}


def case_hook_gradient_is_a_plain_tensor(T):
    """The gradient in a hook is a leaf without history."""
    seen = []
    x = T.tensor([1.0, 2.0], requires_grad=True)
    x.register_hook(lambda grad: seen.append([flags(grad), info(grad)]))
    (x * x).sum().backward()
    return {"seen": seen}


def case_hook_keeps_its_gradient(T):
    """A gradient kept by a hook is not changed by what comes later."""
    kept = []
    x = T.tensor([1.0], requires_grad=True)
    h = x * 2
    h.register_hook(kept.append)
    (h * 3).sum().backward(retain_graph=True)
    (h * 5).sum().backward()
    return {"kept": [values(g) for g in kept], "x": values(x.grad)}


def case_hook_after_an_inplace_write(T):
    """A hook set after the write belongs to the new node."""
    seen = {}
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.add_(1)
    y.register_hook(lambda grad: seen.update(y=values(grad)))
    (y * 5).sum().backward()
    return {"seen": seen, "x": values(x.grad)}


def case_forward_hook_replaces_the_output(T):
    """A module's forward hook may return another output."""
    layer = T.nn.Linear(1, 1, bias=False)
    with T.no_grad():
        layer.weight.fill_(2.0)
    layer.register_forward_hook(lambda module, inputs, output: output * 10)
    return {"out": values(layer(T.tensor([[3.0]])).detach())}


def case_forward_pre_hook(T):
    """A forward pre-hook may return other inputs."""
    layer = T.nn.Linear(1, 1, bias=False)
    with T.no_grad():
        layer.weight.fill_(2.0)
    handle = layer.register_forward_pre_hook(lambda module, inputs: (inputs[0] + 1,))
    with_hook = values(layer(T.tensor([[3.0]])).detach())
    handle.remove()
    return {"with": with_hook, "without": values(layer(T.tensor([[3.0]])).detach())}


def case_full_backward_hook(T):
    """A module's full backward hook sees the gradients of its input and output."""
    seen = []
    layer = T.nn.Linear(2, 1, bias=False)
    with T.no_grad():
        layer.weight.copy_(T.tensor([[2.0, 3.0]]))
    layer.register_full_backward_hook(
        lambda module, inputs, outputs: seen.append([values(inputs[0]), values(outputs[0])])
    )
    x = T.tensor([[1.0, 1.0]], requires_grad=True)
    (layer(x) * 5).sum().backward()
    return {"seen": seen, "x": values(x.grad), "shape": shape(layer.weight.grad)}


def case_forward_hook_order_and_arguments(T):
    """Hooks get the module, the tuple of inputs and the output, in the order of registering."""
    seen = []
    layer = T.nn.ReLU()
    layer.register_forward_hook(
        lambda module, inputs, output: seen.append(["first", module is layer, len(inputs)])
    )
    layer.register_forward_hook(
        lambda module, inputs, output: seen.append(["second", values(output)])
    )
    layer.register_forward_pre_hook(lambda module, inputs: seen.append(["pre", values(inputs[0])]))
    layer(T.tensor([-1.0, 2.0]))
    return {"seen": seen}


def case_reading_the_gradient_inside_a_hook_is_silent(T):
    """Reading .grad of a leaf in its hook gives what was there before, silently."""
    seen = []
    x = T.tensor([1.0], requires_grad=True)
    x.register_hook(lambda grad: seen.append(values(x.grad)))

    def run():
        (x * 2).sum().backward()
        (x * 3).sum().backward()

    heard = listen(run, "not a leaf")
    return {"heard": heard, "seen": seen}


def case_retain_grad_and_hooks_on_a_view(T):
    """A view may retain its gradient and have hooks; the hook comes first."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    v = x[1:]
    v.retain_grad()
    v.register_hook(lambda grad: grad * 10)
    (v * 2).sum().backward()
    return {"v": values(v.grad), "x": values(x.grad)}
