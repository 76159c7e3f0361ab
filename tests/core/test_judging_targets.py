"""Targets, rounds and scopes: what an operation may touch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memgardend.core.records import Memory, Project
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.words import Layer, Refusal, RoundName, Status, Subcategory
from support.dreaming import ALPHA, BETA, NOON, WINDOW, memory
from support.judging import HUMAN, QUOTE, change, judge, refusal, remember, verdict

PORT = memory("port", "The API uses port 7070.", as_of=NOON)
TODO = memory("todo", "Write the docs in English.", Layer.PROJECT, subcategory=Subcategory.TODO)
TOPIC = memory("topic", "The API moves to another port.", Layer.TOPIC, goal="one port")
RULE = memory("rule", "Write docs in English.", Layer.RULES, scope=GLOBAL)
LOOSE = memory("loose", "The sky over the harbour is blue.", scope=UNSET)
BY = {"layer": "project", "content": "Docs are written in English."}


@pytest.mark.parametrize(
    ("round_name", "target", "operation", "refused"),
    [
        (RoundName.ATOMIC, TODO, {"op": "complete"}, False),
        (RoundName.ATOMIC, TOPIC, {"op": "complete"}, True),
        (RoundName.TOPIC, TOPIC, {"op": "complete"}, False),
        (RoundName.TOPIC, PORT, {"op": "archive"}, True),
        (RoundName.PROJECT, TODO, {"op": "archive"}, False),
        (RoundName.PROJECT, PORT, {"op": "archive"}, False),
        (RoundName.PROJECT, LOOSE, {"op": "archive"}, True),
        (RoundName.PROJECT, RULE, {"op": "archive"}, True),
        (RoundName.PROJECT, PORT, {"op": "update", "importance": 1}, True),
        (RoundName.PROJECT, PORT, {"op": "supersede", "by": BY, "from": "m1"}, False),
        (RoundName.ATOMIC, PORT, {"op": "update", "layer": "topic"}, True),
        (RoundName.ATOMIC, PORT, {"op": "update", "layer": "lesson"}, False),
    ],
)
def test_each_round_edits_its_own_layers(
    round_name: RoundName, target: Memory, operation: dict[str, Any], refused: bool
) -> None:
    row = {"id": "m1", "reason": "condensed", **operation}
    found = refusal([HUMAN], [target], row, round=round_name)
    assert (found is Refusal.WRONG_ROUND) == refused
    assert refused or found is None


@pytest.mark.parametrize("layer", list(Layer))
@pytest.mark.parametrize("round_name", list(RoundName))
def test_each_round_writes_its_own_layers(round_name: RoundName, layer: Layer) -> None:
    own = {RoundName.TOPIC: [Layer.TOPIC], RoundName.PROJECT: [Layer.PROJECT]}
    writes = layer in own.get(round_name, [one for one in Layer if one is not Layer.TOPIC])
    operation = remember("Use port 8080 for the API.", QUOTE, layer)
    expected = None if writes else Refusal.WRONG_ROUND
    assert refusal([HUMAN], [], operation, round=round_name) is expected


TWIN = Project(id="p-twin", name="Beta")


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        pytest.param(None, Scope.of(ALPHA.id), id="of_the_window"),
        pytest.param("global", GLOBAL, id="global"),
        pytest.param("Unset", UNSET, id="unset"),
        pytest.param("ALPHA", Scope.of(ALPHA.id), id="name_in_any_case"),
        pytest.param(["p-beta", "alpha"], Scope.of(ALPHA.id, BETA.id), id="ids_and_names"),
        pytest.param("gamma", Refusal.UNKNOWN_PROJECT, id="unknown"),
        pytest.param("beta", Refusal.UNKNOWN_PROJECT, id="two_of_that_name"),
    ],
)
def test_scopes_are_resolved_to_project_ids(scope: Any, expected: Scope | Refusal) -> None:
    operation = remember("The API uses port 8080.", QUOTE, scope=scope)
    projects = (ALPHA, BETA, TWIN) if scope == "beta" else (ALPHA, BETA)
    judged = verdict([HUMAN], [], operation, projects=projects)
    found = judged.refusal or judged.changes[0].after.scope
    assert found == expected


@pytest.mark.parametrize(
    ("layer", "project", "expected"),
    [
        ("fact", ALPHA.id, Scope.of(ALPHA.id)),
        ("fact", None, UNSET),
        ("rules", ALPHA.id, GLOBAL),
        ("user", None, GLOBAL),
    ],
)
def test_scopes_by_default(layer: str, project: str | None, expected: Scope) -> None:
    operation = remember("Use port 8080 for the API.", QUOTE, layer)
    step = change([HUMAN], [], operation, window=replace(WINDOW, project=project))
    assert step.after.scope == expected


ARCHIVED = replace(PORT, id="memory-gone", status=Status.ARCHIVED)


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        pytest.param({"op": "archive", "id": "m9", "reason": "r"}, Refusal.UNKNOWN_TARGET, id="not_shown"),
        pytest.param({"op": "archive", "id": "memory-port", "reason": "r"}, Refusal.UNKNOWN_TARGET, id="an_id"),
        pytest.param({"op": "archive", "id": "m2", "reason": "r"}, Refusal.RETIRED_TARGET, id="archived"),
        pytest.param({"op": "archive", "id": "m1"}, Refusal.NO_REASON, id="no_reason"),
        pytest.param({"op": "complete", "id": "m1", "reason": " "}, Refusal.NO_REASON, id="blank_reason"),
        pytest.param({"op": "update", "id": "m1", "reason": "r"}, Refusal.NO_CHANGE, id="nothing_given"),
        pytest.param(
            {"op": "update", "id": "m1", "reason": "r", "content": PORT.content},
            Refusal.NO_CHANGE,
            id="same_content",
        ),
        pytest.param(
            {"op": "update", "id": "m1", "reason": "r", "content": "The API has a port."},
            Refusal.NO_EVIDENCE,
            id="content_without_evidence",
        ),
        pytest.param(
            {"op": "remember", "layer": "fact", "content": "The API has a port."},
            Refusal.NO_EVIDENCE,
            id="remember_without_evidence",
        ),
        pytest.param(
            {"op": "remember", "layer": "fact", "content": "The API has a port.", "from": "m7"},
            Refusal.UNKNOWN_TARGET,
            id="parent_not_shown",
        ),
        pytest.param(
            {"op": "remember", "layer": "fact", "content": "The API has a port.", "from": "m2"},
            Refusal.RETIRED_TARGET,
            id="parent_archived",
        ),
        pytest.param(
            {"op": "supersede", "ids": ["m1", "m2"], "by": {"content": "Ports."}, "from": "m1", "reason": "r"},
            Refusal.RETIRED_TARGET,
            id="one_of_two_archived",
        ),
        pytest.param({"op": "delete", "ids": ["m1"]}, Refusal.MALFORMED, id="unknown_operation"),
    ],
)  # fmt: skip
def test_targets_reasons_and_proof_are_asked_for(
    operation: dict[str, Any], expected: Refusal
) -> None:
    assert refusal([HUMAN], [PORT, ARCHIVED], operation) is expected


def test_two_operations_of_a_round_share_no_target() -> None:
    rows: list[dict[str, Any]] = [
        {"op": "update", "id": "m1", "importance": 3, "reason": "weighs more"},
        {"op": "archive", "id": "m1", "reason": "trivial"},
    ]
    judged, staged = judge([HUMAN], [PORT], *rows)
    assert [one.refusal for one in judged] == [None, Refusal.SHARED_TARGET]
    assert staged.memories["m1"].status is Status.ACTIVE


def test_a_refused_operation_drops_no_other_and_frees_its_target() -> None:
    rows: list[dict[str, Any]] = [
        {"op": "archive", "id": "m1"},
        {"op": "nonsense"},
        remember("The API uses port 8080.", QUOTE),
        {"op": "complete", "id": "m1", "reason": "done"},
    ]
    judged, _ = judge([HUMAN], [TODO], *rows)
    assert [one.refusal for one in judged] == [Refusal.NO_REASON, Refusal.MALFORMED, None, None]


def test_handles_of_a_round_are_those_it_was_shown() -> None:
    rows: list[dict[str, Any]] = [
        remember("The API uses port 8080.", QUOTE),
        {"op": "archive", "id": "m2", "reason": "a guessed handle"},
    ]
    judged, staged = judge([HUMAN], [TODO], *rows)
    assert judged[1].refusal is Refusal.UNKNOWN_TARGET
    assert judged[0].handles == {"m2": "new-1"}
    assert staged.memories["m2"].status is Status.ACTIVE
