"""More about views: bases, histories after writes, and views made where nothing is recorded."""

from .observe import (
    attempt,
    flags,
    grad_fn_of,
    grads,
    info,
    parents_of,
    same_memory,
    shape,
    values,
)


def case_base_of_a_view(T):
    """A view of a view has the first tensor for its base; a copy has none."""
    x = T.arange(6.0)
    v = x.view(2, 3)
    return {
        "view": v._base is x,
        "view_of_view": v[1]._base is x,
        "own": x._base is None,
        "clone": v.clone()._base is None,
        "index_list": x[[0, 1]]._base is None,
        "result": (v * 2)._base is None,
    }


def case_node_names_of_views(T):
    """Each way of looking has a node of its own name."""
    x = T.arange(6.0).view(2, 3).clone().requires_grad_()
    return {
        "view": grad_fn_of(x.view(6)),
        "reshape": grad_fn_of(x.reshape(6)),
        "reshape_copy": grad_fn_of(x.t().reshape(6)),
        "flatten": grad_fn_of(x.flatten()),
        "t": grad_fn_of(x.t()),
        "transpose": grad_fn_of(x.transpose(0, 1)),
        "permute": grad_fn_of(x.permute(1, 0)),
        "T": grad_fn_of(x.T),
        "select": grad_fn_of(x[0]),
        "slice": grad_fn_of(x[:1]),
        "slice_and_select": grad_fn_of(x[:, 0]),
        "whole": grad_fn_of(x[:]),
        "ellipsis": grad_fn_of(x[...]),
        "unsqueeze": grad_fn_of(x.unsqueeze(0)),
        "none": grad_fn_of(x[None]),
        "squeeze": grad_fn_of(x[:1].squeeze()),
        "squeeze_dim": grad_fn_of(x[:1].squeeze(0)),
        "expand": grad_fn_of(x[:1].expand(4, 3)),
        "unbind": grad_fn_of(x.unbind(0)[1]),
        "list": grad_fn_of(x[[0, 1]]),
        "mask": grad_fn_of(x[x > 1]),
        "contiguous": grad_fn_of(x.t().contiguous()),
    }


def case_views_that_return_the_tensor_itself(T):
    """reshape, expand and squeeze make a new tensor even where nothing changes; flatten does not."""
    x = T.zeros(3)
    return {
        "reshape": x.reshape(3) is x,
        "view": x.view(3) is x,
        "expand": x.expand(3) is x,
        "squeeze": x.squeeze() is x,
        "flatten": x.flatten() is x,
        "contiguous": x.contiguous() is x,
        "slice": x[:] is x,
        "to": x.to(T.float32) is x,
        "float": x.float() is x,
    }


def case_inplace_on_a_view_of_a_leaf(T):
    """A view of a leaf that requires a gradient cannot be written either."""
    x = T.zeros(4, requires_grad=True)
    v = x[:2]
    return {
        "direct": attempt(lambda: v.add_(1), "a view of a leaf Variable that requires grad"),
        "deep": attempt(lambda: x.view(2, 2)[0].mul_(2), "a view of a leaf Variable"),
        "values": values(x),
        "version": x._version,
    }


def case_inplace_on_a_view_of_a_leaf_under_no_grad(T):
    """Under no_grad a view of a leaf may be written; the leaf shows it and counts it."""
    x = T.zeros(4, requires_grad=True)
    v = x[:2]
    with T.no_grad():
        v.add_(5)
    return {"x": values(x), "version": x._version, "flags": flags(x), "grads": grads(x * x, x)}


def case_view_of_a_leaf_after_an_unrecorded_write(T):
    """A view of a leaf keeps a history after the leaf was written under no_grad."""
    x = T.ones(3, requires_grad=True)
    v = x[:2]
    with T.no_grad():
        x.mul_(2)
    out = (v * v).sum()
    return {"name": grad_fn_of(v), "grads": grads(out, x), "v": values(v)}


def case_view_made_under_no_grad_refuses_recorded_writes(T):
    """A view made under no_grad may not be written while recording."""
    x = T.ones(3, requires_grad=True)
    y = x * 1
    with T.no_grad():
        v = y[:2]
    return {
        "error": attempt(lambda: v.mul_(2), "view", "no_grad"),
        "y": values(y),
        "version": y._version,
    }


def case_view_made_under_no_grad_of_a_plain_base(T):
    """Where the base requires no gradient, such a view may be written with plain values."""
    y = T.ones(3)
    with T.no_grad():
        v = y[:2]
    v.mul_(2)
    return {"y": values(y), "version": y._version, "flags": flags(v)}


def case_view_made_under_no_grad_takes_no_gradient(T):
    """A view made under no_grad has no node, so nothing comes back through it."""
    x = T.ones(3, requires_grad=True)
    y = x * 2
    with T.no_grad():
        v = y[:2]
    return {"has_node": v.grad_fn is not None, "is_leaf": v.is_leaf}


def case_base_written_under_no_grad(T):
    """A base written under no_grad keeps its history, and so do its views."""
    x = T.ones(3, requires_grad=True)
    y = x * 2
    v = y[1:]
    with T.no_grad():
        y.fill_(7)
    return {"name": grad_fn_of(y), "v": values(v), "grads": grads(v * 3, x)}


def case_view_written_under_no_grad(T):
    """A view written under no_grad changes the base's values, not its history."""
    x = T.ones(3, requires_grad=True)
    y = x * 2
    v = y[1:]
    with T.no_grad():
        v.fill_(7)
    return {"name": grad_fn_of(y), "y": values(y), "version": y._version, "grads": grads(y, x)}


def case_history_of_a_view_after_a_write_through_it(T):
    """After a write through a view, the base's node is CopySlices and the view's one is made anew."""
    x = T.ones(4, requires_grad=True)
    y = x * 1
    v = y[:2]
    before = grad_fn_of(v)
    v.mul_(3)
    return {
        "before": before,
        "after": grad_fn_of(v),
        "base": grad_fn_of(y),
        "parents": parents_of(y),
        "grads": grads(y * T.arange(4.0), x),
    }


def case_history_of_a_view_after_a_write_to_its_base(T):
    """After a write to the base the view's node is made anew."""
    x = T.ones(4, requires_grad=True)
    y = x * 1
    v = y.view(2, 2)
    y.add_(1)
    return {"view": grad_fn_of(v), "base": grad_fn_of(y), "grads": grads(v * v, x)}


def case_two_writes_through_two_views(T):
    """Writes through different views stack up in the base's history."""
    x = T.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    y = x * 1
    y[:2].mul_(10)
    y[1:3].mul_(100)
    return {"y": values(y), "parents": parents_of(y), "grads": grads(y, x)}


def case_write_through_a_transposed_view(T):
    """A write through a transpose lands on transposed places, its gradient too."""
    x = T.arange(6.0).view(2, 3).clone().requires_grad_()
    y = x * 1
    y.t()[0].mul_(T.tensor([10.0, 100.0]))
    return {"y": values(y), "grads": grads(y, x)}


def case_write_through_a_view_with_a_step(T):
    """A view with a step is written in its own places only."""
    x = T.arange(6.0).requires_grad_()
    y = x * 1
    y[::2].mul_(y[1::2].detach().clone())
    return {"y": values(y), "grads": grads(y, x)}


def case_factor_beside_the_written_places(T):
    """A saved factor in the very memory that is written is spoiled by the write itself."""
    x = T.arange(6.0).requires_grad_()
    y = x * 1
    y[::2].mul_(y[1::2].detach())
    return attempt(y.sum().backward, "modified by an inplace operation", "expected version 0")


def case_view_used_before_and_after_a_write(T):
    """What was computed from a view before the write keeps the old history."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    v = y[:1]
    early = v + 0
    y.mul_(10)
    late = v + 0
    return {"values": [values(early), values(late)], "grads": grads(early * 3 + late * 5, x)}


def case_saved_view_is_protected(T):
    """A product of views is spoiled by a write to any part of the base."""
    x = T.ones(4, requires_grad=True)
    y = x * 1
    loss = (y[:2] * y[:2]).sum()
    y[3:].add_(1)
    return attempt(loss.backward, "modified by an inplace operation")


def case_saved_base_is_protected(T):
    """A product of the base is spoiled by a write through a view."""
    x = T.ones(4, requires_grad=True)
    y = x * 1
    loss = (y * y).sum()
    y.view(2, 2)[0, 0] = 5.0
    return attempt(loss.backward, "modified by an inplace operation", "is at version 1")


def case_copy_into_a_view_with_a_gradient(T):
    """copy_ into part of a plain buffer gives the buffer a history."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    buffer = T.zeros(4)
    before = flags(buffer)
    buffer[1:3].copy_(x * 3)
    return {
        "before": before,
        "after": flags(buffer),
        "name": grad_fn_of(buffer),
        "grads": grads(buffer * T.arange(4.0), x),
    }


def case_plain_view_after_its_base_gets_a_history(T):
    """A view taken before the base joined the graph joins with it."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    buffer = T.zeros(4)
    v = buffer[:2]
    buffer[1:3].copy_(x)
    return {"v": flags(v), "name": grad_fn_of(v), "grads": grads(v * 10, x)}


def case_base_switched_on_after_the_view(T):
    """A view taken before its base is switched on repeats the flag and takes no gradient."""
    base = T.ones(3)
    v = base[:2]
    base.requires_grad_()
    return {"v": v.requires_grad, "node": v.grad_fn is None, "leaf": v.is_leaf}


def case_unbind_rows_are_linked(T):
    """Rows from unbind refuse recorded writes and allow unrecorded ones."""
    x = T.ones(2, 2, requires_grad=True)
    y = x * 1
    rows = y.unbind(0)
    error = attempt(lambda: rows[0].mul_(2), "multiple views")
    with T.no_grad():
        rows[0].mul_(2)
    return {"error": error, "y": values(y), "grads": grads(y, x)}


def case_unbind_gradients(T):
    """A row that is not used gets zeros."""
    x = T.arange(6.0).view(3, 2).clone().requires_grad_()
    rows = x.unbind(0)
    return {"count": len(rows), "grads": grads(rows[0] * rows[2], x)}


def case_unbind_to_scalars(T):
    """The elements of a vector, one by one: each sends its gradient to its own place."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a, b, c = (x * 2).unbind(0)
    p, q, r = x * 3
    return {"grads": grads(a + b * 10 + c * 100 + p * q, x), "values": [r.item(), c.item()]}


def case_chunk_and_split_are_views(T):
    """chunk and split give views; the last piece may be smaller."""
    x = T.arange(5.0)
    pieces = x.chunk(2)
    parts = x.split(2)
    listed = x.split([1, 4])
    pieces[0].add_(100)
    return {
        "chunk": [shape(p) for p in pieces],
        "split": [shape(p) for p in parts],
        "listed": [shape(p) for p in listed],
        "x": values(x),
        "seen": values(parts[0]),
    }


def case_narrow_and_select(T):
    """narrow and select are views by number."""
    x = T.arange(6.0).view(2, 3).clone().requires_grad_()
    a = x.narrow(1, 1, 2)
    b = x.select(1, 0)
    return {
        "a": info(a),
        "b": info(b),
        "names": [grad_fn_of(a), grad_fn_of(b)],
        "grads": grads(a, x),
    }


def case_diagonal(T):
    """The diagonal is a view; writing it writes the matrix."""
    x = T.zeros(3, 3)
    x.diagonal().add_(T.tensor([1.0, 2.0, 3.0]))
    y = T.ones(2, 2, requires_grad=True)
    return {"x": values(x), "grads": grads(y.diagonal() * T.tensor([3.0, 5.0]), y)}


def case_unfold_of_dimensions(T):
    """unflatten takes a dimension apart, movedim carries one elsewhere."""
    x = T.arange(6.0).requires_grad_()
    y = x.unflatten(0, (2, 3)).movedim(0, 1)
    return {"shape": shape(y), "shares": same_memory(x, y), "grads": grads(y[0] * 2, x)}


def case_expand_gradient_adds_up(T):
    """Every stretched element sends its gradient to the one place."""
    x = T.tensor([[1.0], [2.0]], requires_grad=True)
    return {"grads": grads(x.expand(2, 3) * T.arange(6.0).view(2, 3), x)}


def case_expand_minus_one(T):
    """-1 keeps a size; new dimensions come in front."""
    x = T.zeros(2, 1)
    return {
        "keep": shape(x.expand(-1, 4)),
        "front": shape(x.expand(3, 2, 1)),
        "error": attempt(
            lambda: x.expand(4), "must be greater or equal to the number of dimensions"
        ),
        "new_minus": attempt(lambda: T.zeros(2).expand(-1, 2))["raised"],
    }


def case_expanded_view_may_be_read_and_copied(T):
    """An expanded tensor adds like any other; a clone may be written."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    e = x.expand(3, 2)
    c = e.clone()
    c[0] = 0.0
    return {"c": values(c), "grads": grads(c, x)}


def case_write_to_the_source_shows_in_the_expanded(T):
    """All stretched elements show a write to the one place."""
    x = T.tensor([1.0])
    e = x.expand(3)
    x.add_(1)
    return {"e": values(e), "version": e._version}


def case_view_as_and_expand_as(T):
    """The shape may be taken from another tensor."""
    x, like = T.arange(4.0), T.zeros(2, 2)
    return {
        "view_as": shape(x.view_as(like)),
        "reshape_as": shape(x.reshape_as(like)),
        "expand_as": shape(T.zeros(1, 2).expand_as(like)),
    }


def case_permute_and_transpose_with_negative_dims(T):
    """Dimensions may be counted from the end."""
    x = T.arange(24.0).view(2, 3, 4)
    return {
        "transpose": shape(x.transpose(-1, 0)),
        "permute": shape(x.permute(-1, 0, 1)),
        "mT": shape(x.mT),
        "same": values(x.transpose(0, 1)[1, 0]) == values(x[0, 1]),
        "repeated": attempt(lambda: x.permute(0, 0, 1))["raised"],
        "too_few": attempt(lambda: x.permute(0, 1))["raised"],
    }


def case_squeeze_several(T):
    """squeeze takes one dimension, several, or all of size one."""
    x = T.zeros(1, 2, 1, 3)
    return {
        "one": shape(x.squeeze(0)),
        "several": shape(x.squeeze((0, 2))),
        "negative": shape(x.squeeze(-2)),
        "not_one": shape(x.squeeze(1)),
        "range": attempt(lambda: x.squeeze(4), "Dimension out of range"),
    }


def case_unsqueeze_places(T):
    """A new dimension may stand at either end."""
    x = T.zeros(2, 3)
    return {
        "front": shape(x.unsqueeze(0)),
        "last": shape(x.unsqueeze(-1)),
        "negative": shape(x.unsqueeze(-3)),
        "error": attempt(lambda: x.unsqueeze(-4), "Dimension out of range"),
    }


def case_unsqueeze_inplace_on_a_result(T):
    """unsqueeze_ changes the very tensor and its history."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.unsqueeze_(0)
    return {
        "shape": shape(y),
        "name": grad_fn_of(y),
        "version": y._version,
        "grads": grads(y * 3, x),
    }


def case_flatten_with_a_range(T):
    """flatten joins a range of dimensions; a scalar becomes one element."""
    x = T.zeros(2, 3, 4)
    return {
        "all": shape(x.flatten()),
        "from_one": shape(x.flatten(1)),
        "first_two": shape(x.flatten(0, 1)),
        "scalar": shape(T.tensor(1.0).flatten()),
        "wrong": attempt(lambda: x.flatten(2, 1), "start_dim cannot come after end_dim"),
    }


def case_reshape_forms(T):
    """Sizes may come as numbers, a tuple, or a Size; one may be left out."""
    x = T.arange(6.0)
    return {
        "numbers": shape(x.reshape(2, 3)),
        "tuple": shape(x.reshape((3, 2))),
        "size": shape(x.reshape(T.zeros(2, 3).shape)),
        "list": shape(x.reshape([6, 1])),
        "two_open": attempt(lambda: x.reshape(-1, -1), "only one dimension can be inferred"),
        "function": shape(T.reshape(x, (-1, 2))),
        "negative": attempt(lambda: x.reshape(-2, 3))["raised"],
    }


def case_view_to_a_scalar_and_back(T):
    """One element may be seen with any number of dimensions."""
    x = T.tensor([3.0], requires_grad=True)
    s = x.view(())
    return {"shape": shape(s), "back": shape(s.view(1, 1, 1)), "grads": grads(s * s, x)}


def case_view_of_an_empty_tensor(T):
    """An empty tensor has views too; an open size is ambiguous with zero elements."""
    x = T.zeros(0, 3)
    return {
        "view": shape(x.view(3, 0)),
        "reshape": shape(x.reshape(0)),
        "open": attempt(lambda: x.view(-1, 0), "cannot reshape tensor of 0 elements", "ambiguous"),
        "open_fine": shape(x.view(-1, 3)),
    }


def case_view_of_a_slice_needs_matching_memory(T):
    """A block of columns cannot be viewed as one row; a block of rows can."""
    x = T.arange(12.0).view(3, 4)
    return {
        "rows": values(x[1:].view(8)),
        "columns": attempt(lambda: x[:, :2].view(6), "view size is not compatible"),
        "split_columns": shape(x[:, :2].view(3, 2, 1)),
        "reshape": values(x[:, :2].reshape(6)),
        "reshape_shares": same_memory(x, x[:, :2].reshape(6)),
    }


def case_gradient_through_a_chain_of_views(T):
    """Five views in a row send each element's gradient home."""
    x = T.arange(12.0).requires_grad_()
    y = x.view(3, 4).t()[1:, ::2].unsqueeze(0).flatten(1)
    return {"y": info(y), "grads": grads(y * T.arange(6.0), x)}


def case_contiguous_of_a_transpose(T):
    """contiguous copies a transpose and stays in the graph."""
    x = T.arange(4.0).view(2, 2).clone().requires_grad_()
    c = x.t().contiguous()
    return {
        "shares": same_memory(x, c),
        "is_contiguous": c.is_contiguous(),
        "grads": grads(c[0] * 5, x),
    }


def case_strides_and_offsets(T):
    """Where the elements of a view lie, counted in elements."""
    x = T.arange(24.0).view(2, 3, 4)
    return {
        "x": list(x.stride()),
        "transposed": list(x.transpose(0, 2).stride()),
        "stepped": list(x[:, :, ::2].stride()),
        "offset": x[1, 2].storage_offset(),
        "offset_after_step": x[:, 1:].storage_offset(),
        "stride_of_dim": x.stride(0),
        "expanded": list(T.zeros(3, 1).expand(3, 4).stride()),
    }


def case_inplace_on_a_view_then_the_base_is_read(T):
    """The base's node is up to date even when only the view was touched."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x.exp()
    v = y[:1]
    v.zero_()
    return {
        "requires": y.requires_grad,
        "base": grad_fn_of(y),
        "error": attempt((y * 1).sum().backward, "modified by an inplace operation"),
    }


def case_inplace_on_both_base_and_view(T):
    """Writes by turns through base and view."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    v = y[:1]
    y.mul_(2)
    v.mul_(3)
    y.mul_(5)
    v.add_(y[1:].detach())
    return {"y": values(y), "v": values(v), "version": y._version, "grads": grads(y, x)}


def case_view_with_its_own_hook_after_a_write(T):
    """A hook on a view fires only for the view's own node, with its part of the gradient."""
    seen = []
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    v = y[:2]
    v.register_hook(lambda grad: seen.append(values(grad)))
    (v * 3).sum().backward()
    return {"seen": seen, "x": values(x.grad)}


def case_retained_gradient_of_a_base_with_views(T):
    """The base's gradient adds up what came through all its views."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    (y[:2] * 2).sum().backward(retain_graph=True)
    first = values(y.grad)
    (y[1:] * 3).sum().backward()
    return {"first": first, "both": values(y.grad)}


def case_requires_grad_of_a_view_cannot_be_switched_off(T):
    """A view of a leaf that requires a gradient is a result."""
    x = T.ones(2, requires_grad=True)
    return attempt(lambda: x[:1].requires_grad_(False), "only change requires_grad flags of leaf")


def case_write_into_a_leaf_view_of_plain_memory(T):
    """A leaf that is a view of plain memory may be written under no_grad, and the memory shows it."""
    memory = T.zeros(4)
    w = memory[:2].requires_grad_()
    refused = attempt(lambda: w.add_(1), "leaf Variable")
    with T.no_grad():
        w.add_(1)
    return {"refused": refused["raised"], "memory": values(memory), "grads": grads(w * 3, w)}


def case_numpy_write_through_a_view(T):
    """The array of a view writes into the base, uncounted."""
    x = T.arange(4.0)
    x[1:3].numpy()[:] = 9.0
    return {"x": values(x), "version": x._version}


def case_iteration_over_a_matrix_gives_rows(T):
    """Unpacking gives rows in the graph."""
    x = T.arange(4.0).view(2, 2).clone().requires_grad_()
    a, b = x
    return {"a": flags(a), "name": grad_fn_of(a), "grads": grads(a * b, x)}
