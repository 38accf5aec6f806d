"""Compute a stretch again in backward instead of keeping it: ``torch.utils.checkpoint``'s names."""

from ..engine.checkpoint import checkpoint, checkpoint_sequential

__all__ = ["checkpoint", "checkpoint_sequential"]
