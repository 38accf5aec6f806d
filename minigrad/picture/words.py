"""The words that pictures show, still or moving: English, until ``use`` brings another language.

Every word that a picture says stands here once, and its drawing asks for it by its key. Names of
code, such as ``requires_grad`` or ``MulBackward0``, are no words: they are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

ENGLISH: Mapping[str, str] = MappingProxyType(
    {
        # Between facts, and between names.
        "picture.also": ", ",
        "picture.comma": ", ",
        "picture.and": " and ",
        "picture.more": "{count} more",
        # On cards, operations and storages.
        "picture.leaf": "leaf, requires_grad",
        "picture.no_grad": "no grad",
        "picture.freed": "freed",
        "picture.empty": "empty",
        "picture.memory": "memory",
        "picture.byte": "{count} byte",
        "picture.bytes": "{count} bytes",
        "picture.shared": "shared by {names}",
        "picture.a_result": "a result",
        "picture.saved": "saved v{version}",
        "picture.stale": "saved v{version}, now v{now}",
        "picture.stops": "{word}: here the gradient stops",
        # What the whole picture is of.
        "picture.summary": "Computation graph and memory: {parts}",
        "picture.tensor": "{count} tensor",
        "picture.tensors": "{count} tensors",
        "picture.operation": "{count} operation",
        "picture.operations": "{count} operations",
        "picture.cut": "{count} cut",
        "picture.cuts": "{count} cuts",
        "picture.storage": "{count} storage",
        "picture.storages": "{count} storages",
        "picture.nothing": "nothing",
        # The picture in words.
        "picture.title_tensors": "tensors",
        "picture.title_graph": "graph",
        "picture.title_memory": "memory",
        "picture.title_saved": "saved for backward",
        "picture.nothing_to_draw": "nothing to draw",
        "picture.result_of": "result of {maker}",
        "picture.unnamed": "unnamed tensor",
        "picture.in_storage": "in storage {letter}",
        "picture.cell": " (cell {cells})",
        "picture.cells": " (cells {cells})",
        "picture.storage_line": "storage {letter} {state}  {dtype}, {size}, {readers}",
        "picture.read": "read by {names}",
        "picture.no_reader": "read by no tensor shown",
        "picture.saved_line": "{op} saved {what} (as {name}) at v{version}",
        "picture.stale_line": "{saved}, which is at v{now} now: backward will refuse",
        "picture.storage_name": "storage {letter}",
        # Why there is no picture.
        "picture.no_picture": "no picture: {error}",
        "picture.help": "to get a picture, install a layout program: pip install graphviz-pure",
        "picture.no_program": "no layout program found; {help}",
        "picture.not_a_program": "MINIGRAD_DOT names no program that can be run: {path}; {help}",
        "picture.too_slow": "{path} took more than {seconds} seconds; {help}",
        "picture.failed": "{path} failed: {reason}; {help}",
        "picture.no_layout": "{path} gave no layout: {reason}; {help}",
        # What moves: what the last change did, and what is shown where nothing moves.
        "live.cut": "cut between {a} and {b}",
        "live.not_cut": "no longer cut between {a} and {b}",
        "live.new": "new: {names}",
        "live.gone": "gone: {names}",
        "live.share": "{names} share storage {letter}",
        "live.share_no_more": "{names} no longer share memory",
        "live.grad": "grad of {names} changed",
        "live.cell": "{who}: cell {cells} changed",
        "live.cells": "{who}: cells {cells} changed",
        "live.version": "storage {letter} is now at version {version}",
        "live.more": "{count} more changes",
        "live.then": "; ",
        "live.end": ".",
        "live.picture": "live picture",
        "live.picture_of": "live picture: {values}",
        "live.last_good": "the picture is that of the last run that worked",
        "live.place": "in {function}(), line {line}: {source}",
    }
)
"""Every word in English, by its key."""

_table = ENGLISH
_tag = "en"


def use(table: Mapping[str, str], tag: str) -> None:
    """Show the words of ``table`` from now on; ``tag`` names its language as HTML does."""
    global _table, _tag
    missing = [key for key in ENGLISH if key not in table]
    if missing:
        raise ValueError(f"use(): table must have a text for every key, but has none for {missing}")
    _table, _tag = table, tag


def tag() -> str:
    """Return the tag of the language that is shown, such as ``en`` or ``zh-CN``."""
    return _tag


def say(key: str, /, **values: object) -> str:
    """Return the words for ``key``, with ``values`` put in."""
    return _table[key].format(**values)


def counted(key: str, count: int) -> str:
    """Return ``1 byte`` or ``12 bytes``: the words for ``key`` where there is one, else its plural."""
    return say(key if count == 1 else f"{key}s", count=f"{count:,}")


def listed(names: Sequence[str]) -> str:
    """Return names as one speaks them: ``x, y and z``; of more than four, the first three."""
    if len(names) > 4:
        names = [*names[:3], say("picture.more", count=len(names) - 3)]
    front = say("picture.comma").join(names[:-1])
    return say("picture.and").join(filter(None, [front, *names[-1:]]))
