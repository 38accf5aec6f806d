"""``Module``: the base of layers and networks.

A module finds its parameters, buffers and modules by itself: whatever of these kinds becomes an
attribute is registered under that attribute's name. Everything else (``parameters()``,
``state_dict()``, ``train()``) is a walk over what was registered. Mirrors ``torch.nn.Module``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Self

from minigrad import Tensor, no_grad

from .parameter import Buffer, Parameter


class IncompatibleKeys(NamedTuple):
    """What ``load_state_dict`` found on one side only."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return (
            f"_IncompatibleKeys(missing_keys={self.missing_keys}, "
            f"unexpected_keys={self.unexpected_keys})"
        )


class HookHandle:
    """A registered hook of a module; ``remove()`` takes it away."""

    _next = 0

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.id = HookHandle._next
        HookHandle._next += 1
        self._hooks = hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; again is harmless."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


class Module:
    """A layer or a network: write ``__init__`` and ``forward``, and call it."""

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]

    def __init__(self) -> None:
        for name, value in (
            ("training", True),
            ("_parameters", {}),
            ("_buffers", {}),
            ("_modules", {}),
            ("_unsaved_buffers", set()),
            ("_forward_hooks", {}),
            ("_forward_pre_hooks", {}),
            ("_backward_hooks", {}),
        ):
            object.__setattr__(self, name, value)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the module's result; to be written by the subclass."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call ``forward``, and the hooks before and after it."""
        if not (self._forward_hooks or self._forward_pre_hooks or self._backward_hooks):
            return self.forward(*args, **kwargs)
        for hook, with_kwargs in tuple(self._forward_pre_hooks.values()):
            answer = hook(self, args, kwargs) if with_kwargs else hook(self, args)
            if answer is not None:
                if with_kwargs:
                    args, kwargs = answer
                else:
                    args = answer if isinstance(answer, tuple) else (answer,)
        if self._backward_hooks:
            args = self._watch_inputs(args)
        result = self.forward(*args, **kwargs)
        for hook, with_kwargs in tuple(self._forward_hooks.values()):
            answer = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
            if answer is not None:
                result = answer
        return self._watch_outputs(result) if self._backward_hooks else result

    # Registering --------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        if "_parameters" not in self.__dict__:
            if isinstance(value, (Parameter, Module)):
                kind = "parameters" if isinstance(value, Parameter) else "module"
                raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
            object.__setattr__(self, name, value)
        elif isinstance(value, Parameter):
            self._forget(name)
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._forget(name)
            self._modules[name] = value
        elif isinstance(value, Buffer):
            self._forget(name)
            self.register_buffer(name, value, value.persistent)
        elif name in self._parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__module__.partition('.')[0]}."
                    f"{type(value).__name__}' as parameter '{name}' (torch.nn.Parameter or None "
                    "expected): wrap it in minigrad.nn.Parameter"
                )
            self._parameters[name] = None
        elif name in self._modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__name__}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            self._modules[name] = None
        elif name in self._buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{type(value).__name__}' as buffer '{name}' (torch.nn.Buffer, "
                    "torch.Tensor or None expected)"
                )
            self._buffers[name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for kind in ("_parameters", "_buffers", "_modules"):
            registered = self.__dict__.get(kind)
            if registered is not None and name in registered:
                return registered[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        if not self._forget(name):
            object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._parameters, *self._buffers, *self._modules})

    def _forget(self, name: str) -> bool:
        found = False
        for registered in (self._parameters, self._buffers, self._modules, self.__dict__):
            if name in registered:
                del registered[name]
                found = True
        self._unsaved_buffers.discard(name)
        return found

    def _check_name(self, name: str, kind: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {type(name).__name__}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."')
        if not name:
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register a parameter, or the place for one (None)."""
        self._check_name(name, "parameter")
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type(param).__name__}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required): wrap it in minigrad.nn.Parameter"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                "created explicitly. To express '{name}' as a function of another Tensor, compute "
                "the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register a tensor that is kept and (if ``persistent``) saved, but not trained."""
        self._check_name(name, "buffer")
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type(tensor).__name__}' object to buffer '{name}' (torch Tensor or "
                "None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._unsaved_buffers.discard(name)
        else:
            self._unsaved_buffers.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Register a module under a name that need not be an attribute's."""
        self._check_name(name, "module")
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        self._modules[name] = module

    register_module = add_module

    # Walking ------------------------------------------------------------------------------------

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Give this module and all below it, with their dotted names."""
        seen: set[Module] = set() if memo is None else memo
        waiting: list[tuple[str, Module]] = [(prefix, self)]
        while waiting:
            name, module = waiting.pop()
            if remove_duplicate:
                if module in seen:
                    continue
                seen.add(module)
            yield name, module
            below = [
                (f"{name}.{key}" if name else key, m) for key, m in module._modules.items() if m
            ]
            waiting += reversed(below)

    def modules(self) -> Iterator[Module]:
        """Give this module and all below it, each once."""
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Give the modules directly below this one, with their names."""
        seen: set[Module] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """Give the modules directly below this one."""
        for _, module in self.named_children():
            yield module

    def _named(
        self, kind: str, prefix: str, recurse: bool, once: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = self.named_modules(prefix=prefix) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, found in getattr(module, kind).items():
                if found is None or (once and id(found) in seen):
                    continue
                seen.add(id(found))
                yield (f"{path}.{name}" if path else name), found

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Give all parameters with their dotted names, a shared one once."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Give all parameters: what an optimizer is made with."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Give all buffers with their dotted names."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Give all buffers."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        """Return the module with a dotted name; AttributeError if there is none."""
        module: Module = self
        for name in target.split(".") if target else ():
            if name not in module._modules:
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            found = module._modules[name]
            if not isinstance(found, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
            module = found
        return module

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter with a dotted name; AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if module._parameters.get(name) is None:
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        return module._parameters[name]  # type: ignore[return-value]

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer with a dotted name; AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if module._buffers.get(name) is None:
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        return module._buffers[name]  # type: ignore[return-value]

    def apply(self, fn: Callable[[Module], None]) -> Self:
        """Call ``fn`` on every module, the innermost first; for initialisation."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    # Changing all at once -----------------------------------------------------------------------

    def train(self, mode: bool = True) -> Self:
        """Switch this module and all below it to training mode (or out of it)."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            object.__setattr__(module, "training", mode)
        return self

    def eval(self) -> Self:
        """Switch to evaluation mode: dropout does nothing, batch statistics stand still.

        Operations are recorded all the same; that is what ``no_grad`` is for.
        """
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Switch ``requires_grad`` of all parameters."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters: to None, or to zeros."""
        for parameter in self.parameters():
            if parameter.grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter.grad = parameter.grad.detach()
                parameter.grad.zero_()

    def _convert(self, change: Callable[[Tensor], Tensor]) -> Self:
        """Change the values of every parameter and buffer; the parameters stay the same tensors."""
        with no_grad():
            for module in self.modules():
                for parameter in module._parameters.values():
                    if parameter is not None:
                        grad = parameter.grad
                        parameter.grad = None
                        parameter.data = change(parameter.data)
                        if grad is not None:
                            parameter.grad = change(grad)
                for name, buffer in module._buffers.items():
                    if buffer is not None:
                        module._buffers[name] = change(buffer)
        return self

    def to(self, target: Any = None, *, dtype: Any = None) -> Self:
        """Convert floating point parameters and buffers to a dtype; ``"cpu"`` changes nothing."""
        kind = target if dtype is None else dtype
        return self._convert(lambda t: t.to(kind) if t.is_floating_point() else t)

    def float(self) -> Self:
        """Convert floating point parameters and buffers to float32."""
        return self._convert(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Self:
        """Convert floating point parameters and buffers to float64."""
        return self._convert(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Self:
        """Convert floating point parameters and buffers to float16."""
        return self._convert(lambda t: t.half() if t.is_floating_point() else t)

    def cpu(self) -> Self:
        """Return the module itself: there is no other device."""
        return self

    # Saving and loading -------------------------------------------------------------------------

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False) -> dict[str, Tensor]:
        """Return all parameters and persistent buffers by dotted name.

        They are detached, not copied: they share memory with the module, so a later step shows in
        them. Copy the dictionary (``copy.deepcopy``) to keep a state.
        """
        state: dict[str, Tensor] = OrderedDict()
        for path, module in self.named_modules(remove_duplicate=False, prefix=prefix.rstrip(".")):
            for name, tensor in (*module._parameters.items(), *module._buffers.items()):
                if tensor is not None and name not in module._unsaved_buffers:
                    key = f"{path}.{name}" if path else name
                    state[key] = tensor if keep_vars else tensor.detach()
        return state

    def load_state_dict(
        self, state_dict: Mapping[str, Tensor], strict: bool = True, assign: bool = False
    ) -> Any:
        """Copy values into the parameters and buffers of the same names.

        RuntimeError, before anything has changed, where shapes differ, or (if ``strict``) where a
        name is missing or unexpected.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        own = self.state_dict(keep_vars=True)
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        problems = []
        if strict and unexpected:
            names = ", ".join(f'"{name}"' for name in unexpected)
            problems.append(f"Unexpected key(s) in state_dict: {names}. ")
        if strict and missing:
            names = ", ".join(f'"{name}"' for name in missing)
            problems.append(f"Missing key(s) in state_dict: {names}. ")
        for name, tensor in own.items():
            given = state_dict.get(name)
            if given is not None and tuple(given.shape) != tuple(tensor.shape):
                problems.append(
                    f"size mismatch for {name}: copying a param with shape {given.shape} from "
                    f"checkpoint, the shape in current model is {tensor.shape}."
                )
        if problems:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                + "\n\t".join(problems)
            )
        with no_grad():
            for name, tensor in own.items():
                if name in state_dict:
                    if assign:
                        self._assign(name, state_dict[name])
                    else:
                        tensor.copy_(state_dict[name])
        return IncompatibleKeys(missing, unexpected)

    def _assign(self, name: str, value: Tensor) -> None:
        path, _, last = name.rpartition(".")
        module = self.get_submodule(path)
        if last in module._parameters:
            held = module._parameters[last]
            assert held is not None
            module._parameters[last] = Parameter(value, held.requires_grad)
        else:
            module._buffers[last] = value

    # Hooks --------------------------------------------------------------------------------------

    def register_forward_hook(
        self, hook: Callable[..., Any], *, with_kwargs: bool = False
    ) -> HookHandle:
        """Call ``hook(module, args, output)`` after every forward; it may replace the output."""
        return HookHandle(self._forward_hooks, (hook, with_kwargs))

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, with_kwargs: bool = False
    ) -> HookHandle:
        """Call ``hook(module, args)`` before every forward; it may replace the arguments."""
        return HookHandle(self._forward_pre_hooks, (hook, with_kwargs))

    def register_full_backward_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(module, grad_input, grad_output)`` when the gradients of the inputs are there.

        It may return a tuple to take the place of ``grad_input``.
        """
        return HookHandle(self._backward_hooks, hook)

    def _watch_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Put a node between the inputs and the module, at which their gradients arrive together."""
        from minigrad.autograd import Function

        module = self
        object.__setattr__(self, "_grad_output", None)

        class BackwardHook(Function):
            @staticmethod
            def forward(ctx: Any, *inputs: Any) -> Any:
                ctx.set_materialize_grads(False)
                return tuple(each.view_as(each) for each in inputs)

            @staticmethod
            def backward(ctx: Any, *grads: Any) -> Any:
                for hook in tuple(module._backward_hooks.values()):
                    answer = hook(module, grads, module._grad_output)
                    if answer is not None:
                        grads = answer if isinstance(answer, tuple) else (answer,)
                return grads

        places = [i for i, arg in enumerate(args) if isinstance(arg, Tensor)]
        if not any(args[i].requires_grad for i in places):
            return args
        watched = list(args)
        for place, each in zip(places, BackwardHook.apply(*[args[i] for i in places]), strict=True):
            watched[place] = each
        return tuple(watched)

    def _watch_outputs(self, result: Any) -> Any:
        """Note the gradients of the outputs, for the hooks that run later."""
        outputs = result if isinstance(result, tuple) else (result,)
        first = [each for each in outputs if isinstance(each, Tensor) and each.requires_grad]
        grads: list[Any] = [None] * len(first)

        def note(place: int) -> Callable[[Tensor], None]:
            def hook(g: Tensor) -> None:
                grads[place] = g
                object.__setattr__(self, "_grad_output", tuple(grads))

            return hook

        for place, each in enumerate(first):
            each.register_hook(note(place))
        return result

    # Text and copies ----------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """Return what stands between the brackets of the module's text."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [
            f"({name}): " + repr(module).replace("\n", "\n  ")
            for name, module in self._modules.items()
        ]
        if not children and len(lines) <= 1:
            return f"{type(self).__name__}({extra})"
        body = "\n  ".join([*lines, *children])
        return f"{type(self).__name__}(\n  {body}\n)"
