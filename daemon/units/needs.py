"""What the service must be told, as it does not read a shell's settings: where programs lie, which variables."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.load import FILENAME, check, read_text
from memgardend.config.presets import PRESETS
from memgardend.core.errors import MemgardendError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memgardend.config.model import Config
    from memgardend.config.model_command import ModelSettings
    from memgardend.daemon.registry import Registry
    from memgardend.daemon.units.place import Place

USUAL = ("/usr/local/bin", "/usr/bin", "/bin")
_CARRIED = (
    *("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"),
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME"),
)
SET_BY_SYSTEMD = frozenset({"CREDENTIALS_DIRECTORY"})
"""What a model command may see, but nobody fills in."""
_FIRST_LINE_BYTES = 256  # BINPRM_BUF_SIZE: the kernel reads no more of it


@dataclass(frozen=True, slots=True)
class Needs:
    """`path`: folders for PATH; `programs`: the model commands found; `names`: variables to be filled in.

    `tends` is False while no workspace is registered: the daemon would not stay.
    """

    path: tuple[str, ...]
    programs: tuple[str, ...]
    carried: dict[str, str]
    names: tuple[str, ...]
    writable: tuple[Path, ...]
    tends: bool


def find_needs(place: Place, environ: Mapping[str, str], registry: Registry) -> Needs:
    """Look at the registered workspaces and the PATH of whoever installs. Broken settings need nothing."""
    roots = [entry.path for entry in registry.workspaces() if entry.present]
    models = [model for root in roots for model in _models(root)]
    search = [folder for folder in environ.get("PATH", "").split(":") if folder.startswith("/")]
    search += [folder for folder in (f"{place.home}/.local/bin", *USUAL) if folder not in search]
    wanted = {preset.argv[0] for preset in PRESETS.values() if not preset.free}
    wanted |= {model.command[0] for model in models if model.command}
    programs = list(_found(sorted(wanted), ":".join(search)))
    folders = {str(Path(program).parent) for program in programs} | set(USUAL)
    return Needs(
        path=tuple(dict.fromkeys(folder for folder in search if folder in folders)),
        programs=tuple(programs),
        carried={}
        if place.system
        else {name: environ[name] for name in _CARRIED if environ.get(name)},
        names=tuple(sorted({name for model in models for name in model.env} - SET_BY_SYSTEMD)),
        writable=_writable(place, roots),
        tends=bool(roots),
    )


def installation() -> list[str]:
    """The command line of the resident daemon, by the program that runs now."""
    program = Path(sys.executable).with_name("memgardend")
    if program.is_file():
        return [str(program), "run"]
    return [sys.executable, "-P", "-m", "memgardend", "run"]  # -P: no modules from the home folder


def interpreter(program: Path) -> str | None:
    """The program that a script's first line names; None for what is no script."""
    try:
        with program.open("rb") as stream:
            first = stream.readline(_FIRST_LINE_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return None
    if not first.startswith("#!"):
        return None
    words = first[2:].split()
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0] if words else None


def missing_interpreter(program: str, path: str) -> str | None:
    """What this PATH lacks to run the program, itself aside; None when it lacks nothing."""
    found = shutil.which(program, path=path)
    named = interpreter(Path(found)) if found else None
    return named if named and not shutil.which(named, path=path) else None


def reachable(program: Path, uid: int) -> bool:
    """False when this user may not pass one of the folders around it."""
    for folder in program.parents:
        status = folder.stat()
        if not status.st_mode & (0o100 if status.st_uid == uid else 0o001):
            return False
    return True


def may_vanish(program: Path, home: Path, environ: Mapping[str, str]) -> bool:
    """True for a program in a cache, such as one that `uvx` runs."""
    cache = Path(environ.get("XDG_CACHE_HOME") or home / ".cache")
    return program.is_relative_to(cache)


def _models(root: Path) -> Iterator[ModelSettings]:
    try:
        config: Config | None = check(read_text(root / FILENAME))[0]
    except MemgardendError:
        return
    if config is not None:
        yield config.model
        if config.delegate.model is not None:
            yield config.delegate.model


def _found(programs: Iterable[str], path: str) -> Iterator[str]:
    """Where each lies that can be found, and then its interpreter."""
    for program in programs:
        if found := shutil.which(program, path=path):
            yield found
            named = interpreter(Path(found))
            if named and (also := shutil.which(named, path=path)):
                yield also


def _writable(place: Place, roots: Iterable[Path]) -> tuple[Path, ...]:
    """What a system service writes: the home, and the workspaces outside of it."""
    if not place.system:
        return ()
    outside = [root for root in roots if not root.is_relative_to(place.home)]
    return (place.home, *sorted(outside))
