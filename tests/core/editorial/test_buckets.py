"""One set of buckets a locale, one spelling a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.buckets import (
    UnknownBucketLocaleError,
    bucket_list,
    converge_bucket,
    converge_threads,
    split_names,
    text_locale,
)
from memgardend.core.editorial.wording import LOCALES

ENGLISH, CHINESE = bucket_list("en"), bucket_list("zh-Hans")


def test_there_are_fourteen_pairs() -> None:
    assert len(ENGLISH) == len(CHINESE) == 14
    assert list(zip(ENGLISH, CHINESE, strict=True))[:2] == [
        ("Work", "工作"),
        ("Goals & growth", "目标与成长"),
    ]


@pytest.mark.parametrize(
    ("name", "known", "locale", "spelled"),
    [
        ("WORK", [], "en", "Work"),
        ("our  relationship", ["Our relationship"], "en", "Our relationship"),
        ("Work", ["work"], "en", "work"),
        ("工作", [], "en", "Work"),
        ("工作", ["工作"], "en", "Work"),
        ("旅行", [], "en", "Places & travel"),
        ("Travel", ["Travel"], "en", "Travel"),
        ("Travel", [], "zh-Hans", "地点与旅行"),
        ("健康/Health", [], "en", "Health"),
        ("Health｜健康", [], "zh-Hans", "Health｜健康"),
        ("Health | 健康", [], "zh-Hans", "健康"),
        ("Fitness/健康", [], "en", "Health"),
        ("Mum/妈妈", [], "zh-Hans", "妈妈"),
        ("Mum/妈妈", [], "en", "Mum"),
        ("Family / Friends", [], "en", "Family"),
        ("家庭、朋友", [], "zh-Hans", "家庭"),
        ("Mum / Dad", ["Dad", "Mum"], "en", "Mum"),
        ("Mum / Dad", ["Mum / Dad"], "en", "Mum / Dad"),
        ("R&D / Ops", ["Ops"], "en", "R&D / Ops"),
        ("Kitchen lore", ["Work"], "en", "Kitchen lore"),
    ],
)
def test_a_bucket_converges(name: str, known: list[str], locale: str, spelled: str) -> None:
    assert converge_bucket(name, known, locale) == spelled


@given(name=st.text(max_size=20), known=st.lists(st.text(min_size=1, max_size=8), max_size=3))
def test_a_bucket_that_has_converged_stays(name: str, known: list[str]) -> None:
    for locale in LOCALES:
        spelled = converge_bucket(name, known, locale)
        assert converge_bucket(spelled, known, locale) == spelled


@given(st.sampled_from([*ENGLISH, *CHINESE]), st.sampled_from(list(LOCALES)))
def test_no_common_bucket_of_another_locale_remains(name: str, locale: str) -> None:
    assert converge_bucket(name, [*ENGLISH, *CHINESE], locale) in bucket_list(locale)


def test_threads_converge_and_stand_once() -> None:
    assert converge_threads(
        ["moving  to lisbon", "Moving to Lisbon", "tea"], ["Moving to Lisbon"]
    ) == [
        "Moving to Lisbon",
        "tea",
    ]


def test_a_locale_without_buckets_is_refused_with_those_that_have() -> None:
    with pytest.raises(UnknownBucketLocaleError) as caught:
        converge_bucket("Work", [], "fr")
    assert caught.value.hint == "--locale en or zh-Hans"


def test_names_are_split_from_any_list() -> None:
    assert split_names("- Work\n- Food / Pets、朋友") == ["Work", "Food", "Pets", "朋友"]


def test_one_chinese_character_makes_a_text_chinese() -> None:
    assert [text_locale(text) for text in ("Mei drinks 茶", "Mei drinks tea")] == ["zh-Hans", "en"]
