"""What the first lines of a Codex rollout tell about the whole thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memgardend.core.clean import clean_line
from memgardend.core.records import Window
from memgardend.core.words import Role, WindowKind
from memgardend.daemon.sources.codex_records import META, cwd_of, unwrapped
from memgardend.daemon.sources.codex_roles import parent_thread, role_of_prompts, window_kind
from memgardend.daemon.sources.files import LONGEST_BYTES
from memgardend.daemon.sources.lines import read_lines
from memgardend.daemon.sources.parts import id_in, time_ms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memgardend.daemon.sources.parts import Record

KIND = "codex"
_HEAD_BYTES = 1 << 20
_UUID_CHARS = 36


@dataclass(frozen=True, slots=True)
class Head:
    """What the first lines of a file tell about the whole of it."""

    window: Window
    prompted_by: Role
    first_at: int | None
    original: str | None  # the thread that this one was forked from
    known: bool  # some record is of a known type


def head_of(path: Path) -> Head | None:
    """None when the file has no complete line yet. The first session record names the thread.

    A fork repeats that of its original right after its own.
    """
    metas: list[Record] = []
    cwd = first_at = None
    empty, known, begun = True, False, False
    for line in read_lines(path, 0):
        empty = False
        for record in line.records:
            kind, payload = unwrapped(record)
            if kind is None:
                continue
            known = True
            if kind == META and not begun:
                metas.append(payload)
            begun = begun or kind != META
            cwd = cwd or cwd_of(kind, payload)
            first_at = time_ms(record.get("timestamp")) if first_at is None else first_at
        if (begun and cwd and first_at is not None) or line.end >= (
            _HEAD_BYTES if known else LONGEST_BYTES
        ):
            break
    if empty:
        return None
    meta = metas[0] if metas else {}
    window = replace(_window(path, meta), cwd=cwd)
    return Head(window, role_of_prompts(meta), first_at, _original(window, metas), known)


def _window(path: Path, meta: Record) -> Window:
    """A thread is named by its session record, or by its file: `rollout-<time>-<uuid>`."""
    thread = clean_line(id_in(meta, "id") or "") or path.stem[-_UUID_CHARS:]
    parent = parent_thread(meta)
    return Window(
        id=f"{KIND}:{thread}",
        source=KIND,
        native_id=thread,
        parent=f"{KIND}:{clean_line(parent)}" if isinstance(parent, str) else None,
        kind=window_kind(meta),
        locator=str(path),
    )


def _original(window: Window, metas: Sequence[Record]) -> str | None:
    """The thread that a fork was made of: named in its session record, or known by its own that follows."""
    if not metas or window.kind is WindowKind.SUBAGENT:
        return None
    named = [id_in(metas[0], name) for name in ("forked_from_id", "forked_from")]
    copied = [id_in(meta, "id") for meta in metas[1:]]
    return next((i for i in [*named, *copied] if i and i != window.native_id), None)
