"""More about mistakes: the exception class and the key words, and that nothing changed."""

from .observe import attempt, flags, listen, values


def case_shapes_that_do_not_broadcast(T):
    """The two sizes and the dimension are named, for every elementwise operation."""
    a, b = T.ones(2, 3), T.ones(2, 4)
    phrase = (
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
    )
    return {
        "add": attempt(lambda: a + b, phrase),
        "sub": attempt(lambda: a - b, phrase),
        "mul": attempt(lambda: a * b, phrase),
        "div": attempt(lambda: a / b, phrase),
        "pow": attempt(lambda: a**b, phrase),
        "lt": attempt(lambda: a < b, phrase),
        "maximum": attempt(lambda: T.maximum(a, b), phrase),
        "in_place": attempt(lambda: a.add_(b), phrase),
        "where": attempt(lambda: T.where(a > 0, a, b), "must match"),
        "ranks": attempt(
            lambda: T.ones(5, 2) + T.ones(3),
            "(2) must match the size of tensor b (3) at non-singleton dimension 1",
        ),
    }


def case_operands_that_are_no_numbers(T):
    """Text, None and lists are no operands; a list on a comparison gives False."""
    x = T.tensor([1.0, 2.0])
    return {
        "text": attempt(lambda: x + "a")["raised"],
        "none": attempt(lambda: x * None)["raised"],
        "list": attempt(lambda: x + [1.0, 2.0])["raised"],
        "left": attempt(lambda: "a" + x)["raised"],
        "dict": attempt(lambda: x - {})["raised"],
        "equal_list": (x == [1.0, 2.0]) is False,
        "not_equal_text": (x != "a") is True,
        "less_text": attempt(lambda: x < "a")["raised"],
        "function": attempt(lambda: T.add(x, "a"))["raised"],
    }


def case_dimensions_out_of_range(T):
    """Every function that takes a dimension names the range allowed."""
    x = T.ones(2, 3)
    phrase = "Dimension out of range (expected to be in range of [-2, 1], but got 2)"
    return {
        "sum": attempt(lambda: x.sum(2), phrase),
        "mean": attempt(lambda: x.mean(2), phrase),
        "max": attempt(lambda: x.max(2), phrase),
        "softmax": attempt(lambda: x.softmax(2), phrase),
        "transpose": attempt(lambda: x.transpose(0, 2), phrase),
        "squeeze": attempt(lambda: x.squeeze(2), phrase),
        "cumsum": attempt(lambda: x.cumsum(2), phrase),
        "flip": attempt(lambda: x.flip(2), phrase),
        "unbind": attempt(lambda: x.unbind(2), phrase),
        "size": attempt(lambda: x.size(2), phrase),
        "cat": attempt(lambda: T.cat([x, x], 2), phrase),
        "unsqueeze": attempt(lambda: x.unsqueeze(4), "[-3, 2], but got 4"),
        "negative": attempt(lambda: x.sum(-3), "but got -3"),
        "scalar": attempt(lambda: T.tensor(1.0).sum(1), "[-1, 0], but got 1"),
        "twice": attempt(lambda: x.sum((0, 0)), "dim 0 appears multiple times in the list of dims"),
    }


def case_ragged_and_odd_data(T):
    """Data that make no rectangle are named by length and depth."""
    return {
        "ragged": attempt(
            lambda: T.tensor([[1, 2], [3]]), "expected sequence of length 2 at dim 1 (got 1)"
        ),
        "mixed_depth": attempt(lambda: T.tensor([[1], 2]))["raised"],
        "deeper": attempt(lambda: T.tensor([1, [2]]))["raised"],
        "object": attempt(lambda: T.tensor([object()]))["raised"],
        "string": attempt(lambda: T.tensor(["a"]), "too many dimensions 'str'"),
        "none": attempt(lambda: T.tensor([None]))["raised"],
        "nothing": attempt(lambda: T.tensor())["raised"],
    }


def case_conversion_to_numbers(T):
    """Only one element converts; which class complains depends on what is asked."""
    x = T.ones(2)
    return {
        "item": attempt(x.item, "a Tensor with 2 elements cannot be converted to Scalar"),
        "int": attempt(
            lambda: int(x), "only one element tensors can be converted to Python scalars"
        ),
        "float": attempt(lambda: float(T.ones(0)), "only one element tensors"),
        "bool": attempt(
            lambda: bool(x), "Boolean value of Tensor with more than one value is ambiguous"
        ),
        "empty_bool": attempt(
            lambda: bool(T.ones(0)), "Boolean value of Tensor with no values is ambiguous"
        ),
        "if": attempt(lambda: 1 if x > 0 else 0, "ambiguous"),
        "and": attempt(lambda: x > 0 and x < 2, "ambiguous"),
        "one": [int(T.tensor([2.9])), float(T.tensor([[3]])), bool(T.tensor([0.0]))],
        "nan_int": attempt(lambda: int(T.tensor(float("nan"))))["raised"],
    }


def case_requires_grad_of_odd_things(T):
    """What may not be switched."""
    y = T.tensor([1.0], requires_grad=True) * 2
    return {
        "int": attempt(
            lambda: T.tensor([1]).requires_grad_(),
            "only Tensors of floating point dtype can require gradients",
        ),
        "factory": attempt(lambda: T.zeros(1, dtype=T.int64, requires_grad=True), "floating point")[
            "raised"
        ],
        "result": attempt(
            lambda: y.requires_grad_(False),
            "you can only change requires_grad flags of leaf variables",
        ),
        "value": attempt(lambda: setattr(T.zeros(1), "requires_grad", "yes"))["raised"],
        "grad_fn": attempt(lambda: setattr(y, "grad_fn", None))["raised"],
        "is_leaf": attempt(lambda: setattr(y, "is_leaf", True))["raised"],
        "shape": attempt(lambda: setattr(T.zeros(1), "ndim", 2))["raised"],
    }


def case_attributes_that_do_not_exist(T):
    """A wrong name is an AttributeError that names it; own names may be set."""
    x = T.ones(1)
    x.note = "mine"
    return {
        "tensor": attempt(lambda: x.no_such, "'Tensor' object has no attribute 'no_such'"),
        "module": attempt(lambda: T.no_such, "has no attribute 'no_such'"),
        "note": x.note,
        "result_has_none": hasattr(x * 1, "note"),
        "detached_has_none": hasattr(x.detach(), "note"),
    }


def case_backward_mistakes(T):
    """The usual mistakes with backward, each with its words."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    return {
        "vector": attempt(
            (x * 2).backward, "grad can be implicitly created only for scalar outputs"
        ),
        "twice": attempt(loss.backward, "Trying to backward through the graph a second time"),
        "plain": attempt(T.ones(1).backward, "does not require grad and does not have a grad_fn"),
        "item": attempt(lambda: loss.item().backward())["raised"],
        "rebuilt": attempt(T.tensor(loss.item()).backward, "does not require grad"),
        "argmax": attempt(lambda: x.argmax().backward(), "does not require grad"),
        "rounded_int": attempt(lambda: x.long().sum().backward(), "does not require grad"),
    }


def case_in_place_mistakes(T):
    """The usual mistakes with writing in place."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    n = T.tensor([1, 2])
    e = T.ones(1).expand(2)
    rows = (x.view(2, 1) * 1).unbind(0)
    return {
        "leaf": attempt(
            lambda: x.mul_(2),
            "a leaf Variable that requires grad is being used in an in-place operation",
        ),
        "view_of_leaf": attempt(
            lambda: x[:1].mul_(2),
            "a view of a leaf Variable that requires grad is being used in an in-place",
        ),
        "int": attempt(
            lambda: n.div_(2), "result type Float can't be cast to the desired output type Long"
        ),
        "expanded": attempt(
            lambda: e.mul_(2),
            "unsupported operation: more than one element of the written-to tensor",
        ),
        "unbound": attempt(
            lambda: rows[0].mul_(2),
            "is a view and is being modified inplace",
            "output of a function that returns multiple views",
        ),
        "shape": attempt(
            lambda: T.ones(2).add_(T.ones(3, 2)),
            "output with shape [2] doesn't match the broadcast shape [3, 2]",
        ),
        "list": attempt(lambda: T.ones(2).copy_([1.0, 2.0]))["raised"],
    }


def case_detach_mistakes(T):
    """The usual mistakes around detach and numpy."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    return {
        "numpy": attempt(
            x.numpy,
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        ),
        "view": attempt((x * 1)[0].detach_, "Can't detach views in-place. Use detach() instead"),
        "hook": attempt(
            lambda: x.detach().register_hook(print),
            "cannot register a hook on a tensor that doesn't require gradient",
        ),
        "retain": attempt(
            x.detach().retain_grad, "can't retain_grad on Tensor that has requires_grad=False"
        ),
        "grad": attempt(
            lambda: T.autograd.grad((x * 2).sum(), x.detach()),
            "One of the differentiated Tensors does not require grad",
        ),
        "unused": attempt(
            lambda: T.autograd.grad((x.detach() * x.sum()).sum(), (x * 1)),
            "appears to not have been used in the graph",
        ),
    }


def case_shape_mistakes(T):
    """View, reshape, expand, permute."""
    x = T.ones(2, 3)
    return {
        "view": attempt(lambda: x.view(4), "shape '[4]' is invalid for input of size 6"),
        "reshape": attempt(
            lambda: x.reshape(4, -1), "shape '[4, -1]' is invalid for input of size 6"
        ),
        "two": attempt(lambda: x.view(-1, -1), "only one dimension can be inferred"),
        "expand": attempt(
            lambda: x.expand(2, 4),
            "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1",
        ),
        "expand_fewer": attempt(
            lambda: x.expand(3),
            "must be greater or equal to the number of dimensions in the tensor",
        ),
        "permute": attempt(lambda: x.permute(0))["raised"],
        "permute_twice": attempt(lambda: x.permute(0, 0))["raised"],
        "t": attempt(
            lambda: T.ones(1, 1, 1).t(), "t() expects a tensor with <= 2 dimensions, but self is 3D"
        ),
        "split": attempt(
            lambda: x.split([1, 2]), "split_with_sizes expects split_sizes to sum exactly to 2"
        ),
        "chunk": attempt(lambda: x.chunk(0))["raised"],
        "narrow": attempt(lambda: x.narrow(1, 2, 2))["raised"],
    }


def case_unsupported_dtypes(T):
    """Operations that a dtype does not have."""
    n, b = T.tensor([1, 2]), T.tensor([True, False])
    return {
        "mean": attempt(n.mean, "mean(): could not infer output dtype", "floating point"),
        "bool_minus": attempt(
            lambda: b - b, "Subtraction, the `-` operator, with two bool tensors is not supported"
        ),
        "bool_minus_number": attempt(
            lambda: 1 - b, "Subtraction, the `-` operator, with a bool tensor is not supported"
        ),
        "bool_neg": attempt(
            lambda: -b, "Negation, the `-` operator, on a bool tensor is not supported"
        ),
        "float_not": attempt(lambda: ~T.ones(1))["raised"],
        "int_softmax": attempt(lambda: T.softmax(n, dim=0))["raised"],
        "int_norm": attempt(n.norm)["raised"],
        "negative_power": attempt(
            lambda: n**-1, "Integers to negative integer powers are not allowed"
        ),
        "std": attempt(n.std)["raised"],
    }


def case_constructor_mistakes(T):
    """Arguments that a factory does not take."""
    return {
        "dtype": attempt(lambda: T.zeros(1, dtype="float32"))["raised"],
        "unknown": attempt(lambda: T.zeros(1, colour="red"))["raised"],
        "full": attempt(lambda: T.full((2,)))["raised"],
        "ones": attempt(lambda: T.ones("a"))["raised"],
        "arange": attempt(lambda: T.arange())["raised"],
        "from_numpy": attempt(lambda: T.from_numpy([1.0]), "expected np.ndarray (got list)"),
        "as_tensor": attempt(lambda: T.as_tensor("a"))["raised"],
        "stack": attempt(lambda: T.stack([]), "non-empty")["raised"],
    }


def case_warnings_and_their_classes(T):
    """What warns, and with which class."""
    x = T.tensor([1.0], requires_grad=True)
    y = x * 2
    return {
        "grad": listen(lambda: y.grad, "not a leaf Tensor"),
        "tensor": listen(lambda: T.tensor(x), "To copy construct from a tensor"),
        "create_graph": listen(lambda: (x**2).sum().backward(create_graph=True), "reference cycle"),
        "target_size": listen(
            lambda: T.nn.functional.mse_loss(T.ones(2, 1), T.ones(2)), "target size"
        ),
        "softmax_dim": listen(
            lambda: T.nn.functional.softmax(T.ones(2)), "Implicit dimension choice"
        ),
        "grad_mode": listen(lambda: x.detach(), "anything"),
    }


def case_converting_a_graph_scalar_warns(T):
    """float() of a tensor that requires a gradient gives the number, and advises against it."""
    x = T.tensor([2.0], requires_grad=True)
    y = (x * 3).sum()
    heard = listen(lambda: float(y), "requires_grad=True to a scalar")
    return {"float": float(y), "heard": heard, "item": listen(y.item, "requires_grad")}


def case_messages_name_the_types(T):
    """A wrong argument type is a TypeError."""
    x = T.ones(2, 2)
    return {
        "reshape": attempt(lambda: x.reshape("a"))["raised"],
        "sum": attempt(lambda: x.sum("a"))["raised"],
        "clamp": attempt(lambda: x.clamp("a"))["raised"],
        "matmul": attempt(lambda: x @ [1.0, 2.0])["raised"],
        "cat": attempt(lambda: T.cat(3))["raised"],
        "where": attempt(lambda: T.where("a", x, x))["raised"],
        "backward": attempt(lambda: x.sum().backward("a"))["raised"],
        "exp": attempt(lambda: T.exp(2.0))["raised"],
        "index": attempt(lambda: x["a"])["raised"],
        "missing": attempt(lambda: T.exp())["raised"],
        "unknown_keyword": attempt(lambda: T.exp(x, colour=1))["raised"],
    }


def case_failed_calls_leave_no_trace(T):
    """After many refused calls, value, version, history and gradients are as before."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    for wrong in (
        lambda: y.add_(T.ones(3)),
        lambda: y.copy_(T.ones(5)),
        lambda: y.view(3),
        lambda: y[5],
        lambda: y.__setitem__(7, 1.0),
        lambda: y @ T.ones(3),
        lambda: y.backward(),
        lambda: y.detach().add_("a"),
        lambda: T.cat([y, T.ones(2, 2)]),
        lambda: x.add_(1),
        lambda: y.requires_grad_(False),
        lambda: T.autograd.grad(y, [T.ones(1)]),
    ):
        attempt(wrong)
    before = {"y": values(y), "versions": [x._version, y._version], "flags": flags(y)}
    y.sum().backward()
    return {**before, "grad": values(x.grad), "enabled": T.is_grad_enabled()}


def case_old_variable_with_both_flags(T):
    """What is left of Variable still refuses both flags; volatile=False is silent."""
    make = T.autograd.Variable
    return {
        "both": attempt(
            lambda: make(T.ones(1), requires_grad=True, volatile=True),
            "can't be volatile and require_grad at the same time",
        ),
        "off": listen(lambda: make(T.ones(1), volatile=False), "volatile was removed"),
        "on": listen(lambda: make(T.ones(1), volatile=True), "volatile was removed", "no_grad"),
        "list": attempt(lambda: make([1.0]), "Variable data has to be a tensor"),
        "flag": attempt(lambda: T.ones(1).requires_grad_("yes"))["raised"],
    }
