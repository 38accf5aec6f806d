"""``Variable`` as PyTorch had it from 0.1 to 0.3, before it became the tensor itself (in 0.4).

Then, a tensor was numbers and nothing else; whoever wanted gradients wrapped it:

    v = Variable(minigrad.tensor([1.0, 2.0]), requires_grad=True)

A Variable had the tensor (``data``), its gradient (``grad``, a Variable too), how it was made
(``creator``, from 0.2 on called ``grad_fn``), and two flags: ``requires_grad``, and ``volatile`` for
"nobody will ask for gradients of this". *One* volatile input made the result of an operation
volatile, however many others required a gradient: nothing was recorded, nothing saved. What is
``with minigrad.no_grad():`` today, a stretch of code, was then a property of the data.

Everything here is built on today's tensors, and every docstring says what one writes today. Methods
and operators of a tensor work on a Variable and give Variables; so do the functions of the package
under this module's name, such as ``history.exp(v)`` or ``history.cat([v, w])``. Two things are as
they were: there were no tensors without dimensions, so that a sum has one element (``loss.data[0]``);
and a bare tensor beside a Variable is refused. (This is not ``minigrad.autograd.Variable``, which is
what is left of it in PyTorch today: there ``volatile`` only warns.)
"""

from __future__ import annotations

import copy
import functools
import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from .engine import Size, Tensor, ops
from .engine.modes import no_grad


class FlagsError(ValueError, RuntimeError):
    """Both flags at once: a RuntimeError in PyTorch 0.3, and a ValueError in its remains today."""


_BOTH_FLAGS = (
    "Variable can't be volatile and require_grad at the same time! volatile says that nobody will ask "
    "for gradients, requires_grad that somebody will."
)


class Variable:
    """A tensor together with its place in the graph: PyTorch's ``Variable`` of 2017.

    ``data`` is a tensor; its memory is shared, its history (which tensors then did not have) left
    behind. So ``Variable(v.data)`` starts anew with both flags off, whatever ``v`` was.

    Today: a tensor is all of this. ``minigrad.tensor([1.0], requires_grad=True)``; in the place of
    ``volatile=True``, compute under ``with minigrad.no_grad():``.

    Raises
    ------
    FlagsError
        For both flags at once.
    TypeError
        For data that is not a tensor.
    """

    __slots__ = ("__weakref__", "_grad", "_volatile", "tensor")

    tensor: Tensor
    """Today's tensor behind the Variable."""
    _volatile: bool
    _grad: Variable | None

    def __init__(self, data: Tensor, requires_grad: bool = False, volatile: bool = False) -> None:
        if not isinstance(data, Tensor):
            raise TypeError(
                f"Variable data has to be a tensor, but got {type(data).__name__}: for numbers say "
                "Variable(minigrad.tensor(numbers))"
            )
        if requires_grad and volatile:
            raise FlagsError(_BOTH_FLAGS)
        self.tensor = data.data
        self.tensor.requires_grad_(bool(requires_grad))
        self._volatile = bool(volatile)
        self._grad = None

    # What it holds ----------------------------------------------------------------------------

    @property
    def data(self) -> Tensor:
        """The bare tensor, on the same memory; writes to it are not counted.

        Today: the same name does the same, and ``detach()`` is better, since backward then notices
        when a value that it needs was overwritten. For a number, ``loss.data[0]`` is ``loss.item()``.
        """
        data = self.tensor.data
        return data if data.ndim else data.view(1)

    @data.setter
    def data(self, new: Tensor) -> None:
        if not isinstance(new, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(new).__name__}")
        self.tensor.data = new.view(self.tensor.shape) if not self.tensor.ndim else new

    @property
    def grad(self) -> Variable | None:
        """The gradient that ``backward`` has collected, as a Variable; volatile, unless it has a graph.

        Today: a tensor that requires no gradient.
        """
        found = self.tensor.grad if self.is_leaf or self.tensor.retains_grad else None
        if found is None:
            self._grad = None
        elif self._grad is None or self._grad.tensor is not found:
            self._grad = _variable(found, volatile=not found.requires_grad)
        return self._grad

    @grad.setter
    def grad(self, new: Variable | None) -> None:
        if new is not None and not isinstance(new, Variable):
            raise TypeError(f"expected Variable or None (got {type(new).__name__})")
        if new is self:
            raise RuntimeError("can't assign Variable as its own grad")
        self.tensor.grad = None if new is None else new.tensor
        self._grad = new

    @property
    def requires_grad(self) -> bool:
        """Whether gradients come back to it. Can be set on a leaf that is not volatile.

        Today: the same, for every tensor of floating point numbers.
        """
        return self.tensor.requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError("requires_grad must be a bool")
        if value and self._volatile:
            raise FlagsError(_BOTH_FLAGS)
        self.tensor.requires_grad = value

    @property
    def volatile(self) -> bool:
        """Whether what is computed from it leaves no trace. Can be set on a leaf.

        Today: gone; reading it warns and gives False. ``with minigrad.no_grad():`` around the
        computation does what it was for, and is seen where it acts.
        """
        return self._volatile

    @volatile.setter
    def volatile(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError("volatile must be a bool")
        if not self.is_leaf:
            raise RuntimeError("volatile can only be set on leaf variables")
        if value and self.requires_grad:
            raise FlagsError(_BOTH_FLAGS)
        self._volatile = value

    @property
    def grad_fn(self) -> Any:
        """The node that recorded how it was made; None for a leaf, and for every volatile one.

        Today: the same.
        """
        return self.tensor.grad_fn

    @property
    def creator(self) -> Any:
        """What ``grad_fn`` was called in PyTorch 0.1.

        Today: gone; say ``grad_fn``.
        """
        return self.tensor.grad_fn

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made it.

        Today: the same.
        """
        return self.tensor.is_leaf

    @property
    def _version(self) -> int:
        return self.tensor._version

    # Leaving the graph, and going back through it ---------------------------------------------

    def detach(self) -> Variable:
        """Return a new Variable on the same memory, cut off from the graph.

        It never requires a gradient. If this one is volatile, the new one is volatile too. A write in
        place shows in both, and may trip the check that protects what backward needs.

        Today: the same, on tensors; there is no volatile to pass on.
        """
        return _variable(self.tensor.detach(), self._volatile)

    def detach_(self) -> Variable:
        """Cut this very Variable off from the graph: it becomes a leaf. Refused for a view.

        Today: the same, on tensors.
        """
        self.tensor.detach_()
        return self

    def backward(
        self,
        gradient: Variable | Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool | None = None,
        retain_variables: bool | None = None,
    ) -> None:
        """Compute the gradient of this Variable and add it to ``.grad`` of the leaves behind it.

        ``retain_variables`` is what ``retain_graph`` was called in 0.1. RuntimeError for a volatile
        Variable: it has nothing to go back through.

        Today: the same, on tensors; under ``no_grad`` the result "does not require grad and does not
        have a grad_fn".
        """
        if self._volatile:
            raise RuntimeError(
                "calling backward on a volatile variable: element 0 of variables tuple is volatile. One "
                "input of what led here was volatile, so that nothing was recorded."
            )
        if retain_variables is not None:
            warnings.warn(
                "retain_variables option is deprecated and will be removed in 0.3. Use retain_graph "
                "instead.",
                UserWarning,
                stacklevel=2,
            )
            retain_graph = retain_variables
        given = gradient.tensor if isinstance(gradient, Variable) else gradient
        if given is not None and not self.tensor.ndim and given.numel() == 1:
            given = given.reshape(self.tensor.shape)
        self.tensor.backward(given, retain_graph, bool(create_graph))

    def register_hook(self, hook: Callable[[Variable], Variable | None]) -> Any:
        """Call ``hook(grad)``, with a Variable, when this one's gradient is there.

        Today: the same, with tensors.
        """
        if self._volatile:
            raise RuntimeError("cannot register a hook on a volatile variable")
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a variable that doesn't require gradient")

        def on_tensor(g: Tensor) -> Tensor | None:
            answer = hook(_variable(g, volatile=not g.requires_grad))
            return None if answer is None else answer.tensor

        return self.tensor.register_hook(on_tensor)

    # What a tensor can do, a Variable can -----------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name in _NOT_YET:
            raise AttributeError(f"a Variable of PyTorch 0.3 had no {name}; say {_NOT_YET[name]}")
        if name.startswith("_") or name == "tensor" or not hasattr(Tensor, name):
            raise AttributeError(f"'Variable' object has no attribute {name!r}")
        if name in _OF_THE_SHAPE:
            return getattr(self.data, name)
        method = getattr(Tensor, name)
        if not callable(method):
            return _call(getattr, (self, name))
        if name.endswith("_"):
            return functools.partial(self._write, method)
        return functools.wraps(method)(functools.partial(lift(method), self))

    def _write(self, method: Callable[..., Any], *args: Any, **options: Any) -> Variable:
        """Write in place. A volatile operand makes this Variable volatile, and its history goes."""
        everything = (self, args, options)
        if not any([each._volatile for each in _variables_in(everything)]):
            method(self.tensor, *_bare(args), **_bare(options))
            return self
        if self.is_leaf and self.requires_grad:
            raise RuntimeError(
                "a leaf Variable that requires grad has been used in an in-place operation."
            )
        with no_grad():
            method(self.tensor, *_bare(args), **_bare(options))
        if not self._volatile:
            self.tensor = self.tensor.detach()
            self._volatile = True
        return self

    def __getitem__(self, key: Any) -> Variable:
        bare = _bare(key, tensors=True)
        return _call(lambda tensor: (tensor if tensor.ndim else tensor.view(1))[bare], (self,))

    def __setitem__(self, key: Any, value: Any) -> None:
        bare = _bare(key, tensors=True)
        self._write(lambda tensor, value: tensor.__setitem__(bare, value), value)

    def __iter__(self) -> Iterator[Variable]:
        return map(self.__getitem__, range(len(self)))

    def __len__(self) -> int:
        return len(self.data)

    def __bool__(self) -> bool:
        if not self.tensor.numel():
            return False
        raise RuntimeError(
            "bool value of Variable objects containing non-empty "
            f"{self.data.type()} is ambiguous: ask its data, as in bool(v.data[0] > 0)"
        )

    __hash__ = object.__hash__
    __array_ufunc__ = None  # a numpy number on the left leaves the operation to the Variable

    def __add__(self, other: Any) -> Variable:
        return _call(Tensor.__add__, (self, other))

    def __radd__(self, other: Any) -> Variable:
        return _call(Tensor.__radd__, (self, other))

    def __sub__(self, other: Any) -> Variable:
        return _call(Tensor.__sub__, (self, other))

    def __rsub__(self, other: Any) -> Variable:
        return _call(Tensor.__rsub__, (self, other))

    def __mul__(self, other: Any) -> Variable:
        return _call(Tensor.__mul__, (self, other))

    def __rmul__(self, other: Any) -> Variable:
        return _call(Tensor.__rmul__, (self, other))

    def __truediv__(self, other: Any) -> Variable:
        return _call(Tensor.__truediv__, (self, other))

    def __rtruediv__(self, other: Any) -> Variable:
        return _call(Tensor.__rtruediv__, (self, other))

    def __mod__(self, other: Any) -> Variable:
        return _call(Tensor.__mod__, (self, other))

    def __pow__(self, other: Any) -> Variable:
        return _call(Tensor.__pow__, (self, other))

    def __rpow__(self, other: Any) -> Variable:
        return _call(Tensor.__rpow__, (self, other))

    def __matmul__(self, other: Any) -> Variable:
        return _call(Tensor.__matmul__, (self, other))

    def __neg__(self) -> Variable:
        return _call(Tensor.__neg__, (self,))

    def __abs__(self) -> Variable:
        return _call(Tensor.__abs__, (self,))

    def __lt__(self, other: Any) -> Variable:
        return _call(Tensor.__lt__, (self, other))

    def __le__(self, other: Any) -> Variable:
        return _call(Tensor.__le__, (self, other))

    def __gt__(self, other: Any) -> Variable:
        return _call(Tensor.__gt__, (self, other))

    def __ge__(self, other: Any) -> Variable:
        return _call(Tensor.__ge__, (self, other))

    def __eq__(self, other: object) -> Any:
        return _call(Tensor.__eq__, (self, other))

    def __ne__(self, other: object) -> Any:
        return _call(Tensor.__ne__, (self, other))

    def __iadd__(self, other: Any) -> Variable:
        return self._write(Tensor.add_, other)

    def __isub__(self, other: Any) -> Variable:
        return self._write(Tensor.sub_, other)

    def __imul__(self, other: Any) -> Variable:
        return self._write(Tensor.mul_, other)

    def __itruediv__(self, other: Any) -> Variable:
        return self._write(Tensor.div_, other)

    # Copies and text --------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        return _variable(copy.deepcopy(self.tensor, memo), self._volatile)

    def __dir__(self) -> list[str]:
        public = [name for name in dir(Tensor) if not name.startswith("_") and name not in _NOT_YET]
        return sorted({*object.__dir__(self), *public})

    def __repr__(self) -> str:
        return "Variable containing:\n" + old_text(self.data)


_NOT_YET = {
    "item": "v.data[0]",
    "numpy": "v.data.numpy()",
    "requires_grad_": "v.requires_grad = True",
    "tolist": "v.data.tolist()",
}
"""What came with PyTorch 0.4, and what one said before."""

_OF_THE_SHAPE = ("dim", "ndim", "ndimension", "shape", "size", "stride")


def lift(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of tensors, or a module of ``minigrad.nn``, one of Variables.

    One volatile argument makes its results volatile; otherwise it is recorded as usual.

    Today: not needed; functions take tensors.
    """

    def lifted(*args: Any, **options: Any) -> Any:
        return _call(function, args, options)

    return functools.update_wrapper(lifted, function, updated=())


def _call(function: Callable[..., Any], args: tuple[Any, ...], options: Any = None) -> Any:
    """Call a function of tensors with what the Variables hold, and wrap what comes out."""
    options = options or {}
    given = list(_variables_in((args, options)))
    volatile = any([each._volatile for each in given])
    if volatile:
        with no_grad():
            out = function(*_bare(args), **_bare(options))
    else:
        out = function(*_bare(args), **_bare(options))
    if isinstance(out, Tensor):
        return next((each for each in given if each.tensor is out), _variable(out, volatile))
    if isinstance(out, tuple) and not isinstance(out, Size):
        parts = [_variable(each, volatile) if isinstance(each, Tensor) else each for each in out]
        return out._make(parts) if hasattr(out, "_make") else tuple(parts)
    return out


def _variable(tensor: Tensor, volatile: bool) -> Variable:
    """Wrap a tensor as it is, history and all."""
    variable = object.__new__(Variable)
    variable.tensor = tensor
    variable._volatile = volatile
    variable._grad = None
    return variable


def _variables_in(item: Any) -> Iterator[Variable]:
    if isinstance(item, Variable):
        yield item
    elif isinstance(item, dict):
        yield from _variables_in(tuple(item.values()))
    elif isinstance(item, (tuple, list)):
        for each in item:
            yield from _variables_in(each)


def _bare(item: Any, tensors: bool = False) -> Any:
    """Return arguments with tensors in the place of Variables; a tensor among them is refused."""
    if isinstance(item, Variable):
        return item.tensor
    if isinstance(item, Tensor) and not tensors:
        raise TypeError(
            "a tensor beside a Variable: in PyTorch 0.3 operations took either tensors or Variables. "
            "Wrap it: Variable(tensor)"
        )
    if isinstance(item, dict):
        return {name: _bare(each, tensors) for name, each in item.items()}
    if isinstance(item, Size):
        return item
    if isinstance(item, (tuple, list)):
        return type(item)(_bare(each, tensors) for each in item)
    return item


def __getattr__(name: str) -> Any:
    if name.startswith("_") or name not in ops.__all__:
        raise AttributeError(f"module 'minigrad.history' has no attribute {name!r}")
    return lift(getattr(ops, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *ops.__all__})


# How tensors printed then -----------------------------------------------------------------------

PRECISION = 4
THRESHOLD = 1000
EDGE_ITEMS = 3
LINE_WIDTH = 80
_WITH_POWER = f".{PRECISION}e"


def old_text(tensor: Tensor) -> str:
    """Return a tensor as PyTorch 0.3 printed it: a number a line, rows, and the type and size below.

    Whole numbers are written without a point, others with four decimals; a common factor is taken
    out of large ones (``1.00000e+05 *``).

    Today: ``tensor([1., 2.])``.
    """
    size = "x".join(map(str, tensor.shape))
    if not tensor.numel():
        return f"[{tensor.type()} with no elements]"
    if not tensor.ndim:
        return f" {tensor.item()}\n[{tensor.type()} with no dimension]"
    form = _Form(tensor)
    if tensor.ndim == 1:
        numbers = _shortened(tensor.tolist(), form, "⋮")
        lines = [*form.heading, *[form.indent + form.text(each) for each in numbers]]
    elif tensor.ndim == 2:
        lines = _matrix_lines(tensor.tolist(), form, "")
    else:
        lines = _deep_lines(tensor, form)
    return "\n".join([*lines, f"[{tensor.type()} of size {size}]"])


class _Form:
    """One way of writing all numbers of a tensor: their width, and a factor taken out of them.

    ``heading`` is the line that names the factor, if there is one; lines are indented below it.
    """

    def __init__(self, tensor: Tensor) -> None:
        values = [abs(float(each)) for each in tensor.reshape(-1).tolist()]
        finite = [each for each in values if math.isfinite(each)]
        self.short = len(values) > THRESHOLD
        self.scale = 1.0
        smallest = 3 if len(finite) < len(values) else 2
        low, high = (_digits(pick(finite, default=0.0)) for pick in (min, max))
        if all([each == math.ceil(each) for each in finite]):
            large = high > PRECISION + 1
            self.kind, self.width = (_WITH_POWER, 7 + PRECISION) if large else (".0f", high + 1)
        elif high - low > PRECISION:
            self.kind = _WITH_POWER
            self.width = 7 + PRECISION + (abs(high) > 99 or abs(low) > 99)
        else:
            self.kind = f".{PRECISION}f"
            self.width = 7 if high <= 0 else high + 6
            if high > PRECISION + 1 or high < 0:
                self.scale = 10.0 ** (high - 1)
                self.width = 7
        self.width = max(self.width, smallest)
        scaled = self.scale != 1.0
        self.heading = [f"{self.scale:.5e} *"] if scaled else []
        self.indent = " " if scaled else ""

    def text(self, value: Any) -> str:
        """Return one number, or the dots that stand for those left out."""
        if isinstance(value, str):
            return value.center(self.width)
        return format(float(value) / self.scale, f"{self.width}{self.kind}")


def _digits(value: float) -> int:
    """Return how many digits stand before the point; 0 or less for 0.1, 0.01, ..."""
    return math.floor(math.log10(value)) + 1 if value else 1


def _shortened(items: list[Any], form: _Form, dots: Any) -> list[Any]:
    """Return the items that are shown: all, or of a large tensor those at the ends."""
    if not form.short or len(items) <= 2 * EDGE_ITEMS:
        return items
    return [*items[:EDGE_ITEMS], dots, *items[-EDGE_ITEMS:]]


def _matrix_lines(rows: list[list[Any]], form: _Form, indent: str) -> list[str]:
    """Return the rows of a matrix, a block of columns after the other where a line is too short."""
    shown = [_shortened(row, form, "…") for row in rows]
    shown = _shortened(shown, form, ["⋮"] * len(shown[0]))
    columns = len(shown[0])
    per_line = max(1, (LINE_WIDTH - len(indent)) // (form.width + 1))
    lines = []
    for first in range(0, columns, per_line):
        last = min(first + per_line, columns)
        if per_line < columns:
            lines += [*([""] if first else []), f"Columns {first} to {last - 1} "]
        lines += form.heading
        for row in shown:
            numbers = [form.text(each) for each in row[first:last]]
            lines.append(indent + form.indent + " ".join(numbers))
    return lines


def _deep_lines(tensor: Tensor, form: _Form) -> list[str]:
    """Return matrix after matrix, each with its place in front: ``(0 ,.,.) =``."""
    lines: list[str] = []
    outer = [tuple(place) for place in _places(tuple(tensor.shape[:-2]))]
    wide = max(2, *(len(str(size)) for size in tensor.shape))
    for place in _shortened(outer, form, None):
        if place is None:
            lines += ["", "..."]
            continue
        label = ",".join([str(each).center(wide) for each in place])
        matrix = tensor
        for each in place:
            matrix = matrix[each]
        lines += [*([""] if lines else []), f"({label},.,.) = "]
        lines += _matrix_lines(matrix.tolist(), form, " ")
    return lines


def _places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not shape:
        yield ()
        return
    for first in range(shape[0]):
        for rest in _places(shape[1:]):
            yield (first, *rest)


__all__ = ["FlagsError", "Variable", "lift"]
