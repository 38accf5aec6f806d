"""What stands in each box of a picture, and how large the box must be to hold it.

Sizes are in pixels (which are points to the layout program). They depend on what a box *says*, and
on the numbers in it only through the room that numbers of that length need, rounded up: when a
value changes, as a rule, no box does, and the picture holds still.
"""

from __future__ import annotations

from dataclasses import dataclass

from minigrad.picture import values as numbers
from minigrad.picture import words
from minigrad.picture.escape import shorten, visible
from minigrad.picture.metrics import mono_width, sans_width
from minigrad.snapshot import OpInfo, Snapshot, StorageInfo, TensorInfo

NAME_SIZE = 14
VALUE_SIZE = 12
SMALL_SIZE = 11

PAD = 10
BADGE = 17
LINE = 17
SMALL_LINE = 15
BASELINE = 20
GRAD_WIDTH = 30
CELL_HEIGHT = 24
CAPTION_HEIGHT = 19
GAP_WIDTH = 20

VOLATILE = "volatile"
"""A name of code, the same in every language."""

_NAME_LIMIT = 24
_NUMBER_STEPS = (3, 5, 7, 11)


@dataclass(frozen=True, slots=True)
class Card:
    """A tensor: its name, its values, then its role and its kind in small print, its gradient.

    ``mark`` is a word that stands on a plate beside the role, such as ``volatile``; mostly empty.
    """

    info: TensorInfo
    name: str
    role: str
    mark: str
    letter: str
    values: tuple[str, ...]
    kind: str
    grad: tuple[str, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Bubble:
    """An operation."""

    info: OpInfo
    label: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Cell:
    """One element of a storage: where it is drawn in the row, and the number in it.

    ``position`` is its place in the buffer; None stands for the cells that are not shown.
    """

    position: int | None
    text: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Row:
    """A storage: a row of cells, a caption below them, and the names of those who share it."""

    info: StorageInfo
    cells: tuple[Cell, ...]
    caption: str
    version: str
    shared: str
    width: float
    height: float


def card(tensor: TensorInfo, letter: str, values: bool = True) -> Card:
    """Measure the card of ``tensor``; ``letter`` is its storage's, or empty to leave it out."""
    name = display_name(tensor)
    role, mark = _role(tensor), VOLATILE if tensor.volatile else ""
    shown = numbers.lines(tensor.values, tensor.shape) if values else ()
    grad = numbers.lines(tensor.grad, tensor.shape) if values and tensor.grad is not None else ()
    kind = kind_of(tensor)
    badge = BADGE + 8 if letter else 0.0
    if name:
        head = mono_width(name, NAME_SIZE) + badge
    else:
        head = _values_width(shown, tensor.values) + badge
    width = max(
        head,
        _values_width(shown, tensor.values),
        max(sans_width(role, SMALL_SIZE) + mark_width(mark), sans_width(kind, SMALL_SIZE))
        if name
        else mark_width(mark),
        GRAD_WIDTH + _values_width(grad, tensor.grad or ()) if grad else 0.0,
    )
    rows = (1 + len(shown) if name else max(1, len(shown))) + len(grad)
    small = 2 * SMALL_LINE if name else SMALL_LINE if mark else 0
    return Card(
        tensor, name, role, mark, letter, shown, kind, grad,
        width=_even(width + 2 * PAD), height=_even(rows * LINE + small + 13),
    )  # fmt: skip


def bubble(op: OpInfo) -> Bubble:
    """Measure the ellipse of ``op``; there is always room for the word ``freed``."""
    label = shorten(visible(op.label), 14)
    return Bubble(op, label, _even(max(50.0, sans_width(label, 12) + 24)), 36.0)


def row(snapshot: Snapshot, storage: StorageInfo, values: bool = True) -> Row:
    """Measure the cells of ``storage`` and its caption."""
    texts = numbers.format_numbers(storage.values)
    step = _even(mono_width("0" * _reserved(texts), VALUE_SIZE) + 10)
    cells: list[Cell] = []
    x, expected = 0.0, 0
    for position, text in zip(storage.positions, texts, strict=True):
        if position != expected:
            cells.append(Cell(None, "…", x, GAP_WIDTH))
            x += GAP_WIDTH
        cells.append(Cell(position, text if values else "", x, step))
        x += step
        expected = position + 1
    if expected < storage.size:
        cells.append(Cell(None, "…", x, GAP_WIDTH))
        x += GAP_WIDTH
    if not cells:
        cells.append(Cell(None, words.say("picture.empty"), x, GAP_WIDTH))
    caption = f"{storage.dtype} · {bytes_of(storage)}"
    names = [
        display_name(tensor) or words.say("picture.a_result")
        for tensor in owners(snapshot, storage.id)
    ]
    shared = words.say("picture.shared", names=words.listed(names)) if len(names) > 1 else ""
    version = f"v{storage.version}"
    footing = BADGE + sans_width(caption, SMALL_SIZE) + sans_width("v00", SMALL_SIZE) + 24
    width = _even(max(x, footing, sans_width(shared, SMALL_SIZE) + 16))
    stretched = _stretched(cells, x, width)
    height = CELL_HEIGHT + CAPTION_HEIGHT + (CAPTION_HEIGHT if shared else 0)
    return Row(storage, stretched, caption, version, shared, width, float(height))


def letters(snapshot: Snapshot) -> dict[str, str]:
    """Return the letter of each storage, by its id."""
    return {storage.id: storage.letter for storage in snapshot.storages}


def display_name(tensor: TensorInfo) -> str:
    """Return the name as it is shown: unseen characters written out, a long one shortened."""
    return shorten(visible(tensor.name), _NAME_LIMIT) if tensor.name else ""


def kind_of(tensor: TensorInfo) -> str:
    """Return shape and dtype in small print, such as ``(3,) float32``."""
    return f"{tensor.shape} {tensor.dtype}"


def bytes_of(storage: StorageInfo) -> str:
    """Return the size of ``storage`` in words, such as ``12 bytes``."""
    return words.counted("picture.byte", storage.nbytes)


def role_of(tensor: TensorInfo) -> str:
    """Return what a tensor is to backward: ``leaf``, the name of its grad_fn, or ``no grad``."""
    volatile = (VOLATILE,) if tensor.volatile else ()
    return words.say("picture.also").join((_role(tensor), *volatile))


def mark_width(mark: str) -> float:
    """Return the room for a mark on its plate, and before it."""
    return sans_width(mark, SMALL_SIZE) + 16 if mark else 0.0


def _role(tensor: TensorInfo) -> str:
    if not tensor.requires_grad:
        role = words.say("picture.no_grad")
    elif tensor.is_leaf:
        role = words.say("picture.leaf")
    else:
        role = tensor.grad_fn or "requires_grad"
    return words.say("picture.also").join((role, *tensor.marks))


def owners(snapshot: Snapshot, storage: str) -> tuple[TensorInfo, ...]:
    """Return the tensors that read ``storage``, in order of appearance."""
    return tuple(tensor for tensor in snapshot.tensors if tensor.storage == storage)


def _values_width(shown: tuple[str, ...], values: tuple[object, ...]) -> float:
    """Return the room for lines of numbers, were each number as long as it may grow unnoticed."""
    widest = max(shown, key=len, default="")
    spare = 0
    if values and shown:
        texts = [part.strip("[] ") for part in widest.split(",")]
        longest = max(len(text) for text in texts if text != numbers.ELLIPSIS)
        spare = (_step(longest) - longest) * sum(text != numbers.ELLIPSIS for text in texts)
    return mono_width("0" * (len(widest) + min(spare, 6)), VALUE_SIZE)


def _reserved(texts: tuple[str, ...]) -> int:
    return _step(max((len(text) for text in texts), default=1))


def _step(length: int) -> int:
    return next((step for step in _NUMBER_STEPS if length <= step), length)


def _stretched(cells: list[Cell], used: float, width: float) -> tuple[Cell, ...]:
    """Spread the cells evenly when the caption below them is the wider one."""
    if all(cell.position is None for cell in cells):
        return tuple(Cell(None, cell.text, 0.0, width) for cell in cells)
    spare = (width - used) / sum(cell.position is not None for cell in cells)
    result: list[Cell] = []
    x = 0.0
    for cell in cells:
        wide = cell.width + (spare if cell.position is not None else 0.0)
        result.append(Cell(cell.position, cell.text, x, wide))
        x += wide
    return tuple(result)


def _even(width: float) -> float:
    """Round up to an even whole number, so that halves are whole and bytes are the same."""
    return float(-2 * int(-width // 2))
