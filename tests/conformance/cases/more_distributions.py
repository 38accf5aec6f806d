"""More about distributions, and about which ways of sampling carry a gradient."""

from .observe import attempt, flags, grads, info, shape, values


def case_normal_log_prob(T):
    """The log-density of a normal, with gradients for place and width."""
    loc = T.tensor([0.0, 1.0], requires_grad=True)
    scale = T.tensor([1.0, 2.0], requires_grad=True)
    out = T.distributions.Normal(loc, scale).log_prob(T.tensor([0.5, -1.0]))
    return {"out": info(out), "grads": grads(out, loc, scale)}


def case_normal_facts(T):
    """Mean, variance, entropy and the density's integral."""
    d = T.distributions.Normal(T.tensor([0.0, 1.0]), T.tensor([1.0, 2.0]))
    return {
        "mean": values(d.mean),
        "stddev": values(d.stddev),
        "variance": values(d.variance),
        "entropy": values(d.entropy()),
        "cdf": values(d.cdf(T.tensor([0.0, 2.0]))),
        "batch_shape": list(d.batch_shape),
    }


def case_sample_cuts_and_rsample_does_not(T):
    """sample gives a plain tensor; rsample keeps the path to place and width."""
    T.manual_seed(0)
    loc = T.tensor([1.0], requires_grad=True)
    scale = T.tensor([2.0], requires_grad=True)
    d = T.distributions.Normal(loc, scale)
    plain, kept = d.sample(), d.rsample()
    noise = ((kept - loc) / scale).detach()
    kept.sum().backward()
    return {
        "sample": flags(plain),
        "rsample": flags(kept),
        "loc": values(loc.grad),
        "scale_is_noise": abs(scale.grad.item() - noise.item()) < 1e-5,
        "shapes": [shape(d.sample((3,))), shape(d.rsample((2, 3)))],
    }


def case_categorical_from_logits(T):
    """A choice by logits: log-probabilities with their gradient."""
    logits = T.tensor([1.0, 2.0, 0.5], requires_grad=True)
    d = T.distributions.Categorical(logits=logits)
    out = d.log_prob(T.tensor(1))
    return {
        "out": out.item(),
        "probs": values(d.probs.detach()),
        "entropy": d.entropy().item(),
        "grads": grads(out, logits),
    }


def case_categorical_from_probabilities(T):
    """A choice by probabilities, which need not add up to one."""
    d = T.distributions.Categorical(probs=T.tensor([1.0, 3.0]))
    return {
        "probs": values(d.probs),
        "logits": values(d.logits),
        "log_prob": values(d.log_prob(T.tensor([0, 1, 1]))),
        "entropy": d.entropy().item(),
    }


def case_categorical_samples(T):
    """Samples are class numbers without a gradient; certain ones are certain."""
    logits = T.tensor([[0.0, 100.0], [100.0, 0.0]], requires_grad=True)
    T.manual_seed(0)
    d = T.distributions.Categorical(logits=logits)
    return {
        "sample": info(d.sample()),
        "flags": flags(d.sample()),
        "shape": shape(d.sample((4,))),
        "rsample": attempt(d.rsample)["raised"],
    }


def case_policy_gradient_by_log_prob(T):
    """The score-function trick: the loss trains the logits through log_prob only."""
    logits = T.tensor([0.5, -0.5], requires_grad=True)
    d = T.distributions.Categorical(logits=logits)
    action, reward = T.tensor(0), 2.0
    loss = -d.log_prob(action) * reward - 0.1 * d.entropy()
    return {"loss": loss.item(), "grads": grads(loss, logits)}


def case_bernoulli(T):
    """A coin by its logits."""
    logits = T.tensor([0.0, 2.0], requires_grad=True)
    d = T.distributions.Bernoulli(logits=logits)
    out = d.log_prob(T.tensor([1.0, 0.0]))
    return {
        "out": values(out.detach()),
        "entropy": values(d.entropy().detach()),
        "grads": grads(out, logits),
    }


def case_uniform(T):
    """A uniform stretch."""
    d = T.distributions.Uniform(T.tensor([0.0]), T.tensor([4.0]))
    return {
        "log_prob": values(d.log_prob(T.tensor([1.0]))),
        "mean": values(d.mean),
        "entropy": values(d.entropy()),
    }


def case_kl_of_normals(T):
    """The divergence of two normals, with gradients."""
    loc = T.tensor([1.0], requires_grad=True)
    scale = T.tensor([2.0], requires_grad=True)
    D = T.distributions
    kl = D.kl_divergence(D.Normal(loc, scale), D.Normal(T.tensor([0.0]), T.tensor([1.0])))
    return {"kl": values(kl.detach()), "grads": grads(kl, loc, scale)}


def case_invalid_parameters(T):
    """Parameters out of range are refused."""
    D = T.distributions
    return {
        "scale": attempt(lambda: D.Normal(T.tensor([0.0]), T.tensor([-1.0])))["raised"],
        "probs": attempt(lambda: D.Categorical(probs=T.tensor([-1.0, 2.0])))["raised"],
        "both": attempt(lambda: D.Categorical(probs=T.ones(2), logits=T.ones(2)), "but not both")[
            "raised"
        ],
        "neither": attempt(lambda: D.Categorical())["raised"],
        "value": attempt(lambda: D.Categorical(probs=T.ones(2)).log_prob(T.tensor(5)))["raised"],
    }


def case_number_parameters(T):
    """Numbers may stand for tensors."""
    d = T.distributions.Normal(0.0, 2.0)
    return {
        "log_prob": d.log_prob(T.tensor(1.0)).item(),
        "shape": shape(d.sample()),
        "entropy": d.entropy().item(),
    }


def case_same_seed_same_samples(T):
    """Sampling follows the seed."""
    d = T.distributions.Normal(T.zeros(3), T.ones(3))
    T.manual_seed(5)
    a = values(d.sample())
    T.manual_seed(5)
    return {"same": a == values(d.sample()), "moves": a == values(d.sample())}


def case_sampling_loosely_matches_its_mean(T):
    """The mean of many samples is near the mean."""
    T.manual_seed(0)
    normal = T.distributions.Normal(T.tensor(3.0), T.tensor(0.5)).sample((4000,))
    choice = T.distributions.Categorical(probs=T.tensor([0.25, 0.75])).sample((4000,))
    return {
        "normal": abs(normal.mean().item() - 3.0) < 0.1,
        "spread": abs(normal.std().item() - 0.5) < 0.1,
        "choice": abs(choice.float().mean().item() - 0.75) < 0.1,
    }


def case_relaxed_choice_by_hand(T):
    """A hard choice forwards, a soft one backwards."""
    logits = T.tensor([1.0, 2.0, 0.0], requires_grad=True)
    soft = T.softmax(logits, dim=0)
    hard = T.nn.functional.one_hot(soft.argmax(), 3).float()
    out = hard - soft.detach() + soft
    return {"out": values(out.detach()), "grads": grads(out * T.tensor([1.0, 10.0, 100.0]), logits)}
