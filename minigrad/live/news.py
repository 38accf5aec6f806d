"""What changed from one snapshot to the next, in a sentence that can be read aloud."""

from __future__ import annotations

from collections.abc import Iterable

from minigrad.picture.text import names_of
from minigrad.picture.words import listed, say
from minigrad.snapshot import Edge, Snapshot, StorageInfo

_MOST = 3
"""How many facts are told; the others are counted."""


def news(before: Snapshot, after: Snapshot) -> str:
    """Say what changed: what came and went, which edges were cut, which cells were written.

    Empty when nothing did.
    """
    facts = [
        *_cuts(before, after),
        *_coming_and_going(before, after),
        *_sharing(before, after),
        *_gradients(before, after),
        *_memory(before, after),
    ]
    if not facts:
        return ""
    if len(facts) > _MOST + 1:
        facts[_MOST:] = [say("live.more", count=len(facts) - _MOST)]
    return say("live.then").join(facts) + say("live.end")


def _cuts(before: Snapshot, after: Snapshot) -> Iterable[str]:
    old, new = _cut_paths(before), _cut_paths(after)
    for path in new:
        if path not in old:
            yield say("live.cut", a=path[0], b=path[1])
    for path in old:
        if path not in new:
            yield say("live.not_cut", a=path[0], b=path[1])


def _cut_paths(snapshot: Snapshot) -> list[tuple[str, str]]:
    names = names_of(snapshot)
    cuts: list[Edge] = [edge for edge in snapshot.edges if edge.kind == "cut"]
    return [(names[edge.tail], names[edge.head]) for edge in cuts]


def _coming_and_going(before: Snapshot, after: Snapshot) -> Iterable[str]:
    old, new = names_of(before), names_of(after)
    come = [name for identity, name in new.items() if identity not in old]
    gone = [name for identity, name in old.items() if identity not in new]
    if come:
        yield say("live.new", names=listed(come))
    if gone:
        yield say("live.gone", names=listed(gone))


def _sharing(before: Snapshot, after: Snapshot) -> Iterable[str]:
    old, new = _shared(before), _shared(after)
    for readers, letter in new.items():
        if readers not in old:
            yield say("live.share", names=listed(readers), letter=letter)
    for readers in old:
        if readers not in new:
            yield say("live.share_no_more", names=listed(readers))


def _shared(snapshot: Snapshot) -> dict[tuple[str, ...], str]:
    readers = {storage.letter: _readers(snapshot, storage) for storage in snapshot.storages}
    return {names: letter for letter, names in readers.items() if len(names) > 1}


def _readers(snapshot: Snapshot, storage: StorageInfo) -> tuple[str, ...]:
    names = names_of(snapshot)
    return tuple(names[each.id] for each in snapshot.tensors if each.storage == storage.id)


def _gradients(before: Snapshot, after: Snapshot) -> Iterable[str]:
    names = names_of(after)
    # As texts: a NaN is not equal to itself, and has not changed for that.
    old = {tensor.id: repr(tensor.grad) for tensor in before.tensors}
    changed = [
        names[tensor.id]
        for tensor in after.tensors
        if old.get(tensor.id, repr(tensor.grad)) != repr(tensor.grad)
    ]
    if changed:
        yield say("live.grad", names=listed(changed))


def _memory(before: Snapshot, after: Snapshot) -> Iterable[str]:
    old = {storage.id: storage for storage in before.storages}
    for storage in after.storages:
        if storage.id not in old:
            continue
        letter, version = storage.letter, storage.version
        if cells := _changed_cells(old[storage.id], storage):
            readers = _readers(after, storage)
            who = listed(readers) or say("picture.storage_name", letter=letter)
            key = "live.cell" if len(cells) == 1 else "live.cells"
            yield say(key, who=who, cells=listed([str(cell) for cell in cells]))
        if version != old[storage.id].version:
            yield say("live.version", letter=letter, version=version)


def _changed_cells(before: StorageInfo, after: StorageInfo) -> list[int]:
    old = dict(zip(before.positions, map(repr, before.values), strict=True))
    new = dict(zip(after.positions, map(repr, after.values), strict=True))
    return [position for position, value in new.items() if old.get(position) != value]
