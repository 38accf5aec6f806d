"""What training does to gradients and parameters as a whole: ``torch.nn.utils``'s names."""

from .clip_grad import clip_grad_norm_, clip_grad_value_
from .vectors import parameters_to_vector, vector_to_parameters

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "parameters_to_vector",
    "vector_to_parameters",
]
