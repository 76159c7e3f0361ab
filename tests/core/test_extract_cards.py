"""The offline rules asked for cards: by which yardstick they keep what."""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any

import pytest

from memgardend.core.editorial.material import turns_of_text
from memgardend.core.extract import consolidate, parse_request
from memgardend.core.judgement_request import Judged, Setting, judgement_request
from memgardend.core.words import CallPurpose

SAID = (
    "User: Never deploy on Fridays. The staging port is 9090. We decided to use Postgres.\n"
    "Assistant: I always deploy on Mondays.\n"
    "User: Remind me to call the bank tomorrow. Never deploy on Fridays."
)


def cards(text: str, policy: str, locale: str = "en", **fields: Any) -> list[dict[str, Any]]:
    setting = Setting(
        purpose=CallPurpose.IMPORT,
        run="r",
        locale=locale,
        at=0,
        zone=UTC,
        max_prompt_chars=1,
        window="w",
        source="import",
    )
    judged = Judged(turns=turns_of_text(text), policy=policy, **fields)
    answer = consolidate(parse_request(judgement_request(setting, judged, "p")))
    found: list[dict[str, Any]] = answer["cards"]
    return found


@pytest.mark.parametrize(
    ("policy", "fields", "kept"),
    [
        ("conversation_capture", {"max_cards": 2}, ["Never deploy", "We decided"]),
        ("history_import", {}, ["Never deploy", "The staging", "We decided"]),
        (
            "history_import",
            {"keep_specifics": True},
            ["Never deploy", "The staging", "We decided", "call the bank"],
        ),
    ],
)
def test_each_yardstick_keeps_its_own(policy: str, fields: dict[str, Any], kept: list[str]) -> None:
    contents = [one["content"] for one in cards(SAID, policy, **fields)]
    assert len(contents) == len(kept)
    assert all(
        start.lower() in text.lower() for start, text in zip(kept, sorted_as(contents), strict=True)
    )


def sorted_as(contents: list[str]) -> list[str]:
    """In the order of the text, which cards keep but for what is said again."""
    return sorted(contents, key=lambda one: SAID.find(one.rstrip(".")[:12]))


def test_what_a_person_wants_is_a_quote_and_the_rest_a_fact() -> None:
    types = {one["content"]: one["type"] for one in cards(SAID, "history_import")}
    assert types["Never deploy on Fridays."] == "quote"
    assert types["The staging port is 9090."] == "fact"


def test_an_archive_is_kept_whole_whatever_it_says() -> None:
    text = "# Recipes\n\n- tea, 3 minutes\n- rice\n\nNothing of interest?\nnext line\n\n\n"
    every = [one["content"] for one in cards(text, "curated_archive")]
    assert every == ["tea, 3 minutes", "rice", "Nothing of interest?\nnext line"]
    few = cards(text, "curated_archive", max_cards=2)
    assert "\n".join(one["content"] for one in few) == "\n".join(every)
    assert len(few) == 2


def test_a_long_entry_has_a_short_line() -> None:
    (card,) = cards("word " * 200, "curated_archive")
    assert len(card["summary"]) == 200
    assert card["summary"].endswith("…")
    assert len(card["content"]) == 999


def test_a_known_card_that_no_longer_holds_is_replaced() -> None:
    known = [{"id": "c1", "summary": "", "content": "The staging port is 8080."}]
    (card,) = cards("The staging port is 9090.", "conversation_capture", cards=known)
    assert (card["action"], card["target_ids"]) == ("supersede", ["c1"])


def test_chinese_is_read_by_its_own_rules() -> None:
    (card,) = cards("用户：以后周五不要部署。", "conversation_capture", "zh-Hans", max_cards=2)
    assert "周五" in card["content"]
    assert json.dumps(card["retrieval_cues"])
