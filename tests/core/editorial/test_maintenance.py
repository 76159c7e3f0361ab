"""A consolidation from its first prompt to its result."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.dream_render import DreamCaps
from memgardend.core.editorial.fuse import Fuse
from memgardend.core.editorial.maintenance import MaintenanceSession
from memgardend.core.editorial.maintenance_request import MissingLocaleError
from memgardend.core.editorial.mutation_reading import read_mutation
from memgardend.core.editorial.mutations import Supersede, mutation_to_dict
from memgardend.core.editorial.results import ModelReply
from memgardend.core.editorial.seeds import card_version, pending_cards
from memgardend.core.errors import UsageError
from support.consolidating import (
    NOTHING,
    card,
    committed,
    consolidate,
    garden,
    reply,
    request,
    result,
    row,
)

BAD = row("c000", result=result(summary="[summary]"))
GOOD = row("c001")


def test_a_consolidation_is_one_supersede_that_says_why() -> None:
    made = consolidate(request(garden(3)), reply(row("c000", "c001"), questions_to_ask=["Which?"]))
    (mutation,) = made.mutations
    assert isinstance(mutation, Supersede)
    assert mutation.target_ids == ("c000", "c001")
    assert (mutation.rationale, mutation.consolidation_op) == ("one continuing story", "merge")
    assert mutation.card["source"] == "memory_dream"
    assert read_mutation(mutation_to_dict(mutation)) == mutation
    assert made.consolidations[0]["op"] == "merge"
    assert made.questions == ("Which?",)
    assert made.error is None


def test_what_was_shown_is_reviewed_and_what_was_replaced_is_forgotten() -> None:
    cards = garden(3)
    made = consolidate(request(cards), reply(row("c000", "c001")))
    assert made.ledger
    assert made.ledger["reviewed_versions"] == {"c002": card_version(cards[2])}
    assert made.ledger["seed_card_count"] == 3
    assert made.ledger["mount"] == "agent-private"


def test_nothing_to_change_still_moves_the_ledger() -> None:
    made = consolidate(request(garden(2)), NOTHING)
    assert (made.needed, made.mutations, made.error) == (True, (), None)
    assert made.ledger and set(made.ledger["reviewed_versions"]) == {"c000", "c001"}


def test_nothing_pending_asks_nobody() -> None:
    first = request(garden(2))
    made = consolidate(committed(first, consolidate(first, NOTHING)))
    assert (made.needed, made.ledger, made.error) == (False, None, None)


def test_what_a_consolidation_wrote_makes_none_due() -> None:
    first = request(garden(2))
    after = committed(first, consolidate(first, reply(row("c000", "c001"))))
    assert not consolidate(after).needed


def test_a_dry_run_shows_and_commits_nothing() -> None:
    made = consolidate(
        request(garden(2), dry_run=True), reply(row("c000"), questions_to_ask=["Which?"])
    )
    assert (made.mutations, made.ledger) == ((), None)
    assert len(made.consolidations) == 1
    assert made.questions == ("Which?",)


@pytest.mark.parametrize("locale", ["", "  "])
def test_no_locale_is_guessed(locale: str) -> None:
    with pytest.raises(MissingLocaleError):
        request(garden(1), locale=locale)


def test_an_unknown_locale_is_an_error_and_no_exception() -> None:
    made = consolidate(request(garden(1), locale="fr"))
    assert (made.error, made.ledger) == ("unknown_locale:fr", None)


def test_a_budget_that_fits_no_card_asks_nobody() -> None:
    made = consolidate(request(garden(3), caps=DreamCaps(total_chars=40)))
    assert (made.error, made.ledger) == ("maintenance_budget_too_small", None)


def test_a_card_that_fits_no_prompt_keeps_no_other_from_its_review() -> None:
    long = card("c000", content="long " * 200)
    made = consolidate(request([long, *garden(3)[1:]], caps=DreamCaps(total_chars=900)), NOTHING)
    assert made.ledger and set(made.ledger["reviewed_versions"]) == {"c001", "c002"}
    assert made.trace["pending_remaining"] == 1


@pytest.mark.parametrize("broken", [{"id": None}, {"id": 7}, {"summary": None, "content": 3}])
def test_a_card_that_cannot_be_read_is_left_alone(broken: dict[str, Any]) -> None:
    made = consolidate(request([{**card("c000"), **broken}, card("c001")]), NOTHING)
    assert made.ledger and set(made.ledger["reviewed_versions"]) == {"c001"}
    assert made.trace["pending_remaining"] == 0


def test_a_cut_card_is_reviewed_once_and_never_a_target() -> None:
    asked = request([card("c000", content="x" * 6000)])
    made = consolidate(asked, reply(row("c000")), NOTHING)
    assert made.trace["cut"] == 1
    assert not consolidate(committed(asked, made)).needed


@pytest.mark.parametrize(
    ("replies", "error"),
    [
        (["I tidied everything."], "no_json_object"),
        (["", NOTHING], None),
        (["", " "], "no_json_object"),
        (['{"consolidations": [', NOTHING], None),
        (['{"consolidations": [', '{"consolidations": ['], "json_decode_error:JSONDecodeError"),
        (["{}"], "missing_consolidations_list"),
        ([reply(BAD, GOOD), reply(GOOD)], None),
        ([reply(BAD, GOOD), reply(BAD, GOOD)], None),
        (
            [reply(BAD), reply(BAD)],
            "invalid_card_content_after_retry:summary_bracket_placeholder",
        ),
        ([reply(row("nobody")), reply(row("c000"))], None),
        ([reply(row("nobody")), reply(row("nobody"))], "maintenance_targets_rejected"),
    ],
)
def test_one_more_call_at_most(replies: list[str], error: str | None) -> None:
    made = consolidate(request(garden(3)), *replies)
    assert made.error == error
    assert made.trace["model_calls"] == len(replies)
    assert (made.ledger is None) is (error is not None)


@pytest.mark.parametrize("first", ["", reply(BAD), reply(row("nobody"))])
def test_no_call_more_where_the_budget_has_none(first: str) -> None:
    assert consolidate(request(garden(3)), first, max_retries=0).error


def test_a_reply_that_was_cut_off_is_asked_for_again() -> None:
    session = MaintenanceSession(request(garden(2)))
    session.feed(ModelReply(text='{"consolidations": [{"op": "me', truncated=True))
    assert session.next_prompt and session.next_prompt.endswith("the whole JSON object.")
    session.feed(NOTHING)
    assert session.result and session.result.error is None


def test_bare_quotes_cost_no_call() -> None:
    said = reply(row("c000", result=result(content='She said "yes" to the river.')))
    made = consolidate(request(garden(1)), said.replace('\\"', '"'))
    assert made.consolidations[0]["result"]["content"] == 'She said "yes" to the river.'


def test_a_model_that_fails_is_a_result() -> None:
    session = MaintenanceSession(request(garden(1)))
    session.fail("TimeoutError")
    assert session.result
    assert (session.result.error, session.result.ledger) == ("model_failed:TimeoutError", None)


def test_nothing_is_fed_to_a_run_that_is_over() -> None:
    session = MaintenanceSession(request([]))
    with pytest.raises(UsageError):
        session.feed(NOTHING)
    with pytest.raises(UsageError):
        session.fail("late")


@pytest.mark.parametrize(
    ("retired", "active", "blows"),
    [
        (9, 9, False),
        (10, 12, True),
        (10, 13, False),
        (12, 15, False),
        (13, 16, True),
        (0, 0, False),
    ],
)
def test_the_fuse_blows_from_ten_on_and_over_four_fifths(
    retired: int, active: int, blows: bool
) -> None:
    assert Fuse().blows(retired, active) is blows


@pytest.mark.parametrize(("share", "cards"), [(0.0, 10), (1.5, 10), (0.8, 0)])
def test_a_fuse_that_means_nothing_is_refused(share: float, cards: int) -> None:
    with pytest.raises(ValueError, match="fuse"):
        Fuse(share, cards)


def all_of(cards: list[dict[str, Any]]) -> str:
    ids = [one["id"] for one in cards]
    return reply(*(row(*ids[at : at + 20]) for at in range(0, len(ids), 20)))


def test_a_blown_fuse_stops_the_whole_run() -> None:
    made = consolidate(request(garden(40)), all_of(garden(40)))
    assert made.error == "maintenance_fuse_blown:40/40"
    assert (made.mutations, made.consolidations, made.ledger) == ((), (), None)


def test_a_host_may_set_the_fuse() -> None:
    lenient = consolidate(request(garden(40), fuse=Fuse(max_share=1)), all_of(garden(40)))
    assert len(lenient.mutations) == 2
    strict = consolidate(request(garden(4), fuse=Fuse(0.2, 1)), reply(row("c000")))
    assert strict.error == "maintenance_fuse_blown:1/4"


def test_cards_of_other_mounts_are_left_alone() -> None:
    cards = [card("mine"), card("ours", mount="family-shared")]
    session = MaintenanceSession(request(cards, mount="family-shared"))
    assert session.next_prompt and "### card ours" in session.next_prompt
    assert "### card mine" not in session.next_prompt
    session.feed(reply(row("ours")))
    assert session.result and session.result.mutations[0].mount == "family-shared"
    assert session.result.ledger and session.result.ledger["mount"] == "family-shared"


threads = st.lists(st.sampled_from(("trip", "work", "cat")), max_size=2)
gardens = st.lists(st.tuples(threads, st.integers(0, 40), st.booleans()), min_size=1, max_size=12)


@given(gardens, st.integers(1, 5), st.data())
def test_every_pending_card_is_reviewed_when_runs_go_on(
    drawn: list[tuple[list[str], int, bool]], limit: int, data: st.DataObject
) -> None:
    cards = [
        card(f"c{n:03}", threads=one[0], content="walk " * one[1] or "w", archived=one[2])
        for n, one in enumerate(drawn)
    ]
    caps = DreamCaps(cards=limit, total_chars=400, content_chars=60)
    asked = request(cards, caps=caps, fuse=Fuse(max_share=1))
    for _ in cards:
        waiting = pending_cards(asked.cards, asked.ledger.get("reviewed_versions", {}))
        if not waiting:
            break
        session = MaintenanceSession(asked)
        assert session.next_prompt is not None
        shown = [one["id"] for one in waiting if f"### card {one['id']}\n" in session.next_prompt]
        merged = data.draw(st.sampled_from([(), *([(shown[0],)] if shown else [])]))
        session.feed(reply(*([row(*merged)] if merged else [])))
        assert session.result is not None and session.result.error is None
        asked = committed(asked, session.result)
    assert not MaintenanceSession(asked).next_prompt


def test_steps_say_what_happened() -> None:
    session = MaintenanceSession(request(garden(1)))
    session.feed("")
    session.feed(NOTHING)
    kinds = [str(one.kind) for one in session.steps]
    assert kinds == [
        "prompt_built",
        "model_called",
        "retrying",
        "model_called",
        "parsed",
        "done",
    ]
    assert [one.attempt for one in session.steps] == [0, 1, 1, 2, 2, 2]
    assert session.steps[3].reply == NOTHING
    assert {str(one.purpose) for one in session.steps} == {"dream"}


def test_the_trace_holds_counts_only() -> None:
    made = consolidate(request(garden(3)), reply(row("c000"), row("c000"), {"op": "merge"}))
    assert made.trace == {
        "pending": 3,
        "rendered": 3,
        "cut": 0,
        "consolidations": 1,
        "retired": 1,
        "dropped_shared_targets": 1,
        "dropped_malformed": 1,
        "pending_remaining": 0,
        "model_calls": 1,
    }
    assert json.dumps(dict(made.trace))
