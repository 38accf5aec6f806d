"""What changed from one snapshot to the next, in a sentence that can be read aloud."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minigrad.picture.text import names_of
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
    told = facts if len(facts) <= _MOST + 1 else facts[:_MOST]
    more = [f"{len(facts) - len(told)} more changes"] if len(told) < len(facts) else []
    return "; ".join(told + more) + "."


def _cuts(before: Snapshot, after: Snapshot) -> Iterable[str]:
    old, new = _cut_paths(before), _cut_paths(after)
    for path in new:
        if path not in old:
            yield f"cut between {path[0]} and {path[1]}"
    for path in old:
        if path not in new:
            yield f"no longer cut between {path[0]} and {path[1]}"


def _cut_paths(snapshot: Snapshot) -> list[tuple[str, str]]:
    names = names_of(snapshot)
    cuts: list[Edge] = [edge for edge in snapshot.edges if edge.kind == "cut"]
    return [(names[edge.tail], names[edge.head]) for edge in cuts]


def _coming_and_going(before: Snapshot, after: Snapshot) -> Iterable[str]:
    old, new = names_of(before), names_of(after)
    come = [name for identity, name in new.items() if identity not in old]
    gone = [name for identity, name in old.items() if identity not in new]
    if come:
        yield f"new: {_and(come)}"
    if gone:
        yield f"gone: {_and(gone)}"


def _sharing(before: Snapshot, after: Snapshot) -> Iterable[str]:
    old, new = _shared(before), _shared(after)
    for readers, letter in new.items():
        if readers not in old:
            yield f"{_and(readers)} share storage {letter}"
    for readers in old:
        if readers not in new:
            yield f"{_and(readers)} no longer share memory"


def _shared(snapshot: Snapshot) -> dict[tuple[str, ...], str]:
    readers = {storage.letter: _readers(snapshot, storage) for storage in snapshot.storages}
    return {names: letter for letter, names in readers.items() if len(names) > 1}


def _readers(snapshot: Snapshot, storage: StorageInfo) -> tuple[str, ...]:
    names = names_of(snapshot)
    return tuple(names[each.id] for each in snapshot.tensors if each.storage == storage.id)


def _gradients(before: Snapshot, after: Snapshot) -> Iterable[str]:
    names = names_of(after)
    old = {tensor.id: tensor.grad for tensor in before.tensors}
    changed = [
        names[tensor.id]
        for tensor in after.tensors
        if tensor.id in old and tensor.grad != old[tensor.id]
    ]
    if changed:
        yield f"grad of {_and(changed)} changed"


def _memory(before: Snapshot, after: Snapshot) -> Iterable[str]:
    old = {storage.id: storage for storage in before.storages}
    for storage in after.storages:
        if storage.id not in old:
            continue
        if cells := _changed_cells(old[storage.id], storage):
            word = "cell" if len(cells) == 1 else "cells"
            who = _and(_readers(after, storage)) or f"storage {storage.letter}"
            yield f"{who}: {word} {_and([str(cell) for cell in cells])} changed"
        if storage.version != old[storage.id].version:
            yield f"storage {storage.letter} is now at version {storage.version}"


def _changed_cells(before: StorageInfo, after: StorageInfo) -> list[int]:
    old = dict(zip(before.positions, map(repr, before.values), strict=True))
    new = dict(zip(after.positions, map(repr, after.values), strict=True))
    return [position for position, value in new.items() if old.get(position) != value]


def _and(names: Sequence[str]) -> str:
    if len(names) > 4:
        names = [*names[:3], f"{len(names) - 3} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
