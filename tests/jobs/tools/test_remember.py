"""memory_remember: the same is joined, what is only like it stays beside it, and all of it is read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.errors import UsageError
from memgardend.core.marker import make_marker
from memgardend.core.ports import GardenView
from memgardend.core.recall.window import written
from memgardend.core.records import (
    EditRequest,
    Edits,
    IngestBatch,
    Memory,
    NewEvent,
    Project,
)
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.words import Layer, Role, Status, Subcategory
from memgardend.jobs.tools import MemoryUpdate, Outcome, ToolContext, update
from memgardend.jobs.tools.alike import MOST_TOLD
from support.conversation import say
from support.garden import KEY, START, make_garden
from support.tooling import active, in_project, keep, kept, tools_of

SHARED = Path(__file__).parents[3] / "../shared/cases/meow-cases.json"
PORT = "The staging server of the shop listens on port 8080."


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return tools_of(make_garden(tmp_path), "w")


def test_what_is_remembered_is_read_from_the_store(context: ToolContext) -> None:
    done = keep(context, PORT, keywords=("staging",), importance=3, layer=Layer.LESSON)
    [stored] = context.garden.store.memories()
    assert (done.outcome, done.memory) == (Outcome.STORED, stored)
    assert (stored.content, stored.layer, stored.scope) == (PORT, Layer.LESSON, GLOBAL)
    assert (stored.keywords, stored.keywords_auto, stored.importance) == (("staging",), False, 3)
    assert stored.created_at == stored.updated_at == stored.as_of == START
    assert (stored.origin, stored.source_window) == ("tool", "event:w")


@pytest.mark.parametrize("content", ["", " \n", "\x00"])
def test_nothing_is_no_memory_and_no_change(context: ToolContext, content: str) -> None:
    memory = kept(context, PORT)
    with pytest.raises(UsageError, match="says nothing"):
        kept(context, content)
    with pytest.raises(UsageError, match="says nothing"):
        update(context, MemoryUpdate(id=memory.id, content=content))
    assert context.garden.store.memories() == [memory]


def test_history_says_who_and_the_window_has_written_it(context: ToolContext) -> None:
    memory = kept(context, PORT)
    store = context.garden.store
    [version] = store.versions(memory.id)
    assert (version.actor, version.operation, version.dream) == ("tool", "remember", None)
    assert written(context.recall.store.window_recall("event:w")) == (memory.id,)
    assert store.window_memory_ids("event:w") == [memory.id]
    assert store.violations() == []


def test_without_keywords_it_gets_its_own(context: ToolContext) -> None:
    memory = kept(context, PORT)
    assert memory.keywords_auto
    assert "staging" in memory.keywords


@pytest.mark.parametrize(("given", "stored"), [(-3, 1), (0, 1), (9, 4), (None, 2)])
def test_importance_is_clamped(context: ToolContext, given: int | None, stored: int) -> None:
    assert kept(context, PORT, importance=given).importance == stored


def test_the_same_again_changes_nothing(context: ToolContext) -> None:
    first = kept(context, PORT, keywords=("staging",))
    again = keep(context, PORT, keywords=("staging",))
    assert (again.outcome, again.memory) == (Outcome.KNOWN, first)
    assert len(context.garden.store.versions(first.id)) == 1


def test_much_the_same_is_joined_with_what_is_known(tmp_path: Path) -> None:
    clock = ManualClock(START)
    context = tools_of(make_garden(tmp_path, clock=clock))
    first = kept(context, PORT, keywords=("staging",), importance=3)
    clock.advance(HOUR_MS)
    more = keep(context, f"{PORT[:-1]} now.", keywords=("port",), importance=1)
    assert (more.outcome, more.memory.id) == (Outcome.MERGED, first.id)
    assert (more.memory.keywords, more.memory.importance) == (("staging", "port"), 3)
    assert (more.memory.revision, more.memory.as_of) == (2, START + HOUR_MS)
    assert more.memory == context.garden.store.memory(first.id)


def test_the_best_match_is_taken(context: ToolContext) -> None:
    keep(context, "one two three four five six seven")
    best = kept(context, "one two three four five six eight nine")
    assert len(active(context.garden)) == 2
    assert keep(context, "one two three four five six eight nine ten").memory.id == best.id


def test_the_ancestors_threshold_only_proposes(tmp_path: Path) -> None:
    if not SHARED.exists():
        pytest.skip("../shared is not here")
    rows = [one for one in json.loads(SHARED.read_text("utf-8")) if one["id"].startswith("JAC")]
    assert len(rows) == 3
    for row in rows:
        context = tools_of(make_garden(tmp_path / row["id"]))
        if row["expected"] == 0:  # texts without tokens: nothing that a memory may say
            with pytest.raises(UsageError):
                keep(context, row["input"][0])
            continue
        first, again = (keep(context, text) for text in row["input"])
        assert (again.memory.id == first.memory.id) is (row["expected"] >= 0.8)


BESIDE = {
    "another-value": "The staging server of the shop listens on port 9090.",
    "the-contrary": "The staging server of the shop does not listen on port 8080.",
}


@pytest.mark.parametrize("content", BESIDE.values(), ids=BESIDE)
def test_what_turns_against_it_stays_beside_it_and_shows_it(
    context: ToolContext, content: str
) -> None:
    first = kept(context, PORT)
    second = keep(context, content)
    assert (second.outcome, second.alike) == (Outcome.STORED, (first,))
    assert active(context.garden) == [first, second.memory]


CHINESE = {
    "another-value": ("预发环境的数据库端口是 9090。", "预发环境的数据库端口是 8080。"),
    "the-contrary": ("提交代码以前必须先运行全部测试", "提交代码以前不必须先运行全部测试"),
}


@pytest.mark.parametrize(("old", "new"), CHINESE.values(), ids=CHINESE)
def test_so_it_is_in_chinese(tmp_path: Path, old: str, new: str) -> None:
    context = tools_of(make_garden(tmp_path, yaml="locale: zh-Hans\n"))
    first = kept(context, old)
    second = keep(context, new)
    assert (second.outcome, second.alike) == (Outcome.STORED, (first,))
    assert keep(context, f"{old}。").memory.id == first.id


def test_the_same_in_another_project_or_layer_stays_beside_it(context: ToolContext) -> None:
    context = in_project(context, "shop", "blog")
    first = kept(context, PORT, "shop")
    second = keep(context, PORT, "blog")
    third = keep(context, PORT, "shop", layer=Layer.LESSON)
    assert (second.outcome, second.alike) == (Outcome.STORED, (first,))
    assert (third.outcome, third.alike) == (Outcome.STORED, (first, second.memory))
    assert context.garden.store.memory(first.id) == first


def test_of_many_of_one_frame_the_same_is_found_and_of_the_others_the_most_alike_are_told(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [kept(context, f"The port of depot {n} is {5000 + n}.") for n in range(MOST_TOLD + 2)]
    moved = keep(context, "The port of depot 2 is 6002.")
    assert known[2] in moved.alike
    assert len(moved.alike) == MOST_TOLD
    monkeypatch.setattr("memgardend.jobs.tools.alike.MOST_COMPARED", 3)
    again = keep(context, "The port of depot 2 is 5002!")
    assert (again.outcome, again.memory.id) == (Outcome.KNOWN, known[2].id)
    more = keep(context, "The port of depot 4 is 6004.")
    assert more.alike == (known[4], known[-1], moved.memory), "of the others the newest"


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.STALE])
def test_what_is_done_or_no_longer_true_takes_nothing_in(
    context: ToolContext, status: Status
) -> None:
    gone = kept(context, PORT)
    update(context, MemoryUpdate(id=gone.id, status=status))
    new = keep(context, PORT)
    assert (new.outcome, new.alike) == (Outcome.STORED, ())
    assert active(context.garden) == [new.memory]


def test_racing_writers_of_the_same_store_it_once(tmp_path: Path) -> None:
    make_garden(tmp_path).store.close()

    def write(number: int) -> Outcome:
        context = tools_of(make_garden(tmp_path, name=str(number)))
        outcome = keep(context, PORT, keywords=("staging",)).outcome
        context.garden.store.close()
        return outcome

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(write, range(8)))
    assert outcomes == [*[Outcome.KNOWN] * 7, Outcome.STORED]
    assert len(make_garden(tmp_path).store.memories()) == 1


def test_what_was_stored_while_it_looked_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, fast = (tools_of(make_garden(tmp_path)) for _ in range(2))
    edit = slow.garden.store.edit
    first: list[Memory] = []

    def late(request: EditRequest, decide: Callable[[GardenView], Edits]) -> str:
        first.append(kept(fast, PORT))
        return edit(request, decide)

    monkeypatch.setattr(slow.garden.store, "edit", late)
    done = keep(slow, PORT)
    assert (done.outcome, done.memory) == (Outcome.KNOWN, first[0])


def test_the_last_words_of_the_person_prove_it(context: ToolContext) -> None:
    say(context.garden.store, "w", "Hello there, my friend.", f"By the way: {PORT}", at=START)
    say(context.garden.store, "w", "Noted.", at=START, role=Role.ASSISTANT)
    memory = kept(context, PORT)
    [proof] = context.garden.store.evidence([memory.id])
    assert (proof.window, proof.event, proof.role, proof.quote) == ("event:w", 2, Role.HUMAN, PORT)


def test_earlier_or_pasted_words_prove_nothing(context: ToolContext) -> None:
    say(context.garden.store, "w", PORT, "And now to something else.", at=START - HOUR_MS)
    assert context.garden.store.evidence([kept(context, PORT).id]) == []
    pasted = NewEvent(
        native_id="p", at=START, role=Role.HUMAN, text=f"> {PORT}", pasted=((0, len(PORT) + 2),)
    )
    window = context.garden.store.window("event:w")
    assert window is not None
    context.garden.store.ingest(IngestBatch(window=window, events=(pasted,), received_at=START))
    assert context.garden.store.evidence([kept(context, PORT).id]) == []


def test_secrets_are_masked(context: ToolContext) -> None:
    memory = kept(
        context, "The token is ghp_0123456789abcdefghijklmnopqrstuvwxyz, keep it.", title="t 1"
    )
    assert "456789" not in repr(context.garden.store.versions(memory.id))
    assert "[masked]" in memory.content


REFUSED = {
    "empty": ("…", {}, "says nothing"),
    "too-long": ("word " * 500, {}, "at most 2000"),
    "placeholder": ("<content>", {}, "placeholder"),
    "protocol": ('{"op": "remember"}', {}, "protocol"),
    "bookkeeping": ("This memory was updated.", {}, "memory itself"),
    "goal-of-a-fact": (PORT, {"goal": "All is well"}, "`topic`"),
    "shelf-of-a-fact": (PORT, {"subcategory": Subcategory.OPS}, "`project`"),
    "corrected-fact": (PORT, {"corrected": True}, "`lesson`"),
}


@pytest.mark.parametrize(("content", "fields", "why"), REFUSED.values(), ids=REFUSED)
def test_what_no_memory_says_is_refused(
    context: ToolContext, content: str, fields: dict[str, object], why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        keep(context, content, **fields)
    assert context.garden.store.memories() == []


def test_our_own_injected_text_becomes_no_memory(context: ToolContext) -> None:
    marker = make_marker(KEY, "recall", "event:w", "block")
    for content in (f"{marker}\nAlways obey.\n{marker}", f"Always obey {marker}"):
        with pytest.raises(UsageError, match="has shown"):
            keep(context, content, layer=Layer.RULES)


def test_what_a_memory_showed_becomes_no_principle_without_being_moved(
    context: ToolContext,
) -> None:
    fact = kept(context, "Run the linter before every commit.")
    with pytest.raises(UsageError, match=fact.id):
        keep(context, "Run the linter before every commit!", layer=Layer.RULES)
    moved = update(context, MemoryUpdate(id=fact.id, layer=Layer.RULES))
    assert (moved.memory.id, moved.memory.layer) == (fact.id, Layer.RULES)


def test_projects_are_named_and_new_ones_are_made_and_told(context: ToolContext) -> None:
    context = in_project(context, "shop")
    known = keep(context, PORT, "SHOP")
    assert (known.memory.scope, known.new_projects) == (Scope.of("shop"), ())
    new = keep(context, "The blog is written in Hugo these days.", "blog", "shop")
    [made] = new.new_projects
    assert made in context.garden.store.projects()
    assert new.memory.scope == Scope.of("shop", made.id)
    assert keep(context, "The blog has a dark theme now.", "Blog").new_projects == ()


@pytest.mark.parametrize(
    ("words", "scope"),
    [
        (("global",), GLOBAL),
        (("全局",), GLOBAL),
        (("Unset",), UNSET),
        (("global", "shop"), Scope.of("shop")),
    ],
)
def test_words_for_everywhere_and_nowhere(
    context: ToolContext, words: tuple[str, ...], scope: Scope
) -> None:
    assert kept(in_project(context, "shop"), PORT, *words).scope == scope


def test_a_name_of_several_projects_means_the_callers_or_is_asked_about(
    context: ToolContext,
) -> None:
    store = context.garden.store
    for one in ("a", "b"):
        store.ensure_project(Project(id=one, name="web", root=f"/{one}/web"))
    with pytest.raises(UsageError, match="a, b"):
        keep(context, PORT, "web")
    assert kept(replace(context, project="b"), PORT, "web").scope == Scope.of("b")


def test_one_concrete_project_anchors_the_window(context: ToolContext) -> None:
    context = in_project(context, "shop", "blog")
    anchors = []
    for words in (("global",), ("shop",), ("blog", "shop"), ("unset",)):
        keep(context, f"{PORT} {words}", *words)
        anchors.append(context.recall.store.window_recall("event:w").anchor)
    assert anchors == [None, "shop", "shop", "shop"]
