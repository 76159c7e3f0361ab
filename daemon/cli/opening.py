"""Open the workspace of a command, and close it again."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.calendar import suppression
from memgardend.config.times import typed_time
from memgardend.config.zones import zone
from memgardend.core.clock import DrivenClock
from memgardend.daemon import doorbell
from memgardend.daemon import garden as gardens
from memgardend.daemon.agents.checks import hooks_lag
from memgardend.daemon.cli.consent import ask_about_change
from memgardend.daemon.cli.hints import here
from memgardend.daemon.procfs import is_running
from memgardend.daemon.registry import Registry, registry_dir
from memgardend.daemon.screens.times import View
from memgardend.daemon.service.notes import trouble_of
from memgardend.daemon.settings_mark import settings_mark
from memgardend.daemon.trust import is_agreed
from memgardend.jobs.look.outlook import Outlook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import tzinfo

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Store
    from memgardend.daemon.garden import Workspace
    from memgardend.jobs.context import Garden, Progress


@dataclass(frozen=True, slots=True)
class Looking:
    """A workspace opened for looking."""

    outlook: Outlook
    zone: tzinfo
    clock: Clock
    here: str

    @property
    def store(self) -> Store:
        """Its store; empty where there is none yet."""
        return self.outlook.store

    def instant(self, at: str | None) -> int:
        """The instant typed, or now. Raises UsageError for what is no time."""
        if at is None:
            return self.outlook.now_ms
        return typed_time(at, self.outlook.now_ms, self.zone)

    def view(self, at: int, width: int | None) -> View:
        """How a person sees this workspace at the instant."""
        return View(at, self.zone, width, self.here)


@contextmanager
def looking(given: Path | None, clock: Clock | None = None) -> Iterator[Looking]:
    """The workspace for looking: nothing is created, and nothing needs to be agreed to."""
    workspace = find(given)
    store, clock = gardens.look(workspace, os.environ, clock)
    outlook = Outlook(
        store=store,
        config=workspace.config,
        suppression=suppression(workspace.config.dream),
        now_ms=clock.now_ms(),
        driven=isinstance(clock, DrivenClock),
        workspace=str(workspace.root),
        trouble=trouble_of(registry_dir(), workspace.root),
        settings=settings_mark(workspace.root),
        hooks_lag=lambda: hooks_lag(workspace, os.environ),
        model_agreed=lambda: is_agreed(Registry(registry_dir()), workspace.root, workspace.config),
        is_gone=lambda owner: not is_running(owner),
    )
    try:
        yield Looking(outlook, zone(workspace.config.dream.time_zone), clock, here(given))
    finally:
        store.close()


@contextmanager
def working(
    given: Path | None,
    watch: Callable[[Progress], None] = lambda progress: None,
    *,
    verbose: bool = False,
    rehearsal: bool = False,
    feeding: bool = False,
    ring: bool = False,
) -> Iterator[tuple[Workspace, Garden]]:
    """The workspace for work: made if need be; its person must agree to its model command.

    `feeding` only takes events in, and needs no such agreement. `ring` wakes the daemon at the end. A `rehearsal`
    works on a copy of the store, and nothing of it stays.
    """
    from memgardend.daemon.logs import (
        configure_logs,  # asyncio and more, which looking does not need
    )

    workspace = find(given)
    configure_logs(verbose=verbose, workspace=workspace.root, rehearsal=rehearsal)
    if not feeding:
        ask_about_change(workspace)
    garden = gardens.open_garden(
        workspace, os.environ, watch=watch, rehearsal=rehearsal, feeding=feeding
    )
    try:
        yield workspace, garden
    finally:
        garden.store.close()
        if ring:
            doorbell.ring(workspace.root)


def find(given: Path | None) -> Workspace:
    """The workspace named with -w, or the nearest one around the current folder."""
    return gardens.find_workspace(given)
