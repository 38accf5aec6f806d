"""The tensor: values in memory, and the place it has in the graph.

Three facts say how a tensor stands in the graph, as in PyTorch:

- ``requires_grad``: do gradients come back to it, or through it?
- ``grad_fn``: the node that made it, if it was recorded; None for a leaf.
- ``is_leaf``: nothing recorded made it. A leaf that requires grad collects ``.grad``.

``detach()`` gives a new tensor on the *same memory* with none of that: no ``grad_fn``, and
``requires_grad`` False.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes, recorder
from .dtypes import Array
from .dtypes import dtype as DType
from .memory import Storage, VersionCounter
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
    tensor._counter = None
    tensor._storage = None
    return tensor


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


class Tensor:
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
    _cut_from: weakref.ref[Tensor] | None = None
    """For a detached tensor: the tensor it was cut from, as long as that one lives."""

    __hash__ = object.__hash__
    __array_priority__ = 1000

    def __init__(self, data: Any = ()) -> None:
        from .create import tensor

        made = tensor(data, dtype=dtypes.float32)
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

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the size of one dimension."""
        return self.shape if dim is None else self.array.shape[ops.wrap_dim(dim, self.ndim)]

    def numel(self) -> int:
        """Return the number of elements."""
        return self.array.size

    nelement = numel

    def element_size(self) -> int:
        """Return the size of one element in bytes."""
        return self.array.itemsize

    def stride(self, dim: int | None = None) -> Any:
        """Return how many elements apart neighbours lie in memory, by dimension (or in one)."""
        steps = tuple(step // self.array.itemsize for step in self.array.strides)
        return steps if dim is None else steps[ops.wrap_dim(dim, self.ndim)]

    def storage_offset(self) -> int:
        """Return where in its storage the tensor begins, counted in elements."""
        return (self.data_ptr() - self.storage.address) // self.array.itemsize

    def is_floating_point(self) -> bool:
        """Tell whether the elements are floating point numbers, so that it can require grad."""
        return self.array.dtype.kind == "f"

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
            raise TypeError(f"data expected to be a Tensor, got {type(new).__name__}")
        if self._requires_grad and not new.is_floating_point():
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point"
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

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

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
            raise TypeError("only one element tensors can be converted to Python scalars")
        return self.array.item()

    def __float__(self) -> float:
        return float(self._scalar())

    def __int__(self) -> int:
        return int(self._scalar())

    def __index__(self) -> int:
        if self.array.dtype.kind == "f":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._scalar())

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise RuntimeError(
                "Boolean value of Tensor with "
                + ("more than one value" if self.array.size else "no values")
                + " is ambiguous"
            )
        return bool(self.array.item())

    def __contains__(self, value: Any) -> bool:
        other = value.array if isinstance(value, Tensor) else value
        return bool((self.array == other).any())

    # The graph --------------------------------------------------------------------------------

    @property
    def grad_fn(self) -> Node | None:
        """The node that recorded how this tensor was made; None for a leaf."""
        if self._view is not None:
            views.refresh(self)
        return self._grad_fn

    @property
    def is_leaf(self) -> bool:
        """Whether nothing recorded made this tensor."""
        return self._grad_fn is None

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
        value = bool(value)
        if not self.is_leaf:
            if not value:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to use a "
                    "computed variable in a subgraph that doesn't require differentiation use "
                    "var_no_grad = var.detach()."
                )
            return
        if value and self.array.dtype.kind != "f":
            raise RuntimeError(
                f"only Tensors of floating point dtype can require gradients, and this one is "
                f"{self.dtype.name}: convert it first, for example with .float()"
            )
        self._requires_grad = value
        if self._view is not None:
            self._view.borrowed = False

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set ``requires_grad`` of this very tensor, and return it (``detach()`` makes a new one)."""
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
        self._grad_fn = None
        self._output_nr = 0
        self._requires_grad = False
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
            if new.array.dtype != self.array.dtype:
                raise RuntimeError(
                    f"assigned grad has data of a different type: {new.dtype.name} for a tensor of "
                    f"{self.dtype.name}"
                )
            if new.array.shape != self.array.shape:
                raise RuntimeError(
                    f"assigned grad has data of a different size: {list(new.array.shape)} for a "
                    f"tensor of shape {list(self.array.shape)}"
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

    # Arithmetic -------------------------------------------------------------------------------
    def __add__(self, other: Any) -> Any:
        return ops.plus.apply(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return ops.plus.apply(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return ops.minus.apply(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return ops.minus.apply(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return ops.mul.apply(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rmul__(self, other: Any) -> Any:
        return ops.mul.apply(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __truediv__(self, other: Any) -> Any:
        return ops.div(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return ops.div(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __floordiv__(self, other: Any) -> Any:
        return ops.floor_divide(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rfloordiv__(self, other: Any) -> Any:
        return ops.floor_divide(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __mod__(self, other: Any) -> Any:
        return ops.remainder(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rmod__(self, other: Any) -> Any:
        return ops.remainder(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __pow__(self, other: Any) -> Any:
        return ops.pow(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rpow__(self, other: Any) -> Any:
        return ops.pow(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __matmul__(self, other: Any) -> Any:
        return ops.matmul(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rmatmul__(self, other: Any) -> Any:
        return ops.matmul(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return ops.bitwise_and(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rand__(self, other: Any) -> Any:
        return ops.bitwise_and(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __or__(self, other: Any) -> Any:
        return ops.bitwise_or(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return ops.bitwise_or(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        return ops.bitwise_xor(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __rxor__(self, other: Any) -> Any:
        return ops.bitwise_xor(other, self) if isinstance(other, _OPERANDS) else NotImplemented

    def __neg__(self) -> Tensor:
        return ops.neg(self)

    def __pos__(self) -> Tensor:
        return self

    def __abs__(self) -> Tensor:
        return ops.abs(self)

    def __invert__(self) -> Tensor:
        return ops.bitwise_not(self)

    def __lt__(self, other: Any) -> Any:
        return ops.lt(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return ops.le(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return ops.gt(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return ops.ge(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    def __eq__(self, other: object) -> Any:
        return ops.eq(self, other) if isinstance(other, _OPERANDS) else False

    def __ne__(self, other: object) -> Any:
        return ops.ne(self, other) if isinstance(other, _OPERANDS) else True

    def __iadd__(self, other: Any) -> Tensor:
        return self.add_(other)

    def __isub__(self, other: Any) -> Tensor:
        return self.sub_(other)

    def __imul__(self, other: Any) -> Tensor:
        return self.mul_(other)

    def __itruediv__(self, other: Any) -> Tensor:
        return self.div_(other)

    def __ipow__(self, other: Any) -> Tensor:
        return self.pow_(other)

    def add(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Return ``self + alpha * other``."""
        return ops.add(self, other, alpha=alpha)

    def sub(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Return ``self - alpha * other``."""
        return ops.sub(self, other, alpha=alpha)

    def mul(self, other: Any) -> Tensor:
        """Return ``self * other``."""
        return ops.mul(self, other)

    def div(self, other: Any) -> Tensor:
        """Return ``self / other``."""
        return ops.div(self, other)

    def pow(self, other: Any) -> Tensor:
        """Return ``self ** other``."""
        return ops.pow(self, other)

    def matmul(self, other: Any) -> Tensor:
        """Return the matrix product ``self @ other``."""
        return ops.matmul(self, other)

    def maximum(self, other: Any) -> Tensor:
        """Return the larger of the two, elementwise."""
        return ops.maximum(self, other)

    def minimum(self, other: Any) -> Tensor:
        """Return the smaller of the two, elementwise."""
        return ops.minimum(self, other)

    def lt(self, other: Any) -> Tensor:
        """Return ``self < other``, elementwise."""
        return ops.lt(self, other)

    def le(self, other: Any) -> Tensor:
        """Return ``self <= other``, elementwise."""
        return ops.le(self, other)

    def gt(self, other: Any) -> Tensor:
        """Return ``self > other``, elementwise."""
        return ops.gt(self, other)

    def ge(self, other: Any) -> Tensor:
        """Return ``self >= other``, elementwise."""
        return ops.ge(self, other)

    def eq(self, other: Any) -> Tensor:
        """Return ``self == other``, elementwise."""
        return ops.eq(self, other)

    def ne(self, other: Any) -> Tensor:
        """Return ``self != other``, elementwise."""
        return ops.ne(self, other)

    def neg(self) -> Tensor:
        """Return ``-self``."""
        return ops.neg(self)

    def abs(self) -> Tensor:
        """Return the absolute values."""
        return ops.abs(self)

    def exp(self) -> Tensor:
        """Return e to the power of each element."""
        return ops.exp(self)

    def log(self) -> Tensor:
        """Return the natural logarithms."""
        return ops.log(self)

    def sqrt(self) -> Tensor:
        """Return the square roots."""
        return ops.sqrt(self)

    def sin(self) -> Tensor:
        """Return the sines."""
        return ops.sin(self)

    def cos(self) -> Tensor:
        """Return the cosines."""
        return ops.cos(self)

    def tanh(self) -> Tensor:
        """Return the hyperbolic tangents."""
        return ops.tanh(self)

    def sigmoid(self) -> Tensor:
        """Return ``1 / (1 + exp(-self))``."""
        return ops.sigmoid(self)

    def relu(self) -> Tensor:
        """Return the elements, with negative ones replaced by 0."""
        return ops.relu(self)

    def square(self) -> Tensor:
        """Return ``self ** 2``."""
        return ops.square(self)

    def sign(self) -> Tensor:
        """Return -1, 0 or 1 by the sign of each element."""
        return ops.sign(self)

    def round(self) -> Tensor:
        """Return the nearest integers (halves to even); the gradient is zero."""
        return ops.round(self)

    def floor(self) -> Tensor:
        """Return the integers below; the gradient is zero."""
        return ops.floor(self)

    def ceil(self) -> Tensor:
        """Return the integers above; the gradient is zero."""
        return ops.ceil(self)

    def isnan(self) -> Tensor:
        """Tell which elements are not a number."""
        return ops.isnan(self)

    def t(self) -> Tensor:
        """Return the transpose of a matrix, as a view."""
        return ops.t(self)

    def clamp(self, min: Any = None, max: Any = None) -> Tensor:
        """Return the elements, limited to between ``min`` and ``max``."""
        return ops.clamp(self, min, max)

    clip = clamp

    # In place ---------------------------------------------------------------------------------

    def add_(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Add ``alpha * other`` to this tensor, in its own memory."""
        if alpha == 1:
            return inplace.write("add_", self, ops.plus, other)
        return inplace.write("add_", self, ops.plus_scaled, other, alpha)

    def sub_(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Subtract ``alpha * other`` from this tensor, in its own memory."""
        if alpha == 1:
            return inplace.write("sub_", self, ops.minus, other)
        return inplace.write("sub_", self, ops.minus_scaled, other, alpha)

    def mul_(self, other: Any) -> Tensor:
        """Multiply this tensor by ``other``, in its own memory."""
        return inplace.write("mul_", self, ops.mul, other)

    def div_(self, other: Any) -> Tensor:
        """Divide this tensor by ``other``, in its own memory."""
        return inplace.write("div_", self, ops.div, other)

    def pow_(self, other: Any) -> Tensor:
        """Raise this tensor to the power ``other``, in its own memory."""
        return ops.pow_(self, other)

    def copy_(self, source: Any) -> Tensor:
        """Copy the values of ``source`` (broadcast, cast) into this tensor's memory."""
        return ops.copy_(self, source)

    def fill_(self, value: Any) -> Tensor:
        """Set every element to ``value``."""
        return ops.fill_(self, value)

    def zero_(self) -> Tensor:
        """Set every element to 0."""
        return ops.zero_(self)

    def neg_(self) -> Tensor:
        """Negate this tensor, in its own memory."""
        return inplace.write("neg_", self, ops.neg)

    def exp_(self) -> Tensor:
        """Replace this tensor by its exponential, in its own memory."""
        return inplace.write("exp_", self, ops.exp)

    def sqrt_(self) -> Tensor:
        """Replace this tensor by its square root, in its own memory."""
        return inplace.write("sqrt_", self, ops.sqrt)

    def tanh_(self) -> Tensor:
        """Replace this tensor by its hyperbolic tangent, in its own memory."""
        return inplace.write("tanh_", self, ops.tanh)

    def sigmoid_(self) -> Tensor:
        """Replace this tensor by its sigmoid, in its own memory."""
        return inplace.write("sigmoid_", self, ops.sigmoid)

    def relu_(self) -> Tensor:
        """Replace negative elements by 0, in its own memory."""
        return inplace.write("relu_", self, ops.relu)

    def abs_(self) -> Tensor:
        """Replace this tensor by its absolute values, in its own memory."""
        return inplace.write("abs_", self, ops.abs)

    def clamp_(self, min: Any = None, max: Any = None) -> Tensor:
        """Limit the elements to between ``min`` and ``max``, in place."""
        return ops.clamp_(self, min, max)

    # Reductions -------------------------------------------------------------------------------

    def sum(
        self,
        dim: Any = None,
        keepdim: bool = False,
        *,
        dtype: DType | None = None,
        axis: Any = None,
        keepdims: bool = False,
    ) -> Tensor:
        """Return the sum of all elements, or along dimensions; ``axis``/``keepdims`` are numpy's words."""
        return ops.sum(self, dim if axis is None else axis, keepdim or keepdims, dtype=dtype)

    def mean(self, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
        """Return the mean of all elements, or along dimensions."""
        return ops.mean(self, dim, keepdim, dtype=dtype)

    def max(self, dim: Any = None, keepdim: bool = False) -> Any:
        """Return the largest element; or ``(values, indices)`` along ``dim``."""
        return ops.max(self, dim, keepdim)

    def min(self, dim: Any = None, keepdim: bool = False) -> Any:
        """Return the smallest element; or ``(values, indices)`` along ``dim``."""
        return ops.min(self, dim, keepdim)

    def argmax(self, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """Return the place of the largest element (int64)."""
        return ops.argmax(self, dim, keepdim)

    def argmin(self, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """Return the place of the smallest element (int64)."""
        return ops.argmin(self, dim, keepdim)

    def all(self) -> Tensor:
        """Tell whether every element is true, as a tensor."""
        return ops.all(self)

    def any(self) -> Tensor:
        """Tell whether any element is true, as a tensor."""
        return ops.any(self)

    def softmax(self, dim: int) -> Tensor:
        """Return the softmax along ``dim``: positive, summing to one."""
        return ops.softmax(self, dim)

    def log_softmax(self, dim: int) -> Tensor:
        """Return the logarithm of the softmax along ``dim``, computed stably."""
        return ops.log_softmax(self, dim)

    # Shape ------------------------------------------------------------------------------------

    def reshape(self, *shape: Any) -> Tensor:
        """Return the elements in another shape: a view where the memory allows it, else a copy."""
        return ops.reshape(self, shape)

    def view(self, *shape: Any) -> Tensor:
        """Return a view in another shape; RuntimeError where that would need a copy."""
        return ops.view(self, shape)

    def view_as(self, other: Tensor) -> Tensor:
        """Return a view in the shape of ``other``."""
        return ops.view(self, (other.array.shape,))

    def transpose(self, dim0: int, dim1: int) -> Tensor:
        """Return a view with two dimensions swapped."""
        return ops.transpose(self, dim0, dim1)

    swapaxes = transpose

    @property
    def T(self) -> Tensor:  # noqa: N802 - PyTorch's name
        """The tensor with its dimensions in reverse, as a view."""
        return ops.permute(self, tuple(range(self.ndim))[::-1])

    @property
    def mT(self) -> Tensor:  # noqa: N802 - PyTorch's name
        """The tensor with its last two dimensions swapped, as a view."""
        return ops.transpose(self, -2, -1)

    def permute(self, *dims: Any) -> Tensor:
        """Return a view with the dimensions in another order."""
        return ops.permute(
            self, dims[0] if len(dims) == 1 and isinstance(dims[0], (tuple, list)) else dims
        )

    def flatten(self, start_dim: int = 0, end_dim: int = -1) -> Tensor:
        """Return the tensor with a range of dimensions made one."""
        return ops.flatten(self, start_dim, end_dim)

    def expand(self, *sizes: Any) -> Tensor:
        """Return a view with dimensions of size one stretched; nothing is copied."""
        return ops.expand(self, sizes)

    def expand_as(self, other: Tensor) -> Tensor:
        """Return a view stretched to the shape of ``other``."""
        return ops.expand(self, (other.array.shape,))

    def squeeze(self, dim: Any = None) -> Tensor:
        """Return a view without the dimensions (or that one) of size one."""
        return ops.squeeze(self, dim)

    def unsqueeze(self, dim: int) -> Tensor:
        """Return a view with a dimension of size one put in at ``dim``."""
        return ops.unsqueeze(self, dim)

    def unsqueeze_(self, dim: int) -> Tensor:
        """Put in a dimension of size one at ``dim``, in this very tensor."""
        return ops.unsqueeze_(self, dim)

    def clone(self) -> Tensor:
        """Return a copy in memory of its own; it stays in the graph."""
        return ops.clone(self)

    def contiguous(self) -> Tensor:
        """Return the tensor itself if its memory is in order, else a copy that is."""
        return self if self.is_contiguous() else ops.clone(self)

    def __getitem__(self, index: Any) -> Tensor:
        return ops.getitem(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        ops.setitem(self, index, value)

    def __iter__(self) -> Iterator[Tensor]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(ops.unbind(self, 0))

    def unbind(self, dim: int = 0) -> tuple[Tensor, ...]:
        """Return the slices along ``dim``, all at once."""
        return ops.unbind(self, dim)

    # Type -------------------------------------------------------------------------------------

    def to(self, target: Any = None, *, dtype: DType | None = None, copy: bool = False) -> Tensor:
        """Return the tensor in another dtype: itself if nothing changes (unless ``copy``).

        ``target`` is a dtype, or a tensor whose dtype is taken, or ``"cpu"``, the only device.
        """
        return ops.to(self, target if dtype is None else dtype, copy)

    def type_as(self, other: Tensor) -> Tensor:
        """Return the tensor in the dtype of ``other``."""
        return ops.to(self, other.dtype, False)

    def float(self) -> Tensor:
        """Return the tensor as float32."""
        return ops.to(self, dtypes.float32, False)

    def double(self) -> Tensor:
        """Return the tensor as float64."""
        return ops.to(self, dtypes.float64, False)

    def half(self) -> Tensor:
        """Return the tensor as float16."""
        return ops.to(self, dtypes.float16, False)

    def long(self) -> Tensor:
        """Return the tensor as int64."""
        return ops.to(self, dtypes.int64, False)

    def int(self) -> Tensor:
        """Return the tensor as int32."""
        return ops.to(self, dtypes.int32, False)

    def bool(self) -> Tensor:
        """Return the tensor as bool."""
        return ops.to(self, dtypes.bool_, False)

    # Copies and text --------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
                "protocol at the moment. This one is a result; copy its values with "
                ".detach().clone()."
            )
        if id(self) in memo:
            return memo[id(self)]
        result = new_tensor(self.array.copy())
        result._requires_grad = self._requires_grad
        result.__class__ = self.__class__
        memo[id(self)] = result
        if self._grad is not None:
            result._grad = self._grad.__deepcopy__(memo)
        return result

    def __repr__(self) -> str:
        return printing.tensor_text(self)

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and not self.array.ndim else repr(self)


_OPERANDS = (Tensor, bool, int, float, np.number, np.bool_)

# The operations are built on Tensor, and Tensor's methods call them.
from . import autograd, graph, hooks, inplace, ops, printing, views  # noqa: E402
