"""Dream all that is due, oldest first, as long as a slot is free."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from memgardend.core.clock import MINUTE_MS
from memgardend.core.gate_rules import CLOCK_ERROR_MS
from memgardend.core.gates import judge
from memgardend.core.words import Ending, GateName
from memgardend.jobs.dream import run_dream
from memgardend.jobs.planning import require_prompts
from memgardend.jobs.shared import gate_settings, shared_state
from memgardend.jobs.start import claim, judge_window

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Dream
    from memgardend.jobs.context import DreamReport, Garden

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class SweepReport:
    """What one sweep did, dream by dream."""

    dreams: list[DreamReport] = field(default_factory=list)
    slots_full: bool = False


def sweep(garden: Garden) -> SweepReport:
    """Go on with open dreams whose instant has come, then claim due windows; until nothing is left.

    Raises ConfigError where prompts are missing.
    """
    search = Search(garden)
    while (dream_id := search.next()) is not None:
        search.ended(run_dream(garden, dream_id))
    return search.close()


class Search:
    """What a sweep has still to do. Whoever has a free hand takes the next dream, and tells how it ended.

    A window that a dream had to cut is due again at once. One whose dream did not end well gets no second
    try in the same sweep, so that it cannot starve the others.
    """

    def __init__(self, garden: Garden, busy: Iterable[str] = ()) -> None:
        """`busy` are windows that somebody here dreams already. Raises ConfigError where prompts are missing."""
        require_prompts(garden)
        self._garden = garden
        self._report = SweepReport()
        self._tried = set(busy)
        self._queue: deque[str] = deque()

    def next(self) -> str | None:
        """The dream to run next; None when nothing is due, or nobody can start a dream now."""
        if self._report.slots_full:
            return None
        return self._open_dream() or self._claimed()

    def ended(self, dream: DreamReport) -> None:
        """Take the report of a dream that `next` gave."""
        if dream.ending in (Ending.APPLIED, Ending.EMPTY):
            self._tried.discard(dream.window)
        self._report.dreams.append(dream)
        self._report.slots_full |= dream.slots_full

    def close(self) -> SweepReport:
        """What the sweep did."""
        report = self._report
        tell = log.info if report.dreams else log.debug  # the daemon sweeps a hundred times a day
        tell("sweep_ended", dreams=len(report.dreams), slots_full=report.slots_full)
        return report

    def _open_dream(self) -> str | None:
        """The oldest pending or failed dream whose instant has come, and that can start or be cancelled."""
        for dream in self._garden.store.startable(self._garden.clock.now_ms()):
            if dream.window not in self._tried and self._wants_worker(dream):
                self._tried.add(dream.window)
                return dream.id
        return None

    def _wants_worker(self, dream: Dream) -> bool:
        """False while another gate holds it: a worker that took it would keep the next in the queue waiting."""
        facts = self._garden.store.window_facts(dream.window)[0]
        verdict = judge_window(self._garden, facts, manual=dream.manual, starting=dream.id)
        return verdict.may or any(hold.name is GateName.NOTHING_NEW for hold in verdict.holds)

    def _claimed(self) -> str | None:
        """Claim the due window that has waited longest. The queue is read anew when it is used up."""
        garden = self._garden
        while True:
            if not self._queue:
                self._queue.extend(one for one in quiet_windows(garden) if one not in self._tried)
            if not self._queue:
                return None
            window = self._queue.popleft()
            if window in self._tried:
                continue
            self._tried.add(window)
            facts = garden.store.window_facts(window)[0]
            verdict = judge_window(garden, facts)
            dream_id = (
                claim(garden, facts, verdict) if verdict.may and not facts.open_dream else None
            )
            if dream_id is not None:
                return dream_id


def quiet_windows(garden: Garden) -> Sequence[str]:
    """Windows with news that the gate `active` would let pass; all with news where waiting has a limit."""
    if garden.config.dream.max_wait_hours is not None:
        return garden.store.windows_with_news()
    now = garden.clock.now_ms()
    idle_ms = garden.config.dream.idle_minutes * MINUTE_MS
    return garden.store.windows_with_news(now - idle_ms, now + CLOCK_ERROR_MS)


def next_instant(garden: Garden) -> int | None:
    """The earliest instant from now on at which a window may dream, as far as time alone opens its gates.

    It is the `next_at` that `why` and `status` show; a sweep at that instant starts the dream.
    """
    now = garden.clock.now_ms()
    gates, shared = gate_settings(garden.config), shared_state(garden.store, garden.config, now)
    verdicts = (
        judge(facts, now, gates, shared, garden.suppression)
        for facts in garden.store.window_facts(with_news=True)
    )
    return min((one.next_at for one in verdicts if one.next_at is not None), default=None)
