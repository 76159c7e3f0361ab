"""One policy chooses for first turn, hits and search; another may take its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from memgardend.core.editorial.selection import Chain, Pick, SelectionPolicy, SelectionResult
from memgardend.core.editorial.stages import RelevanceStage
from memgardend.core.errors import ConfigError
from memgardend.core.recall.searching import shown
from memgardend.core.recall.selection import Scored, card, choose
from support.recalling import known

RANKED = [Scored(known(one), score) for one, score in (("a", 3.0), ("b", 2.0), ("c", 0.0))]


class Chooses:
    """A policy that always says the same."""

    def __init__(self, *ids: str) -> None:
        self.asked: list[tuple[Sequence[Mapping[str, Any]], str, int]] = []
        self._ids = ids

    def select(
        self, cards: Sequence[Mapping[str, Any]], query: str, *, limit: int
    ) -> SelectionResult:
        self.asked.append((cards, query, limit))
        return SelectionResult(picks=tuple(Pick(card_id=one, stage="mine") for one in self._ids))


@pytest.mark.parametrize(
    ("policy", "chosen"),
    [
        pytest.param(None, ["a", "b"], id="ours: by score, never what is worth nothing"),
        pytest.param(Chooses("c", "a"), ["c", "a"], id="another, in its order"),
        pytest.param(Chooses("x", "b", "b"), ["b"], id="inventions and repetitions do not count"),
        pytest.param(Chooses("c", "b", "a"), ["c", "b"], id="the limit holds"),
        pytest.param(
            Chain((RelevanceStage(any_score=True),)), ["a", "b"], id="a stage of the library"
        ),
    ],
)
def test_a_policy_chooses(policy: SelectionPolicy | None, chosen: list[str]) -> None:
    assert [one.memory.id for one in choose(policy, RANKED, "content a", 2)][
        : len(chosen)
    ] == chosen


class Answers:
    """A policy that is none: it answers with this, or raises it."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def select(
        self, cards: Sequence[Mapping[str, Any]], query: str, *, limit: int
    ) -> SelectionResult:
        if isinstance(self._answer, BaseException):
            raise self._answer
        return cast("SelectionResult", self._answer)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "AttributeError"),
        (KeyError("seat"), "KeyError: 'seat'"),
        (SystemExit(2), "SystemExit: 2"),
    ],
    ids=str,
)
def test_a_policy_that_fails_is_a_mistake_in_the_settings(answer: object, why: str) -> None:
    with pytest.raises(ConfigError, match=f"recall.policy failed: {why}") as caught:
        choose(Answers(answer), RANKED, "question", 2)
    assert caught.value.hint == "memgardend config explain recall.policy"


def test_a_policy_sees_cards_with_our_score() -> None:
    policy = Chooses()
    choose(policy, RANKED, "question", 2)
    ((cards, query, limit),) = policy.asked
    assert (query, limit) == ("question", 2)
    assert [one["score"] for one in cards] == [3.0, 2.0, 0.0]
    assert cards[0] == card(RANKED[0])
    assert cards[0]["content"] == "content a"


def test_the_five_best_are_shown_and_then_only_what_was_not_seen() -> None:
    ranked = [Scored(known(f"m{n}"), 20.0 - n) for n in range(12)]
    seen = {"m0", "m5", "m6"}
    ids = [int(one.memory.id[1:]) for one in shown(ranked, seen, 8)]
    assert ids == [0, 1, 2, 3, 4, 7, 8, 9]
    assert [one.memory.id for one in shown(ranked, seen, 3)] == ["m0", "m1", "m2"]
    assert len(shown(ranked, {one.memory.id for one in ranked}, 10)) == 5
