"""What `init` does: write the settings where there are none, make our folder, and register the workspace."""

from __future__ import annotations

import contextlib
import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.load import FILENAME, load
from memgardend.config.packs import STORE_FOLDER
from memgardend.config.presets import find_preset
from memgardend.config.settings import schema_text
from memgardend.config.template import template
from memgardend.core.clean import printable
from memgardend.core.errors import ConfigError, UsageError
from memgardend.daemon.effective import keep_effective
from memgardend.daemon.private_files import make_private_folder, write_atomically
from memgardend.daemon.prompts import pack_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.config.model import Config
    from memgardend.daemon.registry import Registry
    from memgardend.daemon.survey import Survey

SCHEMA_FILE = "schema.json"
READABLE = 0o666  # less what the umask takes: memgarden.yaml is shared and committed


@dataclass(frozen=True, slots=True)
class InitPlan:
    """What `init` is about to do. `text` is the new memgarden.yaml; None: there is one, and it stays.

    `config`: what will be agreed to; a file that changes afterwards is asked about. `must_agree`: the file that
    is there names a model command nobody has agreed to yet; show `model_line`. `brought`: what lies in a
    folder of ours that no `init` has made: it may have come with the files.
    """

    root: Path
    text: str | None
    config: Config
    model_line: str
    must_agree: bool
    brought: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InitDone:
    """What `init` did: the settings agreed to, the files written, whether it was registered before."""

    config: Config
    wrote: tuple[Path, ...]
    known_before: bool


def plan_init(
    survey: Survey, registry: Registry, locale: str | None, *, assistant: str = "", person: str = ""
) -> InitPlan:
    """Decide what to write, without writing.

    Raises UsageError when the language is not said, or is not that of the file that is there, and ConfigError
    when that file is wrong or the folder is none.
    """
    root = survey.root
    file = root / FILENAME
    folder = root / STORE_FOLDER
    typed = shlex.quote(str(root))
    if not root.is_dir():
        remedy = "ls -ld" if root.exists() else "mkdir -p"
        raise ConfigError(f"{root} is no folder", hint=f"{remedy} {typed}")
    if folder.is_symlink():
        raise ConfigError(f"{folder} is a link; memories must lie in it", hint=f"rm {folder}")
    theirs = [] if registry.is_registered(root) else ["memory.db", "prompts"]
    brought = tuple(name for name in theirs if (folder / name).exists())
    if not file.exists():
        if locale is None:
            likely = survey.proposal.locale or "en"
            raise UsageError(
                "the language of memories is not said",
                hint=f"memgardend init --locale {likely} -w {typed}",
            )
        text, config = template(locale, assistant=assistant, person=person, found=survey.counts())
        return InitPlan(root, text, config, model_line(config), False, brought)
    config = load(file)
    if locale is not None and locale != config.locale:
        raise UsageError(f"{file} says locale: {config.locale}", hint="change it in that file")
    if any(source.cwd == "any" for source in config.sources or ()):
        registry.any_workspace((root,))
    agreed = config.dreaming_model.offline or registry.model_trusted(root, config)
    return InitPlan(root, None, config, model_line(config), not agreed, brought)


def apply_init(plan: InitPlan, registry: Registry, now: int) -> InitDone:
    """Write what is missing and register. Safe to repeat; never overwrites settings.

    Raises ConfigError when the folder cannot be written.
    """
    known = registry.is_registered(plan.root)
    file, folder = plan.root / FILENAME, plan.root / STORE_FOLDER
    wrote = []
    with _said_plainly(plan.root):
        if plan.text is not None and write_atomically(
            file, plan.text.encode(), replace=False, mode=READABLE
        ):
            wrote.append(file)
        make_private_folder(folder)
        if write_atomically(folder / ".gitignore", b"*\n", replace=False):
            wrote.append(folder / ".gitignore")
        write_atomically(folder / SCHEMA_FILE, schema_text().encode())
        wrote.append(folder / SCHEMA_FILE)
    keep_effective(folder, plan.config, pack_of(plan.root, plan.config.locale).slot)
    registry.register(plan.root, plan.config, now)
    return InitDone(plan.config, tuple(wrote), known)


def model_line(config: Config) -> str:
    """The model command as a person would type it, and the variables that it may see."""
    settings = config.dreaming_model
    if settings.offline:
        return "offline (built in)"
    argv = settings.command or find_preset(settings.preset, settings.name).argv
    seen = f"  (sees {', '.join(settings.env)})" if settings.env else ""
    return printable(shlex.join(argv) + seen)


@contextlib.contextmanager
def _said_plainly(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = Path(error.filename or root)
        if not os.path.lexists(place):  # a draft, of which nobody knows
            place = place.parent
        raise ConfigError(
            f"{place} cannot be written: {error.strerror}",
            hint=f"ls -ld {shlex.quote(str(place))}",
        ) from error
