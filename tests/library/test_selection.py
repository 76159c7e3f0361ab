"""Which cards come to mind: stages, the chain of the README, and policies of a host's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.selection import Chain, Pick, SelectionPolicy, SelectionResult
from memgardend.core.editorial.stages import RecentStage, RelevanceStage, RoleStage

Cards = Sequence[Mapping[str, Any]]


def card(id_: str, summary: str = "", **fields: Any) -> dict[str, Any]:
    return {"id": id_, "summary": summary or f"about {id_}", **fields}


def picked(stage: Any, cards: Cards, query: str = "", limit: int = 20) -> list[str]:
    return list(Chain(stages=(stage,)).select(cards, query, limit=limit).card_ids)


LIFE = [
    card("met", "第一次见面", roles=["turning_point"], occurred_at="2024-02-01", created_at="2026-01-01"),
    card("moved", "搬到上海", role="turning_point", occurred_at="2025-06-01", created_at="2026-01-02"),
    card("left", "辞职", roles=["turning_point"], occurred_at="2025-01-01", created_at="2026-01-03"),
    card("born", "出生", roles=["turning_point"], created_at="2026-01-04"),
    card("dog", "我的狗是柯基", created_at="2026-01-05"),
    card("cat", "猫不喜欢狗的味道", created_at="2026-01-06"),
    card("hotpot", "昨天吃火锅", created_at="2026-01-08"),
    card("tea", "爱喝茶", created_at="2026-01-07"),
]  # fmt: skip


def test_the_chain_of_the_readme() -> None:
    policy = Chain(
        stages=(
            RoleStage("turning_point", limit=3),
            RecentStage(limit=2),
            RelevanceStage(limit=3, any_score=True),
        )
    )
    result = policy.select(LIFE, query="我的狗是什么品种", limit=8)
    assert result.card_ids == ("moved", "left", "met", "hotpot", "tea", "dog")
    assert [pick.stage for pick in result.picks[::2]] == ["role:turning_point"] * 2 + ["recent"]
    assert result.diagnostics == {
        "candidates": 8,
        "selected": 6,
        "by_stage": {"role:turning_point": 3, "recent": 2, "relevance": 1},
        "unknown_ids": 0,
    }
    assert result.rejected == {"born": "no_match", "cat": "no_match"}
    assert policy.select(LIFE, "狗", limit=4).card_ids == ("moved", "left", "met", "hotpot")


@pytest.mark.parametrize(
    ("stage", "ids"),
    [
        (RoleStage("turning_point"), ["moved", "left", "met"]),
        (RoleStage("turning_point", limit=9), ["moved", "left", "met", "born"]),
        (RoleStage("nobody"), []),
        (RecentStage(), ["hotpot", "tea"]),
        (RecentStage(limit=0), []),
    ],
)
def test_stages_that_ask_no_query(stage: Any, ids: list[str]) -> None:
    assert picked(stage, LIFE) == picked(stage, LIFE, "狗") == ids


def test_times_of_any_form_are_ordered_by_their_instant() -> None:
    cards = [
        card("date", created_at="2025-01-10"),
        card("zone", created_at="2025-01-10T07:00:00+08:00"),
        card("none"),
        card("junk", created_at="long ago"),
        card("instant", created_at="2025-01-10T00:00:01Z"),
    ]
    assert picked(RecentStage(limit=5), cards) == ["instant", "date", "zone", "junk", "none"]


GARDEN = [
    card("boat", "The boat is called Albatross and lies in Kiel"),
    card("tea", "She drinks tea, never coffee", content="Two cups before work"),
    *(card(f"c{n}", f"Notes on the weekly meeting number {n}") for n in range(25)),
]


@pytest.mark.parametrize(
    ("query", "strict", "loose"),
    [
        ("what is the boat called", ["boat"], ["boat"]),
        ("does she drink coffee or tea", ["tea"], ["tea"]),
        ("albatross", ["boat"], ["boat"]),
        ("two of my uncles sailed past every lighthouse each warm summer holiday", [], ["tea"]),
        ("is the and of", [], []),
        ("", [], []),
        ("quantum", [], []),
    ],
)
def test_weak_matches_pass_only_with_any_score(
    query: str, strict: list[str], loose: list[str]
) -> None:
    assert picked(RelevanceStage(limit=9), GARDEN, query) == strict
    assert picked(RelevanceStage(limit=9, any_score=True), GARDEN, query) == loose


def test_two_rare_words_in_a_long_text_are_enough() -> None:
    paste = "please look at this for me " + " ".join(f"word{n}" for n in range(40))
    cards = [*GARDEN, card("id", "Ticket zx9 of Marlow")]
    assert picked(RelevanceStage(), cards, f"{paste} zx9") == []
    assert picked(RelevanceStage(), cards, f"{paste} zx9 marlow") == ["id"]


def test_a_small_garden_answers() -> None:
    assert picked(RelevanceStage(), [card("tea", "She drinks tea")], "what tea does she like") == [
        "tea"
    ]
    assert picked(RelevanceStage(), [card("tea", "She drinks tea")], "which car") == []


def test_a_lone_character_finds_what_contains_it() -> None:
    assert picked(RelevanceStage(), LIFE, "狗") == ["dog", "cat"]


def test_private_text_is_searched_and_reasons_name_no_words() -> None:
    secret = card("n", "Pets", search_text="Pets\nA corgi called Bo")
    result = Chain(stages=(RelevanceStage(),)).select([secret], "corgi", limit=3)
    assert result.card_ids == ("n",)
    assert "corgi" not in repr(result)


def test_equal_scores_go_to_what_happened_last_then_by_id() -> None:
    cards = [
        card("b", "tea", occurred_at="2024-05-01"),
        card("a", "tea", occurred_at="2024-05-01"),
        card("c", "tea"),
        card("d", "tea", occurred_at="2026-02-01T00:00:00+08:00"),
    ]
    assert picked(RelevanceStage(limit=4, any_score=True), cards, "tea") == ["d", "a", "b", "c"]


class Liar:
    """A stage that names what nobody gave it, and the same card twice."""

    name = "liar"

    def pick(
        self, cards: Cards, query: str, seats: int
    ) -> tuple[Sequence[Pick], Mapping[str, str]]:
        ids = ["forged", "tea", "tea", *(str(card["id"]) for card in cards)]
        return [Pick(card_id=id_, stage=self.name) for id_ in ids], {"forged": "no_match"}


def test_a_stage_can_neither_forge_nor_repeat_nor_exceed() -> None:
    result = Chain(stages=(Liar(),)).select(LIFE, "", limit=3)
    assert result.card_ids == ("tea", "met", "moved")
    assert result.diagnostics["unknown_ids"] == 3, "forged, and tea twice more"
    assert "forged" not in result.rejected
    assert set(result.rejected.values()) == {"over_cap"}


def test_a_host_may_replace_the_whole_policy() -> None:
    class Mine:
        def select(self, cards: Cards, query: str, *, limit: int) -> SelectionResult:
            return SelectionResult(picks=(Pick(card_id="tea", stage="mine"),))

    policy: SelectionPolicy = Mine()
    assert policy.select(LIFE, "x", limit=1).card_ids == ("tea",)


def test_negative_limits_are_mistakes() -> None:
    for stage in (RecentStage, RelevanceStage, partial(RoleStage, "any")):
        with pytest.raises(ValueError, match="negative"):
            stage(limit=-1)
    with pytest.raises(ValueError, match="negative"):
        Chain(stages=()).select([], "", limit=-1)


IDS = st.lists(st.sampled_from([f"id{n}" for n in range(8)]), unique=True)


@given(ids=IDS, query=st.text(max_size=12), limit=st.integers(0, 9), cap=st.integers(0, 5))
def test_picks_are_some_of_the_cards_each_once(
    ids: list[str], query: str, limit: int, cap: int
) -> None:
    cards = [card(id_, f"{query} {id_}", role="r" if n % 2 else "") for n, id_ in enumerate(ids)]
    chain = Chain(
        stages=(RoleStage("r", cap), RelevanceStage(cap, any_score=True), RecentStage(cap))
    )
    result = chain.select(cards, query, limit=limit)
    assert len(set(result.card_ids)) == len(result.card_ids) <= limit
    assert set(result.card_ids) <= set(ids)
    assert not set(result.card_ids) & set(result.rejected)
