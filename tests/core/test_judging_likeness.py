"""Likeness: what is known already is joined, and what is known from later wins in any order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from memgardend.core.judgement import StagedView
from memgardend.core.records import Event, Memory
from memgardend.core.scope import GLOBAL, Scope
from memgardend.core.staging import judge_round
from memgardend.core.words import Layer, Refusal, RoundName, Status
from support.dreaming import ALPHA, BETA, NOON, WINDOW, event, memory
from support.judging import answer, change, context, judge, quoted, remember, verdict

DAY = 86_400_000
SAID = event(1, "Please use port 8080 for the API, and write docs in English.")
QUOTE = "use port 8080 for the API"
PORT = memory("port", "The API uses port 7070.", as_of=NOON, importance=3, keywords=("port",))


def test_a_repeated_fact_becomes_an_update() -> None:
    known = replace(PORT, content="The API uses port 8080.", keywords=("port", "api"))
    row = remember("The API uses the port 8080.", QUOTE, keywords=["tcp"], importance=1)
    judged = verdict([SAID], [known], row)
    (step,) = judged.changes
    assert step.after == replace(known, keywords=("port", "api", "tcp"), as_of=SAID.at, revision=2)
    assert step.evidence[0].memory == known.id
    assert "API" in judged.detail


def test_a_later_wording_that_says_more_and_loses_nothing_is_taken() -> None:
    said = event(1, "The public API of the shop uses port 8080 on live hosts.")
    known = memory("known", "The public API of the shop uses port 8080 on hosts.", as_of=NOON)
    row = remember("The public API of the shop uses port 8080 on live hosts.", said.text[:-1])
    step = change([said], [known], row)
    assert (step.before, step.after.content) == (known, said.text)
    later = replace(known, as_of=NOON + DAY)
    assert change([said], [later], row).after.content == known.content


KNOWN = memory("known", "Always run the tests before a commit.")
AGAIN = event(1, "Always run the tests before a commit.")


@pytest.mark.parametrize(
    ("known", "content"),
    [
        pytest.param(replace(KNOWN, status=Status.ARCHIVED), AGAIN.text, id="archived"),
        pytest.param(replace(KNOWN, status=Status.STALE), AGAIN.text, id="stale"),
        pytest.param(replace(KNOWN, scope=Scope.of(BETA.id)), AGAIN.text, id="another_scope"),
        pytest.param(replace(KNOWN, scope=GLOBAL), AGAIN.text, id="wider_scope"),
        pytest.param(replace(KNOWN, layer=Layer.LESSON), AGAIN.text, id="another_layer"),
        pytest.param(KNOWN, "Never run the tests before a commit.", id="negation"),
        pytest.param(KNOWN, "The cat of the neighbour is grey.", id="another_matter"),
    ],
)
def test_what_is_not_the_same_becomes_a_memory_of_its_own(known: Memory, content: str) -> None:
    said = replace(AGAIN, text=content)
    step = change([said], [known], remember(content, content))
    assert (step.before, step.after.status) == (None, Status.ACTIVE)


def test_a_repeated_fact_is_found_though_it_was_not_shown() -> None:
    (judged,), staged = judge([AGAIN], [], remember(AGAIN.text, AGAIN.text), candidates=(KNOWN,))
    assert judged.changes[0].before == KNOWN
    assert judged.handles == {"m1": KNOWN.id}
    assert staged.memories["m1"].revision == 2


def test_two_like_memories_of_one_answer_become_one() -> None:
    row = remember("The API uses port 8080.", QUOTE)
    other = {**row, "evidence": quoted("e1", SAID.text)}
    judged, staged = judge([SAID], [], row, other, row)
    assert [one.refusal for one in judged] == [None, None, Refusal.NO_CHANGE]
    assert len(staged.memories) == 1
    assert [step.after.revision for step in staged.changes] == [1, 2]


# --- later knowledge wins


def said_at(seq: int, text: str) -> Event:
    return event(seq, text, at=NOON + seq * DAY)


NEWS = {
    1: ("The port of the API is 8080.", "set the port of the API to 8080"),
    2: ("The port of the API is 9090 now.", "the port of the API is 9090 now"),
    3: ("The port of the API is 9191 now.", "the port of the API is 9191 now"),
}


def dream(store: StagedView, seq: int, row: dict[str, Any] | None = None) -> StagedView:
    content, said = NEWS[seq]
    shown = replace(store, events={"e1": said_at(seq, said)})
    row = row or remember(content, said)
    active = tuple(one for one in store.memories.values() if one.status is Status.ACTIVE)
    made = context(shown, candidates=active, new_id=lambda: f"new-{seq}")
    judged, after = judge_round(shown, answer(row), made)
    assert all(one.staged or one.refusal is Refusal.NEWER_KNOWN for one in judged), judged
    return after


@pytest.mark.parametrize("order", list(permutations(NEWS)), ids=str)
def test_windows_in_any_order_end_with_the_same_active_value(order: tuple[int, ...]) -> None:
    store = StagedView(memories={}, events={})
    for seq in order:
        store = dream(store, seq)
    by_id = {one.id: one for one in store.memories.values()}
    assert [one.id for one in by_id.values() if one.status is Status.ACTIVE] == ["new-3"]
    for one in by_id.values():
        if one.id != "new-3":
            assert one.superseded_by and by_id[one.superseded_by].as_of > one.as_of


@pytest.mark.parametrize("explicit", [True, False])
def test_an_older_window_dreamed_late_leaves_the_newer_value(explicit: bool) -> None:
    store = dream(StagedView(memories={}, events={}), 2)
    content, said = NEWS[1]
    row = {
        "op": "supersede",
        "ids": ["m1"],
        "by": {"content": content},
        "reason": "set",
        "evidence": quoted("e1", said),
    }
    store = dream(store, 1, row if explicit else None)
    actives = [one for one in store.memories.values() if one.status is Status.ACTIVE]
    assert [one.content for one in actives] == [NEWS[2][0]]


def test_an_old_quote_gains_no_age_from_a_newer_parent() -> None:
    store = dream(StagedView(memories={}, events={}), 2)
    content, said = NEWS[1]
    row = {**remember(content, said), "from": ["m1"]}
    store = dream(store, 1, row)
    actives = [one for one in store.memories.values() if one.status is Status.ACTIVE]
    assert [one.content for one in actives] == [NEWS[2][0]]


def test_the_older_contradiction_is_kept_as_superseded() -> None:
    store = dream(dream(StagedView(memories={}, events={}), 2), 1)
    old = store.memories["m2"]
    assert (old.status, old.superseded_by) == (Status.ARCHIVED, "new-2")
    assert old.content == NEWS[1][0]


def test_topics_are_written_in_their_own_round() -> None:
    row = remember("Docs move to English.", "write docs in English", "topic", goal="all docs")
    after = change([SAID], [], row, round=RoundName.TOPIC).after
    assert (after.layer, after.goal, after.scope) == (Layer.TOPIC, "all docs", Scope.of(ALPHA.id))
    assert after.source_window == WINDOW.id


def test_a_contradiction_is_superseded_though_it_was_not_shown() -> None:
    old = memory("old", "The port of the API is 7070.", as_of=NOON)
    said = event(1, "The port of the API is 9090 now.")
    row = remember(said.text, said.text)
    (judged,), staged = judge([said], [], row, candidates=(old,))
    assert [step.after.id for step in judged.changes] == ["new-1", old.id]
    assert judged.changes[1].after.superseded_by == "new-1"
    assert set(judged.handles.values()) == {"new-1", old.id}
    assert {one.status for one in staged.memories.values()} == {Status.ACTIVE, Status.ARCHIVED}


def test_two_values_said_at_once_contradict_nothing() -> None:
    old = memory("old", "The port of the API is 7070.", as_of=event(1, "").at)
    said = event(1, "The port of the API is 9090 now.")
    (judged,), _ = judge([said], [old], remember(said.text, said.text))
    assert [step.after.id for step in judged.changes] == ["new-1"]


@pytest.mark.parametrize("layer", ["fact", "lesson"])
def test_contradictions_are_looked_for_in_the_same_layer_only(layer: str) -> None:
    old = memory("old", "The port of the API is 7070.", Layer.FACT, as_of=NOON)
    said = event(1, "The port of the API is 9090 now.")
    (judged,), _ = judge([said], [old], remember(said.text, said.text, layer))
    assert len(judged.changes) == (2 if layer == "fact" else 1)
