"""What becomes the control of an argument, and what is refused before anything is shown."""

from __future__ import annotations

from typing import Any

import ipywidgets
import pytest

from minigrad import tensor
from minigrad.live.controls import controls_for


def program(n: Any, cut: bool = True) -> None:
    """Take an argument that needs a control, and one that has a default."""


@pytest.mark.parametrize(
    ("asked", "kind", "value"),
    [
        (3, ipywidgets.IntSlider, 3),
        (0.5, ipywidgets.FloatSlider, 0.5),
        ((1, 5), ipywidgets.IntSlider, 3),
        ((0.0, 1.0, 0.25), ipywidgets.FloatSlider, 0.5),
        (False, ipywidgets.Checkbox, False),
        ("mul", ipywidgets.Text, "mul"),
        (["sum", "mean"], ipywidgets.Dropdown, "sum"),
        ({"one": 1, "two": 2}, ipywidgets.Dropdown, 1),
        (ipywidgets.ToggleButtons(options=["a", "b"]), ipywidgets.ToggleButtons, "a"),
        (ipywidgets.fixed([1, 2]), ipywidgets.fixed, [1, 2]),
    ],
)
def test_abbreviations_are_those_of_interact(asked: object, kind: type, value: object) -> None:
    control = controls_for(program, {"n": asked})["n"]
    assert type(control) is kind
    assert control.get_interact_value() == value
    assert control.description == "n"


def test_controls_stand_in_the_order_of_the_arguments() -> None:
    assert list(controls_for(program, {"cut": False, "n": 1})) == ["n", "cut"]


def test_a_default_is_the_control_when_none_is_asked_for() -> None:
    assert controls_for(program, {"n": 1})["cut"].value is True


def test_a_default_is_where_a_slider_starts() -> None:
    def scaled(factor: int = 4) -> None: ...

    assert controls_for(scaled, {"factor": (1, 9)})["factor"].value == 4


def test_a_default_that_makes_no_control_is_left_to_the_function() -> None:
    def shaped(n: int, shape: tuple[int, ...] = (2, 3), seed: int | None = None) -> None: ...

    assert list(controls_for(shaped, {"n": 1})) == ["n"]


def test_a_function_may_take_any_keyword() -> None:
    def anything(**values: float) -> None: ...

    assert list(controls_for(anything, {"a": 1, "b": 2})) == ["a", "b"]


def test_an_argument_without_control_or_default_is_named() -> None:
    with pytest.raises(TypeError, match=r"argument 'n' of program\(\) needs a control"):
        controls_for(program, {})


def test_a_control_for_no_argument_is_named() -> None:
    with pytest.raises(TypeError, match=r"program\(\) has no argument 'm' to control"):
        controls_for(program, {"n": 1, "m": 2})


@pytest.mark.parametrize("asked", [None, tensor([1.0, 2.0]), int, (1, 2, 3, 4), object()])
def test_what_makes_no_control_is_refused_by_name(asked: object) -> None:
    with pytest.raises(TypeError, match=r"live\(\): control 'n' must be a number, .* not "):
        controls_for(program, {"n": asked})


def test_a_range_that_runs_backwards_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"live\(\): control 'n' cannot be \(5, 1\)"):
        controls_for(program, {"n": (5, 1)})


def test_an_argument_that_has_no_name_is_refused() -> None:
    def positional(n: int, /) -> None: ...

    with pytest.raises(TypeError, match=r"positional\(\) takes 'n' by position"):
        controls_for(positional, {})
