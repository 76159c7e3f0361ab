"""Takes pushed events: `memgardend event`, one JSON object a line."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memgardend.core.intake import take_in
from memgardend.core.pushed import PushedEvent, PushedLineError, parse_pushed
from memgardend.jobs.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Store
    from memgardend.core.records import Window
    from memgardend.jobs.writing import ResolveProject

BATCH_EVENTS = 5_000
BATCH_CHARS = 16 << 20
"""So much is read before it is written, in one transaction a window."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A line that was not taken: its number from 1, and why."""

    line: int
    reason: str


@dataclass(slots=True)
class PushReport:
    """What became of the pushed lines. Replays and edits count as accepted."""

    accepted: int = 0
    duplicate: int = 0
    rejected: list[Rejection] = field(default_factory=list)


def push_events(
    store: Store,
    lines: Iterable[str],
    *,
    clock: Clock,
    key: bytes,
    zone: tzinfo,
    resolve_project: ResolveProject,
) -> PushReport:
    """Take every good line, in order; say of each bad one why it was rejected. Blank lines are passed over.

    A time without a zone is read in `zone`. Pushed windows are never old. Raises what the store raises.
    """
    report = PushReport()
    writer = Writer(store, clock, resolve_project)
    batch: list[PushedEvent] = []
    chars = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            batch.append(parse_pushed(line, zone))
            chars += len(line)
        except PushedLineError as error:
            report.rejected.append(Rejection(number, str(error)))
        if len(batch) >= BATCH_EVENTS or chars >= BATCH_CHARS:
            _write(writer, batch, key, report)
            batch, chars = [], 0
    _write(writer, batch, key, report)
    return report


def _write(writer: Writer, batch: list[PushedEvent], key: bytes, report: PushReport) -> None:
    """The events of one window go together, in their order; windows in the order of their first event."""
    windows: dict[str, list[PushedEvent]] = {}
    for one in batch:
        windows.setdefault(one.window.id, []).append(one)
    for pushed in windows.values():
        result = writer.write(_merged(pushed), [take_in(one.event, key) for one in pushed])
        report.accepted += result.accepted
        report.duplicate += result.duplicate


def _merged(pushed: list[PushedEvent]) -> Window:
    """What the lines say of their window together: the first folder and parent, the last title."""
    first = pushed[0].window
    windows = [one.window for one in pushed]
    parent = next((window for window in windows if window.parent), first)
    return replace(
        first,
        cwd=next((window.cwd for window in windows if window.cwd), None),
        title=next((window.title for window in reversed(windows) if window.title), None),
        parent=parent.parent,
        kind=parent.kind,
    )
