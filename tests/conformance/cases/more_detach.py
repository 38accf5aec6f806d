"""More about detach, detach_, .data and clone: what travels along, what stays, what is shared."""

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
    shape,
    values,
)


def case_detach_twice(T):
    """A detached tensor can be detached again; all three count together."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    d = x.detach()
    dd = d.detach()
    dd.add_(1)
    return {
        "same_object": d is dd,
        "flags": flags(dd),
        "versions": [x._version, d._version, dd._version],
        "x": values(x),
    }


def case_detach_carries_no_gradient(T):
    """The gradient that the source has collected does not come along."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x * 3).sum().backward()
    return {"x": values(x.grad), "detached": values(x.detach().grad), "data": values(x.data.grad)}


def case_detach_carries_no_hooks(T):
    """Hooks of the source stay with the source."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)
    y = x * 1
    y.register_hook(lambda grad: calls.append("y"))
    d = y.detach().requires_grad_()
    (d * 2).sum().backward()
    before = list(calls)
    (y * 2).sum().backward()
    return {"before": before, "after": calls}


def case_detach_carries_no_retaining(T):
    """A detached alias of a result that retains its gradient does not retain."""
    x = T.tensor([1.0], requires_grad=True)
    y = x * 2
    y.retain_grad()
    return {"y": y.retains_grad, "detached": y.detach().retains_grad}


def case_detach_of_a_view_has_no_base(T):
    """A view knows its base; its detached alias is no view to autograd."""
    x = T.arange(4.0).requires_grad_()
    v = x[:2]
    return {
        "view": v._base is x,
        "detached": v.detach()._base is None,
        "data": v.data._base is None,
        "detach_inplace": attempt(v.detach().detach_)["raised"],
    }


def case_view_of_a_detached_alias(T):
    """A view of the detached alias has the alias for its base, and the same counter."""
    x = T.arange(4.0).requires_grad_()
    d = x.detach()
    v = d[1:3]
    v.mul_(10)
    return {
        "base": v._base is d,
        "x": values(x),
        "versions": [x._version, d._version, v._version],
        "flags": flags(v),
    }


def case_detach_of_an_expanded_tensor(T):
    """Detaching does not untie the stretched elements; writing is still refused."""
    x = T.tensor([1.0], requires_grad=True)
    d = x.expand(3).detach()
    return {
        "error": attempt(lambda: d.add_(1), "more than one element of the written-to tensor"),
        "values": values(d),
        "stride": list(d.stride()),
    }


def case_detach_keeps_strides(T):
    """The detached alias has the strides of its source."""
    x = T.arange(6.0).view(2, 3).requires_grad_()
    d = x.t().detach()
    return {
        "stride": list(d.stride()),
        "contiguous": d.is_contiguous(),
        "offset": x[1].detach().storage_offset(),
    }


def case_detach_inplace_returns_itself(T):
    """detach_ hands back the very tensor."""
    y = T.tensor([1.0], requires_grad=True) * 2
    returned = y.detach_()
    return {"same": returned is y, "flags": flags(y), "version": y._version}


def case_detach_inplace_on_a_leaf(T):
    """On a leaf detach_ switches requires_grad off; the collected gradient stays."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x * 3).sum().backward()
    x.detach_()
    return {"flags": flags(x), "grad": values(x.grad)}


def case_detach_inplace_then_switched_on(T):
    """After detach_ the tensor may be switched on and is then a leaf of its own."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.detach_().requires_grad_()
    (y * y).sum().backward()
    return {"x": values(x.grad), "y": values(y.grad), "flags": flags(y)}


def case_detach_inplace_does_not_reach_earlier_results(T):
    """What was computed before detach_ keeps its history through the old node."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = y + 1
    y.detach_()
    z.sum().backward()
    return {"grad": values(x.grad), "y": flags(y), "z": grad_fn_of(z)}


def case_detach_inplace_with_a_view_taken_before(T):
    """A view taken before detach_ of its base still leads back."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    v = y[:1]
    y.detach_()
    v.sum().backward()
    return {"grad": values(x.grad), "v": flags(v)}


def case_detach_inplace_under_no_grad(T):
    """detach_ works the same under no_grad."""
    y = T.tensor([1.0], requires_grad=True) * 2
    with T.no_grad():
        y.detach_()
    return {"flags": flags(y), "later": flags(y * 2)}


def case_detach_inplace_keeps_the_hook(T):
    """A hook belongs to the tensor: after detach_ it fires for the new leaf."""
    calls = []
    x = T.tensor([1.0], requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad: calls.append(values(grad)))
    y.detach_().requires_grad_()
    (y * 5).sum().backward()
    return {"calls": calls, "grad": values(y.grad), "x": values(x.grad)}


def case_detach_inplace_of_a_retaining_result(T):
    """After detach_ the tensor is a leaf, which collects its gradient once it is switched on."""
    y = T.tensor([1.0], requires_grad=True) * 2
    y.retain_grad()
    y.detach_().requires_grad_()
    (y * 3).sum().backward()
    return {"is_leaf": y.is_leaf, "grad": values(y.grad)}


def case_detach_function_form(T):
    """Both calls exist as functions of the package."""
    y = T.tensor([1.0], requires_grad=True) * 2
    d = T.detach(y)
    return {"detach": flags(d), "shares": same_memory(d, y), "inplace": flags(T.detach_(y))}


def case_detach_of_integers_and_bools(T):
    """Tensors that can never require a gradient can be detached all the same."""
    n, b = T.tensor([1, 2]), T.tensor([True, False])
    d = n.detach()
    d.add_(1)
    return {"n": info(n), "b": info(b.detach()), "version": n._version}


def case_detached_alias_of_a_leaf_switched_on_refuses_writes(T):
    """Switched on, the alias is a leaf: in-place writes are refused there as well."""
    x = T.tensor([1.0, 2.0])
    d = x.detach().requires_grad_()
    return {
        "alias": attempt(
            lambda: d.add_(1), "a leaf Variable that requires grad is being used in an in-place"
        ),
        "source": attempt(lambda: x.add_(1)),
        "d": values(d),
        "version": d._version,
    }


def case_detached_mask_and_index(T):
    """Detached tensors serve as masks, conditions and positions."""
    x = T.tensor([1.0, -2.0, 3.0], requires_grad=True)
    mask = x.detach() > 0
    place = x.detach().argmax()
    out = x[mask].sum() * 10 + T.where(mask, x, T.zeros(3)).sum() + x[place]
    return {"grad": grads(out, x)}


def case_comparison_has_no_history(T):
    """A comparison needs no detach: its result never requires a gradient."""
    x = T.tensor([1.0, -2.0], requires_grad=True)
    return {
        "gt": flags(x > 0),
        "eq": flags(x == x),
        "argmax": flags(x.argmax()),
        "isnan": flags(T.isnan(x)),
    }


def case_tensor_of_a_tensor_copies_and_warns(T):
    """T.tensor(t) copies, cuts, and tells to say clone().detach()."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    heard = listen(lambda: T.tensor(x), "To copy construct from a tensor", "detach()")
    t = T.tensor(x)
    t.add_(1)
    return {"heard": heard, "flags": flags(t), "x": values(x)}


def case_as_tensor_of_a_result_stays_attached(T):
    """as_tensor hands the very tensor back, with its history; another dtype is one more step."""
    y = T.tensor([1.0, 2.0], requires_grad=True) * 2
    wide = T.as_tensor(y, dtype=T.float64)
    return {"same": T.as_tensor(y) is y, "wide": flags(wide), "name": grad_fn_of(wide)}


def case_like_factories_take_nothing_along(T):
    """zeros_like of a result is a plain leaf, with requires_grad only on request."""
    y = T.tensor([1.0, 2.0], requires_grad=True) * 2
    return {
        "zeros": flags(T.zeros_like(y)),
        "asked": flags(T.ones_like(y, requires_grad=True)),
        "full": flags(T.full_like(y, 3.0)),
        "empty": shape(T.empty_like(y)),
    }


def case_detach_frees_what_only_the_graph_held(T):
    """Keeping the detached tensor keeps the memory, not the graph behind it."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    middle = x * 2
    watched = weakref.ref(middle)
    y = middle * middle
    kept = y.detach()
    del middle
    gc.collect()
    before = watched() is None
    del y
    gc.collect()
    return {
        "held_by_graph": not before,
        "held_by_detached": watched() is not None,
        "kept": values(kept),
    }


def case_saved_inputs_live_as_long_as_the_graph(T):
    """The tensor object of a saved input dies; its values live on in the graph."""
    x = T.tensor([2.0], requires_grad=True)
    h = x * 3
    loss = (h * h).sum()
    del h
    gc.collect()
    loss.backward()
    return {"grad": values(x.grad)}


def case_source_can_be_forgotten(T):
    """The detached tensor outlives its source."""
    y = (T.tensor([1.0, 2.0], requires_grad=True) * 2).detach()
    gc.collect()
    y.add_(1)
    return {"values": values(y), "version": y._version}


def case_data_is_a_new_object_each_time(T):
    """Every .data is a new tensor on the same memory."""
    x = T.tensor([1.0])
    return {"same_object": x.data is x.data, "shares": same_memory(x.data, x.data)}


def case_data_of_a_view(T):
    """A write through the .data of a view shows in the base, uncounted."""
    x = T.arange(4.0)
    x[1:3].data.fill_(9.0)
    return {"x": values(x), "version": x._version}


def case_data_write_spoils_a_gradient_silently(T):
    """Through .data a saved value is overwritten and nobody notices: the gradient is wrong."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x.sigmoid()
    y.data.zero_()
    y.sum().backward()
    return {"grad": values(x.grad)}


def case_detach_write_spoils_loudly(T):
    """Through detach the same write is noticed."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x.sigmoid()
    loss = y.sum()
    y.detach().zero_()
    return {
        "error": attempt(loss.backward, "modified by an inplace operation"),
        "grad": values(x.grad),
    }


def case_data_setter_checks_what_it_gets(T):
    """.data takes a tensor of the same kind."""
    x = T.tensor([1.0, 2.0], requires_grad=True)

    def set_to(value):
        def change():
            x.data = value

        return change

    return {
        "number": attempt(set_to(3.0))["raised"],
        "array_like": attempt(set_to([1.0]))["raised"],
        "integers": attempt(set_to(T.tensor([1, 2])))["raised"],
        "values": values(x),
    }


def case_data_setter_may_change_the_shape(T):
    """Assigning .data may change the shape, and shares memory with what was assigned."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    new = T.tensor([[1.0, 2.0, 3.0]])
    x.data = new
    new.add_(1)
    return {"shape": shape(x), "values": values(x), "flags": flags(x), "version": x._version}


def case_data_setter_keeps_the_counter(T):
    """Assigning .data does not count as an in-place write."""
    x = T.tensor([1.0, 2.0])
    x.add_(1)
    x.data = T.zeros(2)
    alias = x.data
    alias.add_(1)
    return {"x": x._version, "alias": alias._version, "values": values(x)}


def case_data_setter_on_a_result(T):
    """Assigning .data of a result leaves its node in place."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.data = T.tensor([100.0, 200.0])
    name = grad_fn_of(y)
    y.sum().backward()
    return {"name": name, "y": values(y), "grad": values(x.grad)}


def case_swapping_data_of_two_leaves(T):
    """Two leaves can exchange their memory through .data."""
    a = T.tensor([1.0], requires_grad=True)
    b = T.tensor([2.0], requires_grad=True)
    a.data, b.data = b.data, a.data
    return {"a": values(a), "b": values(b), "grads": grads(a * 10 + b * b, a, b)}


def case_clone_is_a_step_of_the_graph(T):
    """clone passes the gradient on; its node has the source before it."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = (x * 2).clone()
    return {"name": grad_fn_of(y), "parents": parents_of(y), "grads": grads(y * y, x)}


def case_clone_protects_a_saved_value(T):
    """Writing to a clone leaves what was saved alone."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    c = y.clone()
    c.mul_(100)
    y.sum().backward()
    return {"grad": values(x.grad), "c": values(c), "versions": [y._version, c._version]}


def case_clone_of_a_plain_tensor(T):
    """A clone of a tensor without history is a plain leaf with a counter of its own."""
    x = T.tensor([1.0, 2.0])
    x.add_(1)
    c = x.clone()
    return {"flags": flags(c), "version": c._version, "shares": same_memory(x, c)}


def case_clone_keeps_the_layout(T):
    """A clone of a transposed matrix keeps its strides; a clone of an expanded one does not."""
    x = T.arange(6.0).view(2, 3)
    return {
        "transposed": list(x.t().clone().stride()),
        "expanded": list(T.zeros(1).expand(3).clone().stride()),
        "sliced": list(x[:, :2].clone().stride()),
    }


def case_gradient_assigned_by_hand(T):
    """.grad can be set, replaced and deleted; wrong shapes and kinds are refused."""
    x = T.tensor([1.0, 2.0], requires_grad=True)

    def assign(value):
        def change():
            x.grad = value

        return change

    x.grad = T.tensor([5.0, 6.0])
    (x * 1).sum().backward()
    total = values(x.grad)
    found = {
        "total": total,
        "shape": attempt(assign(T.zeros(3)), "the gradient and the tensor are the same size"),
        "dtype": attempt(assign(T.zeros(2, dtype=T.float64)))["raised"],
        "number": attempt(assign(1.0), "assigned grad expected to be a Tensor or None"),
        "itself": attempt(assign(x), "can't assign Variable as its own grad"),
        "kept": values(x.grad),
    }
    del x.grad
    found["deleted"] = values(x.grad)
    return found


def case_gradient_of_a_plain_leaf_can_be_set(T):
    """Even a tensor that requires no gradient can hold one."""
    x = T.tensor([1.0, 2.0])
    x.grad = T.ones(2)
    return {"grad": values(x.grad), "flags": flags(x)}


def case_detached_gradient_keeps_its_source_out(T):
    """A gradient made with create_graph stays attached until it is detached."""
    x = T.tensor([3.0], requires_grad=True)
    (g,) = T.autograd.grad((x**3).sum(), x, create_graph=True)
    return {"attached": flags(g), "detached": flags(g.detach()), "value": values(g)}


def case_every_second_step_detached(T):
    """Detaching every second state leaves chains of two steps."""
    w = T.tensor(0.5, requires_grad=True)
    h = T.tensor(1.0)
    total = T.tensor(0.0)
    for step in range(6):
        h = h * w
        total = total + h
        if step % 2:
            h = h.detach()
    return {"total": total.item(), "grads": grads(total, w)}


def case_detach_on_one_side_of_a_matrix_product(T):
    """Detaching one factor of a matrix product leaves the other's gradient as it was."""
    a = T.tensor([[1.0, 2.0]], requires_grad=True)
    b = T.tensor([[3.0], [4.0]], requires_grad=True)
    out = a @ b.detach() * 2
    return {"parents": parents_of(a @ b.detach()), "grads": grads(out, a, b)}


def case_detach_inside_a_loss_of_two_terms(T):
    """stop-gradient on each side in turn: the two commitment terms of vector quantisation."""
    z = T.tensor([1.0, 2.0], requires_grad=True)
    e = T.tensor([1.5, 1.0], requires_grad=True)
    loss = ((z.detach() - e) ** 2).sum() + 0.25 * ((z - e.detach()) ** 2).sum()
    return {"loss": loss.item(), "grads": grads(loss, z, e)}


def case_detached_norm(T):
    """Dividing by a detached norm keeps only the direct path."""
    x = T.tensor([3.0, 4.0], requires_grad=True)
    norm = (x * x).sum().sqrt()
    return {"grads": grads((x / norm.detach()) * T.tensor([1.0, 10.0]), x)}


def case_detached_probabilities_as_weights(T):
    """Weights from a softmax that is not trained."""
    x = T.tensor([0.0, 1.0, 2.0], requires_grad=True)
    weights = T.softmax(x, dim=0).detach()
    return {"grads": grads(weights * x * x, x), "sum": weights.sum().item()}


def case_numpy_round_trip_cuts(T):
    """A trip through numpy cuts the graph and keeps the memory."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    back = T.from_numpy(y.detach().numpy())
    back.add_(1)
    return {"flags": flags(back), "y": values(y), "y_version": y._version, "back": back._version}


def case_dtype_conversion_then_detach(T):
    """Converting copies, so the detached alias of the converted tensor is private."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    d = x.double().detach()
    d.zero_()
    return {"x": values(x), "dtype": dtype_of(d)}


def case_requires_grad_inplace_on_a_detached_result(T):
    """detach().requires_grad_() in one chain gives a leaf."""
    y = (T.tensor([1.0, 2.0], requires_grad=True) * 2).detach().requires_grad_(True)
    return {"flags": flags(y), "grads": grads(y * y, y)}


def case_list_of_detached_slices_shares_the_whole(T):
    """Detached slices kept in a list all look at the one buffer."""
    x = T.arange(4.0).requires_grad_()
    kept = [x[i : i + 2].detach() for i in range(3)]
    with T.no_grad():
        x.mul_(10)
    return {"kept": [values(k) for k in kept], "versions": [k._version for k in kept]}


def case_metadata_of_a_detached_alias(T):
    """A dimension put into the detached alias in place does not show in the source."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    d = x.detach()
    result = attempt(lambda: d.unsqueeze_(0))
    return {"result": result["raised"], "d": shape(d), "x": shape(x)}
