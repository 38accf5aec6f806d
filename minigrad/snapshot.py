"""What the graph and the memory look like at one moment: plain frozen data, ready to be drawn.

A ``Snapshot`` copies every value it shows, so that it stays true while the program goes on.
It knows nothing of how it will be drawn, and whoever draws it reads nothing else.

Ids are the same in every run of the same program: a tensor named ``x`` is ``t-x``, operations are
numbered by kind (``o-mul-1``), storages are lettered in order of appearance (``s-A``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scalar = bool | int | float
EdgeKind = Literal["flow", "data", "cut"]


@dataclass(frozen=True, slots=True)
class StorageInfo:
    """One buffer of memory.

    ``positions`` and ``values`` are the cells that are kept (all of them when the storage is small;
    the first and the last when it is large), by their place in the buffer, counted in elements.
    ``version`` counts the in-place writes that autograd knows of.
    """

    id: str
    letter: str
    dtype: str
    size: int
    nbytes: int
    version: int
    positions: tuple[int, ...]
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One tensor: a card that stands in the graph and in the memory at once.

    ``cells`` are the places in the storage that the tensor reads, in the tensor's own order (cut
    short when it is large: ``numel`` is the whole number); ``values`` are what stands in them.
    ``name`` is the variable's name, or None for a result that nobody named.
    ``grad`` holds the values of ``.grad`` (same shape; cut short alike), or None.
    ``version`` is the tensor's own ``_version``: it differs from its storage's for ``.data``.
    ``marks`` are further words for the card, such as ``volatile`` or ``retains_grad``.
    """

    id: str
    name: str | None
    shape: tuple[int, ...]
    dtype: str
    requires_grad: bool
    is_leaf: bool
    grad_fn: str | None
    storage: str
    cells: tuple[int, ...]
    values: tuple[Scalar, ...]
    grad: tuple[Scalar, ...] | None
    version: int
    marks: tuple[str, ...] = ()

    @property
    def numel(self) -> int:
        """The number of elements."""
        count = 1
        for size in self.shape:
            count *= size
        return count


@dataclass(frozen=True, slots=True)
class OpInfo:
    """One operation: its ``name`` is PyTorch's (``MulBackward0``), its ``label`` is short (``mul``).

    ``freed`` is True once backward has thrown away what the operation had saved. ``recorded`` is
    False for one that was computed but left no trace that backward could follow.
    """

    id: str
    name: str
    label: str
    freed: bool = False
    recorded: bool = True


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow from ``tail`` to ``head`` (ids of tensors or operations), in the order of computing.

    ``flow``: recorded, backward follows it. ``data``: a value went this way, no gradient comes back.
    ``cut``: here stood ``detach``; ``label`` is the word that cut it.
    """

    kind: EdgeKind
    tail: str
    head: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The operation ``op`` keeps a tensor for its backward, as it was at ``version_saved``.

    ``name`` is the operation's word for it (``self``, ``other``, ``result``); ``tensor`` is the card
    that shows it, or None when no card does; ``storage`` the buffer it lies in. ``version`` is the
    present version of that tensor's memory.
    """

    op: str
    name: str
    tensor: str | None
    storage: str
    version_saved: int
    version: int

    @property
    def stale(self) -> bool:
        """Whether an in-place write came after the saving, so that backward must refuse."""
        return self.version != self.version_saved


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The graph and the memory at one moment. All tuples are in order of appearance."""

    tensors: tuple[TensorInfo, ...]
    ops: tuple[OpInfo, ...]
    storages: tuple[StorageInfo, ...]
    edges: tuple[Edge, ...]
    saved: tuple[Saved, ...]
