"""Cards of an older form: put into the present one under their own ids, and nothing is lost."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from memgardend import GardenComponent, MigrateRequest
from support.capturing import shared_cases
from support.mounting import answers

OLD = [
    {
        "id": "a",
        "summary": "",
        "content": "The user likes the corgi. It is called Bo.",
        "bucket": "",
    },
    {"id": "b", "summary": "A cello", "content": "Mei plays the cello.", "bucket": "Interests"},
]
NEW = {
    "id": "a",
    "summary": "Mei has a corgi",
    "content": "Mei likes the corgi.",
    "bucket": "Pets",
    "retrieval_cues": ["dog", "corgi"],
}


def upgrade(*rows: Any) -> str:
    return json.dumps({"upgrades": rows})


def asked(**fields: Any) -> MigrateRequest:
    told = {"cards": OLD, "locale": "en", "allowed_ids": ["a", "b"], "user_name": "Mei"}
    return MigrateRequest(**{**told, **fields})


def migrated(request: MigrateRequest, *replies: str) -> Any:
    model = answers(*replies)
    result = GardenComponent(model=model).migrate(request)
    assert len(model.prompts) == len(replies)
    return result


def test_g19_an_empty_allow_list_is_refused_and_foreign_ids_are_dropped() -> None:
    refused = migrated(asked(allowed_ids=[]))
    kept = migrated(asked(allowed_ids=["a"]), upgrade(NEW, {**NEW, "id": "b"}))
    found = [refused.error, [list(kept.upgraded_ids), list(kept.dropped_ids)]]
    assert found == shared_cases()["G19"]["expected"]


def test_a_card_changes_where_it_must_and_loses_nothing() -> None:
    [update] = migrated(asked(), upgrade(NEW)).mutations
    assert update.record_id == "a"
    assert update.changes == {
        "summary": "Mei has a corgi",
        "content": "Mei likes the corgi.\nIt is called Bo.",
        "bucket": "Pets",
        "retrieval_cues": ["dog", "corgi"],
    }


def test_the_prompt_shows_the_cards_that_may_change_and_speaks_english() -> None:
    session = GardenComponent().migrate_session(asked(allowed_ids=["a"], host_note="Mind the dog."))
    prompt = session.next_prompt or ""
    assert "### card a" in prompt and "### card b" not in prompt and "Mind the dog." in prompt
    unmarked = "\n".join(line for line in prompt.splitlines() if "[counter-example]" not in line)
    assert not re.search("[一-鿿]", unmarked)


@pytest.mark.parametrize(
    ("request_", "replies", "error", "reason"),
    [
        (asked(locale=" "), [], "locale_required", None),
        (asked(locale="fr"), [], "unknown_locale:fr", None),
        (asked(allowed_ids=["nobody"]), [], None, "nothing_to_migrate"),
        (asked(), ["Prose."], "no_json_object", None),
        (asked(), ["", upgrade()], None, None),
        (asked(), ['{"upgrade": []}'], "missing_upgrades_list", None),
        (
            asked(),
            [upgrade({**NEW, "content": "TODO"})] * 2,
            "invalid_card_content_after_retry:content_placeholder_word",
            None,
        ),
    ],
)
def test_what_comes_to_nothing(
    request_: MigrateRequest, replies: list[str], error: str | None, reason: str | None
) -> None:
    result = migrated(request_, *replies)
    assert (result.mutations, result.error, result.reason) == ((), error, reason)


def test_a_bad_text_is_asked_for_again_and_then_left_out() -> None:
    bad = upgrade(
        {**NEW, "summary": "<summary>"}, {**NEW, "id": "b", "content": "Mei plays the cello well."}
    )
    assert migrated(asked(), bad, bad).upgraded_ids == ("b",)
    assert migrated(asked(), bad, upgrade(NEW)).upgraded_ids == ("a",)


def test_rows_that_are_none_or_come_twice_change_nothing() -> None:
    result = migrated(asked(), upgrade("x", {"id": 5}, NEW, {**NEW, "content": "Another."}))
    assert len(result.mutations) == 1 and result.dropped_ids == ("a",)


def test_a_card_that_is_not_shown_whole_is_left_alone() -> None:
    long = {"id": "a", "content": "word " * 2000}
    assert migrated(asked(cards=[long])).reason == "nothing_to_migrate"
