"""What the caller calls things is found without disturbing anyone."""

from __future__ import annotations

import functools
import sys

import pytest

from minigrad.picture import aliases_of, call_and_see, variables_of


def numbers(value):
    return type(value) is float


def test_variables_are_found_in_order_of_definition():
    b = 2.0
    a = 1.0
    seen = variables_of(sys._getframe(), numbers)
    assert list(seen.items()) == [("b", b), ("a", a)]


def test_first_name_of_an_object_wins_and_the_others_are_aliases():
    first = 3.5
    second = first
    other = 4.5
    assert list(variables_of(sys._getframe(), numbers)) == ["first", "other"]
    assert aliases_of(sys._getframe(), numbers) == {"first": ("second",)}
    assert (second, other) == (3.5, 4.5)


def test_module_variables_follow_the_local_ones():
    scope = {"outer": 1.0, "both": 2.0, "keep": numbers, "see": variables_of, "sys": sys}
    exec("def f():\n both = 3.0\n return see(sys._getframe(), keep)\nseen = f()", scope)
    assert scope["seen"] == {"both": 3.0, "outer": 1.0}


def test_what_ipython_keeps_for_itself_is_left_out():
    names = ["_", "__", "___", "_1", "_23", "_i", "_ii", "_i5", "_oh", "_dh", "_ih", "In", "Out"]
    scope = {name: float(place) for place, name in enumerate(names)}
    scope |= {"_mine": 100.0, "In_": 101.0, "x": 102.0, "see": variables_of, "keep": numbers}
    exec("import sys\nseen = see(sys._getframe(), keep)", scope)
    assert list(scope["seen"]) == ["_mine", "In_", "x"]


def test_call_and_see_returns_the_result_and_the_local_variables():
    def double(x):
        y = x * 2
        return y + 0.5

    assert call_and_see(double, {"x": 2.0}, numbers) == (4.5, {"x": 2.0, "y": 4.0})


def test_call_and_see_sees_the_outermost_call_of_a_function_that_calls_itself():
    def count(depth):
        here = float(depth)
        return count(depth - 1) if depth else here

    assert call_and_see(count, {"depth": 3}, numbers) == (0.0, {"here": 3.0})


def test_call_and_see_looks_through_partials_methods_wrappers_and_objects():
    class Model:
        def __call__(self, x):
            inside = x + 1
            return inside

        def method(self, x):
            within = x + 2
            return within

    def plain(x, y):
        total = x + y
        return total

    @functools.wraps(plain)
    def wrapped(x, y):
        return plain(x, y)

    assert call_and_see(Model(), {"x": 1.0}, numbers)[1] == {"x": 1.0, "inside": 2.0}
    assert call_and_see(Model().method, {"x": 1.0}, numbers)[1] == {"x": 1.0, "within": 3.0}
    assert "total" in call_and_see(functools.partial(plain, 1.0), {"y": 2.0}, numbers)[1]
    assert "total" in call_and_see(wrapped, {"x": 1.0, "y": 2.0}, numbers)[1]
    assert call_and_see(dict, {"a": 1.0}, numbers) == ({"a": 1.0}, {})


def test_profiler_that_ran_before_goes_on_even_when_the_function_raises():
    events = []

    def profiler(frame, event, argument):
        events.append((frame.f_code.co_name, event))

    def fails():
        raise LookupError("on purpose")

    sys.setprofile(profiler)
    try:
        with pytest.raises(LookupError, match="on purpose"):
            call_and_see(fails, {}, numbers)
        after = sys.getprofile()
    finally:
        sys.setprofile(None)
    assert after is profiler
    assert ("fails", "call") in events
    assert ("fails", "return") in events
