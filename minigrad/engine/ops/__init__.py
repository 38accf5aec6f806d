"""The operations, a family a file; each is written once, its forward and its vjps side by side.

Each file's ``__all__`` are the names that PyTorch has too, as ``torch.exp``. The functions beside
these are methods only (``x.add_``). The operations behind them (``_exp``) are known within this
package alone, where the vjps are made of them.
"""

# ruff: noqa: F403 - each family says in its __all__ what is public
from . import (
    activations,
    arithmetic,
    choosing,
    comparing,
    convolution,
    copying,
    elementwise,
    extremes,
    gathering,
    indexing,
    joining,
    linalg,
    masking,
    parts,
    rearranging,
    reductions,
    scans,
    shape,
    softmaxes,
    sorting,
)
from . import embedding as embedding
from . import losses as losses
from . import random as random
from .activations import *
from .arithmetic import *
from .choosing import *
from .comparing import *
from .contraction import einsum as einsum
from .convolution import *
from .copying import *
from .elementwise import *
from .extremes import *
from .gathering import *
from .indexing import *
from .joining import *
from .linalg import *
from .masking import *
from .parts import *
from .random import *
from .rearranging import *
from .reductions import *
from .scans import *
from .shape import *
from .shape import wrap_dim as wrap_dim
from .softmaxes import *
from .sorting import *

__all__: list[str] = []
__all__ += arithmetic.__all__
__all__ += elementwise.__all__
__all__ += comparing.__all__
__all__ += choosing.__all__
__all__ += copying.__all__
__all__ += reductions.__all__
__all__ += softmaxes.__all__
__all__ += extremes.__all__
__all__ += scans.__all__
__all__ += shape.__all__
__all__ += rearranging.__all__
__all__ += parts.__all__
__all__ += joining.__all__
__all__ += indexing.__all__
__all__ += masking.__all__
__all__ += gathering.__all__
__all__ += sorting.__all__
__all__ += linalg.__all__
__all__ += activations.__all__
__all__ += convolution.__all__
__all__ += ["einsum"]
__all__ += random.__all__
