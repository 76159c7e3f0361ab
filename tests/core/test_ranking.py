"""Ranking by BM25: what must rank above what."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core import impacts, irregular, query, ranking, stop_words
from memgardend.core.clock import DAY_MS
from memgardend.core.impacts import Surface
from memgardend.core.ranking import (
    MAX_QUERY_TERMS,
    RANKING_VERSION,
    Manner,
    bm25,
    memory_text,
    rank,
)
from memgardend.core.records import Memory
from memgardend.core.tokens import TOKENIZER_VERSION
from memgardend.core.words import Layer

NOW = 1_800_000_000_000
SHARED = Path(__file__).parents[2] / "../shared/cases/meow-cases.json"


def memory(identity: str, content: str, **fields: Any) -> Memory:
    return Memory(id=identity, layer=Layer.FACT, content=content, **fields)


def test_the_formula_on_a_small_example() -> None:
    scores = bm25(["redis"], [["redis", "cache"], ["mysql", "index"], ["disk"]])
    idf = math.log(1 + (3 - 1 + 0.5) / 1.5)
    norm = 1.2 * (0.25 + 0.75 * 2 / (5 / 3))
    assert scores == [pytest.approx(idf * 2.2 / (1 + norm)), 0, 0]


def test_a_repeated_query_word_counts_once() -> None:
    documents = [["redis", "cache"], ["postgres"]]
    assert bm25(["redis", "redis"], documents) == bm25(["redis"], documents)


def test_nothing_to_score() -> None:
    assert bm25(["redis"], []) == []
    assert bm25([], [["redis"]]) == [0]
    assert bm25(["redis"], [[]]) == [0]


words = st.sampled_from(("redis", "cache", "port", "disk", "index", "table"))
texts = st.lists(words, max_size=8)


@given(texts, st.lists(texts, max_size=6))
def test_a_score_is_positive_exactly_where_a_word_is_shared(
    query: list[str], documents: list[list[str]]
) -> None:
    for score, document in zip(bm25(query, documents), documents, strict=True):
        assert (score > 0) is bool(set(query) & set(document))


def test_what_is_searched_of_a_memory() -> None:
    text = memory_text(memory("m", "content", title="title", goal="goal", keywords=("one", "two")))
    assert text == "title\ngoal\ncontent\none two"


RELATED = [
    memory("port", "The staging API listens on port 8080.", as_of=1),
    memory("tea", "The person drinks tea.", as_of=2),
    memory("deploy", "Deploys go out on Tuesdays.", keywords=("staging",), as_of=3),
    memory("人", "服务器给API限流", as_of=4),
]


def found(query: str, memories: list[Memory]) -> list[str]:
    return [memory.id for _, memory in rank(query, memories, "en", Manner(floor=False))]


def test_related_memories_come_nearest_first_and_unrelated_ones_not_at_all() -> None:
    assert found("the staging port is 9090 now", RELATED) == ["port", "deploy"]
    assert found("", RELATED) == []


def test_among_equals_the_newest_knowledge_comes_first_then_the_id() -> None:
    same = [memory(identity, "redis", as_of=at) for identity, at in (("b", 1), ("a", 1), ("c", 2))]
    assert found("redis", same) == ["c", "a", "b"]


def test_of_a_long_query_only_the_rarest_words_count() -> None:
    rare = [f"rare{number}" for number in range(MAX_QUERY_TERMS)]
    common = [memory(f"c{number}", "common") for number in range(3)]
    memories = [*common, *(memory(word, word) for word in rare)]
    assert found(f"common {' '.join(rare)}", memories) == sorted(rare)
    assert found(f"common {rare[0]}", memories) == [rare[0], "c0", "c1", "c2"]


@pytest.mark.parametrize("query", ["给", "限", "流"], ids=["alone-in-its-text", "first", "last"])
def test_a_lone_character_finds_the_memories_that_hold_it(query: str) -> None:
    assert [m.id for _, m in rank(query, RELATED, "zh-Hans", Manner())] == ["人"]


_CASES: list[dict[str, Any]] = json.loads(SHARED.read_text("utf-8")) if SHARED.exists() else []
_HITS = "keyword-hit score (docs.content = keyword string)"
_SEARCHES = "BM25 x recency (memory_search ranking)"


def as_memory(document: dict[str, Any], surface: Surface, now: int) -> Memory:
    fields = {"title": document.get("title"), "importance": document.get("importance", 1)}
    at = document.get("updated_at", now)
    if surface is Surface.WHOLE:
        return memory(document["id"], document["content"], as_of=at, **fields)
    keywords = tuple(document["content"].split())
    return memory(document["id"], "", keywords=keywords, as_of=at, **fields)


@pytest.mark.skipif(not _CASES, reason="the shared cases are not here")
@pytest.mark.parametrize(
    "case",
    [c for c in _CASES if c["group"] in (_HITS, _SEARCHES) and c["ours"] != "differs"],
    ids=lambda c: str(c["id"]),
)
def test_shared_orders(case: dict[str, Any]) -> None:
    given = case["input"]
    surface = Surface.CUES if case["group"] == _HITS else Surface.WHOLE
    memories = [as_memory(one, surface, given["now"] or NOW) for one in given["docs"]]
    manner = Manner(surface=surface, now=given["now"], floor=False)
    ranked = rank(given["query"], memories, "zh-Hans", manner)
    assert [one.id for _, one in ranked] == [identity for identity, _ in case["expected"]]


def test_a_matching_title_never_lowers_a_score() -> None:
    with_title = memory("t", "", title="alpha", keywords=("alpha",))
    without = memory("n", "", keywords=("alpha",))
    manner = Manner(surface=Surface.CUES)
    assert [one.id for _, one in rank("alpha", [without, with_title], "en", manner)] == ["t", "n"]


@pytest.mark.parametrize("importance", [-4, 0, 1])
def test_importance_is_clamped(importance: int) -> None:
    (one,) = rank("redis", [memory("m", "redis", importance=importance)], "en", Manner())
    (other,) = rank("redis", [memory("m", "redis")], "en", Manner())
    assert one[0] == other[0]


def order(query: str, *memories: Memory, now: int = NOW) -> list[str]:
    return [one.id for _, one in rank(query, memories, "en", Manner(now=now))]


OLD = NOW - 300 * DAY_MS


def test_age_decides_between_near_equals_only() -> None:
    old = memory("old", "staging port", as_of=OLD)
    new = memory("new", "staging port told", as_of=NOW)
    assert order("staging port", old, new) == ["new", "old"]
    worse = memory("worse", "the staging server, which is rather old", as_of=NOW)
    assert order("staging port", old, worse) == ["old", "worse"]


@pytest.mark.parametrize("query", ["what was the staging port?", "staging port in May 2025"])
def test_a_question_about_the_past_asks_for_no_fresh_knowledge(query: str) -> None:
    old = memory("old", "staging port", as_of=OLD)
    new = memory("new", "staging port told", as_of=NOW)
    assert order(query, old, new) == ["old", "new"]


def test_what_matters_does_not_age() -> None:
    old = memory("old", "staging port", as_of=OLD, importance=3)
    new = memory("new", "staging port", as_of=NOW)
    assert order("staging port", new, old) == ["old", "new"]


@pytest.mark.parametrize(
    ("query", "answered"),
    [
        ("redis port", True),
        ("where does redis listen?", True),  # unseen words, one memory
        (
            "which colour has the sofa of our neighbours in Lisbon, and who carried the port there",
            False,
        ),
        ("thing to make and know", False),
        ("", False),
    ],
)
def test_the_floor_in_a_garden_of_one_memory(query: str, answered: bool) -> None:
    found = rank(query, [memory("m", "redis has the port 6379")], "en", Manner())
    assert bool(found) is answered


@pytest.mark.parametrize(("surface", "answered"), [(Surface.WHOLE, True), (Surface.CUES, False)])
def test_a_search_in_chinese_has_less_to_find_than_what_comes_unasked(
    surface: Surface, answered: bool
) -> None:
    one = memory("m", "风驰的轨迹推送有时会乱序", keywords=("轨迹", "乱序"))
    manner = Manner(surface=surface)
    assert bool(rank("轨迹消息先后颠倒了该怎么处理", [one], "zh-Hans", manner)) is answered
    assert not rank("消息先后颠倒了该怎么处理", [one], "zh-Hans", manner)


@pytest.mark.parametrize("surface", Surface)
def test_an_english_search_has_as_much_to_find_as_what_comes_unasked(surface: Surface) -> None:
    one = memory("m", "the cat sleeps", keywords=("cat",))
    manner = Manner(surface=surface)
    assert rank("cat bridge harbour", [one], "en", manner)
    assert not rank("cat bridge harbour violin", [one], "en", manner)


def test_some_rare_words_are_enough_in_a_long_message() -> None:
    pages = " ".join(f"word{number}" for number in range(40))
    both = memory("m", "pgbouncer and odyssey pool connections over sockets")
    others = [memory(f"o{number}", f"word{number}") for number in range(40)]
    rare = "pgbouncer odyssey connection socket"
    found = rank(f"{pages} {rare}", [both, *others], "en", Manner())
    assert [one.id for _, one in found] == ["m"]
    assert not rank(f"{pages} pools", [both, *others], "en", Manner())


def test_the_context_answers_too() -> None:
    memories = [memory("m", "Prefers pnpm"), memory("o", "The port is 8080")]
    quotes = {"m": ["please never run yarn here again"]}
    assert [m.id for _, m in rank("yarn", memories, "en", Manner(), quotes)] == ["m"]
    assert not rank("yarn", memories, "en", Manner(surface=Surface.CUES), quotes)


def test_an_identifier_finds_itself_before_its_parts() -> None:
    memories = [memory("a", "v1 and 2 of them"), memory("b", "it is v1.2 now")]
    assert order("v1.2", *memories)[0] == "b"


def test_importance_decides_between_equals() -> None:
    """R12 of the shared retrieval cases: here importance takes part."""
    plain, weighty = memory("a", "staging port"), memory("b", "staging port", importance=2)
    assert order("staging port", plain, weighty) == ["b", "a"]


def test_a_pair_of_function_characters_is_no_hit() -> None:
    """R04b: `是谁` alone must find nothing, whatever is written with it."""
    memories = [memory("q", "他是谁的朋友"), memory("c", "猫叫豆包")]
    assert rank("是谁", memories, "zh-Hans", Manner(floor=False)) == []
    assert [one.id for _, one in rank("猫叫什么", memories, "zh-Hans", Manner())] == ["c"]


def test_the_version_names_algorithm_and_tokeniser() -> None:
    """R08: whoever keeps scores can tell that they were made by other rules."""
    assert re.fullmatch(
        r"bm25f-3\.[0-9a-f]{8}", RANKING_VERSION.removesuffix(f"+tok{TOKENIZER_VERSION}")
    )


CONSTANT = re.compile(r"^(_?[A-Z][A-Z_0-9]+) = [\d._]+(?: [/*] [\d.]+)?$", re.M)


@pytest.mark.parametrize(
    ("module", "version"),
    [
        (ranking, "RANKING_VERSION"),
        (impacts, "INDEXING_VERSION"),
        (query, "QUERY_VERSION"),
    ],
    ids=lambda value: str(getattr(value, "__name__", value)).rpartition(".")[2],
)
def test_another_constant_is_another_version(module: ModuleType, version: str) -> None:
    """Whichever number of the formula is changed, the version changes without anybody's help."""
    source = inspect.getsource(module)
    versions = {getattr(module, version)}
    constants = CONSTANT.findall(source)
    for name in constants:
        changed = re.sub(rf"^{name} = .*$", f"{name} = 7", source, flags=re.M)
        versions.add(executed(module.__name__, changed)[version])
    assert len(versions) == len(constants) + 1
    assert constants


@pytest.mark.parametrize(
    ("module", "old", "new", "version"),
    [
        (impacts, '"content", (0.0, 1.0), 0.1', '"content", (0.0, 1.0), 0.2', "INDEXING_VERSION"),
        (stop_words, "thing things", "things", "QUESTION_WORDS_VERSION"),
        (stop_words, "a an the", "a the", "STOP_WORDS_VERSION"),
        (irregular, " / buy bought", "", "IRREGULAR_VERSION"),
    ],
)
def test_another_list_or_field_is_another_version(
    module: ModuleType, old: str, new: str, version: str
) -> None:
    source = inspect.getsource(module)
    assert old in source
    changed = executed(module.__name__, source.replace(old, new))
    assert changed[version] != getattr(module, version)


def executed(name: str, source: str) -> dict[str, Any]:
    """The names of a module of this source; the module itself stays as it is."""
    module, loaded = ModuleType(name), sys.modules[name]
    sys.modules[name] = module  # where dataclasses look for their names
    try:
        exec(source, module.__dict__)
    finally:
        sys.modules[name] = loaded
    return vars(module)


def test_scores_change_only_with_the_version() -> None:
    """Who changes how memories are ranked raises a number of RANKING_VERSION first, and then this."""
    memories = [
        *RELATED,
        memory("pool", "Odyssey pools connections; we bought it in May 2025.", importance=2),
        memory(
            "缓存",
            "缓存放在 Redis，过期时间默认十分钟。",
            keywords=("缓存",),
            as_of=NOW - 9 * DAY_MS,
        ),
    ]
    queries = ("the staging port", "who will buy odyssey?", "缓存多久过期", "connections", "猫的病")
    scores = [
        (round(score, 6), one.id)
        for text in queries
        for locale in ("en", "zh-Hans")
        for surface in Surface
        for score, one in rank(text, memories, locale, Manner(surface=surface, now=NOW))
    ]
    digest = hashlib.sha256(repr(scores).encode()).hexdigest()[:16]
    assert (RANKING_VERSION, digest) == (
        "bm25f-3.64927062+tok2.281f6fae",
        "43ea0412fe83e003",
    )
