"""What `doctor` says of hooks: which agents have them, whether they start, and how the last one failed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.config.zones import zone
from memgardend.core.clean import printable
from memgardend.core.clock import DAY_MS
from memgardend.core.errors import ConfigError, MemgardendError
from memgardend.core.times import parse_time
from memgardend.daemon.agents.hook_settings import EVENTS
from memgardend.daemon.agents.install import installed_commands
from memgardend.daemon.agents.places import Agent, place_of
from memgardend.daemon.check import FAILED, OK, WARNING, Check
from memgardend.daemon.clock import clock
from memgardend.daemon.effective import is_effective
from memgardend.daemon.locations import EFFECTIVE_FILE
from memgardend.daemon.log_file import log_file
from memgardend.daemon.process import run
from memgardend.daemon.prompts import pack_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.daemon.agents.places import Place
    from memgardend.daemon.garden import Workspace

NAME = "hooks"
PATIENCE_SECONDS = 10
_WRITE = "memgardend ingest"
"""Of all that writes what hooks go by, it changes the least."""


def check_hooks(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    """Each agent's hooks, for all of the person's work and for this workspace."""
    checks = [
        one
        for agent in Agent
        for folder in (None, workspace.root)
        for one in _place(workspace, place_of(agent, environ, folder), environ)
    ]
    yield from checks
    if any(one.level == OK and one.hint is None for one in checks):
        yield from _as_left(workspace)
        yield from _last_failure(workspace, environ)


def hooks_lag(workspace: Workspace, environ: Mapping[str, str]) -> bool:
    """Whether hooks that are installed go by older settings, or texts, than those of the workspace.

    What cannot be read is for `doctor` to tell.
    """
    try:
        if _is_current(workspace):
            return False
        places = (place_of(one, environ, at) for one in Agent for at in (None, workspace.root))
        return any(map(installed_commands, places))
    except (MemgardendError, OSError):
        return False


def _is_current(workspace: Workspace) -> bool:
    slot = pack_of(workspace.root, workspace.config.locale).slot
    return is_effective(workspace.folder, workspace.config, slot)


def _place(workspace: Workspace, place: Place, environ: Mapping[str, str]) -> Iterator[Check]:
    install = f"memgardend install {place.agent}" + (" --project" if place.folder else "")
    try:
        commands = installed_commands(place)
    except ConfigError as error:
        yield Check(NAME, FAILED, str(error), error.hint)
        return
    if not commands:
        if place.folder is None and place.file.parent.is_dir():
            yield Check(NAME, OK, f"{place.agent}: none, so it recalls nothing by itself", install)
        return
    missing = [event for event in EVENTS if event not in commands]
    if missing:
        detail = f"{place.file} has none of ours at {', '.join(missing)}"
        yield Check(NAME, WARNING, detail, install)
    yield from _unheard(place, install)
    for command in sorted({one for found in commands.values() for one in found}):
        yield _started(workspace, place, command, environ, install)


def _unheard(place: Place, install: str) -> Iterator[Check]:
    """What keeps an agent from hooks that are there."""
    if place.dream_command is not None and not place.dream_command.exists():
        yield Check(
            NAME, WARNING, f"{place.dream_command} is not there, so /dream is unknown", install
        )
    try:
        untrusted = place.untrusted()
    except (OSError, ValueError) as error:
        yield Check(NAME, WARNING, printable(f"{place.config} cannot be read: {error}"))
        return
    if untrusted:
        at = ", ".join(untrusted)
        detail = (
            f"{place.agent}: runs none at {at} until you trust it there; it asks when it starts"
        )
        yield Check(NAME, WARNING, detail, "codex")


def _started(
    workspace: Workspace, place: Place, command: str, environ: Mapping[str, str], install: str
) -> Check:
    """Run it as the agent does, at an event that asks for nothing."""
    sample = {
        "hook_event_name": "SessionStart",
        "source": "resume",
        "session_id": "doctor",
        "cwd": str(workspace.root),
    }
    done = run(
        ["sh", "-c", command],
        json.dumps(sample).encode(),
        env=environ,
        cwd=workspace.root,
        total_seconds=PATIENCE_SECONDS,
        clock=clock(environ),
    )
    if done.returncode == 0 and not done.stdout:
        return Check(NAME, OK, f"{place.agent}: {place.file} runs {command}")
    detail = f"{place.agent}: {command} does not work: {done.stderr or done.detail}"
    return Check(NAME, FAILED, printable(detail.strip()), install)


def _as_left(workspace: Workspace) -> Iterator[Check]:
    if not (workspace.folder / EFFECTIVE_FILE).is_file():
        detail = f"{workspace.folder / EFFECTIVE_FILE} is not there, so hooks stay silent"
        yield Check(NAME, FAILED, detail, _WRITE)
    elif not _is_current(workspace):
        detail = "they go by older settings or texts than those of the workspace"
        yield Check(NAME, WARNING, detail, _WRITE)


def _last_failure(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    """Hooks fail in silence: only the log knows."""
    entries, _ = log_file().read()
    failed = [one for one in entries if one["event"] == "hook_failed"]
    if not failed:
        return
    at, reason = str(failed[-1].get("timestamp")), printable(str(failed[-1].get("reason")))
    zone_here = zone(workspace.config.dream.time_zone)
    if clock(environ).now_ms() - parse_time(at, zone_here) < DAY_MS:
        yield Check(NAME, WARNING, f"one failed at {at}: {reason}", "memgardend logs --since 1d")
