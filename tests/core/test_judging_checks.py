"""Checks: each refuses with its word what it should, and lets the rest pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memgardend.core.records import Event, Memory, Project
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.words import Decision, Layer, Refusal, Role, RoundName, Status, Subcategory
from support.dreaming import ALPHA, BETA, NOON, WINDOW, event, memory
from support.judging import change, judge, quoted, remember, verdict

SAID = "Please use port 8080 for the API, and write docs in English."
HUMAN = event(1, SAID)
QUOTE = "use port 8080 for the API"


def refusal(
    events: list[Event], memories: list[Memory], operation: dict[str, Any], **changed: Any
) -> Refusal | None:
    judged = verdict(events, memories, operation, **changed)
    assert (judged.decision is Decision.REFUSED) == (judged.refusal is not None)
    assert judged.staged or len(judged.detail) > 10
    assert judged.staged or not judged.changes
    return judged.refusal


def test_a_remembered_fact_is_stored_with_our_own_span() -> None:
    step = change([HUMAN], [], remember("The API uses port 8080.", QUOTE, importance="9"))
    (row,) = step.evidence
    assert step.before is None
    assert (row.memory, row.window, row.event, row.role) == ("new-1", WINDOW.id, 1, Role.HUMAN)
    assert SAID[row.start : row.end] == row.quote == QUOTE
    assert (row.at, len(row.hash)) == (HUMAN.at, 64)
    after = step.after
    assert (after.as_of, after.importance, after.origin) == (HUMAN.at, 4, "dream")
    assert (after.scope, after.source_window) == (Scope.of(ALPHA.id), WINDOW.id)
    assert after.keywords and after.keywords_auto and len(after.keywords) <= 13


PERSONAL = ["soul", "user", "rules"]
OTHER = ["project", "fact", "lesson"]


@pytest.mark.parametrize(
    ("layer", "role", "expected"),
    [
        *((layer, Role.HUMAN, None) for layer in PERSONAL + OTHER),
        *((layer, Role.SCRIPT, Refusal.NOT_HUMAN) for layer in PERSONAL),
        *((layer, Role.ASSISTANT, Refusal.NOT_HUMAN) for layer in PERSONAL),
        *((layer, Role.TOOL, Refusal.NOT_HUMAN) for layer in PERSONAL),
        *((layer, Role.SYSTEM, Refusal.NOT_HUMAN) for layer in PERSONAL),
        *((layer, Role.OWN, Refusal.OWN_TEXT) for layer in PERSONAL + OTHER),
        *((layer, Role.REPLAY, Refusal.REPLAYED) for layer in PERSONAL + OTHER),
        *((layer, Role.ASSISTANT, None) for layer in OTHER),
        *((layer, Role.SCRIPT, None) for layer in OTHER),
        *((layer, Role.TOOL, None) for layer in OTHER),
    ],
)
def test_who_can_prove_which_layer(layer: str, role: Role, expected: Refusal | None) -> None:
    operation = remember("Use port 8080 for the API.", QUOTE, layer)
    assert refusal([replace(HUMAN, role=role)], [], operation) is expected


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        pytest.param((0, len(SAID)), Refusal.PASTED, id="all_of_it"),
        pytest.param((0, 12), Refusal.PASTED, id="its_start"),
        pytest.param((30, 60), Refusal.PASTED, id="its_end"),
        pytest.param((40, 60), None, id="what_follows"),
        pytest.param((0, 7), None, id="what_comes_before"),
    ],
)
def test_a_rule_needs_a_quote_wholly_outside_pasted_spans(
    pasted: tuple[int, int], expected: Refusal | None
) -> None:
    said = replace(HUMAN, pasted=(pasted,))
    assert refusal([said], [], remember("Use port 8080.", QUOTE, "rules")) is expected


def test_a_pasted_quote_still_proves_a_fact() -> None:
    said = replace(HUMAN, pasted=((0, len(SAID)),))
    assert refusal([said], [], remember("The API uses port 8080.", QUOTE)) is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("The API uses port 8080.", None, id="quoted"),
        pytest.param("The API uses port 9090.", Refusal.VALUE_UNPROVEN, id="another_number"),
        pytest.param("The API reads /etc/api.conf.", Refusal.VALUE_UNPROVEN, id="a_path"),
        pytest.param(
            "The API is at https://api.example.org/v2.", Refusal.VALUE_UNPROVEN, id="a_url"
        ),
        pytest.param("Run `api --fast` for the API.", Refusal.VALUE_UNPROVEN, id="a_code_span"),
        pytest.param("The API has version 1.4.2.", Refusal.VALUE_UNPROVEN, id="a_version"),
        pytest.param("Decided on 2026-12-01: the API has a port.", None, id="day_of_the_event"),
        pytest.param(
            "Decided on 2026-11-20: the API has a port.", Refusal.VALUE_UNPROVEN, id="another_day"
        ),
    ],
)
def test_values_must_stand_in_what_proves_them(content: str, expected: Refusal | None) -> None:
    assert refusal([HUMAN], [], remember(content, QUOTE)) is expected


def test_a_relative_date_may_become_an_absolute_one() -> None:
    said = event(1, "The release goes out next Friday, tell everyone.")
    operation = remember("The release goes out on 2026-12-11.", "goes out next Friday")
    assert refusal([said], [], operation) is None


def neighbours(role: Role) -> list[Event]:
    return [event(1, "Yes, do it like that always."), event(2, "Shall I use pnpm 9.1.0?", role)]


@pytest.mark.parametrize(
    ("layer", "role", "expected"),
    [
        ("fact", Role.ASSISTANT, None),
        ("fact", Role.TOOL, None),
        ("fact", Role.OWN, Refusal.VALUE_UNPROVEN),
        ("fact", Role.REPLAY, Refusal.VALUE_UNPROVEN),
        ("rules", Role.ASSISTANT, None),
        ("rules", Role.TOOL, Refusal.VALUE_UNPROVEN),
        ("rules", Role.SYSTEM, Refusal.VALUE_UNPROVEN),
    ],
)
def test_neighbouring_turns_prove_values(layer: str, role: Role, expected: Refusal | None) -> None:
    operation = remember("Use pnpm 9.1.0.", "do it like that always", layer)
    assert refusal(neighbours(role), [], operation) is expected


def test_turns_further_away_prove_no_values() -> None:
    far = [*neighbours(Role.HUMAN)[:1], event(2, "fine"), event(3, "use pnpm 9.1.0")]
    operation = remember("Use pnpm 9.1.0.", "do it like that always")
    assert refusal(far, [], operation) is Refusal.VALUE_UNPROVEN


PORT = memory("port", "The API uses port 7070.", as_of=NOON)
NEWER = replace(PORT, as_of=NOON + 86_400_000)
EVIDENCE = quoted("e1", QUOTE)


@pytest.mark.parametrize(
    ("target", "expected"),
    [pytest.param(PORT, None, id="later"), pytest.param(NEWER, Refusal.NEWER_KNOWN, id="earlier")],
)
@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(
            {"op": "update", "content": "The API uses port 8080.", "evidence": EVIDENCE},
            id="update",
        ),
        pytest.param({"op": "archive", "evidence": EVIDENCE}, id="archive"),
        pytest.param({"op": "archive"}, id="archive_on_judgement"),
        pytest.param({"op": "complete", "evidence": EVIDENCE}, id="complete"),
        pytest.param({"op": "update", "title": "Port of the API"}, id="title"),
        pytest.param(
            {
                "op": "supersede",
                "by": {"content": "The API uses port 8080."},
                "evidence": EVIDENCE,
                "from": ["m1"],
            },
            id="supersede",
        ),
    ],
)
def test_what_was_said_earlier_changes_nothing_known_from_later(
    operation: dict[str, Any], target: Memory, expected: Refusal | None
) -> None:
    row = {**operation, "id": "m1", "reason": "they said so"}
    assert refusal([HUMAN], [target], row) is expected


FORM: dict[str, tuple[dict[str, Any], Refusal | None]] = {
    "plain": ({"content": "The API uses port 8080."}, None),
    "chinese": ({"content": "接口使用 8080 端口"}, None),
    "cyrillic": ({"content": "порт 8080"}, None),
    "only_marks": ({"content": "?!"}, Refusal.EMPTY_TEXT),
    "one_letter": ({"content": "a!"}, Refusal.EMPTY_TEXT),
    "blank": ({"content": "  "}, Refusal.EMPTY_TEXT),
    "angle_brackets": ({"content": "<the new content>"}, Refusal.PLACEHOLDER),
    "square_brackets": ({"content": "[content here]"}, Refusal.PLACEHOLDER),
    "cjk_brackets": ({"content": "【内容】"}, Refusal.PLACEHOLDER),
    "tbd": ({"content": "TBD."}, Refusal.PLACEHOLDER),
    "xxx": ({"content": "xxxx"}, Refusal.PLACEHOLDER),
    "none": ({"title": "None"}, Refusal.PLACEHOLDER),
    "round_brackets": ({"content": "(the API has a port)"}, None),
    "memory_handle": ({"content": "As m1 says, the API has a port."}, Refusal.HANDLE_LEAK),
    "event_handle": ({"content": "The API has a port (e1)."}, Refusal.HANDLE_LEAK),
    "named_handle": ({"content": "See memory m77 on the API."}, Refusal.HANDLE_LEAK),
    "bracketed_handle": ({"title": "Port of the API [m99]"}, Refusal.HANDLE_LEAK),
    "id_of_a_memory": ({"content": "The API, see memory-port."}, Refusal.HANDLE_LEAK),
    "uuid": (
        {"content": "The API is 0190b6f8-1c5e-7cc0-8000-3f1c2d3e4f50."},
        Refusal.HANDLE_LEAK,
    ),
    "json": ({"content": '{"op": "archive", "id": 1}'}, Refusal.PROTOCOL_LEAK),
    "json_inside": (
        {"content": 'Answer with "operations": [] for the API.'},
        Refusal.PROTOCOL_LEAK,
    ),
    "reasoning_tag": ({"content": "<think>the API</think> has a port"}, Refusal.PROTOCOL_LEAK),
    "marker": ({"content": "The API memgardend-own run=1"}, Refusal.PROTOCOL_LEAK),
    "tombstone": ({"content": "Superseded by 3f2a9c1b77aa."}, Refusal.PROTOCOL_LEAK),
    "chinese_tombstone": ({"content": "已被 3f2a9c1b77 取代的端口"}, Refusal.PROTOCOL_LEAK),
    "report": ({"content": "Updated memory about the API."}, Refusal.PROTOCOL_LEAK),
    "passive_report": ({"content": "The old memory was archived."}, Refusal.PROTOCOL_LEAK),
    "long_content": ({"content": "word " * 401}, Refusal.TOO_LONG),
    "longest_content": ({"content": "word " * 399 + "last"}, None),
    "long_title": ({"title": "t" * 121}, Refusal.TOO_LONG),
}


@pytest.mark.parametrize(("fields", "expected"), FORM.values(), ids=FORM)
def test_texts_hold_knowledge_and_nothing_else(
    fields: dict[str, Any], expected: Refusal | None
) -> None:
    operation = {**remember("The API uses port 8080.", QUOTE), **fields}
    assert refusal([HUMAN], [PORT], operation) is expected


def test_a_word_of_the_person_that_looks_like_a_handle_is_no_leak() -> None:
    said = event(1, "Sensor m1 and the M1 laptop are in the cellar.")
    operation = remember("Sensor m1 and the M1 laptop are in the cellar.", "Sensor m1 and the M1")
    assert refusal([said], [PORT], operation) is None


def test_secrets_are_masked_before_they_are_stored() -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    operation = remember(f"The API uses token {secret}.", QUOTE, keywords=[secret, "port"])
    judged = verdict([HUMAN], [], operation)
    assert secret not in repr(judged.changes)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param([f"word{n}" for n in range(20)], 13, id="thirteen_at_most"),
        pytest.param(["port", "TBD", "<keyword>", "m1", "…", "x" * 200], 1, id="unusable_dropped"),
    ],
)
def test_keywords_are_cleaned(given: list[str], kept: int) -> None:
    operation = remember("The API uses port 8080.", QUOTE, keywords=given)
    after = change([HUMAN], [PORT], operation).after
    assert after.keywords == tuple(given[:kept])
    assert not after.keywords_auto


@pytest.mark.parametrize(("given", "kept"), [(-3, 1), (0, 1), (3, 3), (99, 4)])
def test_importance_is_clamped(given: int, kept: int) -> None:
    operation = remember("The API uses port 8080.", QUOTE, importance=given)
    assert change([HUMAN], [], operation).after.importance == kept


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
        pytest.param({"op": "merge", "ids": ["m1"]}, Refusal.MALFORMED, id="unknown_operation"),
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
