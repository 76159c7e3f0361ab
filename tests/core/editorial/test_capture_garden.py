"""What becomes of the cards of a capture in a garden: targets, merges, duplicates, names, mutations."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.capture import CaptureSession
from memgardend.core.editorial.mutation_reading import read_batch
from memgardend.core.editorial.mutations import (
    Add,
    Supersede,
    mutation_to_dict,
    needed_capabilities,
)
from memgardend.core.editorial.results import Outcome, StepKind
from memgardend.core.editorial.text_gate import leaked_id
from support.capturing import (
    EMPTY,
    WINDOW,
    Captured,
    capture,
    reply,
    request,
    row,
    stored,
)

TEA = stored("m_1", "Mei drinks green tea", content="Mei drinks green tea every morning.")
TARGETLESS = row("Mei drinks no tea any more", action="supersede")


def test_a_card_becomes_one_mutation_that_says_where_it_comes_from() -> None:
    actor = {"user_id": "u1", "session_id": "s1"}
    got = capture(
        request(actor=actor, mount="user-private", material_kind="chat"),
        reply(row(bucket="Food", threads=["kitchen"])),
    )
    (mutation,) = got.result.mutations
    assert isinstance(mutation, Add)
    assert got.result.outcome is Outcome.WRITTEN
    assert mutation.mount == "user-private"
    assert dict(mutation.card) == {
        "type": "event",
        "summary": "Mei eats nothing spicy",
        "content": "Mei eats nothing spicy, and says so each time somebody cooks.",
        "bucket": "Food",
        "threads": ["kitchen"],
        "importance": 0.0,
        "pulse": 0.0,
        "source": "conversation_capture",
        "source_material_kind": "chat",
        "source_actor": actor,
        "mount": "user-private",
    }
    assert read_batch(map(mutation_to_dict, got.result.mutations)) == got.result.mutations


@pytest.mark.parametrize("target", [{}, {"target_id": "m_9"}, {"target_ids": ["m_1", "m_9"]}])
def test_a_wrong_target_costs_its_own_card_only(target: dict[str, Any]) -> None:
    wrong = row("Mei drinks no tea any more", action="supersede", **target)
    got = capture(request(existing_cards=[TEA]), reply(wrong, row()), reply(wrong, row()))
    assert got.summaries == ["Mei eats nothing spicy"]
    assert got.result.trace["dropped_targets"] == 1
    dropped = [step.detail for step in got.session.steps if step.kind is StepKind.DROPPED]
    assert dropped == [{"dropped_targets": 1}]


def test_nothing_but_wrong_targets_is_never_nothing_to_keep() -> None:
    got = capture(request(), reply(TARGETLESS), reply(TARGETLESS))
    assert got.result.error == "invalid_card_content_after_retry:target_not_shown"


def test_only_cards_that_were_shown_and_are_active_may_be_targets() -> None:
    gone = stored("m_0", "Mei drinks tea", archived=True)
    far = stored("m_2", "Something else altogether")
    garden = [gone, stored("m_3", "Mei gets a stomach ache of spicy food"), far]
    for unseen in ("m_0", "m_2"):
        wrong = row("Mei drinks no tea", action="supersede", target_id=unseen)
        asked = request(existing_cards=garden, index_cards_limit=1)
        assert capture(asked, reply(wrong), EMPTY).session.steps[3].kind is StepKind.RETRYING
    unknown = capture(request(), reply(row("Mei drinks no tea", action="merge", target_id="any")))
    assert needed_capabilities(unknown.result.mutations) == {"supersede"}


def test_two_cards_never_take_the_place_of_one() -> None:
    rows = [
        row(text, action="supersede", target_id="m_1")
        for text in ("Mei drinks no tea any more", "Mei has sold her teapot")
    ]
    got = capture(request(existing_cards=[TEA]), reply(*rows))
    first, second = got.result.mutations
    assert isinstance(first, Supersede)
    assert isinstance(second, Add)
    assert got.result.trace["shared_targets"] == 1


def test_a_merge_keeps_what_the_model_could_not_see() -> None:
    old = stored(
        "m_1",
        "Mei's dog",
        content="Mei has a dog called Bruno. He was born in 2019. He sleeps on the sofa.",
        retrieval_cues=["Bruno"],
        importance=0.9,
        is_sensitive=True,
        role="turning_point",
        bucket="Pets",
        threads=["Bruno"],
    )
    merged = row(
        "Mei's dog is ill",
        action="merge",
        target_id="m_1",
        retrieval_cues=["vet"],
        threads=["illness"],
    )
    merged["content"] = "Mei has a dog called Bruno. He sleeps at the vet's since Monday."
    got = capture(request(existing_cards=[old]), reply(merged))
    (card,) = got.result.cards
    assert card["content"].splitlines() == [
        merged["content"],
        "He was born in 2019.",
        "He sleeps on the sofa.",
    ]
    assert got.result.trace["kept_of_old"] == 1
    assert card["retrieval_cues"] == ["vet", "Bruno"]
    assert (card["importance"], card["is_sensitive"], card["role"]) == (0.9, True, "turning_point")
    assert (card["bucket"], card["threads"]) == ("Pets", ["illness", "Bruno"])


def test_a_supersede_keeps_only_what_belongs_to_the_matter() -> None:
    old = {**TEA, "is_sensitive": True, "role": "turning_point", "anchor_memory_ids": ["m_0"]}
    new = row("Mei drinks coffee instead of tea", action="supersede", target_id="m_1")
    (card,) = capture(request(existing_cards=[old]), reply(new)).result.cards
    assert card["content"] == new["content"]
    assert (card["is_sensitive"], card["anchor_memory_ids"]) == (True, ["m_0"])
    assert "role" not in card


@pytest.mark.parametrize(
    ("policy", "made"), [("curated_archive", Add), ("history_import", Supersede)]
)
def test_an_archive_merges_nothing_by_itself(policy: str, made: type) -> None:
    more = {**row("Mei drinks green tea"), "content": TEA["content"][:-1] + " gladly."}
    (mutation,) = capture(
        request(existing_cards=[TEA], policy=policy), reply(more)
    ).result.mutations
    assert type(mutation) is made


def test_what_the_garden_knows_is_not_written_again() -> None:
    again = capture(request(existing_cards=[TEA]), reply({**row(), **TEA, "action": "add"}))
    assert again.result.outcome is Outcome.EMPTY
    assert again.result.trace["duplicates"] == 1
    twice = capture(request(), reply(row(), row()))
    assert len(twice.summaries) == 1


def test_nothing_is_a_duplicate_of_what_the_same_reply_replaces() -> None:
    again = {**row(), **TEA, "action": "add"}
    instead = row("Mei gave up tea for coffee", action="supersede", target_id="m_1")
    got = capture(request(existing_cards=[TEA]), reply(again, instead))
    assert [type(one) for one in got.result.mutations] == [Add, Supersede]


def test_a_card_that_says_more_than_another_of_the_reply_stays() -> None:
    more = {**row(), "content": f"{row()['content']} At 7:30 too."}
    assert len(capture(request(), reply(row(), more)).summaries) == 2


def test_a_near_duplicate_that_says_more_is_merged() -> None:
    more = {**row("Mei drinks green tea"), "content": "Mei drinks green tea every morning at 7:30."}
    got = capture(request(existing_cards=[TEA]), reply(more))
    (mutation,) = got.result.mutations
    assert got.result.trace["merged_into_twin"] == 1
    assert isinstance(mutation, Supersede)
    assert mutation.target_ids == ("m_1",)


def test_two_cards_are_never_merged_into_one_twin() -> None:
    said = "Mei drinks green tea from the market in Graça every morning with her neighbour Ana"
    known = stored("m_1", "Mei drinks green tea", content=f"{said}.")
    more = [
        {**row("Mei drinks green tea"), "content": f"{said} {when}."}
        for when in ("at 7:30", "on the stairs")
    ]
    got = capture(request(existing_cards=[known]), reply(*more))
    assert [type(one) for one in got.result.mutations] == [Supersede, Add]


def test_buckets_and_threads_converge_with_those_of_the_garden() -> None:
    known = [stored("m_1", "Mei cooks", bucket="Kitchen lore", threads=["Cooking club"])]
    got = capture(
        request(existing_cards=known, policy="history_import"),
        reply(
            row("Mei has a dog", bucket="健康/Health", threads=["cooking  club"]),
            row("Mei lives in Lisbon", bucket="kitchen Lore"),
        ),
    )
    first, second = got.result.cards
    assert (first["bucket"], first["threads"]) == ("Health", ["Cooking club"])
    assert second["bucket"] == "Kitchen lore"
    assert "- Kitchen lore" in got.prompts[0]


def test_the_person_is_called_by_name() -> None:
    rows = reply(row("The user wants quiet in the evening"))
    assert capture(request(), rows).summaries == ["Mei wants quiet in the evening"]
    unknown = capture(request(user_name="user"), rows)
    assert unknown.summaries == ["The person wants quiet in the evening"]
    assert capture(request(), rows).result.trace["renamed"] == 2
    product = capture(request(), reply(row("Mei tests the user table")))
    assert product.result.trace["residual_references"] == 2


def test_the_policy_of_a_request_is_obeyed() -> None:
    dated = reply(row(occurred_at="2024-05-06"))
    assert "occurred_at" not in capture(request(), dated).result.cards[0]
    imported: Captured = capture(request(policy="history_import"), dated)
    assert imported.result.cards[0]["occurred_at"] == "2024-05-06"
    assert WINDOW in imported.prompts[0]


IDS = st.lists(
    st.from_regex(r"\A[a-z]{1,3}_[0-9]{1,3}\Z|\A[0-9a-f]{8}-[0-9a-f]{4}\Z"),
    min_size=1,
    max_size=4,
    unique=True,
)


@given(ids=IDS, data=st.data())
def test_no_card_names_a_known_id(ids: list[str], data: st.DataObject) -> None:
    texts = st.sampled_from(
        [f"See {one} there" for one in ids] + ["Mei has a dog", "Mei lives here"]
    )
    rows = [
        row(data.draw(texts), bucket=data.draw(texts), threads=[data.draw(texts)]) for _ in range(2)
    ]
    garden = [stored(one, f"Card of {n} things") for n, one in enumerate(ids)]
    session = CaptureSession(request(existing_cards=garden), max_retries=0)
    session.feed(reply(*rows))
    assert session.result is not None
    for card in session.result.cards:
        told = [card["summary"], card["content"], card["bucket"], *card["threads"]]
        assert not [text for text in told if leaked_id(text, ids)]
