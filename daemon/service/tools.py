"""What the parts of the service share: every effect as a value, so that tests put their own in place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.daemon.service.scan import Scans

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from memgardend.core.clock import Clock
    from memgardend.core.records import Owner
    from memgardend.daemon.garden import Workspace
    from memgardend.daemon.service.crew import Crew
    from memgardend.daemon.service.orders import Orders
    from memgardend.jobs.context import Garden
    from memgardend.jobs.look.outlook import Trouble


@dataclass(frozen=True, kw_only=True)
class Tools:
    """The daemon's clock, hands and senses."""

    clock: Clock
    environ: Mapping[str, str]
    open: Callable[[Workspace], Garden]
    crew: Crew
    orders: Orders
    kill_models: Callable[[str], int]  # those of a run marker, without grace
    tell: Callable[..., None]  # systemd, in fields of sd_notify(3)
    note: Callable[[Mapping[Path, Trouble]], None]  # the troubles of workspaces, for `status`
    alive: Callable[
        [], None
    ]  # pings the watchdog between the steps of long work; may raise StoppedError
    rest: Callable[[], None]  # gives memory back after work
    owner: Owner
    version: str
    started_at: int  # epoch ms
    patience_ms: int = (
        1_000  # how long the loop waits for who writes to a store; workers wait longer
    )
    scans: Scans = field(default_factory=Scans)

    def heartbeat(self, now: int) -> dict[str, Any]:
        """The row by which commands know whether a daemon runs; instants in epoch ms."""
        return {
            "pid": self.owner.pid,
            "owner": self.owner.text(),
            "version": self.version,
            "started_at": self.started_at,
            "last_tick_at": now,
        }
