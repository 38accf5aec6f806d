"""The engine: tensors, their memory, the graph, and backward. It needs numpy and nothing else.

To read it as a story: ``dtypes`` and ``memory`` (what values are and where they lie), ``tensor``,
``graph`` and ``op`` (how a computation is recorded), ``ops/`` (the operations themselves),
``backward`` and ``autograd`` (how gradients come back), ``views`` and ``inplace`` (what happens
when memory is written), ``modes``, ``hooks``, ``errors`` and ``printing``.
"""

import warnings

# Division by zero and the like give inf and nan without a word, as in PyTorch.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.engine")

from .tensor import Size, Tensor  # noqa: E402, I001 - ops is built on Tensor
from . import ops  # noqa: E402

__all__ = ["Size", "Tensor", "ops"]
