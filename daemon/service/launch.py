"""Put the service together, and run it to its end."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import structlog

from memgardend.core.errors import StoppedError
from memgardend.daemon.clock import clock as clock_of
from memgardend.daemon.doorbell import Doorbell
from memgardend.daemon.garden import open_garden
from memgardend.daemon.notify import Notifier
from memgardend.daemon.owner import this_process
from memgardend.daemon.process import end_marked
from memgardend.daemon.registry import Registry, registry_dir, resolved
from memgardend.daemon.service.alarm import Alarm
from memgardend.daemon.service.crew import Threads
from memgardend.daemon.service.lock import only_daemon
from memgardend.daemon.service.notes import write_troubles
from memgardend.daemon.service.orders import Orders
from memgardend.daemon.service.rest import rest, settle
from memgardend.daemon.service.service import Service
from memgardend.daemon.service.tools import Tools
from memgardend.daemon.service.waker import Waker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from memgardend.core.clock import Clock
    from memgardend.jobs.look.outlook import Trouble

log = structlog.get_logger(__name__)

EXTEND_USEC = 60_000_000
"""How long opening one workspace may take, a migration included."""


def run_service(workspaces: Sequence[Path], version: str, *, wait: bool) -> None:
    """Serve these workspaces, or without any all that are registered, until told to stop.

    Raises ConfigError or StoreUnavailableError when there is nothing to serve, and BusyError when a daemon of
    this user runs already, unless told to `wait` for its end.
    """
    clock = clock_of(os.environ)
    with only_daemon(registry_dir(), version, wait=wait):
        _serve(workspaces, version, clock)


def _serve(workspaces: Sequence[Path], version: str, clock: Clock) -> None:
    notifier = Notifier(os.environ)
    waker = Waker(_doorbell(registry_dir()))
    orders = Orders(clock, waker.wake)
    orders.obey_signals()
    registry = Registry(registry_dir())
    ready = False

    def alive() -> None:
        if orders.stopping:
            raise StoppedError("the daemon stops")
        if not ready:
            notifier.tell(EXTEND_TIMEOUT_USEC=EXTEND_USEC)
        elif not service.hangs:
            notifier.tell(WATCHDOG=1)

    owner = this_process()

    def note(troubles: Mapping[Path, Trouble]) -> None:
        try:
            write_troubles(registry_dir(), owner, troubles)
        except OSError as error:
            log.error("troubles_lost", error=str(error))

    tools = Tools(
        clock=clock,
        environ=os.environ,
        open=lambda place: open_garden(place, os.environ, clock=clock),
        crew=Threads(waker.wake),
        orders=orders,
        kill_models=partial(end_marked, clock=clock, grace_seconds=0),
        tell=notifier.tell,
        note=note,
        alive=alive,
        rest=rest,
        owner=owner,
        version=version,
        started_at=clock.now_ms(),
    )

    def roots() -> list[Path]:
        if workspaces:
            return [resolved(one) for one in workspaces]
        return [one.path for one in registry.workspaces()]

    service = Service(tools, roots, named=bool(workspaces))
    alarm = Alarm(waker.wake)
    longest = notifier.watchdog_seconds
    settle()
    try:
        service.open()
        ready = True
        log.info("daemon_started", version=version, workspaces=len(service.tended))
        service.run(
            lambda seconds: waker.wait(min(seconds, longest / 2) if longest else seconds),
            lambda: alarm.set_for(service.wait_seconds()),
        )
    except StoppedError:
        log.info("daemon_stopped")
    finally:
        alarm.close()
        waker.close()


def _doorbell(folder: Path) -> Doorbell | None:
    """None where there can be no socket: the daemon then looks once a minute."""
    try:
        return Doorbell(folder)
    except OSError as error:
        log.warning("doorbell_failed", error=str(error))
        return None
