"""Ingest: what is written in one transaction, and what of it counts when something goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.ports import Store
from memgardend.core.records import IngestBatch, IngestResult
from memgardend.daemon.failpoints import FailpointError, SetFailpoint
from memgardend.jobs import gathering
from support.claude_agent import Agent, texts
from support.stores import SqliteFactory


@pytest.fixture
def agent(tmp_path: Path, clock: ManualClock) -> Agent:
    """An agent whose folder is still empty."""
    return Agent(tmp_path / "projects", clock)


def sizes_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many batches each transaction will have held."""
    sizes: list[int] = []
    write = store.ingest_together

    def counted(batches: Sequence[IngestBatch]) -> Sequence[IngestResult]:
        sizes.append(len(batches))
        return write(batches)

    monkeypatch.setattr(store, "ingest_together", counted)
    return sizes


def test_many_old_windows_are_registered_together(
    agent: Agent, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "AT_ONCE", 3)
    sizes = sizes_written(store, monkeypatch)
    for number in range(7):
        agent.say(f"w{number}", f"a{number}:long ago", ago=30)
    agent.say("bad\udcff", "z:long ago", ago=31)
    report = agent.ingest(store)
    assert (report.old, len(report.problems), sizes) == (7, 1, [3, 3, 1])
    assert agent.ingest(store).old == 0
    assert sizes == [3, 3, 1]


def test_short_conversations_are_written_together(
    agent: Agent, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = sizes_written(store, monkeypatch)
    for number in range(40):
        agent.say(f"w{number}", f"a{number}:one", ago=(40 - number) / 2)
    agent.say("long", *(f"b{number}:one" for number in range(9)))
    report = agent.ingest(store)
    assert max(sizes) > 20  # as many as eight chunks hold
    assert (sum(sizes), len(sizes)) == (42, 3)  # the long one is written chunk by chunk
    assert (report.files, report.events, report.new_windows) == (41, 49, 41)
    assert agent.ingest(store).files == 0


def test_a_conversation_that_goes_on_in_another_file_meets_its_beginning(
    agent: Agent, store: Store
) -> None:
    agent.say("w", "a:one", "b:two", ago=2)
    agent.say("w", "b:two", "c:three", ago=1, project="q")
    report = agent.ingest(store)
    assert texts(store, "w") == ["one", "two", "three"]
    assert (report.new_windows, report.events, report.duplicates) == (1, 3, 1)


@pytest.mark.parametrize("passing", [1, 2, 3])
def test_what_fails_among_several_leaves_nothing_and_loses_nothing(
    agent: Agent, factory: SqliteFactory, passing: int
) -> None:
    names = ["u", "v", "w"]
    for number, name in enumerate(names):
        agent.say(name, f"{name}:one", ago=3 - number)
    broken = factory.open(failpoints=SetFailpoint("ingest.inside", passing, "raise"))
    with pytest.raises(FailpointError):
        agent.ingest(broken)
    store = factory.open()
    assert [*store.window_facts(), *store.cursors("claude-code")] == []
    assert agent.ingest(store).events == 3
    assert [texts(store, name) for name in names] == [["one"]] * 3


def test_a_folder_whose_name_is_no_text_spoils_nothing_that_waits_with_it(
    agent: Agent, store: Store
) -> None:
    agent.say("u", "a:one", ago=3)
    agent.say("v", "b:one", ago=2, project="p\udcff")
    agent.say("w", "c:one", ago=1)
    report = agent.ingest(store)
    assert [one.reason for one in report.problems] == ["its name is not UTF-8"]
    assert (report.events, texts(store, "u"), texts(store, "w")) == (2, ["one"], ["one"])


def test_who_was_overtaken_in_one_file_still_writes_the_others(
    agent: Agent, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.say("w", "a:one", ago=2)
    agent.ingest(store)
    agent.say("w", *(f"b{number}:two" for number in range(9)), ago=1)
    agent.say("v", "c:other")
    monkeypatch.setattr(store, "cursors", lambda source: [])
    report = agent.ingest(store)
    assert (report.events, report.new_windows, report.unreadable) == (1, 1, 0)
    assert (texts(store, "w"), texts(store, "v")) == (["one"], ["other"])
