"""Asking for gradients, and writing operations of your own: ``torch.autograd``'s names."""

from .engine import function as function
from .engine.anomaly import detect_anomaly, set_detect_anomaly
from .engine.autograd import backward, grad
from .engine.function import Function
from .engine.gradcheck import GradcheckError, gradcheck, gradgradcheck
from .engine.modes import enable_grad, inference_mode, no_grad, set_grad_enabled
from .engine.variable import Variable

__all__ = [
    "Function",
    "GradcheckError",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
