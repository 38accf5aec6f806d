"""The tensor: values in memory, and the place it has in the graph.

Three facts say how a tensor stands in the graph, as in PyTorch:

- ``requires_grad``: do gradients come back to it, or through it?
- ``grad_fn``: the node that made it, if it was recorded; None for a leaf.
- ``is_leaf``: nothing recorded made it. A leaf that requires grad collects ``.grad``.

``detach()`` gives a new tensor on the *same memory* with none of that: no ``grad_fn``, and
``requires_grad`` False.
"""

from __future__ import annotations

import builtins
import functools
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes, recorder
from .device import CPU, check_device, device
from .dtypes import Array, DType
from .memory import INFERENCE, Storage, VersionCounter
from .methods import Methods
from .modes import mode

if TYPE_CHECKING:
    from .graph import AccumulateGrad, Node
    from .hooks import Handle
    from .views import ViewInfo

_new = object.__new__
_ndarray = np.ndarray


def new_tensor(array: Any) -> Tensor:
    """Wrap a numpy array (or scalar) as a plain tensor: a leaf that requires no gradient."""
    tensor = _new(Tensor)
    tensor.array = array if type(array) is _ndarray else np.asarray(array)
    tensor._requires_grad = False
    tensor._grad_fn = None
    tensor._output_nr = 0
    tensor._view = None
    tensor._counter = INFERENCE if mode.inference else None
    tensor._storage = None
    return tensor


VOLATILE_MESSAGE = "volatile was removed (Variable.volatile is always False). Use `with minigrad.no_grad():` instead."


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple of ints that knows ``numel()``."""

    __slots__ = ()

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        count = 1
        for size in self:
            count *= size
        return count

    def __repr__(self) -> str:
        return f"minigrad.Size([{', '.join(map(str, self))}])"


def _operator(method: Callable[[Tensor, Any], Tensor]) -> Callable[[Tensor, Any], Any]:
    """Make a method an operator: it leaves what is neither tensor nor number to the other side."""

    @functools.wraps(method)
    def checked(self: Tensor, other: Any) -> Any:
        return method(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    return checked


class Tensor(Methods):
    """A tensor as ``minigrad.tensor`` and operations make it; PyTorch's ``torch.Tensor``."""

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_counter",
        "_grad_fn",
        "_output_nr",
        "_requires_grad",
        "_storage",
        "_view",
        "array",
    )

    array: Array
    """The values: a numpy array that looks into the storage."""
    _requires_grad: bool
    _grad_fn: Node | None
    _output_nr: int
    _view: ViewInfo | None
    _counter: VersionCounter | None
    _storage: Storage | None

    # What few tensors have is set only where it is needed.
    _grad: Tensor | None = None
    _hooks: dict[int, Callable[..., Any]] | None = None
    _post_hooks: dict[int, Callable[..., Any]] | None = None
    _accumulator: weakref.ref[AccumulateGrad] | None = None
    _left_graph = False
    """Whether ``detach_()`` cut this very tensor off from operations that may have saved it."""
    _turns: views.Steps = ()
    """For a tensor whose shape was changed in place (``t_``): the steps that undo it, in order."""
    _cut_from: weakref.ref[Tensor] | None = None
    """For a detached tensor: the tensor it was cut from, as long as that one lives."""

    __hash__ = object.__hash__
    __array_priority__ = 1000

    def __init__(self, *data: Any) -> None:
        made = create.from_class(*data)
        for slot in ("array", "_requires_grad", "_grad_fn", "_output_nr", "_view", "_counter"):
            setattr(self, slot, getattr(made, slot))
        self._storage = None

    # Shape and type ---------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """The size of each dimension."""
        return Size(self.array.shape)

    @property
    def dtype(self) -> DType:
        """The type of the elements, such as ``minigrad.float32``."""
        return dtypes.BY_NUMPY[self.array.dtype]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.array.ndim

    def dim(self) -> int:
        """Return the number of dimensions."""
        return self.array.ndim

    ndimension = dim

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the size of one dimension."""
        return self.shape if dim is None else self.array.shape[shapes.wrap_dim(dim, self.ndim)]

    def numel(self) -> int:
        """Return the number of elements."""
        return self.array.size

    nelement = numel

    def element_size(self) -> int:
        """Return the size of one element in bytes."""
        return self.array.itemsize

    @property
    def itemsize(self) -> int:
        """The size of one element in bytes."""
        return self.array.itemsize

    @property
    def nbytes(self) -> int:
        """The size of all elements in bytes; those of an expanded tensor count each time."""
        return self.array.nbytes

    def stride(self, dim: int | None = None) -> Any:
        """Return how many elements apart neighbours lie in memory, by dimension (or in one)."""
        steps = tuple(step // self.array.itemsize for step in self.array.strides)
        return steps if dim is None else steps[shapes.wrap_dim(dim, self.ndim)]

    def storage_offset(self) -> int:
        """Return where in its storage the tensor begins, counted in elements."""
        return (self.data_ptr() - self.storage.address) // self.array.itemsize

    def is_floating_point(self) -> bool:
        """Tell whether the elements are floating point numbers, so that it can require grad."""
        return self.array.dtype.kind == "f"

    def is_complex(self) -> builtins.bool:
        """Tell whether the elements are complex numbers: never."""
        return False

    def is_signed(self) -> builtins.bool:
        """Tell whether the elements can be negative."""
        return self.dtype.is_signed

    def is_nonzero(self) -> builtins.bool:
        """Tell whether the only element is not zero."""
        return builtins.bool(self)

    def is_same_size(self, other: Tensor) -> builtins.bool:
        """Tell whether two tensors have the same shape."""
        return self.array.shape == other.array.shape

    def is_contiguous(self) -> bool:
        """Tell whether the elements lie in memory one after another, last dimension first."""
        return self.array.flags.c_contiguous

    def __len__(self) -> int:
        if not self.array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return self.array.shape[0]

    # Memory -----------------------------------------------------------------------------------

    @property
    def storage(self) -> Storage:
        """The buffer this tensor looks into; shared by views, detached tensors and ``.data``."""
        if self._storage is None:
            self._storage = Storage(self.array)
        return self._storage

    @property
    def _version(self) -> int:
        """How often this tensor's memory was written in place, through it or anything that shares."""
        counter = self._counter
        if counter is INFERENCE:
            raise RuntimeError("Inference tensors do not track version counter.")
        return counter.version if counter is not None else 0

    @property
    def _base(self) -> Tensor | None:
        """The tensor this one is a view of, or None."""
        return self._view.base if self._view is not None else None

    def data_ptr(self) -> int:
        """Return the address of the first element: for comparing two tensors, never for showing."""
        return int(self.array.__array_interface__["data"][0])

    @property
    def data(self) -> Tensor:
        """The same memory without the history, *and without the version counter*.

        Like ``detach()``, but writes through it are not counted, so backward cannot notice that a
        saved value was overwritten. ``detach()`` is the safe one of the two.
        """
        result = new_tensor(self.array)
        result._storage = self.storage
        return result

    @data.setter
    def data(self, new: Tensor) -> None:
        if not isinstance(new, Tensor):
            raise TypeError(
                f"Variable data has to be a tensor, but got {type(new).__name__}: .data takes a tensor"
            )
        if self._requires_grad and not new.is_floating_point():
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex dtype"
            )
        self.array = new.array
        self._storage = new.storage

    def numpy(self, *, force: bool = False) -> Array:
        """Return the values as a numpy array on the same memory: writes go both ways.

        Raises RuntimeError for a tensor that requires grad while operations are recorded: numpy
        cannot record. Say ``detach().numpy()``, or ``numpy(force=True)`` which does just that.
        """
        if self.requires_grad and mode.enabled and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                "instead. numpy cannot record what happens to the values, so the graph has to be "
                "left first; the array will share the tensor's memory."
            )
        return self.array.view()

    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> Array:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError(
                    "Unable to avoid copy while creating an array as requested: another dtype needs "
                    "other memory"
                )
            return array.astype(dtype)
        return array.copy() if copy else array

    def __array_wrap__(
        self, array: Array, context: Any = None, return_scalar: builtins.bool = False
    ) -> Tensor:
        """Make a tensor of what a numpy function computed from this one, such as ``np.sin(x)``."""
        return create.from_numpy(array.astype(np.uint8) if array.dtype == np.bool_ else array)

    def untyped_storage(self) -> Storage:
        """Return the buffer this tensor looks into: two tensors share memory if theirs is the same."""
        return self.storage

    def item(self) -> Any:
        """Return the only element as a Python number, outside the graph."""
        if self.array.size != 1:
            raise RuntimeError(
                f"a Tensor with {self.array.size} elements cannot be converted to Scalar: item() "
                "needs exactly one; tolist() gives them all"
            )
        return self.array.item()

    def tolist(self) -> Any:
        """Return the values as nested lists of Python numbers (a number for zero dimensions)."""
        return self.array.tolist()

    def _scalar(self) -> Any:
        if self.array.size != 1:
            raise ValueError(
                f"only one element tensors can be converted to Python scalars, and this one has "
                f"{self.array.size}: tolist() gives them all"
            )
        return self.array.item()

    def __float__(self) -> builtins.float:
        if self.requires_grad:
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
                "behavior.\nConsider using tensor.detach() first.",
                UserWarning,
                stacklevel=2,
            )
        return float(self._scalar())

    def __complex__(self) -> complex:
        return complex(float(self))

    def __int__(self) -> builtins.int:
        return int(self._scalar())

    def __index__(self) -> builtins.int:
        if self.array.dtype.kind == "f" or self.array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.array.item())

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise RuntimeError(
                "Boolean value of Tensor with "
                + ("more than one value" if self.array.size else "no values")
                + " is ambiguous"
            )
        return bool(self.array.item())

    def __contains__(self, value: Any) -> builtins.bool:
        if not isinstance(value, _OPERANDS):
            raise RuntimeError(
                "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                f"{value.__class__}."
            )
        return bool((self == value).array.any())

    # The graph --------------------------------------------------------------------------------

    @property
    def grad_fn(self) -> Node | None:
        """The node that recorded how this tensor was made; None for a leaf."""
        if self._view is not None:
            views.refresh(self)
        node = self._grad_fn
        return None if node is None else node.face

    @property
    def is_leaf(self) -> bool:
        """Whether nothing recorded made this tensor."""
        if self._view is not None:
            views.refresh(self)
        return self._grad_fn is None

    def is_inference(self) -> bool:
        """Tell whether this tensor was made in inference mode, and can take no part in a graph."""
        return self._counter is INFERENCE

    @property
    def volatile(self) -> bool:
        """Always False, with a warning: what the flag of PyTorch 0.1 to 0.3 became.

        See ``minigrad.history`` for the flag at work.
        """
        warnings.warn(VOLATILE_MESSAGE, UserWarning, stacklevel=2)
        return False

    @volatile.setter
    def volatile(self, value: bool) -> None:
        warnings.warn(VOLATILE_MESSAGE, UserWarning, stacklevel=2)

    @property
    def output_nr(self) -> int:
        """Which of its ``grad_fn``'s outputs this tensor is."""
        return self._output_nr

    @property
    def requires_grad(self) -> bool:
        """Whether gradients come back to this tensor. Only a leaf's can be set."""
        view = self._view
        if view is not None and (view.borrowed or not self._requires_grad):
            return view.base._requires_grad
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, builtins.bool):
            raise RuntimeError("requires_grad must be a bool: True or False")
        if not self.is_leaf:
            hint = (
                ""
                if value
                else " If you want to use a computed variable in a subgraph that doesn't require "
                "differentiation use var_no_grad = var.detach()."
            )
            raise RuntimeError(f"you can only change requires_grad flags of leaf variables.{hint}")
        if value and self.array.dtype.kind != "f":
            raise RuntimeError(
                f"only Tensors of floating point dtype can require gradients, and this one is "
                f"{self.dtype.name}: convert it first, for example with .float()"
            )
        if value and self.is_inference() and not mode.inference:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not "
                "allowed. Make a clone() first: that is a normal tensor."
            )
        self._requires_grad = value
        if self._view is not None:
            self._view.borrowed = False

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set ``requires_grad`` of this very tensor, and return it (``detach()`` makes a new one)."""
        if not isinstance(requires_grad, builtins.bool):
            raise TypeError(
                "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                f"{type(requires_grad).__name__}"
            )
        if self.is_leaf or not requires_grad:
            self.requires_grad = requires_grad
        return self

    def detach(self) -> Tensor:
        """Return a new tensor on the same memory, cut from the graph: it requires no gradient.

        Nothing is copied: a write through either shows in both, and both count it, so that backward
        can tell when a value that it needs was overwritten. This tensor stays in its graph.
        """
        result = views.share(self, self.array)
        if self._requires_grad:
            result._cut_from = weakref.ref(self)
        if recorder.active is not None:
            recorder.active.detach(self, result)
        return result

    def detach_(self) -> Tensor:
        """Cut this very tensor from the graph: it becomes a leaf that requires no gradient.

        RuntimeError for a view: its history belongs to its base. Use ``detach()``.
        """
        if self._view is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. A view's history belongs to its "
                "base, so it cannot be cut off in the view alone."
            )
        if self._grad_fn is not None:
            node = self._grad_fn
            if node.hooks is not None:
                self._hooks = node.hooks.on_output.get(self._output_nr)
            self._left_graph = True
            self._counter = self._counter or VersionCounter()
        self._grad_fn = None
        self._output_nr = 0
        self._requires_grad = False
        if recorder.active is not None:
            recorder.active.detach(self, self)
        return self

    @property
    def grad(self) -> Tensor | None:
        """The gradient that ``backward`` has collected here, or None."""
        if self._grad is None and not self.retains_grad and not self.is_leaf:
            warnings.warn(
                "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its "
                ".grad attribute won't be populated during autograd.backward(). If you indeed want "
                "the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the "
                "non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access "
                "the leaf Tensor instead.",
                UserWarning,
                stacklevel=2,
            )
        return self._grad

    @grad.setter
    def grad(self, new: Tensor | None) -> None:
        if new is not None:
            if not isinstance(new, Tensor):
                raise TypeError(
                    "assigned grad expected to be a Tensor or None but got grad of type "
                    f"{type(new).__name__}"
                )
            if new is self:
                raise RuntimeError("can't assign Variable as its own grad")
            if new.array.shape != self.array.shape:
                raise RuntimeError(
                    f"attempting to assign a gradient of size '{list(new.array.shape)}' to a tensor of "
                    f"size '{list(self.array.shape)}'. Please ensure that the gradient and the tensor "
                    "are the same size"
                )
            if new.array.dtype != self.array.dtype:
                raise RuntimeError(
                    f"attempting to assign a gradient with dtype '{new.dtype.cpp_name}' to a tensor "
                    f"with grad_dtype '{self.dtype.legacy_name}'. The gradient must match the tensor's "
                    f"dtype: convert it first, with .to(minigrad.{self.dtype.name})"
                )
        self._grad = new

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    @property
    def retains_grad(self) -> bool:
        """Whether this is a result that was asked to keep its gradient."""
        node = self._grad_fn
        if node is None or node.hooks is None:
            return False
        held = node.hooks.retained.get(self._output_nr)
        return held is not None and held() is self

    def retain_grad(self) -> None:
        """Keep this result's gradient in ``.grad``; leaves do so anyway."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self._grad_fn is not None:
            graph.hooks_of(self._grad_fn).retained[self._output_nr] = weakref.ref(self)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Handle:
        """Call ``hook(grad)`` when this tensor's gradient is complete; it may return a replacement."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._grad_fn is not None:
            on_output = graph.hooks_of(self._grad_fn).on_output
            return hooks.Handle(on_output.setdefault(self._output_nr, {}), hook)
        if self._hooks is None:
            self._hooks = {}
        return hooks.Handle(self._hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> Handle:
        """Call ``hook(tensor)`` after backward has added to this leaf's ``.grad``."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        if self._post_hooks is None:
            self._post_hooks = {}
        return hooks.Handle(self._post_hooks, hook)

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tensor | Sequence[Tensor] | None = None,
    ) -> None:
        """Compute the gradient of this tensor and add it to ``.grad`` of the leaves it came from.

        ``gradient`` is needed unless there is just one element. What the graph had saved is freed
        unless ``retain_graph``; with ``create_graph`` the gradients can be differentiated again.
        """
        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # Operators --------------------------------------------------------------------------------
    # What is written out here or stated in Methods is written in ops, a family a file.

    def __add__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return arithmetic.plus.apply(self, other)
        return NotImplemented

    def __radd__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return arithmetic.plus.apply(self, other)
        return NotImplemented

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return arithmetic.minus.apply(self, other)
        return NotImplemented

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return arithmetic.rsub(self, other)
        return NotImplemented

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return arithmetic.times.apply(self, other)
        return NotImplemented

    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return arithmetic.times.apply(self, other)
        return NotImplemented

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return arithmetic.over(self, other)
        return NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return elementwise.reciprocal(self) * other  # so it is in PyTorch's graph, too
        return NotImplemented

    def __matmul__(self, other: Any) -> Any:
        return linalg.matmul(self, other) if isinstance(other, Tensor) else NotImplemented

    def __rmatmul__(self, other: Any) -> Any:
        return linalg.matmul(other, self) if isinstance(other, Tensor) else NotImplemented

    @_operator
    def __floordiv__(self, other: Any) -> Tensor:
        return arithmetic.floored(self, other)

    @_operator
    def __rfloordiv__(self, other: Any) -> Tensor:
        return arithmetic.floored(other, self)

    @_operator
    def __mod__(self, other: Any) -> Tensor:
        return arithmetic.remainder(self, other)

    @_operator
    def __rmod__(self, other: Any) -> Tensor:
        return arithmetic.remainder(other, self)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, _OPERANDS):
            return arithmetic.pow(self, other)
        return NotImplemented

    @_operator
    def __rpow__(self, other: Any) -> Tensor:
        return arithmetic.pow(other, self)

    @_operator
    def __and__(self, other: Any) -> Tensor:
        return comparing.bitwise_and(self, other)

    __rand__ = __and__

    @_operator
    def __or__(self, other: Any) -> Tensor:
        return comparing.bitwise_or(self, other)

    __ror__ = __or__

    @_operator
    def __xor__(self, other: Any) -> Tensor:
        return comparing.bitwise_xor(self, other)

    __rxor__ = __xor__

    @_operator
    def __lshift__(self, other: Any) -> Tensor:
        return comparing.bitwise_left_shift(self, other)

    @_operator
    def __rlshift__(self, other: Any) -> Tensor:
        return comparing.bitwise_left_shift(new_tensor(np.asarray(other)), self)

    @_operator
    def __rshift__(self, other: Any) -> Tensor:
        return comparing.bitwise_right_shift(self, other)

    @_operator
    def __rrshift__(self, other: Any) -> Tensor:
        return comparing.bitwise_right_shift(new_tensor(np.asarray(other)), self)

    @_operator
    def __lt__(self, other: Any) -> Tensor:
        return comparing.lt(self, other)

    @_operator
    def __le__(self, other: Any) -> Tensor:
        return comparing.le(self, other)

    @_operator
    def __gt__(self, other: Any) -> Tensor:
        return comparing.gt(self, other)

    @_operator
    def __ge__(self, other: Any) -> Tensor:
        return comparing.ge(self, other)

    def __eq__(self, other: object) -> Any:
        return comparing.eq(self, other) if isinstance(other, _OPERANDS) else False

    def __ne__(self, other: object) -> Any:
        return comparing.ne(self, other) if isinstance(other, _OPERANDS) else True

    def __neg__(self) -> Tensor:
        return elementwise.neg(self)

    def __pos__(self) -> Tensor:
        return elementwise.positive(self)

    def __abs__(self) -> Tensor:
        return elementwise.abs(self)

    def __invert__(self) -> Tensor:
        if self.array.dtype.kind == "f":
            raise TypeError(
                "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
            )
        return comparing.bitwise_not(self)

    def __getitem__(self, index: Any) -> Tensor:
        return indexing.getitem(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        indexing.setitem(self, index, value)

    def __iter__(self) -> Iterator[Tensor]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(joining.unbind(self, 0))

    def __reversed__(self) -> Iterator[Tensor]:
        return iter(rearranging.flip(self, 0)) if self.array.ndim else iter((self,))

    # Shape ------------------------------------------------------------------------------------
    # Methods take sizes and dimensions one by one, or in one tuple.

    def reshape(self, *shape: Any) -> Tensor:
        """Return the elements in another shape: a view where the memory allows it, else a copy."""
        return shapes.reshape(self, shapes.sizes_of(shape))

    def reshape_as(self, other: Tensor) -> Tensor:
        """Return the elements in the shape of ``other``: a view where the memory allows it."""
        return shapes.reshape(self, other.array.shape)

    def view(self, *shape: Any) -> Tensor:
        """Return a view in another shape (RuntimeError where that needs a copy), or of a dtype."""
        if len(shape) == 1 and isinstance(shape[0], DType):
            return shapes.view_as_dtype(self, shape[0])
        return shapes.view(self, shape)

    def view_as(self, other: Tensor) -> Tensor:
        """Return a view in the shape of ``other``."""
        return shapes.view(self, other.array.shape)

    def permute(self, *dims: Any) -> Tensor:
        """Return a view with the dimensions in another order."""
        return shapes.permute(self, shapes.sizes_of(dims))

    def expand(self, *sizes: Any) -> Tensor:
        """Return a view with dimensions of size one stretched; nothing is copied."""
        return shapes.expand(self, sizes)

    def expand_as(self, other: Tensor) -> Tensor:
        """Return a view stretched to the shape of ``other``."""
        return shapes.expand(self, other.array.shape)

    def broadcast_to(self, *size: Any) -> Tensor:
        """Return a view stretched to ``size``; nothing is copied."""
        return shapes.expand(self, size)

    def repeat(self, *repeats: Any) -> Tensor:
        """Return the tensor copied so many times along each dimension."""
        return rearranging.repeat(self, repeats)

    def tile(self, *dims: Any) -> Tensor:
        """Return the tensor copied along its last dimensions."""
        return rearranging.tile(self, shapes.sizes_of(dims))

    def flip(self, *dims: Any) -> Tensor:
        """Return a copy with the order reversed along these dimensions."""
        return rearranging.flip(self, shapes.sizes_of(dims))

    def sum_to_size(self, *size: Any) -> Tensor:
        """Return the sums over what broadcasting to this shape from ``size`` had stretched."""
        return reductions.sum_to_size(self, shapes.sizes_of(size))

    @property
    def T(self) -> Tensor:  # noqa: N802 - PyTorch's name
        """The tensor with its dimensions in reverse, as a view."""
        return shapes.reversed_dims(self)

    @property
    def mT(self) -> Tensor:  # noqa: N802 - PyTorch's name
        """The tensor with its last two dimensions swapped, as a view."""
        return shapes.matrix_transpose(self, "mT")

    @property
    def H(self) -> Tensor:  # noqa: N802 - PyTorch's name
        """The matrix transposed, as a view: there are no complex numbers to conjugate here."""
        return shapes.matrix_transpose(self, "H")

    @property
    def mH(self) -> Tensor:  # noqa: N802 - PyTorch's name
        """The tensor with its last two dimensions swapped, as a view."""
        return shapes.matrix_transpose(self, "mH")

    # Choosing, and new tensors of the same kind -----------------------------------------------

    def where(self, condition: Tensor, other: Any) -> Tensor:
        """Return this tensor where the condition holds, else ``other``."""
        return choosing.where(condition, self, other)

    def new_tensor(
        self, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Tensor:
        """Return a tensor of ``data``, by default in the dtype of this one."""
        return create.tensor(
            data, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad
        )

    def new_zeros(
        self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Tensor:
        """Return zeros, by default in the dtype of this tensor."""
        return create.zeros(
            *size, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad
        )

    def new_ones(
        self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Tensor:
        """Return ones, by default in the dtype of this tensor."""
        return create.ones(
            *size, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad
        )

    def new_empty(
        self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Tensor:
        """Return a tensor to be filled, by default in the dtype of this one."""
        return create.empty(
            *size, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad
        )

    def new_full(
        self,
        size: Sequence[int],
        fill_value: Any,
        *,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        """Return a tensor full of one value, by default in the dtype of this one."""
        return create.full(
            size, fill_value, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad
        )

    # Type -------------------------------------------------------------------------------------

    @property
    def device(self) -> device:
        """Where the tensor is: always the CPU."""
        return CPU

    def to(
        self,
        *target: Any,
        dtype: Any = None,
        device: Any = None,
        non_blocking: bool = False,
        copy: bool = False,
    ) -> Tensor:
        """Return the tensor in another dtype: itself if nothing changes (unless ``copy``).

        ``target`` is a dtype, or a tensor whose dtype is taken, or ``"cpu"``, the only device.
        """
        for each in (device, *target):
            if isinstance(each, Tensor):
                dtype = each.dtype
            elif isinstance(each, DType) or each in (builtins.float, builtins.int, builtins.bool):
                dtype = each
            elif not isinstance(each, builtins.bool):
                check_device(each)
        kind = None if dtype is None else create.checked_dtype(dtype, "to")
        return copying.to(self, kind, copy)

    def type(self, dtype: Any = None) -> Any:
        """Return the name of the tensor's type, or the tensor in another dtype."""
        if dtype is None:
            return f"minigrad.{self.dtype.legacy_name}Tensor"
        return copying.to(self, create.checked_dtype(dtype, "type"))

    def type_as(self, other: Tensor) -> Tensor:
        """Return the tensor in the dtype of ``other``."""
        return copying.to(self, other.dtype)

    is_cpu = True
    is_cuda = False

    def cpu(self) -> Tensor:
        """Return the tensor itself: it is on the CPU."""
        return self

    def cuda(self, device: Any = "cuda") -> Tensor:
        """Raise AssertionError: minigrad computes on the CPU only."""
        check_device("cuda")
        return self

    def float(self) -> Tensor:
        """Return the tensor as float32."""
        return copying.to(self, dtypes.float32)

    def double(self) -> Tensor:
        """Return the tensor as float64."""
        return copying.to(self, dtypes.float64)

    def half(self) -> Tensor:
        """Return the tensor as float16."""
        return copying.to(self, dtypes.float16)

    def long(self) -> Tensor:
        """Return the tensor as int64."""
        return copying.to(self, dtypes.int64)

    def int(self) -> Tensor:
        """Return the tensor as int32."""
        return copying.to(self, dtypes.int32)

    def short(self) -> Tensor:
        """Return the tensor as int16."""
        return copying.to(self, dtypes.int16)

    def char(self) -> Tensor:
        """Return the tensor as int8."""
        return copying.to(self, dtypes.int8)

    def byte(self) -> Tensor:
        """Return the tensor as uint8."""
        return copying.to(self, dtypes.uint8)

    def bool(self) -> Tensor:
        """Return the tensor as bool."""
        return copying.to(self, dtypes.bool_)

    # Copies and text --------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[builtins.int, Any]) -> Tensor:
        return copies.deepcopy(self, memo)

    def __copy__(self) -> Tensor:
        rebuild, parts = copies.reduced(self, self.storage)
        return rebuild(*parts)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return copies.reduced(self, copies.alone(self.storage))

    def __repr__(self) -> str:
        return printing.tensor_text(self)

    def __format__(self, spec: str) -> str:
        return object.__format__(self, spec) if self.array.ndim else format(self.item(), spec)


_OPERANDS = (Tensor, bool, int, float, np.number, np.bool_)

# The operations are built on Tensor, and Tensor's methods call them.
from . import autograd, copies, create, graph, hooks, printing, views  # noqa: E402
from .ops import (  # noqa: E402
    arithmetic,
    choosing,
    comparing,
    copying,
    elementwise,
    indexing,
    joining,
    linalg,
    rearranging,
    reductions,
)
from .ops import shape as shapes  # noqa: E402
