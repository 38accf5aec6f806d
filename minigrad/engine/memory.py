"""Memory, and the count of its changes.

A ``Storage`` is one buffer. Tensors look into it: a view, a detached tensor and ``.data`` all share
the storage of the tensor they came from.

A ``VersionCounter`` counts in-place writes. Views and detached tensors share the counter of their
source, so a write through any of them is noticed by all; ``.data`` starts a counter of its own,
which is why writes through it go unnoticed.

Both are made when somebody first asks: a tensor that nobody aliases or writes to needs neither.
"""

from __future__ import annotations

import os.path
import sys
from types import CodeType

from .dtypes import Array


class Storage:
    """One buffer of memory, known by the numpy array that owns it.

    ``array`` is the whole buffer as its owner shaped it. ``id``-like identity is the object itself:
    two tensors share memory exactly if they have the same storage (or two storages of one buffer,
    when numpy handed the buffer in twice: ``address`` tells).
    """

    __slots__ = ("__weakref__", "array")

    def __init__(self, array: Array) -> None:
        while array.base is not None and isinstance(array.base, type(array)):
            array = array.base
        self.array = array

    @property
    def address(self) -> int:
        """Where the buffer starts, in bytes: for comparing, never for showing."""
        return int(self.array.ctypes.data)

    def data_ptr(self) -> int:
        """Return ``address``, by PyTorch's name."""
        return self.address

    def nbytes(self) -> int:
        """Return the size of the buffer in bytes."""
        return int(self.array.nbytes)

    __len__ = size = nbytes

    def cells(self) -> Array:
        """Return the buffer as a row of elements, in the order in which they lie in memory."""
        return self.array.ravel(order="K")


class VersionCounter:
    """How often some memory was written in place, and by what it was last.

    ``version`` rises by one with every in-place operation. ``writer`` is the name of the latest one
    (``add_``); ``code`` and ``line`` say where the program called it.
    """

    # Most counters are never written to: then these are all they have.
    version = 0
    writer = ""
    code: CodeType | None = None
    line = 0

    def bump(self, writer: str) -> None:
        """Count one write by the operation ``writer``, and note the line that asked for it."""
        self.version += 1
        self.writer = writer
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            frame = frame.f_back
        self.code, self.line = frame.f_code, frame.f_lineno


class NoVersions(VersionCounter):
    """What inference tensors have in the place of a counter: nothing is counted."""

    def bump(self, writer: str) -> None:
        """Count nothing."""


INFERENCE = NoVersions()
"""Shared by all inference tensors: this is how they are known."""


_PACKAGE = os.path.dirname(os.path.dirname(__file__))
"""Where minigrad lies: the first frame from elsewhere is the line of the user's program."""
