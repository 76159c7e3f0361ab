"""The work loop: it wakes, looks at every workspace, and waits for what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import structlog

from memgardend.config.zones import forget_zones
from memgardend.core.clock import MINUTE_MS
from memgardend.core.errors import (
    ConfigError,
    MemgardendError,
    StoppedError,
    StoreUnavailableError,
)
from memgardend.daemon.service.cadence import Cadence, Leaps
from memgardend.daemon.service.tended import Tended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from memgardend.daemon.service.tools import Tools
    from memgardend.jobs.look.outlook import Trouble

log = structlog.get_logger(__name__)

LONGEST_WAIT_SECONDS = 30.0
"""The loop looks at least so often, by its own monotonic timer, whatever becomes of the scheduler."""
SHORTEST_WAIT_SECONDS = 0.001
STOP_LOOK_SECONDS = 0.2


class Wait(Protocol):
    """Waits so many seconds of monotonic time, or less; the workspaces somebody rang for."""

    def __call__(self, seconds: float) -> set[Path]: ...


class Service:
    """All workspaces of a user under one loop. One that fails never touches the others."""

    def __init__(self, tools: Tools, roots: Callable[[], Iterable[Path]], *, named: bool) -> None:
        """`roots` are read each minute: workspaces come and go. `named`: typed with -w."""
        self.tended: dict[Path, Tended] = {}
        self._tools = tools
        self._roots = roots
        self._named = named
        self._minute = Cadence(MINUTE_MS)
        self._leaps = Leaps(tools.clock)
        self._status = ""
        self._noted: dict[Path, Trouble] | None = None

    def open(self) -> None:
        """Open every workspace. Raises what keeps the last one from being served: ConfigError where a person
        must change something in all of them, else StoreUnavailableError."""
        self._refresh()
        for one in list(self.tended.values()):
            self._tools.alive()
            self._guard(one, one.turn)
        aside = [(one.trouble, one.lasting) for one in self.tended.values() if one.trouble]
        if len(aside) < len(self.tended):
            return
        if not aside:
            raise ConfigError("no workspace is registered", hint="memgardend init")
        for trouble, lasting in aside:
            if not lasting:
                raise StoreUnavailableError(trouble.text, hint=trouble.hint)
        first = aside[0][0]
        raise ConfigError(first.text, hint=first.hint)

    def run(self, wait: Wait, told: Callable[[], None] = lambda: None) -> None:
        """Work until told to stop; `told` is called after each turn, with everything up to date."""
        self._tools.tell(READY=1)
        while not self._tools.orders.stopping:
            try:
                self.turn()
            except StoppedError:
                break
            self._tell()
            told()
            for root in wait(self.wait_seconds()):
                self._ring(root)
        self._finish(wait)

    def turn(self) -> None:
        """One look at everything."""
        self._notice_leaps()
        if self._tools.orders.reload:
            self._tools.orders.reload = False
            self.reload()
        for ended in self._tools.crew.ended():
            self._take_back(ended.task.workspace, ended)
        now = self._tools.clock.now_ms()
        if self._minute.due(now):
            self._minute.done(now)
            self._refresh()
        for one in list(self.tended.values()):
            self._tools.alive()
            self._guard(one, one.turn)

    def wait_seconds(self) -> float:
        """How long there is nothing to do, in seconds of monotonic time."""
        now = self._tools.clock.now_ms()
        instants = [one.wake_at() for one in self.tended.values()]
        at = min([self._minute.next_at(now), *instants])
        seconds = self._tools.clock.real_seconds(at - now)
        return max(SHORTEST_WAIT_SECONDS, min(LONGEST_WAIT_SECONDS, seconds))

    def reload(self) -> None:
        """Read all settings and zones anew; what is broken keeps its old settings."""
        self._tools.tell(RELOADING=1, MONOTONIC_USEC=int(self._tools.clock.monotonic() * 1_000_000))
        forget_zones()
        self._refresh()
        for one in list(self.tended.values()):
            one.look_again()
            self._guard(one, one.reload)
        self._tools.tell(READY=1)
        log.info("settings_reloaded", workspaces=len(self.tended))

    @property
    def hangs(self) -> bool:
        """True when a worker hangs: only a new start helps."""
        return any(one.dreaming.hangs for one in self.tended.values())

    def status(self) -> str:
        """One line for a person: how many workspaces, what runs, what is wrong."""
        dreams = sum(len(one.dreaming.workers) for one in self.tended.values())
        parts = [f"workspaces: {len(self.tended)}", f"dreaming: {dreams}"]
        for one in self.tended.values():
            if one.trouble is not None:
                parts.append(f"{one.root}: {one.trouble.text}")
            elif one.kept is not None:
                parts.append(f"{one.root}: old settings kept, {one.kept}")
        return " · ".join(parts)

    def _tell(self) -> None:
        """The watchdog hears of a loop that has just gone round, and of nothing else."""
        status = self.status()
        if status != self._status:
            self._status = status
            self._tools.tell(STATUS=status)
        troubles = {
            root: one.trouble for root, one in self.tended.items() if one.trouble is not None
        }
        if troubles != self._noted:
            self._noted = troubles
            self._tools.note(troubles)
        if not self.hangs:
            self._tools.tell(WATCHDOG=1)

    def _refresh(self) -> None:
        """Take in new workspaces, let go of those that are gone, and look at every source once more."""
        self._tools.scans.begin()
        try:
            roots = set(self._roots())
        except ConfigError as error:  # a damaged registry: go on with those we know
            if not self.tended:
                raise
            log.error("registry_refused", error=str(error))
            return
        for root in sorted(roots - self.tended.keys()):
            self.tended[root] = Tended(root, self._tools, named=self._named)
        for root in self.tended.keys() - roots:
            if not self.tended[root].dreaming.busy:
                self.tended.pop(root).close()
                log.info("workspace_closed", workspace=str(root))

    def _guard(self, one: Tended, work: Callable[[], object]) -> None:
        """Whatever goes wrong in one workspace is logged, counted and shown there, and stops no other."""
        with structlog.contextvars.bound_contextvars(workspace=str(one.root)):
            try:
                work()
            except StoppedError:
                raise
            except (MemgardendError, OSError) as error:
                one.fail(error)
            except Exception as error:  # a bug met here is no reason to leave the others
                log.exception("workspace_crashed")
                one.fail(error)

    def _take_back(self, root: Path, ended: object) -> None:
        one = self.tended.get(root)
        if one is not None:
            self._guard(one, lambda: one.take_back(ended))  # type: ignore[arg-type]

    def _notice_leaps(self) -> None:
        slept, stepped = self._leaps.since_last()
        if slept:
            log.warning("machine_slept", seconds=round(slept))
        if stepped:
            log.warning("clock_stepped", seconds=round(stepped))
        if slept or stepped:
            self._minute.last = None
            for one in self.tended.values():
                self._guard(one, one.leap)

    def _ring(self, root: Path) -> None:
        rung = self.tended.get(root)
        for one in [rung] if rung is not None else self.tended.values():
            one.look_again()

    def _finish(self, wait: Wait) -> None:
        """Let the running rounds end, put back what does not, and let go of everything."""
        orders = self._tools.orders
        log.info("stop_ordered")
        self._tools.tell(STOPPING=1, STATUS="stopping")
        while not orders.time_is_up and any(one.dreaming.busy for one in self.tended.values()):
            wait(STOP_LOOK_SECONDS)
            for ended in self._tools.crew.ended():
                self._take_back(ended.task.workspace, ended)
        for one in self.tended.values():
            self._guard(one, one.abandon)
        log.info("daemon_stopped")
