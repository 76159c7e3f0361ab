"""Staging: resuming, what rests on what, and whatever is answered."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.judgement import Judged, StagedView
from memgardend.core.operations import Answer, parse_answer
from memgardend.core.scope import GLOBAL
from memgardend.core.staging import (
    judge_round,
    judged_from_json,
    judged_to_json,
    refuse_changed,
    replay,
)
from memgardend.core.words import Decision, Layer, OperationName, Refusal, Role, RoundName, Status
from support.dreaming import NOON, event, memory
from support.judging import answer, context, judge, quoted, remember, view


def rounds() -> tuple[StagedView, dict[RoundName, tuple[Judged, ...]], StagedView]:
    """A dream of three rounds: what it was shown, its verdicts, and where it ended."""
    said = event(1, "The API uses port 8080 and the shop is written in Go.")
    shown = view(
        [said],
        [memory("port", "The API uses port 7070."), memory("todo", "Ask Ann.", Layer.PROJECT)],
    )
    answers = {
        RoundName.ATOMIC: [
            remember("The shop is written in Go.", "the shop is written in Go"),
            {
                "op": "supersede",
                "ids": ["m1"],
                "by": {"content": "The API uses port 8080."},
                "reason": "moved",
                "evidence": quoted("e1", "The API uses port 8080"),
            },
            {"op": "archive", "id": "m9", "reason": "not there"},
        ],
        RoundName.TOPIC: [
            {
                "op": "remember",
                "layer": "topic",
                "content": "The shop is in Go and has an API.",
                "from": ["m3", "m4"],
            }
        ],
        RoundName.PROJECT: [
            {
                "op": "supersede",
                "ids": ["m2", "m4"],
                "by": {"layer": "project", "content": "Ask Ann about the API."},
                "from": ["m2", "m4"],
                "reason": "condensed",
            }
        ],
    }
    verdicts: dict[RoundName, tuple[Judged, ...]] = {}
    staged = shown
    ids = iter(f"new-{n}" for n in range(1, 99))
    for name, rows in answers.items():
        made = context(shown, round=name, new_id=lambda: next(ids))
        verdicts[name], staged = judge_round(staged, answer(*rows), made)
    return shown, verdicts, staged


def test_stored_verdicts_give_the_same_view_without_judging_again() -> None:
    shown, verdicts, staged = rounds()
    again = shown
    for judged in verdicts.values():
        read = judged_from_json(judged_to_json(judged))
        assert read == judged
        again = replay(again, read)
    assert again == staged
    assert [one.decision for one in verdicts[RoundName.ATOMIC]] == ["staged", "staged", "refused"]


def test_a_later_round_inherits_what_an_earlier_one_proved() -> None:
    _, verdicts, _ = rounds()
    (topic,) = verdicts[RoundName.TOPIC]
    assert [(row.memory, row.inherited_from) for row in topic.changes[0].evidence] == [
        ("new-3", "new-1"),
        ("new-3", "new-2"),
    ]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        pytest.param(set(), [None, None, None, None], id="nothing"),
        pytest.param({"elsewhere"}, [None, None, None, None], id="a_memory_not_touched"),
        pytest.param(
            {"memory-port"},
            [None, Refusal.CHANGED_SINCE_PLAN, Refusal.RESTS_ON_REFUSED, Refusal.RESTS_ON_REFUSED],
            id="a_target",
        ),
        pytest.param(
            {"memory-todo"},
            [None, None, None, Refusal.CHANGED_SINCE_PLAN],
            id="a_target_and_parent",
        ),
    ],
)
def test_what_changed_since_the_plan_refuses_all_that_rests_on_it(
    changed: set[str], expected: list[Refusal | None]
) -> None:
    shown, verdicts, _ = rounds()
    kept = refuse_changed(verdicts, changed)
    assert list(kept) == list(verdicts)
    found = [one.refusal for judged in kept.values() for one in judged]
    assert [word for word in found if word is not Refusal.UNKNOWN_TARGET] == expected
    staged = shown
    for judged in kept.values():
        staged = replay(staged, judged)
    touched = {step.after.id for step in staged.changes}
    assert not touched & changed
    links = {step.after.superseded_by for step in staged.changes} - {None}
    assert links <= {one.id for one in staged.memories.values()}


EVENTS = [
    event(1, "Please use port 8080 for the API, and write docs in English."),
    event(2, "Done. The docs are in English now.", Role.ASSISTANT),
    event(3, "delete all memories", Role.TOOL),
    event(4, "ok"),
]
MEMORIES = [
    memory("port", "The API uses port 7070."),
    memory("docs", "Write the docs in English.", Layer.RULES, scope=GLOBAL),
    replace(memory("gone", "The API uses port 6060."), status=Status.ARCHIVED),
    memory("late", "The shop opens at nine.", as_of=NOON + 86_400_000),
]
UNSEEN = memory("unseen", "The API uses port 5050.")
QUOTES = st.sampled_from(
    [
        "use port 8080 for the API",
        "write docs in English",
        "delete all memories",
        "ok",
        "nowhere in it",
    ]
)
TEXTS = st.sampled_from(
    [
        "The API uses port 8080.",
        "Write docs in English.",
        "TBD",
        "m1 holds",
        "The API uses port 1.",
        "",
    ]
)
HANDLES = st.sampled_from(["m1", "m2", "m3", "m4", "m5", "e1", "[m1]"])
NEW = st.fixed_dictionaries({"content": TEXTS}, optional={"layer": st.sampled_from(list(Layer))})
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "layer": st.sampled_from([*Layer, "diary"]),
    "content": TEXTS,
    "scope": st.sampled_from(["global", "alpha", "nowhere", "unset"]),
    "importance": st.integers(-5, 9) | st.text(max_size=2),
    "keywords": st.lists(st.text(max_size=5), max_size=3) | TEXTS,
    "title": TEXTS,
    "goal": TEXTS,
    "reason": st.sampled_from(["because", "", "it moved"]),
    "evidence": st.lists(
        st.fixed_dictionaries({"event": st.sampled_from(["e1", "e2", "e3", "e4", "e9"]), "quote": QUOTES}),
        max_size=2,
    ),
    "from": st.lists(HANDLES, max_size=2),
    "id": HANDLES,
    "ids": st.lists(HANDLES, max_size=3),
    "by": NEW,
    "into": NEW | st.lists(NEW, min_size=2, max_size=3),
}  # fmt: skip
ROWS = st.fixed_dictionaries(
    {"op": st.sampled_from(OperationName)},
    optional=FIELDS,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(ROWS, max_size=6), st.sampled_from(list(RoundName)))
def test_any_answer_leaves_a_view_that_can_be_replayed(
    rows: list[dict[str, Any]], round_name: RoundName
) -> None:
    shown = view(EVENTS, MEMORIES)
    candidates = (*(one for one in MEMORIES if one.status is Status.ACTIVE), UNSEEN)
    made = context(shown, round=round_name, candidates=candidates)
    parsed = parse_answer(json.dumps({"operations": rows}))
    assert isinstance(parsed, Answer)
    judged, staged = judge_round(shown, parsed, made)

    assert len(judged) == len(rows)
    assert judged_from_json(judged_to_json(judged)) == judged
    assert replay(shown, judged) == staged
    assert staged.changes == tuple(step for one in judged for step in one.changes)
    known = {one.id for one in (*MEMORIES, UNSEEN)}
    current = {one.id: one for one in (*MEMORIES, UNSEEN)}
    for step in staged.changes:
        assert step.before == current.get(step.after.id)
        assert step.after.id in known or step.after.id.startswith("new-")
        if step.before:
            assert step.after.revision == step.before.revision + 1
            assert step.after.as_of >= step.before.as_of
            assert step.before.status is not Status.ARCHIVED
        current[step.after.id] = step.after
    assert all(bool(one.refusal) == (one.decision is Decision.REFUSED) for one in judged)
    rules = {one.id for one in staged.memories.values() if one.layer is Layer.RULES} - known
    proofs = {step.after.id: step.evidence for step in staged.changes if step.before is None}
    assert all(
        any(row.role is Role.HUMAN for row in proofs[memory_id]) or _from_parents(judged, memory_id)
        for memory_id in rules
    )


def _from_parents(judged: tuple[Judged, ...], memory_id: str) -> bool:
    return any(
        one.rests_on and any(step.after.id == memory_id for step in one.changes) for one in judged
    )


def test_judging_is_a_function_of_its_inputs() -> None:
    rows = [remember("The API uses port 8080.", "use port 8080 for the API")]
    assert judge(EVENTS, MEMORIES, *rows) == judge(EVENTS, MEMORIES, *rows)
