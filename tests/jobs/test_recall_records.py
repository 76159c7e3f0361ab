"""What is noted of each recall: why a memory came or did not, and no word of what was asked or known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from memgardend.core.errors import StoreUnavailableError
from memgardend.core.ports import Store
from memgardend.core.ranking import RANKING_VERSION
from memgardend.core.recall.block import BLOCK_VERSION
from memgardend.core.records.window_recall import NO_WINDOW, Marks
from memgardend.core.scope import Scope
from memgardend.core.words import Layer, Use
from memgardend.daemon.policy import load_policy
from memgardend.daemon.tooling import log_unnoted
from memgardend.jobs.look.recalls import recalls_document
from memgardend.jobs.recall import SearchRequest, search
from memgardend.jobs.tools import call
from support.garden import make_garden
from support.recalling import WINDOW, Agent, in_memory, keep, known, project
from support.stores import NOW, SqliteFactory, somebody_writes
from support.tooling import tools_of

PORT = "Which port does staging use?"
ELSEWHERE = "Where did my grandmother buy those green velvet curtains near the port?"
STAGING = known("staging", "The staging port is 8080.", keywords=("staging", "port"))


@pytest.fixture
def garden() -> Iterator[Store]:
    store = in_memory()
    project(store, "shop")
    project(store, "api")
    keep(store, STAGING)
    yield store
    store.close()


def of_memory(store: Store, memory: str = "staging") -> list[tuple[str, str]]:
    """What each record of the window says of a memory, the oldest first."""
    document = recalls_document(store, window=WINDOW, memory=memory)
    return [(one["mode"], one["verdict"]) for one in document["recalls"]]


def last(store: Store) -> dict[str, Any]:
    return dict(store.recalls(limit=1)[0].record)


def begun(store: Store, **fields: Any) -> Agent:
    """A window past its first message."""
    agent = Agent(store, **fields)
    agent.hears()
    return agent


def restrict(store: Store) -> None:
    keep(store, known("staging", keywords=("staging", "port"), scope=Scope.of("api")))


def crowd(store: Store) -> None:
    keep(store, *(known(f"m{n}", keywords=("staging", "port"), importance=4) for n in range(3)))


def nothing(store: Store) -> None: ...


WHY: dict[str, tuple[Callable[[Store], None], Callable[[Agent], object], str, str]] = {
    "it came": (nothing, lambda agent: None, PORT, "recalled"),
    "searched before": (nothing, lambda agent: agent.searches("port"), PORT, "seen"),
    "written here": (nothing, lambda agent: agent.uses(Use.WRITTEN, "staging"), PORT, "own_window"),
    "of another project": (restrict, lambda agent: None, PORT, "not_covered"),
    "of the project in which one works": (
        restrict,
        lambda agent: agent.works_on("api"),
        PORT,
        "recalled",
    ),
    "too little in common": (nothing, lambda agent: None, ELSEWHERE, "below_floor"),
    "better ones": (crowd, lambda agent: None, PORT, "over_cap"),
    "nothing in common": (nothing, lambda agent: None, "Who sings?", "not_named"),
}


@pytest.mark.parametrize(("given", "meet", "text", "verdict"), WHY.values(), ids=WHY.keys())
def test_why_a_memory_came_with_a_message_or_did_not(
    garden: Store,
    given: Callable[[Store], None],
    meet: Callable[[Agent], object],
    text: str,
    verdict: str,
) -> None:
    given(garden)
    agent = begun(garden)
    meet(agent)
    agent.hears(text)
    assert of_memory(garden)[-1] == ("hits", verdict)


def test_where_more_pass_than_are_weighed_the_others_matched_better(garden: Store) -> None:
    keep(garden, *(known(f"m{n:02}", keywords=("staging", "port")) for n in range(30)))
    begun(garden).hears("staging port")
    assert last(garden)["counts"]["candidate_pool"] == 20
    assert set(last(garden)["rejected_reasons"]) == {"over_cap"}


def test_words_that_very_many_have_are_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memgardend.jobs.recall.reasons.OFTEN", 2)
    store = in_memory()
    keep(store, *(known(f"m{n}", keywords=("port",)) for n in range(3)))
    begun(store).hears(ELSEWHERE)
    assert last(store)["rejected_reasons"] == {}
    store.close()


def test_a_search_says_what_it_left_out_and_why(garden: Store) -> None:
    other = known("other", keywords=("staging", "port"), scope=Scope.of("api"))
    keep(garden, other, *(known(f"m{n}", keywords=("staging", "port")) for n in range(9)))
    agent = Agent(garden)
    first = agent.finds(PORT, k=7, projects=("shop",))
    assert of_memory(garden, "other") == [("search", "not_covered")]
    assert last(garden)["counts"] == {
        "candidate_pool": 10,
        "index_count": 0,
        "injected": 7,
        "rejected_sampled": 4,
        "cap": 7,
    }
    second = agent.finds(PORT, k=7, projects=("shop",))
    assert [of_memory(garden, one)[-1][1] for one in first[5:]] == ["seen"] * 2
    assert [of_memory(garden, one)[-1][1] for one in second] == ["recalled"] * 7
    agent.finds(ELSEWHERE)
    assert of_memory(garden)[-1] == ("search", "below_floor")


def test_a_tools_search_outside_of_any_window_leaves_a_record_and_no_marks(tmp_path: Path) -> None:
    garden = make_garden(tmp_path)
    keep(garden.store, STAGING)
    tools = tools_of(garden)
    assert call("memory_search", {"query": ELSEWHERE}, tools).ok
    assert "staging" in call("memory_search", {"query": PORT}, tools).text
    document = recalls_document(garden.store, memory="staging")
    assert [one["verdict"] for one in document["recalls"]] == ["below_floor", "recalled"]
    assert {(one["window"], one["window_short"]) for one in document["recalls"]} == {(None, None)}
    assert garden.store.window_recall(NO_WINDOW).used == {}


def test_a_look_outside_of_any_window_leaves_nothing(garden: Store) -> None:
    asked = SearchRequest(query=PORT, at=NOW)
    assert search(Agent(garden).context, asked).hits
    assert garden.recalls() == []


def test_a_block_says_what_had_no_room(garden: Store) -> None:
    keep(garden, *(known(f"u{n}", "word " * 60, layer=Layer.USER) for n in range(9)))
    injection = Agent(garden, first_turn_chars=1500).starts()
    assert injection is not None
    record = last(garden)
    assert record["mode"] == "block"
    assert record["rules"] == BLOCK_VERSION
    assert record["query_empty"]
    assert tuple(record["injected_ids"]) == injection.ids
    assert record["rejected_reasons"] == {"over_cap": 9 - len(injection.ids)}


def test_what_comes_after_a_compaction_is_noted_too(garden: Store) -> None:
    keep(garden, known("soul", layer=Layer.SOUL))
    agent = begun(garden)
    agent.is_compacted()
    agent.hears(PORT)
    assert of_memory(garden, "soul") == [("block", "recalled"), ("reinjection", "recalled")]


def test_a_message_that_finds_nothing_can_be_found_by_its_words(garden: Store) -> None:
    agent = begun(garden)
    agent.hears(ELSEWHERE)
    agent.hears(PORT)
    (found,) = recalls_document(garden, query=ELSEWHERE.upper(), memory="staging")["recalls"]
    assert found["verdict"] == "below_floor"
    assert found["rules"] == RANKING_VERSION


def test_hits_that_are_off_and_words_that_call_nothing_up_leave_no_record(garden: Store) -> None:
    agent = begun(garden, hit_top_k=0)
    before = garden.recalls()
    agent.hears(PORT)
    agent.looks_at("shop")
    assert garden.recalls() == before


def test_a_policy_of_ones_own_shows_and_which_one(garden: Store) -> None:
    """R08: what was chosen by other rules than ours is told apart."""
    policy = load_policy(f"{__name__}:choose_none")
    rules = []
    for name in ("mine:choose_none", "mine:choose_other"):
        begun(garden, policy=policy, policy_name=name).hears(PORT)
        rules.append(last(garden)["rules"])
    assert rules == [f"{RANKING_VERSION}+cfg:{digits}" for digits in ("a24120cf", "d985e400")]
    assert of_memory(garden)[-1] == ("hits", "over_cap")


def choose_none(cards: object, query: str, *, limit: int) -> list[str]:
    return []


def test_an_id_that_a_host_made_of_text_is_counted_and_not_named(garden: Store) -> None:
    spoken = ("the port of staging", "港口")
    keep(garden, *(known(one, keywords=("staging", "port"), importance=4) for one in spoken))
    agent = begun(garden)
    assert set(agent.shown(PORT)) == set(spoken)
    assert (last(garden)["counts"]["injected"], last(garden)["injected_ids"]) == (2, [])
    agent.hears(PORT)
    assert last(garden)["rejected_reasons"] == {"seen": 2}
    assert last(garden)["rejected"] == []


def test_each_recall_is_one_write(garden: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Marks] = []
    note = garden.note_marks

    def counting(marks: Marks) -> bool:
        written.append(marks)
        return note(marks)

    monkeypatch.setattr(garden, "note_marks", counting)
    agent = Agent(garden)
    for text in ("hello", PORT, PORT, "Who sings?"):
        agent.hears(text)
    agent.searches("port")
    assert len(written) == len(garden.recalls()) == 5


def test_no_word_of_question_or_memory_gets_into_the_records(factory: SqliteFactory) -> None:
    store = factory.open()
    keep(store, known("m1", "Zanzibar tastes of cloves.", keywords=("zanzibar", "cloves")))
    agent = begun(store)
    with somebody_writes(factory.path):
        agent.hears("Does Zanzibar smell of quinine?")
        agent.searches("quinine cloves")
    (folder,) = factory.path.parent.glob("spool")
    spooled = b"".join(file.read_bytes() for file in folder.iterdir())
    store.fold_marks()
    agent.hears("Quinine from the Zanzibar archipelago?")
    kept = recalls_of(factory.path)
    assert kept.count(b'"mode"') == 4
    for word in (b"zanzibar", b"clove", b"quinine", b"smell", b"archipelago"):
        assert word not in spooled.lower()
        assert word not in kept.lower()


def recalls_of(path: Path) -> bytes:
    """All that the table of records holds."""
    import sqlite3

    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT * FROM recalls").fetchall()
    return repr(rows).encode()


def test_where_no_mark_can_be_kept_a_search_answers_and_the_log_says_so(
    factory: SqliteFactory,
) -> None:
    store = factory.open()
    keep(store, STAGING)
    (factory.path.parent / "spool").write_text("in the way of the folder")
    agent = Agent(store)
    with somebody_writes(factory.path), pytest.raises(StoreUnavailableError):
        agent.hears()
    agent.context = replace(agent.context, unnoted=log_unnoted)
    with somebody_writes(factory.path), capture_logs() as logs:
        assert agent.finds("port") == ["staging"]
        assert agent.looks_at("shop").shelves
        assert agent.hears() is None
    assert [(one["event"], one["window"]) for one in logs] == [("marks_lost", WINDOW)] * 3
