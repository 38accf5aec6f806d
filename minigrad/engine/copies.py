"""Copies of tensors: ``copy.deepcopy`` and ``copy.copy``, pickles, and files (``save``, ``load``).

What makes a tensor is its memory and how it looks into it: where it begins, its shape, its strides.
A copy is made from these, and is a leaf: no history goes along. So

- ``deepcopy`` copies the *whole* buffer, once. Two tensors of one memory, copied together, share the
  copy. A result is refused (its history would be lost without a word): say ``.detach().clone()``.
- a pickle holds a buffer for each tensor, even where two shared one; ``save`` keeps the sharing.
- ``copy.copy`` gives another tensor on the same memory.

As in PyTorch, ``.grad`` goes along with ``deepcopy`` alone, hooks never, and what the user put on
the tensor (``x.note = ...``) always.
"""

from __future__ import annotations

import copy
import os
import pickle
import warnings
from typing import Any, BinaryIO

import numpy as np

from .memory import Storage
from .tensor import Tensor, new_tensor

Place = tuple[str, int, tuple[int, ...], tuple[int, ...]]
"""How a tensor looks into its storage: numpy's dtype, the first byte, the shape, steps in bytes."""


def deepcopy(tensor: Tensor, memo: dict[int, Any]) -> Tensor:
    """Return a tensor on a copy of the memory, with the same flag and a copy of the gradient."""
    if not tensor.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
            "at the moment. This one is a result: a copy would lose its history. Copy its values with "
            ".detach().clone()."
        )
    if id(tensor) in memo:
        return memo[id(tensor)]
    storage = copy.deepcopy(tensor.storage, memo)
    result = rebuilt(type(tensor), storage, _place(tensor), tensor.requires_grad, {})
    memo[id(tensor)] = result
    result.__dict__.update(copy.deepcopy(_attributes(tensor), memo))
    if tensor._grad is not None:
        result._grad = copy.deepcopy(tensor._grad, memo)
    return result


def reduced(tensor: Tensor, storage: Storage) -> tuple[Any, ...]:
    """Return what ``pickle`` and ``copy`` ask for: a function, and what to call it with."""
    if tensor._hooks:
        warnings.warn(
            f"backward hook {next(iter(tensor._hooks.values()))!r} on tensor will not be serialized: "
            "the copy has no hooks",
            UserWarning,
            stacklevel=3,
        )
    flag, attributes = tensor.requires_grad, _attributes(tensor)
    return rebuilt, (type(tensor), storage, _place(tensor), flag, attributes)


def alone(storage: Storage) -> Storage:
    """Return the storage as another object, so that pickle takes it for a buffer of its own."""
    apart = Storage(storage.array)
    apart.array = storage.array.view()
    return apart


def rebuilt(
    cls: type[Tensor],
    storage: Storage,
    place: Place,
    requires_grad: bool,
    attributes: dict[str, Any],
) -> Tensor:
    """Make a leaf that looks into ``storage`` at ``place``."""
    kind, start, shape, strides = place
    result = new_tensor(np.ndarray(shape, kind, storage.cells(), start, strides))
    result._storage = storage
    result._requires_grad = requires_grad
    if cls is not Tensor:
        result.__class__ = cls
    result.__dict__.update(attributes)
    return result


def _place(tensor: Tensor) -> Place:
    array = tensor.array
    return array.dtype.str, tensor.data_ptr() - tensor.storage.address, array.shape, array.strides


def _attributes(tensor: Tensor) -> dict[str, Any]:
    """Return what the user put on the tensor: what the class does not know of."""
    return {name: value for name, value in vars(tensor).items() if not hasattr(Tensor, name)}


# Files ------------------------------------------------------------------------------------------


class _Saver(pickle.Pickler):
    """Pickles tensors with the storage they have, so that what shares memory shares it afterwards."""

    def reducer_override(self, obj: Any) -> Any:
        """Take a tensor's own storage; leave all else to pickle."""
        return reduced(obj, obj.storage) if isinstance(obj, Tensor) else NotImplemented


class _Loader(pickle.Unpickler):
    """Builds tensors and plain containers, and refuses everything else."""

    def find_class(self, module: str, name: str) -> Any:
        """Return what a name in the file stands for; UnpicklingError unless it is harmless."""
        package = __name__.partition(".")[0]
        own = module.partition(".")[0] == package and name in _HARMLESS_HERE
        if own or (module, name) in _HARMLESS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(
            f"Weights only load failed: the file asks for {module}.{name}, and load() makes only "
            "tensors, numbers, text and containers of them. If you trust whoever made the file, say "
            "load(..., weights_only=False); then it may run any code."
        )


_HARMLESS_HERE = (
    *("Buffer", "Parameter", "Size", "Storage", "Tensor", "rebuilt"),
    *("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool_"),
)
_HARMLESS = (
    ("builtins", "set"),
    ("builtins", "slice"),
    ("collections", "OrderedDict"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
)


def save(obj: object, f: str | os.PathLike[str] | BinaryIO) -> None:
    """Write tensors, a ``state_dict()``, or anything that can be pickled, to a file.

    ``f`` is a path or a file opened for writing bytes. Tensors that share memory share it again when
    they are loaded. The file is minigrad's own; PyTorch does not read it. Mirrors ``torch.save``.
    """
    if isinstance(f, (str, os.PathLike)):
        with open(f, "wb") as file:
            _Saver(file, protocol=5).dump(obj)
    else:
        _Saver(f, protocol=5).dump(obj)


def load(f: str | os.PathLike[str] | BinaryIO, *, weights_only: bool = True) -> Any:
    """Read what ``save`` wrote, from a path or a file opened for reading bytes.

    A file of somebody else could run any code when it is read; so only tensors, numbers, text and
    containers of them are made, unless ``weights_only`` is False.

    Raises
    ------
    pickle.UnpicklingError
        For a file that ``save`` has not written, or that asks for anything else.
    """
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return load(file, weights_only=weights_only)
    loader = _Loader(f) if weights_only else pickle.Unpickler(f)
    try:
        return loader.load()
    except (EOFError, KeyError, ValueError, IndexError) as error:
        raise pickle.UnpicklingError(
            f"Weights only load failed: this is no file that save() has written ({error})"
        ) from None


__all__ = ["load", "save"]
