"""Form: texts of memories hold knowledge and nothing else; labels are cleaned."""

from __future__ import annotations

from typing import Any

import pytest

from memgardend.core.words import Refusal
from support.dreaming import NOON, event, memory
from support.judging import HUMAN, QUOTE, change, refusal, remember, verdict

PORT = memory("port", "The API uses port 7070.", as_of=NOON)

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
    "leak_in_a_program": ({"content": "Completed the memory leak fix of the API."}, None),
    "card_in_a_machine": ({"content": "The card was replaced with a faster one."}, None),
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
