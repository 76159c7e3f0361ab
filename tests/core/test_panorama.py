"""Panoramas: what the project round may condense, and when it is asked to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.clock import DAY_MS, MINUTE_MS
from memgardend.core.cutting import by_turns
from memgardend.core.judgement import StagedView
from memgardend.core.plan import Plan, panorama_due, panorama_of, view_of
from memgardend.core.records import MemoryChange
from memgardend.core.scope import Scope
from memgardend.core.words import Layer, RoundName
from support import dreaming
from support.dreaming import ALPHA, event, memory, plan
from support.prompts import SMALLEST, render


def grown(content_chars: int, entries: int) -> tuple[Plan, StagedView]:
    """A plan with a panorama of alpha, after a round that remembered one more entry."""
    shelf = [memory(str(n), "p" * content_chars, Layer.PROJECT) for n in range(entries)]
    events = [event(1, "hello")]
    dream = plan(events, panoramas={ALPHA.id: shelf})
    view = view_of(dream, events, shelf)
    new = memory("new", "q", Layer.PROJECT)
    change = MemoryChange(
        before=None, after=new, operation="remember", reason=None, round=RoundName.ATOMIC
    )
    return dream, replace(
        view, memories={**view.memories, f"m{entries + 1}": new}, changes=(change,)
    )


@pytest.mark.parametrize(
    ("content_chars", "entries", "due"),
    [(1, 39, False), (1, 40, True), (7_999, 1, False), (8_000, 1, True)],
    ids=["40 entries", "41 entries", "8000 characters", "8001 characters"],
)
def test_a_panorama_is_due_over_40_entries_or_8000_characters(
    content_chars: int, entries: int, due: bool
) -> None:
    dream, view = grown(content_chars, entries)
    assert panorama_due(dream, view) == ((ALPHA.id,) if due else ())


def test_a_long_panorama_that_did_not_change_is_left_alone() -> None:
    dream, view = grown(1, 60)
    assert panorama_due(dream, replace(view, changes=())) == ()


def test_a_panorama_holds_what_the_project_round_may_condense() -> None:
    shelf = [memory(str(layer), "some text", layer) for layer in Layer]
    dream = plan([event(1, "hello")], panoramas={ALPHA.id: shelf})
    assert {m.id for _, shown in dream.panoramas for m in shown} == {
        "memory-project",
        "memory-fact",
        "memory-lesson",
    }


def test_what_a_dream_changed_elsewhere_makes_no_panorama_due() -> None:
    dream, view = grown(1, 60)
    topic = replace(view.changes[0], after=memory("topic", "the story", Layer.TOPIC))
    other = replace(view.changes[0], after=memory("else", "x y", scope=Scope.of("p-beta")))
    assert panorama_due(dream, replace(view, changes=(topic, other))) == ()


def test_a_panorama_holds_new_entries_and_no_retired_ones() -> None:
    dream, view = grown(1, 3)
    after = panorama_of(dream, replace(view, retired=frozenset({"m2"})), ALPHA.id)
    assert list(after) == ["m1", "m3", "m4"]


@given(st.lists(st.integers(), max_size=12), st.integers(1, 5), st.integers(0, 10_000))
def test_in_successive_turns_each_item_comes_first_once(
    items: list[int], batch: int, turn: int
) -> None:
    turns = [by_turns(items, turn + n) for n in range(len(items))]
    assert all(sorted(one) == sorted(items) for one in turns)
    assert sorted(one[0] for one in turns) == sorted(items)
    seen = {item for one in turns for item in one[:batch]}
    assert seen == set(items)


@pytest.mark.parametrize("between_ms", [MINUTE_MS, 60 * MINUTE_MS, DAY_MS], ids=str)
def test_a_panorama_larger_than_a_prompt_comes_in_batches_and_says_so(between_ms: int) -> None:
    """Whatever hours dreams keep: a day has 24 times as many minutes as there are entries."""
    dream, view = grown(300, 59)
    within = dreaming.settings(SMALLEST)
    left_out = "Others did not fit here"
    seen: set[str] = set()
    for turn in range(60):
        later = replace(dream, seal=dream.seal + turn * between_ms, through_seq=turn + 1)
        text = render(later, view, RoundName.PROJECT, within)
        assert left_out in text, turn
        assert len(text) <= SMALLEST
        assert text == render(later, view, RoundName.PROJECT, within)
        seen |= {
            handle for handle in view.memories if f"\n{handle} " in text or f"{handle} [" in text
        }
    assert seen == set(view.memories)
    whole = render(dream, view, RoundName.PROJECT, dreaming.settings(120_000))
    assert left_out not in whole
