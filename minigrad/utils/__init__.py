"""``torch.utils``: what helps with training and belongs nowhere else."""

from . import checkpoint

__all__ = ["checkpoint"]
