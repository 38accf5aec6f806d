"""Asking for gradients, and writing operations of your own: ``torch.autograd``'s names."""

from .engine.autograd import backward, grad

__all__ = ["backward", "grad"]
