"""One measured figure beside its target, and how a benchmark hands its figures over."""

from __future__ import annotations

import gc
import json
import logging
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import structlog


@dataclass(frozen=True)
class Figure:
    """A ratio or a size of one run. `limit` with `at_most` says what it should be; None: only shown."""

    name: str
    value: float
    unit: str = "×"
    limit: float | None = None
    at_most: bool = True

    @property
    def met(self) -> bool:
        """True when the figure is on the right side of its limit."""
        if self.limit is None:
            return True
        return self.value <= self.limit if self.at_most else self.value >= self.limit

    def row(self) -> str:
        """A line of the table in docs/benchmarks.md."""
        sign = "≤" if self.at_most else "≥"
        target = "–" if self.limit is None else f"{sign} {self.limit:g} {self.unit}"
        return f"| {self.name} | {self.value:,.3g} {self.unit} | {target} | {'yes' if self.met else '**no**'} |"


def seconds(
    work: Callable[[], object], repeat: int = 3, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The fastest of a few runs: the one that the machine disturbed least. `clock` may be the processor's."""
    best = float("inf")
    for _ in range(repeat):
        gc.collect()
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def peak_mib() -> float:
    """The most memory that this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def silence_logs() -> None:
    """Keep the log lines of jobs out of what is handed over, and their cost out of what is measured."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def hand_over(figures: list[Figure]) -> None:
    """Print the figures for run.py, one JSON document."""
    json.dump([asdict(one) for one in figures], sys.stdout)
