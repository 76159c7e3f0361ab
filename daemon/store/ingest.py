"""Ingest: one batch of a source's file becomes rows, in one transaction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from memgardend.core.forgetting import forgotten_mark
from memgardend.core.records import IngestResult, Window
from memgardend.core.words import ACTIVITY_ROLES, SPEECH_ROLES, Role, WindowKind
from memgardend.daemon.store import rows
from memgardend.daemon.store.cursors import move_cursor
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import IngestBatch, NewEvent
    from memgardend.daemon.store.driver import Row, Transaction

_EVENT_COLUMNS = (
    *("garden", "window", "seq", "native_id", "at", "received_at"),
    *("role", "text", "pasted", "tool", "replaces"),
)
_PLACES = ", ".join("?" for _ in _EVENT_COLUMNS)
_INSERT_EVENT = f"INSERT INTO events ({', '.join(_EVENT_COLUMNS)}) VALUES ({_PLACES})"
_WINDOW_COLUMNS = rows.names(Window)
_INSERT_WINDOW = rows.insert_sql("windows", _WINDOW_COLUMNS)
_UPDATE_WINDOW = (
    "UPDATE windows SET "
    + ", ".join(f"{c} = :{c}" for c in _WINDOW_COLUMNS if c != "id")
    + " WHERE garden = :garden AND id = :id"
)

_KNOWN_HERE = """
SELECT e.native_id, e.seq, e.text FROM events AS e INDEXED BY events_native
WHERE e.garden = :garden AND e.window = :window
    AND e.native_id IN (SELECT value FROM json_each(:natives))
ORDER BY e.seq
"""
_KNOWN_ELSEWHERE = """
SELECT DISTINCT e.native_id, e.text FROM events AS e
JOIN windows AS w ON w.garden = e.garden AND w.id = e.window
WHERE e.garden = :garden AND e.window <> :window AND w.source = :source
    AND e.native_id IN (SELECT value FROM json_each(:natives))
"""
_CANCEL = """
UPDATE dreams SET state = 'cancelled', reason = 'new_speech', finished_at = :now, next_attempt_at = NULL
WHERE garden = :garden AND window = :window AND state IN ('failed', 'quarantined')
RETURNING id
"""


@dataclass
class _Known:
    """What the store already has of a batch's native ids."""

    texts: dict[str | None, set[str]] = field(default_factory=dict)  # every version of the text
    newest: dict[str | None, int] = field(default_factory=dict)  # seq of the newest version
    # Texts of originals in other windows of the source. An id alone is not enough: who pushes events may
    # count them from one in every window.
    elsewhere: dict[str | None, set[str]] = field(default_factory=dict)
    repeated: frozenset[str | None] = frozenset()  # ids that several events of the batch have

    @property
    def ids(self) -> frozenset[str | None]:
        """Those with which an event may be no news; mostly none."""
        return self.repeated | self.texts.keys() | self.elsewhere.keys()

    def note(self, native_id: str | None, seq: int, text: str) -> None:
        self.texts.setdefault(native_id, set()).add(text)
        self.newest[native_id] = seq

    def is_known(self, event: NewEvent) -> bool:
        return _holds(self.texts, event)

    def is_copy(self, event: NewEvent) -> bool:
        return _holds(self.elsewhere, event)


def _holds(texts: dict[str | None, set[str]], event: NewEvent) -> bool:
    """Whether the event's text, or the mark that stands for it, is among those with its id."""
    found = texts.get(event.native_id)
    return found is not None and (event.text in found or forgotten_mark(event.text) in found)


def insert_events(transaction: Transaction, events: Iterable[Row]) -> None:
    """Values by their places: binding them by name would take longer than all checks of a row."""
    transaction.execute_many(_INSERT_EVENT, map(itemgetter(*_EVENT_COLUMNS), events))


class Ingest(Part):
    """The writing side of windows and events."""

    def ingest(self, batch: IngestBatch) -> IngestResult:
        with self._database.write() as transaction:
            return self._take_in(transaction, batch)

    def ingest_together(self, batches: Sequence[IngestBatch]) -> list[IngestResult]:
        with self._database.write() as transaction:
            return [self._take_in(transaction, batch) for batch in batches]

    def _take_in(self, transaction: Transaction, batch: IngestBatch) -> IngestResult:
        if batch.cursor is not None and not move_cursor(
            transaction, self._garden, batch.cursor, batch.expected_offset
        ):
            return IngestResult(stale=True)
        stored = transaction.one(
            "SELECT * FROM windows WHERE garden = :garden AND id = :id",
            {"garden": self._garden, "id": batch.window.id},
        )
        known = rows.window_of(stored) if stored else None
        window = _seed(batch) if known is None else _freshened(known, batch.window)
        events, result = self._new_events(transaction, window, batch)
        window = _with_events(window, events)
        if known is None or window != known:
            if events or known is None or window.kind != known.kind:
                window = replace(window, rev=window.rev + 1)
            sql = _INSERT_WINDOW if known is None else _UPDATE_WINDOW
            transaction.execute(sql, rows.to_row(window, self._garden))
        self._failpoints.hit("ingest.inside")
        insert_events(transaction, events)
        if any(event["role"] in SPEECH_ROLES for event in events):
            result = replace(result, cancelled_dream=self._cancel(transaction, batch))
        return result

    def _new_events(
        self, transaction: Transaction, window: Window, batch: IngestBatch
    ) -> tuple[list[Row], IngestResult]:
        """The rows of what is new, and the counts."""
        if batch.old and batch.events:
            raise ValueError("a window that was old at adoption is registered without events")
        known = self._known(transaction, window, batch)
        ids = known.ids
        accepted: list[Row] = []
        duplicate = replays = edited = 0
        for event in batch.events:
            familiar = event.native_id in ids
            if familiar and known.is_known(event):
                duplicate += 1
                continue
            replaces = known.newest.get(event.native_id)
            edited += replaces is not None
            seq = window.last_seq + len(accepted) + 1
            role = Role.REPLAY if familiar and known.is_copy(event) else event.role
            replays += role is Role.REPLAY
            accepted.append(self._event_row(window.id, seq, role, event, batch, replaces))
            if familiar:
                known.note(event.native_id, seq, event.text)
        return accepted, IngestResult(
            accepted=len(accepted), duplicate=duplicate, replays=replays, edited=edited
        )

    def _known(self, transaction: Transaction, window: Window, batch: IngestBatch) -> _Known:
        natives = Counter(e.native_id for e in batch.events if e.native_id is not None)
        known = _Known(repeated=frozenset(i for i, times in natives.items() if times > 1))
        if not natives:
            return known
        params = {
            "garden": self._garden,
            "window": window.id,
            "source": window.source,
            "natives": rows.to_json(sorted(natives)),
        }
        for row in transaction.read(_KNOWN_HERE, params):
            known.note(row["native_id"], row["seq"], row["text"])
        for row in transaction.read(_KNOWN_ELSEWHERE, params):
            known.elsewhere.setdefault(row["native_id"], set()).add(row["text"])
        return known

    def _event_row(
        self,
        window_id: str,
        seq: int,
        role: Role,
        event: NewEvent,
        batch: IngestBatch,
        replaces: int | None,
    ) -> Row:
        at = batch.received_at if event.at is None else min(event.at, batch.received_at)
        return {
            "garden": self._garden,
            "window": window_id,
            "seq": seq,
            "native_id": event.native_id,
            "at": at,
            "received_at": batch.received_at,
            "role": role.value,
            "text": event.text,
            "pasted": rows.to_json(event.pasted) if event.pasted else "[]",
            "tool": event.tool,
            "replaces": replaces,
        }

    def _cancel(self, transaction: Transaction, batch: IngestBatch) -> str | None:
        found = transaction.one(
            _CANCEL,
            {"garden": self._garden, "window": batch.window.id, "now": batch.received_at},
        )
        return found["id"] if found else None


def _seed(batch: IngestBatch) -> Window:
    """A window as it is first written: what the batch may set, and nothing else."""
    window = batch.window
    seed = Window(
        id=window.id,
        source=window.source,
        native_id=window.native_id,
        cwd=window.cwd,
        project=window.project,
        title=window.title,
        parent=window.parent,
        kind=window.kind,
        locator=window.locator,
    )
    if not batch.old:
        return seed
    return replace(
        seed,
        baseline=0,
        first_event_at=_clamped(window.first_event_at, batch.received_at),
        last_event_at=_clamped(window.last_event_at, batch.received_at),
        first_speech_at=_clamped(window.first_speech_at, batch.received_at),
        last_speech_at=_clamped(window.last_speech_at, batch.received_at),
    )


def _clamped(at: int | None, received_at: int) -> int | None:
    return None if at is None else min(at, received_at)


def _freshened(known: Window, fresh: Window) -> Window:
    """A known window with a fresh title and locator; cwd, project and parent are set once, for good."""
    return replace(
        known,
        cwd=known.cwd if known.cwd is not None else fresh.cwd,
        project=known.project if known.project is not None else fresh.project,
        parent=known.parent if known.parent is not None else fresh.parent,
        title=fresh.title if fresh.title is not None else known.title,
        locator=fresh.locator if fresh.locator is not None else known.locator,
        # `main` is what an adapter says as long as it knows no better.
        kind=known.kind if fresh.kind is WindowKind.MAIN else fresh.kind,
    )


def _with_events(window: Window, events: list[Row]) -> Window:
    """The window after these events: times of activity and speech, and the last numbers."""
    if not events:
        return window
    active = [event["at"] for event in events if event["role"] in ACTIVITY_ROLES]
    speech = [event for event in events if event["role"] in SPEECH_ROLES]
    window = replace(window, last_seq=events[-1]["seq"])
    if active:
        window = replace(
            window,
            first_event_at=min(_present(window.first_event_at) + active),
            last_event_at=max(_present(window.last_event_at) + active),
        )
    if speech:
        window = replace(
            window,
            first_speech_at=min(_present(window.first_speech_at) + [e["at"] for e in speech]),
            last_speech_at=max(_present(window.last_speech_at) + [e["at"] for e in speech]),
            last_speech_seq=speech[-1]["seq"],
        )
    return window


def _present(at: int | None) -> list[int]:
    return [] if at is None else [at]
