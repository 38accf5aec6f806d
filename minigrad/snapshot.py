"""What the graph and the memory look like at one moment: plain frozen data, ready to be drawn.

A ``Snapshot`` copies every value it shows, so that it stays true while the program goes on.
It knows nothing of how it will be drawn, and whoever draws it reads nothing else.

Ids are the same in every run of the same program: a tensor named ``x`` is ``t-x``, operations are
numbered by kind (``o-mul-1``), storages are lettered in order of appearance (``s-A``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from .engine.dtypes import Array
from .engine.graph import Node
from .engine.op import OpNode
from .engine.tensor import Tensor
from .engine.views import CopySlices
from .history import Variable

Drawable: TypeAlias = Tensor | Variable
"""What a picture can be of."""
DRAWABLE = (Tensor, Variable)

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
    ``marks`` are further words for the card, such as ``retains_grad``. ``volatile`` is the flag of
    the Variables of PyTorch 0.1 to 0.3 (``minigrad.history``); today's tensors have none.
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
    volatile: bool = False

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

    ``flow``: recorded, backward follows it. ``data``: a value went this way, no gradient comes
    back. ``cut``: here stood ``detach``; ``label`` is the word that cut it.
    """

    kind: EdgeKind
    tail: str
    head: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The operation ``op`` keeps a tensor for its backward, as it was at ``version_saved``.

    ``name`` is the operation's word for it (``self``, ``other``, ``result``); ``tensor`` is the
    card that shows it, or None when no card does; ``storage`` the buffer it lies in. ``version`` is
    the present version of that tensor's memory.
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


# Taking a snapshot ------------------------------------------------------------------------------

KEPT_CELLS = 24
"""A storage of up to this many elements is kept whole; of a larger one, the ends."""
KEPT_ENDS = (8, 2)
KEPT_VALUES = 64
"""Of a tensor, at most this many elements are kept, from the front."""


def take(tensors: Iterable[Drawable], names: Mapping[str, Drawable] | None = None) -> Snapshot:
    """Describe what the tensors came from, and whose memory they share.

    Shown are the tensors given; all that their recorded history leads to; across each cut, the
    tensor it was made from, as long as that one lives; and of the named tensors those that share
    memory with anything shown.

    Parameters
    ----------
    tensors
        Where to start.
    names
        The variables' names. The first name of a tensor is the one it is shown under.
    """
    return _Survey(tensors, names or {}).snapshot()


class _Survey:
    """One walk over graph and memory, and the numbering of what it met."""

    def __init__(self, tensors: Iterable[Drawable], names: Mapping[str, Drawable]) -> None:
        self.names: dict[Tensor, str] = {}
        self.volatile: dict[Tensor, None] = {}
        for name, tensor in names.items():
            self.names.setdefault(self._bare(tensor), name)
        self.known: dict[Node, dict[int, Tensor]] = {}
        self.nodes: dict[Node, None] = {}
        self.found: dict[Tensor, None] = {}
        self.buffers: dict[int, None] = {}
        given = [self._bare(tensor) for tensor in tensors]
        for tensor in (*given, *self.names):
            self._remember_result(tensor)
        self._explore(given)
        while more := [t for t in self.names if t not in self.found and _buffer(t) in self.buffers]:
            self._explore(more)
        self.ordered: dict[Tensor, str] = {}
        self.op_ids: dict[Node, str] = {}
        self._number()

    def _bare(self, shown: Drawable) -> Tensor:
        """Return the tensor behind a Variable, and note whether it is volatile."""
        if not isinstance(shown, Variable):
            return shown
        if shown.volatile:
            self.volatile[shown.tensor] = None
        return shown.tensor

    def _remember_result(self, tensor: Tensor) -> None:
        """Note which tensor is the result of which node, so that the node's result can be shown."""
        tensor.grad_fn  # noqa: B018 - this brings the history up to date
        node = tensor._grad_fn
        if node is not None:
            self.known.setdefault(node, {}).setdefault(tensor.output_nr, tensor)

    def _explore(self, tensors: Iterable[Tensor]) -> None:
        """Follow history, cuts and results from these tensors, without recursion."""
        waiting: list[Tensor | Node] = list(tensors)
        while waiting:
            item = waiting.pop()
            if isinstance(item, Tensor):
                if item not in self.found:
                    self.found[item] = None
                    self.buffers[_buffer(item)] = None
                    self._remember_result(item)
                    waiting += [
                        each for each in (item._grad_fn, _cut_source(item)) if each is not None
                    ]
            elif item not in self.nodes:
                self.nodes[item] = None
                waiting += self.known.get(item, {}).values()
                waiting += [edge[0] for edge in item.edges if edge is not None]
                waiting += [tensor for _, tensor in _data_inputs(item)]

    def _number(self) -> None:
        """Put tensors and operations in the order in which a reader would have met them."""
        counts: dict[str, int] = {}
        by_age = sorted(self.nodes, key=lambda node: node.order)
        rank = {tensor: place for place, tensor in enumerate(self.names)}
        for node in by_age:
            for edge in node.edges:
                if edge is not None and isinstance(edge[0], Tensor):
                    self._place(edge[0])
            for _, tensor in _data_inputs(node):
                self._place(tensor)
            label = op_label(node.name())
            counts[label] = counts.get(label, 0) + 1
            self.op_ids[node] = f"o-{label}-{counts[label]}"
            for tensor in self.known.get(node, {}).values():
                self._place(tensor)
        for tensor in sorted(self.found, key=lambda each: rank.get(each, len(rank))):
            self._place(tensor)

    def _place(self, tensor: Tensor) -> None:
        """Give the tensor its id, after the tensor it was cut from."""
        chain = [tensor]
        while (source := _cut_source(chain[-1])) is not None:
            chain.append(source)
        for each in reversed(chain):
            if each in self.found and each not in self.ordered:
                name = self.names.get(each)
                unnamed = sum(1 for other in self.ordered if other not in self.names)
                self.ordered[each] = f"t-{name}" if name is not None else f"u-{unnamed + 1}"

    def snapshot(self) -> Snapshot:
        """Copy everything that was found."""
        letters: dict[int, str] = {}
        storages: list[StorageInfo] = []
        infos: list[TensorInfo] = []
        for tensor, id_ in self.ordered.items():
            buffer = _buffer(tensor)
            if buffer not in letters:
                letters[buffer] = letter(len(letters))
                storages.append(_storage_info(tensor, letters[buffer]))
            info = _tensor_info(tensor, id_, self.names.get(tensor), letters[buffer])
            infos.append(replace(info, volatile=tensor in self.volatile))
        return Snapshot(
            tensors=tuple(infos),
            ops=tuple(
                OpInfo(id_, node.name(), op_label(node.name()), freed=node.saved is None)
                for node, id_ in self.op_ids.items()
            ),
            storages=tuple(storages),
            edges=tuple(self._edges()),
            saved=tuple(self._saved(letters)),
        )

    def _edges(self) -> Iterator[Edge]:
        for node, id_ in self.op_ids.items():
            data = dict(_data_inputs(node))
            for place, edge in enumerate(node.edges):
                if edge is not None:
                    yield Edge("flow", self._origin(*edge), id_)
                elif place in data:
                    yield Edge("data", self.ordered[data[place]], id_)
            for tensor in self.known.get(node, {}).values():
                if tensor in self.ordered:
                    yield Edge("flow", id_, self.ordered[tensor])
        for tensor, id_ in self.ordered.items():
            source = _cut_source(tensor)
            if source is not None:
                yield Edge("cut", self.ordered[source], id_, "detach")

    def _origin(self, target: Node | Tensor, number: int) -> str:
        """Return where an edge starts, in the order of computing: a tensor if it is known."""
        if isinstance(target, Tensor):
            return self.ordered[target]
        tensor = self.known.get(target, {}).get(number)
        return self.ordered[tensor] if tensor is not None else self.op_ids[target]

    def _saved(self, letters: dict[int, str]) -> Iterator[Saved]:
        for node, id_ in self.op_ids.items():
            for name, tensor, version in saved_tensors(node):
                buffer = _buffer(tensor)
                if buffer in letters:
                    yield Saved(
                        op=id_,
                        name=name,
                        tensor=self.ordered.get(tensor),
                        storage=f"s-{letters[buffer]}",
                        version_saved=version,
                        version=tensor._version,
                    )


def _cut_source(tensor: Tensor) -> Tensor | None:
    return tensor._cut_from() if tensor._cut_from is not None else None


def _data_inputs(node: Node) -> list[tuple[int, Tensor]]:
    """Return the inputs, by place, that went into an operation without being recorded."""
    alive = [(place, known()) for place, known in getattr(node, "unrecorded", ())]
    return [(place, tensor) for place, tensor in alive if tensor is not None]


def saved_tensors(node: Node) -> list[tuple[str, Tensor, int]]:
    """Return (name, tensor, version) of each tensor that a node keeps for its backward."""
    if isinstance(node, CopySlices):
        node = node.write
    if not isinstance(node, OpNode) or not node.saved:
        return []
    names = [("result" if i < 0 else node.op.inputs[i]) for i in node.recipe.saved]
    return [
        (name, entry, version)
        for name, entry, version in zip(names, node.saved, node.versions, strict=True)
        if version >= 0
    ]


def op_label(name: str) -> str:
    """Return the short name of an operation: ``LogSoftmaxBackward0`` is ``log_softmax``."""
    stem = re.sub(r"Backward\d*$|Backwards$", "", name) or name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", stem).lower()


def letter(place: int) -> str:
    """Return A, B, ... Z, AA, AB, ... for 0, 1, ..."""
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def _buffer(tensor: Tensor) -> int:
    """Return what is the same for all tensors on one buffer; used only for comparing."""
    return id(tensor.storage.array) if tensor.storage.nbytes() == 0 else tensor.storage.address


def _storage_info(tensor: Tensor, name: str) -> StorageInfo:
    storage = tensor.storage
    cells = storage.cells()
    size = int(cells.size)
    positions: Sequence[int] = range(size)
    if size > KEPT_CELLS:
        positions = [*range(KEPT_ENDS[0]), *range(size - KEPT_ENDS[1], size)]
    return StorageInfo(
        id=f"s-{name}",
        letter=name,
        dtype=tensor.dtype.name,
        size=size,
        nbytes=storage.nbytes(),
        version=tensor._version,
        positions=tuple(positions),
        values=tuple(cells[i].item() for i in positions),
    )


def _tensor_info(tensor: Tensor, id_: str, name: str | None, storage: str) -> TensorInfo:
    array = tensor.array
    shown = min(array.size, KEPT_VALUES)
    grad = tensor._grad
    grad_fn = tensor.grad_fn
    marks = ("retains_grad",) if tensor.retains_grad else ()
    return TensorInfo(
        id=id_,
        name=name,
        shape=tuple(array.shape),
        dtype=tensor.dtype.name,
        requires_grad=tensor.requires_grad,
        is_leaf=tensor.is_leaf,
        grad_fn=None if grad_fn is None else grad_fn.name(),
        storage=f"s-{storage}",
        cells=_cells(tensor, shown),
        values=tuple(_front(array, shown)),
        grad=None if grad is None else tuple(_front(grad.array, shown)),
        version=tensor._version,
        marks=marks,
    )


def _front(array: Array, count: int) -> list[Scalar]:
    """Return the first elements as Python numbers, without copying a large array."""
    return [array.flat[i].item() for i in range(count)]


def _cells(tensor: Tensor, count: int) -> tuple[int, ...]:
    """Return where in the storage the tensor's first elements lie, counted in elements."""
    array = tensor.array
    if not array.size:
        return ()
    start = (tensor.data_ptr() - tensor.storage.address) // array.itemsize
    steps = [stride // array.itemsize for stride in array.strides]
    places = []
    for i in range(count):
        place, rest = start, i
        for size, step in zip(reversed(array.shape), reversed(steps), strict=True):
            rest, along = divmod(rest, size)
            place += along * step
        places.append(place)
    return tuple(places)
