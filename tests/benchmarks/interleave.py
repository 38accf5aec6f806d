"""Time several programs side by side: each runs once a round, in turn, so that whatever else the
machine does meets them all alike. What counts is the ratio within a round, not the seconds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """The seconds of one program, round by round."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one of its times, in seconds."""
        return statistics.median(self.seconds)

    def ratio_to(self, other: Timing) -> float:
        """The median, over the rounds, of this program's time by the other's in the same round."""
        return statistics.median(
            mine / theirs for mine, theirs in zip(self.seconds, other.seconds, strict=True)
        )


def side_by_side(
    programs: Mapping[str, Callable[[], object]], *, rounds: int, warm_up: int = 5
) -> dict[str, Timing]:
    """Run every program ``rounds`` times, all of them in every round, each round from another one."""
    names = list(programs)
    for _ in range(warm_up):
        for name in names:
            programs[name]()
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            program = programs[name]
            start = time.perf_counter()
            program()
            seconds[name].append(time.perf_counter() - start)
    return {name: Timing(tuple(times)) for name, times in seconds.items()}


def table(title: str, timings: Mapping[str, Timing], *, reference: str, per: int, unit: str) -> str:
    """Return the times by ``unit`` (of which a run holds ``per``) and the ratios to ``reference``."""
    lines = [title]
    base = timings[reference]
    for name, timing in timings.items():
        each = timing.median / per * 1e6
        lines.append(
            f"  {name:16} {each:10.2f} µs {unit:10} {timing.ratio_to(base):6.2f} of {reference}"
        )
    return "\n".join(lines)
