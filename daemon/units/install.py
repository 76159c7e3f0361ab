"""Write the files of the service, and take exactly them back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import MemgardendError, UsageError
from memgardend.daemon.private_files import FILE_MODE, write_atomically
from memgardend.daemon.units.text import (
    drop_in_text,
    env_text,
    read_env_file,
    sealed,
    shipped,
    unit_text,
    untouched,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.daemon.units.needs import Needs
    from memgardend.daemon.units.place import Place

UNIT_MODE = 0o644  # systemd warns of units that not everybody can read
BOOTED = Path("/run/systemd/system")
"""Where sd_booted(3) looks."""


class Action(StrEnum):
    """What happens to one file."""

    WRITTEN = "written"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REPLACED = "replaced"  # it was changed by hand, and lies beside the new one
    REMOVED = "removed"
    ABSENT = "absent"
    KEPT = "kept"  # it holds what a person wrote, or others need it


@dataclass(frozen=True, slots=True)
class Step:
    """One file. `text` None: it goes, or stays as it is."""

    file: Path
    action: Action
    text: str | None = None
    mode: int = UNIT_MODE


def require_systemd(booted: Path = BOOTED) -> None:
    """Raises MemgardendError on a machine that systemd does not run."""
    if not booted.is_dir():
        raise MemgardendError(
            f"systemd does not run this machine: there is no {booted}",
            hint="crontab -e, and a line like: */15 * * * * cd ~/work && "
            "PATH=~/.local/bin:$PATH memgardend run --once",
        )


def plan_install(place: Place, needs: Needs, argv: Sequence[str], *, force: bool) -> list[Step]:
    """What would be written. Raises UsageError for a file that was changed by hand, unless told to `force`.

    What a person filled in is never touched.
    """
    drop_in = drop_in_text(needs.path, needs.carried, needs.writable, place.env_file)
    filled_in = env_text(needs.names, place.typed("restart", place.unit))
    steps = [
        _put(place.unit_file, unit_text(shipped(place.shipped), argv)),
        _put(place.drop_in, drop_in),
        _put(place.env_file, filled_in, mode=FILE_MODE),
    ]
    if steps[2].action is Action.REPLACED:
        steps[2] = Step(place.env_file, Action.KEPT)
    changed = [step.file for step in steps if step.action is Action.REPLACED]
    if changed and not force:
        raise UsageError(
            f"{changed[0]} was changed by hand; nothing is written",
            hint=f"{place.typed('edit', place.unit)}   # for changes that stay, or: "
            "memgardend install systemd --force",
        )
    return steps


def plan_removal(place: Place, *, force: bool) -> list[Step]:
    """What would go: what we wrote and nobody changed; with `force`, units that were changed, too.

    And the links of `systemctl enable`, which needs the unit to take them back.
    """
    others = place.units.glob("memgardend@*.service.d/10-install.conf") if place.system else ()
    shared = any(file != place.drop_in for file in others)
    enabled = (file for file in place.units.glob(f"*.wants/{place.unit}") if file.is_symlink())
    return [
        *(Step(file, Action.REMOVED) for file in enabled),
        _take(place.drop_in, force=force),
        Step(place.unit_file, Action.KEPT) if shared else _take(place.unit_file, force=force),
        _take(place.env_file, force=False),
    ]


def apply(steps: Sequence[Step]) -> None:
    """Do it. Raises MemgardendError for a folder that cannot be written."""
    for step in steps:
        try:
            _apply(step)
        except OSError as error:
            raise MemgardendError(
                f"{error.filename or step.file} cannot be written: {error.strerror}",
                hint=f"ls -ld {step.file.parent}",
            ) from error


def _apply(step: Step) -> None:
    file = step.file
    if step.action is Action.REMOVED:
        file.unlink()
        if file.parent.name.endswith(".service.d") and not any(file.parent.iterdir()):
            file.parent.rmdir()
        return
    if step.text is None:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    if step.action is Action.REPLACED:
        file.replace(set_aside(file))
    write_atomically(file, step.text.encode(), mode=step.mode)
    file.chmod(step.mode)  # whatever the umask takes


def missing_values(place: Place, needs: Needs) -> list[str]:
    """The variables that model commands may see, but the environment file does not set."""
    try:
        there = read_env_file(place.env_file.read_text("utf-8", errors="replace"))
    except FileNotFoundError:
        there = {}
    return [name for name in needs.names if not there.get(name)]


def set_aside(file: Path) -> Path:
    """Where a file goes that was changed by hand; systemd reads nothing of that name."""
    return file.with_name(f"{file.name}.old")


def _put(file: Path, body: str, *, mode: int = UNIT_MODE) -> Step:
    text = sealed(body)
    if not file.exists():
        return Step(file, Action.WRITTEN, text, mode)
    there = file.read_text("utf-8", errors="replace")
    if there == text:
        return Step(file, Action.UNCHANGED)
    return Step(file, Action.UPDATED if untouched(there) else Action.REPLACED, text, mode)


def _take(file: Path, *, force: bool) -> Step:
    if not file.exists():
        return Step(file, Action.ABSENT)
    ours = untouched(file.read_text("utf-8", errors="replace"))
    return Step(file, Action.REMOVED if ours or force else Action.KEPT)
