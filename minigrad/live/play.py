"""``live``: a function whose arguments become controls, and whose tensors become a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ipywidgets import DOMWidget, VBox  # type: ignore[import-untyped]

from minigrad.live.controls import Control, controls_for
from minigrad.live.program import run
from minigrad.live.widget import LivePicture, mimebundle
from minigrad.picture import Picture
from minigrad.picture.words import say


def live(fn: Callable[..., Any], /, **controls: Any) -> Live:
    """Draw what ``fn`` returns, and draw it anew whenever a control is moved.

    ``controls`` are written as for ``ipywidgets.interact``: ``3`` or ``(1, 5)`` is a slider,
    ``True`` a tick box, a list a menu. An argument without a control uses its default. ``fn``
    returns a tensor, or a tuple, list or dictionary of them; each is called what ``fn`` calls it.

    Examples
    --------
    >>> import minigrad
    >>> def program(cut, factor):
    ...     x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    ...     y = x * factor
    ...     z = y.detach() if cut else y * 1
    ...     return x, y, z
    >>> live(program, cut=True, factor=(1, 5))
    live picture: cut = True, factor = 3
    """
    made = controls_for(fn, controls)
    return Live(fn, made, lent=[made[name] for name in controls if made[name] is controls[name]])


class Live(VBox):  # type: ignore[misc]
    """The controls of a function, and below them the picture of what it returns.

    ``controls`` holds the control of each argument by its name, ``picture`` what is drawn now.
    """

    def __init__(
        self, fn: Callable[..., Any], controls: Mapping[str, Control], lent: Sequence[Control] = ()
    ) -> None:
        self.fn = fn
        self.controls = dict(controls)
        self._lent = tuple(lent)
        self._view = LivePicture()
        shown = [control for control in self.controls.values() if isinstance(control, DOMWidget)]
        super().__init__([*shown, self._view])
        for control in self.controls.values():
            control.observe(self._update, names="value")
        self._update()

    @property
    def picture(self) -> Picture | None:
        """What is drawn: the picture of the last run that went well."""
        return self._view.picture

    @property
    def error(self) -> str:
        """What the last run raised; empty when it went well."""
        return self._view.error

    def values(self) -> dict[str, Any]:
        """Return what the controls say now, by the names of the arguments."""
        return {name: control.get_interact_value() for name, control in self.controls.items()}

    def close(self) -> None:
        """Close the picture and the controls that were made for it; what was lent stays open."""
        if self.comm is None:
            return
        for control in self.controls.values():
            control.unobserve(self._update, names="value")
        for widget in self.children:
            if widget not in self._lent:
                widget.close()
        super().close()

    def _update(self, _: object = None) -> None:
        outcome = run(self.fn, self.values())
        if outcome.picture is not None:
            self._view.show(outcome.picture, outcome.said)
        else:
            self._view.fail(outcome.error, outcome.said)

    def __repr__(self) -> str:
        told = ", ".join(f"{name} = {_told(value)}" for name, value in self.values().items())
        line = say("live.picture_of", values=told) if told else say("live.picture")
        return f"{line} ({self.error.splitlines()[0]})" if self.error else line

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return mimebundle(self, self.picture)


def _told(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)
