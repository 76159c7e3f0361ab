"""What a dream is shown: every event exactly once over its dreams, memories within their share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.cutting import memory_chars
from memgardend.core.errors import ConfigError
from memgardend.core.plan import Plan, PlannedEvent, view_of
from memgardend.core.records import Event, Memory
from memgardend.core.scope import GLOBAL, Scope
from memgardend.core.words import Layer, Role, Status
from support.dreaming import ALPHA, NOON, WINDOW, event, limits, memory, plan
from support.prompts import SMALLEST

DAY_MS = 86_400_000

lengths = st.one_of(st.integers(0, 400), st.integers(400, 9_000), st.integers(20_000, 33_000))


@st.composite
def conversations(draw: st.DrawFn) -> list[Event]:
    """Events with gaps in `seq`, of any role and length, some of them corrected later."""
    events, seq, at = [], 0, NOON
    for _ in range(draw(st.integers(1, 14))):
        seq += draw(st.integers(1, 3))
        at += draw(st.integers(-60_000, 3_600_000))
        text = (draw(st.text(max_size=20)) + "word 8080 ") * 3_300
        events.append(
            event(
                seq,
                text[: draw(lengths)],
                draw(st.sampled_from(Role)),
                at=at,
                replaced=draw(st.integers(0, 5)) == 0,
            )
        )
    return events


@st.composite
def gardens(draw: st.DrawFn) -> list[Memory]:
    """Memories of any layer, status and length."""
    return [
        memory(
            str(number),
            "x" * draw(st.integers(1, 3_000)),
            draw(st.sampled_from(Layer)),
            status=draw(st.sampled_from(Status)),
            scope=draw(st.sampled_from([GLOBAL, Scope.of(), Scope.of(ALPHA.id)])),
        )
        for number in range(draw(st.integers(0, 12)))
    ]


def news_of(events: Sequence[Event]) -> list[int]:
    return [
        one.seq for one in events if one.role not in (Role.OWN, Role.REPLAY) and not one.replaced
    ]


def shown_in(dream: Plan) -> list[int]:
    return [planned.seq for planned in dream.events if not planned.prelude]


def dreams_over(events: list[Event], memories: list[Memory], max_prompt_chars: int) -> list[Plan]:
    """The plans of one dream after the other until nothing is left after the watermark."""
    dreams: list[Plan] = []
    done = 0
    while left := [one for one in events if one.seq > done]:
        dream = plan(
            left,
            window=replace(WINDOW, dreamed_seq=done),
            prelude=[one for one in events if one.seq <= done][-6:],
            touched=memories,
            within=limits(max_prompt_chars),
            before=dreams[-1] if dreams else None,
        )
        assert dream.through_seq > done, "no progress"
        dreams.append(dream)
        done = dream.through_seq
    return dreams


@settings(max_examples=60, deadline=None)
@given(conversations(), gardens(), st.sampled_from([SMALLEST, 31_000, 120_000]))
def test_successive_dreams_show_every_new_event_exactly_once(
    events: list[Event], memories: list[Memory], max_prompt_chars: int
) -> None:
    dreams = dreams_over(events, memories, max_prompt_chars)
    assert [seq for dream in dreams for seq in shown_in(dream)] == news_of(events)
    assert [dream.continued for dream in dreams] == [True] * (len(dreams) - 1) + [False]
    assert [dream.continues for dream in dreams] == [False] + [True] * (len(dreams) - 1)
    assert dreams[-1].through_seq == events[-1].seq


@settings(max_examples=60, deadline=None)
@given(conversations(), gardens())
def test_a_plan_survives_its_json_and_names_each_thing_once(
    events: list[Event], memories: list[Memory]
) -> None:
    dream = plan(events, touched=memories, panoramas={ALPHA.id: memories})
    assert Plan.from_json(dream.to_json()) == dream
    handles = [planned.handle for planned in dream.all_memories]
    assert len(set(handles)) == len(handles) == len({m.id for m in dream.all_memories})
    assert len({planned.handle for planned in dream.events}) == len(dream.events)
    view = view_of(dream, events, memories)
    assert {h: m.id for h, m in view.memories.items()} == {
        planned.handle: planned.id for planned in dream.all_memories
    }


@given(conversations())
def test_the_seal_is_the_last_time_that_is_shown(events: list[Event]) -> None:
    dream = plan(events)
    shown = shown_in(dream)
    times = [one.at for one in events if one.seq in shown]
    assert dream.seal == max(times or [one.at for one in events])


def test_replays_are_context_and_own_or_replaced_events_are_left_out() -> None:
    events = [
        event(1, "copied from elsewhere", Role.REPLAY),
        event(2, "our own prompt", Role.OWN),
        event(3, "the first try", replaced=True),
        event(4, "what was really said"),
    ]
    dream = plan(events, prelude=[event(0, "dreamed before", at=NOON)])
    assert dream.events == (
        PlannedEvent("e1", 0, prelude=True),
        PlannedEvent("e2", 1, prelude=True),
        PlannedEvent("e3", 4),
    )


def test_a_window_of_own_text_alone_is_covered_without_showing_any() -> None:
    dream = plan([event(1, "our own prompt", Role.OWN), event(2, "again", Role.OWN)])
    assert (dream.events, dream.through_seq, dream.continued) == ((), 2, False)


@pytest.mark.parametrize(
    ("max_prompt_chars", "turns"),
    [(120_000, 12), (SMALLEST, 1)],
    ids=["twelve", "fewer where there is little room"],
)
def test_context_is_the_last_few_turns_only(max_prompt_chars: int, turns: int) -> None:
    prelude = [event(seq, "said " * 40) for seq in range(1, 40)]
    dream = plan([event(40, "new")], prelude=prelude, within=limits(max_prompt_chars))
    context = [planned.seq for planned in dream.events if planned.prelude]
    assert context == list(range(40 - turns, 40))


def test_an_event_larger_than_a_prompt_is_shown_alone() -> None:
    dream = plan([event(1, "x" * 32_000), event(2, "and then")], within=limits(SMALLEST))
    assert (shown_in(dream), dream.through_seq, dream.continued) == ([1], 1, True)


def test_context_after_the_cut_waits_for_the_next_dream() -> None:
    events = [
        event(1, "x" * 32_000),
        event(2, "copied from elsewhere", Role.REPLAY),
        event(3, "y" * 32_000),
    ]
    dream = plan(events, within=limits(SMALLEST))
    assert dream.events == (PlannedEvent("e1", 1),)
    assert dream.through_seq == 1


def test_touched_memories_come_first_and_finished_ones_last() -> None:
    done = memory("done", "rename the tables", Layer.PROJECT, status=Status.STALE)
    touched, related = memory("touched", "port 8080"), memory("related", "host is db1")
    dream = plan([event(1, "hello")], touched=[done, touched], related=[related, touched])
    assert [m.id for m in dream.memories] == [touched.id, related.id, done.id]
    assert [m.handle for m in dream.memories] == ["m1", "m2", "m3"]


def test_related_memories_are_limited_and_active() -> None:
    related = [memory(str(number), f"fact {number}") for number in range(5)]
    related[1] = replace(related[1], status=Status.ARCHIVED)
    dream = plan([event(1, "hello")], related=related, within=limits(related_limit=3))
    assert [m.id for m in dream.memories] == [related[0].id, related[2].id]


@pytest.mark.parametrize(
    ("review_days", "shown"),
    [(2, ["fresh", "old fact"]), (0, ["fresh", "untouched", "old fact"])],
    ids=["rules untouched for two days stay out", "0 filters nothing"],
)
def test_rules_that_nobody_touched_stay_out(review_days: int, shown: list[str]) -> None:
    now = NOON + 10 * DAY_MS
    memories = [
        memory("fresh", "Run the tests first.", Layer.RULES, updated_at=now - 2 * DAY_MS),
        memory("untouched", "Never push to main.", Layer.RULES, updated_at=now - 2 * DAY_MS - 1),
        memory("old fact", "port 8080", updated_at=NOON - 300 * DAY_MS),
    ]
    dream = plan(
        [event(1, "hello")],
        touched=memories,
        within=limits(rules_review_ms=review_days * DAY_MS),
        now=now,
    )
    assert [m.id for m in dream.memories] == [f"memory-{name}" for name in shown]


def test_memories_take_no_more_than_their_share_from_a_long_conversation() -> None:
    memories = [memory(str(number), "y" * 1_000) for number in range(60)]
    within = limits(40_000)
    dream = plan([event(1, "x" * 32_000)], touched=memories, within=within)
    used = sum(memory_chars(memories[int(m.id.removeprefix("memory-"))]) for m in dream.memories)
    assert 0 < used <= 0.4 * (within.max_prompt_chars - within.guide_chars)


def test_a_short_conversation_leaves_its_room_to_memories() -> None:
    memories = [memory(str(number), "y" * 1_000) for number in range(60)]
    within = limits(40_000)
    dream = plan([event(1, "hello")], touched=memories, within=within)
    room = within.max_prompt_chars - within.guide_chars
    assert len(dream.memories) * memory_chars(memories[0]) > 0.8 * room


def test_a_memory_that_does_not_fit_makes_way_for_the_next() -> None:
    huge, small = memory("huge", "z" * 60_000), memory("small", "port 8080")
    dream = plan([event(1, "hello")], touched=[huge, small])
    assert [m.id for m in dream.memories] == [small.id]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 12_000), min_size=1, max_size=12), st.integers(0, 20))
def test_in_successive_dreams_every_memory_that_can_be_shown_is(
    sizes: list[int], leaving: int
) -> None:
    touched = [memory(f"{n:02}", "y" * chars) for n, chars in enumerate(sizes)]
    talk = [event(1, "x" * 32_000)]
    alone = {
        one.id for one in touched if plan(talk, touched=[one], within=limits(SMALLEST)).memories
    }
    dream, seen = None, set[str]()
    for number in range(len(touched)):
        dream = plan(talk, touched=touched, within=limits(SMALLEST), before=dream)
        seen |= {one.id for one in dream.memories}
        if number == leaving:  # it is archived between two dreams, as is the first of the next one
            touched = [one for one in touched if one.id != dream.first_memory]
            seen |= {dream.first_memory or ""}
    assert alone <= seen


def test_a_limit_that_leaves_no_room_is_an_error_that_names_the_least() -> None:
    within = limits(max_prompt_chars=12_000)
    with pytest.raises(ConfigError, match=f"need {within.guide_chars + 3_000}") as caught:
        plan([event(1, "hello")], within=within)
    assert "max_prompt_chars" in (caught.value.hint or "")


def test_a_plan_without_events_cannot_be() -> None:
    with pytest.raises(ValueError, match="at least one event"):
        plan([])


def test_a_plan_ends_where_the_window_was_cut() -> None:
    events = [
        event(1, "first", at=NOON),
        event(2, "answer", Role.ASSISTANT, at=NOON + 1_000),
        event(3, "after lunch", at=NOON + 3_600_000),
        event(4, "still talking", Role.ASSISTANT, at=NOON + 3_601_000),
    ]
    dream = plan(events, due_through=2)
    assert (shown_in(dream), dream.through_seq, dream.continued) == ([1, 2], 2, True)


def test_refreshing_takes_the_revisions_of_now() -> None:
    one, two = memory("1", "port 8080"), memory("2", "host db1")
    dream = plan([event(1, "hello")], touched=[one], panoramas={ALPHA.id: [one, two]})
    fresh = dream.refreshed({two.id: 7})
    assert [(m.id, m.revision) for m in fresh.all_memories] == [(one.id, 1), (two.id, 7)]
    assert (dream.refreshes, fresh.refreshes) == (0, 1)
