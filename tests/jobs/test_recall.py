"""Recall through a conversation: the block first, hits later; searches, panoramas, compaction."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.config.packs import Pack
from memgardend.core.marker import own_parts
from memgardend.core.ports import Store
from memgardend.core.recall.requests import InjectionKind
from memgardend.core.scope import UNSET, Scope
from memgardend.core.words import Layer, Status, Subcategory, Use
from memgardend.jobs import recall
from support.recalling import DAY_MS, KEY, WINDOW, Agent, context, in_memory, keep, known, project
from support.stores import NOW, put, said, window

SOUL = known("soul", "My name is Mira.", layer=Layer.SOUL)
USER = known("user", "Prefers tabs over spaces.", layer=Layer.USER)
RULE = known("rule", "Write tests first.", layer=Layer.RULES, importance=2)
STAGING = known("staging", "The staging port is 8080.", keywords=("staging", "port"))


@pytest.fixture
def garden() -> Iterator[Store]:
    store = in_memory()
    project(store, "shop")
    project(store, "api")
    keep(store, SOUL, USER, RULE, STAGING)
    yield store
    store.close()


def kind_of(agent: Agent, text: str = "hello") -> InjectionKind | None:
    injection = agent.hears(text)
    return injection.kind if injection else None


def test_the_first_message_gets_the_block_and_no_hits(garden: Store) -> None:
    first = Agent(garden).hears("What is the staging port?")
    assert first is not None
    assert first.kind is InjectionKind.BLOCK
    assert set(first.ids) == {"soul", "user", "rule"}
    assert "8080" not in first.text


def test_the_block_comes_once_a_window_and_never_later(garden: Store) -> None:
    agent = Agent(garden)
    begun = agent.starts()
    assert begun is not None
    assert begun.kind is InjectionKind.BLOCK
    assert agent.starts() is None
    assert agent.hears("What is the staging port?") is None
    assert kind_of(agent, "What is the staging port?") is InjectionKind.HITS
    assert agent.starts() is None
    assert kind_of(Agent(garden, "claude-code:other")) is InjectionKind.BLOCK


def test_a_window_that_was_read_before_is_not_at_its_beginning(garden: Store) -> None:
    put(garden, said("1", at=NOW - DAY_MS), into=window("w", source="claude-code"))
    agent = Agent(garden)
    assert agent.starts() is None
    assert agent.shown("What is the staging port?") == ("staging",)


def test_an_empty_garden_says_nothing() -> None:
    store = in_memory()
    agent = Agent(store)
    assert agent.starts() is None
    assert agent.hears() is None
    agent.is_compacted()
    assert agent.hears() is None
    assert agent.searches("anything").hits == ()
    store.close()


def test_a_room_too_small_for_anything_gives_no_block(garden: Store) -> None:
    assert Agent(garden, first_turn_chars=0).hears() is None
    assert Agent(garden, "claude-code:other", first_turn_chars=200).hears() is None


@settings(max_examples=30)
@given(st.integers(0, 1500))
def test_a_block_is_never_longer_than_its_budget(budget: int) -> None:
    store = in_memory()
    keep(store, SOUL, USER, RULE, *(known(f"m{n}", "x" * 99, layer=Layer.USER) for n in range(9)))
    block = Agent(store, first_turn_chars=budget).hears()
    assert block is None or len(block.text) <= budget
    store.close()


@pytest.mark.parametrize("pack", ["en", "zh-Hans"])
def test_what_is_injected_is_known_as_ours_when_it_comes_back(garden: Store, pack: str) -> None:
    agent = Agent(garden, pack=pack)
    for injection in (agent.hears(), agent.hears("the staging port?")):
        assert injection is not None
        (part,) = own_parts(injection.text, KEY)
        assert (part.start, part.end, part.recalled) == (0, len(injection.text), True)


# --- hits


def begun(store: Store, **fields: object) -> Agent:
    """A window past its first message."""
    agent = Agent(store, **fields)  # type: ignore[arg-type]
    agent.hears()
    return agent


ASKED = "Which port does staging use?"


def test_a_hit_is_shown_once_whole_and_with_its_head_line(garden: Store) -> None:
    agent = begun(garden)
    hit = agent.hears(ASKED)
    assert hit is not None
    assert hit.ids == ("staging",)
    assert "[fact · global] staging · 2026-12-01 00:00+00:00 (just now)" in hit.text
    assert "> The staging port is 8080." in hit.text.splitlines()
    assert agent.hears(ASKED) is None


@pytest.mark.parametrize(
    "meet",
    [
        pytest.param(lambda agent: agent.searches("staging port"), id="searched"),
        pytest.param(lambda agent: agent.uses(Use.ACCESSED, "staging"), id="read"),
        pytest.param(lambda agent: agent.uses(Use.WRITTEN, "staging"), id="written"),
        pytest.param(lambda agent: agent.looks_at("shop"), id="in a panorama"),
    ],
)
def test_what_a_window_has_met_is_no_hit(garden: Store, meet: object) -> None:
    agent = begun(garden)
    assert callable(meet)
    meet(agent)
    assert agent.shown(ASKED) == ()
    assert begun(garden, window="claude-code:other").shown(ASKED) == ("staging",)


def test_what_the_window_itself_is_the_source_of_is_no_hit(garden: Store) -> None:
    keep(garden, known("mine", keywords=("kubernetes",), source_window=WINDOW))
    assert begun(garden).shown("kubernetes") == ()
    assert begun(garden, window="claude-code:other").shown("kubernetes") == ("mine",)


@pytest.mark.parametrize("layer", Layer)
def test_hits_are_facts_lessons_rules_and_topics(garden: Store, layer: Layer) -> None:
    keep(garden, known("one", keywords=("kubernetes",), layer=layer))
    called_up = begun(garden).shown("how is kubernetes set up?")
    assert bool(called_up) == (layer in {"fact", "lesson", "rules", "topic"})


@pytest.mark.parametrize("status", [Status.STALE, Status.ARCHIVED])
def test_only_what_holds_is_a_hit(garden: Store, status: Status) -> None:
    keep(garden, known("one", keywords=("kubernetes",), status=status))
    assert begun(garden).shown("how is kubernetes set up?") == ()


def test_hits_go_by_keywords_title_and_goal_not_by_content(garden: Store) -> None:
    keep(
        garden,
        known("content", "kubernetes runs it", keywords=("cluster",)),
        known("title", "it runs", title="kubernetes", keywords=("cluster",)),
        known("goal", "it runs", goal="kubernetes", keywords=("cluster",), layer=Layer.TOPIC),
        known("keyword", "it runs", keywords=("cluster", "kubernetes")),
    )
    shown = begun(garden, hit_top_k=9).shown("what about kubernetes?")
    assert set(shown) == {"title", "goal", "keyword"}


@pytest.mark.parametrize(
    ("anchor", "shown"),
    [
        pytest.param(None, {"global", "unset"}, id="none"),
        pytest.param("shop", {"global", "unset", "shop", "both"}, id="one"),
        pytest.param("api", {"global", "unset", "both"}, id="another"),
    ],
)
@pytest.mark.parametrize("how", ["called", "works there"])
def test_hits_cover_the_anchor(
    garden: Store, anchor: str | None, shown: set[str], how: str
) -> None:
    scopes = {"unset": UNSET, "shop": Scope.of("shop"), "both": Scope.of("shop", "api")}
    keep(
        garden,
        known("global", keywords=("kubernetes",)),
        *(known(name, keywords=("kubernetes",), scope=scope) for name, scope in scopes.items()),
    )
    agent = begun(garden, hit_top_k=9, project=anchor if how == "works there" else None)
    if anchor and how == "called":
        agent.works_on(anchor)
    assert set(agent.shown("kubernetes")) == shown


def test_the_anchor_is_set_by_calls_that_name_one_project_and_stays(garden: Store) -> None:
    keep(garden, known("shop", keywords=("kubernetes",), scope=Scope.of("shop")))
    keep(garden, known("api", keywords=("terraform",), scope=Scope.of("api")))
    agent = begun(garden, project="api")
    agent.works_on("shop")
    agent.works_on()
    agent.works_on("api", "elsewhere")
    agent.searches("nothing", projects=("elsewhere", "api"))
    assert agent.shown("kubernetes and terraform") == ("shop",)
    agent.searches("nothing", projects=("api",))
    assert agent.shown("kubernetes and terraform") == ("api",)


def test_a_window_that_was_read_is_anchored_where_it_works(garden: Store) -> None:
    keep(garden, known("shop", keywords=("kubernetes",), scope=Scope.of("shop")))
    put(garden, said("1"), into=window("w", source="claude-code", project="shop"))
    assert begun(garden).shown("kubernetes") == ("shop",)


def test_principles_of_a_project_are_no_part_of_the_block(garden: Store) -> None:
    keep(garden, known("own", layer=Layer.RULES, importance=4, scope=Scope.of("shop")))
    keep(garden, known("here", layer=Layer.USER, scope=Scope.of("shop")))
    keep(garden, known("there", layer=Layer.USER, scope=Scope.of("api")))
    block = Agent(garden, project="shop").hears()
    assert block is not None
    assert set(block.ids) == {"soul", "user", "rule", "here"}


def test_what_was_shown_makes_room_for_the_next(garden: Store) -> None:
    keep(garden, *(known(f"m{n}", keywords=("kubernetes",)) for n in range(5)))
    agent = begun(garden)
    shown = [agent.shown("kubernetes") for _ in range(4)]
    assert [len(ids) for ids in shown] == [2, 2, 1, 0]
    assert len({one for ids in shown for one in ids}) == 5


def test_hits_can_be_switched_off(garden: Store) -> None:
    assert begun(garden, hit_top_k=0).hears(ASKED) is None


@pytest.mark.parametrize("text", ["", "  ", "thanks, go on", "the a of", "👍", "继续", "x" * 9])
def test_small_talk_calls_up_nothing(garden: Store, text: str) -> None:
    assert begun(garden).hears(text) is None


@pytest.mark.parametrize("lines", [2, 9, 19])
def test_a_few_lines_of_a_log_do_not_drown_the_question_beside_them(
    garden: Store, lines: int
) -> None:
    log = "\n".join(f"worker {n} gave request {n * 13} up after {n * 7} s" for n in range(lines))
    for end, text in enumerate((f"{ASKED}\n{log}", f"{log}\n\n{ASKED}")):
        assert begun(garden, window=f"claude-code:{lines}{end}").shown(text) == ("staging",)
    assert begun(garden).hears(f"{log}\nwhat is wrong here?") is None


def test_the_end_of_a_long_message_counts_as_much_as_its_beginning(garden: Store) -> None:
    log = "\n".join(
        f"2026-12-01 worker {n} took {n * 7} ms for request {n * 13}" for n in range(999)
    )
    for text in (f"{ASKED}\n{log}", f"{log}\n{ASKED}"):
        assert begun(garden, window=f"claude-code:{len(text)}{text[:5]}").shown(text) == (
            "staging",
        )


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from(["kubernetes", "port", "staging", "@search", "@compact"]), max_size=9)
)
def test_no_hit_is_shown_twice_before_a_compaction(said_: list[str]) -> None:
    store = in_memory()
    keep(store, STAGING, *(known(f"m{n}", keywords=("kubernetes", "port")) for n in range(3)))
    agent = begun(store)
    shown: set[str] = set()
    for text in said_:
        if text == "@compact":
            agent.is_compacted()
            agent.hears()
            shown.clear()
        elif text == "@search":
            shown |= set(agent.finds("kubernetes"))
        else:
            ids = agent.shown(text)
            assert not shown.intersection(ids)
            shown |= set(ids)
    store.close()


# --- search


def test_a_search_finds_what_is_written_in_any_layer(garden: Store) -> None:
    assert Agent(garden).finds("tabs") == ["user"]
    assert Agent(garden).finds("staging port") == ["staging"]


def test_a_search_shows_no_content_in_its_text_and_cuts_it_in_its_hits(garden: Store) -> None:
    result = Agent(garden).searches("staging port", content_chars=7)
    assert "8080" not in result.text
    assert "[fact · global] staging · " in result.text
    assert [hit.content for hit in result.hits] == ["The sta…"]
    (whole,) = Agent(garden).searches("staging port", content_chars=0).hits
    assert whole.content == STAGING.content


def filters(store: Store) -> None:
    todo = {"layer": Layer.PROJECT, "subcategory": Subcategory.TODO}
    keep(
        store,
        known("active", keywords=("kubernetes",)),
        known("stale", keywords=("kubernetes",), status=Status.STALE),
        known("archived", keywords=("kubernetes",), status=Status.ARCHIVED),
        known("done", keywords=("kubernetes",), status=Status.STALE, **todo),
        known("lesson", keywords=("kubernetes",), layer=Layer.LESSON),
        known("shop", keywords=("kubernetes",), scope=Scope.of("shop")),
        known("api", keywords=("kubernetes",), scope=Scope.of("api", "shop")),
        known(
            "old",
            keywords=("kubernetes",),
            created_at=NOW - 9 * DAY_MS,
            updated_at=NOW - 9 * DAY_MS,
        ),
        known("fresh", keywords=("kubernetes",), created_at=NOW - 9 * DAY_MS, updated_at=NOW),
    )


CURRENT = {"active", "lesson", "shop", "api", "old", "fresh"}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        pytest.param({}, CURRENT | {"done"}, id="no filter: what holds, and done todos"),
        pytest.param({"statuses": (Status.ACTIVE,)}, CURRENT, id="active alone"),
        pytest.param({"statuses": (Status.STALE,)}, {"stale", "done"}, id="stale alone"),
        pytest.param({"statuses": (Status.ARCHIVED,)}, {"archived"}, id="archived alone"),
        pytest.param(
            {"statuses": tuple(Status)}, CURRENT | {"stale", "done", "archived"}, id="all statuses"
        ),
        pytest.param({"layers": (Layer.LESSON,)}, {"lesson"}, id="a layer"),
        pytest.param(
            {"layers": (Layer.PROJECT, Layer.LESSON)}, {"lesson", "done"}, id="two layers"
        ),
        pytest.param(
            {"projects": ("api",)}, CURRENT - {"shop"} | {"done"}, id="what covers a project"
        ),
        pytest.param({"projects": ("api", "shop")}, CURRENT | {"done"}, id="one of two projects"),
        pytest.param({"projects": ("nobody",)}, CURRENT - {"shop", "api"} | {"done"}, id="unknown"),
        pytest.param({"days": 3}, CURRENT - {"old"} | {"done"}, id="created or changed since"),
    ],
)
def test_filters_mean_what_they_say(asked: dict[str, object], found: set[str]) -> None:
    store = in_memory()
    filters(store)
    assert set(Agent(store).finds("kubernetes", k=50, **asked)) == found
    store.close()


@pytest.mark.parametrize(("k", "number"), [(0, 1), (1, 1), (3, 3), (50, 7), (99, 7)])
def test_k_is_clamped(k: int, number: int) -> None:
    store = in_memory()
    filters(store)
    assert len(Agent(store).finds("kubernetes", k=k)) == number
    store.close()


def test_the_five_best_come_again_and_the_others_only_once() -> None:
    store = in_memory()
    keep(store, *(known(f"m{n:02}", keywords=("kubernetes",)) for n in range(20)))
    agent = Agent(store)
    first, second, third = (agent.finds("kubernetes") for _ in range(3))
    assert len(first) == len(second) == len(third) == 10
    assert first[:5] == second[:5] == third[:5]
    assert len({*first, *second, *third}) == 20
    store.close()


def test_whoever_has_seen_all_of_the_best_finds_what_comes_after_them() -> None:
    store = in_memory()
    keep(store, *(known(f"m{n:03}", keywords=("kubernetes",), as_of=NOW - n) for n in range(120)))
    agent = Agent(store)
    agent.uses(Use.ACCESSED, *(f"m{n:03}" for n in range(110)))
    assert agent.finds("kubernetes") == [
        *(f"m{n:03}" for n in range(5)),
        *(f"m{n:03}" for n in range(110, 115)),
    ]
    store.close()


def test_a_lone_chinese_character_is_found_where_it_stands(garden: Store) -> None:
    keep(garden, known("cat", "我的猫叫咪咪"))
    assert Agent(garden).finds("猫") == ["cat"]


# --- panorama


def test_a_panorama_is_all_that_covers_the_project(garden: Store) -> None:
    keep(
        garden,
        known("own", scope=Scope.of("shop")),
        known("shared", scope=Scope.of("api", "shop"), layer=Layer.LESSON),
        known("other", scope=Scope.of("api")),
        known("gone", scope=Scope.of("shop"), status=Status.ARCHIVED),
    )
    panorama = Agent(garden).looks_at("shop")
    shelves = {one.name: {memory.id for memory in one.memories} for one in panorama.shelves}
    assert shelves == {"fact": {"own"}, "lesson": {"shared"}, "everywhere": {"rule", "staging"}}
    assert "> content own" in panorama.text


# --- compaction


def test_after_a_compaction_all_comes_again_and_no_hits(garden: Store) -> None:
    keep(
        garden,
        known("shop", scope=Scope.of("shop")),
        known("mine", "written here", layer=Layer.LESSON, scope=Scope.of("api")),
        known("dead", "written here, too", status=Status.ARCHIVED),
    )
    agent = begun(garden)
    agent.shown(ASKED)
    agent.looks_at("shop")
    agent.uses(Use.WRITTEN, "mine", "shop", "dead")
    agent.is_compacted()
    again = agent.hears(ASKED)
    assert again is not None
    assert again.kind is InjectionKind.REINJECTION
    assert set(again.ids) == {"soul", "user", "rule", "shop", "staging", "mine"}
    assert len(again.ids) == len(set(again.ids))
    assert again.text.count("> Write tests first.") + again.text.count("- Write tests first.") == 1
    assert "Written in this conversation" in again.text
    assert "too" not in again.text
    assert agent.hears(ASKED) is None


def test_what_was_seen_before_a_compaction_may_be_shown_again(garden: Store) -> None:
    agent = begun(garden)
    assert agent.shown(ASKED) == ("staging",)
    agent.is_compacted()
    assert kind_of(agent) is InjectionKind.REINJECTION
    assert agent.shown(ASKED) == ("staging",)


def test_a_compaction_with_nothing_to_give_back_is_over_with_the_next_message() -> None:
    store = in_memory()
    keep(store, STAGING)
    agent = begun(store)
    agent.is_compacted()
    assert agent.hears(ASKED) is None
    assert agent.shown(ASKED) == ("staging",)
    store.close()


def test_eight_panoramas_and_twenty_memories_come_back_at_most(garden: Store) -> None:
    names = [project(garden, f"p{n}") for n in range(10)]
    keep(garden, *(known(f"of-{name}", scope=Scope.of(name)) for name in names))
    keep(garden, *(known(f"w{n:02}", layer=Layer.USER, scope=Scope.of("api")) for n in range(25)))
    agent = begun(garden)
    for name in names:
        agent.looks_at(name)
    agent.uses(Use.WRITTEN, *(f"w{n:02}" for n in range(25)))
    agent.is_compacted()
    again = agent.hears()
    assert again is not None
    assert {one for one in again.ids if one.startswith("of-")} == {f"of-{one}" for one in names[2:]}
    assert {one for one in again.ids if one.startswith("w")} == {f"w{n:02}" for n in range(5, 25)}


# --- guide


def test_the_guide_is_the_same_whatever_the_store_holds(garden: Store) -> None:
    empty = in_memory()
    assert recall.guide(context(garden)) == recall.guide(context(empty))
    assert recall.guide(context(empty, person="Ada")).count("Ada")
    empty.close()


@pytest.mark.parametrize("pack", ["en", "zh-Hans"])
def test_the_guide_names_every_tool_and_layer(garden: Store, pack: str) -> None:
    text = recall.guide(context(garden, pack=pack))
    tools = ("remember", "search", "project", "find_similar", "read", "update", "dream")
    assert [one for one in tools if f"`memory_{one}`" not in text] == []
    assert [one for one in Layer if f"`{one}`" not in text] == []
    assert "{{" not in text
    assert Pack(pack).slot("guide")


# --- Chinese


def test_a_chinese_garden_recalls_in_chinese() -> None:
    store = in_memory()
    keep(
        store,
        known("port", "预发布环境的端口是 8443。", keywords=("预发布", "端口")),
        known("rule", "提交之前先跑一遍检查。", layer=Layer.RULES, importance=2),
        locale="zh-Hans",
    )
    agent = Agent(store, pack="zh-Hans", locale="zh-Hans")
    block = agent.hears("你好")
    assert block is not None
    assert "> - 提交之前先跑一遍检查。" in block.text
    hit = agent.hears("预发布环境用的是哪个端口？")
    assert hit is not None
    assert hit.ids == ("port",)
    assert agent.shown("谢谢，继续吧") == ()
    assert agent.finds("端口") == ["port"]
    store.close()
