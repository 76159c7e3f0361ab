"""APScheduler as an alarm clock: it only wakes the loop, which would wake by itself a little later."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog
from apscheduler.events import EVENT_JOB_ERROR
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.schedulers.background import BackgroundScheduler

from memgardend.core.clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from apscheduler.events import JobExecutionEvent

log = structlog.get_logger(__name__)

TICK_SECONDS = 60


class Alarm:
    """Wakes each minute, and at one instant that may be set anew."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self.errors = 0
        # It has nothing to say but that a wake-up fell together with another; errors go to the listener.
        logging.getLogger("apscheduler").setLevel(logging.CRITICAL)
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            jobstores={"default": MemoryJobStore()},
            job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1},
        )
        self._scheduler.add_listener(self._count, EVENT_JOB_ERROR)
        self._scheduler.add_job(wake, "interval", seconds=TICK_SECONDS, id="tick")
        self._scheduler.start()

    def set_for(self, real_seconds: float) -> None:
        """Wake in so many seconds of the machine's time."""
        at_ms = SystemClock().now_ms() + int(real_seconds * 1000)
        self._scheduler.add_job(
            self._wake,
            "date",
            run_date=datetime.fromtimestamp(at_ms / 1000, UTC),
            id="instant",
            replace_existing=True,
        )

    def close(self) -> None:
        """Stop without waiting for anybody."""
        self._scheduler.shutdown(wait=False)

    def _count(self, event: JobExecutionEvent) -> None:
        self.errors += 1
        log.error("alarm_failed", error=repr(event.exception))
