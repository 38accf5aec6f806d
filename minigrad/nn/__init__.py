"""Networks, from tensors: parameters, modules, layers and losses, under ``torch.nn``'s names.

Nothing here knows more of the engine than its public tensors; anyone could write it.
"""

from . import (
    activations,
    convolution,
    functional,
    init,
    layers,
    losses,
    normalization,
    recurrent,
    utils,
)
from .activations import *  # noqa: F403
from .containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from .convolution import *  # noqa: F403
from .layers import *  # noqa: F403
from .losses import *  # noqa: F403
from .module import Module
from .normalization import *  # noqa: F403
from .parameter import Buffer, Parameter
from .recurrent import *  # noqa: F403

__all__: list[str] = [
    "Buffer",
    "Module",
    "ModuleDict",
    "ModuleList",
    "Parameter",
    "ParameterDict",
    "ParameterList",
    "Sequential",
    "functional",
    "init",
    "utils",
]
__all__ += activations.__all__
__all__ += convolution.__all__
__all__ += layers.__all__
__all__ += losses.__all__
__all__ += normalization.__all__
__all__ += recurrent.__all__
