"""What is noted of a window: late, twice or in any order, the state is the same."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.recall.window import (
    has_begun,
    next_stamp,
    noted,
    projects_asked,
    reinject_pending,
    seen,
    written,
)
from memgardend.core.records.window_recall import Marks, WindowRecall
from memgardend.core.words import Use
from support.stores import NOW

W = "event:a"
IDS = st.lists(st.sampled_from(["m1", "m2", "m3"]), max_size=3, unique=True).map(tuple)
MARKS = st.builds(
    Marks,
    window=st.just(W),
    at=st.integers(0, 9),
    used=st.dictionaries(st.sampled_from(Use), IDS, max_size=2),
    projects_asked=st.sampled_from([(), ("p1",), ("p1", "p2")]),
    block=st.booleans(),
    prompted=st.booleans(),
    released=st.booleans(),
    restored=st.booleans(),
)
"""Without an anchor: of two set in one instant either may win."""
ALL_MARKS = st.lists(MARKS, max_size=8)


def state_of(*marks: Marks) -> WindowRecall:
    return reduce(noted, marks, WindowRecall(window=W))


@given(ALL_MARKS, st.data())
def test_marks_may_come_late_and_twice(marks: list[Marks], data: st.DataObject) -> None:
    again = data.draw(st.lists(st.sampled_from(marks), max_size=4)) if marks else []
    assert state_of(*data.draw(st.permutations(marks + again))) == state_of(*marks)


@given(ALL_MARKS, st.integers(0, 9))
def test_a_new_stamp_is_later_than_all_that_is_known(marks: list[Marks], now: int) -> None:
    state = state_of(*marks)
    stamp = next_stamp(state, now)
    assert stamp >= now
    after = noted(state, Marks(window=W, at=stamp, released=True))
    assert not seen(after)
    assert reinject_pending(after)


def mark(at: int, **fields: object) -> Marks:
    return Marks(window=W, at=at, **fields)  # type: ignore[arg-type]


def used(at: int, use: Use, *ids: str) -> Marks:
    return Marks(window=W, at=at, used={use: ids})


def test_seen_is_what_was_shown_searched_or_read_since_the_last_compaction() -> None:
    shown = [
        used(1, Use.INJECTED, "old"),
        mark(2, released=True),
        used(3, Use.INJECTED, "a"),
        used(4, Use.SEARCHED, "b"),
        used(5, Use.ACCESSED, "c"),
        used(6, Use.WRITTEN, "d"),
    ]
    assert seen(state_of(*shown)) == {"a", "b", "c"}
    assert seen(state_of(*shown, used(7, Use.SEARCHED, "old"))) == {"a", "b", "c", "old"}


def test_written_and_asked_for_are_in_the_order_of_their_last_time() -> None:
    marks = [used(1, Use.WRITTEN, "a"), used(2, Use.WRITTEN, "b"), used(3, Use.WRITTEN, "a")]
    assert written(state_of(*marks)) == ("b", "a")
    asked = [mark(at, projects_asked=(f"p{at}",)) for at in range(10)]
    assert projects_asked(state_of(*asked)) == tuple(f"p{at}" for at in range(2, 10))


def test_the_last_anchor_holds() -> None:
    marks = [mark(2, anchor="b"), mark(1, anchor="a"), mark(3, released=True)]
    assert state_of(*marks).anchor == "b"


@pytest.mark.parametrize(
    ("state", "begun"),
    [
        pytest.param(WindowRecall(window=W), False, id="nothing known"),
        pytest.param(WindowRecall(window=W, block_at=NOW), False, id="the block alone"),
        pytest.param(WindowRecall(window=W, prompted_at=NOW), True, id="a message"),
        pytest.param(WindowRecall(window=W, spoke_at=NOW - 3_600_000), True, id="read before"),
        pytest.param(WindowRecall(window=W, spoke_at=NOW - 1000), False, id="this one, read"),
    ],
)
def test_a_window_has_begun_when_somebody_spoke_before(state: WindowRecall, begun: bool) -> None:
    assert has_begun(state, NOW) is begun
