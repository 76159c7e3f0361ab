"""Everything a workspace needs, checked in order, each with a remedy that can be typed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
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
from memgardend.core.words import DreamState
from memgardend.daemon.check import FAILED, OK, WARNING, Check
from memgardend.daemon.clock import VARIABLE, clock
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.feed import sources_of
from memgardend.daemon.garden import GARDEN, STORE_FILE, Workspace
from memgardend.daemon.model_check import check_model
from memgardend.daemon.private_files import FILE_MODE, FOLDER_MODE
from memgardend.daemon.prompts import pack_of, slots_document, user_dir
from memgardend.daemon.registry import Registry, registry_dir
from memgardend.daemon.screens.text import many
from memgardend.daemon.sources import KINDS
from memgardend.daemon.store import open_store, sqlite_version
from memgardend.daemon.store.folder import is_store_file
from memgardend.daemon.trust import require_trust
from memgardend.daemon.units.checks import check_service

if TYPE_CHECKING:
    from memgardend.core.ports import Store
    from memgardend.core.records import Cursor

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
        "store": _store,
        "sources": _sources,
        "model": partial(check_model, ask=ask),
        "service": partial(check_service, ask=ask),
        "prompts": _prompts,
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
    return [*done, *_index_again(folder / STORE_FILE)]


def _index_again(file: Path) -> list[str]:
    try:
        if not is_store_file(file):
            return []
        store = open_store(
            file, GARDEN, clock=clock(os.environ), failpoints=NoFailpoints(), create=False
        )
        try:
            indexed = store.rebuild_index()
        finally:
            store.close()
    except MemgardendError:
        return []  # a store that cannot be opened is what `examine` tells, with its remedy
    return [f"the index of {indexed:,} memories is made anew"] if indexed else []


def _trust(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    require_trust(Registry(registry_dir()), workspace.root, workspace.named, workspace.config)
    yield Check("trust", OK, "registered, and its model command is agreed to")


def _store(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    file = workspace.store_file
    versions = f"SQLite {sqlite_version()}, journal TRUNCATE"
    if not is_store_file(file):
        yield Check("store", OK, f"none yet; {versions}")
        return
    store = open_store(file, GARDEN, clock=clock(environ), failpoints=NoFailpoints(), create=False)
    try:
        found = store.violations()
        yield from (
            Check("store", FAILED, f"{one.check}: {one.detail}", _remedy(one.check))
            for one in found
        )
        if not found:
            size = file.stat().st_size
            yield Check("store", OK, f"{size // 1024} KiB, every invariant holds; {versions}")
        yield from _dreams(store)
        yield from _read(store)
    finally:
        store.close()


def _remedy(check_name: str) -> str:
    if check_name in ("permissions", "index_follows"):
        return "memgardend doctor --fix"
    return "memgardend restore BACKUP, and report this as a bug"


def _dreams(store: Store) -> Iterator[Check]:
    stuck = store.dreams(states=(DreamState.QUARANTINED,))
    for dream in stuck:
        detail = f"{dream.id} is quarantined: {dream.reason}"
        yield Check("dreams", WARNING, detail, f"memgardend show {dream.id}")


def _read(store: Store) -> Iterator[Check]:
    """What was read of the sources before: damaged lines, files that are gone, and old ones that may go unread."""
    for kind in KINDS:
        cursors = store.cursors(kind)
        for cursor in cursors:
            if cursor.unreadable:
                lines = many(cursor.unreadable, "line")
                yield Check("sources", WARNING, f"{lines} of {cursor.path} could not be read")
        ours = [one for one in cursors if one.window is not None]
        gone = {one.path for one in ours if not Path(one.path).exists()}
        unread = {one.path for one in ours if _is_unread(store, one)}
        if read := gone - unread:
            detail = f"{kind}: gone since they were read: {many(len(read), 'file')}; what was said is kept"
            yield Check("sources", OK, detail)
        if lost := gone & unread:
            detail = f"{kind}: gone before it was read: {many(len(lost), 'old conversation')}"
            yield Check("sources", WARNING, detail)
        if left := unread - gone:
            detail = f"{kind}: {many(len(left), 'old conversation')} not read; agents delete theirs in time"
            yield Check("sources", OK, detail, "memgardend dream --backlog")


def _is_unread(store: Store, cursor: Cursor) -> bool:
    """True for the file of a window that was old at adoption and has no events."""
    window = store.window(cursor.window or "")
    return window is not None and window.last_seq == 0 and window.baseline == 0


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
