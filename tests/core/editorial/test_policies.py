"""The three yardsticks."""

from __future__ import annotations

import pytest

from memgardend.core.editorial.policies import PolicyName, UnknownPolicyError, get_policy


@pytest.mark.parametrize(
    ("name", "max_cards", "prefers_merge", "keeps_dates", "tags"),
    [
        ("conversation_capture", 2, True, False, False),
        ("history_import", None, True, True, False),
        ("curated_archive", None, False, True, True),
    ],
)
def test_what_each_allows(
    name: str, max_cards: int | None, prefers_merge: bool, keeps_dates: bool, tags: bool
) -> None:
    policy = get_policy(f" {name} ")
    assert policy.name == name
    assert (policy.max_cards, policy.prefers_merge) == (max_cards, prefers_merge)
    assert (policy.keeps_dates, policy.tags_seed_threads) == (keeps_dates, tags)


@pytest.mark.parametrize("name", PolicyName)
def test_only_an_import_has_a_switch_for_specifics(name: PolicyName) -> None:
    switched = get_policy(name, keep_specifics=True)
    assert switched.keeps_specifics == (name is PolicyName.HISTORY_IMPORT)
    assert not get_policy(name).keeps_specifics
    assert get_policy(switched) is switched


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("curated_archiv", "did you mean curated_archive?"),
        ("Conversation_Capture", "did you mean conversation_capture?"),
        ("everything", "policies: conversation_capture, history_import, curated_archive"),
    ],
)
def test_an_unknown_one_is_refused_with_what_there_is(name: str, hint: str) -> None:
    with pytest.raises(UnknownPolicyError) as caught:
        get_policy(name)
    assert caught.value.hint == hint
