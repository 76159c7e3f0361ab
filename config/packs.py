"""Prompt packs: the text of each slot, per locale, with a person's overrides (DESIGN section 8)."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError
from memgardend.core.slots import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

STORE_FOLDER = ".memgarden"
PROMPTS_FOLDER = "prompts"
SUFFIX = ".md"
EXAMPLE = "en"
"""The pack to begin a new one with."""


@dataclass(frozen=True, slots=True)
class SlotFile:
    """Where the text of a slot comes from: `workspace`, `user` or `built-in`."""

    origin: str
    file: Path | Traversable


@dataclass(frozen=True, slots=True)
class Pack:
    """The prompt texts of a locale: the workspace's win over the user's, those over the built-in."""

    locale: str
    workspace_dir: Path | None = None  # None also where the workspace is not trusted
    user_dir: Path | None = None  # the user's config folder of this program

    def slot(self, name: str) -> str:
        """The text of a slot, read anew at each use. Raises ConfigError when it is missing or unreadable."""
        found = self.find(name)
        if found is None:
            self.require()
            raise ConfigError(f"there is no slot `{name}`", hint=f"slots: {', '.join(SLOTS)}")
        return read_text(found.file)

    def find(self, name: str) -> SlotFile | None:
        """The file that counts for a slot. Raises ConfigError where one cannot look."""
        for origin, folder in self.folders():
            file = folder / self.locale / f"{name}{SUFFIX}"
            with readable(file):
                if file.is_file():
                    return SlotFile(origin, file)
        return None

    def missing(self) -> list[str]:
        """The slots for which there is no text anywhere."""
        return [name for name in SLOTS if self.find(name) is None]

    def require(self) -> None:
        """Return when every slot has a text. Raises ConfigError, with the way to a whole pack, otherwise."""
        missing = self.missing()
        if len(missing) == len(SLOTS):
            raise ConfigError(self.absent(), hint=self.way_to_begin())
        if missing:
            text = f"the prompt pack `{self.locale}` lacks: {', '.join(missing)}"
            raise ConfigError(text, hint="memgardend config prompts --check")

    def absent(self) -> str:
        """What to say where there is nothing of the pack."""
        known = ", ".join(locales(self.workspace_dir, self.user_dir))
        return f"there is no prompt pack `{self.locale}`; there are {known}"

    def way_to_begin(self) -> str:
        """The command that makes a pack of this locale, to be translated, out of the English one."""
        folders = list(override_folders(self.workspace_dir, self.user_dir).values())
        if not folders:
            return "memgardend config prompts --check"
        target = shlex.quote(str(folders[-1]))
        example = shlex.quote(str(built_in() / EXAMPLE))
        return f"mkdir -p {target} && cp -r {example} {target}/{self.locale}  # then translate it"

    def folders(self) -> Iterator[tuple[str, Path | Traversable]]:
        """Where slots are looked for, best first, by origin; each holds one folder a locale."""
        yield from override_folders(self.workspace_dir, self.user_dir).items()
        yield "built-in", built_in()


def locales(workspace_dir: Path | None = None, user_dir: Path | None = None) -> list[str]:
    """The built-in packs, and the whole ones of a person's own."""
    names = {
        folder.name
        for place in [built_in(), *override_folders(workspace_dir, user_dir).values()]
        for folder in packs_in(place)
    }
    return sorted(name for name in names if not Pack(name, workspace_dir, user_dir).missing())


def override_folders(workspace_dir: Path | None, user_dir: Path | None) -> dict[str, Path]:
    """The folders in which a person may override slots, best first, by origin."""
    given = {"workspace": workspace_dir and workspace_dir / STORE_FOLDER, "user": user_dir}
    return {origin: folder / PROMPTS_FOLDER for origin, folder in given.items() if folder}


def packs_in(folder: Path | Traversable) -> list[Path | Traversable]:
    """The packs that lie in a folder, by name; none where there is no such folder."""
    return [pack for pack in inside(folder) if pack.is_dir()]


def inside(folder: Path | Traversable) -> list[Path | Traversable]:
    """What a person put into a folder, by name; a file manager's own (`.DS_Store`) is none of it.

    Raises ConfigError where one cannot look.
    """
    with readable(folder):
        found = list(folder.iterdir()) if folder.is_dir() else []
    return sorted((one for one in found if not one.name.startswith(".")), key=lambda one: one.name)


def read_text(file: Path | Traversable) -> str:
    """The text of a file. Raises ConfigError when it cannot be read."""
    with readable(file):
        return file.read_text(encoding="utf-8-sig")


@contextmanager
def readable(file: Path | Traversable) -> Iterator[None]:
    """Whatever stops us from reading becomes a ConfigError that names the file."""
    try:
        yield
    except UnicodeDecodeError as error:
        text = f"the prompt text {file} is not UTF-8 at byte {error.start}"
        raise ConfigError(text, hint="save it as UTF-8") from error
    except OSError as error:
        text = f"cannot read {file}: {error.strerror}"
        raise ConfigError(text, hint=f"ls -ld {shlex.quote(str(file))}") from error


def built_in() -> Traversable:
    """The folder of the packs that come with the program."""
    return resources.files("memgardend.config") / PROMPTS_FOLDER
