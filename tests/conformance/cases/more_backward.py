"""More about backward: what is kept and freed, where gradients land, and what is refused."""

import gc
import weakref

from .observe import (
    attempt,
    dtype_of,
    flags,
    grad_fn_of,
    grads,
    info,
    listen,
    parents_of,
    same_memory,
    values,
)


def case_which_nodes_fail_a_second_time(T):
    """A second pass fails at nodes that had kept something, and only there."""
    found = {}
    for name, compute in {
        "add": lambda x: x + 1,
        "sub": lambda x: x - x,
        "neg": lambda x: -x,
        "sum": lambda x: x.sum(),
        "mean": lambda x: x.mean(),
        "mul_number": lambda x: x * 2,
        "mul": lambda x: x * x,
        "div_number": lambda x: x / 2,
        "pow": lambda x: x**2,
        "exp": lambda x: x.exp(),
        "relu": lambda x: x.relu(),
        "view": lambda x: x.view(2, 1),
        "index": lambda x: x[0],
        "index_list": lambda x: x[[0]],
        "clone": lambda x: x.clone(),
        "double": lambda x: x.double(),
        "t": lambda x: x.view(1, 2).t(),
        "expand": lambda x: x.expand(3, 2),
        "cat": lambda x: T.cat([x, x]),
        "where": lambda x: T.where(T.tensor([True, False]), x, x),
        "max": lambda x: x.max(),
        "cumsum": lambda x: x.cumsum(0),
    }.items():
        out = compute(T.tensor([1.0, 2.0], requires_grad=True))
        seed = T.ones_like(out)
        out.backward(seed)
        found[name] = attempt(lambda: out.backward(seed), "a second time")["raised"]
    return found


def case_second_pass_error_tells_the_cure(T):
    """The message says what was freed and how to keep it."""
    x = T.tensor([1.0], requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    return attempt(
        loss.backward,
        "Trying to backward through the graph a second time",
        "saved intermediate values of the graph are freed",
        "Specify retain_graph=True",
    )


def case_failed_second_pass_adds_nothing(T):
    """A second pass that is refused leaves the gradient of the first."""
    x = T.tensor([3.0], requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    attempt(loss.backward)
    return {"grad": values(x.grad)}


def case_retain_then_free(T):
    """retain_graph=True keeps for one more pass; the next pass without it frees."""
    x = T.tensor([3.0], requires_grad=True)
    loss = (x * x).sum()
    loss.backward(retain_graph=True)
    loss.backward(retain_graph=True)
    loss.backward(retain_graph=False)
    return {"grad": values(x.grad), "last": attempt(loss.backward, "a second time")["raised"]}


def case_saved_tensor_read_after_freeing(T):
    """What a node had kept cannot be read once it is freed."""
    x = T.tensor([3.0], requires_grad=True)
    y = x.exp()
    kept = values(y.grad_fn._saved_result)
    y.sum().backward()
    return {
        "kept": kept,
        "freed": attempt(lambda: y.grad_fn._saved_result, "after they have already been freed"),
    }


def case_forward_through_a_freed_graph(T):
    """A freed graph may be extended; only the next backward fails."""
    x = T.tensor([3.0], requires_grad=True)
    y = x * x
    y.sum().backward()
    z = y * 2
    return {"z": flags(z), "error": attempt(z.sum().backward, "a second time")["raised"]}


def case_partial_backward_through_a_shared_part(T):
    """Two losses over a shared sum work by turns: nothing was kept in the shared part."""
    x = T.tensor([3.0], requires_grad=True)
    shared = x + 1
    (shared * 2).sum().backward()
    (shared * 5).sum().backward()
    return {"grad": values(x.grad)}


def case_gradient_argument_forms(T):
    """gradient= must be a tensor of the result's shape."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    return {
        "list": attempt(lambda: y.backward([1.0, 1.0]))["raised"],
        "number": attempt(lambda: y.backward(1.0))["raised"],
        "shape": attempt(lambda: y.backward(T.ones(3)), "Mismatch in shape", "grad_output[0]"),
        "stretch": attempt(lambda: y.backward(T.ones(1)), "Mismatch in shape"),
        "none": attempt(
            lambda: y.backward(None), "grad can be implicitly created only for scalar outputs"
        ),
        "grad": values(x.grad),
    }


def case_gradient_argument_with_history(T):
    """A gradient argument that requires a gradient is used by value only."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    v = T.tensor([1.0, 10.0], requires_grad=True)
    (x * 3).backward(v)
    return {"x": values(x.grad), "flags": flags(x.grad), "v": values(v.grad)}


def case_zero_gradient_argument(T):
    """A zero gradient gives zeros, not None."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x * 3).backward(T.zeros(2))
    return {"x": values(x.grad)}


def case_gradient_argument_keyword(T):
    """The argument may be given by name."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x * 3).backward(gradient=T.tensor([1.0, 2.0]), retain_graph=False)
    return {"x": values(x.grad)}


def case_backward_of_a_leaf_accumulates(T):
    """A leaf may be the root more than once."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    x.backward(T.tensor([1.0, 1.0]))
    x.backward(T.tensor([5.0, 6.0]))
    return {"x": values(x.grad)}


def case_leaf_gradient_is_not_the_argument(T):
    """A leaf that is the root holds a copy of the gradient argument."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    v = T.tensor([1.0, 1.0])
    x.backward(v)
    v.zero_()
    return {"x": values(x.grad)}


def case_two_leaves_do_not_share_one_gradient(T):
    """x + y hands the same gradient to both leaves; each keeps memory of its own."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.tensor([3.0, 4.0], requires_grad=True)
    (x + y).backward(T.ones(2))
    x.grad.mul_(100)
    return {"x": values(x.grad), "y": values(y.grad), "shared": same_memory(x.grad, y.grad)}


def case_backward_of_a_plain_tensor(T):
    """A tensor without history has nothing to go back through."""
    phrase = "does not require grad and does not have a grad_fn"
    x = T.tensor([1.0], requires_grad=True)
    return {
        "plain": attempt(T.ones(1).sum().backward, "element 0 of tensors " + phrase),
        "detached": attempt((x * 2).sum().detach().backward, phrase),
        "bool": attempt((x > 0).backward, phrase),
        "second_root": attempt(
            lambda: T.autograd.backward([x.sum(), T.ones(1)]), "element 1 of tensors"
        ),
    }


def case_accumulation_into_an_assigned_gradient(T):
    """backward adds into the very tensor that was assigned to .grad."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    mine = T.tensor([100.0, 100.0])
    x.grad = mine
    (x * 3).sum().backward()
    return {"same": x.grad is mine, "mine": values(mine), "version": mine._version}


def case_accumulation_with_create_graph_makes_a_new_tensor(T):
    """With create_graph the sum of old and new gradient is a new tensor with history."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    first = x.grad
    (x * x).sum().backward(create_graph=True)
    return {"same": x.grad is first, "grad": values(x.grad), "name": grad_fn_of(x.grad)}


def case_zero_gradients_two_ways(T):
    """Setting .grad to None and zeroing it differ in what the next pass does to the old tensor."""
    x = T.tensor([1.0], requires_grad=True)
    (x * 2).sum().backward()
    old = x.grad
    x.grad = None
    (x * 3).sum().backward()
    after_none = values(old)
    old = x.grad
    x.grad.zero_()
    (x * 5).sum().backward()
    return {"after_none": after_none, "after_zero": values(old), "grad": values(x.grad)}


def case_inputs_limits_where_gradients_land(T):
    """inputs= names the only tensors whose .grad is filled."""
    a = T.tensor([2.0], requires_grad=True)
    b = T.tensor([3.0], requires_grad=True)
    (a * b).sum().backward(inputs=[a])
    return {"a": values(a.grad), "b": values(b.grad)}


def case_inputs_may_be_a_result(T):
    """A result named in inputs= gets a .grad; leaves behind it get none."""
    a = T.tensor([2.0], requires_grad=True)
    h = a * 3
    h.retain_grad()
    (h * h).sum().backward(inputs=[h])
    return {"h": values(h.grad), "a": values(a.grad)}


def case_inputs_single_tensor_and_errors(T):
    """inputs= takes a single tensor; an empty list is refused."""
    a = T.tensor([2.0], requires_grad=True)
    (a * 5).sum().backward(inputs=a)
    return {
        "a": values(a.grad),
        "empty": attempt(lambda: (a * 5).sum().backward(inputs=[]), "cannot be empty"),
        "plain": attempt(lambda: (a * 5).sum().backward(inputs=[T.ones(1)]), "requires_grad=False"),
    }


def case_inputs_not_reached(T):
    """A leaf named in inputs= that was not used keeps None."""
    a = T.tensor([2.0], requires_grad=True)
    b = T.tensor([3.0], requires_grad=True)
    result = attempt(lambda: (a * 5).sum().backward(inputs=[b]))
    return {"raised": result["raised"], "a": values(a.grad), "b": values(b.grad)}


def case_grad_leaves_other_leaves_alone(T):
    """autograd.grad fills no leaf's .grad; a result on the way that retains its gradient gets it."""
    a = T.tensor([2.0], requires_grad=True)
    b = T.tensor([3.0], requires_grad=True)
    h = a * b
    h.retain_grad()
    (g,) = T.autograd.grad((h * h).sum(), a)
    return {"g": values(g), "a": values(a.grad), "b": values(b.grad), "h": values(h.grad)}


def case_grad_with_respect_to_the_output_itself(T):
    """The gradient of a tensor with respect to itself is one."""
    x = T.tensor([2.0], requires_grad=True)
    y = (x * 3).sum()
    return {
        "result": values(T.autograd.grad(y, y, retain_graph=True)[0]),
        "leaf": values(T.autograd.grad(x.sum(), x)[0]),
        "both": [values(g) for g in T.autograd.grad(y, [y, x])],
    }


def case_grad_of_several_outputs(T):
    """Gradients of several outputs are added."""
    x = T.tensor([2.0], requires_grad=True)
    outputs = [(x * 3).sum(), (x * x).sum()]
    return {"g": values(T.autograd.grad(outputs, x)[0])}


def case_grad_outputs_forms(T):
    """One seed for each output; None stands for one."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y, s = x * 3, (x * x).sum()
    g = T.autograd.grad([y, s], x, grad_outputs=[T.tensor([1.0, 10.0]), None], retain_graph=True)
    return {
        "g": values(g[0]),
        "missing": attempt(lambda: T.autograd.grad([y, s], x, grad_outputs=[T.ones(2)]))["raised"],
        "shape": attempt(lambda: T.autograd.grad(y, x, T.ones(3)), "Mismatch in shape"),
    }


def case_grad_same_input_twice(T):
    """An input asked for twice is answered twice."""
    x = T.tensor([2.0], requires_grad=True)
    a, b = T.autograd.grad((x * x).sum(), [x, x])
    return {"a": values(a), "b": values(b)}


def case_grad_does_not_run_past_its_inputs(T):
    """Nodes behind the inputs asked for do not run, and stay usable."""
    calls = []
    x = T.tensor([2.0], requires_grad=True)
    h = x * x
    x.register_hook(lambda grad: calls.append("x"))
    loss = (h * 3).sum()
    (g,) = T.autograd.grad(loss, h)
    h.sum().backward()
    return {"g": values(g), "calls": calls, "x": values(x.grad)}


def case_grad_retain_graph_default(T):
    """grad frees what it passed, and keeps it with create_graph or retain_graph."""
    x = T.tensor([2.0], requires_grad=True)
    found = {}
    for name, options in {
        "plain": {},
        "retain": {"retain_graph": True},
        "create": {"create_graph": True},
        "create_not_retain": {"create_graph": True, "retain_graph": False},
    }.items():
        loss = (x * x).sum()
        T.autograd.grad(loss, x, **options)
        found[name] = attempt(lambda: T.autograd.grad(loss, x))["raised"]
    return found


def case_grad_allow_unused_and_materialize(T):
    """allow_unused gives None, materialize_grads gives zeros; both at odds are refused."""
    x = T.tensor([2.0, 3.0], requires_grad=True)
    unused = T.ones(2, 2, requires_grad=True)
    a = T.autograd.grad((x * 2).sum(), [x, unused], allow_unused=True)
    b = T.autograd.grad((x * 2).sum(), [x, unused], materialize_grads=True)
    return {
        "none": [values(g) for g in a],
        "zeros": [values(g) for g in b],
        "odd": attempt(
            lambda: T.autograd.grad((x * 2).sum(), x, allow_unused=False, materialize_grads=True),
            "Expected allow_unused to be True or not passed when materialize_grads=True",
        ),
    }


def case_grad_of_nothing(T):
    """A plain input, a number and an integer tensor are refused."""
    x = T.tensor([2.0], requires_grad=True)
    y = (x * 2).sum()
    return {
        "plain_input": attempt(lambda: T.autograd.grad(y, T.ones(1)), "does not require grad"),
        "number": attempt(lambda: T.autograd.grad(3.0, x))["raised"],
        "plain_output": attempt(
            lambda: T.autograd.grad(T.ones(1).sum(), x), "element 0 of tensors"
        ),
        "no_inputs": attempt(lambda: T.autograd.grad(y, []))["raised"],
    }


def case_backward_with_several_roots_and_seeds(T):
    """Roots with several elements need a seed each."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    a, b = x * 2, x * x
    T.autograd.backward([a, b], [T.tensor([1.0, 1.0]), T.tensor([10.0, 100.0])])
    return {
        "x": values(x.grad),
        "missing": attempt(lambda: T.autograd.backward([x * 2], None), "only for scalar outputs"),
        "count": attempt(lambda: T.autograd.backward([x * 2, x], [T.ones(2)]))["raised"],
    }


def case_same_root_twice(T):
    """A root given twice counts twice."""
    x = T.tensor([2.0], requires_grad=True)
    y = (x * x).sum()
    T.autograd.backward([y, y])
    return {"x": values(x.grad)}


def case_a_root_that_leads_to_another(T):
    """One root may lie on the way from another."""
    x = T.tensor([2.0], requires_grad=True)
    h = (x * 3).sum()
    y = h * h
    T.autograd.backward([y, h])
    return {"x": values(x.grad)}


def case_integer_branch_is_passed_over(T):
    """An integer tensor takes part and receives nothing."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    n = T.tensor([2, 3])
    y = x**n + x * n
    return {"parents": parents_of(x * n), "grads": grads(y, x), "n": values(n.grad)}


def case_gradient_dtypes_along_a_mixed_path(T):
    """Each leaf's gradient has the leaf's dtype; retained gradients have their tensor's."""
    a = T.tensor([1.0], requires_grad=True)
    b = T.tensor([2.0], dtype=T.float64, requires_grad=True)
    h = a * b
    h.retain_grad()
    (h.float() * 3).sum().backward()
    return {"a": info(a.grad), "b": info(b.grad), "h": dtype_of(h.grad)}


def case_retain_grad_after_use(T):
    """retain_grad may be asked any time before backward."""
    x = T.tensor([2.0], requires_grad=True)
    h = x * 3
    loss = (h * h).sum()
    h.retain_grad()
    h.retain_grad()
    loss.backward()
    return {"h": values(h.grad), "retains": h.retains_grad}


def case_retained_gradient_reaches_the_object_not_the_value(T):
    """Only the object that asked keeps the gradient; an equal tensor does not."""
    x = T.tensor([2.0], requires_grad=True)
    h = x * 3
    same_value = x * 3
    h.retain_grad()
    ((h + same_value) ** 2).sum().backward()
    return {"h": values(h.grad), "other": values(same_value.grad)}


def case_retained_gradient_can_be_reset(T):
    """The .grad of a result may be set to None like a leaf's."""
    x = T.tensor([2.0], requires_grad=True)
    h = x * 3
    h.retain_grad()
    h.sum().backward(retain_graph=True)
    h.grad = None
    h.sum().backward()
    return {"h": values(h.grad)}


def case_warning_for_gradients_of_results(T):
    """Reading .grad warns for a result, not for one that retains it nor for a detached one."""
    x = T.tensor([2.0], requires_grad=True)
    h, kept = x * 3, x * 3
    kept.retain_grad()
    phrase = "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"
    return {
        "result": listen(lambda: h.grad, phrase, "retain_grad()"),
        "kept": listen(lambda: kept.grad, phrase),
        "detached": listen(lambda: h.detach().grad, phrase),
        "view": listen(lambda: x[0].grad, phrase),
    }


def case_grad_fn_identity(T):
    """A tensor hands out one and the same node each time."""
    x = T.tensor([2.0], requires_grad=True)
    y = x * 3
    z = y + 1
    return {
        "same": y.grad_fn is y.grad_fn,
        "parent": z.grad_fn.next_functions[0][0] is y.grad_fn,
        "leaf_node": y.grad_fn.next_functions[0][0].variable is x,
        "number": y.grad_fn.next_functions[0][1],
    }


def case_accumulators_are_shared(T):
    """Two uses of a leaf lead to one accumulator."""
    x = T.tensor([2.0], requires_grad=True)
    y, z = x * 3, x + 1
    node = y.grad_fn.next_functions[0][0]
    return {
        "name": node.name().split("::")[-1],
        "same": node is z.grad_fn.next_functions[0][0],
        "edges": len(node.next_functions),
    }


def case_output_number(T):
    """Results of one node are told apart by number."""
    x = T.arange(6.0).view(3, 2).clone().requires_grad_()
    rows = x.unbind(0)
    out = rows[2] * 1
    return {
        "numbers": [row.output_nr for row in rows],
        "edge": out.grad_fn.next_functions[0][1],
        "one_node": rows[0].grad_fn is rows[2].grad_fn,
    }


def case_only_some_outputs_are_used(T):
    """Outputs that nobody used count as zero."""
    x = T.tensor([[3.0, 1.0], [2.0, 4.0]], requires_grad=True)
    top, _ = x.max(dim=1)
    first, second, third = T.tensor([1.0, 2.0, 3.0], requires_grad=True).unbind(0)
    return {"max": grads(top[1:], x), "unbind": values(T.autograd.grad(second * 5, second)[0])}


def case_deep_chain(T):
    """Ten thousand steps go back without running out of stack."""
    x = T.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(10000):
        y = y + x
    y.backward()
    return {"grad": x.grad.item()}


def case_wide_fan(T):
    """A thousand users of one result are added up before it goes on."""
    calls = []
    x = T.tensor(1.0, requires_grad=True)
    h = x * 2
    h.register_hook(lambda grad: calls.append(grad.item()))
    total = h * 0
    for k in range(1000):
        total = total + h
    total.backward()
    return {"calls": calls, "grad": x.grad.item()}


def case_two_passes_over_separate_graphs_interleaved(T):
    """Graphs over the same leaves do not disturb each other."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    first, second = (x * x).sum(), x.exp().sum()
    second.backward()
    middle = values(x.grad)
    first.backward()
    return {"middle": middle, "grad": values(x.grad)}


def case_graph_is_let_go_after_backward(T):
    """backward frees what the graph kept, though the loss is still there."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    watched = weakref.ref(h)
    loss = (h * h).sum()
    del h
    gc.collect()
    before = watched() is not None
    loss.backward()
    gc.collect()
    return {
        "object_kept_before": before,
        "object_kept_after": watched() is not None,
        "grad": values(x.grad),
    }


def case_gradient_of_a_broadcast_scalar_leaf(T):
    """A scalar leaf used against a matrix gets one number."""
    s = T.tensor(2.0, requires_grad=True)
    return {"grads": grads(T.arange(6.0).view(2, 3) * s, s)}


def case_gradient_of_a_transposed_leaf(T):
    """A leaf with turned strides gets a gradient of its shape."""
    x = T.arange(6.0).view(2, 3).t().detach().requires_grad_()
    return {"grads": grads(x * T.arange(6.0).view(3, 2), x)}


def case_leaf_switched_off_between_forward_and_backward(T):
    """A leaf switched off after the forward pass is still part of the recorded graph."""
    x = T.tensor([2.0], requires_grad=True)
    y = (x * 3).sum()
    x.requires_grad_(False)
    result = attempt(y.backward)
    return {"raised": result["raised"], "grad": values(x.grad)}


def case_leaf_shape_changed_between_forward_and_backward(T):
    """A leaf whose .data got another shape is refused the old graph's gradient."""
    x = T.tensor([2.0, 3.0], requires_grad=True)
    y = (x + 1).sum()
    x.data = T.tensor([1.0, 2.0, 3.0])
    return {"raised": attempt(y.backward)["raised"], "grad": values(x.grad)}


def case_nan_and_inf_gradients_flow(T):
    """Gradients that are not finite are handed on as they are."""
    x = T.tensor([0.0, 1.0], requires_grad=True)
    y = x.sqrt() * 0
    return {"grads": grads(y, x)}


def case_backward_inside_a_hook(T):
    """A hook may record and run a backward of another graph."""
    x = T.tensor([2.0], requires_grad=True)
    z = T.tensor([5.0], requires_grad=True)

    def hook(grad):
        with T.enable_grad():
            (z * 3).sum().backward()

    x.register_hook(hook)
    (x * 2).sum().backward()
    return {"x": values(x.grad), "z": values(z.grad)}


def case_backward_changes_no_values(T):
    """backward leaves all values and versions of the forward pass alone."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    h = x.tanh()
    y = h * x
    before = [values(t) for t in (x, h, y)]
    y.sum().backward()
    return {
        "same": before == [values(t) for t in (x, h, y)],
        "versions": [t._version for t in (x, h, y)],
    }


def case_mode_after_a_failed_backward(T):
    """A backward that fails leaves recording switched on."""
    x = T.tensor([1.0], requires_grad=True)

    def fail(grad):
        raise ValueError("stop")

    h = x * 2
    h.register_hook(fail)
    result = attempt(h.sum().backward, "stop")
    return {"result": result, "enabled": T.is_grad_enabled(), "later": flags(x * 2)}


def case_anomaly_mode_names_the_forward_call(T):
    """Under detect_anomaly an error in backward warns with the forward call's traceback."""
    x = T.tensor([1.0, 2.0], requires_grad=True)

    def run():
        with T.autograd.detect_anomaly():
            y = x.exp()
            loss = y.sum()
            y.mul_(2)
            attempt(loss.backward)

    return listen(run, "Error detected in ExpBackward0", "Traceback of forward call")


def case_anomaly_mode_finds_nan(T):
    """Under detect_anomaly a nan in backward is an error that names the node."""
    x = T.tensor([0.0], requires_grad=True)

    def run():
        with T.autograd.detect_anomaly():
            (x.sqrt() * 0).sum().backward()

    return attempt(run, "Function 'SqrtBackward0' returned nan values in its 0th output")
