"""How cards call the person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.naming import (
    UNKNOWN_PERSON,
    clean_name,
    is_known,
    residual_references,
    rewrite_user_reference,
    speaker_label,
)
from memgardend.core.editorial.wording import LOCALES


@pytest.mark.parametrize("name", [None, "", "  ", "user", "The User", "ta", "TA", "用户"])
def test_a_word_that_is_no_name_is_none(name: str | None) -> None:
    assert clean_name(name) == UNKNOWN_PERSON
    assert not is_known(name)


def test_a_name_is_kept_on_one_line() -> None:
    assert clean_name(" Mei\n Lin ") == "Mei Lin"


@pytest.mark.parametrize(
    ("text", "name", "rewritten"),
    [
        ("The user wants quiet", "Mei", "Mei wants quiet"),
        ("The user wants quiet", "", "The person wants quiet"),
        ("Once more the user told me", "", "Once more the person told me"),
        ("User prefers tea. User lives alone.", "Mei", "Mei prefers tea. Mei lives alone."),
        ("the user's dog is ill", "Mei", "Mei's dog is ill"),
        ("the user’s session expired", "Mei", "the user’s session expired"),
        (
            "When the user likes a post, a star appears",
            "Mei",
            "When the user likes a post, a star appears",
        ),
        ("The user eats nothing spicy", "Mei", "Mei eats nothing spicy"),
        ("The user doesn't drink coffee", "Mei", "Mei doesn't drink coffee"),
        ("The user no longer likes tea", "", "The person no longer likes tea"),
        ("The user is allergic to nuts", "Mei", "Mei is allergic to nuts"),
        ("The user has two cats", "Mei", "Mei has two cats"),
        ("The user just moved to Oslo", "Mei", "Mei just moved to Oslo"),
        ("The user can't eat gluten", "Mei", "Mei can't eat gluten"),
        ("The user can't open the page", "Mei", "The user can't open the page"),
        ("The user has a younger sister", "Mei", "Mei has a younger sister"),
        ("The user has a session token", "Mei", "The user has a session token"),
        ("The user is logged out", "Mei", "The user is logged out"),
        ("The user does not exist", "Mei", "The user does not exist"),
        ("user growth is slow", "Mei", "user growth is slow"),
        ("The user table has two rows", "Mei", "The user table has two rows"),
        ("用户喜欢爬山", "Mei", "Mei喜欢爬山"),
        ("这位用户一直喜欢爬山", "小美", "小美一直喜欢爬山"),
        ("用户的狗病了", "", "对方的狗病了"),
        ("用户从不喝咖啡", "小美", "小美从不喝咖啡"),
        ("用户对花生过敏", "小美", "小美对花生过敏"),
        ("用户有两只猫", "小美", "小美有两只猫"),
        ("用户在上海工作", "小美", "小美在上海工作"),
        ("用户是素食者", "小美", "小美是素食者"),
        ("用户今年三十岁", "小美", "小美今年三十岁"),
        ("用户会弹钢琴", "", "对方会弹钢琴"),
        ("用户在首页看到广告", "小美", "用户在首页看到广告"),
        ("用户会话超时", "小美", "用户会话超时"),
        ("用户有两个会话", "小美", "用户有两个会话"),
        ("用户增长放缓", "Mei", "用户增长放缓"),
        ("新用户喜欢首页", "Mei", "新用户喜欢首页"),
        ("The user wants quiet", r"a\1b", r"a\1b wants quiet"),
    ],
)
def test_the_user_is_renamed_before_a_personal_word_only(
    text: str, name: str, rewritten: str
) -> None:
    assert rewrite_user_reference(text, name) == rewritten


@pytest.mark.parametrize(
    ("text", "name", "rewritten"),
    [
        ("TA喜欢爬山", "小美", "小美喜欢爬山"),
        ("你喜欢爬山", "", "对方喜欢爬山"),
        ("You like tea", "Mei", "Mei likes tea"),
        ("You are tall", "", "The person is tall"),
        ("You would rather stay", "Mei", "Mei would rather stay"),
        ("You run far", "Mei", "You run far"),
        ("She likes tea", "Mei", "Mei likes tea"),
        ("She likes tea", "", "She likes tea"),
        ("他喜欢爬山", "", "他喜欢爬山"),
        ("Target practice", "Mei", "Target practice"),
    ],
)
def test_a_text_about_the_person_begins_with_the_name(text: str, name: str, rewritten: str) -> None:
    assert rewrite_user_reference(text, name, subject="user") == rewritten
    assert rewrite_user_reference(text, name) == text


@given(st.text(max_size=60), st.text(max_size=8))
def test_rewriting_never_fails_and_leaves_other_texts_alone(text: str, name: str) -> None:
    rewritten = rewrite_user_reference(text, name, subject="user")
    if not any(
        word in text.casefold()
        for word in ("user", "用户", "ta", "you", "你", "您", "he", "他", "她")
    ):
        assert rewritten == text


@pytest.mark.parametrize(
    ("locale", "labels"), [("en", ["The person", "The assistant"]), ("zh-Hans", ["对方", "我"])]
)
def test_a_label_is_never_the_raw_role(locale: str, labels: list[str]) -> None:
    words = LOCALES[locale]
    assert [speaker_label(role, words=words) for role in ("User", "assistant")] == labels
    assert speaker_label("human", words=words, user_name="Mei") == "Mei"


def test_what_remains_is_counted() -> None:
    assert residual_references("The user and TA, and the user table; 用户. Target.") == 4
    assert residual_references("Mei has a dog.") == 0
