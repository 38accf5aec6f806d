"""What is drawn: a snapshot becomes DOT, SVG and text."""

from minigrad.picture.layout import LayoutUnavailable
from minigrad.picture.names import aliases_of, call_and_see, variables_of
from minigrad.picture.picture import Picture, draw

__all__ = [
    "LayoutUnavailable",
    "Picture",
    "aliases_of",
    "call_and_see",
    "draw",
    "variables_of",
]
