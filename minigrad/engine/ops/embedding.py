"""Looking rows up in a table, as embeddings do."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import Op
from ..tensor import Tensor


def _rows_added(g: Any, index: Any, rows: int, padding_idx: int) -> Any:
    """Return a table of zeros with the gradient of every look-up added to its row."""
    table = np.zeros((rows, g.shape[-1]), g.dtype)
    np.add.at(table, index.reshape(-1), g.reshape(-1, g.shape[-1]))
    if padding_idx >= 0:
        table[padding_idx] = 0
    return table


def _looked_up(weight: Any, index: Any, padding_idx: int) -> Any:
    return weight[index]


_embedding: Op = Op(
    "EmbeddingBackward0",
    _looked_up,
    weight=lambda g, index, weight_shape, padding_idx: _rows(
        g, index, weight_shape[0], padding_idx
    ),
    index=None,
)
_rows: Op = Op(
    "EmbeddingDenseBackwardBackward0",
    _rows_added,
    g=lambda g2, index, padding_idx: _without_padding(g2, index, padding_idx),
    index=None,
)


def _without_padding(g: Any, index: Any, padding_idx: int) -> Any:
    found = _embedding(g, index, padding_idx)
    if padding_idx < 0:
        return found
    places = index.array if isinstance(index, Tensor) else index
    return found * (places != padding_idx)[..., None].astype(found.dtype.numpy)


def embedding(weight: Tensor, indices: Tensor, padding_idx: int = -1) -> Tensor:
    """Return the rows of ``weight`` (rows, size) that ``indices`` names: (*indices.shape, size).

    No gradient goes to the row ``padding_idx``, if that is not negative.
    """
    index = indices.array
    if index.dtype.kind not in "iu":
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {indices.dtype.legacy_name} instead"
        )
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if index.size and not (index.min() >= 0 and index.max() < weight.shape[0]):
        raise IndexError(
            f"index out of range in self: the table has {weight.shape[0]} rows, and the indices go "
            f"from {index.min()} to {index.max()}"
        )
    return _embedding(weight, indices, padding_idx)


__all__ = ["embedding"]
