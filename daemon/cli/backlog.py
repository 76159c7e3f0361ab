"""`memgardend dream --backlog`: the estimate, the question, and the reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.cli.consent import ask
from memgardend.daemon.screens.text import many

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.daemon.garden import Workspace
    from memgardend.jobs.backlog import Estimate
    from memgardend.jobs.context import Garden

EVENTS_SHARE = 0.5
"""Part of a prompt that events fill in long conversations, about."""
GUIDE_SLOTS = [
    "opening",
    "data",
    "layers",
    "judgement",
    "round-atomic",
    "operations",
    "answer",
    "closing",
]
"""What each prompt says besides."""


def read_backlog(
    place: Workspace,
    garden: Garden,
    since: str | None,
    *,
    given: Path | None,
    yes: bool,
    as_json: bool,
) -> list[dict[str, Any]]:
    """Estimate, ask, and store the earlier events of old windows; what was estimated, a row a window.

    Raises UsageError when nobody can be asked and nobody said --yes.
    """
    import os

    from memgardend.config.times import typed_duration
    from memgardend.core.price import estimate_tokens
    from memgardend.daemon.feed import sources_of
    from memgardend.jobs.backlog import estimate, owed_windows, take_in_backlog

    now = garden.clock.now_ms()
    after = 0 if since is None else now - typed_duration(since)
    room_chars = int(garden.model_settings.max_prompt_chars * EVENTS_SHARE)
    guide_tokens = sum(estimate_tokens(garden.slot(name)) for name in GUIDE_SLOTS)
    found = []
    for owed in owed_windows(garden.store, sources_of(place, os.environ), after):
        row = estimate(owed, garden.key, room_chars=room_chars, guide_tokens=guide_tokens)
        if row.events:
            found.append((owed, row))
    rows = [row for _, row in found]
    if rows:
        narrowed = [] if since is None else ["--since", since]
        command = ["dream", "--backlog", *narrowed]
        ask(summary(rows), command, given, yes=yes, as_json=as_json)
    for owed, _ in found:
        take_in_backlog(garden.store, owed, garden.key, now)
    return [_document(row) for row in rows]


def summary(rows: list[Estimate]) -> str:
    """What the backlog would take, in one line."""
    events, dreams = sum(row.events for row in rows), sum(row.dreams for row in rows)
    calls, tokens = sum(row.calls for row in rows), sum(row.tokens for row in rows)
    return (
        f"{many(len(rows), 'old conversation')} with {many(events, 'event')}: about "
        f"{many(dreams, 'dream')}, {many(calls, 'model call')}, {many(tokens, 'token')} to read"
    )


def _document(row: Estimate) -> dict[str, Any]:
    return {
        "window": row.window,
        "title": row.title,
        "events": row.events,
        "dreams": row.dreams,
        "calls": row.calls,
        "tokens": row.tokens,
    }
