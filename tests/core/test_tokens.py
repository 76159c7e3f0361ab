"""The tokeniser: runs, pairs, stems, and what a lone character finds."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.irregular import IRREGULAR_FORMS
from memgardend.core.stop_words import ENGLISH_STOP_WORDS
from memgardend.core.tokens import (
    cjk_characters,
    is_cjk,
    query_tokens,
    search_tokens,
    stem,
    tokenize,
)

SHARED = Path(__file__).parents[2] / "../shared/cases/meow-cases.json"

ROWS: dict[str, tuple[str, str, list[str]]] = {
    "pairs-of-a-run": ("数据库连接", "zh-Hans", ["数据", "据库", "库连", "连接"]),
    "lone-character-gives-none": ("给 API", "zh-Hans", ["api"]),
    "kana-and-han-are-one-run": ("食べ物", "ja", ["食べ", "べ物"]),
    "long-vowel-mark": ("サーバー", "ja", ["サー", "ーバ", "バー"]),
    "hangul-is-whole-words": ("서버 포트", "ko", ["서버", "포트"]),
    "full-width": ("ＰＯＲＴ８０８０", "en", ["port8080"]),
    "accents-stay": ("Café naïve", "fr", ["café", "naïve"]),
    "marks-do-not-split": ("cafe\u0301s हिन्दी", "hi", ["cafés", "हिन्दी"]),
    "marks-that-compose-with-nothing": ("q\u0323x", "xx", ["q\u0323x"]),
    "variation-selectors-do-not-split-cjk": ("葛\U000e0100城市", "ja", ["葛城", "城市"]),
    "soft-hyphen-and-joiners": ("co\u00adoperate می\u200cخواهم", "xx", ["cooperate", "میخواهم"]),
    "sharp-s": ("Straße STRASSE", "de", ["strasse", "strasse"]),
    "underscore-dot-hyphen-split": ("a_b.c-d", "xx", ["a", "b", "c", "d"]),
    "other-locales-keep-words": ("the dogs", "de", ["the", "dogs"]),
    "english-drops-and-stems": ("The dogs were running", "en", ["dog", "run"]),
    "english-of-a-region": ("the dogs", "en-GB", ["dog"]),
    "english-of-a-region-with-underscore": ("the dogs", "en_US", ["dog"]),
    "not-english": ("the dogs", "enm", ["the", "dogs"]),
    "apostrophes-leave-nothing": ("don't we'll it's", "en", []),
    "words-with-digits-are-not-stemmed": ("h264s utf8", "en", ["h264s", "utf8"]),
    "english-with-cjk": ("the 数据库 servers", "en", ["数据", "据库", "server"]),
    "punctuation-only": ("… — 🚀!", "en", []),
}


@pytest.mark.parametrize(("text", "locale", "expected"), ROWS.values(), ids=ROWS)
def test_tokens(text: str, locale: str, expected: list[str]) -> None:
    assert tokenize(text, locale) == expected


QUERIES: dict[str, tuple[str, str, list[str]]] = {
    "lone-character": ("人", "zh-Hans", ["人"]),
    "lone-characters": ("人 水", "zh-Hans", ["人", "水"]),
    "lone-character-beside-words": ("人 port", "zh-Hans", ["port"]),
    "pairs": ("人们", "zh-Hans", ["人们"]),
    "stop-words-only": ("what is the", "en", []),
    "nothing": ("", "en", []),
}


@pytest.mark.parametrize(("text", "locale", "expected"), QUERIES.values(), ids=QUERIES)
def test_query_tokens(text: str, locale: str, expected: list[str]) -> None:
    assert query_tokens(text, locale) == expected


def test_cjk_characters_one_by_one() -> None:
    assert cjk_characters("给API限流") == ["给", "限", "流"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [("Where did she buy it?", "bought there"), ("how many children", "one child")],
)
def test_a_word_is_found_by_its_irregular_forms(asked: str, said: str) -> None:
    assert set(search_tokens(asked, "en")) & set(search_tokens(said, "en"))
    assert not set(tokenize(asked, "en")) & set(tokenize(said, "en"))
    assert search_tokens(said, "de") == tokenize(said, "de")


def test_irregular_forms_are_what_no_stemmer_joins() -> None:
    assert [form for form, base in IRREGULAR_FORMS.items() if stem(form) == stem(base)] == []
    assert not {*IRREGULAR_FORMS, *IRREGULAR_FORMS.values()} & ENGLISH_STOP_WORDS
    assert not IRREGULAR_FORMS.keys() & IRREGULAR_FORMS.values()
    told = {form: IRREGULAR_FORMS[form] for form in ("blew", "bound", "chosen", "teeth", "women")}
    assert list(told.values()) == ["blow", "bind", "choose", "tooth", "woman"]


def test_a_token_is_of_one_kind() -> None:
    assert [is_cjk(token) for token in tokenize("给API限流", "en")] == [False, True]


@given(st.text(st.characters(codec="ascii"), max_size=80), st.sampled_from(("en", "xx")))
def test_plain_text_has_the_tokens_that_it_has_beside_other_letters(text: str, locale: str) -> None:
    assert [*tokenize(text, locale), "ü"] == tokenize(f"{text} ü", locale)


@given(st.text(max_size=80), st.sampled_from(("en", "zh-Hans")))
def test_tokens_are_folded_and_carry_letters_or_digits(text: str, locale: str) -> None:
    for token in tokenize(text, locale):
        assert token
        assert not token.isspace()
        assert unicodedata.category(token[0])[0] in "LN"


@given(st.text(max_size=60))
def test_width_and_case_make_no_difference(text: str) -> None:
    assert tokenize(text, "zh-Hans") == tokenize(unicodedata.normalize("NFKC", text), "zh-Hans")


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_space_keeps_texts_apart(left: str, right: str) -> None:
    joined = tokenize(f"{left} \n {right}", "en")
    assert joined == tokenize(left, "en") + tokenize(right, "en")


_CASES: list[dict[str, Any]] = json.loads(SHARED.read_text("utf-8")) if SHARED.exists() else []
_NAMES = ("TOK", "EN", "POR-")


@pytest.mark.skipif(not _CASES, reason="the shared cases are not here")
@pytest.mark.parametrize(
    "case", [c for c in _CASES if c["id"].startswith(_NAMES)], ids=lambda case: str(case["id"])
)
def test_shared_token_cases(case: dict[str, Any]) -> None:
    if case["id"].startswith("POR-"):
        assert stem(case["input"]) == case["expected"]
        return
    locale = "en" if case["id"].startswith("EN") else "zh-Hans"
    assert (
        tokenize(case["input"], locale) == case["expected"]
    )  # TOK11 too: the index holds no lone one
    if case["ours"] == "differs":
        assert query_tokens(case["input"], locale) == [case["input"]]
