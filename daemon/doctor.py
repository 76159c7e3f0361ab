"""Everything a workspace needs, checked in order, each with a remedy that can be typed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from memgardend.config.doubts import warnings
from memgardend.config.load import FILENAME, check, read_text
from memgardend.config.pack_check import check_packs
from memgardend.config.packs import STORE_FOLDER
from memgardend.config.prompting import prompt_settings
from memgardend.config.zones import tzdata_version
from memgardend.core.clock import DrivenClock
from memgardend.core.errors import MemgardendError
from memgardend.core.least import require_room
from memgardend.daemon.agents.checks import check_hooks
from memgardend.daemon.agents.tool_checks import check_tools
from memgardend.daemon.check import FAILED, OK, WARNING, Check
from memgardend.daemon.clock import VARIABLE, clock
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.feed import sources_of
from memgardend.daemon.garden import Workspace
from memgardend.daemon.locations import GARDEN, STORE_FILE
from memgardend.daemon.model_check import check_model
from memgardend.daemon.private_files import FILE_MODE, FOLDER_MODE
from memgardend.daemon.prompts import pack_of, slots_document, user_dir
from memgardend.daemon.registry import Registry, registry_dir
from memgardend.daemon.screens.text import many
from memgardend.daemon.service.notes import trouble_of
from memgardend.daemon.store import open_store
from memgardend.daemon.store.folder import is_store_file
from memgardend.daemon.store_check import check_store
from memgardend.daemon.trust import require_trust
from memgardend.daemon.units.checks import check_service

if TYPE_CHECKING:
    from pathlib import Path

Examination = Callable[[Workspace, Mapping[str, str]], Iterator[Check]]


def examine(
    root: Path, environ: Mapping[str, str], *, named: bool, ask: bool = False
) -> list[Check]:
    """Every check of a workspace. Nothing stops it: what cannot be examined is a failed check itself.

    With `ask` the model is asked a question, whatever it costs.
    """
    config, problems = check(read_text(root / FILENAME))
    if config is None:
        first = problems[0]
        detail = f"{FILENAME}:{first.line}:{first.column}: {first.message}"
        return [Check("configuration", FAILED, detail, "memgardend config check")]
    workspace = Workspace(root, config, named)
    found = [Check("configuration", OK, f"{root / FILENAME} is valid")]
    found += [Check("configuration", WARNING, text) for text in warnings(config)]
    examinations: dict[str, Examination] = {
        "trust": _trust,
        "store": check_store,
        "sources": _sources,
        "model": partial(check_model, ask=ask),
        "service": partial(check_service, ask=ask),
        "daemon": _others,
        "prompts": _prompts,
        "hooks": check_hooks,
        "tools": check_tools,
        "clock": _clock,
    }
    for name, examination in examinations.items():
        try:
            found += examination(workspace, environ)
        except (MemgardendError, OSError) as error:
            found.append(Check(name, FAILED, str(error), getattr(error, "hint", None)))
    return found


def fix(root: Path) -> list[str]:
    """Repair what is safe to repair: our files become private, the index is made anew. What was done, in words."""
    done = []
    folder = root / STORE_FOLDER
    wanted = [(folder, FOLDER_MODE)]
    wanted += [(file, FILE_MODE) for file in folder.glob(f"{STORE_FILE}*")]
    for path, mode in wanted:
        if path.exists() and path.stat().st_mode & 0o777 & ~mode:
            path.chmod(mode)
            done.append(f"{path} is private now ({mode:04o})")
    config, _ = check(read_text(root / FILENAME))
    return [*done, *(_index_again(folder / STORE_FILE, config.locale) if config else ())]


def _index_again(file: Path, locale: str) -> list[str]:
    try:
        if not is_store_file(file):
            return []
        store = open_store(
            file, GARDEN, clock=clock(os.environ), failpoints=NoFailpoints(), create=False
        )
        try:
            indexed = store.rebuild_index(locale)
        finally:
            store.close()
    except MemgardendError:
        return []  # a store that cannot be opened is what `examine` tells, with its remedy
    return [f"the index of {indexed:,} memories is made anew"] if indexed else []


def _trust(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    require_trust(Registry(registry_dir()), workspace.root, workspace.named, workspace.config)
    yield Check("trust", OK, "registered, and its model command is agreed to")


def _others(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    """What the daemon cannot do here, and registered workspaces that are gone: it looks for them each minute."""
    noted = trouble_of(registry_dir(), workspace.root)
    if noted is not None:
        yield Check("daemon", FAILED, f"it cannot work here: {noted.text}", noted.hint)
    for entry in Registry(registry_dir()).workspaces():
        if not entry.present:
            hint = f"memgardend config unregister -w {shlex.quote(str(entry.path))}"
            yield Check("registry", WARNING, f"{entry.path} is registered, but gone", hint)


def _sources(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    sources = sources_of(workspace, environ)
    for source in sources:
        files = [file.path for file in source.files()]
        yield Check("sources", OK, f"{source.kind}: {many(len(files), 'file')}")
        shut = [path for path in files if not os.access(path, os.R_OK)]
        if shut:
            detail = f"{source.kind}: {many(len(shut), 'file')} cannot be read"
            yield Check("sources", WARNING, detail, f"ls -l {shlex.quote(shut[0])}")
    if not sources:
        detail = "no agent's conversations are read"
        yield Check("sources", WARNING, detail, "memgardend event < events.jsonl")


def _prompts(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    locale = workspace.config.locale
    problems = check_packs(workspace.root, user_dir(), locale)
    for one in problems:
        yield Check("prompts", FAILED, f"{one.place}: {one.message}", one.hint)
    if not problems:
        require_room(pack_of(workspace.root, locale).slot, prompt_settings(workspace.config))
        slots = slots_document(pack_of(workspace.root, locale))["slots"]
        own = [slot["slot"] for slot in slots if slot["origin"] != "built-in"]
        whose = f"; yours: {'all' if len(own) == len(slots) else ', '.join(own)}" if own else ""
        yield Check("prompts", OK, f"the pack `{locale}` is complete{whose}")


def _clock(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    if isinstance(clock(environ), DrivenClock):
        yield Check("clock", WARNING, f"{VARIABLE} drives it", f"unset {VARIABLE}")
    else:
        yield Check("clock", OK, f"the machine's own; zones from {tzdata_version()}")
