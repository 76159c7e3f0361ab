"""What stays of verdicts when a memory is purged."""

from __future__ import annotations

import json
from typing import Any

from memgardend.core.purging import without_memory


def step(memory: str, content: str = "lake") -> dict[str, Any]:
    return {"before": None, "after": {"id": memory, "content": content}, "evidence": []}


def row(decision: str, **given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "operation": {"op": "merge", "content": "lake"},
        "decision": decision,
        "refusal": None,
        "detail": "the lake",
        "changes": [],
        "proposed": [],
        "handles": {},
        "rests_on": [],
    }
    return plain | given


def left(*rows: dict[str, Any]) -> tuple[list[dict[str, Any]], int]:
    text, waiting = without_memory(json.dumps(rows), "gone")
    return json.loads(text), waiting


def test_what_does_not_touch_it_stays_word_for_word() -> None:
    others = [
        row("staged", changes=[step("a")]),
        row("refused"),
        row("review", proposed=[step("b")]),
    ]
    assert left(*others) == (others, 1)


def test_an_operation_keeps_what_it_did_to_others_and_no_word_of_it() -> None:
    both = row(
        "staged",
        changes=[step("gone"), step("a", "hills")],
        handles={"m7": "gone", "m8": "a"},
        rests_on=["gone", "a"],
    )
    [kept], waiting = left(both)
    assert "lake" not in json.dumps(kept)
    assert (kept["operation"], kept["decision"], waiting) == ({"op": "merge"}, "staged", 0)
    assert kept["changes"] == [step("a", "hills")]
    assert (kept["handles"], kept["rests_on"]) == ({"m8": "a"}, ["a"])


def test_what_waits_for_a_person_about_it_waits_no_longer() -> None:
    proposed = row("review", proposed=[step("gone"), step("a")])
    resting = row("review", proposed=[step("a", "hills")], rests_on=["gone"])
    [refused, still], waiting = left(proposed, resting)
    assert (refused["decision"], refused["refusal"], refused["proposed"]) == (
        "refused",
        "unknown_target",
        [],
    )
    assert (still["decision"], still["proposed"], waiting) == ("review", [step("a", "hills")], 1)
