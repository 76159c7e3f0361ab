"""What `doctor` says of the service: whether it runs and will stay, and whether its models can start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.daemon.check import FAILED, OK, WARNING, Check
from memgardend.daemon.clock import clock
from memgardend.daemon.model_check import check_model
from memgardend.daemon.units.install import BOOTED
from memgardend.daemon.units.look import Manager, installed, service_environment
from memgardend.daemon.units.needs import SET_BY_SYSTEMD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.daemon.garden import Workspace
    from memgardend.daemon.units.place import Place

NAME, MODEL = "service", "service model"
_NO_WATCHDOG = {"", "0", "infinity"}


def check_service(
    workspace: Workspace, environ: Mapping[str, str], *, ask: bool = False
) -> Iterator[Check]:
    """The service, and the model command in the service's own environment."""
    place = installed(environ)
    if place is None:
        hint = "memgardend install systemd" if BOOTED.is_dir() else None
        yield Check(NAME, OK, "none is installed: you or cron start memgardend", hint)
        return
    manager = Manager(place, clock(environ), environ)
    shown = manager.show()
    if isinstance(shown, str):
        detail = f"{place.unit_file} is there, but its systemd does not answer: {shown}"
        hint = place.typed("status", place.unit) if place.system else "loginctl enable-linger"
        yield Check(NAME, WARNING, detail, hint)
        shown = {}
    else:
        yield _state(place, shown)
        yield from _doubts(place, shown)
    pid = int(shown.get("MainPID") or 0)
    inside = service_environment(place, manager, pid)
    known = pid or place.may_look
    for name in workspace.config.dreaming_model.env:
        if name not in SET_BY_SYSTEMD and known and not inside.get(name):
            detail = f"{name} is not set in the service"
            yield Check(NAME, FAILED, detail, place.edited)
    yield from check_model(workspace, inside, name=MODEL, start=True, ask=ask)


def _state(place: Place, shown: Mapping[str, str]) -> Check:
    state = shown.get("ActiveState", "unknown")
    if state == "active":
        said = shown.get("StatusText") or shown.get("SubState", "")
        return Check(NAME, OK, f"{place.unit} is active, pid {shown.get('MainPID')}: {said}")
    if state in ("inactive", "unknown"):
        detail = f"{place.unit} does not run"
        return Check(NAME, WARNING, detail, place.typed("enable --now", place.unit))
    detail = f"{place.unit} is {state}: {shown.get('Result')}, {shown.get('NRestarts')} restarts"
    return Check(NAME, FAILED, detail, f"{place.journal} -n 20")


def _doubts(place: Place, shown: Mapping[str, str]) -> Iterator[Check]:
    """What works now and will not for long."""
    if shown.get("NeedDaemonReload") == "yes":
        detail = f"{place.unit} has changed since systemd read it"
        yield Check(NAME, WARNING, detail, place.typed("daemon-reload"))
    if shown.get("UnitFileState") in ("", "disabled"):
        detail = f"{place.unit} does not start by itself"
        yield Check(NAME, WARNING, detail, place.typed("enable", place.unit))
    if shown.get("WatchdogUSec", "") in _NO_WATCHDOG:
        detail = f"{place.unit} has no watchdog: a daemon that hangs stays so"
        yield Check(NAME, WARNING, detail, "memgardend install systemd")
    if not place.lingers:
        detail = "it ends when you log out"
        yield Check(NAME, WARNING, detail, "loginctl enable-linger")
