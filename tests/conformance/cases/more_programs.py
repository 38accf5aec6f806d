"""Longer programs: the loops that people write, with detach in the right place, the wrong place, or none."""

import copy
import gc
import weakref

from .observe import attempt, flags, grads, values


def _weights(T, *rows):
    return [T.tensor(row, requires_grad=True) for row in rows]


def _mlp(T):
    net = T.nn.Sequential(T.nn.Linear(1, 2), T.nn.Tanh(), T.nn.Linear(2, 1))
    with T.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(T.tensor([0.5 - 0.3 * i + 0.1 * k for i in range(p.numel())]).reshape(p.shape))
    return net


def _has_gradients(module):
    return [p.grad is not None for p in module.parameters()]


def case_gan_discriminator_step(T):
    """With the fake detached the generator's weights get no gradient from the discriminator's loss."""
    found = {}
    for name in ("detached", "attached"):
        generator, critic = _mlp(T), _mlp(T)
        fake = generator(T.ones(2, 1))
        seen = fake.detach() if name == "detached" else fake
        (critic(T.zeros(2, 1)) - critic(seen)).mean().backward()
        found[name] = {"generator": _has_gradients(generator), "critic": _has_gradients(critic)}
    return found


def case_gan_generator_step_fills_the_critic(T):
    """The generator's loss fills the critic's gradients too; the next zero_grad must clear them."""
    generator, critic = _mlp(T), _mlp(T)
    (-critic(generator(T.ones(1, 1)))).mean().backward()
    dirty = _has_gradients(critic)
    critic.zero_grad()
    return {"dirty": dirty, "clean": _has_gradients(critic), "generator": _has_gradients(generator)}


def case_gan_critic_frozen_for_the_generator(T):
    """With the critic frozen for the generator's step, gradients pass through and stay out of it."""
    generator, critic = _mlp(T), _mlp(T)
    critic.requires_grad_(False)
    (-critic(generator(T.ones(1, 1)))).mean().backward()
    critic.requires_grad_(True)
    return {"generator": _has_gradients(generator), "critic": _has_gradients(critic)}


def case_gan_backward_after_the_others_step(T):
    """A generator loss computed before the critic's step cannot go back after it."""
    generator, critic = _mlp(T), _mlp(T)
    optimizer = T.optim.SGD(critic.parameters(), lr=0.1)
    fake = generator(T.ones(1, 1))
    g_loss = (-critic(fake)).mean()
    critic(fake.detach()).mean().backward()
    optimizer.step()
    return attempt(g_loss.backward, "modified by an inplace operation")


def case_dqn_target(T):
    """The bootstrap target under no_grad, detached, or left in: what each does to the weight."""
    found = {}
    for name in ("no_grad", "detach", "attached"):
        (w,) = _weights(T, [1.5])
        state, after, reward = T.tensor([1.0]), T.tensor([2.0]), 1.0
        if name == "no_grad":
            with T.no_grad():
                target = reward + 0.9 * w * after
        else:
            target = reward + 0.9 * w * after
            target = target.detach() if name == "detach" else target
        loss = ((w * state - target) ** 2).sum()
        found[name] = grads(loss, w)
    return found


def case_target_network_copy_and_update(T):
    """A deep-copied target network moves slowly after the online one and learns nothing."""
    online = _mlp(T)
    target = copy.deepcopy(online)
    target.requires_grad_(False)
    optimizer = T.optim.SGD(online.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        ((online(T.ones(1, 1)) - target(T.ones(1, 1)) - 1) ** 2).sum().backward()
        optimizer.step()
        with T.no_grad():
            for t, p in zip(target.parameters(), online.parameters(), strict=True):
                t.lerp_(p, 0.5)
    return {
        "online": [values(p.detach()) for p in online.parameters()],
        "target": [values(p) for p in target.parameters()],
        "grads": _has_gradients(target),
    }


def case_ppo_ratio_over_two_epochs(T):
    """Old log-probabilities cut once serve two epochs."""
    (logits,) = _weights(T, [0.5, -0.5])
    action, advantage = T.tensor(0), 2.0
    old = T.log_softmax(logits, dim=0)[action].detach()
    optimizer = T.optim.SGD([logits], lr=0.5)
    ratios = []
    for _ in range(2):
        ratio = (T.log_softmax(logits, dim=0)[action] - old).exp()
        loss = -T.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ratios.append(ratio.item())
    return {"ratios": ratios, "logits": values(logits.detach())}


def case_truncated_backpropagation(T):
    """The state cut every k steps: gradients of a short memory, whatever the length."""
    found = {}
    for k in (1, 2, 100):
        (w,) = _weights(T, [0.5])
        h, total = T.ones(1), T.zeros(1)
        for step in range(4):
            if step % k == 0:
                h = h.detach()
            h = T.tanh(h * w)
            total = total + h
        found[str(k)] = grads(total, w)
    return found


def case_state_carried_between_batches(T):
    """Carried over attached, the second backward runs into the freed graph; cut, it does not."""
    (w,) = _weights(T, [0.5])
    h = T.tanh(T.ones(1) * w)
    h.sum().backward()
    carried = h
    attached = attempt((T.tanh(carried * w)).sum().backward, "a second time")
    w.grad = None
    (T.tanh(carried.detach() * w)).sum().backward()
    return {"attached": attached, "grad": values(w.grad)}


def case_repackaging_a_pair_of_states(T):
    """Old code cut hidden states recursively; the result is the same as detaching each."""

    def repackage(h):
        return h.detach() if isinstance(h, T.Tensor) else tuple(repackage(part) for part in h)

    (w,) = _weights(T, [0.5])
    state = (w * 2, (w * 3, w * 4))
    cut = repackage(state)
    return {
        "flags": [flags(cut[0]), flags(cut[1][1])],
        "values": [values(cut[0]), values(cut[1][0])],
    }


def case_straight_through_rounding(T):
    """Round forwards, identity backwards, three ways of writing it."""
    found = {}
    for name, through in {
        "plus": lambda x: x + (x.round() - x).detach(),
        "swap": lambda x: x.round().detach() + x - x.detach(),
        "none": lambda x: x.round(),
    }.items():
        x = T.tensor([0.4, 1.6], requires_grad=True)
        out = through(x)
        found[name] = [values(out.detach()), grads(out * T.tensor([1.0, 10.0]), x)]
    return found


def case_quantised_embedding(T):
    """The nearest codeword, straight-through, with both commitment terms."""
    z = T.tensor([[0.9, 0.1], [0.2, 1.2]], requires_grad=True)
    book = T.tensor([[1.0, 0.0], [0.0, 1.0]], requires_grad=True)
    nearest = ((z[:, None] - book[None]) ** 2).sum(-1).argmin(dim=1)
    q = book[nearest]
    through = z + (q - z).detach()
    loss = (
        (through * T.tensor([1.0, 10.0])).sum()
        + ((q - z.detach()) ** 2).sum()
        + 0.25 * ((z - q.detach()) ** 2).sum()
    )
    return {"nearest": values(nearest), "loss": loss.item(), "grads": grads(loss, z, book)}


def case_siamese_stop_gradient(T):
    """Each view is pulled to the other's cut projection."""
    (w,) = _weights(T, [[0.6, -0.2], [0.1, 0.8]])
    a, b = T.tensor([[1.0, 0.5]]), T.tensor([[0.9, 0.7]])
    similarity = T.nn.functional.cosine_similarity
    loss = (
        -(similarity(a @ w, (b @ w).detach()).mean() + similarity(b @ w, (a @ w).detach()).mean())
        / 2
    )
    return {"loss": loss.item(), "grads": grads(loss, w)}


def case_focal_weight_cut_and_uncut(T):
    """A weight that depends on the probability changes the gradient unless it is cut."""
    found = {}
    for name in ("cut", "uncut"):
        (x,) = _weights(T, [0.5, -1.0])
        p = x.sigmoid()
        weight = (1 - p) ** 2
        weight = weight.detach() if name == "cut" else weight
        found[name] = grads(-(weight * p.log()), x)
    return found


def case_adversarial_example(T):
    """The data's gradient by sign, then a step on a cut copy; the weight's gradient stays clean."""
    w = T.tensor([[1.0], [-2.0]], requires_grad=True)
    x = T.tensor([[0.5, 0.3]])
    probe = x.clone().requires_grad_()
    (g,) = T.autograd.grad(((probe @ w) ** 2).sum(), probe)
    attacked = (x + 0.1 * g.sign()).detach()
    return {"attacked": values(attacked), "flags": flags(attacked), "w": values(w.grad)}


def case_style_transfer_optimises_the_picture(T):
    """The picture is the leaf: a frozen network's features pull it along."""
    features = T.nn.Linear(2, 2).requires_grad_(False)
    with T.no_grad():
        features.weight.copy_(T.tensor([[1.0, 0.5], [-0.5, 1.0]]))
        features.bias.zero_()
    target = features(T.tensor([1.0, 2.0])).detach()
    picture = T.zeros(2, requires_grad=True)
    optimizer = T.optim.SGD([picture], lr=0.2)
    for _ in range(3):
        optimizer.zero_grad()
        ((features(picture) - target) ** 2).sum().backward()
        optimizer.step()
    return {"picture": values(picture.detach()), "weight": features.weight.grad is None}


def case_inner_loop_of_meta_learning(T):
    """One inner step with and without its graph: first and second order."""
    found = {}
    for name in ("second_order", "first_order"):
        (w,) = _weights(T, [1.0])
        inner = ((w * 2 - 3) ** 2).sum()
        (g,) = T.autograd.grad(inner, w, create_graph=name == "second_order")
        fast = w - 0.1 * g
        found[name] = grads((fast * 5 - 1) ** 2, w)
    return found


def case_exponential_moving_average(T):
    """An average of weights kept under no_grad, swapped in for evaluation and back."""
    (w,) = _weights(T, [1.0])
    average = w.detach().clone()
    for k in range(3):
        with T.no_grad():
            w.add_(k)
            average.mul_(0.5).add_(w, alpha=0.5)
    backup = w.detach().clone()
    with T.no_grad():
        w.copy_(average)
    inside = values(w.detach())
    with T.no_grad():
        w.copy_(backup)
    return {
        "average": values(average),
        "inside": inside,
        "after": values(w.detach()),
        "flags": flags(average),
    }


def case_average_that_was_an_alias(T):
    """An average begun as detach() without clone() is the weight itself."""
    (w,) = _weights(T, [1.0])
    average = w.detach()
    with T.no_grad():
        w.add_(10)
        average.mul_(0.5)
    return {"w": values(w.detach()), "average": values(average)}


def case_logging_losses_three_ways(T):
    """Which kept losses keep their graphs."""

    def alive(keep):
        x = T.tensor([1.0], requires_grad=True)
        watched, kept = [], []
        for _ in range(3):
            h = x * 2
            watched.append(weakref.ref(h))
            kept.append(keep((h * h).sum()))
            del h
        gc.collect()
        return sum(ref() is not None for ref in watched)

    return {
        "loss": alive(lambda loss: loss),
        "detached": alive(lambda loss: loss.detach()),
        "item": alive(lambda loss: loss.item()),
        "after_backward": alive(lambda loss: [loss.backward(), loss][1]),
    }


def case_gradient_accumulation_with_a_running_loss(T):
    """Micro-batches: backward at once, or one backward over the sum; the same gradient."""
    data = T.tensor([1.0, 2.0, 3.0])
    (w,) = _weights(T, [2.0])
    for x in data:
        ((w * x - 1) ** 2).sum().backward()
    at_once = values(w.grad)
    (v,) = _weights(T, [2.0])
    total = T.zeros(())
    for x in data:
        total = total + ((v * x - 1) ** 2).sum()
    total.backward()
    return {"at_once": at_once, "summed": values(v.grad)}


def case_gradient_clipping_between_backward_and_step(T):
    """Clipped in place, the step takes the clipped gradient."""
    (w,) = _weights(T, [3.0, 4.0])
    optimizer = T.optim.SGD([w], lr=0.5)
    (w * T.tensor([30.0, 40.0])).sum().backward()
    norm = T.nn.utils.clip_grad_norm_([w], 5.0)
    optimizer.step()
    return {"norm": norm.item(), "w": values(w.detach())}


def case_frozen_backbone_with_a_new_head(T):
    """Features under no_grad, detached, or frozen: the head learns the same."""
    found = {}
    for name in ("no_grad", "detach", "frozen"):
        body, head = _mlp(T), T.nn.Linear(1, 1)
        with T.no_grad():
            head.weight.fill_(2.0)
            head.bias.zero_()
        x = T.full((1, 1), 0.5)
        if name == "no_grad":
            with T.no_grad():
                h = body(x)
        elif name == "detach":
            h = body(x).detach()
        else:
            body.requires_grad_(False)
            h = body(x)
        head(h).sum().backward()
        found[name] = [values(head.weight.grad), _has_gradients(body), flags(h)["requires_grad"]]
    return found


def case_two_heads_one_body(T):
    """A second head on a cut feature trains itself alone."""
    body, a, b = _mlp(T), T.nn.Linear(1, 1), T.nn.Linear(1, 1)
    h = body(T.ones(1, 1))
    (a(h).sum() * 0 + b(h.detach()).sum()).backward()
    return {"body": [float(p.grad.abs().sum()) for p in body.parameters()], "b": _has_gradients(b)}


def case_replay_buffer_of_states(T):
    """States stored from a buffer that is written in place: aliases or copies."""
    state = T.zeros(2)
    aliases, copies = [], []
    for step in range(3):
        state.add_(step)
        aliases.append(state.detach())
        copies.append(state.detach().clone())
    return {"aliases": [values(s) for s in aliases], "copies": [values(s) for s in copies]}


def case_attention_by_hand(T):
    """One head of attention with a mask, and all its gradients."""
    q, k, v = _weights(
        T, [[1.0, 0.0], [0.5, 1.0]], [[0.2, 0.4], [1.0, -1.0]], [[1.0, 2.0], [3.0, 4.0]]
    )
    scores = q @ k.t() / 2**0.5
    scores = scores.masked_fill(T.tensor([[False, True], [False, False]]), float("-inf"))
    out = T.softmax(scores, dim=-1) @ v
    return {
        "out": values(out.detach()),
        "grads": grads(out * T.tensor([[1.0, 2.0], [3.0, 4.0]]), q, k, v),
    }


def case_newton_steps(T):
    """Newton's method: a second derivative in each step, no graph kept between."""
    x = T.tensor(3.0)
    path = []
    for _ in range(4):
        x = x.detach().requires_grad_()
        y = x**3 - 2 * x
        (g,) = T.autograd.grad(y, x, create_graph=True)
        (h,) = T.autograd.grad(g, x)
        x = x - g.detach() / h
        path.append(x.item())
    return {"path": path}


def case_fixed_point_with_an_implicit_gradient(T):
    """Iterate without recording, then one recorded step gives the gradient of the fixed point's map."""
    (a,) = _weights(T, 0.5)
    x = T.tensor(1.0)
    with T.no_grad():
        for _ in range(50):
            x = T.cos(a * x)
    out = T.cos(a * x)
    return {"x": x.item(), "flags": flags(x), "grads": grads(out, a)}


def case_gumbel_free_choice_with_a_baseline(T):
    """A score-function estimator with a learned, cut baseline."""
    (logits, baseline) = _weights(T, [0.2, -0.2], 0.5)
    rewards = T.tensor([1.0, 0.0])
    log_probs = T.log_softmax(logits, dim=0)
    advantage = rewards - baseline
    loss = -(log_probs * advantage.detach()).sum() + (advantage**2).sum()
    return {"grads": grads(loss, logits, baseline)}


def case_weight_shared_across_time_and_layers(T):
    """One weight used at several places collects from all."""
    (w,) = _weights(T, [[0.5, -0.25], [0.1, 0.3]])
    x = T.tensor([[1.0, 2.0]])
    out = ((x @ w) @ w.t()) @ w
    return {"grads": grads(out * T.tensor([[1.0, 10.0]]), w)}


def case_spectral_norm_by_power_iteration(T):
    """The singular vectors are iterated without recording; the norm is differentiated."""
    (w,) = _weights(T, [[2.0, 0.0], [1.0, 1.0]])
    u = T.tensor([1.0, 0.0])
    with T.no_grad():
        for _ in range(20):
            v = w.t() @ u
            v = v / v.norm()
            u = w @ v
            u = u / u.norm()
    sigma = u @ (w @ v)
    return {"sigma": sigma.item(), "grads": grads(sigma, w)}
