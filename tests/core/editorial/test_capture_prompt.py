"""What a capture's prompt holds: the yardstick, the garden's own words, and the data behind its fence."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.buckets import bucket_list
from memgardend.core.editorial.capture_prompt import (
    build_capture_prompt,
    prompt_templates,
)
from memgardend.core.editorial.policies import PolicyName, get_policy
from memgardend.core.editorial.text_gate import TextGate
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.wording.en import ENGLISH
from memgardend.core.editorial.wording.locale_words import (
    Bucket,
    LocaleWords,
    Reask,
)
from memgardend.core.editorial.wording.yardsticks import RESTRAINT
from memgardend.core.errors import UsageError
from memgardend.core.template import placeholders

HAN = re.compile("[㐀-䶿一-鿿]")
POLICIES = [*PolicyName, get_policy("history_import", keep_specifics=True)]


def prompt(**fields: Any) -> str:
    return build_capture_prompt(**{"window": "Hello.", "locale": "en", **fields})


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("names", [{}, {"user_name": "Mei", "ai_name": "Io"}])
def test_an_english_prompt_holds_two_marked_counter_examples_and_no_other_chinese(
    policy: Any, names: dict[str, str]
) -> None:
    lines = [line for line in prompt(policy=policy, **names).splitlines() if HAN.search(line)]
    assert len(lines) == 2
    assert all(line.startswith("- [counter-example]") for line in lines)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("locale", LOCALES)
def test_every_prompt_is_whole(policy: Any, locale: str) -> None:
    made = prompt(policy=policy, locale=locale)
    assert not placeholders(made)
    assert LOCALES[locale].language in made
    assert made == prompt(policy=policy, locale=locale)
    assert 4_000 < len(made) < 8_500


def test_a_prompt_holds_the_buckets_of_its_locale_and_of_no_other() -> None:
    for locale, other in (("en", "zh-Hans"), ("zh-Hans", "en")):
        common = next(
            line for line in prompt(locale=locale).splitlines() if line.startswith("Common")
        )
        assert all(name in common for name in bucket_list(locale))
        assert not [name for name in bucket_list(other) if name in common]


@pytest.mark.parametrize(
    ("policy", "says", "says_not"),
    [
        (
            "conversation_capture",
            ["three months", "At most 2 cards", RESTRAINT, "merge, supersede, add"],
            ["occurred_at"],
        ),
        (
            "history_import",
            ['"had hotpot yesterday" is dropped', "no limit", "occurred_at"],
            ["three months"],
        ),
        (POLICIES[-1], ['Even "had hotpot yesterday" is kept'], ["is dropped"]),
        (
            "curated_archive",
            ["Keep everything", "prefer `add`", "tags as threads", "no limit"],
            [RESTRAINT],
        ),
    ],
)
def test_each_policy_has_a_yardstick_of_its_own(
    policy: Any, says: list[str], says_not: list[str]
) -> None:
    made = prompt(policy=policy)
    assert not [one for one in says if one not in made]
    assert not [one for one in says_not if one in made]


def test_a_request_lowers_the_limit() -> None:
    assert "At most 1 cards" in prompt(max_cards=1)
    assert "At most 2 cards" in prompt(max_cards=50)
    assert "At most 50 cards" in prompt(max_cards=50, policy="history_import")


@pytest.mark.parametrize("name", ["", "user", "用户", "TA"])
def test_nobody_is_called_by_a_label(name: str) -> None:
    made = prompt(user_name=name)
    assert "Nobody has said what the person is called" in made
    assert "“The person”" in made
    assert "“对方”" in prompt(user_name=name, locale="zh-Hans")


def test_a_name_and_a_rule_of_the_host_are_used() -> None:
    assert "Call Mei by that name" in prompt(user_name="Mei")
    assert "Use the initials." in prompt(user_name="Mei", naming_rule="Use the initials.")
    assert "## From the application\n\nBe brief." in prompt(host_note="Be brief.")
    assert "(a diary)" in prompt(material_kind="a diary", policy="history_import")


@given(window=st.text(min_size=1, max_size=60).filter(lambda text: text.strip()))
def test_data_stands_between_fences_that_it_cannot_forge(window: str) -> None:
    made = prompt(window=window, cards="- m_1: [Food] tea", identity="Friends.")
    fence = re.search(r"`=== ([0-9a-f]{16})`", made)
    assert fence
    lines = [line for line in made.split("\n") if line.startswith(f"=== {fence[1]}")]
    assert [line.removeprefix(f"=== {fence[1]} ") for line in lines] == [
        "existing cards",
        "who the two are",
        "to be judged",
        "end",
    ]


def test_braces_in_data_are_data_and_secrets_are_masked() -> None:
    made = prompt(window="{{person}} said sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345")
    assert "{{person}} said" in made
    assert "abcdefghijkl" not in made


@pytest.mark.parametrize("words", LOCALES.values(), ids=list(LOCALES))
def test_what_goes_back_is_in_the_language_of_the_garden(words: LocaleWords) -> None:
    assert len(set(words.buckets.values())) == len(Bucket)
    assert set(words.reasks) == set(Reask)
    for text in words.reasks.values():
        assert bool(HAN.search(text)) == (words.locale == "zh-Hans")


@pytest.mark.parametrize(
    ("lacking", "says"),
    [
        ({"buckets": {Bucket.WORK: "Travail"}}, "bucket growth; bucket family"),
        (
            {"reasks": {**ENGLISH.reasks, Reask.TOO_MANY: "Trop de {{found}}."}},
            "too_many with allowed, found",
        ),
        ({"reasks": {**ENGLISH.reasks, Reask.TRUNCATED: ""}}, "truncated with no placeholder"),
    ],
)
def test_a_locale_that_lacks_words_says_which(lacking: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)):
        replace(ENGLISH, **lacking)


@pytest.mark.parametrize("words", LOCALES.values(), ids=list(LOCALES))
def test_what_the_prompt_shows_as_an_example_is_no_card(words: LocaleWords) -> None:
    made = prompt(locale=words.locale)
    gate = TextGate(templates=prompt_templates(words))
    for template in prompt_templates(words):
        assert template in made
        assert gate.problem("content", template)


def test_a_host_brings_a_locale_of_its_own() -> None:
    french = replace(ENGLISH, locale="fr", language="French", the_person="La personne")
    made = prompt(locale="fr", locales={**LOCALES, "fr": french})
    assert "in French" in made
    assert "“La personne”" in made
