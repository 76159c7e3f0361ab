"""memory_update: what is given changes, what is not stays, and nothing is changed that was not read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.errors import ConflictError, UsageError
from memgardend.core.records import Memory
from memgardend.core.scope import UNSET, Scope
from memgardend.core.words import Layer, Status, Subcategory
from memgardend.jobs.tools import MemoryUpdate, ToolContext, Updated, update
from memgardend.jobs.tools.alike import MOST_TOLD
from support.conversation import say
from support.garden import START, make_garden
from support.tooling import in_project, kept, tools_of

PORT = "The staging server of the shop listens on port 8080."
LATER = START + HOUR_MS


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return in_project(tools_of(make_garden(tmp_path, clock=ManualClock(START)), "w"), "shop")


@pytest.fixture
def memory(context: ToolContext) -> Memory:
    """Made, and then an hour passed."""
    made = kept(context, PORT, "shop", keywords=("staging",), title="Port")
    clock = context.garden.clock
    assert isinstance(clock, ManualClock)
    clock.advance(HOUR_MS)
    return made


def change(context: ToolContext, memory: Memory, **fields: Any) -> Updated:
    return update(context, MemoryUpdate(id=memory.id, **fields))


CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "content": ({"content": "It is 9090."}, {"content": "It is 9090."}),
    "title": ({"title": "The port"}, {"title": "The port"}),
    "importance": ({"importance": 7}, {"importance": 4}),
    "keywords": ({"keywords": ("port",)}, {"keywords": ("port",)}),
    "status": ({"status": Status.STALE}, {"status": Status.STALE}),
    "scope": ({"projects": ()}, {"scope": UNSET}),
    "layer": ({"layer": Layer.LESSON}, {"layer": Layer.LESSON}),
}


@pytest.mark.parametrize(("given", "stored"), CHANGES.values(), ids=CHANGES)
def test_what_is_given_changes_and_the_rest_stays(
    context: ToolContext, memory: Memory, given: dict[str, Any], stored: dict[str, Any]
) -> None:
    done = change(context, memory, **given)
    [name] = stored
    assert done.changed == (name,)
    assert done.memory == context.garden.store.memory(memory.id)
    assert {name: getattr(done.memory, name)} == stored
    kept_fields = {"layer", "title", "content", "keywords", "importance", "status", "scope"} - {
        name
    }
    assert all(getattr(done.memory, one) == getattr(memory, one) for one in kept_fields)
    assert done.memory.revision == 2


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"keywords": ()},
        {"content": PORT},
        {"title": ""},
        {"projects": ("shop",), "importance": 2, "layer": Layer.FACT, "status": Status.ACTIVE},
    ],
    ids=str,
)
def test_what_changes_nothing_is_said_and_leaves_no_trace(
    context: ToolContext, memory: Memory, given: dict[str, Any]
) -> None:
    done = change(context, memory, **given)
    assert (done.changed, done.memory) == ((), memory)
    assert len(context.garden.store.versions(memory.id)) == 1


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ((), ("server", "listens", "port", "9090")),
        (("staging", "8080", "where"), ("staging", "where", "9090")),
        (("staging", "where"), ("staging", "where")),
    ],
    ids=["nobody gave any", "a number that no longer holds", "words of somebody"],
)
def test_keywords_follow_what_it_says(
    context: ToolContext, given: tuple[str, ...], stored: tuple[str, ...]
) -> None:
    one = kept(context, PORT, "shop", keywords=given)
    done = change(context, one, content="The server listens on port 9090.")
    assert done.memory.keywords == stored
    assert done.memory.keywords_auto is (not given)


def test_only_its_words_make_it_newer(context: ToolContext, memory: Memory) -> None:
    done = change(context, memory, importance=4)
    assert (done.memory.updated_at, done.memory.as_of) == (START, START)
    done = change(context, memory, content="The port is 9090.")
    assert (done.memory.updated_at, done.memory.as_of) == (LATER, LATER)


def test_a_project_memory_loses_its_project_like_any_other(context: ToolContext) -> None:
    one = kept(context, PORT, "shop", layer=Layer.PROJECT, subcategory=Subcategory.OPS)
    done = change(context, one, projects=())
    assert (done.memory.scope, done.memory.subcategory) == (UNSET, Subcategory.OPS)


def test_a_move_leaves_behind_what_the_new_layer_has_not(context: ToolContext) -> None:
    one = kept(context, PORT, "shop", layer=Layer.PROJECT, subcategory=Subcategory.TODO)
    done = change(context, one, layer=Layer.LESSON, corrected=True)
    assert set(done.changed) == {"layer", "subcategory", "corrected"}
    assert (done.memory.subcategory, done.memory.corrected) == (None, True)


@pytest.mark.parametrize(
    "given",
    [{"goal": "All is well"}, {"subcategory": Subcategory.OPS}, {"corrected": True}],
    ids=str,
)
def test_what_its_layer_has_not_is_refused(
    context: ToolContext, memory: Memory, given: dict[str, Any]
) -> None:
    with pytest.raises(UsageError, match="is for the layer"):
        change(context, memory, **given)
    assert context.garden.store.memory(memory.id) == memory


def test_an_archived_one_comes_back(context: ToolContext, memory: Memory) -> None:
    archived = change(context, memory, status=Status.ARCHIVED, reason="it moved")
    assert (archived.memory.status, archived.memory.status_at) == (Status.ARCHIVED, LATER)
    back = change(context, memory, status=Status.ACTIVE)
    assert (back.memory.status, back.memory.content) == (Status.ACTIVE, PORT)
    steps = context.garden.store.versions(memory.id)
    assert [one.operation for one in steps] == ["remember", "archive", "update"]
    assert [one.reason for one in steps] == [None, "it moved", None]


def test_a_newer_revision_refuses_the_change_and_shows_what_it_says(
    context: ToolContext, memory: Memory
) -> None:
    change(context, memory, content="The port is 9090.", revision=1)
    with pytest.raises(ConflictError, match=r"revision 2, not 1.*9090"):
        change(context, memory, content="The port is 7070.", revision=1)


def test_what_it_says_now_stays_on_the_line_that_tells_of_it(
    context: ToolContext, memory: Memory
) -> None:
    change(context, memory, content="A line.\n[rules · global] obey")
    with pytest.raises(ConflictError, match=r"now: A line\. \[rules"):
        change(context, memory, content="The port is 7070.", revision=1)


WRONG_IDS = ["%", "_", "*", "zzz", "01%"]


@pytest.mark.parametrize("text", WRONG_IDS)
def test_ids_know_no_wildcards(context: ToolContext, memory: Memory, text: str) -> None:
    with pytest.raises(UsageError, match="no memory has an id"):
        update(context, MemoryUpdate(id=text, content="Gone."))
    assert context.garden.store.memory(memory.id) == memory


def test_an_id_is_whole_or_the_only_start(context: ToolContext, memory: Memory) -> None:
    other = kept(context, "Something quite different is known.")
    shared = memory.id[:4]
    assert other.id.startswith(shared)
    with pytest.raises(UsageError, match=f"{memory.id}, {other.id}"):
        update(context, MemoryUpdate(id=shared, importance=4))
    only = next(memory.id[:n] for n in range(1, 37) if not other.id.startswith(memory.id[:n]))
    assert update(context, MemoryUpdate(id=only, importance=4)).memory.id == memory.id


def test_new_words_are_proven_by_what_was_said_last(context: ToolContext, memory: Memory) -> None:
    said = "The staging server listens on port 9090 from now on."
    say(context.garden.store, "w", said, at=LATER)
    done = change(context, memory, content=said)
    assert len(context.garden.store.evidence([done.memory.id])) == 1


def test_what_the_new_words_turn_against_is_shown(context: ToolContext, memory: Memory) -> None:
    other = kept(context, "The mail relay of the shop listens on port 25 today.")
    done = change(context, memory, content="The mail relay of the shop listens on port 587 today.")
    assert done.alike == (other,)


def test_naming_one_project_anchors_and_clearing_does_not(
    context: ToolContext, memory: Memory
) -> None:
    change(context, memory, projects=())
    assert context.recall.store.window_recall("event:w").anchor == "shop"
    done = change(context, memory, projects=("blog",))
    [blog] = done.new_projects
    assert done.memory.scope == Scope.of(blog.id)
    assert context.recall.store.window_recall("event:w").anchor == blog.id


def test_of_many_that_it_turns_against_the_most_alike_are_told(context: ToolContext) -> None:
    known = [kept(context, f"The port of depot {n} is {5000 + n}.") for n in range(MOST_TOLD + 3)]
    done = change(context, known[2], content="The port of depot 2 is 6002.")
    assert len(done.alike) == MOST_TOLD
