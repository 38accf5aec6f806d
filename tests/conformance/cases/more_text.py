"""More about text: how tensors, dtypes, shapes, modules and optimizers print."""

import math

from .observe import attempt, text


def _text(name, sees, make):
    """One program: the text of one thing, without the package's own name."""

    def case(T):
        return {"text": text(T, make(T))}

    case.__name__ = f"case_{name}"
    case.__doc__ = sees
    return case


def _grad(T, data):
    return T.tensor(data, requires_grad=True)


TABLE = [
    _text("floats", "Four decimals unless all are whole.", lambda T: T.tensor([1.5, 2.25, -3.0])),
    _text(
        "whole_floats",
        "Whole floats have a point and no decimals.",
        lambda T: T.tensor([1.0, 20.0, -3.0]),
    ),
    _text(
        "mixed_width",
        "All elements are equally wide.",
        lambda T: T.tensor([1.5, 100.25, -2000.125]),
    ),
    _text(
        "wide_range",
        "A wide range is written scientifically.",
        lambda T: T.tensor([0.001, 1000.5, 2e6]),
    ),
    _text("tiny", "Tiny numbers are written scientifically.", lambda T: T.tensor([1e-5, 2e-5])),
    _text("large_whole", "Large whole numbers.", lambda T: T.tensor([1e8, 2.0])),
    _text("very_large_whole", "Larger ones.", lambda T: T.tensor([1e10])),
    _text("nan_inf", "nan and inf.", lambda T: T.tensor([math.nan, math.inf, -math.inf, 1.0])),
    _text(
        "nan_inf_decimals",
        "nan and inf among decimals.",
        lambda T: T.tensor([math.nan, 0.5, -math.inf]),
    ),
    _text("only_nan", "Nothing but nan.", lambda T: T.tensor([math.nan])),
    _text("zero", "Zeros.", lambda T: T.zeros(3)),
    _text("negative_zero", "Negative zero.", lambda T: T.tensor([-0.0, 1.0])),
    _text("scalar", "A scalar.", lambda T: T.tensor(3.5)),
    _text("whole_scalar", "A whole scalar.", lambda T: T.tensor(3.0)),
    _text("int_scalar", "An integer scalar.", lambda T: T.tensor(7)),
    _text("ints", "Integers.", lambda T: T.tensor([1, -20, 300])),
    _text("bools", "Bools.", lambda T: T.tensor([True, False])),
    _text(
        "int32",
        "A dtype that is not the default is named.",
        lambda T: T.tensor([1, 2], dtype=T.int32),
    ),
    _text("float64", "So is float64.", lambda T: T.tensor([1.5], dtype=T.float64)),
    _text("float16", "And float16.", lambda T: T.tensor([1.5, 0.1], dtype=T.float16)),
    _text("empty", "An empty tensor.", lambda T: T.zeros(0)),
    _text("empty_matrix", "An empty matrix tells its size.", lambda T: T.zeros(0, 3)),
    _text(
        "empty_ints",
        "An empty integer tensor tells its dtype.",
        lambda T: T.zeros(0, dtype=T.int64),
    ),
    _text("matrix", "A matrix.", lambda T: T.tensor([[1.0, 2.5], [-3.0, 4.0]])),
    _text("cube", "Three dimensions.", lambda T: T.arange(8).view(2, 2, 2)),
    _text("four_dimensions", "Four dimensions.", lambda T: T.zeros(2, 1, 2, 1)),
    _text("long_row", "A long row is broken.", lambda T: T.arange(40)),
    _text("long_float_row", "A long row of floats.", lambda T: T.arange(30) / 8),
    _text("summarized", "More than a thousand elements are shortened.", lambda T: T.arange(2000)),
    _text("summarized_matrix", "A large matrix too.", lambda T: T.arange(3000.0).view(50, 60)),
    _text("exactly_thousand", "A thousand elements are not.", lambda T: T.zeros(10, 100)),
    _text("requires_grad", "A leaf that requires a gradient.", lambda T: _grad(T, [1.0, 2.0])),
    _text("scalar_requires_grad", "A scalar leaf.", lambda T: _grad(T, 2.0)),
    _text("grad_fn", "A result names its node.", lambda T: _grad(T, [1.0, 2.0]) * 2),
    _text("grad_fn_of_a_sum", "A sum.", lambda T: _grad(T, [1.0, 2.0]).sum()),
    _text("grad_fn_of_a_view", "A view.", lambda T: _grad(T, [1.0, 2.0])[0]),
    _text(
        "grad_fn_of_a_matrix_product",
        "A matrix product.",
        lambda T: _grad(T, [[1.0, 2.0]]) @ T.ones(2, 1),
    ),
    _text("grad_fn_and_dtype", "Node and dtype.", lambda T: _grad(T, [1.0, 2.0]).double()),
    _text(
        "grad_fn_on_a_new_line",
        "A long last line pushes the node down.",
        lambda T: _grad(T, [0.0] * 12) + 0.125,
    ),
    _text(
        "grad_fn_of_a_matrix",
        "A matrix with a node.",
        lambda T: _grad(T, [[1.0, 2.0], [3.0, 4.0]]) ** 2,
    ),
    _text("written_view", "A base after a write through a view.", lambda T: _written(T)),
    _text(
        "detached", "A detached result prints as plain.", lambda T: (_grad(T, [1.0]) * 2).detach()
    ),
    _text("comparison", "A comparison.", lambda T: _grad(T, [1.0, -1.0]) > 0),
    _text("data", ".data prints as plain.", lambda T: _grad(T, [1.0]).data),
    _text("parameter", "A Parameter says so.", lambda T: T.nn.Parameter(T.ones(2))),
    _text(
        "frozen_parameter",
        "A frozen one too.",
        lambda T: T.nn.Parameter(T.ones(2), requires_grad=False),
    ),
    _text("max_pair", "The pair that max returns.", lambda T: T.tensor([1.0, 3.0]).max(0)),
    _text("tuple_of_rows", "A tuple of tensors.", lambda T: T.tensor([[1.0], [2.0]]).unbind(0)),
    _text("size", "A shape.", lambda T: T.zeros(2, 3).shape),
    _text("empty_size", "The shape of a scalar.", lambda T: T.tensor(1.0).shape),
    _text("dtype", "A dtype.", lambda T: T.float32),
    _text("device", "The device.", lambda T: T.zeros(1).device),
    _text("linear", "A layer.", lambda T: T.nn.Linear(2, 3)),
    _text("linear_without_bias", "A layer without bias.", lambda T: T.nn.Linear(2, 3, bias=False)),
    _text("relu_module", "An activation.", lambda T: T.nn.ReLU()),
    _text("dropout_module", "Dropout tells its rate.", lambda T: T.nn.Dropout(0.25)),
    _text(
        "conv_module", "A convolution tells its sizes.", lambda T: T.nn.Conv2d(1, 2, 3, padding=1)
    ),
    _text("embedding_module", "An embedding.", lambda T: T.nn.Embedding(5, 3)),
    _text("layer_norm_module", "A LayerNorm.", lambda T: T.nn.LayerNorm(4)),
    _text(
        "sequential",
        "A Sequential, indented.",
        lambda T: T.nn.Sequential(T.nn.Linear(1, 2), T.nn.Tanh(), T.nn.Linear(2, 1)),
    ),
    _text("nested_modules", "Modules in modules.", lambda T: _nested(T)),
    _text(
        "sgd",
        "An optimizer's own settings.",
        lambda T: _first_lines(T.optim.SGD([T.zeros(1, requires_grad=True)], lr=0.1)),
    ),
]


def _written(T):
    y = _grad(T, [1.0, 2.0]) * 1
    y[0] = 5.0
    return y


def _nested(T):
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.body = T.nn.Sequential(T.nn.Linear(1, 2), T.nn.ReLU())
            self.head = T.nn.Linear(2, 1)

    return Net()


class _first_lines:  # noqa: N801 - reads as a verb
    """Only the lines that every version prints: the class and the learning rate."""

    def __init__(self, thing):
        self.lines = [line.strip() for line in repr(thing).splitlines()]

    def __repr__(self):
        return "; ".join(
            line for line in self.lines if line.startswith(("SGD", "Parameter Group", "lr"))
        )


def case_str_is_repr(T):
    """str and repr of a tensor agree; print shows the same."""
    x = T.tensor([1.0, 2.5])
    return {"same": str(x) == repr(x)}


def case_format_of_scalars(T):
    """A scalar formats like its number; a larger tensor takes no format."""
    return {
        "scalar": f"{T.tensor(3.14159):.2f}",
        "int": f"{T.tensor(42):5d}",
        "plain": f"{T.tensor(2.5)}",
        "grad": f"{_grad(T, 2.0):.1f}",
        "vector": attempt(lambda: f"{T.tensor([1.0, 2.0]):.2f}")["raised"],
        "one_element": attempt(lambda: f"{T.tensor([1.5]):.1f}")["raised"],
        "empty": f"{T.tensor([1.0, 2.0])}",
    }


def case_print_options(T):
    """set_printoptions changes the precision."""
    T.set_printoptions(precision=2)
    try:
        found = text(T, T.tensor([1.2345, 2.0]))
    finally:
        T.set_printoptions(profile="default")
    return {"two": found, "default": text(T, T.tensor([1.2345, 2.0]))}


def case_text_of_a_node(T):
    """A node prints as its name (and, in PyTorch, an address)."""
    y = _grad(T, [1.0]) * 2
    return {
        "starts": repr(y.grad_fn).startswith("<MulBackward0"),
        "name": y.grad_fn.name(),
    }


def case_names_and_types(T):
    """What classes call themselves."""
    return {
        "tensor": type(T.zeros(1)).__name__,
        "parameter": type(T.nn.Parameter(T.zeros(1))).__name__,
        "size": type(T.zeros(1).shape).__name__,
        "dtype": type(T.float32).__name__,
        "node": type(_grad(T, [1.0]).exp().grad_fn).__name__,
        "isinstance": isinstance(T.nn.Parameter(T.zeros(1)), T.Tensor),
    }
