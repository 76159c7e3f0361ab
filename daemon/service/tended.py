"""One workspace under the daemon's care: opened, read, healed, swept; and set aside while it cannot be."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import structlog

from memgardend.config.load import FILENAME, load
from memgardend.core.clock import MINUTE_MS
from memgardend.core.errors import (
    ConfigError,
    MemgardendError,
    StoppedError,
    StoreError,
    StoreLockedError,
    StoreUnavailableError,
)
from memgardend.daemon.cli.hints import placed
from memgardend.daemon.garden import Workspace
from memgardend.daemon.service.cadence import Cadence
from memgardend.daemon.service.dreaming import Dreaming
from memgardend.daemon.service.housekeeping import HOUSEKEEPING, Housekeeper
from memgardend.daemon.service.opened import Open
from memgardend.daemon.service.reading import read_changed
from memgardend.daemon.settings_mark import settings_mark
from memgardend.daemon.textfile import write_textfile
from memgardend.jobs.heal import heal
from memgardend.jobs.look.outlook import Trouble
from memgardend.jobs.shared import DAEMON_KEY

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.daemon.service.crew import Ended
    from memgardend.daemon.service.tools import Tools

log = structlog.get_logger(__name__)

RETRY_MS = MINUTE_MS
LOCKED_RETRY_MS = 5_000
DAMAGED_RETRY_MS = 15 * MINUTE_MS


class Tended:
    """A workspace, whatever state it is in. Methods raise what its store, files and settings raise."""

    def __init__(self, root: Path, tools: Tools, *, named: bool) -> None:
        self.root = root
        self.open: Open | None = None
        self.trouble: Trouble | None = None  # while it is set aside
        self.lasting = False  # until a person does something
        self.kept: ConfigError | None = (
            None  # why older settings than those of the file are in force
        )
        self.dreaming = Dreaming(tools)
        self.errors = 0
        self.last_error: str | None = None
        self.last_error_at: int | None = None
        self._tools = tools
        self._named = named
        self._minute = Cadence(MINUTE_MS)
        self._locked = Cadence(LOCKED_RETRY_MS)  # done: the store was found locked
        self._housekeeper = Housekeeper(tools)
        self._worked = False  # since it last rested
        self._announced = False  # that it is open: once a turn went well

    def connect(self) -> None:
        """Load, connect, check and heal; what was open before stays until all of that went well."""
        self._require_there()
        settings = settings_mark(self.root)
        place = Workspace(self.root, load(self.root / FILENAME), self._named)
        garden = self._tools.open(place)
        garden.store.set_patience(self._tools.patience_ms)
        try:
            found = garden.store.damage()
            if found:
                raise StoreError(
                    f"{place.store_file} is damaged: {found[0].detail}",
                    hint="memgardend restore BACKUP",
                )
            self.dreaming.renew(garden)
            heal(garden)
        except BaseException:
            garden.store.close()
            raise
        self.close()
        self.open = Open(place, garden, settings)
        self.trouble = self.kept = None
        self._minute.last = None
        self._worked, self._announced = True, False
        self.dreaming.begin(place)

    def close(self) -> None:
        """Let go of the store; workers have their own connections."""
        if self.open is not None:
            self.open.garden.store.close()
        self.open = None

    def reload(self) -> None:
        """Read the settings anew. Broken ones change nothing, and `kept` says why."""
        try:
            self.connect()
        except ConfigError as error:
            if self.open is None:
                raise
            if str(self.kept) != str(error):
                log.error("settings_kept", error=str(error))
            self.kept = error

    def fail(self, error: Exception) -> None:
        """Set the workspace aside for a while; one that is merely locked stays open, and waits for its turn."""
        if isinstance(error, StoreLockedError) and self.open is not None:
            log.warning("store_locked", error=str(error))
            self._locked.done(self._tools.clock.now_ms())
            self.look_again()
            return
        text = self._count(error)
        wait_ms = DAMAGED_RETRY_MS if isinstance(error, StoreError) else RETRY_MS
        log.error("workspace_failed", error=text)
        self.lasting = isinstance(error, ConfigError | StoreError)
        retry_at = self._tools.clock.now_ms() + wait_ms
        self.trouble = Trouble(text, retry_at, self._hint(error))
        self.close()

    def look_again(self) -> None:
        """Somebody rang, or the settings changed: nothing waits for its turn."""
        self._minute.last = None
        if self.open is None:
            self.trouble = None
        else:
            self.dreaming.look_again()

    def turn(self) -> None:
        """Do what is due."""
        now = self._tools.clock.now_ms()
        if self.open is None and self.trouble is not None and now < self.trouble.retry_at:
            return
        if not self._locked.due(now):
            return
        if self.open is None:
            self.connect()
        elif self._minute.due(now):
            self._require_there()
            if self.kept is not None:
                self.reload()
        if self.open is not None:
            self._work(self.open, now)
            if not self._announced:
                self._announced = True
                log.info("workspace_opened")
        if self._worked:
            self._worked = False
            if self.open is not None:
                self.open.garden.store.shrink()
            self._tools.rest()

    def wake_at(self) -> int:
        """The next instant at which there is something to do."""
        now = self._tools.clock.now_ms()
        if self.open is None:
            return self.trouble.retry_at if self.trouble else now
        minute, dreams = self._minute.next_at(now), self.dreaming.wake_at(now)
        wanted = minute if dreams is None else min(minute, dreams)
        return max(wanted, self._locked.next_at(now))

    def take_back(self, ended: Ended) -> None:
        """A task ended: a dream, or the daily housekeeping."""
        self._worked = True
        if ended.error is not None and not isinstance(ended.error, StoppedError):
            text = self._count(ended.error)
            expected = isinstance(ended.error, MemgardendError | OSError)
            log.error(
                "task_failed",
                task=ended.task.name,
                error=text,
                exc_info=None if expected else ended.error,
            )
        if ended.task.name == HOUSEKEEPING:
            self._housekeeper.ended(ended)
        else:
            self.dreaming.ended(self.open.garden if self.open else None, ended)
        if isinstance(ended.error, ConfigError):  # the settings in force are not agreed to any more
            self.reload()

    def leap(self) -> None:
        """The machine slept or its clock was set: our own dreams live, and everything is judged anew."""
        self.look_again()
        if self.open is not None:
            self.dreaming.renew(self.open.garden)

    def abandon(self) -> None:
        """Put back what workers did not finish, and let go of the store."""
        self.dreaming.abandon(self.open.garden if self.open else None)
        self.close()

    def _work(self, opened: Open, now: int) -> None:
        if self._minute.due(now):
            self._minute.done(now)
            self._beat(opened, now)
            opened.hooks.keep()
            self.dreaming.renew(opened.garden)
            heal(opened.garden)
            opened.garden.store.fold_marks()
            report = read_changed(opened, self._tools, now)
            if report is not None:
                self._worked = True
                if report.events or report.new_windows:
                    self.dreaming.plan(opened.garden)
            self._housekeeper.turn(opened.place, now)
            write_textfile(opened.place, opened.garden, self._tools.version)
        self.dreaming.turn(opened.place, opened.garden)

    def _count(self, error: Exception) -> str:
        """Remember it for `status`; what it says."""
        self.errors += 1
        self.last_error = str(error) or repr(error)
        self.last_error_at = self._tools.clock.now_ms()
        return self.last_error

    def _hint(self, error: Exception) -> str | None:
        """What can be typed about it, in any folder."""
        return placed(getattr(error, "hint", None), f" -w {shlex.quote(str(self.root))}")

    def _require_there(self) -> None:
        """A disk may be taken away, and come back."""
        if not (self.root / FILENAME).is_file():
            raise StoreUnavailableError(
                f"{self.root / FILENAME} is not there", hint=f"ls -ld {shlex.quote(str(self.root))}"
            )

    def _beat(self, opened: Open, now: int) -> None:
        """The heartbeat in this store. It also finds out whether the file was replaced, or cannot grow."""
        row = self._tools.heartbeat(now) | {
            "errors": self.errors,
            "last_error": self.last_error,
            "last_error_at": self.last_error_at,
            "kept": None if self.kept is None else str(self.kept),
            "kept_hint": None if self.kept is None else self._hint(self.kept),
            "settings": opened.settings,
        }
        store = opened.garden.store
        store.set_state(DAEMON_KEY, store.state(DAEMON_KEY), json.dumps(row))
