"""Ids and names for the shell's completion: from the store, and silent on any trouble."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memgardend.core.clean import clean_line
from memgardend.core.errors import MemgardendError
from memgardend.core.words import OPEN_STATES

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.ports import Store

SHOWN = 200
"""More than a person looks through."""
SAID_CHARS = 60
Found = list[tuple[str, str]]


def windows(ctx: typer.Context, incomplete: str) -> Found:
    """Window ids that go on from the text, with their titles, newest activity first."""
    return _look(ctx, lambda store: _windows(store, incomplete))


def dreams(ctx: typer.Context, incomplete: str) -> Found:
    """Dream ids that go on from the text, with their states, newest first."""
    return _look(ctx, lambda store: _dreams(store, incomplete))


def open_dreams(ctx: typer.Context, incomplete: str) -> Found:
    """The same of dreams that have not ended."""
    return _look(
        ctx, lambda store: [one for one in _dreams(store, incomplete) if one[1] in OPEN_STATES]
    )


def memories(ctx: typer.Context, incomplete: str) -> Found:
    """Memory ids that go on from the text, with what they say, the newest first."""
    return _look(ctx, lambda store: _memories(store, incomplete))


def projects(ctx: typer.Context, incomplete: str) -> Found:
    """Names of projects that go on from the text."""
    return _look(ctx, lambda store: _projects(store, incomplete))


def _look(ctx: typer.Context, read: Callable[[Store], Found]) -> Found:
    from memgardend.daemon.cli.opening import looking

    try:
        with looking(ctx.params.get("workspace")) as place:
            return read(place.store)
    except (MemgardendError, OSError):
        return []  # a half-typed line is no place for an error message


def _windows(store: Store, incomplete: str) -> Found:
    read = map(store.window, store.find_windows(incomplete)[:SHOWN])
    found = [one for one in read if one is not None]
    return [
        (one.id if one.id.startswith(incomplete) else one.native_id, one.title or one.source)
        for one in sorted(found, key=lambda one: -(one.last_event_at or 0))
    ]


def _dreams(store: Store, incomplete: str) -> Found:
    found = map(store.dream, store.find_dreams(incomplete)[: -SHOWN - 1 : -1])
    return [(one.id, str(one.state)) for one in found if one is not None]


def _memories(store: Store, incomplete: str) -> Found:
    ids = store.find_memories(incomplete)[: -SHOWN - 1 : -1]
    found = {one.id: one for one in store.memories(ids=ids)}
    return [
        (one, clean_line(found[one].title or found[one].content)[:SAID_CHARS])
        for one in ids
        if one in found
    ]


def _projects(store: Store, incomplete: str) -> Found:
    return [
        (one.name, one.root or "")
        for one in store.projects()
        if one.name.casefold().startswith(incomplete.casefold())
    ]
