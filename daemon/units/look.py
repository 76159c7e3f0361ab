"""What an installed service is doing, and in which environment, without asking the daemon."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.words import Outcome
from memgardend.daemon.process import run
from memgardend.daemon.procfs import PROC
from memgardend.daemon.units.needs import USUAL
from memgardend.daemon.units.place import ETC, system_place, user_place
from memgardend.daemon.units.text import environment_of, read_env_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.core.clock import Clock
    from memgardend.daemon.units.place import Place

_ASK_SECONDS = 10.0
_PROPERTIES = (
    *("ActiveState", "SubState", "Result", "MainPID", "NRestarts", "StatusText", "UnitFileState"),
    *("WatchdogUSec", "NeedDaemonReload"),
)


@dataclass(frozen=True, slots=True)
class Manager:
    """The systemd that would run it. `environ`: whose session asks."""

    place: Place
    clock: Clock
    environ: Mapping[str, str]

    def show(self) -> dict[str, str] | str:
        """The properties of the unit; or, in words, why its systemd cannot be asked."""
        return self._ask("show", self.place.unit, f"--property={','.join(_PROPERTIES)}")

    def environment(self) -> dict[str, str]:
        """What every unit of a user inherits; nothing where it cannot be asked, or from the system's."""
        found = "" if self.place.system else self._ask("show-environment")
        return {} if isinstance(found, str) else found

    def _ask(self, *words: str) -> dict[str, str] | str:
        runtime = Path("/run/user", str(os.getuid()))  # `su` and cron do not say where it is
        known = {"XDG_RUNTIME_DIR": str(runtime)} if runtime.is_dir() else {}
        result = run(
            (*self.place.systemctl, *words),
            env=known | dict(self.environ),
            cwd=Path("/"),
            total_seconds=_ASK_SECONDS,
            clock=self.clock,
        )
        if result.outcome is not Outcome.OK:
            return result.stderr.strip() or result.detail
        lines = (line.partition("=") for line in result.stdout.splitlines())
        return {name: value for name, _, value in lines}


def installed(environ: Mapping[str, str], etc: Path = ETC) -> Place | None:
    """The service of this user, their own before one of the system's; None when there is none."""
    own = user_place(environ)
    if own.unit_file.exists():
        return own
    system = replace(system_place(own.user, etc), home=own.home)
    return system if system.unit_file.exists() and system.drop_in.exists() else None


def service_environment(
    place: Place, manager: Manager, main_pid: int, proc: Path = PROC
) -> dict[str, str]:
    """What the service sees: of the running one exactly, else what its files say."""
    try:
        raw = (proc / str(main_pid) / "environ").read_bytes() if main_pid else b""
    except OSError:  # it ended meanwhile
        raw = b""
    if raw:
        pairs = (os.fsdecode(one).partition("=") for one in raw.split(b"\0") if one)
        return {name: value for name, _, value in pairs}
    start = {"PATH": ":".join(USUAL), "HOME": str(place.home), "USER": place.user}
    set_here, named = environment_of(_texts(place), place.home)
    filled_in: dict[str, str] = {}
    for name in named:
        filled_in |= read_env_file(_read(Path(name)))
    return start | manager.environment() | set_here | filled_in


def _texts(place: Place) -> Iterator[str]:
    """The unit and its drop-ins, in the order in which systemd reads them."""
    folder = place.drop_in.parent
    for file in (place.unit_file, *sorted(folder.glob("*.conf"))):
        yield _read(file)


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", errors="replace")
    except OSError:  # an environment file may be missing, or be root's own
        return ""
