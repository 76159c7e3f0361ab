"""Window and dream ids for the shell's completion: from the store, and silent on any trouble."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memgardend.core.errors import MemgardendError

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.ports import Store

Found = list[tuple[str, str]]


def windows(ctx: typer.Context, incomplete: str) -> Found:
    """Window ids that go on from the text, with their titles."""
    return _look(ctx, lambda store: _windows(store, incomplete))


def dreams(ctx: typer.Context, incomplete: str) -> Found:
    """Dream ids that go on from the text, with their states."""
    return _look(ctx, lambda store: _dreams(store, incomplete))


def _look(ctx: typer.Context, read: Callable[[Store], Found]) -> Found:
    from memgardend.daemon.cli.opening import looking

    try:
        with looking(ctx.params.get("workspace")) as place:
            return read(place.store)
    except (MemgardendError, OSError):
        return []  # a half-typed line is no place for an error message


def _windows(store: Store, incomplete: str) -> Found:
    every = [facts.window for facts in store.window_facts(aside=True)]
    return [
        (one.id if one.id.startswith(incomplete) else one.native_id, one.title or one.source)
        for one in every
        if one.id.startswith(incomplete) or one.native_id.startswith(incomplete)
    ]


def _dreams(store: Store, incomplete: str) -> Found:
    return [
        (dream.id, str(dream.state)) for dream in store.dreams() if dream.id.startswith(incomplete)
    ]
