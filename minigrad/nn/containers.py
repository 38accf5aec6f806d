"""Modules that hold modules or parameters: in a row, in a list, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from .module import Module
from .parameter import Parameter


def _place(index: int, size: int) -> int:
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range")
    return index % size if size else 0


class _Row(Module):
    """Modules under the names ``"0"``, ``"1"``, ... that behave like a list."""

    def _all(self) -> list[Module]:
        return list(self._modules.values())  # type: ignore[arg-type]

    def _set_all(self, modules: Iterable[Module]) -> None:
        self._modules.clear()
        for place, module in enumerate(modules):
            self.add_module(str(place), module)

    def __getitem__(self, index: Any) -> Any:
        modules = self._all()
        if isinstance(index, slice):
            return self._of(modules[index])
        return modules[_place(index, len(modules))]

    def _of(self, modules: list[Module]) -> Any:
        return type(self)(*modules)

    def __setitem__(self, index: int, module: Module) -> None:
        names = list(self._modules)
        self._modules[names[_place(index, len(names))]] = module

    def __delitem__(self, index: Any) -> None:
        modules = self._all()
        del modules[index]
        self._set_all(modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._all())

    def append(self, module: Module) -> Self:
        """Put a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Put several modules at the end."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """Put a module before the one at ``index``."""
        modules = self._all()
        modules.insert(index, module)
        self._set_all(modules)
        return self


class Sequential(_Row):
    """Modules applied one after another: each gets what the one before returned."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], Mapping):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for place, module in enumerate(args):
                self.add_module(str(place), module)

    def _of(self, modules: list[Module]) -> Sequential:
        names = [name for name, each in self._modules.items() if any(each is m for m in modules)]
        return Sequential(dict(zip(names, modules, strict=True)))

    def forward(self, input: Any) -> Any:
        """Return what the last module makes of it."""
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input


class ModuleList(_Row):
    """A list of modules that are registered; what is done with them is up to you."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def _of(self, modules: list[Module]) -> ModuleList:
        return type(self)(modules)


class ModuleDict(Module):
    """A dictionary of modules that are registered."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        self.update(modules or {})

    def update(self, modules: Mapping[str, Module]) -> None:
        """Register several modules by name."""
        for name, module in modules.items():
            self[name] = module

    def __getitem__(self, name: str) -> Module:
        return self._modules[name]  # type: ignore[return-value]

    def __setitem__(self, name: str, module: Module) -> None:
        self._modules.pop(name, None)
        self.add_module(name, module)

    def __delitem__(self, name: str) -> None:
        del self._modules[name]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, name: str) -> bool:
        return name in self._modules

    def keys(self) -> Iterable[str]:
        """Return the names."""
        return self._modules.keys()

    def values(self) -> Iterable[Module]:
        """Return the modules."""
        return self._modules.values()  # type: ignore[return-value]

    def items(self) -> Iterable[tuple[str, Module]]:
        """Return names and modules."""
        return self._modules.items()  # type: ignore[return-value]


class ParameterList(Module):
    """A list of parameters that are registered."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        for value in values or ():
            self.append(value)

    def append(self, value: Any) -> Self:
        """Put a tensor at the end; it becomes a parameter."""
        made = value if isinstance(value, Parameter) else Parameter(value)
        self.register_parameter(str(len(self)), made)
        return self

    def __getitem__(self, index: int) -> Parameter:
        held = list(self._parameters.values())
        return held[_place(index, len(held))]  # type: ignore[return-value]

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self._parameters.values())  # type: ignore[arg-type]


class ParameterDict(Module):
    """A dictionary of parameters that are registered."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        for name, value in (parameters or {}).items():
            self[name] = value

    def __getitem__(self, name: str) -> Parameter:
        return self._parameters[name]  # type: ignore[return-value]

    def __setitem__(self, name: str, value: Any) -> None:
        self._parameters.pop(name, None)
        made = value if isinstance(value, Parameter) else Parameter(value)
        self.register_parameter(name, made)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __contains__(self, name: str) -> bool:
        return name in self._parameters

    def keys(self) -> Iterable[str]:
        """Return the names."""
        return self._parameters.keys()

    def items(self) -> Iterable[tuple[str, Parameter]]:
        """Return names and parameters."""
        return self._parameters.items()  # type: ignore[return-value]


__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]
