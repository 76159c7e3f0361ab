"""Prompt packs: the text of each slot, per locale, with a person's overrides (DESIGN section 8)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from memgardend.core.display import LABELS
from memgardend.core.errors import ConfigError
from memgardend.core.slots import LABELS_SLOT, SLOTS, known_placeholders
from memgardend.core.template import parse_labels, placeholders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

STORE_FOLDER = ".memgarden"


@dataclass(frozen=True, slots=True)
class Pack:
    """The prompt texts of a locale: the workspace's win over the user's, those over the built-in."""

    locale: str
    workspace_dir: Path | None = None  # None also where the workspace is not trusted
    user_dir: Path | None = None  # the user's config folder of this program

    def slot(self, name: str) -> str:
        """The text of a slot, read anew at each use. Raises ConfigError when it is missing or unreadable."""
        for folder in self.folders():
            file = folder / self.locale / f"{name}.md"
            if file.is_file():
                return _read(file)
        raise ConfigError(
            f"the prompt pack `{self.locale}` has no slot `{name}`",
            hint=f"packs: {', '.join(locales())}; to check yours: memgardend doctor",
        )

    def folders(self) -> Iterator[Path | Traversable]:
        """Where slots are looked for, best first; each holds one folder a locale."""
        yield from override_folders(self.workspace_dir, self.user_dir)
        yield _built_in()


@dataclass(frozen=True, slots=True)
class PackProblem:
    """What is wrong with a file of a pack, or with its absence."""

    path: str
    text: str


def locales() -> list[str]:
    """The built-in packs."""
    return sorted(folder.name for folder in _built_in().iterdir() if folder.is_dir())


def override_folders(workspace_dir: Path | None, user_dir: Path | None) -> list[Path]:
    """The folders in which a person may override slots, best first."""
    folders = [workspace_dir / STORE_FOLDER] if workspace_dir else []
    return [folder / "prompts" for folder in [*folders, *([user_dir] if user_dir else [])]]


def check_packs(
    workspace_dir: Path | None = None, user_dir: Path | None = None
) -> list[PackProblem]:
    """Every mistake in the packs: missing and unknown slots, placeholders and labels.

    Overrides may hold some slots of a built-in pack, or a whole pack of a new locale.
    """
    problems = [problem for pack in _packs(_built_in()) for problem in _check(pack, whole=True)]
    for folder in override_folders(workspace_dir, user_dir):
        for pack in _packs(folder):
            problems += _check(pack, whole=pack.name not in locales())
    return problems


def _check(pack: Path | Traversable, *, whole: bool) -> Iterator[PackProblem]:
    files = {file.name.removesuffix(".md"): file for file in pack.iterdir() if _is_text(file)}
    for name in sorted(files.keys() - SLOTS.keys()):
        yield PackProblem(str(files[name]), f"no such slot; there are {', '.join(SLOTS)}")
    for name in SLOTS:
        if name in files:
            yield from _check_slot(name, files[name])
        elif whole:
            yield PackProblem(str(pack), f"slot `{name}` is missing")


def _check_slot(name: str, file: Path | Traversable) -> Iterator[PackProblem]:
    try:
        text = _read(file)
        labels = parse_labels(text, name) if name == LABELS_SLOT else dict.fromkeys(LABELS, "")
    except ConfigError as error:
        yield PackProblem(str(file), str(error))
        return
    used = placeholders(text)
    for kind, names in (
        ("unknown placeholder", used - known_placeholders(name)),
        ("missing placeholder", SLOTS[name] - used),
        ("unknown label", labels.keys() - LABELS),
        ("missing label", LABELS - labels.keys()),
    ):
        for each in sorted(names):
            yield PackProblem(str(file), f"{kind}: {each}")


def _packs(folder: Path | Traversable) -> list[Path | Traversable]:
    if not folder.is_dir():
        return []
    return sorted((pack for pack in folder.iterdir() if pack.is_dir()), key=lambda pack: pack.name)


def _is_text(file: Path | Traversable) -> bool:
    return file.is_file() and file.name.endswith(".md")


def _read(file: Path | Traversable) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"cannot read the prompt text {file}: {error}", hint="save it as readable UTF-8 text"
        ) from error


def _built_in() -> Traversable:
    return resources.files("memgardend.config") / "prompts"
