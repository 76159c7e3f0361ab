"""Fuses: a dream that forgets too much waits for a person."""

from __future__ import annotations

from typing import Any

import pytest

from memgardend.core.checks.fuses import blown
from memgardend.core.records import Memory
from memgardend.core.staging import (
    judge_round,
)
from memgardend.core.words import Decision, RoundName
from support.dreaming import event, memory
from support.judging import answer, context, judge, quoted, remember, verdict, view


def facts(count: int) -> list[Memory]:
    return [memory(str(n), f"Fact about {'x' * n} number.") for n in range(1, count + 1)]


def archives(count: int, first: int = 1) -> list[dict[str, Any]]:
    return [
        {"op": "archive", "id": f"m{n}", "reason": "trivial"} for n in range(first, first + count)
    ]


CALM = event(1, "Let us tidy up what we know about it.")


@pytest.mark.parametrize(
    ("archived", "active", "week", "blows"),
    [
        pytest.param(9, 10, 0, False, id="nine_never_do"),
        pytest.param(10, 39, 0, True, id="ten_and_over_a_quarter"),
        pytest.param(10, 40, 0, False, id="ten_and_just_a_quarter"),
        pytest.param(12, 40, 0, True, id="twelve_of_forty"),
        pytest.param(9, 20, 0, False, id="nine_of_twenty"),
        pytest.param(1, 24, 9, True, id="ten_in_seven_days"),
        pytest.param(1, 25, 9, False, id="ten_of_25_in_seven_days"),
        pytest.param(1, 5, 8, False, id="nine_in_seven_days"),
        pytest.param(5, 100, 36, True, id="over_two_fifths_in_seven_days"),
        pytest.param(4, 100, 36, False, id="two_fifths_in_seven_days"),
    ],
)
def test_too_many_archives_wait_for_a_person(
    archived: int, active: int, week: int, blows: bool
) -> None:
    kept = remember("We tidy up what we know.", "tidy up what we know")
    judged, staged = judge(
        [CALM],
        facts(archived),
        *archives(archived),
        kept,
        active_count=active,
        archived_last_7_days=week,
    )
    expected = Decision.REVIEW if blows else Decision.STAGED
    assert {one.decision for one in judged[:-1]} == {expected}
    assert judged[-1].staged
    assert len(staged.retired) == (0 if blows else archived)
    assert len(staged.changes) == (1 if blows else archived + 1)
    if blows:
        assert all(one.proposed and not one.changes and one.detail for one in judged[:-1])


def test_the_fuse_counts_all_rounds_of_a_dream() -> None:
    shown = view([CALM], facts(12))
    _, first = judge_round(shown, answer(*archives(6)), context(shown))
    second = context(shown, round=RoundName.PROJECT)
    judged, staged = judge_round(first, answer(*archives(6, first=7)), second)
    assert {one.decision for one in judged} == {Decision.REVIEW}
    assert len(staged.retired) == 6


def test_archives_with_a_successor_blow_no_fuse() -> None:
    rows = {
        "op": "supersede",
        "ids": [f"m{n}" for n in range(1, 13)],
        "by": {"content": "We tidy up."},
        "evidence": quoted("e1", "tidy up what we know"),
        "reason": "one for all",
    }
    assert verdict([CALM], facts(12), rows).staged


def test_a_dream_that_loses_nothing_blows_no_fuse() -> None:
    assert blown((), active_count=10, archived_last_7_days=50) is None
