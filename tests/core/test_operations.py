"""Answers: whatever a model writes around and inside its JSON, it is read or refused with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memgardend.core.operations import (
    MAX_OPERATIONS,
    Answer,
    Fields,
    Malformed,
    Operation,
    QuoteRef,
    Unusable,
    parse_answer,
)
from memgardend.core.words import Layer, OperationName, Subcategory

ROW: dict[str, Any] = {
    "op": "remember",
    "layer": "fact",
    "content": "The port is 8080.",
    "evidence": [{"event": "e1", "quote": "the port is 8080"}],
}
ANSWER = json.dumps({"operations": [ROW]})
NEW = {"content": "new"}


def operations(text: str) -> tuple[Operation, ...]:
    parsed = parse_answer(text)
    assert isinstance(parsed, Answer), parsed
    assert all(isinstance(one, Operation) for one in parsed.operations), parsed
    return tuple(one for one in parsed.operations if isinstance(one, Operation))


def only(**fields: Any) -> Operation:
    (operation,) = operations(json.dumps({"operations": [{**ROW, **fields}]}))
    return operation


def malformed(row: object) -> str:
    parsed = parse_answer(json.dumps({"operations": [row]}))
    assert isinstance(parsed, Answer)
    (one,) = parsed.operations
    assert isinstance(one, Malformed), one
    return one.detail


DRAFT = '{"operations": [{"op": "remember", "layer": "fact", "content": "a draft only"}]}'


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ANSWER, id="bare"),
        pytest.param(f"```json\n{ANSWER}\n```", id="fenced"),
        pytest.param(f"```\n{ANSWER}\n```\nDone!", id="fence_without_language"),
        pytest.param(f"Here you are: {ANSWER} I hope {{this}} helps.", id="prose_around"),
        pytest.param(f"I looked at {{m1}} and {{'m2'}}.\n{ANSWER}", id="braces_in_prose"),
        pytest.param(f"<think>maybe {DRAFT}?</think>\n{ANSWER}", id="think_block_with_draft"),
        pytest.param(f"maybe {DRAFT}</thinking>{ANSWER}", id="orphan_closing_tag"),
        pytest.param(f"<THINK>x</THINK><reasoning>y</reasoning>{ANSWER}", id="two_blocks"),
        pytest.param(f"{DRAFT}\nNo, better:\n{ANSWER}", id="last_object_wins"),
        pytest.param(f'{ANSWER}\nOtherwise {{"operations": []}}', id="empty_one_does_not_win"),
        pytest.param(f'{{"note": "first"}}\n{ANSWER}', id="other_object_before"),
        pytest.param(f"\ufeff{ANSWER}", id="byte_order_mark"),
    ],
)
def test_the_object_is_found_wherever_it_stands(text: str) -> None:
    assert operations(text) == operations(ANSWER)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(r"a } brace { and \" quote", 'a } brace { and " quote', id="escaped"),
        pytest.param('he said "yes" twice', 'he said "yes" twice', id="bare_quotes"),
        pytest.param('he said "yes", then left', 'he said "yes", then left', id="quote_then_comma"),
        pytest.param('"all of it"', '"all of it"', id="quotes_at_both_ends"),
        pytest.param("two\nlines", "two\nlines", id="bare_newline"),
        pytest.param(
            'a <think> tag and </think> "x" end', 'a <think> tag and </think> "x" end', id="tags"
        ),
    ],
)
def test_text_inside_values_survives(value: str, expected: str) -> None:
    text = '{"operations": [{"op": "remember", "layer": "fact", "content": "' + value + '"}]}'
    (operation,) = operations(text)
    assert operation.fields.content == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(" \n", id="blank"),
        pytest.param("I have nothing to add.", id="prose"),
        pytest.param("[]", id="a_list"),
        pytest.param('{"cards": []}', id="operations_missing"),
        pytest.param('{"operations": {}}', id="operations_no_list"),
        pytest.param('{"operations": null}', id="operations_null"),
        pytest.param('{"operations": [' + "{}," * MAX_OPERATIONS + "{}]}", id="too_many"),
        pytest.param(ANSWER[:-6], id="truncated"),
        pytest.param(ANSWER.replace('", "content"', '" "content"'), id="missing_comma"),
        pytest.param(ANSWER.replace('"', "'"), id="single_quotes"),
        pytest.param('{"operations": [NaN]}', id="not_a_number"),
        pytest.param('{"operations": [1e999]}', id="infinite"),
        pytest.param('{"a":' * 5000 + "1" + "}" * 5000, id="deep"),
        pytest.param('{"operations": [], "x": ' + "[" * 33 + "]" * 33 + "}", id="rather_deep"),
        pytest.param("<think>hm, {", id="reasoning_cut_off"),
        pytest.param(
            f"[memgardend-own run=r window=w round=atomic sig=00]\n{ANSWER}", id="echoed_prompt"
        ),
        pytest.param(
            '{"operations": [{"op": "archive", "id": "m…", "reason": "…"},'
            ' {"op": "remember", "layer": "…", "content": "…"}]}',
            id="echoed_shape",
        ),
        pytest.param(
            '{"operations": [{"op": "merge", "ids": ["m…", "m…"], "into": {"content": "…"}},'
            ' {"op": "split", "id": "m…", "into": [{"content": "…"}, {"content": "…"}]}]}',
            id="echoed_shape_of_merge_and_split",
        ),
    ],
)
def test_what_cannot_be_used_says_why(text: str) -> None:
    parsed = parse_answer(text)
    assert isinstance(parsed, Unusable)
    assert len(parsed.reason) > 15


def test_an_empty_list_is_an_answer() -> None:
    assert parse_answer('{"operations": []}') == Answer()


def test_questions_and_summary_are_kept() -> None:
    parsed = parse_answer(
        '{"operations": [], "questions": ["Which port?", 3, " "], "summary": "none"}'
    )
    assert parsed == Answer(questions=("Which port?",), summary="none")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(["a b", "c"], ("a b", "c"), id="list"),
        pytest.param("a b, c；d", ("a b", "c", "d"), id="text"),
        pytest.param('["a b", "c"]', ("a b", "c"), id="json_text"),
        pytest.param([1, True, "c", {"x": 1}], ("1", "True", "c"), id="scalars"),
        pytest.param(["a", "a", ""], ("a",), id="repeated_and_blank"),
    ],
)
def test_keywords_come_in_any_shape(given: object, expected: tuple[str, ...]) -> None:
    assert only(keywords=given).fields.keywords == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [("3", 3), (2.6, 3), (" 4 ", 4), ("", None), (None, None), (-9, -9), (10**400, None)],
)
def test_numbers_may_be_text(given: object, expected: int | None) -> None:
    if given == 10**400:
        assert "importance" in malformed({**ROW, "importance": given})
    else:
        assert only(importance=given).fields.importance == expected


def test_words_are_read_in_any_case() -> None:
    fields = only(layer="Project", subcategory="TODO", corrected="yes").fields
    assert (fields.layer, fields.subcategory, fields.corrected) == (
        Layer.PROJECT,
        Subcategory.TODO,
        True,
    )


@pytest.mark.parametrize("given", ["m3", "[m3]", "M3", "#m3", 3, ["m3"], "`m3`"])
def test_ids_are_read_with_and_without_brackets(given: object) -> None:
    (operation,) = operations(
        json.dumps({"operations": [{"op": "archive", "id": given, "reason": "wrong"}]})
    )
    assert operation.targets == ("m3",)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param([{"event": "[e2]", "quote": "words said"}], id="list"),
        pytest.param({"event": 2, "quote": "words said"}, id="single_object"),
    ],
)
def test_evidence_may_be_one_object(given: object) -> None:
    assert only(evidence=given).evidence == (QuoteRef("e2", "words said"),)


def test_a_quote_alone_names_no_event() -> None:
    assert only(evidence=["words said"]).evidence == (QuoteRef("", "words said"),)


def test_supersede_reads_the_new_memory_and_its_proof_in_either_place() -> None:
    row = {
        "op": "supersede",
        "id": ["m1", "m2"],
        "by": {"content": "new", "from": "m1, m2"},
        "reason": "r",
    }
    (operation,) = operations(json.dumps({"operations": [row]}))
    assert operation.op is OperationName.SUPERSEDE
    assert (operation.targets, operation.parents) == (("m1", "m2"), ("m1", "m2"))
    assert operation.fields.content == "new"


def test_merge_reads_the_new_memory_alone_or_in_a_list() -> None:
    row = {"op": "merge", "ids": "m1, m2", "reason": "r"}
    for into in (NEW, [NEW]):
        (operation,) = operations(json.dumps({"operations": [{**row, "into": into}]}))
        assert operation.targets == ("m1", "m2")
        assert (operation.fields.content, operation.parts) == ("new", ())


def test_split_reads_its_parts_and_their_proof_wherever_it_stands() -> None:
    quote = {"event": "e1", "quote": "words said"}
    parts = [{"content": "one", "evidence": [quote]}, {"content": "two", "from": ["m2"]}]
    row = {"op": "split", "id": "m1", "into": parts, "reason": "r", "evidence": [quote]}
    (operation,) = operations(json.dumps({"operations": [row]}))
    assert [part.content for part in operation.parts] == ["one", "two"]
    assert operation.evidence == (QuoteRef("e1", "words said"),)
    assert (operation.parents, operation.fields) == (("m2",), Fields())


def test_more_than_twenty_ids_are_cut_off() -> None:
    row = {"op": "supersede", "ids": list(range(1, 40)), "by": {"content": "one"}, "reason": "r"}
    (operation,) = operations(json.dumps({"operations": [row]}))
    assert operation.targets == tuple(f"m{number}" for number in range(1, 21))


@pytest.mark.parametrize(
    ("row", "word"),
    [
        pytest.param("remember this", "object", id="no_object"),
        pytest.param({"op": "delete", "ids": ["m1"]}, "op", id="unknown_op"),
        pytest.param({"layer": "fact"}, "op", id="no_op"),
        pytest.param({"op": "remember", "layer": "fact"}, "content", id="no_content"),
        pytest.param({"op": "remember", "content": "x"}, "layer", id="no_layer"),
        pytest.param({**ROW, "layer": "diary"}, "layer", id="unknown_layer"),
        pytest.param({**ROW, "importance": "high"}, "importance", id="no_number"),
        pytest.param({**ROW, "content": ["x"]}, "content", id="content_no_text"),
        pytest.param(
            {**ROW, "evidence": [{"event": "e1"}]}, "evidence", id="evidence_without_quote"
        ),
        pytest.param({"op": "archive", "reason": "r"}, "id", id="no_target"),
        pytest.param(
            {"op": "archive", "ids": ["m1", "m2"], "reason": "r"}, "one", id="two_targets"
        ),
        pytest.param({"op": "supersede", "ids": ["m1"], "reason": "r"}, "by", id="no_successor"),
        pytest.param(
            {"op": "merge", "ids": ["m1", "m1"], "into": NEW}, "2 `ids`", id="merge_of_one"
        ),
        pytest.param({"op": "merge", "ids": ["m1", "m2"]}, "into", id="merge_into_nothing"),
        pytest.param(
            {"op": "merge", "ids": ["m1", "m2"], "into": [NEW, NEW]}, "one", id="merge_into_two"
        ),
        pytest.param(
            {"op": "merge", "ids": ["m1", "m2"], "into": {}}, "content", id="merge_into_silence"
        ),
        pytest.param({"op": "split", "id": "m1", "into": NEW}, "list", id="split_into_one"),
        pytest.param({"op": "split", "id": "m1", "into": [NEW, "x"]}, "into", id="split_into_text"),
        pytest.param({"op": "split", "id": "m1", "into": []}, "into", id="split_into_nothing"),
        pytest.param(
            {"op": "split", "id": "m1", "into": [NEW] * 21}, "20", id="split_into_too_many"
        ),
        pytest.param(
            {"op": "split", "id": "m1", "into": [NEW, {}]}, "content", id="a_part_is_silent"
        ),
        pytest.param(
            {"op": "split", "ids": "m1, m2", "into": [NEW, NEW]}, "one", id="split_of_two"
        ),
    ],
)
def test_a_bad_row_is_kept_with_what_is_wrong(row: object, word: str) -> None:
    assert word in malformed(row)


def test_a_bad_row_drops_no_other() -> None:
    parsed = parse_answer(json.dumps({"operations": [7, ROW, {"op": "?"}]}))
    assert isinstance(parsed, Answer)
    assert [type(one) for one in parsed.operations] == [Malformed, Operation, Malformed]


def test_lone_surrogates_become_storable_text() -> None:
    (operation,) = operations(ANSWER.replace("8080", r"\ud800"))
    assert operation.fields.content == "The port is ?."


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
FLAT = SCALARS | st.lists(SCALARS, max_size=4) | st.dictionaries(st.text(), SCALARS, max_size=4)
JSON_VALUES = FLAT | st.lists(FLAT, max_size=3) | st.dictionaries(st.text(), FLAT, max_size=3)
PIECES = st.sampled_from(
    [
        '{"operations": [',
        "]}",
        '"',
        "{",
        "}",
        "<think>",
        "</think>",
        "```",
        ",",
        ":",
        "\\",
        "e1",
        " ",
        ANSWER,
    ]
)


@given(
    st.text() | st.lists(PIECES | st.text(max_size=3)).map("".join) | JSON_VALUES.map(json.dumps)
)
@example("{" * 50)
def test_no_text_makes_it_raise(text: str) -> None:
    assert isinstance(parse_answer(text), Answer | Unusable)


@given(
    st.dictionaries(
        st.sampled_from([*ROW, "id", "ids", "by", "into", "from", "importance", "scope"]),
        JSON_VALUES,
    ),
    st.sampled_from(OperationName),
)
def test_no_row_makes_it_raise(row: dict[str, Any], op: OperationName) -> None:
    parsed = parse_answer(json.dumps({"operations": [{"op": op, **row}]}))
    assert isinstance(parsed, Answer | Unusable)


@pytest.mark.parametrize(
    "piece",
    [
        '{"a":',
        '{"',
        '{"operations":[',
        '"',
        "<think>",
        "</think>",
        '{"operations": [{"a": "b" ',
        "{ ",
        "\\",
    ],
)
def test_a_megabyte_of_anything_is_answered(piece: str) -> None:
    parsed = parse_answer(piece * (1_000_000 // len(piece)))
    assert isinstance(parsed, Unusable)
