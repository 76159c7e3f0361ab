"""What `doctor` says of a store: its invariants, its room, dreams that are stuck, and how sources were read."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.words import DreamState, WindowKind
from memgardend.daemon.check import FAILED, OK, WARNING, Check
from memgardend.daemon.clock import clock
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.feed import sources_of
from memgardend.daemon.locations import GARDEN
from memgardend.daemon.screens.text import many
from memgardend.daemon.sources import KINDS
from memgardend.daemon.sources.jsonl import KIND as JSONL
from memgardend.daemon.store import open_store, sqlite_version
from memgardend.daemon.store.folder import is_store_file
from memgardend.daemon.store.spool import FOLDER as SPOOL_FOLDER
from memgardend.daemon.store.spool import TORN, torn_files
from memgardend.jobs.passing import never_read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.core.ports import Source, Store
    from memgardend.core.records import Cursor
    from memgardend.daemon.garden import Workspace


def check_store(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    """Whether it is sound and can be written to, and what stands in it that a person should know."""
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
        yield from _room(file)
        yield from _spool(file)
        yield from _dreams(store)
        yield from _read(store)
        for source in sources_of(workspace, environ):
            yield from _compressed(store, source)
            if source.kind == JSONL:  # agents end their lines, and nothing may come into them
                yield from _unended(store, source)
    finally:
        store.close()


def _remedy(check_name: str) -> str:
    if check_name in ("permissions", "index_follows", "index_counts"):
        return "memgardend doctor --fix"
    return "memgardend restore BACKUP, and report this as a bug"


def _room(file: Path) -> Iterator[Check]:
    """What keeps the next dream from being written down, or the daily copy from being made."""
    for path in (file.parent, file):
        if not os.access(path, os.W_OK):
            yield Check(
                "store", FAILED, f"{path} cannot be written to", f"ls -ld {shlex.quote(str(path))}"
            )
            return
    free, needed = shutil.disk_usage(file.parent).free, 2 * file.stat().st_size
    if free < needed:
        detail = (
            f"{free // 1024} KiB free on its disk; a dream and the daily copy need {needed // 1024}"
        )
        yield Check("store", WARNING, detail, f"df {shlex.quote(str(file.parent))}")


def _spool(file: Path) -> Iterator[Check]:
    """Marks of recall that could not be read, so that what they say was seen may be shown once more."""
    folder = file.parent / SPOOL_FOLDER
    torn = torn_files(folder)
    if torn:
        detail = f"{many(len(torn), 'file')} of the spool cannot be read: what they say was shown may come again"
        yield Check("recall", WARNING, detail, f"rm {shlex.quote(str(folder))}/*{TORN}")


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
        if nobodys := sum(one.window is None and one.lines > one.unreadable for one in cursors):
            detail = f"{kind}: {many(nobodys, 'file')} of no workspace: no folder is named, or nothing said"
            yield Check("sources", OK, detail)
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


def _compressed(store: Store, source: Source) -> Iterator[Check]:
    """Files that can only be read once somebody unpacks them, without those that were read before."""
    read = {one.path for one in store.cursors(source.kind)}
    if found := never_read(list(source.files()), read):
        detail = f"{source.kind}: {many(len(found), 'compressed file')} not read"
        unpack = "gunzip -k" if found[0].path.endswith(".gz") else "zstd -d"
        yield Check("sources", WARNING, detail, f"{unpack} {shlex.quote(found[0].path)}")


def _unended(store: Store, source: Source) -> Iterator[Check]:
    """Files whose last line waits for its line feed, and may do so for ever: not every program writes one."""
    read = {one.path: one.offset for one in store.cursors(source.kind)}
    found = [
        file
        for file in source.files()
        if not file.compressed
        and file.size > (offset := read.get(file.path, 0))
        and source.end(file) <= offset
    ]
    if found:
        detail = (
            f"{source.kind}: the last line of {many(len(found), 'file')} waits for its line feed"
        )
        yield Check("sources", WARNING, detail, f"echo >> {shlex.quote(found[0].path)}")


def _is_unread(store: Store, cursor: Cursor) -> bool:
    """True for the file of a window that was old at adoption, has no events, and may dream once it is read."""
    window = store.window(cursor.window or "")
    if window is None or window.kind is not WindowKind.MAIN:
        return False
    return window.last_seq == 0 and window.baseline == 0
