"""Whatever is merged or split: no value, no proof and no place is lost, and the store takes it whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.checks.proof import text_of
from memgardend.core.judgement import Judged, StagedView
from memgardend.core.operations import Answer, parse_answer
from memgardend.core.records import Evidence, Memory, MemoryVersion
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.staging import (
    judge_round,
    judged_from_json,
    judged_to_json,
    refuse_changed,
    replay,
)
from memgardend.core.values import values
from memgardend.core.words import Layer, OperationName, Role, RoundName, Status
from support.dreaming import ALPHA, BETA, NOON, event, memory
from support.judging import answer, context, evidence_of, view
from support.stores import (
    SqliteFactory,
    change,
    claimed,
    commit_of,
    dreamed,
    planned,
    put,
    said,
    stage_all,
    started,
)

SENTENCES = [
    "The server listens on port 8080.",
    "Backups run at 03:00.",
    "Logs lie in /srv/log.",
    "Start it with `make up`.",
    "It moved on 2026-11-20.",
    "Version 1.4.2 is out.",
    "See https://a.example/x for more.",
    "The machine is called heron.",
]
TALK = [
    event(1, "The server heron is in the cellar, next to the boiler."),
    event(2, "ok", Role.TOOL),
]
SCOPES = [GLOBAL, UNSET, Scope.of("p-alpha"), Scope.of("p-alpha", "p-beta")]
SCOPE_NAMES = ["global", "unset", "alpha", "alpha, beta"]
LAYERS = [Layer.FACT, Layer.FACT, Layer.PROJECT, Layer.LESSON, Layer.USER]
CONTENTS = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3, unique=True)
Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def gardens(draw: Draw) -> list[Memory]:
    """A few memories, m1…, many of one layer and scope."""
    layer, scope = draw(st.sampled_from(LAYERS)), draw(st.sampled_from(SCOPES))
    return [
        memory(
            str(number),
            " ".join(draw(CONTENTS)),
            draw(st.just(layer) | st.sampled_from(LAYERS)),
            as_of=draw(st.integers(NOON - 9, NOON)),
            importance=draw(st.integers(1, 4)),
            scope=draw(st.just(scope) | st.sampled_from(SCOPES)),
            status=draw(st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.STALE])),
        )
        for number in range(1, draw(st.integers(2, 5)) + 1)
    ]


def new(draw: Draw, said: Sequence[str]) -> dict[str, Any]:
    """The fields of a new memory: most often all that was said, now and then less or more."""
    left_out = draw(st.sampled_from([None, None, None, *said]))
    added = draw(st.sampled_from([[], [], [], [draw(st.sampled_from(SENTENCES))]]))
    kept = draw(st.permutations([one for one in said if one != left_out] + added))
    fields: dict[str, Any] = {"content": " ".join(dict.fromkeys(kept)) or "Heron."}
    if draw(st.integers(0, 3)) == 0:
        fields["scope"] = draw(st.sampled_from(SCOPE_NAMES))
    if draw(st.integers(0, 5)) == 0:
        fields["layer"] = draw(st.sampled_from(LAYERS))
    return fields


def sentences(memories: Iterable[Memory]) -> list[str]:
    texts = [one.content for one in memories]
    return [one for one in SENTENCES if any(one in text for text in texts)]


@st.composite
def reshapings(draw: Draw, memories: list[Memory]) -> dict[str, Any]:
    """A merge or a split of these memories, most of them acceptable."""
    handles = {f"m{number}": one for number, one in enumerate(memories, 1)}
    row: dict[str, Any] = {"reason": "one matter"}
    if draw(st.integers(0, 3)) == 0:
        row["evidence"] = [{"event": "e1", "quote": "next to the boiler"}]
    if draw(st.booleans()):
        ids = draw(st.lists(st.sampled_from(sorted(handles)), min_size=2, max_size=3, unique=True))
        into = new(draw, sentences(handles[one] for one in ids))
        return {"op": "merge", "ids": ids, "into": into, **row}
    target = draw(st.sampled_from(sorted(handles)))
    said = sentences([handles[target]])
    cut = draw(st.integers(0, len(said)))
    parts = [new(draw, said[:cut]), new(draw, said[cut:])]
    return {"op": "split", "id": target, "into": parts, **row}


@st.composite
def nights(draw: Draw) -> tuple[list[Memory], dict[RoundName, list[dict[str, Any]]]]:
    """A garden, and the operations of two rounds; those of the second may name what the first made."""
    memories = draw(gardens())
    handle = st.sampled_from(["m1", "m2", "m3", "m6"])
    others = st.fixed_dictionaries(
        {
            "op": st.sampled_from(OperationName),
            "id": handle,
            "by": st.builds(dict, content=st.sampled_from(SENTENCES)),
            "reason": st.just("so it is"),
        },
        optional={
            "layer": st.sampled_from(LAYERS),
            "content": st.sampled_from(SENTENCES),
            "from": st.lists(handle, min_size=1, max_size=2),
        },
    )
    rows = st.lists(reshapings(memories) | others, max_size=4)
    return memories, {RoundName.ATOMIC: draw(rows), RoundName.PROJECT: draw(rows)}


def places(rows: Sequence[Evidence]) -> set[tuple[str, int, int]]:
    return {(row.window, row.event, row.start) for row in rows}


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_nothing_is_lost(data: st.DataObject) -> None:
    memories = data.draw(gardens())
    rows = data.draw(st.lists(reshapings(memories), min_size=1, max_size=3))
    shown = view(TALK, memories)
    proven = {one.id: (evidence_of(one.id, n),) for n, one in enumerate(memories, 1)}
    judged, staged = judge_round(shown, answer(*rows), context(shown, evidence=proven))
    for one in judged:
        steps = one.changes or one.proposed
        made = [step for step in steps if step.before is None]
        ends = [step.before for step in steps if step.before]
        if not steps:
            continue
        text = "\n".join(text_of(step.after) for step in made)
        scopes = [step.after.scope for step in made]
        for end in ends:
            assert set(values(text_of(end))) <= set(values(text))
            for step in made:
                assert places(proven[end.id]) <= places(step.evidence)
                assert step.after.as_of >= end.as_of
            assert max(step.after.importance for step in made) >= end.importance
            assert GLOBAL in scopes or end.scope.projects or UNSET in scopes
            assert GLOBAL in scopes or end.scope != GLOBAL
        assert {end.id for end in ends} == {step.after.id for step in steps} - {
            step.after.id for step in made
        }
        successors = {step.after.superseded_by for step in steps if step.before}
        assert successors == {made[0].after.id}
    assert replay(shown, judged_from_json(judged_to_json(judged))) == staged


@settings(max_examples=80, deadline=None)
@given(nights(), st.sets(st.sampled_from([f"memory-{n}" for n in range(1, 6)]), max_size=3))
def test_what_is_left_after_a_refusal_fits_together(
    drawn: tuple[list[Memory], dict[RoundName, list[dict[str, Any]]]], changed: set[str]
) -> None:
    memories, rounds = drawn
    current = {one.id: one for one in memories}
    proofs = {one: (evidence_of(one, n),) for n, one in enumerate(current, 1)}
    verdicts, _ = night(view(TALK, memories), proofs, rounds)
    for judged in refuse_changed(verdicts, changed).values():
        for step in (step for one in judged for step in one.changes):
            assert step.before == current.get(step.after.id)
            assert step.after.id not in changed
            current[step.after.id] = step.after
            assert {row.inherited_from for row in step.evidence} <= {None, *current}
    assert {one.superseded_by for one in current.values()} <= {None, *current}


@settings(max_examples=12, deadline=None)
@given(nights())
def test_any_night_is_committed_whole_and_can_be_taken_back(
    drawn: tuple[list[Memory], dict[RoundName, list[dict[str, Any]]]],
) -> None:
    memories, rounds = drawn
    known = {one.id: one for one in memories}
    proofs = {one: (evidence_of(one, n),) for n, one in enumerate(known, 1)}
    verdicts, staged = night(view(TALK, memories), proofs, rounds)
    with TemporaryDirectory() as folder:
        factory = SqliteFactory(Path(folder))
        store = factory.open()
        for one in (ALPHA, BETA):
            store.ensure_project(replace(one, root=f"/{one.name}"))
        dreamed(store, *(change(None, one, *proofs[one.id]) for one in memories))
        put(store, said("4"))
        claimed(store, "d2")
        lease = started(store, "d2")
        planned(store, lease, from_seq=3, through=4)
        stage_all(store, lease)
        operations = {name: judged_to_json(judged) for name, judged in verdicts.items()}
        batch = commit_of(lease, *staged.changes, from_seq=3, through_seq=4, operations=operations)
        assert store.commit(batch).committed
        assert store.violations() == []
        after = {one.id: one for one in store.memories()}
        assert after == {one.id: one for one in staged.memories.values()}
        assert taken_back(store.dream_changes("d2"), after) == known
        factory.close()


def night(
    shown: StagedView,
    proofs: Mapping[str, tuple[Evidence, ...]],
    rounds: dict[RoundName, list[dict[str, Any]]],
) -> tuple[dict[RoundName, tuple[Judged, ...]], StagedView]:
    """The rounds one after the other, each on what the earlier ones left."""
    ids = count(1)
    verdicts: dict[RoundName, tuple[Judged, ...]] = {}
    staged = shown
    for name, rows in rounds.items():
        parsed = parse_answer(json.dumps({"operations": rows}))
        assert isinstance(parsed, Answer)
        asked = context(
            staged,
            round=name,
            evidence=proofs,
            candidates=tuple(shown.memories.values()),
            new_id=lambda: f"new-{next(ids)}",
        )
        verdicts[name], staged = judge_round(staged, parsed, asked)
    return verdicts, staged


def taken_back(versions: Sequence[MemoryVersion], after: dict[str, Memory]) -> dict[str, Memory]:
    """The memories without these steps, undone one by one from the last."""
    found = dict(after)
    for step in reversed(versions):
        assert found.pop(step.memory) == step.after
        if step.before is not None:
            found[step.memory] = step.before
    return found
