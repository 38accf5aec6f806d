"""The operations, a family a file; each is written once, its forward and its vjps side by side.

Each file's ``__all__`` are the names that PyTorch has too, as ``torch.exp``. The functions beside
these are methods only (``x.add_``); the operations behind them (``_exp``) belong to their file.
"""

# ruff: noqa: F403 - each family says in its __all__ what is public
from . import (
    arithmetic,
    choosing,
    comparing,
    copying,
    elementwise,
    indexing,
    joining,
    linalg,
    reductions,
    scans,
    shape,
    sorting,
)
from .arithmetic import *
from .choosing import *
from .comparing import *
from .copying import *
from .elementwise import *
from .indexing import *
from .joining import *
from .linalg import *
from .reductions import *
from .scans import *
from .shape import *
from .shape import wrap_dim as wrap_dim
from .sorting import *

__all__: list[str] = []
__all__ += arithmetic.__all__
__all__ += elementwise.__all__
__all__ += comparing.__all__
__all__ += choosing.__all__
__all__ += copying.__all__
__all__ += reductions.__all__
__all__ += scans.__all__
__all__ += shape.__all__
__all__ += joining.__all__
__all__ += indexing.__all__
__all__ += sorting.__all__
__all__ += linalg.__all__
