"""What a person means by an id."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.errors import UsageError
from memgardend.core.ports import Store
from memgardend.core.records import IngestBatch, NewEvent, Window
from memgardend.core.words import Role, WindowKind
from memgardend.jobs.look.find import (
    ShortIds,
    ShortWindows,
    find_thing,
    find_window,
    short_ids,
    short_windows,
)
from support.stores import NOW


def add(
    store: Store, native: str, source: str = "event", kind: WindowKind = WindowKind.MAIN
) -> None:
    """A window with one turn."""
    event = NewEvent(native_id=f"{source}-{native}", at=NOW, role=Role.HUMAN, text="hello there")
    seed = Window(id=f"{source}:{native}", source=source, native_id=native, kind=kind)
    store.ingest(IngestBatch(window=seed, events=(event,), received_at=NOW))


@given(st.sets(st.text(alphabet="abc", min_size=1, max_size=12), max_size=12))
def test_a_short_id_starts_its_own_id_alone_or_is_whole(ids: set[str]) -> None:
    for one, short in short_ids(ids).items():
        assert one.startswith(short)
        assert short == one or [other for other in ids if other.startswith(short)] == [one]


def test_a_short_id_has_six_characters() -> None:
    assert short_ids(["abcdefghij", "xbcdefghij"])["abcdefghij"] == "abcdef"
    assert short_ids([]) == {}


def test_a_short_id_is_cut_neither_by_a_few_letters_nor_between_two_parts() -> None:
    ids = ["epsilon", "9f2ac1-left-0001", "9f2ac1-right-001", "9f2ac1/agent-7"]
    assert list(short_ids(ids).values()) == ["9f2ac1-l", "9f2ac1-r", "9f2ac1/a", "epsilon"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("event:alpha-1", "event:alpha-1"),
        ("alpha-1", "event:alpha-1"),
        ("alpha-2", "event:alpha-2"),
        ("bet", "event:beta"),
        ("event:b", "event:beta"),
    ],
)
def test_an_id_or_its_start(store: Store, text: str, found: str) -> None:
    for native in ("alpha-1", "alpha-10", "alpha-2", "beta"):
        add(store, native)
    assert find_window(store, text) == found


@pytest.mark.parametrize("text", ["alpha", "event", ""])
def test_an_ambiguous_start_names_the_candidates(store: Store, text: str) -> None:
    for native in ("alpha-1", "alpha-2"):
        add(store, native)
    with pytest.raises(UsageError, match="event:alpha-1, event:alpha-2") as caught:
        find_window(store, text)
    assert caught.value.hint == "memgardend windows --all"


def test_wildcards_are_characters(store: Store) -> None:
    add(store, "alpha")
    for text in ("a%", "_lpha", "*"):
        with pytest.raises(UsageError, match="no window"):
            find_window(store, text)


def test_many_candidates_are_counted(store: Store) -> None:
    for number in range(12):
        add(store, f"alpha-{number:02}")
    with pytest.raises(UsageError, match=r"12 ids: .* and 2 more"):
        find_window(store, "alpha")


def test_sub_agents_do_not_make_their_window_ambiguous(store: Store) -> None:
    add(store, "alpha-1")
    add(store, "alpha-1/agent-7", kind=WindowKind.SUBAGENT)
    assert find_window(store, "alpha") == "event:alpha-1"
    windows = [facts.window for facts in store.window_facts(aside=True)]
    short = short_windows(windows)
    assert short == {"event:alpha-1": "alpha-1", "event:alpha-1/agent-7": "alpha-1/a"}
    assert {find_window(store, text) for text in short.values()} == set(short)


@given(st.sets(st.text(alphabet="ab", min_size=4, max_size=9), min_size=1, max_size=12))
def test_a_short_id_that_is_looked_up_is_the_one_among_all(ids: set[str]) -> None:
    short = ShortIds(lambda start: [one for one in ids if one.startswith(start)])
    assert {one: short.of(one) for one in ids} == short_ids(ids)


def test_a_short_window_that_is_looked_up_is_the_one_among_all(store: Store) -> None:
    for native in ("mail-1", "mail-10", "mail-100", "mailbox", "other"):
        add(store, native)
    add(store, "mail-1/agent-7", kind=WindowKind.SUBAGENT)
    add(store, "other", source="codex")
    every = short_windows(facts.window for facts in store.window_facts(aside=True))
    short = ShortWindows(store)
    assert {one: short.of(one) for one in every} == every
    assert short.of("event:gone") == "event:gone"


def test_the_same_native_id_of_two_sources_needs_its_source(store: Store) -> None:
    add(store, "alpha")
    add(store, "alpha", source="codex")
    with pytest.raises(UsageError, match="2 ids"):
        find_window(store, "alpha")
    windows = [facts.window for facts in store.window_facts(aside=True)]
    assert set(short_windows(windows).values()) == {"event:alpha", "codex:alpha"}


def test_a_thing_is_a_window_or_a_memory(store: Store) -> None:
    add(store, "alpha")
    assert find_thing(store, "alp") == ("window", "event:alpha")
    with pytest.raises(UsageError, match="no window or memory"):
        find_thing(store, "beta")
