"""The device a tensor lives on: always the CPU, said in PyTorch's words so that programs run."""

from __future__ import annotations

from typing import Any


class device:  # noqa: N801 - PyTorch's name
    """A device by name, such as ``device("cpu")``; tensors can be made on that one alone."""

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: str | device = "cpu", index: int | None = None) -> None:
        name, _, number = str(type).partition(":")
        if name not in ("cpu", "cuda", "mps", "xpu", "meta"):
            raise RuntimeError(f"Expected one of cpu, cuda, mps, xpu, meta device type: {name}")
        self.type = name
        self.index = int(number) if number else index

    def __repr__(self) -> str:
        index = f", index={self.index}" if self.index is not None else ""
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))


CPU = device("cpu")


def check_device(given: Any) -> None:
    """Raise unless the device is the CPU (or nothing was said)."""
    if given is None:
        return
    if not isinstance(given, (str, device)):
        raise TypeError(f"a device is needed, such as 'cpu'; got {type(given).__name__}")
    named = device(given)
    if named.type == "cuda":
        raise AssertionError(
            "Torch not compiled with CUDA enabled: minigrad computes on the CPU only"
        )
    if named.type != "cpu":
        raise RuntimeError(f"there is no device {named} here: minigrad computes on the CPU only")


class cuda:  # noqa: N801 - PyTorch's name
    """What programs ask before they choose a device: ``"cuda" if cuda.is_available() else "cpu"``."""

    @staticmethod
    def is_available() -> bool:
        """Tell whether tensors can be on a graphics card: never."""
        return False

    @staticmethod
    def device_count() -> int:
        """Return the number of graphics cards that tensors can be on: none."""
        return 0


__all__ = ["cuda", "device"]
