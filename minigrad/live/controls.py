"""The sliders, tick boxes and menus of a function's arguments, by the rules of ``interact``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

from ipywidgets import ValueWidget, fixed, interactive  # type: ignore[import-untyped]

Control = Any
"""A widget with a value, or ``fixed(...)``. (ipywidgets has no types that could say so.)"""

_SINGLE = (bool, Real, str)
_ASKED = (*_SINGLE, tuple, list, Mapping, ValueWidget, fixed)
_WORDS = (
    "a number, (min, max), (min, max, step), True or False, a text, a list or dict of options, "
    "or a widget with a value"
)


def controls_for(fn: Callable[..., object], asked: Mapping[str, object]) -> dict[str, Control]:
    """Return a control for each argument of ``fn``, in the order of its signature.

    ``asked`` says what controls an argument. One that is not asked for is controlled by its
    default, if that is a number, a text, True or False, and else left at its default.
    """
    name = getattr(fn, "__name__", type(fn).__name__)
    parameters = inspect.signature(fn).parameters.values()
    named = [
        parameter
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    known = {parameter.name for parameter in named}
    others = [argument for argument in asked if argument not in known]
    if others and not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        raise TypeError(f"live(): {name}() has no argument {others[0]!r} to control")

    controls: dict[str, Control] = {}
    for parameter in parameters:
        argument, default = parameter.name, parameter.default
        if parameter in named and argument in asked:
            controls[argument] = _control(argument, asked[argument], default)
        elif parameter in named and isinstance(default, _SINGLE):
            controls[argument] = _control(argument, default)
        elif default is parameter.empty and parameter.kind is parameter.POSITIONAL_ONLY:
            raise TypeError(
                f"live(): {name}() takes {argument!r} by position, so it has no control"
            )
        elif default is parameter.empty and parameter in named:
            raise TypeError(f"live(): argument {argument!r} of {name}() needs a control: {_WORDS}")
    for argument in others:
        controls[argument] = _control(argument, asked[argument])
    return controls


def _control(argument: str, asked: object, default: object = inspect.Parameter.empty) -> Control:
    try:
        good = isinstance(asked, _ASKED)
        control = interactive.widget_from_abbrev(asked, default) if good else None
    except ValueError as error:
        raise ValueError(f"live(): control {argument!r} cannot be {asked!r}: {error}") from None
    if control is None:
        kind = type(asked).__name__
        raise TypeError(f"live(): control {argument!r} must be {_WORDS}, not {kind}")
    if not getattr(control, "description", ""):
        control.description = argument
    return control
