"""More about indexing: every way of reading and writing elements, and where gradients go."""

import numpy as np

from .observe import attempt, flags, grad_fn_of, grads, info, same_memory, shape, values


def _read(name, sees, pick):
    """One program: the elements that an index picks from a 3 x 4 matrix, and the gradient's way back."""

    def case(T):
        x = T.arange(12.0).view(3, 4).clone().requires_grad_()
        out = pick(T, x)
        weights = (T.arange(out.numel()) + 1).float().reshape(out.shape)
        (out * weights).sum().backward()
        return {
            "out": info(out),
            "grad": values(x.grad),
            "shares": same_memory(x, out) or out._base is x,
        }

    case.__name__ = f"case_read_{name}"
    case.__doc__ = sees
    return case


def _write(name, sees, put):
    """One program: a write by index into a result, seen in its value and in both gradients."""

    def case(T):
        x = T.arange(12.0).view(3, 4).clone().requires_grad_()
        z = T.tensor([100.0, 200.0], requires_grad=True)
        y = x * 1
        put(T, y, z)
        weights = (T.arange(12.0) + 1).view(3, 4)
        (y * weights).sum().backward()
        return {"y": values(y), "x": values(x.grad), "z": values(z.grad), "version": y._version}

    case.__name__ = f"case_write_{name}"
    case.__doc__ = sees
    return case


def _set(target, index, value):
    target[index] = value


TABLE = [
    _read("row", "One row.", lambda T, x: x[1]),
    _read("last_row", "The last row.", lambda T, x: x[-1]),
    _read("element", "One element.", lambda T, x: x[1, 2]),
    _read("column", "One column.", lambda T, x: x[:, 1]),
    _read("block", "A block.", lambda T, x: x[1:, 1:3]),
    _read("negative_slice", "Ends counted from behind.", lambda T, x: x[-2:, :-1]),
    _read("beyond_the_end", "A slice may reach beyond the end.", lambda T, x: x[1:10]),
    _read("empty_slice", "A slice may be empty.", lambda T, x: x[2:1]),
    _read("steps", "Every second element.", lambda T, x: x[::2, 1::2]),
    _read("ellipsis", "An ellipsis stands for all dimensions left.", lambda T, x: x[..., 0]),
    _read("none", "None puts in a dimension.", lambda T, x: x[:, None, 1:3]),
    _read("none_at_the_end", "None may stand last.", lambda T, x: x[0, :, None]),
    _read("true", "True puts in a dimension of one, as a copy.", lambda T, x: x[True]),
    _read("false", "False gives a dimension of none.", lambda T, x: x[False]),
    _read("list", "A list of rows.", lambda T, x: x[[2, 0, 2]]),
    _read("tuple_of_lists", "Two lists pick pairs.", lambda T, x: x[[0, 2], [1, 3]]),
    _read("negative_list", "Positions counted from behind.", lambda T, x: x[[-1, -3]]),
    _read(
        "tensor",
        "A tensor of positions gives its shape.",
        lambda T, x: x[T.tensor([[0, 1], [2, 2]])],
    ),
    _read("scalar_tensor", "A scalar tensor is a position.", lambda T, x: x[T.tensor(1)]),
    _read("tensor_and_slice", "A tensor beside a slice.", lambda T, x: x[T.tensor([0, 2]), 1:3]),
    _read("slice_and_tensor", "A slice beside a tensor.", lambda T, x: x[1:, T.tensor([3, 0])]),
    _read(
        "tensors_broadcast",
        "Positions broadcast.",
        lambda T, x: x[T.tensor([[0], [2]]), T.tensor([1, 3])],
    ),
    _read("tensor_and_number", "A tensor beside a number.", lambda T, x: x[T.tensor([0, 2]), 1]),
    _read("number_and_tensor", "A number beside a tensor.", lambda T, x: x[1, T.tensor([0, 0, 3])]),
    _read("none_and_tensor", "None beside a tensor.", lambda T, x: x[None, T.tensor([0, 2])]),
    _read("mask", "A mask over everything.", lambda T, x: x[x.detach() > 6]),
    _read("row_mask", "A mask over rows.", lambda T, x: x[T.tensor([True, False, True])]),
    _read(
        "column_mask",
        "A mask over columns.",
        lambda T, x: x[:, T.tensor([True, False, False, True])],
    ),
    _read(
        "row_mask_and_column",
        "A mask beside a number.",
        lambda T, x: x[T.tensor([True, False, True]), 2],
    ),
    _read("bool_list", "A list of bools is a mask.", lambda T, x: x[[True, False, True]]),
    _read("empty_mask", "A mask that picks nothing.", lambda T, x: x[x.detach() > 100]),
    _read("empty_list", "An empty list picks nothing.", lambda T, x: x[[]]),
    _read("numpy_index", "A NumPy array of positions.", lambda T, x: x[np.array([1, 0])]),
    _read("numpy_mask", "A NumPy mask.", lambda T, x: x[np.array([True, False, True])]),
    _read("numpy_number", "A NumPy integer.", lambda T, x: x[np.int64(2)]),
    _read(
        "index_select",
        "index_select along a dimension.",
        lambda T, x: x.index_select(1, T.tensor([3, 0])),
    ),
    _read(
        "gather", "gather picks in each row.", lambda T, x: x.gather(1, T.tensor([[0], [2], [3]]))
    ),
    _read(
        "gather_rows",
        "gather down the columns.",
        lambda T, x: x.gather(0, T.tensor([[2, 1, 0, 2]])),
    ),
    _read(
        "take", "take counts through the flat tensor.", lambda T, x: T.take(x, T.tensor([0, 5, 5]))
    ),
    _read(
        "masked_select", "masked_select is a mask.", lambda T, x: T.masked_select(x, x.detach() < 3)
    ),
    _read(
        "take_along_dim",
        "take_along_dim follows positions.",
        lambda T, x: T.take_along_dim(x, T.tensor([[1]]), 1),
    ),
    _write("element_number", "A number into one element.", lambda T, y, z: _set(y, (1, 2), 5.0)),
    _write(
        "element_tensor", "A scalar tensor into one element.", lambda T, y, z: _set(y, (1, 2), z[0])
    ),
    _write("row", "One number over a row.", lambda T, y, z: _set(y, 0, 5.0)),
    _write(
        "column",
        "A stretched tensor over a column.",
        lambda T, y, z: _set(y, (slice(None), 1), z[1]),
    ),
    _write(
        "block", "A row over a block.", lambda T, y, z: _set(y, (slice(1, None), slice(1, 3)), z)
    ),
    _write("steps", "Every second column.", lambda T, y, z: _set(y, (0, slice(None, None, 2)), z)),
    _write("all", "Everything.", lambda T, y, z: _set(y, slice(None), 3.0)),
    _write("ellipsis", "Everything, said with an ellipsis.", lambda T, y, z: _set(y, ..., z.sum())),
    _write("list", "Into listed rows.", lambda T, y, z: _set(y, [0, 2], z[:, None])),
    _write(
        "pairs",
        "Into pairs of positions.",
        lambda T, y, z: _set(y, (T.tensor([0, 2]), T.tensor([1, 3])), z),
    ),
    _write("mask_number", "A number under a mask.", lambda T, y, z: _set(y, y.detach() > 6, 0.0)),
    _write(
        "mask_tensor",
        "A scalar tensor under a mask.",
        lambda T, y, z: _set(y, y.detach() > 6, z[0]),
    ),
    _write(
        "mask_values",
        "One value for each masked place.",
        lambda T, y, z: _set(y, y.detach() > 9, z),
    ),
    _write(
        "row_mask",
        "A mask over rows.",
        lambda T, y, z: _set(y, T.tensor([True, False, False]), 7.0),
    ),
    _write(
        "nothing",
        "An empty selection changes nothing but counts.",
        lambda T, y, z: _set(y, y.detach() > 99, 0.0),
    ),
    _write(
        "integers", "An integer value is cast.", lambda T, y, z: _set(y, 1, T.tensor([1, 2, 3, 4]))
    ),
    _write("from_itself", "A row copied over another.", lambda T, y, z: _set(y, 0, y[2] * 1)),
    _write(
        "extra_ones",
        "Leading ones of the value do not count.",
        lambda T, y, z: _set(y[0], slice(0, 2), z[None]),
    ),
    _write(
        "index_fill",
        "index_fill_ along a dimension.",
        lambda T, y, z: y.index_fill_(0, T.tensor([0, 2]), 5.0),
    ),
    _write(
        "index_copy",
        "index_copy_ along a dimension.",
        lambda T, y, z: y.index_copy_(1, T.tensor([3]), z.sum().expand(3, 1)),
    ),
    _write(
        "scatter",
        "scatter_ by positions.",
        lambda T, y, z: y.scatter_(1, T.tensor([[0, 3]]), z[None]),
    ),
    _write(
        "scatter_add",
        "scatter_add_ adds up.",
        lambda T, y, z: y.scatter_add_(1, T.tensor([[0, 0]]), z[None]),
    ),
    _write(
        "masked_fill",
        "masked_fill_ under a mask.",
        lambda T, y, z: y.masked_fill_(y.detach() < 3, 9.0),
    ),
    _write("augmented", "Adding to a slice in place.", lambda T, y, z: y[:, :2].add_(z)),
    _write(
        "augmented_form", "y[i] += is read, add, write back.", lambda T, y, z: _add_to(y, 1, z[0])
    ),
]


def _add_to(target, index, value):
    target[index] += value


def case_repeated_positions_in_a_write(T):
    """Writing twice to a place keeps one of the values; with index_put_(accumulate) both are added."""
    y = T.zeros(3)
    y.index_put_((T.tensor([0, 0, 2]),), T.tensor([1.0, 1.0, 5.0]), accumulate=True)
    z = T.zeros(3)
    z[T.tensor([1, 1])] = T.tensor([4.0, 4.0])
    return {"added": values(y), "kept": values(z)}


def case_augmented_index_adds_once_for_repeats(T):
    """y[[0, 0]] += 1 adds one, not two."""
    y = T.zeros(3)
    y[[0, 0]] += 1
    return {"y": values(y), "version": y._version}


def case_index_out_of_bounds(T):
    """Every kind of index names what is out of bounds."""
    x = T.zeros(3, 4)

    def write():
        x[5] = 1.0

    return {
        "number": attempt(lambda: x[3], "index 3 is out of bounds for dimension 0 with size 3"),
        "second": attempt(lambda: x[0, 4], "index 4 is out of bounds for dimension"),
        "negative": attempt(lambda: x[-4], "index -4 is out of bounds for dimension 0 with size 3"),
        "list": attempt(lambda: x[[0, 7]], "index 7 is out of bounds for dimension 0 with size 3"),
        "tensor": attempt(lambda: x[:, T.tensor([4])], "index 4 is out of bounds for dimension"),
        "write": attempt(write, "index 5 is out of bounds"),
        "select": attempt(
            lambda: x.select(0, 3), "index 3 out of range for tensor of size [3, 4] at dimension 0"
        ),
        "gather": attempt(lambda: x.gather(0, T.tensor([[3]])), "index 3 is out of bounds"),
    }


def case_bad_kinds_of_index(T):
    """Floats, strings and masks of the wrong size are refused."""
    x = T.zeros(3, 4)
    return {
        "float": attempt(lambda: x[1.5])["raised"],
        "float_tensor": attempt(lambda: x[T.tensor([0.0])], "tensors used as indices must be long"),
        "string": attempt(lambda: x["a"])["raised"],
        "mask": attempt(
            lambda: x[T.tensor([True, False])],
            "The shape of the mask [2] at index 0 does not match",
        ),
        "too_many": attempt(lambda: x[0, 0, 0], "too many indices for tensor of dimension 2"),
        "shapes": attempt(lambda: x[T.tensor([0, 1]), T.tensor([0, 1, 2])], "shape mismatch"),
        "step": attempt(lambda: x[::-1], "step must be greater than zero"),
        "zero_step": attempt(lambda: x[::0])["raised"],
    }


def case_bad_values_for_a_write(T):
    """A value that does not fit the places is refused and nothing is written."""
    x = T.zeros(3, 4)

    def rows():
        x[0] = T.ones(3)

    def masked():
        x[x == 0] = T.ones(5)

    def text():
        x[0] = "a"

    def listed():
        x[[0, 1]] = T.ones(3)

    return {
        "rows": attempt(rows, "must match the existing size"),
        "masked": attempt(masked, "shape mismatch"),
        "text": attempt(text)["raised"],
        "listed": attempt(listed, "shape mismatch"),
        "x": values(x.sum()),
        "version": x._version,
    }


def case_index_into_a_scalar(T):
    """A scalar takes an ellipsis or an empty tuple, and no number."""
    x = T.tensor(3.0)
    return {
        "ellipsis": shape(x[...]),
        "tuple": shape(x[()]),
        "none": shape(x[None]),
        "mask": shape(x[T.tensor(True)]),
        "number": attempt(lambda: x[0], "invalid index of a 0-dim tensor"),
        "slice": attempt(lambda: x[:], "slice() cannot be applied to a 0-dim tensor")["raised"],
    }


def case_scalar_write_forms(T):
    """A scalar is written through an ellipsis."""
    x = T.tensor(3.0)
    x[...] = 5.0
    x[()] = x + 1
    return {"x": x.item(), "version": x._version}


def case_write_into_a_plain_tensor_makes_a_history(T):
    """A plain tensor that takes in a tensor of the graph is a result from then on."""
    z = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.zeros(3)
    y[1:] = z
    return {"flags": flags(y), "name": grad_fn_of(y), "grads": grads(y * 3, z)}


def case_write_by_list_into_a_plain_tensor(T):
    """The same with a list of positions, whose node is another one."""
    z = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.zeros(3)
    y[[0, 2]] = z
    return {"name": grad_fn_of(y), "grads": grads(y * T.arange(3.0), z)}


def case_write_a_list_of_numbers(T):
    """A list on the right is refused: a tensor is what is wanted."""
    y = T.zeros(2, 2)

    def numbers():
        y[0] = [1.0, 2.0]

    return {"raised": attempt(numbers)["raised"], "y": values(y)}


def case_write_a_numpy_value(T):
    """NumPy numbers are taken; NumPy arrays are refused."""
    y = T.zeros(3)

    def array():
        y[:2] = np.array([1.0, 2.0], dtype=np.float32)

    y[0] = np.float64(2.5)
    return {"y": values(y), "array": attempt(array)["raised"], "after": values(y)}


def case_nonzero_and_argwhere(T):
    """Positions of what is not zero, as rows or as a tuple."""
    x = T.tensor([[0.0, 1.0], [2.0, 0.0]])
    return {
        "nonzero": info(T.nonzero(x)),
        "tuple": [values(p) for p in T.nonzero(x, as_tuple=True)],
        "where": [values(p) for p in T.where(x > 0)],
        "count": T.count_nonzero(x).item(),
    }


def case_positions_from_where_read_back(T):
    """Positions found by where serve as an index that carries a gradient."""
    x = T.tensor([1.0, -2.0, 3.0], requires_grad=True)
    (places,) = T.where(x > 0)
    return {"grads": grads(x[places] * 2, x)}


def case_chained_write_does_not_reach_a_copy(T):
    """A write after a copying index is lost."""
    y = T.zeros(3)
    y[[0, 1]][0] = 5.0
    y[T.tensor([True, True, False])].fill_(7.0)
    return {"y": values(y), "version": y._version}


def case_row_swap_through_lists(T):
    """Swapping rows by list copies first and so works."""
    y = T.arange(4.0).view(2, 2)
    y[[0, 1]] = y[[1, 0]]
    return {"y": values(y)}


def case_row_swap_through_views_goes_wrong(T):
    """Swapping rows through views loses one."""
    y = T.arange(4.0).view(2, 2).clone()
    y[0], y[1] = y[1], y[0]
    return {"y": values(y)}


def case_tensor_as_python_index(T):
    """An integer tensor of one element works as a Python index."""
    letters = ["a", "b", "c"]
    return {
        "list": letters[T.tensor(1)],
        "one_element": letters[T.tensor([2])],
        "range": list(range(T.tensor(3))),
        "float": attempt(
            lambda: letters[T.tensor(1.0)], "only integer tensors of a single element"
        )["raised"],
        "many": attempt(lambda: letters[T.tensor([1, 2])])["raised"],
    }
