"""The shared cases on answers and their gates: what an ancestor did right stays, what it did wrong is gone."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.operations import Answer, Malformed, Unusable, parse_answer
from memgardend.core.quote_repair import repair_quotes
from memgardend.core.words import Decision, Refusal
from support.dreaming import memory
from support.judging import HUMAN, QUOTE, change, judge, quoted, refusal, remember

CASES = Path(__file__).parents[2] / "../shared/cases/memgarden-cases.json"
ROW = remember("The API uses port 8080.", QUOTE)
TEXT = json.dumps({"operations": [ROW]})
BROKEN = TEXT.replace('"fact", "content"', '"fact" "content"')
PORT = memory("port", "The API uses port 7070.")
BRACES = TEXT.replace("port 8080.", "port 8080 } {.")


@cache
def shared() -> dict[str, dict[str, Any]]:
    if not CASES.exists():
        pytest.skip("the shared cases are not beside this checkout")
    return {row["id"]: row for row in json.loads(CASES.read_text(encoding="utf-8"))}


def read(text: str) -> int | None:
    """How many operations were read, or None for an unusable answer."""
    parsed = parse_answer(text)
    return None if isinstance(parsed, Unusable) else len(parsed.operations)


def malformed(row: dict[str, Any]) -> bool:
    parsed = parse_answer(json.dumps({"operations": [row, ROW]}))
    return isinstance(parsed, Answer) and [type(one) is Malformed for one in parsed.operations] == [
        True,
        False,
    ]


def sharing_a_target() -> list[Refusal | None]:
    row = {"op": "supersede", "id": "m1", "by": {"content": "The API uses port 8080."}}
    proven = {**row, "reason": "moved", "evidence": quoted("e1", QUOTE)}
    judged, _ = judge([HUMAN], [PORT], proven, proven)
    return [one.refusal for one in judged]


def forty_of_forty() -> set[Decision]:
    facts = [memory(str(n), f"Fact {'x' * n}.") for n in range(1, 41)]
    rows = [{"op": "archive", "id": f"m{n}", "reason": "trivial"} for n in range(1, 41)]
    return {one.decision for one in judge([HUMAN], facts, *rows)[0]}


def leaks(content: str) -> Refusal | None:
    return refusal([HUMAN], [PORT], {**ROW, "content": content})


CHECKS: dict[str, tuple[Callable[[], object], object]] = {
    "C02": (lambda: read("There is nothing to keep."), None),
    "C03": (lambda: read(f"<think>{{a draft}} {TEXT}</think>Here:\n```json\n{TEXT}\n```"), 1),
    "C04": (lambda: read(BRACES), 1),
    "C07": (lambda: (read(BROKEN), repair_quotes(BROKEN, 0)), (None, None)),
    "C08": (lambda: repair_quotes(TEXT, 0), TEXT),
    "C09": (lambda: (read("[1]"), read("{}")), (None, None)),
    "C10": (lambda: malformed({"op": "noop"}) and malformed({"op": "annotate"}), True),
    "C13": (lambda: change([HUMAN], [], {**ROW, "importance": 99}).after.importance, 4),
    "C19": (lambda: (leaks("منفذ الواجهة مفتوح"), leaks("порт 8080")), (None, None)),
    "D05": (forty_of_forty, {Decision.REVIEW}),
    "D06": (
        lambda: (leaks("See memory-port."), leaks("See m1 there."), leaks("The API has a port.")),
        (Refusal.HANDLE_LEAK, Refusal.HANDLE_LEAK, None),
    ),
    "D07": (lambda: malformed({"op": "supersede", "by": {"content": "No ids."}}), True),
    "D19": (lambda: read("I tidied everything."), None),
    "D23": (forty_of_forty, {Decision.REVIEW}),
    "D24": (sharing_a_target, [None, Refusal.SHARED_TARGET]),
    "G02": (lambda: read(""), None),
}


@pytest.mark.parametrize("case", CHECKS)
def test_shared_case(case: str) -> None:
    assert shared()[case]["ours"] in ("same", "differs")
    found, expected = CHECKS[case]
    assert found() == expected
