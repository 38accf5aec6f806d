"""More about modules: what they hold, save and load, how they print names, and what each layer computes."""

import copy

from .observe import attempt, dtype_of, flags, grads, info, same_memory, shape, values


def _fill(T, *tensors):
    """Give parameters fixed values: 0.1, 0.2, ... with turning signs."""
    with T.no_grad():
        for tensor in tensors:
            n = tensor.numel()
            row = [(0.1 * (i % 7) + 0.1) * (-1) ** i for i in range(n)]
            tensor.copy_(T.tensor(row).reshape(tensor.shape))


def _filled(T, module):
    _fill(T, *module.parameters())
    return module


def _layer(name, sees, build, *inputs):
    """One program: a layer with fixed weights, its output and all gradients."""

    def case(T):
        module = _filled(T, build(T))
        leaves = [T.tensor(data, requires_grad=True) for data in inputs]
        out = module(*leaves)
        out = out[0] if isinstance(out, tuple) else out
        weights = (T.arange(out.numel()) + 1).float().reshape(out.shape)
        (out * weights).sum().backward()
        return {
            "out": info(out),
            "inputs": [values(leaf.grad) for leaf in leaves],
            "parameters": {key: values(p.grad) for key, p in module.named_parameters()},
        }

    case.__name__ = f"case_layer_{name}"
    case.__doc__ = sees
    return case


_M = [[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]]
_IMG = [[[[1.0, 2.0, -1.0], [0.0, 3.0, 1.5], [4.0, -2.0, 0.5]]]]

TABLE = [
    _layer("linear", "Linear.", lambda T: T.nn.Linear(3, 2), _M),
    _layer(
        "linear_three_dims",
        "Linear over the last of three dimensions.",
        lambda T: T.nn.Linear(3, 1),
        [_M],
    ),
    _layer(
        "bilinear_chain",
        "Two layers and an activation.",
        lambda T: T.nn.Sequential(T.nn.Linear(3, 2), T.nn.Tanh(), T.nn.Linear(2, 1)),
        _M,
    ),
    _layer("conv2d", "Conv2d.", lambda T: T.nn.Conv2d(1, 2, 2), _IMG),
    _layer(
        "conv2d_padding",
        "Conv2d with padding and stride.",
        lambda T: T.nn.Conv2d(1, 1, 3, stride=2, padding=1),
        _IMG,
    ),
    _layer("conv1d", "Conv1d without bias.", lambda T: T.nn.Conv1d(2, 1, 2, bias=False), [_M]),
    _layer("layer_norm", "LayerNorm.", lambda T: T.nn.LayerNorm(3), _M),
    _layer(
        "layer_norm_two_dims",
        "LayerNorm over two dimensions.",
        lambda T: T.nn.LayerNorm((2, 3)),
        [_M],
    ),
    _layer(
        "rnn_cell",
        "One step of a plain recurrent cell.",
        lambda T: T.nn.RNNCell(3, 2),
        _M,
        [[0.5, -0.5], [1.0, 0.0]],
    ),
    _layer(
        "rnn_cell_relu",
        "The same with relu.",
        lambda T: T.nn.RNNCell(3, 2, nonlinearity="relu"),
        _M,
        [[0.5, -0.5], [1.0, 0.0]],
    ),
    _layer(
        "gru_cell",
        "One step of a gated cell.",
        lambda T: T.nn.GRUCell(3, 2),
        _M,
        [[0.5, -0.5], [1.0, 0.0]],
    ),
    _layer(
        "gru_cell_without_state", "A first step needs no state.", lambda T: T.nn.GRUCell(3, 2), _M
    ),
    _layer("lstm_cell", "One step of an LSTM cell.", lambda T: T.nn.LSTMCell(3, 2), _M),
    _layer("flatten", "Flatten keeps the batch.", lambda T: T.nn.Flatten(), _IMG),
    _layer("max_pool", "MaxPool2d.", lambda T: T.nn.MaxPool2d(2, stride=1), _IMG),
    _layer("avg_pool", "AvgPool2d.", lambda T: T.nn.AvgPool2d(2, stride=1), _IMG),
    _layer("softmax", "Softmax.", lambda T: T.nn.Softmax(dim=1), _M),
    _layer("log_softmax", "LogSoftmax.", lambda T: T.nn.LogSoftmax(dim=1), _M),
    _layer("leaky_relu", "LeakyReLU.", lambda T: T.nn.LeakyReLU(0.2), _M),
    _layer("elu", "ELU.", lambda T: T.nn.ELU(), _M),
    _layer("gelu", "GELU.", lambda T: T.nn.GELU(), _M),
    _layer("silu", "SiLU.", lambda T: T.nn.SiLU(), _M),
    _layer("softplus", "Softplus.", lambda T: T.nn.Softplus(), _M),
    _layer("identity", "Identity.", lambda T: T.nn.Identity(), _M),
    _layer("batch_norm", "BatchNorm1d in training.", lambda T: T.nn.BatchNorm1d(3), _M),
]


def case_loss_modules_and_reductions(T):
    """The losses as modules, with each reduction."""
    x, y = T.tensor([[0.2, -1.0], [2.0, 0.5]]), T.tensor([[0.0, 1.0], [1.0, 0.0]])
    classes = T.tensor([1, 0])
    nn = T.nn
    found = {}
    for reduction in ("none", "sum", "mean"):
        found[reduction] = {
            "mse": values(nn.MSELoss(reduction=reduction)(x, y)),
            "l1": values(nn.L1Loss(reduction=reduction)(x, y)),
            "smooth": values(nn.SmoothL1Loss(reduction=reduction)(x, y)),
            "cross": values(nn.CrossEntropyLoss(reduction=reduction)(x, classes)),
            "nll": values(nn.NLLLoss(reduction=reduction)(x, classes)),
            "bce": values(nn.BCEWithLogitsLoss(reduction=reduction)(x, y)),
            "prob": values(nn.BCELoss(reduction=reduction)(x.sigmoid(), y)),
        }
    return {
        **found,
        "unknown": attempt(
            lambda: nn.MSELoss(reduction="max")(x, y), "is not a valid value for reduction"
        ),
    }


def case_loss_shapes(T):
    """mse_loss warns when shapes differ and stretch; cross_entropy wants classes."""
    import warnings

    F = T.nn.functional
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loss = F.mse_loss(T.ones(3, 1), T.zeros(3))
    return {
        "warned": any("Using a target size" in str(w.message) for w in caught),
        "category": sorted({w.category.__name__ for w in caught}),
        "loss": loss.item(),
        "bce": attempt(lambda: F.binary_cross_entropy(T.full((3, 1), 0.5), T.zeros(3)))["raised"],
        "range": attempt(
            lambda: F.cross_entropy(T.ones(1, 3), T.tensor([-1])), "Target -1 is out of bounds"
        ),
        "range_of_probability": attempt(
            lambda: F.binary_cross_entropy(T.tensor([1.5]), T.tensor([1.0])), "between 0 and 1"
        ),
    }


def case_parameters_in_order(T):
    """Parameters come in the order in which they were set, own ones first."""

    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.second = T.nn.Linear(1, 1)
            self.scale = T.nn.Parameter(T.ones(1))
            self.first = T.nn.Linear(1, 1, bias=False)
            self.register_parameter("none", None)
            self.register_buffer("steps", T.zeros(1))

    net = Net()
    return {
        "parameters": [name for name, _ in net.named_parameters()],
        "own": [name for name, _ in net.named_parameters(recurse=False)],
        "prefix": [name for name, _ in net.named_parameters(prefix="net")],
        "buffers": [name for name, _ in net.named_buffers()],
        "children": [name for name, _ in net.named_children()],
        "modules": [name for name, _ in net.named_modules()],
        "state": list(net.state_dict()),
        "none": net.none,
    }


def case_attributes_of_modules(T):
    """Setting, replacing and deleting parameters, buffers and submodules."""
    net = T.nn.Module()
    net.w = T.nn.Parameter(T.ones(1))
    net.plain = T.ones(1)
    net.layer = T.nn.ReLU()

    def plain_over_parameter():
        net.w = T.ones(1)

    found = {
        "refused": attempt(plain_over_parameter, "cannot assign", "Parameter", "or None expected"),
        "missing": attempt(lambda: net.nothing, "object has no attribute 'nothing'"),
        "before": sorted(net.state_dict()),
    }
    net.w = T.nn.Parameter(T.zeros(1))
    net.w = None
    del net.layer
    found["after"] = [net.w, [name for name, _ in net.named_modules()]]
    found["early"] = attempt(_parameter_before_init(T), "before Module.__init__() call")
    return found


def _parameter_before_init(T):
    class Early(T.nn.Module):
        def __init__(self):
            self.w = T.nn.Parameter(T.ones(1))
            super().__init__()

    return Early


def case_registering_checks_names(T):
    """Names of parameters and buffers are checked."""
    net = T.nn.Module()
    net.taken = 3
    return {
        "dot": attempt(lambda: net.register_parameter("a.b", None), "parameter name can"),
        "empty": attempt(lambda: net.register_buffer("", None), "be empty string"),
        "taken": attempt(lambda: net.register_buffer("taken", T.ones(1)), "already exists"),
        "kind": attempt(
            lambda: net.register_parameter("w", T.ones(1)), "nn.Parameter or None required"
        ),
        "result": attempt(
            lambda: net.register_parameter("w", T.nn.Parameter(T.ones(1)) * 1),
        )["raised"],
        "module": attempt(lambda: net.add_module("m", 3), "is not a Module subclass"),
    }


def case_buffers(T):
    """Buffers are saved, moved and cast, not trained; some are not saved."""

    class Counter(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", T.zeros(1))
            self.register_buffer("scratch", T.zeros(2), persistent=False)

        def forward(self, x):
            self.count += 1
            return x * self.count

    net = Counter()
    x = T.ones(1, requires_grad=True)
    net(x)
    out = net(x)
    return {
        "state": {key: values(t) for key, t in net.state_dict().items()},
        "parameters": len(list(net.parameters())),
        "buffers": [name for name, _ in net.named_buffers()],
        "requires": net.count.requires_grad,
        "grads": grads(out, x),
        "double": dtype_of(net.double().count),
    }


def case_train_and_eval_reach_submodules(T):
    """train and eval switch all modules below; dropout listens."""
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Sequential(T.nn.Dropout(0.5)))
    first = [m.training for m in net.modules()]
    returned = net.eval()
    x = T.ones(1, 2)
    same = values(net(x).detach()) == values(net[0](x).detach())
    second = [m.training for m in net.modules()]
    net[1].train()
    return {
        "first": first,
        "second": second,
        "third": [m.training for m in net.modules()],
        "returns_self": returned is net,
        "dropout_off": same,
        "wrong": attempt(lambda: net.train(3))["raised"],
    }


def case_requires_grad_of_a_module(T):
    """requires_grad_ freezes all parameters and returns the module."""
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Linear(2, 1))
    returned = net[0].requires_grad_(False)
    out = net(T.ones(1, 2))
    out.sum().backward()
    return {
        "self": returned is net[0],
        "flags": [p.requires_grad for p in net.parameters()],
        "grads": [p.grad is not None for p in net.parameters()],
        "out": flags(out),
    }


def case_zero_grad_both_ways(T):
    """zero_grad sets to None, or to zero on request."""
    layer = _filled(T, T.nn.Linear(2, 1))
    layer(T.ones(1, 2)).sum().backward()
    layer.zero_grad(set_to_none=False)
    zero = values(layer.weight.grad)
    layer.zero_grad()
    return {"zero": zero, "none": values(layer.weight.grad)}


def case_state_dict_is_detached_and_shares(T):
    """state_dict holds detached aliases: writing to them writes to the parameters."""
    layer = _filled(T, T.nn.Linear(2, 1))
    state = layer.state_dict()
    state["bias"].fill_(5.0)
    return {
        "flags": flags(state["weight"]),
        "shares": same_memory(state["weight"], layer.weight),
        "bias": values(layer.bias),
        "type": type(state).__name__,
        "is_parameter": isinstance(state["weight"], T.nn.Parameter),
    }


def case_load_state_dict_checks_keys(T):
    """Missing and unexpected keys are named; strict=False passes them over and reports."""
    a = T.nn.Linear(2, 1)
    state = {"weight": T.ones(1, 2), "extra": T.ones(1)}
    result = a.load_state_dict(state, strict=False)
    return {
        "strict": attempt(
            lambda: a.load_state_dict(state),
            "Error(s) in loading state_dict for Linear",
            'Missing key(s) in state_dict: "bias"',
            'Unexpected key(s) in state_dict: "extra"',
        ),
        "missing": list(result.missing_keys),
        "unexpected": list(result.unexpected_keys),
        "weight": values(a.weight),
        "matched": str(a.load_state_dict(a.state_dict())),
    }


def case_load_state_dict_checks_shapes(T):
    """A parameter of another shape is refused by name."""
    a = _filled(T, T.nn.Linear(2, 1))
    before = values(a.weight)
    return {
        "error": attempt(
            lambda: a.load_state_dict({"weight": T.ones(2, 2), "bias": T.ones(1)}),
            "size mismatch for weight",
            "copying a param with shape",
        ),
        "unchanged": values(a.weight) == before,
    }


def case_load_state_dict_casts(T):
    """Loaded values are cast to the parameter's dtype."""
    a = T.nn.Linear(1, 1)
    a.load_state_dict({"weight": T.tensor([[2.5]], dtype=T.float64), "bias": T.tensor([3])})
    return {"weight": info(a.weight), "bias": info(a.bias), "is_leaf": a.weight.is_leaf}


def case_casting_a_module(T):
    """double() casts parameters in place: the objects and the optimizer's references stay."""
    layer = _filled(T, T.nn.Linear(2, 1))
    before = layer.weight
    returned = layer.double()
    return {
        "self": returned is layer,
        "same_object": layer.weight is before,
        "dtype": dtype_of(before),
        "to": dtype_of(layer.to(T.float32).weight),
        "half": dtype_of(layer.half().bias),
        "out": dtype_of(layer.float()(T.ones(1, 2))),
    }


def case_apply_visits_children_first(T):
    """apply runs over submodules before the module itself."""
    net = T.nn.Sequential(T.nn.Linear(1, 1), T.nn.Sequential(T.nn.ReLU()))
    seen = []
    net.apply(lambda m: seen.append(type(m).__name__))
    return {"seen": seen}


def case_sequential_as_a_list(T):
    """A Sequential can be indexed, sliced, counted, iterated and appended to."""
    net = T.nn.Sequential(T.nn.Linear(1, 2), T.nn.ReLU(), T.nn.Linear(2, 1))
    net.append(T.nn.Tanh())
    from collections import OrderedDict

    named = T.nn.Sequential(OrderedDict([("first", T.nn.ReLU()), ("second", T.nn.Tanh())]))
    return {
        "len": len(net),
        "last": type(net[-1]).__name__,
        "slice": [type(m).__name__ for m in net[1:3]],
        "iterated": [type(m).__name__ for m in net],
        "named": [name for name, _ in named.named_children()],
        "by_name": type(named.second).__name__,
        "range": attempt(lambda: net[9], "out of range"),
    }


def case_module_list_and_dict(T):
    """Lists and dicts of modules register what they hold; plain lists do not."""

    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.held = T.nn.ModuleList([T.nn.Linear(1, 1), T.nn.Linear(1, 1)])
            self.named = T.nn.ModuleDict({"a": T.nn.Linear(1, 1, bias=False)})
            self.weights = T.nn.ParameterList([T.nn.Parameter(T.ones(1))])
            self.lost = [T.nn.Linear(1, 1)]

    net = Net()
    return {
        "parameters": [name for name, _ in net.named_parameters()],
        "len": len(net.held),
        "keys": list(net.named),
    }


def case_forward_is_missing(T):
    """A module without forward says so when it is called."""
    return attempt(lambda: T.nn.Module()(T.ones(1)), 'is missing the required "forward" function')


def case_parameter_forms(T):
    """What can become a Parameter, and what it shares."""
    x = T.ones(2)
    p = T.nn.Parameter(x)
    p2 = T.nn.Parameter(p * 2)
    return {
        "shares": same_memory(p, x),
        "x": flags(x),
        "from_result": flags(p2),
        "ints": attempt(lambda: T.nn.Parameter(T.tensor([1])), "floating point")["raised"],
        "ints_frozen": T.nn.Parameter(T.tensor([1]), requires_grad=False).requires_grad,
        "empty": shape(T.nn.Parameter()),
        "number": attempt(lambda: T.nn.Parameter(3.0))["raised"],
        "of_a_parameter": isinstance(T.nn.Parameter(p), T.nn.Parameter),
        "requires_off": flags(p.requires_grad_(False)),
    }


def case_arithmetic_of_parameters(T):
    """Operations on a Parameter give tensors; in-place ones under no_grad keep the Parameter."""
    p = T.nn.Parameter(T.ones(2))
    with T.no_grad():
        q = p.add_(1)
    return {
        "in_place": q is p,
        "still": isinstance(p, T.nn.Parameter),
        "product": type(p * 2).__name__,
        "view": type(p[:1]).__name__,
        "data": type(p.data).__name__,
        "same_dtype": p.float() is p,
    }


def case_deepcopy_of_a_module(T):
    """A deep copy has weights of its own, with flags and shared weights kept."""

    class Tied(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = T.nn.Linear(2, 2)
            self.b = T.nn.Linear(2, 2)
            self.b.weight = self.a.weight
            self.a.bias.requires_grad_(False)

    net = Tied()
    other = copy.deepcopy(net)
    with T.no_grad():
        net.a.weight.fill_(7.0)
    return {
        "shares": same_memory(net.a.weight, other.a.weight),
        "tied": other.a.weight is other.b.weight,
        "frozen": other.a.bias.requires_grad,
        "type": isinstance(other.a.weight, T.nn.Parameter),
        "changed": bool((other.a.weight == 7.0).all()),
    }


def case_weights_start_within_bounds(T):
    """Fresh layers start between the bounds that their sizes give, and differ from each other."""
    T.manual_seed(0)
    a, b = T.nn.Linear(16, 8), T.nn.Linear(16, 8)
    conv = T.nn.Conv2d(4, 2, 3)
    norm = T.nn.LayerNorm(3)
    return {
        "linear": [a.weight.abs().max().item() <= 0.25, a.bias.abs().max().item() <= 0.25],
        "spread": a.weight.std().item() > 0.1,
        "differ": not T.equal(a.weight, b.weight),
        "conv": conv.weight.abs().max().item() <= (4 * 9) ** -0.5,
        "norm": [values(norm.weight), values(norm.bias)],
    }


def case_embedding_layer(T):
    """Embedding looks rows up; repeated rows add their gradients; the padding row stays."""
    layer = _filled(T, T.nn.Embedding(4, 2, padding_idx=3))
    out = layer(T.tensor([[0, 3], [0, 1]]))
    out.sum().backward()
    return {
        "shape": shape(out),
        "grad": values(layer.weight.grad),
        "range": attempt(lambda: layer(T.tensor([4])), "index out of range"),
        "floats": attempt(lambda: layer(T.tensor([1.0])))["raised"],
        "fresh_padding": values(T.nn.Embedding(3, 2, padding_idx=0).weight[0]),
    }


def case_dropout_layer(T):
    """Dropout drops in training only, and checks its rate."""
    T.manual_seed(1)
    layer = T.nn.Dropout(0.5)
    x = T.ones(200)
    trained = sorted(set(layer(x).tolist()))
    layer.eval()
    return {
        "trained": trained,
        "eval": layer(x) is x or T.equal(layer(x), x),
        "range": attempt(
            lambda: T.nn.Dropout(-0.1), "dropout probability has to be between 0 and 1"
        ),
    }


def case_batch_norm_running_statistics(T):
    """BatchNorm keeps running means in training and uses them in eval."""
    layer = T.nn.BatchNorm1d(2)
    layer(T.tensor([[1.0, 10.0], [3.0, 30.0]]))
    layer.eval()
    out = layer(T.tensor([[1.0, 10.0]]))
    return {
        "mean": values(layer.running_mean),
        "var": values(layer.running_var),
        "out": values(out.detach()),
        "batches": layer.num_batches_tracked.item(),
    }


def case_clip_grad_norm(T):
    """clip_grad_norm_ scales all gradients by one factor and returns the norm before."""
    a = T.tensor([0.0, 0.0], requires_grad=True)
    b = T.tensor([0.0], requires_grad=True)
    a.grad, b.grad = T.tensor([3.0, 0.0]), T.tensor([4.0])
    unused = T.tensor([1.0], requires_grad=True)
    total = T.nn.utils.clip_grad_norm_([a, b, unused], 1.0)
    small = T.nn.utils.clip_grad_norm_([a, b], 10.0)
    return {"total": info(total), "a": values(a.grad), "b": values(b.grad), "small": small.item()}


def case_clip_grad_value(T):
    """clip_grad_value_ clamps each gradient in place."""
    a = T.tensor([0.0, 0.0], requires_grad=True)
    a.grad = T.tensor([3.0, -0.5])
    kept = a.grad
    T.nn.utils.clip_grad_value_([a], 1.0)
    return {"a": values(a.grad), "same": a.grad is kept}


def case_parameters_to_vector(T):
    """All parameters as one vector, and back."""
    layer = _filled(T, T.nn.Linear(2, 1))
    vector = T.nn.utils.parameters_to_vector(layer.parameters())
    T.nn.utils.vector_to_parameters(T.ones(3), layer.parameters())
    return {
        "vector": values(vector),
        "flags": flags(vector),
        "weight": values(layer.weight),
        "bias": values(layer.bias),
    }


def case_init_functions(T):
    """The initialisers write in place under no_grad and return the tensor."""
    w = T.nn.Parameter(T.zeros(3, 4))
    init = T.nn.init
    returned = init.constant_(w, 2.0)
    found = {"constant": [returned is w, values(w.sum())]}
    init.zeros_(w), init.ones_(w)
    found["ones"] = values(w.sum())
    T.manual_seed(0)
    init.uniform_(w, 2.0, 3.0)
    found["uniform"] = [w.min().item() >= 2.0, w.max().item() <= 3.0]
    init.xavier_uniform_(w)
    found["xavier"] = w.abs().max().item() <= (6 / 7) ** 0.5
    init.kaiming_uniform_(w)
    found["kaiming"] = w.abs().max().item() <= (6 / 4) ** 0.5
    init.normal_(w, std=0.0)
    found["normal"] = values(w.sum())
    return {**found, "flags": flags(w)}


def case_functional_forms_agree_with_modules(T):
    """Each activation as function and as module."""
    x = T.tensor([-2.0, 0.5, 3.0])
    F, nn = T.nn.functional, T.nn
    pairs = {
        "relu": (F.relu(x), nn.ReLU()(x)),
        "tanh": (T.tanh(x), nn.Tanh()(x)),
        "sigmoid": (T.sigmoid(x), nn.Sigmoid()(x)),
        "gelu": (F.gelu(x), nn.GELU()(x)),
        "elu": (F.elu(x), nn.ELU()(x)),
        "softplus": (F.softplus(x), nn.Softplus()(x)),
        "leaky": (F.leaky_relu(x, 0.1), nn.LeakyReLU(0.1)(x)),
        "silu": (F.silu(x), nn.SiLU()(x)),
    }
    return {name: T.equal(a, b) for name, (a, b) in pairs.items()}


def case_relu_inplace_module(T):
    """ReLU(inplace=True) writes to its input."""
    x = T.tensor([-1.0, 2.0])
    out = T.nn.ReLU(inplace=True)(x)
    leaf = T.tensor([-1.0], requires_grad=True)
    return {
        "x": values(x),
        "same": out is x,
        "version": x._version,
        "leaf": attempt(lambda: T.nn.ReLU(inplace=True)(leaf), "leaf Variable that requires grad"),
    }


def case_hidden_state_of_a_cell_detached_each_step(T):
    """Truncated back-propagation through a cell: each chunk's graph ends at the detached state."""
    cell = _filled(T, T.nn.RNNCell(1, 2))
    h = T.zeros(1, 2)
    found = []
    for chunk in range(2):
        h = h.detach()
        for step in range(2):
            h = cell(T.full((1, 1), 0.5 * (chunk + step + 1)), h)
        cell.zero_grad()
        h.sum().backward()
        found.append(values(cell.weight_hh.grad))
    return {"found": found, "h": values(h.detach())}


def case_hidden_state_kept_attached(T):
    """Left attached, the second chunk goes back through the freed first one."""
    cell = _filled(T, T.nn.RNNCell(1, 2))
    h = cell(T.ones(1, 1), T.zeros(1, 2))
    h.sum().backward()
    h = cell(T.ones(1, 1), h)
    return attempt(h.sum().backward, "backward through the graph a second time")


def case_conv_errors(T):
    """Shapes that do not fit a convolution."""
    F = T.nn.functional
    return {
        "channels": attempt(
            lambda: F.conv2d(T.ones(1, 2, 3, 3), T.ones(1, 1, 2, 2)),
            "to have 1 channels, but got 2 channels",
        ),
        "kernel": attempt(
            lambda: F.conv2d(T.ones(1, 1, 2, 2), T.ones(1, 1, 3, 3)),
            "Kernel size can't be greater than actual input size",
        ),
        "rank": attempt(lambda: F.conv2d(T.ones(3, 3), T.ones(1, 1, 2, 2)))["raised"],
        "no_batch": shape(F.conv2d(T.ones(1, 3, 3), T.ones(1, 1, 2, 2))),
    }


def case_linear_errors(T):
    """Shapes that do not fit a layer."""
    layer = T.nn.Linear(3, 2)
    return {
        "size": attempt(
            lambda: layer(T.ones(4, 2)), "mat1 and mat2 shapes cannot be multiplied (4x2 and 3x2)"
        ),
        "ints": attempt(lambda: layer(T.ones(4, 3, dtype=T.int64)))["raised"],
        "vector": shape(layer(T.ones(3))),
        "empty": shape(layer(T.ones(0, 3))),
    }


def case_a_frozen_part_passes_gradients_through(T):
    """Frozen layers in the middle learn nothing and let gradients through."""
    net = _filled(T, T.nn.Sequential(T.nn.Linear(1, 1), T.nn.Linear(1, 1), T.nn.Linear(1, 1)))
    net[1].requires_grad_(False)
    net(T.ones(1, 1)).sum().backward()
    return {"grads": [p.grad is not None for p in net.parameters()]}


def case_no_grad_part_stops_gradients(T):
    """The same middle run under no_grad stops them."""
    net = _filled(T, T.nn.Sequential(T.nn.Linear(1, 1), T.nn.Linear(1, 1), T.nn.Linear(1, 1)))
    with T.no_grad():
        h = net[1](net[0](T.ones(1, 1)))
    net[2](h).sum().backward()
    return {"grads": [p.grad is not None for p in net.parameters()]}
