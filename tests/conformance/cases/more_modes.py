"""More about grad modes: who switches, for whom, for how long; generators, threads and inference."""

import threading

from .observe import attempt, flags, grads, values


def case_set_grad_enabled_as_a_call(T):
    """Called as a function it switches at once and stays switched."""
    x = T.tensor([1.0], requires_grad=True)
    T.set_grad_enabled(False)
    off = flags(x * 2)
    T.set_grad_enabled(True)
    return {"off": off, "on": flags(x * 2)}


def case_set_grad_enabled_as_a_decorator(T):
    """As a decorator it switches inside the function only."""

    @T.set_grad_enabled(False)
    def predict(x):
        return x * 2

    x = T.tensor([1.0], requires_grad=True)
    enabled = T.is_grad_enabled()
    return {"inside": flags(predict(x)), "enabled": enabled, "after": T.is_grad_enabled()}


def case_enable_grad_inside_no_grad(T):
    """enable_grad inside no_grad records; leaving restores each in turn."""
    x = T.tensor([1.0], requires_grad=True)
    seen = [T.is_grad_enabled()]
    with T.no_grad():
        seen.append(T.is_grad_enabled())
        with T.enable_grad():
            seen.append(T.is_grad_enabled())
            y = x * 2
        seen.append(T.is_grad_enabled())
    seen.append(T.is_grad_enabled())
    return {"seen": seen, "y": flags(y)}


def case_generator_under_no_grad(T):
    """A decorated generator has recording off while it runs, and leaves its caller's mode alone."""

    @T.no_grad()
    def steps(x):
        for k in range(3):
            yield [T.is_grad_enabled(), (x * k).requires_grad]

    x = T.tensor([1.0], requires_grad=True)
    inside, outside = [], []
    for item in steps(x):
        inside.append(item)
        outside.append(T.is_grad_enabled())
    return {"inside": inside, "outside": outside}


def case_generator_sends_and_returns(T):
    """A decorated generator still takes what is sent and returns a value."""

    @T.no_grad()
    def echo():
        got = yield "first"
        got = yield got
        return got

    machine = echo()
    seen = [next(machine), machine.send("second")]
    try:
        machine.send("last")
    except StopIteration as stop:
        seen.append(stop.value)
    return {"seen": seen, "enabled": T.is_grad_enabled()}


def case_generator_closed_early(T):
    """Closing or failing a decorated generator leaves the mode as it was."""

    @T.no_grad()
    def endless():
        try:
            while True:
                yield T.is_grad_enabled()
        finally:
            seen.append(T.is_grad_enabled())

    seen = []
    machine = endless()
    seen.append(next(machine))
    machine.close()
    return {"seen": seen, "enabled": T.is_grad_enabled()}


def case_generator_with_an_error_thrown_in(T):
    """An exception thrown into a decorated generator arrives where recording is off."""

    @T.no_grad()
    def careful():
        try:
            yield 1
        except ValueError:
            yield T.is_grad_enabled()

    machine = careful()
    next(machine)
    inside = machine.throw(ValueError("x"))
    return {"inside": inside, "outside": T.is_grad_enabled()}


def case_with_inside_a_plain_generator(T):
    """A with no_grad inside an undecorated generator leaks to whoever consumes it."""

    def steps():
        with T.no_grad():
            yield 1
            yield 2

    machine = steps()
    next(machine)
    between = T.is_grad_enabled()
    machine.close()
    return {"between": between, "after": T.is_grad_enabled()}


def case_recursion_through_a_decorated_function(T):
    """A decorated function may call itself."""

    @T.no_grad()
    def countdown(n):
        return [T.is_grad_enabled()] + (countdown(n - 1) if n else [])

    return {"inside": countdown(2), "outside": T.is_grad_enabled()}


def case_decorator_keeps_name_and_result(T):
    """The decorated function keeps its name and text, and hands its result through."""

    @T.no_grad()
    def answer(a, *, b=1):
        """The text."""
        return a + b

    return {"name": answer.__name__, "doc": answer.__doc__, "result": answer(2, b=5)}


def case_decorated_method(T):
    """A decorated method still gets its object."""

    class Model:
        factor = 3

        @T.no_grad()
        def run(self, x):
            return x * self.factor

    x = T.tensor([1.0], requires_grad=True)
    return {"flags": flags(Model().run(x)), "values": values(Model().run(x))}


def case_error_inside_a_decorated_function(T):
    """An exception leaves the mode as it was."""

    @T.no_grad()
    def fail():
        raise ValueError("stop")

    return {"error": attempt(fail, "stop"), "enabled": T.is_grad_enabled()}


def case_mode_is_per_thread(T):
    """A thread starts with recording on, whatever the mode of the thread that started it."""
    seen = {}

    def work():
        seen["start"] = T.is_grad_enabled()
        T.set_grad_enabled(False)
        seen["end"] = T.is_grad_enabled()

    with T.no_grad():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        seen["caller"] = T.is_grad_enabled()
    seen["after"] = T.is_grad_enabled()
    return seen


def case_backward_in_another_thread(T):
    """A graph recorded in one thread can be run backward in another."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    thread = threading.Thread(target=loss.backward)
    thread.start()
    thread.join()
    return {"grad": values(x.grad)}


def case_requires_grad_set_under_no_grad(T):
    """no_grad does not stop anyone from switching a leaf on, or making one that is."""
    with T.no_grad():
        a = T.tensor([1.0], requires_grad=True)
        b = T.zeros(1).requires_grad_()
        p = T.nn.Parameter(T.zeros(1))
    return {"a": flags(a), "b": flags(b), "p": flags(p)}


def case_leaves_made_under_no_grad_learn(T):
    """Such a leaf records like any other once outside."""
    with T.no_grad():
        a = T.tensor([2.0], requires_grad=True)
    return {"grads": grads(a * a, a)}


def case_result_made_under_no_grad_can_become_a_leaf(T):
    """A result made under no_grad is a leaf and may be switched on."""
    x = T.tensor([2.0], requires_grad=True)
    with T.no_grad():
        y = x * 3
    y.requires_grad_()
    return {"flags": flags(y), "grads": grads(y * y, y), "x": values(x.grad)}


def case_inplace_under_no_grad_keeps_the_node(T):
    """A write under no_grad keeps the node and counts."""
    x = T.tensor([2.0], requires_grad=True)
    y = x.exp()
    with T.no_grad():
        y.add_(1)
    return {
        "has_node": y.grad_fn is not None,
        "version": y._version,
        "error": attempt(y.sum().backward, "modified by an inplace operation")["raised"],
    }


def case_retain_grad_under_no_grad(T):
    """A result made before may be asked to keep its gradient under no_grad."""
    x = T.tensor([2.0], requires_grad=True)
    h = x * 3
    with T.no_grad():
        h.retain_grad()
    (h * h).sum().backward()
    return {"h": values(h.grad)}


def case_views_under_no_grad_share_and_count(T):
    """A view made under no_grad shares memory and counter; after a write it is asked no more."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.no_grad():
        v = x[:1]
        v.add_(10)
    phrase = "A view was created in no_grad mode"
    return {
        "x": values(x),
        "version": x._version,
        "history": attempt(lambda: v.grad_fn, phrase, "has been modified inplace"),
        "used": attempt(lambda: v * 2, phrase)["raised"],
    }


def case_evaluation_between_training_steps(T):
    """A measurement under no_grad between steps leaves the graph of the step alone."""
    w = T.tensor([2.0], requires_grad=True)
    loss = (w * w).sum()
    with T.no_grad():
        measured = (w * 100).sum().item()
    loss.backward()
    return {"measured": measured, "grad": values(w.grad)}


def case_set_grad_enabled_restores_what_was(T):
    """set_grad_enabled(True) inside no_grad is undone on leaving."""
    with T.no_grad():
        with T.set_grad_enabled(True):
            inside = T.is_grad_enabled()
        after = T.is_grad_enabled()
    return {"inside": inside, "after": after, "outside": T.is_grad_enabled()}


def case_two_guards_left_in_the_wrong_order(T):
    """Guards entered and left by hand restore what each had found."""
    a, b = T.no_grad(), T.enable_grad()
    a.__enter__()
    b.__enter__()
    a.__exit__(None, None, None)
    after_a = T.is_grad_enabled()
    b.__exit__(None, None, None)
    after_b = T.is_grad_enabled()
    T.set_grad_enabled(True)
    return {"after_a": after_a, "after_b": after_b}


def case_inference_mode_flags(T):
    """Inside inference_mode everything made is an inference tensor, views of normal ones excepted."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.inference_mode():
        made = {
            "zeros": T.zeros(1),
            "product": x * 2,
            "view": x[:1],
            "detached": x.detach(),
            "clone": x.clone(),
        }
        enabled = T.is_inference_mode_enabled()
    return {
        "inference": {name: t.is_inference() for name, t in made.items()},
        "requires": {name: t.requires_grad for name, t in made.items()},
        "enabled": enabled,
        "outside": T.is_inference_mode_enabled(),
    }


def case_inference_tensor_written_outside(T):
    """An inference tensor may not be written outside the mode; inside it may."""
    with T.inference_mode():
        y = T.ones(2)
        y.add_(1)
    return {
        "y": values(y),
        "outside": attempt(
            lambda: y.mul_(2), "Inplace update to inference tensor outside InferenceMode"
        ),
    }


def case_inference_tensor_switched_on_outside(T):
    """An inference tensor may not be switched on outside the mode."""
    with T.inference_mode():
        y = T.ones(2)
    return attempt(
        lambda: y.requires_grad_(),
        "Setting requires_grad=True on inference tensor outside InferenceMode",
    )


def case_inference_tensor_in_a_graph(T):
    """It may be an operand where nothing has to be kept; where it has, a clone helps."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.inference_mode():
        c = T.tensor([3.0, 4.0])
    return {
        "add": grads(x + c, x),
        "mul": attempt(lambda: x * c, "Inference tensors cannot be saved for backward", "clone"),
        "clone": grads(x * c.clone(), x),
    }


def case_leaf_made_inside_inference_mode(T):
    """A leaf made inside may require a gradient, and still records nothing inside."""
    with T.inference_mode():
        w = T.ones(2, requires_grad=True)
        y = w * 2
    return {"w": [w.requires_grad, w.is_inference()], "y": [y.requires_grad, y.is_inference()]}


def case_normal_tensor_written_inside_inference_mode(T):
    """A normal tensor may be written inside, and it is counted."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    h = x * 1
    with T.inference_mode():
        h.add_(5)
    loss = h * h
    return {"version": h._version, "h": values(h), "grads": grads(loss, x)}


def case_view_of_an_inference_tensor(T):
    """Views of inference tensors are inference tensors, outside as well."""
    with T.inference_mode():
        y = T.arange(4.0)
    v = y.view(2, 2)
    return {"view": v.is_inference(), "sum": (y + 1).is_inference(), "deep": y[0].is_inference()}


def case_inference_mode_nested(T):
    """inference_mode nests with itself and with no_grad."""
    seen = []
    with T.inference_mode():
        with T.no_grad():
            seen.append([T.is_grad_enabled(), T.is_inference_mode_enabled()])
        with T.inference_mode(False):
            seen.append([T.is_grad_enabled(), T.is_inference_mode_enabled()])
        seen.append([T.is_grad_enabled(), T.is_inference_mode_enabled()])
    seen.append([T.is_grad_enabled(), T.is_inference_mode_enabled()])
    return {"seen": seen}


def case_enable_grad_inside_inference_mode(T):
    """enable_grad inside inference_mode does not bring recording back."""
    x = T.tensor([1.0], requires_grad=True)
    with T.inference_mode():
        with T.enable_grad():
            y = x * 2
            enabled = T.is_grad_enabled()
    return {"enabled": enabled, "requires": y.requires_grad, "inference": y.is_inference()}


def case_inference_mode_bare_decorator(T):
    """inference_mode decorates without parentheses too."""

    @T.inference_mode
    def predict(x):
        return x * 2

    y = predict(T.tensor([1.0], requires_grad=True))
    return {"inference": y.is_inference(), "requires": y.requires_grad}


def case_backward_inside_inference_mode(T):
    """A graph recorded before cannot keep its gradients' history, but they arrive."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    with T.inference_mode():
        result = attempt(loss.backward)
    return {"raised": result["raised"], "grad": values(x.grad)}


def case_numpy_of_an_inference_tensor(T):
    """An inference tensor gives its array without ado."""
    with T.inference_mode():
        y = T.ones(2, requires_grad=False) * 3
    return {"array": y.numpy().tolist(), "item": y[0].item()}


def case_saved_results_made_inside_no_grad_are_plain(T):
    """Everything an operation makes under no_grad is plain, its indices too."""
    x = T.tensor([[1.0, 3.0]], requires_grad=True)
    with T.no_grad():
        top, where = x.max(dim=1)
    return {"top": flags(top), "where": flags(where)}


def case_grad_mode_in_a_lambda_default(T):
    """no_grad around a lambda's call, not its making, is what counts."""
    x = T.tensor([1.0], requires_grad=True)
    with T.no_grad():
        make = lambda: x * 2  # noqa: E731
    return {"made_outside": flags(make())}


def case_freezing_a_module_is_not_no_grad(T):
    """Freezing a module's parameters is another thing than no_grad: its input still learns."""
    layer = T.nn.Linear(2, 1)
    layer.requires_grad_(False)
    x = T.tensor([[1.0, 2.0]], requires_grad=True)
    out = layer(x)
    with T.no_grad():
        quiet = layer(x)
    return {"frozen": flags(out), "quiet": flags(quiet), "weight": flags(layer.weight)}
