"""Where a conversation that never goes quiet is cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.clock import MINUTE_MS
from memgardend.core.pauses import last_pause
from memgardend.core.records import Event
from memgardend.core.words import Role


def talk(*steps: tuple[str, int]) -> list[Event]:
    """Events numbered from 1: who, and how many minutes after the one before."""
    events, at = [], 0
    for seq, (role, minutes) in enumerate(steps, start=1):
        at += minutes * MINUTE_MS
        events.append(
            Event(
                window="w",
                seq=seq,
                native_id=None,
                at=at,
                received_at=at,
                role=Role(role),
                text="x",
            )
        )
    return events


ROWS = {
    "the-last-of-two-pauses": (
        talk(
            ("human", 0),
            ("assistant", 1),
            ("human", 10),
            ("assistant", 1),
            ("human", 12),
            ("tool", 1),
        ),
        4,
    ),
    "ten-minutes-are-a-pause": (talk(("human", 0), ("assistant", 10), ("human", 1)), 1),
    "no-pause-ends-before-the-newest-human-turn": (
        talk(("human", 0), ("assistant", 1), ("human", 1), ("assistant", 1)),
        2,
    ),
    "one-turn-is-taken-whole": (talk(("human", 0), ("assistant", 1), ("tool", 1)), 3),
    "a-pause-before-any-speech-does-not-count": (
        talk(("tool", 0), ("human", 30), ("assistant", 1), ("human", 1)),
        3,
    ),
    "one-event": (talk(("human", 0)), 1),
}


SPEECH = (Role.HUMAN, Role.ASSISTANT)


def cut(events: list[Event]) -> int | None:
    spoken = next((one.seq for one in events if one.role in SPEECH), 1)
    return last_pause(reversed(events), spoken)


@pytest.mark.parametrize(("events", "expected"), ROWS.values(), ids=ROWS)
def test_last_pause(events: list[Event], expected: int) -> None:
    assert cut(events) == expected


def test_without_events_there_is_nothing_to_cut() -> None:
    assert cut([]) is None


def test_no_event_before_the_last_pause_is_read() -> None:
    read: list[int] = []

    def backwards() -> Iterator[Event]:
        for one in reversed(talk(*[("human", 1)] * 90, ("human", 10), ("assistant", 1))):
            read.append(one.seq)
            yield one

    assert last_pause(backwards(), 1) == 90
    assert read == [92, 91, 90]


steps = st.tuples(st.sampled_from(("human", "assistant", "tool", "own")), st.integers(0, 20))


@given(st.lists(steps, min_size=1, max_size=20))
def test_a_cut_makes_progress(given_steps: list[tuple[str, int]]) -> None:
    events = talk(*given_steps)
    through = cut(events)
    assert through is not None
    assert 1 <= through <= len(events)
    spoken = [e.seq for e in events if e.role in SPEECH]
    assert not spoken or spoken[0] <= through
