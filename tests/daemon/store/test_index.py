"""The index over memories answers as somebody would who reads them all, whatever is done to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core import nearest as searching
from memgardend.core.impacts import Surface
from memgardend.core.indexing import names_of, probes
from memgardend.core.likeness import contradicts, is_near_duplicate
from memgardend.core.nearest import nearest
from memgardend.core.ports import Store
from memgardend.core.ports.index import Within
from memgardend.core.ranking import Manner, rank
from memgardend.core.records import EditRequest, Edits, Memory, MemoryEdit
from memgardend.core.scope import GLOBAL, UNSET, Scope, covers
from memgardend.core.words import Layer, Status, Subcategory
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import SqliteGarden
from memgardend.daemon.store.driver import Database, statements
from memgardend.daemon.store.migrations import initialise
from support.stores import NOW, SqliteFactory, change, dreamed, memory, quote

WORDS = (
    "redis",
    "caches",
    "cache",
    "port",
    "9090",
    "the",
    "缓存",
    "端口是",
    "存",
    "给API限流",
    "É",
)
TEXT = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
SCOPES = (GLOBAL, UNSET, Scope.of("p1"), Scope.of("p1", "p2"), Scope.of("p10"))
LAYERS = (Layer.FACT, Layer.RULES)
MEMORY = st.builds(
    memory,
    st.sampled_from(["m1", "m2", "m3", "m4", "m5"]),
    content=TEXT,
    title=TEXT | st.none(),
    goal=TEXT | st.none(),
    keywords=st.lists(st.sampled_from(WORDS), max_size=3).map(tuple),
    layer=st.sampled_from(LAYERS),
    status=st.sampled_from(Status),
    scope=st.sampled_from(SCOPES),
    as_of=st.sampled_from([0, 1, NOW]),
    importance=st.integers(1, 4),
    created_at=st.sampled_from([NOW, NOW + 1]),
    updated_at=st.sampled_from([NOW, NOW + 1]),
    subcategory=st.sampled_from([None, Subcategory.TODO, Subcategory.OPS]),
)
WITHIN = st.builds(
    Within,
    statuses=st.sampled_from([(Status.ACTIVE,), tuple(Status)]),
    layers=st.sampled_from([(), (Layer.RULES,)]),
    everywhere=st.booleans(),
    projects=st.sampled_from([(), ("p1",), ("p2",), ("p2", "p10")]),
    done_todos=st.booleans(),
    since=st.sampled_from([None, NOW + 1]),
    without=st.sampled_from([frozenset[str](), frozenset({"m1", "m2"})]),
)
LOCALE = st.sampled_from(["en", "zh-Hans"])
MANNER = st.builds(
    Manner, surface=st.sampled_from(Surface), now=st.sampled_from([None, NOW]), floor=st.booleans()
)
QUERY = TEXT | st.sampled_from(["存", "限 口", "nothing of it"])
_keys = count(1)


def edit(store: Store, *edits: MemoryEdit) -> None:
    request = EditRequest(key=f"k{next(_keys)}", digest="d", actor="a", at=NOW)
    store.edit(request, lambda view: Edits(edits=edits, result="", moved=True))


def put(store: Store, *memories: Memory) -> None:
    """Write memories, whether they are there or not."""
    for one in memories:
        before = store.memory(one.id)
        after = replace(one, revision=1)
        if before:
            after = replace(one, revision=before.revision + 1, created_at=before.created_at)
        edit(store, MemoryEdit(before=before, after=after, operation="put"))


def remove(store: Store, memory_id: str) -> None:
    edit(store, MemoryEdit(before=store.memory(memory_id), after=None, operation="purge"))


def in_memory(garden: str = "garden") -> SqliteGarden:
    database = Database.open(None)
    initialise(database, NoFailpoints())
    return SqliteGarden(database, garden, NoFailpoints())


def read_all(
    query: str, store: Store, locale: str, within: Within, manner: Manner
) -> list[tuple[float, str]]:
    """The answer of somebody who reads every memory."""
    return [
        (score, one.id)
        for score, one in rank(query, store.memories(), locale, manner)
        if is_within(one, within)
    ]


def is_within(one: Memory, within: Within) -> bool:
    done = one.status is Status.STALE and one.subcategory is Subcategory.TODO
    return (
        (one.status in within.statuses or (within.done_todos and done))
        and (not within.layers or one.layer in within.layers)
        and (
            within.everywhere
            or covers(one.scope, None)
            or any(covers(one.scope, project) for project in within.projects)
        )
        and (within.since is None or max(one.created_at, one.updated_at) >= within.since)
        and one.id not in within.without
    )


def probed(store: Store, content: str, locale: str) -> frozenset[str]:
    found = store.term_statistics(names_of(content, locale)).found
    return store.probe(probes(content, locale, found))


def compared(content: str, memories: Sequence[Memory], locale: str) -> set[str]:
    """The active memories that say the same, or the opposite, as somebody finds who compares each."""
    return {
        one.id
        for one in memories
        if one.status is Status.ACTIVE
        and (
            is_near_duplicate(content, one.content, locale)
            or contradicts(content, one.content, locale)
        )
    }


@settings(max_examples=60, deadline=None)
@given(
    st.lists(MEMORY | st.sampled_from(["m1", "m2", "m3"]), min_size=1, max_size=12),
    LOCALE,
    st.lists(st.tuples(QUERY, WITHIN, st.integers(0, 4), MANNER), min_size=1, max_size=4),
    st.integers(0, 12),
    st.sampled_from([(1, 0, 0), (1, 0, 9), (2, 1, 1), (16, 1000, 100)]),
)
def test_the_index_finds_what_reading_everything_finds(
    steps: list[Memory | str],
    locale: str,
    asked: list[tuple[str, Within, int, Manner]],
    indexed_from: int,
    patience: tuple[int, int, int],
) -> None:
    """Also where long lists of postings begin early: then common words are hardly read."""
    store = in_memory()
    for number, step in enumerate(steps):
        if number == indexed_from:  # what was written before is read then
            store.keep_index(locale)
        if isinstance(step, Memory):
            put(store, step)
        elif store.memory(step):
            remove(store, step)
    store.keep_index(locale)
    memories = store.memories()
    for query, within, limit, manner in asked:
        expected = read_all(query, store, locale, within, manner)[:limit]
        at_once, short, look_up = patience
        with patch.multiple(searching, AT_ONCE=at_once, SHORT=short, LOOK_UP=look_up):
            assert nearest(query, store, locale, within, limit, manner) == expected
        assert probed(store, query, locale) >= compared(query, memories, locale)
    assert {one.check for one in store.violations()} <= {"projects_exist"}
    store.close()


@pytest.mark.parametrize("floor", [False, True])
def test_of_many_words_and_memories_the_same_are_nearest(floor: bool) -> None:
    """As words are in a language: few of them everywhere, most of them nearly nowhere (Zipf 1949)."""
    store, random = in_memory(), Random(7)
    store.keep_index("en")
    words = [f"w{number}" for number in range(400)]
    weights = [1 / (number + 2) for number in range(400)]
    put(
        store,
        *(
            memory(
                f"m{number}", content=" ".join(random.choices(words, weights, k=9)), as_of=number
            )
            for number in range(150)
        ),
    )
    memories, manner = store.memories(), Manner(now=NOW, floor=floor)
    for limit in (1, 2, 4) * 6:
        query = " ".join(random.choices(words, weights, k=12))
        every = [(score, one.id) for score, one in rank(query, memories, "en", manner)]
        with patch.multiple(searching, AT_ONCE=1, SHORT=1, LOOK_UP=2):
            assert nearest(query, store, "en", Within(), limit, manner) == every[:limit]
    store.close()


def ids(store: Store, query: str, locale: str = "en") -> list[str]:
    return [memory_id for _, memory_id in nearest(query, store, locale, Within(), 9, Manner())]


def test_a_dream_keeps_the_index_up_in_its_own_commit(factory: SqliteFactory) -> None:
    store = factory.open()
    store.keep_index("en")
    dreamed(store, change(None, memory("m1", content="the staging port")))
    assert ids(factory.open(), "port") == ["m1"]
    assert store.violations() == []


def test_what_proves_a_memory_finds_it(factory: SqliteFactory) -> None:
    store = factory.open()
    store.keep_index("en")
    first = memory("m1", content="prefers pnpm")
    dreamed(store, change(None, first, quote(text="no yarn here, please")))
    assert ids(store, "yarn") == ["m1"]
    assert nearest("yarn", store, "en", Within(), 9, Manner(surface=Surface.CUES)) == []
    remove(store, "m1")
    assert store.term_statistics(["yarn"]).found == {}


def test_a_purged_word_does_not_stay_in_the_index(factory: SqliteFactory) -> None:
    store = factory.open()
    store.keep_index("en")
    put(store, memory("m1", content="redis tangerine"), memory("m2", content="redis"))
    remove(store, "m1")
    assert store.term_statistics(["tangerin", "redi"]).found == {"redi": 1}


@pytest.mark.parametrize("stored", ["zh-Hans", "other"])
def test_an_index_of_other_rules_is_made_anew(factory: SqliteFactory, stored: str) -> None:
    store = factory.open()
    store.keep_index("zh-Hans")
    put(store, memory("m1", content="running caches"))
    assert ids(store, "running") == []  # the index has the words themselves
    if stored == "other":  # an older program's: ours must not mix its terms with those
        database = Database.open(factory.path)
        with database.write() as transaction:
            transaction.execute("UPDATE index_state SET version = '0:any'")
        database.close()
        put(store, memory("m2", content="running"))
        assert store.term_statistics(()).memories == 1
    store.keep_index("en")
    assert ids(store, "run")[-1:] == ["m1"]
    assert store.violations() == []


LOST = {
    "what says that there is one": "DELETE FROM index_state",
    "the rules": "UPDATE index_state SET version = '0:any'",
    "memories": "DELETE FROM index_memories",
    "terms": "DELETE FROM index_terms",
    "postings": "DELETE FROM index_postings",
    "cues": "DELETE FROM index_cues",
    "contents": "DELETE FROM index_contents",
    "all but numbers": "DELETE FROM index_state;\nDELETE FROM index_memories;\nDELETE FROM index_terms",
}


@pytest.mark.parametrize("lost", LOST.values(), ids=LOST.keys())
def test_whatever_is_lost_of_an_index_it_can_be_made_anew(
    factory: SqliteFactory, lost: str
) -> None:
    store = factory.open()
    store.keep_index("en")
    put(store, memory("m1", content="redis", keywords=("redis",)), memory("m2", content="port"))
    database = Database.open(factory.path)
    with database.write() as transaction:
        for statement in statements(f"{lost};"):
            transaction.execute(statement)
    database.close()
    assert store.rebuild_index("en") == 2
    assert ids(store, "redis") == ["m1"]
    assert nearest("redis", store, "en", Within(), 9, Manner(surface=Surface.CUES))[0][1] == "m1"
    put(store, memory("m3", content="redis port"))
    assert sorted(ids(store, "redis")) == ["m1", "m3"]
    assert store.violations() == []


def test_a_rebuilt_index_says_the_same(factory: SqliteFactory) -> None:
    store = factory.open()
    put(store, memory("m1", content="redis"), memory("m2", content="redis port"))
    store.keep_index("en")
    before = nearest("redis", store, "en", Within(), 9, Manner())
    assert store.rebuild_index("en") == 2
    assert nearest("redis", store, "en", Within(), 9, Manner()) == before


PIECES = (
    *("the staging port is", "8080", "9090", "does not", "never", "use", "redis", "caches", "over"),
    *("memcached", "5 MB", "five", "on 2026-11-30", "30 November 2026", "v1.2.3", "`make test`"),
    *(
        "config/app.yaml",
        "issue 4",
        "A",
        "B",
        "端口是",
        "不要用",
        "改成",
        "缓存",
        "不",
        "现在",
        "部署到",
        "了",
    ),
)
SENTENCE = st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join)
CHANGED = st.tuples(st.integers(0, 9), st.sampled_from(("", *PIECES)))


@settings(max_examples=80, deadline=None)
@given(SENTENCE, st.lists(st.lists(CHANGED, max_size=2), min_size=1, max_size=6), LOCALE)
def test_nothing_alike_is_passed_over(
    sentence: str, changes: list[list[tuple[int, str]]], locale: str
) -> None:
    store = in_memory()
    store.keep_index(locale)
    for number, changed in enumerate(changes):
        words = sentence.split(" ")
        for place, piece in changed:
            words[place % len(words)] = piece
        put(store, memory(f"m{number}", content=" ".join(words)))
    assert probed(store, sentence, locale) >= compared(sentence, store.memories(), locale)
    store.close()


KNOWN = {
    "same": "The staging server listens on port 8080",
    "denied": "The staging server does not listen on port 8080",
    "longer": "The staging server listens on port 8080 and talks to redis over its own socket each night",
    "other": "Redis listens on port 8080",
}


def test_only_what_may_be_alike_is_read(factory: SqliteFactory) -> None:
    store = factory.open()
    store.keep_index("en")
    put(store, *(memory(name, content=content) for name, content in KNOWN.items()))
    put(store, memory("archived", content=KNOWN["same"], status=Status.ARCHIVED))
    assert probed(store, "The staging server listens on port 9090", "en") == {"same", "denied"}
    assert probed(store, "", "en") == frozenset()
