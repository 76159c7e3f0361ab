"""What a store needs once a day: a verified copy, forgetting, tidying up, a look at its invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.core.clock import DAY_MS, HOUR_MS
from memgardend.daemon.private_files import make_private_folder, remove_drafts
from memgardend.daemon.service.cadence import Cadence
from memgardend.daemon.service.crew import Task
from memgardend.daemon.store.folder import time_stamp
from memgardend.daemon.store.spool import FOLDER as SPOOL_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.daemon.garden import Workspace
    from memgardend.daemon.service.crew import Ended
    from memgardend.daemon.service.tools import Tools
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)

FOLDER = "backups"
BACKUPS_KEPT = 3
HOUSE_RETRY_MS = HOUR_MS
"""When what failed is tried again."""
HOUSEKEEPING = (
    "housekeeping"  # the task of a worker, and in the state of a garden: epoch ms of the last time
)


class Housekeeper:
    """Has a worker keep the house of one workspace each day: to copy a large store must not hold up the loop."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._daily = Cadence(DAY_MS)
        self._busy = False

    def turn(self, place: Workspace, now: int) -> None:
        """Begin where it is due, and nobody does it yet."""
        if self._busy or not self._daily.due(now):
            return
        self._daily.done(now)
        self._busy = True
        open_own = self._tools.open

        def work() -> None:
            own = open_own(place)
            try:
                keep_house(own, place)
            finally:
                own.store.close()

        self._tools.crew.start(Task(workspace=place.root, name=HOUSEKEEPING, work=work))

    def ended(self, task: Ended) -> None:
        """The worker came back."""
        self._busy = False
        if task.error is not None:
            self._daily.done_badly(self._tools.clock.now_ms(), HOUSE_RETRY_MS)


def keep_house(garden: Garden, place: Workspace) -> None:
    """Do it unless another process did within the day, or tries it within the hour. Raises what the store and the
    disk raise."""
    now = garden.clock.now_ms()
    before = garden.store.state(HOUSEKEEPING)
    if before is not None and abs(now - int(before)) < DAY_MS:
        return
    tried = str(now - DAY_MS + HOUSE_RETRY_MS)  # who fails may have no room left to say so
    if not garden.store.set_state(HOUSEKEEPING, before, tried):
        return
    folder = place.folder / FOLDER
    make_private_folder(folder)
    garden.store.backup(folder / f"memory-{time_stamp(garden.clock)}.db")
    removed = _remove_old(folder)
    for drafts in (place.folder, place.folder / SPOOL_FOLDER):
        remove_drafts(drafts, now - DAY_MS)
    keep = garden.config.retention
    events, answers = garden.store.forget(
        int(now - keep.event_days * DAY_MS), int(now - keep.answer_days * DAY_MS)
    )
    recalls = garden.store.forget_recalls(int(now - keep.answer_days * DAY_MS))
    violations = garden.store.violations()
    for one in violations:
        log.error("invariant_broken", check=one.check, detail=one.detail)
    garden.store.set_state(HOUSEKEEPING, tried, str(now))
    log.info(
        "housekeeping_ended",
        removed=removed,
        events=events,
        answers=answers,
        recalls=recalls,
        broken=len(violations),
    )


def _remove_old(folder: Path) -> int:
    """Keep the newest copies; how many were removed."""
    copies = sorted(folder.glob("memory-*.db"))
    old = copies[:-BACKUPS_KEPT]
    for copy in old:
        copy.unlink()
    return len(old)
