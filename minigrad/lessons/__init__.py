"""What a lesson needs beside the engine and the pictures: its language, predictions and checks."""

from minigrad.lessons.checks import check
from minigrad.lessons.prediction import predict
from minigrad.lessons.speech import language

__all__ = ["check", "language", "predict"]
