"""What moves: pictures that follow a program while its inputs are played with."""

from minigrad.live.play import Live, live
from minigrad.live.widget import LivePicture

__all__ = ["Live", "LivePicture", "live"]
