"""Optimizers: they change parameters in place, under ``no_grad``, by the gradients that are there.

A parameter without a gradient is left alone. Names, defaults and formulas are those of
``torch.optim``; each optimizer's docstring gives its update.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from minigrad import Tensor, enable_grad, no_grad, zeros_like

Params = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]


class Optimizer:
    """What all optimizers share: groups of parameters with their settings, and a state for each.

    ``param_groups`` is a list of dictionaries: ``"params"`` and the settings, which may be changed
    while training (``group["lr"] = ...``). ``state`` holds what an optimizer remembers of a parameter.
    """

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {type(params).__name__}: put it in a list"
            )
        self.defaults = defaults
        self.state: dict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        given = list(params)
        if not given:
            raise ValueError("optimizer got an empty parameter list")
        groups = given if isinstance(given[0], dict) else [{"params": given}]
        for group in groups:
            self.add_param_group(group)  # type: ignore[arg-type]

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with settings of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        held = param_group["params"]
        if isinstance(held, Tensor):
            held = [held]
        elif isinstance(held, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering "
                "of tensors in sets will change between runs. Please use a list instead."
            )
        params = [each[1] if isinstance(each, tuple) else each for each in held]
        for each in params:
            if not isinstance(each, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {type(each).__name__}"
                )
            if not each.is_leaf:
                raise ValueError(
                    "can't optimize a non-leaf Tensor: a result is computed anew each time, so there "
                    "is nothing to keep; optimize the leaf it is computed from"
                )
        if len(set(params)) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will "
                "cause an error: each would be changed twice a step",
                UserWarning,
                stacklevel=4,
            )
        known = {each for group in self.param_groups for each in group["params"]}
        if not known.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append({**self.defaults, **param_group, "params": params})

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients: to None, or to zeros."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                else:
                    if p.grad.requires_grad:
                        p.grad = p.grad.detach()
                    p.grad.zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter by its gradient; ``closure`` computes the loss anew before."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self.update(p, p.grad, group)
        return loss

    def update(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> None:
        """Change one parameter, in place; to be written by each optimizer."""
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """Return settings and state, with numbers in the place of parameters."""
        order = [p for group in self.param_groups for p in group["params"]]
        number = {p: place for place, p in enumerate(order)}
        return {
            "state": {number[p]: dict(state) for p, state in self.state.items()},
            "param_groups": [
                {**group, "params": [number[p] for p in group["params"]]}
                for group in self.param_groups
            ],
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over settings and state that ``state_dict`` returned, for parameters in the same order."""
        groups = state_dict["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for mine, theirs in zip(self.param_groups, groups, strict=True):
            if len(mine["params"]) != len(theirs["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of "
                    "optimizer's group"
                )
        order = [p for group in self.param_groups for p in group["params"]]
        self.state.clear()
        for place, state in state_dict["state"].items():
            self.state[order[place]] = {
                name: value.clone() if isinstance(value, Tensor) else value
                for name, value in state.items()
            }
        for mine, theirs in zip(self.param_groups, groups, strict=True):
            mine.update({name: value for name, value in theirs.items() if name != "params"})

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for place, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {place}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])


def _at_least_zero(**settings: float) -> None:
    words = {"lr": "learning rate", "eps": "epsilon value"}
    for name, value in settings.items():
        if value < 0.0:
            raise ValueError(f"Invalid {words.get(name, f'{name} value')}: {value}")


def _check_betas(betas: tuple[float, float]) -> None:
    for place, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")


class SGD(Optimizer):
    """Stochastic gradient descent: ``p -= lr * g``.

    With ``weight_decay``: ``g += weight_decay * p``. With ``momentum``: ``v = momentum * v + (1 -
    dampening) * g`` takes the place of ``g`` (or, with ``nesterov``, ``g + momentum * v``).
    """

    def __init__(
        self,
        params: Params,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        _at_least_zero(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
                "maximize": maximize,
            },
        )

    def update(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> None:
        """Take one step; see the class."""
        if group["maximize"]:
            g = -g
        if group["weight_decay"]:
            g = g.add(p, alpha=group["weight_decay"])
        momentum = group["momentum"]
        if momentum:
            state = self.state[p]
            v = state.get("momentum_buffer")
            if v is None:
                v = state["momentum_buffer"] = g.detach().clone()
            else:
                v.mul_(momentum).add_(g, alpha=1 - group["dampening"])
            g = g.add(v, alpha=momentum) if group["nesterov"] else v
        p.add_(g, alpha=-group["lr"])


class Adam(Optimizer):
    """Adam: a running mean ``m`` of the gradient, and ``v`` of its square, without their bias.

    ``p -= lr * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)``; ``weight_decay`` is added to
    the gradient. With ``amsgrad`` the largest ``v`` so far is used.
    """

    decoupled = False

    def __init__(
        self,
        params: Params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        _at_least_zero(lr=lr, eps=eps)
        _check_betas(betas)
        _at_least_zero(weight_decay=weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "amsgrad": amsgrad,
                "maximize": maximize,
            },
        )

    def update(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> None:
        """Take one step; see the class."""
        if group["maximize"]:
            g = -g
        if group["weight_decay"]:
            if self.decoupled:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                g = g.add(p, alpha=group["weight_decay"])
        state = self.state[p]
        if not state:
            state["step"] = 0
            state["exp_avg"] = zeros_like(p)
            state["exp_avg_sq"] = zeros_like(p)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros_like(p)
        state["step"] += 1
        beta1, beta2 = group["betas"]
        m = state["exp_avg"].mul_(beta1).add_(g, alpha=1 - beta1)
        v = state["exp_avg_sq"].mul_(beta2).addcmul_(g, g, value=1 - beta2)
        if group["amsgrad"]:
            v = state["max_exp_avg_sq"].copy_(state["max_exp_avg_sq"].maximum(v))
        correction1 = 1 - beta1 ** state["step"]
        correction2 = 1 - beta2 ** state["step"]
        scale = (v.sqrt() / correction2**0.5).add_(group["eps"])
        p.addcdiv_(m, scale, value=-group["lr"] / correction1)


class AdamW(Adam):
    """Adam with the decay taken from the parameter itself: ``p *= 1 - lr * weight_decay``."""

    decoupled = True

    def __init__(
        self,
        params: Params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)


class RMSprop(Optimizer):
    """Divide the gradient by a running root mean square: ``p -= lr * g / (sqrt(v) + eps)``."""

    def __init__(
        self,
        params: Params,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
    ) -> None:
        _at_least_zero(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        super().__init__(
            params,
            {
                "lr": lr,
                "alpha": alpha,
                "eps": eps,
                "weight_decay": weight_decay,
                "momentum": momentum,
                "centered": centered,
            },
        )

    def update(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> None:
        """Take one step; see the class."""
        if group["weight_decay"]:
            g = g.add(p, alpha=group["weight_decay"])
        state = self.state[p]
        if not state:
            state["square_avg"] = zeros_like(p)
            if group["momentum"]:
                state["momentum_buffer"] = zeros_like(p)
            if group["centered"]:
                state["grad_avg"] = zeros_like(p)
        alpha = group["alpha"]
        v = state["square_avg"].mul_(alpha).addcmul_(g, g, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].mul_(alpha).add_(g, alpha=1 - alpha)
            v = v - mean * mean
        scale = v.sqrt().add_(group["eps"])
        if group["momentum"]:
            moved = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(g, scale)
            p.add_(moved, alpha=-group["lr"])
        else:
            p.addcdiv_(g, scale, value=-group["lr"])


class Adagrad(Optimizer):
    """Divide the gradient by the root of all its squares so far: ``p -= lr * g / (sqrt(s) + eps)``."""

    def __init__(
        self,
        params: Params,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
    ) -> None:
        _at_least_zero(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps)
        super().__init__(
            params,
            {
                "lr": lr,
                "lr_decay": lr_decay,
                "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value,
                "eps": eps,
            },
        )

    def update(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> None:
        """Take one step; see the class."""
        if group["weight_decay"]:
            g = g.add(p, alpha=group["weight_decay"])
        state = self.state[p]
        if not state:
            state["step"] = 0
            state["sum"] = zeros_like(p).fill_(group["initial_accumulator_value"])
        rate = group["lr"] / (1 + state["step"] * group["lr_decay"])
        state["step"] += 1
        total = state["sum"].addcmul_(g, g)
        p.addcdiv_(g, total.sqrt().add_(group["eps"]), value=-rate)


__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop"]
