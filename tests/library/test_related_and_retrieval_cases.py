"""The shared cases on retrieval and relations, by their mark."""

from __future__ import annotations

from typing import Any

import pytest

from memgardend.core.editorial import stages
from memgardend.core.editorial.recalling import search_cards
from memgardend.core.editorial.related import Relation, related
from memgardend.core.editorial.stages import RelevanceStage
from memgardend.core.ranking import RANKING_VERSION, Manner, rank
from memgardend.core.tokens import TOKENIZER_VERSION
from support.capturing import shared_cases
from support.recalling import DAY_MS, known
from support.stores import NOW


def expected(case: str) -> Any:
    return shared_cases()[case]["expected"]


def card(card_id: str, summary: str = "a summary", **fields: Any) -> dict[str, Any]:
    return {"id": card_id, "summary": summary, "content": summary, **fields}


SOURCE = card("src", threads=["t"], anchor_memory_ids=["anc", "arch"], supersedes=["old", "none"])


def test_l01_links_come_before_threads_and_what_is_gone_never() -> None:
    cards = [
        card("anc"),
        card("old", superseded_by="src", archived=True),
        card("thr", threads=["t"]),
        card("arch", archived=True),
        card("past", threads=["t"], superseded_by="thr", archived=True),
        card("blank", "  ", threads=["t"]),
        card("other", threads=["u"]),
        SOURCE,
    ]
    found = [[one.id, one.relation, one.status] for one in related([SOURCE], cards)]
    assert found == expected("L01")


def test_l02_the_cap_is_a_count_and_summaries_are_cut() -> None:
    cards = [card("anc", "word\n" * 99), card("thr", threads=["t"])]
    outcomes: list[object] = []
    for cap in (-1, True):
        with pytest.raises(ValueError, match="cap") as caught:
            related([SOURCE], cards, cap=cap)
        outcomes.append(type(caught.value).__name__)
    (one,) = related([SOURCE], cards, cap=1)
    assert [*outcomes, 1, len(one.summary)] == expected("L02")


def test_no_second_step_no_way_back_and_no_link_without_end() -> None:
    far = card("far", anchor_memory_ids=["src"])
    near = card("anc", anchor_memory_ids=["far"])
    assert [one.id for one in related([SOURCE], [near, far])] == ["anc"]
    many = card("src", anchor_memory_ids=[f"c{n:02}" for n in range(30)])
    assert len(related([many], [card(f"c{n:02}") for n in range(30)], cap=99)) == 20
    long = "x" * 200
    assert related([card("src", anchor_memory_ids=[long])], [card(long)]) == ()


def test_a_card_beside_two_sources_is_told_once_by_its_closest_relation() -> None:
    two = [card("a", threads=["t"]), card("b", anchor_memory_ids=["x"])]
    (one,) = related(two, [*two, card("x", threads=["t"])])
    assert (one.source_id, one.relation) == ("b", Relation.ANCHOR)


def ids(query: str, cards: list[dict[str, Any]], locale: str = "en") -> list[str]:
    return [hit.id for hit in search_cards(cards, query, limit=20, locale=locale)]


@pytest.mark.parametrize("name", ["ab-77", "v1.2.0", "app/models.py", "max_wait"])
def test_r01_identifiers_are_found_whole(name: str) -> None:
    apart = known("apart", " ".join(name.replace("/", ".").replace("-", ".").split(".")) * 2)
    whole = known("whole", f"see {name} for more of it")
    ranked = rank(name, [apart, whole], "en", Manner())
    assert ranked[0][1].id == "whole"


def test_r03_ties_go_to_what_happened_last_then_by_id_with_bad_dates_last() -> None:
    dates = {"a": "2026-01-01", "b": "2026-02-01", "c": "soon", "d": "2026-01-01"}
    cards = [card(one, "same words", occurred_at=date) for one, date in dates.items()]
    shared_cases()
    assert ids("same words", cards) == ["b", "a", "d", "c"]


def test_r04b_function_words_alone_are_no_hit() -> None:
    shared_cases()
    assert rank("是谁", [known("q", "她是谁的朋友")], "zh-Hans", Manner()) == []


def test_r06_a_tiny_garden_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [card("t", "Mei eats nothing spicy")]
    answers = [ids("what does Mei like to eat these days over there", cards)]
    monkeypatch.setattr(stages, "SMALL_GARDEN", 1)
    answers.append(ids("what does Mei like to eat these days over there", cards))
    assert answers == expected("R06")


def test_r08_the_version_names_algorithm_and_tokeniser() -> None:
    shared_cases()
    assert RANKING_VERSION.startswith("bm25f-")
    assert f"+tok{TOKENIZER_VERSION}" in RANKING_VERSION


def test_r09_limits_hold_for_blank_queries_too() -> None:
    cards = [card("a"), card("b", "密" * 10)]
    outcomes = []
    for most_cards, most_bytes in ((1, None), (None, 35)):
        with pytest.raises(ValueError, match="more than") as caught:
            search_cards(cards, " ", limit=9, max_cards=most_cards, max_text_bytes=most_bytes)
        outcomes.append(type(caught.value).__name__)
    assert outcomes == expected("R09")
    assert search_cards(cards, " ", limit=9, max_cards=2, max_text_bytes=999) == ()


def test_r10_cards_without_id_are_ignored() -> None:
    shared_cases()
    nobody = {"summary": "redis", "content": "redis"}
    assert ids("redis", [nobody, card("r", "redis cache")]) == ["r"]


def test_r12_importance_and_as_of_take_part() -> None:
    shared_cases()
    plain, heavy = known("a", "redis"), known("b", "redis", importance=4)
    old = known("c", "redis", as_of=NOW - 400 * DAY_MS)
    ranked = rank("redis", [old, plain, heavy], "en", Manner(now=NOW))
    assert [one.id for _, one in ranked] == ["b", "a", "c"]


def test_r14_a_search_is_never_padded() -> None:
    cards = [card("n", "redis cache"), card("x", "about tea", role="turning_point")]
    assert ids("redis", cards) == expected("R14")


def test_r19_any_score_lifts_the_floor_of_a_stage() -> None:
    shared_cases()
    cards = [card("m", "redis"), *(card(f"c{n}", "nothing of it") for n in range(30))]
    asked = ("redis and much more that nobody here has ever heard of in any garden", 3)
    strict, _ = RelevanceStage().pick(cards, *asked)
    lifted, _ = RelevanceStage(any_score=True).pick(cards, *asked)
    assert ([one.card_id for one in strict], [one.card_id for one in lifted]) == ([], ["m"])
