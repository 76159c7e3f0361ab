"""Proof, values and age: what may carry an operation, and what it may say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memgardend.core.records import Event, Memory
from memgardend.core.scope import Scope
from memgardend.core.words import Refusal, Role
from support.dreaming import ALPHA, NOON, WINDOW, event, memory
from support.judging import HUMAN, QUOTE, SAID, change, quoted, refusal, remember


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


@pytest.mark.parametrize(
    ("said", "quote", "content", "expected"),
    [
        (
            "Please never deploy on a Friday.",
            "never deploy on a Friday",
            "Always deploy on Friday.",
            False,
        ),
        ("Please never deploy on a Friday.", "deploy on a Friday", "Deploy on a Friday.", False),
        (
            "Please never deploy on a Friday.",
            "never deploy on a Friday",
            "No deploys on a Friday.",
            True,
        ),
        (
            "Not now. Deploy on a Friday. Never mind.",
            "Deploy on a Friday.",
            "Deploy on a Friday.",
            True,
        ),
        (
            "Don't use tabs for indentation!",
            "use tabs for indentation",
            "Use tabs for indentation.",
            False,
        ),
        (
            "Don't deploy then. Enable the cache for images.",
            "Enable the cache for images",
            "Disable the cache for images.",
            False,
        ),
        ("Why don't we use tabs for code? ", "use tabs for code", "Use tabs for code.", True),
        (
            "We no longer forbid Friday deploys.",
            "no longer forbid Friday deploys",
            "Friday deploys.",
            True,
        ),
        (
            "The image cache is not disabled.",
            "image cache is not disabled",
            "The image cache is enabled.",
            True,
        ),
        ("请不要在周五部署服务", "不要在周五部署服务", "请在周五部署服务", False),
        ("请不要在周五部署服务", "在周五部署服务", "在周五部署服务", False),
        (
            "We deploy the shop on Tuesdays.",
            "deploy the shop on Tuesdays",
            "Deploy the shop on Mondays.",
            False,
        ),
        (
            "We deploy the shop on Tuesdays.",
            "deploy the shop on Tuesdays",
            "Deploy the shop on Tuesdays.",
            True,
        ),
        (
            "Retry the upload three times.",
            "Retry the upload three times",
            "Retry the upload five times.",
            False,
        ),
        (
            "Retry the upload 3 times.",
            "Retry the upload 3 times",
            "Retry the upload three times.",
            True,
        ),
        ("请在每周二部署服务", "请在每周二部署服务", "请在每周一部署服务", False),
        (
            "No American spelling, use British spelling.",
            "use British spelling",
            "Use British spelling.",
            True,
        ),
    ],
)
def test_nothing_rests_on_its_opposite(said: str, quote: str, content: str, expected: bool) -> None:
    """Nor on words cut out of a sentence that denies them."""
    turn = replace(HUMAN, text=said)
    found = refusal(
        [turn], [], remember(content, quote, "rules"), locale="en" if said.isascii() else "zh-Hans"
    )
    assert found is (None if expected else Refusal.CONTRADICTORY)


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


@pytest.mark.parametrize(
    ("said", "written", "proven"),
    [
        ("The release went out on March 1, as planned.", "2026-03-01", True),
        ("The release went out on March 1, as planned.", "2026-03-02", False),
        ("The release went out on March 1, as planned.", "2026", True),
        ("The release went out by the end of March.", "2026-03-31", True),
        ("新版本是3月1日发布的，大家记一下吧。", "2026-03-01", True),
        ("新版本是3月1日发布的，大家记一下吧。", "2026-03-02", False),
    ],
)
def test_a_day_that_is_named_is_no_other_day(said: str, written: str, proven: bool) -> None:
    operation = remember(f"The release date is {written}.", said)
    expected = None if proven else Refusal.VALUE_UNPROVEN
    assert refusal([event(1, said)], [], operation) is expected


SAID_AS_WORDS = [
    ("After three retries the job gives up.", "The job gives up after {} retries.", 3),
    ("After one retry the job gives up.", "The job gives up after {} retry.", 1),
    ("重试三次之后任务就会放弃。", "重试 {} 次之后任务就会放弃。", 3),
    ("缓存要保留二十五天才会清理。", "缓存要保留 {} 天才会清理。", 25),
]


@pytest.mark.parametrize(("words", "digits", "number"), SAID_AS_WORDS)
def test_a_number_may_have_been_said_as_a_word(words: str, digits: str, number: int) -> None:
    said = event(1, words)
    assert refusal([said], [], remember(digits.format(number), words)) is None
    other = remember(digits.format(number + 6), words)
    assert refusal([said], [], other) is Refusal.VALUE_UNPROVEN


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


def test_a_paste_beside_the_persons_words_proves_no_value_of_a_rule() -> None:
    pasted = "> use pnpm 9.1.0"
    said = event(1, f"{pasted}\nYes, do it like that always.", pasted=((0, len(pasted)),))
    rule = remember("Use pnpm 9.1.0.", "do it like that always", "rules")
    assert refusal([said], [], rule) is Refusal.VALUE_UNPROVEN
    assert refusal([said], [], {**rule, "layer": "fact"}) is None


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
