"""Arguments as agents really pass them: what is missing is told apart from what cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.config.packs import Pack, locales
from memgardend.core.tools.parameters import ToolName
from memgardend.core.tools.reading import (
    ArgumentProblem,
    Arguments,
    UnreadableError,
    read_arguments,
    read_texts,
)
from memgardend.core.tools.texts import ToolTexts

WHOLE = {"content": "a", "project": "shop", "keywords": ["b"], "importance": 2}
LISTS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "a-list": (["port", "staging"], ("port", "staging")),
    "json-text": ('["port", "staging"]', ("port", "staging")),
    "json-in-json": (json.dumps(json.dumps(["port", "staging"])), ("port", "staging")),
    "json-in-a-list": (['["port", "staging"]'], ("port", "staging")),
    "commas": ("port, staging", ("port", "staging")),
    "chinese-commas": ("端口，测试、部署；回滚", ("端口", "测试", "部署", "回滚")),
    "lines": ("port\nstaging\n", ("port", "staging")),
    "commas-in-a-list-of-one": (["port, staging"], ("port", "staging")),
    "commas-among-several-stay": (["a, b", "c"], ("a, b", "c")),
    "quoted-words": ('"port", "staging"', ("port", "staging")),
    "numbers": ([8080, 1.5], ("8080", "1.5")),
    "twice-and-blank": (["port", " ", "port", None], ("port",)),
    "empty": ([], ()),
    "empty-json": ("[]", ()),
}
NO_LISTS = ['["port", "stag', {"port": 1}, True, [["a", {"b": 1}]], [[[[[["deep"]]]]]]]


@pytest.mark.parametrize(("given_", "meant"), LISTS.values(), ids=LISTS)
def test_lists_are_read_however_they_are_wrapped(given_: Any, meant: tuple[str, ...]) -> None:
    assert read_texts(given_) == meant


@pytest.mark.parametrize("given_", NO_LISTS, ids=str)
def test_what_is_no_list_is_not_guessed_at(given_: Any) -> None:
    with pytest.raises(UnreadableError):
        read_texts(given_)


@given(st.lists(st.text(st.characters(categories=["L", "Nd"]), min_size=1), min_size=2))
def test_a_list_survives_every_wrapping(words: list[str]) -> None:
    meant = tuple(dict.fromkeys(words))
    text = json.dumps(words)
    assert read_texts(words) == read_texts(text) == read_texts(json.dumps(text)) == meant


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists))
def test_no_list_breaks_the_reader(raw: Any) -> None:
    try:
        read_texts(raw)
    except UnreadableError:
        return


def problem(tool: ToolName, **given_: Any) -> tuple[str, str | None]:
    found = read_arguments(tool, given_)
    assert isinstance(found, ArgumentProblem), found
    return found.parameter.name, found.given


def values(tool: ToolName, **given_: Any) -> Arguments:
    found = read_arguments(tool, given_)
    assert isinstance(found, Arguments), found
    return found


@pytest.mark.parametrize(
    ("given_", "missing"),
    [
        ({}, "content"),
        ({"content": "  ", "importance": 9}, "content"),
        ({"content": "a"}, "project"),
        ({"content": "a", "project": "[]"}, "project"),
        ({"content": "a", "project": "p"}, "keywords"),
        ({"content": "a", "project": "p", "keywords": ""}, "keywords"),
        ({"content": "a", "project": "p", "keywords": None}, "keywords"),
        ({"content": "a", "project": "p", "keywords": "b"}, "importance"),
    ],
    ids=str,
)
def test_what_is_missing_is_told_one_at_a_time_in_order(
    given_: dict[str, Any], missing: str
) -> None:
    assert problem(ToolName.REMEMBER, **given_) == (missing, None)


@pytest.mark.parametrize(
    ("change", "unreadable"),
    [
        ({"keywords": '["a", "b'}, ("keywords", '["a", "b')),
        ({"importance": "very"}, ("importance", "very")),
        ({"importance": True}, ("importance", "true")),
        ({"importance": "NaN"}, ("importance", "NaN")),
        ({"content": ["a"]}, ("content", '["a"]')),
        ({"keywords": {"端口": None}}, ("keywords", '{"端口": null}')),
        ({"layer": "rule"}, ("layer", "rule")),
        ({"corrected": "perhaps"}, ("corrected", "perhaps")),
        ({"subcategory": "shelf"}, ("subcategory", "shelf")),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_told_with_what_was_given(
    change: dict[str, Any], unreadable: tuple[str, str]
) -> None:
    assert problem(ToolName.REMEMBER, **WHOLE | change) == unreadable


def test_an_empty_list_of_keywords_is_an_answer() -> None:
    assert values(ToolName.REMEMBER, **WHOLE | {"keywords": []}).texts("keywords") == ()


@pytest.mark.parametrize(
    ("raw", "meant"),
    [(2, 2), ("3", 3), (" 3.0 ", 3), ('"3"', 3), (2.5, 3), (1.4, 1), (9, 4), (-4, 1), ("1e9", 4)],
    ids=str,
)
def test_numbers_come_as_text_and_are_clamped(raw: Any, meant: int) -> None:
    assert values(ToolName.REMEMBER, **WHOLE | {"importance": raw}).number("importance") == meant


@pytest.mark.parametrize(
    ("raw", "meant"), [(True, True), ("true", True), ("No", False), (0, False)]
)
def test_yes_and_no_come_as_text(raw: Any, meant: bool) -> None:
    assert values(ToolName.REMEMBER, **WHOLE | {"corrected": raw}).flag("corrected") is meant


def test_names_from_elsewhere_are_understood_and_unknown_ones_told() -> None:
    found = values(ToolName.REMEMBER, **WHOLE | {"level": " Rules ", "mood": "good"})
    assert (found.text("layer"), found.ignored) == ("rules", ("mood",))


def test_defaults_stand_in_and_what_is_not_given_says_nothing() -> None:
    found = values(ToolName.SEARCH, query="port")
    assert (found.number("k"), found.number("content_chars")) == (10, 300)
    assert (found.texts("layer"), found.texts("status"), found.number("days")) == (None, None, None)
    assert values(ToolName.SEARCH, query="port", k=0).number("k") == 1


def test_an_empty_project_takes_away_and_no_keywords_change_nothing() -> None:
    found = values(ToolName.UPDATE, id="m", project="", keywords=[])
    assert (found.texts("project"), found.texts("keywords")) == ((), ())


@pytest.mark.parametrize("locale", locales())
def test_every_tool_is_described_in_every_pack(locale: str) -> None:
    texts = ToolTexts(Pack(locale).slot, {"assistant": "Ada", "person": "Bo"})
    for tool in ToolName:
        defined = texts.definition(tool)
        shape = defined.parameters
        assert defined.description
        assert all(one["description"] for one in shape["properties"].values())
        assert set(shape["required"]) <= set(shape["properties"])


@pytest.mark.parametrize("locale", locales())
def test_every_mistake_has_words_of_its_own(locale: str) -> None:
    texts = ToolTexts(Pack(locale).slot, {"assistant": "Ada", "person": "Bo"})
    given_: dict[str, Any] = {}
    told = []
    for name, value in WHOLE.items():
        found = read_arguments(ToolName.REMEMBER, given_)
        assert isinstance(found, ArgumentProblem)
        told.append(texts.problem(ToolName.REMEMBER, found))
        assert f"`{name}`" in told[-1]
        given_[name] = value
    assert len(set(told)) == len(WHOLE)
    unknown = read_arguments(ToolName.REMEMBER, WHOLE | {"layer": "rule"})
    assert isinstance(unknown, ArgumentProblem)
    assert "lesson" in texts.problem(ToolName.REMEMBER, unknown)
