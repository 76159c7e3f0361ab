"""Conformance: windows, events and cursors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memgardend.core.ports import Store
from memgardend.core.records import Cursor, IngestBatch
from memgardend.core.words import Role, WindowKind
from support.stores import NOW, SqliteFactory, claimed, dreamed, put, rev, said, started, window


def test_an_unknown_window_is_none(store: Store) -> None:
    assert store.window("event:a") is None
    assert store.window_facts("event:a") == []
    assert store.events("event:a") == []


def test_events_get_numbers_from_one_on_and_come_back_whole(store: Store) -> None:
    event = said("1", "你好 — hi", pasted=((0, 2), (3, 4)), tool="Bash", at=NOW - 5)
    put(store, event, said("2", role=Role.ASSISTANT))
    first, second = store.events("event:a")
    assert (first.seq, second.seq) == (1, 2)
    assert first.text == "你好 — hi"
    assert first.pasted == ((0, 2), (3, 4))
    assert (first.tool, first.at, first.received_at) == ("Bash", NOW - 5, NOW)
    assert (first.replaces, first.replaced) == (None, False)
    assert second.role is Role.ASSISTANT


def test_the_same_event_again_is_a_duplicate_and_changes_nothing(store: Store) -> None:
    put(store, said("1"))
    before = store.window("event:a")
    result = put(store, said("1"), received_at=NOW + 9)
    assert (result.accepted, result.duplicate) == (0, 1)
    assert store.window("event:a") == before


def test_an_edited_message_is_a_new_event_that_replaces_the_newest_version(store: Store) -> None:
    put(store, said("1", "one"), said("2"))
    result = put(store, said("1", "two"), said("1", "three"))
    assert (result.accepted, result.edited) == (2, 2)
    events = store.events("event:a")
    assert [event.text for event in events] == ["one", "text 2", "two", "three"]
    assert [event.replaces for event in events] == [None, None, 1, 3]
    assert [event.replaced for event in events] == [True, False, True, False]


def test_an_older_version_read_again_is_a_duplicate(store: Store) -> None:
    put(store, said("1", "one"), said("1", "two"))
    assert put(store, said("1", "one"), said("1", "two")).duplicate == 2


def test_events_without_a_native_id_are_never_duplicates(store: Store) -> None:
    put(store, said(None, "same"))
    assert put(store, said(None, "same"), said(None, "same")).accepted == 2
    assert len(store.events("event:a")) == 3


def test_an_event_known_in_another_window_of_the_source_is_a_replay(store: Store) -> None:
    put(store, said("1"), said("2"))
    result = put(store, said("1"), said("9"), into=window("b"))
    assert (result.accepted, result.replays) == (2, 1)
    assert [event.role for event in store.events("event:b")] == [Role.REPLAY, Role.HUMAN]
    copied = store.window("event:b")
    assert copied is not None
    assert copied.last_speech_seq == 2


def test_a_known_id_with_another_text_in_another_window_is_news(store: Store) -> None:
    put(store, said("1", "one"))
    assert put(store, said("1", "two"), into=window("b")).replays == 0
    assert put(store, said("1", "two"), into=window("c")).replays == 1


def test_the_original_stays_one_after_it_was_replayed(store: Store) -> None:
    put(store, said("1"))
    put(store, said("1"), into=window("b"))
    assert put(store, said("1", "edited")).replays == 0
    assert [event.role for event in store.events("event:a")] == [Role.HUMAN, Role.HUMAN]
    assert put(store, said("1"), into=window("b")).duplicate == 1


def test_a_replay_makes_a_window_neither_active_nor_due(store: Store) -> None:
    put(store, said("1"))
    put(store, said("1"), into=window("b"))
    (facts,) = store.window_facts("event:b")
    assert (facts.new_events, facts.oldest_new_at) == (0, None)
    assert (facts.window.last_event_at, facts.window.last_speech_at) == (None, None)


def test_the_same_native_id_in_another_source_is_no_replay(store: Store) -> None:
    put(store, said("1"))
    assert put(store, said("1"), into=window("b", source="codex")).replays == 0


@pytest.mark.parametrize(
    ("at", "stored"),
    [(NOW - 1, NOW - 1), (NOW + 10**9, NOW), (None, NOW)],
    ids=["past", "future", "unknown"],
)
def test_times_are_clamped_to_the_receipt(store: Store, at: int | None, stored: int) -> None:
    put(store, said("1", at=at))
    assert store.events("event:a")[0].at == stored
    assert store.window_facts()[0].window.last_event_at == stored


def test_times_of_activity_and_speech_follow_the_roles(store: Store) -> None:
    put(
        store,
        said("1", at=NOW - 50, role=Role.TOOL),
        said("2", at=NOW - 60),
        said("3", at=NOW - 40, role=Role.SYSTEM),
        said("4", at=NOW - 10, role=Role.OWN),
    )
    found = store.window("event:a")
    assert found is not None
    assert (found.first_event_at, found.last_event_at) == (NOW - 60, NOW - 40)
    assert (found.last_speech_at, found.last_speech_seq, found.last_seq) == (NOW - 60, 2, 4)


def test_events_out_of_order_do_not_move_times_back(store: Store) -> None:
    put(store, said("1", at=NOW - 10))
    put(store, said("2", at=NOW - 99))
    found = store.window("event:a")
    assert found is not None
    assert (found.last_event_at, found.last_speech_at) == (NOW - 10, NOW - 10)
    assert (found.first_event_at, found.last_speech_seq) == (NOW - 99, 2)


def test_cwd_and_project_are_set_once_and_title_stays_fresh(store: Store) -> None:
    put(store, said("1"), into=window(cwd="/one", title="old"))
    put(store, said("2"), into=window(cwd="/two", project="p1", title="new", locator="file"))
    put(store, said("3"), into=window(project="p2", parent="event:z"))
    found = store.window("event:a")
    assert found is not None
    assert (found.cwd, found.project, found.title) == ("/one", "p1", "new")
    assert (found.locator, found.parent) == ("file", "event:z")


def test_a_window_without_a_project_keeps_none(store: Store) -> None:
    put(store, said("1"))
    assert store.window_facts()[0].window.project is None


def test_a_window_found_to_be_ours_leaves_the_table(store: Store) -> None:
    put(store, said("1"))
    put(store, into=window(kind=WindowKind.OWN))
    put(store, said("2"))
    assert store.window_facts() == []
    (facts,) = store.window_facts(aside=True)
    assert facts.window.kind is WindowKind.OWN


def test_a_batch_cannot_set_what_is_not_its_own(store: Store) -> None:
    put(store, said("1"), into=window(dreamed_seq=7, skip=True, archived=True, rev=40, last_seq=9))
    found = store.window("event:a")
    assert found is not None
    assert (found.dreamed_seq, found.skip, found.archived, found.rev) == (0, False, False, 1)
    assert found.last_seq == 1


def test_an_old_window_is_registered_without_events(store: Store) -> None:
    put(store, into=window(first_event_at=NOW - 99, last_event_at=NOW + 99), old=True)
    (facts,) = store.window_facts()
    assert facts.new_events == 0
    assert (facts.window.baseline, facts.window.dreamed_seq) == (0, 0)
    assert (facts.window.first_event_at, facts.window.last_event_at) == (NOW - 99, NOW)


def test_a_woken_old_window_counts_from_one_and_keeps_its_baseline(store: Store) -> None:
    put(store, into=window(last_event_at=NOW - 99), old=True)
    put(store, said("1"))
    (facts,) = store.window_facts()
    assert (facts.window.baseline, facts.window.last_seq, facts.new_events) == (0, 1, 1)


def test_a_known_window_does_not_become_old(store: Store) -> None:
    put(store, said("1"))
    put(store, old=True)
    assert store.window_facts()[0].window.baseline is None


def test_an_old_window_with_events_is_a_mistake(store: Store) -> None:
    with pytest.raises(ValueError, match="without events"):
        put(store, said("1"), old=True)
    assert store.window("event:a") is None


def test_rev_rises_with_news_only(store: Store) -> None:
    put(store, said("1"))
    assert rev(store) == 1
    put(store, said("1"), into=window(title="t"))
    assert rev(store) == 1
    put(store, said("2"), said("3"))
    assert rev(store) == 2


def test_new_events_are_the_speech_after_the_watermark(store: Store) -> None:
    dreamed(store)
    put(
        store,
        said("4", at=NOW - 7),
        said("5", at=NOW - 9, role=Role.ASSISTANT),
        said("6", at=NOW - 99, role=Role.TOOL),
        said("7", at=NOW - 1, role=Role.SCRIPT),
    )
    (facts,) = store.window_facts()
    assert (facts.new_events, facts.oldest_new_at) == (3, NOW - 9)


def test_facts_may_be_asked_of_windows_with_news_only(store: Store) -> None:
    dreamed(store)
    put(store, said("9"), into=window("fresh"))
    put(store, said("8", role=Role.TOOL), into=window("silent"))
    put(store, said("7"), into=window("side", kind=WindowKind.SUBAGENT))
    put(store, said("6"), said("5"), into=window("skipped"))
    store.set_skip("event:skipped", True)
    found = store.window_facts(with_news=True)
    assert {one.window.native_id: one.new_events for one in found} == {"fresh": 1, "skipped": 2}
    every = store.window_facts()
    assert found == [one for one in every if one.window in [facts.window for facts in found]]


def test_facts_name_the_open_dream_and_tell_whether_one_has_ended(store: Store) -> None:
    dreamed(store)
    put(store, said("4"))
    claimed(store, "d2")
    (facts,) = store.window_facts()
    assert facts.open_dream is not None
    assert facts.open_dream.id == "d2"
    assert facts.ended
    store.cancel("d2", NOW + 5000, "test")
    (facts,) = store.window_facts()
    assert facts.open_dream is None
    assert facts.ended
    put(store, said("9"), into=window("fresh"))
    claimed(store, "d3", "event:fresh")
    assert not store.window_facts("event:fresh")[0].ended


def test_the_table_shows_main_windows_newest_activity_first(store: Store) -> None:
    put(store, said("1", at=NOW - 9), into=window("old"))
    put(store, said("2", at=NOW), into=window("new"))
    put(store, said("3"), into=window("sub", kind=WindowKind.SUBAGENT))
    assert [facts.window.native_id for facts in store.window_facts()] == ["new", "old"]
    assert len(store.window_facts(aside=True)) == 3
    assert [facts.window.native_id for facts in store.window_facts("event:sub")] == ["sub"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("event:abc", ["event:abc"]),
        ("abc", ["event:abc"]),
        ("ab", ["event:abc", "event:abd"]),
        ("event:a", ["event:abc", "event:abd"]),
        ("a_c", []),
        ("%", []),
        ("abc ", []),
    ],
    ids=["id", "native id", "native prefix", "prefix", "underscore", "percent", "longer"],
)
def test_windows_are_found_by_prefix_without_wildcards(
    store: Store, text: str, found: list[str]
) -> None:
    for name in ("abc", "abd"):
        put(store, said(name), into=window(name))
    assert store.find_windows(text) == found


def test_an_exact_id_is_found_among_the_longer_ones(store: Store) -> None:
    for name in ("abc", "ab"):
        put(store, said(name), into=window(name))
    assert store.find_windows("ab") == ["event:ab", "event:abc"]


def test_a_range_of_events(store: Store) -> None:
    put(store, *(said(str(n)) for n in range(1, 8)))
    assert [event.seq for event in store.events("event:a", 2, 5)] == [3, 4, 5]
    assert [event.seq for event in store.events("event:a", 5)] == [6, 7]


def test_the_prelude_is_the_last_speech_up_to_a_point(store: Store) -> None:
    roles = [Role.HUMAN, Role.TOOL, Role.ASSISTANT, Role.OWN, Role.SCRIPT, Role.HUMAN]
    put(store, *(said(str(n), role=role) for n, role in enumerate(roles)))
    assert [event.seq for event in store.events_before("event:a", 5, 2)] == [3, 5]
    assert [event.seq for event in store.events_before("event:a", 5, 9)] == [1, 3, 5]
    assert store.events_before("event:a", 5, 0) == []


@pytest.mark.parametrize("flag", ["skip", "archived"])
def test_flags_say_whether_they_changed_and_raise_rev(store: Store, flag: str) -> None:
    put(store, said("1"))
    change = store.set_skip if flag == "skip" else store.set_archived
    assert change("event:a", True)
    assert not change("event:a", True)
    assert rev(store) == 2
    found = store.window("event:a")
    assert found is not None
    assert getattr(found, flag) is True
    assert change("event:a", False)
    assert not change("event:unknown", True)


@pytest.mark.parametrize("state", ["failed", "quarantined"])
@pytest.mark.parametrize(
    ("role", "cancels"),
    [
        (Role.HUMAN, True),
        (Role.SCRIPT, True),
        (Role.ASSISTANT, True),
        (Role.TOOL, False),
        (Role.OWN, False),
    ],
)
def test_new_speech_cancels_a_dream_that_failed(
    store: Store, state: str, role: Role, cancels: bool
) -> None:
    put(store, said("1"))
    claimed(store)
    lease = started(store)
    store.fail(lease, NOW, NOW + 9, "r", "e", refund=False, quarantine=state == "quarantined")
    result = put(store, said("2", role=role), received_at=NOW + 5)
    dream = store.dream("d1")
    assert dream is not None
    assert result.cancelled_dream == ("d1" if cancels else None)
    assert dream.state == ("cancelled" if cancels else state)
    assert dream.finished_at == (NOW + 5 if cancels else None)


@pytest.mark.parametrize("state", ["pending", "running"])
def test_new_speech_leaves_a_dream_that_waits_or_runs(store: Store, state: str) -> None:
    put(store, said("1"))
    claimed(store)
    if state == "running":
        started(store)
    assert put(store, said("2")).cancelled_dream is None
    dream = store.dream("d1")
    assert dream is not None
    assert dream.state == state


def test_a_duplicate_is_no_new_speech(store: Store) -> None:
    put(store, said("1"))
    claimed(store)
    store.fail(started(store), NOW, NOW, "r", "e", refund=False)
    assert put(store, said("1")).cancelled_dream is None


def _cursor(offset: int = 10, **fields: object) -> Cursor:
    plain = {"identity": "1:2", "size": 20, "mtime_ns": 3, "fingerprint": "f", "lines": 2}
    plain |= {"unreadable": 1, "window": "event:a", **fields}
    return Cursor(source="event", path="/f", offset=offset, **plain)  # type: ignore[arg-type]


def test_a_cursor_moves_only_from_where_it_was_read(store: Store) -> None:
    assert store.cursor("event", "/f") is None
    assert not store.save_cursor(_cursor(), 5)
    assert store.save_cursor(_cursor(), None)
    assert not store.save_cursor(_cursor(30), None)
    assert not store.save_cursor(_cursor(30), 11)
    assert store.save_cursor(_cursor(30), 10)
    assert store.cursor("event", "/f") == _cursor(30)
    assert store.cursors("event") == [_cursor(30)]
    assert store.cursors("codex") == []


def test_a_batch_behind_a_moved_cursor_writes_nothing(factory: SqliteFactory) -> None:
    one, two = factory.open(), factory.open()
    put(one, said("1"), cursor=_cursor(10))
    assert put(two, said("2"), cursor=_cursor(10)).stale
    assert not put(two, said("2"), cursor=_cursor(20), expected_offset=10).stale
    assert put(one, said("3"), cursor=_cursor(20), expected_offset=10).stale
    assert [event.native_id for event in one.events("event:a")] == ["1", "2"]


def test_of_batches_written_together_one_that_is_stale_spoils_no_other(
    factory: SqliteFactory,
) -> None:
    store = factory.open()
    put(store, said("1"), cursor=_cursor(10))
    batches = [
        IngestBatch(
            window=window(),
            events=(said(name),),
            received_at=NOW,
            cursor=_cursor(20),
            expected_offset=at,
        )
        for name, at in (("2", 10), ("3", 10), ("4", 20))
    ]
    assert [one.stale for one in store.ingest_together(batches)] == [False, True, False]
    assert [event.native_id for event in store.events("event:a")] == ["1", "2", "4"]


def test_adoption_is_noted_once(factory: SqliteFactory) -> None:
    one, two = factory.open(), factory.open()
    assert one.adopted_at("event") is None
    assert one.adopt("event", NOW) == NOW
    assert two.adopt("event", NOW + 99) == NOW
    assert two.adopted_at("event") == NOW
    assert one.adopted_at("codex") is None


def test_thousands_of_events_in_one_batch(store: Store) -> None:
    events = [said(str(n)) for n in range(5000)]
    assert put(store, *events).accepted == 5000
    assert put(store, *events).duplicate == 5000
    assert store.counts()["events"] == 5000


def test_windows_with_news_are_those_a_sweep_may_claim_longest_waiting_first(store: Store) -> None:
    put(store, said("1", at=NOW - 1), into=window("late"))
    put(store, said("2", at=NOW - 9), into=window("early"))
    put(store, said("3", at=NOW - 5), into=window("skipped"))
    put(store, said("4", at=NOW - 5), into=window("archived"))
    put(store, said("5", at=NOW - 5), into=window("helper", kind=WindowKind.SUBAGENT))
    put(store, said("6", role=Role.TOOL), into=window("tools"))
    store.set_skip("event:skipped", True)
    store.set_archived("event:archived", True)
    assert store.windows_with_news() == ["event:early", "event:late"]


def test_windows_with_news_are_asked_for_by_their_quiet(store: Store) -> None:
    put(store, said("1", at=NOW - 9), into=window("quiet"))
    put(store, said("2", at=NOW - 1), into=window("busy"))
    assert store.windows_with_news(NOW - 9) == ["event:quiet"]
    assert store.windows_with_news(NOW - 10) == []
    assert store.windows_with_news(NOW - 10, NOW - 2) == ["event:busy"]


def test_a_dreamed_window_has_no_news_until_somebody_speaks(store: Store) -> None:
    dreamed(store)
    assert store.windows_with_news() == []
    put(store, said("9"))
    assert store.windows_with_news() == ["event:a"]


def test_many_cursors_move_at_once_each_from_where_it_is_expected(store: Store) -> None:
    assert store.save_cursor(_cursor(), None)
    other = replace(_cursor(7), path="other")
    assert store.save_cursors([(_cursor(30), 5), (other, None)]) == 1
    assert [one.offset for one in store.cursors("event")] == [10, 7]


def test_a_window_knows_its_first_and_last_activity_and_speech(store: Store) -> None:
    put(store, said("1", role=Role.TOOL, at=NOW - 9), said("2", at=NOW - 7))
    put(store, said("3", role=Role.ASSISTANT, at=NOW - 5), said("4", role=Role.TOOL, at=NOW - 3))
    found = store.window("event:a")
    assert found is not None
    assert (found.first_event_at, found.last_event_at) == (NOW - 9, NOW - 3)
    assert (found.first_speech_at, found.last_speech_at) == (NOW - 7, NOW - 5)
