"""More about optimizers: their arithmetic step by step, their groups and state, and what they refuse."""

from .observe import attempt, flags, listen, values


def _path(name, sees, build, steps=4):
    """One program: where two weights go in some steps down a bowl."""

    def case(T):
        w = T.tensor([1.0, -2.0], requires_grad=True)
        b = T.tensor([0.5], requires_grad=True)
        opt = build(T, [w, b])
        path = []
        for _ in range(steps):
            opt.zero_grad()
            ((w**2).sum() * 0.5 + (w.sum() * b) + b**4).sum().backward()
            opt.step()
            path.append([values(w), values(b)])
        return {"path": path}

    case.__name__ = f"case_path_of_{name}"
    case.__doc__ = sees
    return case


TABLE = [
    _path("sgd", "Plain SGD.", lambda T, p: T.optim.SGD(p, lr=0.1)),
    _path("momentum", "Momentum.", lambda T, p: T.optim.SGD(p, lr=0.1, momentum=0.9)),
    _path(
        "dampening",
        "Dampened momentum.",
        lambda T, p: T.optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.5),
    ),
    _path(
        "nesterov",
        "Nesterov momentum.",
        lambda T, p: T.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
    ),
    _path("weight_decay", "Weight decay.", lambda T, p: T.optim.SGD(p, lr=0.1, weight_decay=0.1)),
    _path(
        "momentum_and_decay",
        "Momentum and weight decay.",
        lambda T, p: T.optim.SGD(p, lr=0.05, momentum=0.8, weight_decay=0.2),
    ),
    _path("maximize", "Uphill.", lambda T, p: T.optim.SGD(p, lr=0.01, maximize=True)),
    _path("adam", "Adam.", lambda T, p: T.optim.Adam(p, lr=0.1)),
    _path(
        "adam_betas",
        "Adam with other betas and eps.",
        lambda T, p: T.optim.Adam(p, lr=0.1, betas=(0.5, 0.6), eps=1e-3),
    ),
    _path(
        "adam_decay",
        "Adam with decay in the gradient.",
        lambda T, p: T.optim.Adam(p, lr=0.1, weight_decay=0.1),
    ),
    _path(
        "amsgrad",
        "Adam that keeps the largest.",
        lambda T, p: T.optim.Adam(p, lr=0.1, betas=(0.5, 0.5), amsgrad=True),
    ),
    _path(
        "adamw",
        "AdamW decays the weight itself.",
        lambda T, p: T.optim.AdamW(p, lr=0.1, weight_decay=0.1),
    ),
    _path("adamw_default", "AdamW decays by default.", lambda T, p: T.optim.AdamW(p, lr=0.1)),
    _path("rmsprop", "RMSprop.", lambda T, p: T.optim.RMSprop(p, lr=0.05)),
    _path("adagrad", "Adagrad.", lambda T, p: T.optim.Adagrad(p, lr=0.1)),
    _path(
        "groups",
        "Two groups with rates of their own.",
        lambda T, p: T.optim.SGD([{"params": [p[0]]}, {"params": [p[1]], "lr": 0.01}], lr=0.1),
    ),
]


def case_defaults_in_param_groups(T):
    """A group holds its parameters and all settings."""
    w = T.zeros(1, requires_grad=True)
    sgd = T.optim.SGD([w], lr=0.1).param_groups[0]
    adam = T.optim.Adam([w]).param_groups[0]
    return {
        "sgd": [sgd["lr"], sgd["momentum"], sgd["weight_decay"], sgd["nesterov"], sgd["dampening"]],
        "adam": [adam["lr"], list(adam["betas"]), adam["eps"], adam["weight_decay"]],
        "adamw": T.optim.AdamW([w]).param_groups[0]["weight_decay"],
        "params": sgd["params"][0] is w,
        "default_lr": T.optim.SGD([w]).param_groups[0]["lr"],
    }


def case_refused_settings(T):
    """Settings out of range are refused."""
    w = T.zeros(1, requires_grad=True)
    return {
        "lr": attempt(lambda: T.optim.SGD([w], lr=-0.1), "Invalid learning rate: -0.1"),
        "momentum": attempt(
            lambda: T.optim.SGD([w], lr=0.1, momentum=-1), "Invalid momentum value"
        ),
        "decay": attempt(
            lambda: T.optim.SGD([w], lr=0.1, weight_decay=-1), "Invalid weight_decay value"
        ),
        "nesterov": attempt(
            lambda: T.optim.SGD([w], lr=0.1, nesterov=True),
            "Nesterov momentum requires a momentum and zero dampening",
        ),
        "betas": attempt(
            lambda: T.optim.Adam([w], betas=(1.0, 0.9)), "Invalid beta parameter at index 0"
        ),
        "eps": attempt(lambda: T.optim.Adam([w], eps=-1), "Invalid epsilon value"),
    }


def case_refused_parameters(T):
    """What may be optimized: leaves, once each."""
    w = T.zeros(1, requires_grad=True)
    return {
        "empty": attempt(lambda: T.optim.SGD([], lr=0.1), "optimizer got an empty parameter list"),
        "tensor": attempt(
            lambda: T.optim.SGD(w, lr=0.1),
            "params argument given to the optimizer should be an iterable",
        ),
        "number": attempt(
            lambda: T.optim.SGD([3.0], lr=0.1), "optimizer can only optimize Tensors"
        ),
        "result": attempt(lambda: T.optim.SGD([w * 1], lr=0.1), "can't optimize a non-leaf Tensor"),
        "plain": attempt(lambda: T.optim.SGD([T.zeros(1)], lr=0.1)),
        "twice": listen(lambda: T.optim.SGD([w, w], lr=0.1), "duplicate parameters"),
        "two_groups": attempt(
            lambda: T.optim.SGD([{"params": [w]}, {"params": [w]}], lr=0.1),
            "some parameters appear in more than one parameter group",
        ),
    }


def case_generator_of_parameters(T):
    """Parameters may come from a generator."""
    layer = T.nn.Linear(2, 1)
    opt = T.optim.SGD(layer.parameters(), lr=0.1)
    named = T.optim.SGD(layer.named_parameters(), lr=0.1)
    return {
        "count": len(opt.param_groups[0]["params"]),
        "named": len(named.param_groups[0]["params"]),
    }


def case_add_param_group(T):
    """A group may be added later, with settings of its own."""
    a, b = T.ones(1, requires_grad=True), T.ones(1, requires_grad=True)
    opt = T.optim.SGD([a], lr=0.1)
    opt.add_param_group({"params": b, "lr": 1.0})
    (a + b).sum().backward()
    opt.step()
    return {"a": values(a), "b": values(b), "groups": len(opt.param_groups)}


def case_step_with_a_closure(T):
    """step(closure) evaluates with recording on and returns the loss."""
    w = T.tensor([2.0], requires_grad=True)
    opt = T.optim.SGD([w], lr=0.1)
    seen = []

    def closure():
        seen.append(T.is_grad_enabled())
        opt.zero_grad()
        loss = (w**2).sum()
        loss.backward()
        return loss

    with T.no_grad():
        loss = opt.step(closure)
    return {"loss": loss.item(), "w": values(w), "seen": seen, "without": opt.step()}


def case_step_keeps_leaf_and_grad(T):
    """A step writes in place, leaves the gradient, and records nothing."""
    w = T.tensor([2.0], requires_grad=True)
    opt = T.optim.Adam([w], lr=0.1)
    (w * 3).sum().backward()
    g = w.grad
    opt.step()
    return {
        "flags": flags(w),
        "version": w._version,
        "grad": values(w.grad),
        "same": w.grad is g,
        "g_version": g._version,
    }


def case_zero_grad_of_an_optimizer(T):
    """zero_grad sets to None by default, or to zeros in the same tensor."""
    w = T.tensor([2.0], requires_grad=True)
    opt = T.optim.SGD([w], lr=0.1)
    (w * 3).sum().backward()
    kept = w.grad
    opt.zero_grad(set_to_none=False)
    zero = [w.grad is kept, values(kept)]
    opt.zero_grad()
    return {"zero": zero, "none": values(w.grad)}


def case_state_of_momentum(T):
    """The momentum buffer appears with the first step, as a tensor of its own."""
    w = T.tensor([2.0], requires_grad=True)
    opt = T.optim.SGD([w], lr=0.1, momentum=0.9)
    before = len(opt.state)
    (w * 3).sum().backward()
    opt.step()
    buffer = opt.state[w]["momentum_buffer"]
    w.grad.zero_()
    return {"before": before, "buffer": values(buffer), "keys": sorted(opt.state[w])}


def case_state_of_adam(T):
    """Adam keeps a count and two running means for each parameter."""
    w = T.tensor([2.0], requires_grad=True)
    opt = T.optim.Adam([w], lr=0.1, betas=(0.9, 0.99))
    for _ in range(2):
        opt.zero_grad()
        (w * 3).sum().backward()
        opt.step()
    state = opt.state[w]
    return {
        "keys": sorted(state),
        "step": float(state["step"]),
        "exp_avg": values(state["exp_avg"]),
        "exp_avg_sq": values(state["exp_avg_sq"]),
    }


def case_state_dict_round_trip(T):
    """Saved and loaded, an optimizer goes on as if nothing had happened."""

    def run(interrupt):
        w = T.tensor([1.0], requires_grad=True)
        opt = T.optim.SGD([w], lr=0.1, momentum=0.9)
        for step in range(4):
            if step == 2 and interrupt:
                state = opt.state_dict()
                opt = T.optim.SGD([w], lr=0.5, momentum=0.1)
                opt.load_state_dict(state)
            opt.zero_grad()
            (w**2).sum().backward()
            opt.step()
        return values(w)

    return {"straight": run(False), "interrupted": run(True)}


def case_state_dict_form(T):
    """The saved form counts parameters by number."""
    w = T.tensor([1.0], requires_grad=True)
    opt = T.optim.SGD([w], lr=0.1, momentum=0.9)
    (w * 2).sum().backward()
    opt.step()
    state = opt.state_dict()
    return {
        "keys": sorted(state),
        "params": state["param_groups"][0]["params"],
        "state": list(state["state"]),
        "buffer": values(state["state"][0]["momentum_buffer"]),
    }


def case_one_step_on_none_and_zero_gradients(T):
    """None skips a parameter whole; zero still decays and moves it."""
    found = {}
    for name, build in {
        "sgd": lambda p: T.optim.SGD(p, lr=0.1, weight_decay=0.5),
        "adamw": lambda p: T.optim.AdamW(p, lr=0.1, weight_decay=0.5),
    }.items():
        a, b = T.ones(1, requires_grad=True), T.ones(1, requires_grad=True)
        opt = build([a, b])
        a.grad = T.zeros(1)
        opt.step()
        found[name] = [values(a), values(b)]
    return found


def case_scheduler_by_hand(T):
    """The learning rate may change between steps."""
    w = T.tensor([1.0], requires_grad=True)
    opt = T.optim.SGD([w], lr=0.4)
    path = []
    for _ in range(3):
        opt.zero_grad()
        w.sum().backward()
        opt.step()
        path.append(values(w))
        for group in opt.param_groups:
            group["lr"] *= 0.5
    return {"path": path}


def case_step_after_backward_of_two_models(T):
    """An optimizer touches only what it was given."""
    a, b = T.ones(1, requires_grad=True), T.ones(1, requires_grad=True)
    opt = T.optim.SGD([a], lr=0.1)
    (a * b).sum().backward()
    opt.step()
    return {"a": values(a), "b": values(b), "b_grad": values(b.grad)}


def case_optimizer_after_data_was_rebound(T):
    """The optimizer holds the parameter, not its memory: a new .data is stepped."""
    w = T.ones(1, requires_grad=True)
    opt = T.optim.SGD([w], lr=0.1)
    w.data = T.full((1,), 5.0)
    w.sum().backward()
    opt.step()
    return {"w": values(w)}


def case_training_a_small_network(T):
    """Ten steps of a two-layer network from fixed weights."""
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
    with T.no_grad():
        for p in net.parameters():
            n = p.numel()
            p.copy_(T.tensor([0.3 * (-1) ** i + 0.1 * i for i in range(n)]).reshape(p.shape))
    x = T.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = T.tensor([[0.0], [1.0], [1.0], [0.0]])
    opt = T.optim.Adam(net.parameters(), lr=0.05)
    losses = []
    for _ in range(10):
        opt.zero_grad()
        loss = T.nn.functional.binary_cross_entropy_with_logits(net(x), y)
        loss.backward()
        T.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        losses.append(loss.item())
    return {"losses": losses}
