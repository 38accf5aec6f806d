"""One run of the learner's function: the picture it gives, what it says, and what goes wrong."""

from __future__ import annotations

import io
import linecache
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

from minigrad import snapshot
from minigrad.picture import Picture, call_and_see
from minigrad.picture.words import say

_WANTED = "{}() must return the tensors to draw (one, or a tuple, list or dict of them), not {}"


@dataclass(frozen=True)
class Run:
    """What came of a run: a picture or an error, and what was printed or warned of."""

    picture: Picture | None
    error: str
    said: str


def run(fn: Callable[..., object], values: Mapping[str, object]) -> Run:
    """Call ``fn(**values)`` and draw what it returns. Nothing escapes but an interruption."""
    picture, error = None, ""
    printed = io.StringIO()
    with (
        redirect_stdout(printed),
        redirect_stderr(printed),
        warnings.catch_warnings(record=True) as warned,
    ):
        warnings.simplefilter("always")
        try:
            picture = picture_of(fn, values)
        except Exception as raised:
            error = told(raised, fn)
    warned_of = dict.fromkeys(f"{item.category.__name__}: {item.message}" for item in warned)
    said = "\n".join(filter(None, [printed.getvalue().rstrip(), *warned_of]))
    return Run(picture, error, said)


def picture_of(fn: Callable[..., object], values: Mapping[str, object]) -> Picture:
    """Draw what ``fn(**values)`` returns, by the names in the result or else in ``fn``."""
    result, seen = call_and_see(fn, values, lambda value: isinstance(value, snapshot.DRAWABLE))
    if isinstance(result, Picture):
        return result
    if isinstance(result, Mapping):
        own = {str(name): _tensor(value, fn) for name, value in result.items()}
        tensors = list(own.values())
    else:
        own = {}
        several = result if isinstance(result, (tuple, list)) else (result,)
        tensors = [_tensor(value, fn) for value in several]
    if not tensors:
        raise TypeError(_WANTED.format(_name(fn), f"an empty {type(result).__name__}"))
    # The first name of a tensor is the one it is shown under.
    others = {name: _tensor(value, fn) for name, value in seen.items() if name not in own}
    return Picture(snapshot.take(tensors, own | others))


def told(error: BaseException, fn: Callable[..., object]) -> str:
    """Say what was raised, and where: at the last line of those in the file of ``fn``."""
    what = "".join(traceback.format_exception_only(error)).strip()
    file = getattr(getattr(fn, "__code__", None), "co_filename", None)
    places = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == file
    ]
    if not places:
        return what
    frame, line = places[-1]
    source = linecache.getline(frame.f_code.co_filename, line, frame.f_globals).strip()
    function = frame.f_code.co_name
    return f"{what}\n{say('live.place', function=function, line=line, source=source)}"


def _tensor(value: object, fn: Callable[..., object]) -> snapshot.Drawable:
    if not isinstance(value, snapshot.DRAWABLE):
        raise TypeError(_WANTED.format(_name(fn), type(value).__name__))
    return value


def _name(fn: Callable[..., object]) -> str:
    return getattr(fn, "__name__", type(fn).__name__)
