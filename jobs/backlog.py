"""The backlog: conversations from before the adoption, read only because a person asked for them.

They are read once to say what they would cost, and again to be stored; then they are due like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.intake import begins_as_own, take_in
from memgardend.core.price import estimate_tokens
from memgardend.core.records import IngestBatch
from memgardend.jobs.adoption import as_replays

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memgardend.core.ports import Chunk, Source, SourceFile, Store
    from memgardend.core.records import IngestResult, NewEvent, Window

CHUNK_BYTES = 4 << 20
CALLS_PER_DREAM = 2
"""The rounds `atomic` and `topic`; `project` is rare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What the backlog of one window would take."""

    window: str
    title: str | None
    last_event_at: int | None
    events: int
    dreams: int
    tokens: int  # that the model reads, about

    @property
    def calls(self) -> int:
        """Model calls, about."""
        return self.dreams * CALLS_PER_DREAM


@dataclass(frozen=True, slots=True)
class Owed:
    """A window that was old at adoption, and the file that still holds its earlier events."""

    window: Window
    source: Source
    file: SourceFile


def owed_windows(store: Store, sources: Sequence[Source], since: int) -> Iterator[Owed]:
    """Old windows without a dream whose last event is not before `since` and whose file is still there."""
    old = [one.window for one in reversed(store.window_facts()) if _owes(one.window, since)]
    for source in sources:
        files = {file.path: file for file in source.files()}
        for window in old:
            file = files.get(window.locator or "") if window.source == source.kind else None
            if file is not None and not store.dreams(1, window=window.id):
                yield Owed(window, source, file)


def _owes(window: Window, since: int) -> bool:
    untouched = window.baseline == 0 and window.dreamed_seq == 0
    return untouched and (window.last_event_at or 0) >= since


def estimate(owed: Owed, key: bytes, *, room_chars: int, guide_tokens: int) -> Estimate:
    """Read the window's file and count; stores nothing.

    `room_chars`: what a prompt holds of events, which count as they will be shown: masked and clipped.
    `guide_tokens`: what a prompt has besides.
    """
    events = chars = tokens = 0
    for event in _earlier_events(owed, key):
        events += 1
        chars += len(event.text)
        tokens += estimate_tokens(event.text)
    dreams = max(1, -(-chars // room_chars)) if events else 0
    return Estimate(
        window=owed.window.id,
        title=owed.window.title,
        last_event_at=owed.window.last_event_at,
        events=events,
        dreams=dreams,
        tokens=(tokens + dreams * guide_tokens) * CALLS_PER_DREAM,
    )


def take_in_backlog(store: Store, owed: Owed, key: bytes, now: int) -> IngestResult:
    """Store the window's earlier events, all in one transaction; they are due from then on."""
    return store.ingest_backlog(
        IngestBatch(window=owed.window, events=tuple(_earlier_events(owed, key)), received_at=now)
    )


def _earlier_events(owed: Owed, key: bytes) -> Iterator[NewEvent]:
    """Every event of the file, as ingest would store it; none of a run of our own model command.

    Events that came after the adoption are among them: the store knows their ids.
    """
    offset, more, begun = 0, True, False
    while more:
        chunk = owed.source.read(owed.file, offset, CHUNK_BYTES)
        if chunk is None:
            return
        events = as_replays([take_in(event, key) for event in _said(chunk, owed)], chunk.copied)
        if not begun and begins_as_own(events):
            return
        begun = begun or bool(events)
        yield from events
        offset, more = chunk.offset, chunk.more


def _said(chunk: Chunk, owed: Owed) -> Iterator[NewEvent]:
    """What is said in the window: it may be one of several in its file."""
    for window, events in ((chunk.window, chunk.events), *chunk.aside):
        if window.id == owed.window.id:
            yield from events
