"""Put our hooks into the settings of an agent, and take them out: byte for byte, where nobody else wrote since."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError, MemgardendError
from memgardend.daemon.agents.hook_settings import (
    EVENTS,
    UnexpectedShapeError,
    handlers_of,
    with_hooks,
    without_hooks,
)
from memgardend.daemon.agents.json_text import JsonTextError
from memgardend.daemon.private_files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memgardend.daemon.agents.notes import Notes
    from memgardend.daemon.agents.places import Place

_EMPTY = "{}\n"
_BOM = "\ufeff"
READABLE = 0o666  # less what the umask takes, as agents write theirs


class Done(StrEnum):
    """What became of the file."""

    WRITTEN = "written"  # there was none
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    RESTORED = "restored"  # as it was before, byte for byte
    REMOVED = "removed"  # there was none before
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done to a settings file: its new `data`, and what it held before us (None: there was none)."""

    file: Path
    done: Done
    data: bytes | None = None
    before: bytes | None = None


def plan_install(place: Place, command: str, notes: Notes) -> Change:
    """Decide what to write. Raises ConfigError, with the place, for settings that cannot be read or understood."""
    file = real_file(place.file)
    current = content_of(file)
    if current is None or not current.strip():
        done = Done.WRITTEN if current is None else Done.UPDATED
        return Change(file, done, with_hooks(_EMPTY, command).encode(), current)
    if installed_commands(place) == {event: [command] for event in EVENTS}:
        return Change(file, Done.UNCHANGED)
    new = _edited(file, current, lambda text: with_hooks(text, command))
    untouched, before = notes.before(file, current)
    if not untouched:
        before = _edited(file, current, without_hooks)
    return Change(file, Done.UPDATED, new, before)


def plan_removal(place: Place, notes: Notes) -> Change:
    """Decide how to take our hooks out. Raises as `plan_install`."""
    file = real_file(place.file)
    current = content_of(file)
    if current is None or not current.strip():
        return Change(file, Done.ABSENT)
    untouched, before = notes.before(file, current)
    if untouched:
        return Change(file, Done.REMOVED if before is None else Done.RESTORED, before)
    clean = _edited(file, current, without_hooks)
    return Change(file, Done.ABSENT if clean == current else Done.UPDATED, clean)


def apply(change: Change, notes: Notes, *, install: bool) -> None:
    """Do it. Raises MemgardendError for a folder that cannot be written."""
    file = change.file
    missing = _missing_folders(file)
    try:
        if change.done is Done.REMOVED:
            file.unlink()
            for folder in notes.folders(file):
                with suppress(OSError):  # somebody else has put something there
                    folder.rmdir()
        elif change.data is not None and change.done is not Done.ABSENT:
            _write(file, change.data)
        if install and change.data is not None:
            notes.keep(file, change.before, change.data, missing)
        elif not install:
            notes.forget(file)
    except OSError as error:
        raise MemgardendError(
            f"{error.filename or file} cannot be written: {error.strerror}",
            hint=f"ls -ld {shlex.quote(str(file.parent))}",
        ) from error


def installed_commands(place: Place) -> dict[str, list[str]]:
    """Our commands in the settings, by event; none where there are no settings. Raises as `plan_install`."""
    file = real_file(place.file)
    current = content_of(file)
    if current is None or not current.strip():
        return {}
    with _understood(file):
        return handlers_of(current.decode("utf-8-sig"))


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode & 0o777 if file.exists() else None
    write_atomically(file, data, mode=READABLE if mode is None else mode)
    if mode is not None:
        file.chmod(mode)  # whatever the umask takes


def _missing_folders(file: Path) -> list[Path]:
    """The folders around a file that are not there, the innermost first."""
    return [folder for folder in file.parents if not folder.exists()]


def real_file(file: Path) -> Path:
    """The file itself, where the agent's is a link into somebody's collection of settings."""
    return Path(os.path.realpath(file))


def content_of(file: Path) -> bytes | None:
    """What a file holds now; None where there is none. Raises ConfigError for one that cannot be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be read: {error.strerror}", hint=f"ls -ld {shlex.quote(str(file))}"
        ) from error


def _edited(file: Path, data: bytes, edit: Callable[[str], str]) -> bytes:
    with _understood(file):
        text = data.decode()
        bom = _BOM if text.startswith(_BOM) else ""
        return (bom + edit(text.removeprefix(bom))).encode()


@contextmanager
def _understood(file: Path) -> Iterator[None]:
    """Whatever is wrong with the text becomes a ConfigError that says where."""
    hint = f"${{EDITOR:-vi}} {shlex.quote(str(file))}"
    try:
        yield
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8 at byte {error.start}", hint=hint) from error
    except (JsonTextError, UnexpectedShapeError) as error:
        raise ConfigError(f"{file}: {error}; nothing is written", hint=hint) from error
