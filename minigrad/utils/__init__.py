"""What helps around training; so far ``checkpoint``. The names are those of ``torch.utils``."""

from . import checkpoint as checkpoint

__all__ = ["checkpoint"]
