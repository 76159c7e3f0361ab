"""One whole pass, as cron or a person runs it: ingest, heal, sweep, and what is left says why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memgardend.core.gates import judge
from memgardend.core.words import Ending, GateName
from memgardend.jobs.heal import heal
from memgardend.jobs.reflect import reflect
from memgardend.jobs.shared import gate_settings, shared_state
from memgardend.jobs.sweep import SweepReport, sweep

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.jobs.context import Garden
    from memgardend.jobs.ingest_report import IngestReport


@dataclass(frozen=True, slots=True, kw_only=True)
class OnceReport:
    """What one pass did, and which gates hold the windows that still have news."""

    ingest: IngestReport
    healed: int
    sweep: SweepReport
    reflections: int = 0  # turns that were looked back on
    held: dict[GateName, int] = field(default_factory=dict)
    next_at: int | None = None  # the earliest instant at which a held window may dream

    @property
    def exit_code(self) -> int:
        """0 all due was dreamed or is held · 69 the model could not be used · 1 a dream failed otherwise."""
        endings = {one.ending for one in self.sweep.dreams}
        if Ending.MODEL_UNAVAILABLE in endings:
            return 69
        return 1 if endings & {Ending.FAILED, Ending.QUARANTINED} else 0


def run_once(garden: Garden, ingest: Callable[[], IngestReport]) -> OnceReport:
    """Ingest, heal, sweep, and look back on what later dreams will read. Waits for nothing."""
    ingested = ingest()
    garden.store.fold_marks()
    healed = heal(garden)
    swept = sweep(garden)
    reflections = reflect(garden)
    held, next_at = _held(garden)
    return OnceReport(
        ingest=ingested,
        healed=len(healed),
        sweep=swept,
        reflections=reflections,
        held=held,
        next_at=next_at,
    )


def _held(garden: Garden) -> tuple[dict[GateName, int], int | None]:
    """Count the windows with news by the first gate that holds them."""
    held: Counter[GateName] = Counter()
    instants = []
    now, settings = garden.clock.now_ms(), gate_settings(garden.config)
    shared = shared_state(garden.store, garden.config, now)
    for facts in garden.store.window_facts(with_news=True):
        verdict = judge(facts, now, settings, shared, garden.suppression)
        if verdict.holds:
            held[verdict.holds[0].name] += 1
            if verdict.next_at is not None:
                instants.append(verdict.next_at)
    return dict(held), min(instants, default=None)
