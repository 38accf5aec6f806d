"""What moves: pictures that follow a program while its inputs are played with."""

from minigrad.callable_module import make_callable
from minigrad.live.play import Live, live
from minigrad.live.widget import LivePicture

__all__ = ["Live", "LivePicture", "live"]

make_callable(__name__, live)  # minigrad.live(...) is live(...)
