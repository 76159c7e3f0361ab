"""What the offline consolidator answers, judged by the same judge as any model's answer."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.extract import BadRequestError, consolidate, parse_request
from memgardend.core.extract.request import Known, Request, Turn
from memgardend.core.scope import GLOBAL
from memgardend.core.staging import judge_round
from memgardend.core.words import Decision, Layer, Role, RoundName, Status, Subcategory
from support.dreaming import NOON, WINDOW, event, memory
from support.extracting import operations, request, turns
from support.judging import answer as read
from support.judging import context, view


def test_what_is_new_is_remembered_with_its_quote() -> None:
    (operation,) = operations(turns("FYI: the queue listens on port 7001"))

    assert operation == {
        "op": "remember",
        "layer": "fact",
        "content": "The queue listens on port 7001.",
        "keywords": ["queue", "listens", "port", "7001"],
        "importance": 1,
        "evidence": [{"event": "e1", "quote": "the queue listens on port 7001"}],
    }


KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "a taste": ("I prefer short answers.", {"layer": "user", "importance": 2}),
    "a rule": ("Never force-push to main.", {"layer": "rules", "importance": 2}),
    "a rule of this project": (
        "In this project we use tabs.",
        {"layer": "rules", "scope": ["alpha"]},
    ),
    "a decision": ("We decided to drop Redis.", {"layer": "project", "subcategory": "decisions"}),
    "a todo": ("TODO: renew the domain name", {"layer": "project", "subcategory": "todo"}),
    "a lesson": (
        "You used the wrong table, because orders is a view.",
        {"layer": "lesson", "corrected": True},
    ),
    "a fact about the person": ("My name is Noor Haddad.", {"layer": "user", "importance": 1}),
    "a serious rule": ("Never log tokens, this is critical.", {"importance": 3}),
}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_has_its_shelf(name: str) -> None:
    text, fields = KINDS[name]
    (operation,) = operations(turns(text))

    assert {key: operation.get(key) for key in fields} == fields


def test_what_is_known_gets_one_more_proof() -> None:
    known = memory("a", "The queue listens on port 7001.")

    (operation,) = operations(turns("The queue listens on port 7001."), [known])

    assert (operation["op"], operation["id"]) == ("update", "m1")
    assert "content" not in operation


def test_a_changed_value_supersedes_the_shown_memory_in_its_scope() -> None:
    known = memory("a", "The queue listens on port 7001.", scope=GLOBAL)

    (operation,) = operations(turns("the queue listens on port 7002 now"), [known])

    assert (operation["op"], operation["id"]) == ("supersede", "m1")
    assert operation["by"]["content"] == "The queue listens on port 7002 now."
    assert operation["by"]["scope"] == ["global"]


def test_what_a_later_memory_contradicts_is_kept_as_what_was_true_before() -> None:
    (turn,) = turns("The queue listens on port 7001.")
    known = memory("a", "The queue listens on port 7002 now.", scope=GLOBAL, as_of=turn.at + 1)

    (operation,) = operations([turn], [known])

    assert (operation["op"], operation["content"]) == (
        "remember",
        "The queue listens on port 7001.",
    )
    assert operation["scope"] == ["global"]


def test_of_two_values_in_one_conversation_the_later_stays() -> None:
    said = operations(turns("The queue listens on port 7001.", "The queue listens on port 7002."))

    assert [one["content"] for one in said] == ["The queue listens on port 7002."]


def test_the_same_said_twice_is_one_memory_with_two_proofs() -> None:
    (operation,) = operations(turns("I prefer tea over coffee.", "I prefer tea over coffee!"))

    assert [one["event"] for one in operation["evidence"]] == ["e1", "e2"]


def test_a_todo_that_is_done_is_completed() -> None:
    todo = memory(
        "a",
        "We still need to renew the domain name.",
        Layer.PROJECT,
        subcategory=Subcategory.TODO,
    )

    (operation,) = operations(turns("ok, the domain name is renewed, thanks"), [todo])

    assert (operation["op"], operation["id"]) == ("complete", "m1")


def test_a_todo_of_the_same_conversation_that_is_done_is_not_kept() -> None:
    said = operations(turns("TODO: renew the domain name", "the domain name is renewed"))

    assert said == []


def test_archived_memories_and_those_of_soul_and_topic_are_left_alone() -> None:
    text = "The queue listens on port 7001."
    known = [
        memory("a", text, status=Status.ARCHIVED),
        memory("b", text, Layer.SOUL),
        memory("c", text, Layer.TOPIC, title="Queue"),
    ]

    (operation,) = operations(turns(text), known)

    assert operation["op"] == "remember"


def test_only_new_human_turns_speak() -> None:
    events = [
        event(2, "The queue listens on port 7001.", Role.ASSISTANT),
        event(3, "The queue listens on port 7002.", Role.SCRIPT),
        event(4, "The queue listens on port 7003.", Role.TOOL, tool="Bash"),
    ]
    prelude = [event(1, "The queue listens on port 7000.")]

    assert operations(events, prelude=prelude) == []


ARC = (
    "Help me move the blog to a static site.",
    "yes",
    "Now convert the old posts to Markdown.",
    "And set up the redirects for the old addresses.",
)


def test_three_turns_make_a_topic() -> None:
    (operation,) = operations(turns(*ARC), round_name=RoundName.TOPIC)

    assert (operation["op"], operation["layer"]) == ("remember", "topic")
    assert operation["goal"] == "Help me move the blog to a static site."
    assert operation["content"].splitlines() == [f"- {ARC[0]}", f"- {ARC[2]}", f"- {ARC[3]}"]
    assert [one["event"] for one in operation["evidence"]] == ["e1", "e3", "e4"]


def test_two_turns_make_none() -> None:
    assert operations(turns(*ARC[:2]), round_name=RoundName.TOPIC) == []


def test_a_turn_that_is_sent_again_is_told_once() -> None:
    again = turns(ARC[0], f"{ARC[0]} Use Hugo.", ARC[2], ARC[2].upper())

    (operation,) = operations(again, round_name=RoundName.TOPIC)

    assert operation["content"].splitlines() == [f"- {ARC[0]}", f"- {ARC[2]}"]


LONG = "Rewrite the importer so that it reads the old exports, " + "and the older ones, " * 6
LINES = {
    "an outcry is no step": (
        "That was quick, thanks a lot! Where is the log?",
        "Where is the log?",
    ),
    "unless it is all": ("Please fix the importer at once!", "Please fix the importer at once!"),
    "a list is announced": ("A couple of wishes for it:\n- yes", "A couple of wishes for it."),
    "a cut shows": (LONG, LONG[: LONG.index(" the older", 120)] + "…"),
}


@pytest.mark.parametrize(("turn", "line"), LINES.values(), ids=LINES.keys())
def test_a_step_is_told_by_its_first_statement(turn: str, line: str) -> None:
    (operation,) = operations(turns(*ARC, turn), round_name=RoundName.TOPIC)

    assert operation["content"].splitlines()[-1] == f"- {line}"


def test_a_long_title_shows_that_it_was_cut() -> None:
    said = [Turn(handle=f"e{number}", text=text) for number, text in enumerate((LONG, *ARC))]
    asked = Request(round=RoundName.TOPIC, locale="en", turns=tuple(said))

    (operation,) = consolidate(asked)["operations"]

    assert operation["title"] == (
        "Rewrite the importer so that it reads the old exports, and the older ones, and…"
    )


def test_a_topic_that_is_shown_goes_on() -> None:
    known = memory("a", f"- {ARC[0]}\n- {ARC[2]}", Layer.TOPIC, title=WINDOW.title)

    (operation,) = operations(turns(ARC[3]), [known], RoundName.TOPIC)

    assert (operation["op"], operation["id"]) == ("update", "m1")
    assert operation["content"].splitlines() == [f"- {ARC[0]}", f"- {ARC[2]}", f"- {ARC[3]}"]


def test_the_topic_of_the_same_conversation_is_known_by_its_earlier_turns() -> None:
    mine = memory("a", f"- {ARC[0]}\n- {ARC[2]}", Layer.TOPIC, title="The blog")
    other = memory("b", "- And set up the redirects for the shop.", Layer.TOPIC, title="Shop")
    prelude = turns(*ARC[:3])

    (operation,) = operations([event(4, ARC[3])], [other, mine], RoundName.TOPIC, prelude=prelude)

    assert (operation["op"], operation["content"].splitlines()[-1]) == ("update", f"- {ARC[3]}")
    assert operation["content"].startswith(f"- {ARC[0]}")


def test_a_long_arc_keeps_its_beginning_and_its_end() -> None:
    steps = [f"Please do the step with number {n} of the plan." for n in range(40)]

    (operation,) = operations(turns(*steps), round_name=RoundName.TOPIC)

    lines = operation["content"].splitlines()
    assert len(lines) == 12
    assert (lines[0], lines[-1]) == (f"- {steps[0]}", f"- {steps[-1]}")


def test_the_project_round_archives_the_older_of_two_equal_entries() -> None:
    text = "Deploys run from main."
    shelf: dict[str, Any] = {"layer": Layer.FACT, "scope": ("alpha",)}
    known = (
        Known(
            handle="m1",
            content="deploys  run from main.",
            as_of=datetime(2026, 12, 2, tzinfo=UTC),
            **shelf,
        ),
        Known(handle="m2", content=text, as_of=datetime(2026, 12, 1, tzinfo=UTC), **shelf),
        Known(handle="m3", content=text, layer=Layer.FACT, scope=("global",)),
        Known(handle="m4", content=text, status=Status.ARCHIVED, **shelf),
    )

    answer = consolidate(Request(round=RoundName.PROJECT, locale="en", memories=known))

    assert [(one["op"], one["id"]) for one in answer["operations"]] == [("archive", "m2")]


def test_the_project_round_merges_entries_that_say_the_same() -> None:
    text = "Deploys run from main."
    shelf: dict[str, Any] = {"layer": Layer.PROJECT, "scope": ("alpha",)}
    known = (
        Known(handle="m1", content=text, **shelf),
        Known(handle="m2", content="Deploys run from main!", **shelf),
        Known(handle="m3", content=text, layer=Layer.PROJECT, scope=("beta",)),
    )

    answer = consolidate(Request(round=RoundName.PROJECT, locale="en", memories=known))

    (operation,) = answer["operations"]
    assert (operation["op"], operation["ids"]) == ("merge", ["m1", "m2"])


OLDER, NEWER = NOON - 2, NOON - 1
DEPLOYS = "Deploys run from main, every Friday."


@pytest.mark.parametrize(
    ("others", "kept"),
    [
        pytest.param([("Deploys run from main every Friday!", {})], 1, id="the_newest_wording"),
        pytest.param(
            [("Deploys run from main, every Friday, at 17:00.", {"as_of": OLDER - 9})],
            1,
            id="the_only_one_with_all_values",
        ),
        pytest.param([("We never deploy from main on a Friday.", {})], None, id="the_opposite"),
        pytest.param([(DEPLOYS, {"scope": GLOBAL})], None, id="elsewhere"),
        pytest.param([(DEPLOYS, {"layer": Layer.LESSON})], None, id="another_layer"),
        pytest.param([(DEPLOYS, {"status": Status.ARCHIVED})], None, id="archived"),
        pytest.param(
            [(DEPLOYS, {"title": f"Since 2026-11-0{n}"}) for n in (1, 2)],
            None,
            id="no_wording_has_all_values",
        ),
    ],
)
def test_shown_duplicates_are_merged_in_the_fullest_wording(
    others: list[tuple[str, dict[str, Any]]], kept: int | None
) -> None:
    texts = [(DEPLOYS, {"as_of": OLDER}), *others]
    known = [
        memory(str(number), text, **{"as_of": NEWER, **fields})
        for number, (text, fields) in enumerate(texts)
    ]
    found = [one for one in operations(turns("ok"), known) if one["op"] == "merge"]
    if kept is None:
        assert found == []
        return
    (operation,) = found
    assert operation["into"]["content"] == texts[kept][0]
    shown = view(turns("ok"), known)
    (judged,), _ = judge_round(shown, read(operation), context(shown))
    assert judged.staged, judged


def test_a_merge_keeps_a_title_and_leaves_todos_apart() -> None:
    shelf: dict[str, Any] = {"layer": Layer.PROJECT, "as_of": OLDER}
    known = [
        memory("a", DEPLOYS, title="Deploys", **shelf | {"as_of": NEWER}),
        memory("b", DEPLOYS, **shelf),
        memory("c", DEPLOYS, subcategory=Subcategory.TODO, **shelf),
    ]

    (operation,) = operations(turns("ok"), known)

    assert operation["ids"] == ["m1", "m2"]
    assert operation["into"] == {"layer": "project", "content": DEPLOYS, "title": "Deploys"}


def test_a_memory_that_the_conversation_changes_is_not_merged_as_well() -> None:
    text = "The queue listens on port 7001."
    known = [memory("a", text), memory("b", text), memory("c", text)]

    said = operations(turns("The queue listens on port 7002 now."), known)

    assert [(one["op"], one.get("ids", one.get("id"))) for one in said] == [
        ("merge", ["m2", "m3"]),
        ("supersede", "m1"),
    ]
    shown = view(turns("The queue listens on port 7002 now."), known)
    judged, staged = judge_round(shown, read(*said), context(shown))
    assert all(one.staged for one in judged), judged
    active = [one.content for one in staged.memories.values() if one.status is Status.ACTIVE]
    assert active == ["The queue listens on port 7002 now."]


def test_the_same_request_gives_the_same_answer() -> None:
    text = request(turns(*ARC, "I prefer tea over coffee."))

    assert consolidate(parse_request(text)) == consolidate(parse_request(text))


def test_it_says_what_it_is_and_what_it_cannot() -> None:
    text = request(turns("I prefer tea over coffee."))
    foreign = text.replace('"locale": "en"', '"locale": "xx"')

    assert "no language model" in consolidate(parse_request(text))["summary"]
    assert "xx" in consolidate(parse_request(foreign))["summary"]


def test_a_test_is_answered_without_operations() -> None:
    text = json.dumps({"schema": 1, "purpose": "test", "locale": "en"})

    assert consolidate(parse_request(text))["operations"] == []


@pytest.mark.parametrize(
    "text",
    ["", "hello", "[]", "{}", '{"schema": 2}', '{"schema": 1, "purpose": "dream"}', "[" * 100_000],
    ids=["nothing", "prose", "list", "no schema", "other schema", "no round", "deep"],
)
def test_what_is_no_request_is_refused(text: str) -> None:
    with pytest.raises(BadRequestError):
        parse_request(text)


SAID = st.lists(
    st.sampled_from(
        [
            "The queue listens on port 7001.",
            "No, the queue listens on port 7002.",
            "We always use tabs.",
            "We never use tabs.",
            "I prefer tea over coffee.",
            "I prefer coffee over tea.",
            "TODO: renew the domain name",
            "the domain name is renewed",
            "We decided to drop Redis.",
            "We use Postgres.",
            "We moved from Postgres to MySQL.",
            "Never force-push to main.",
            "ok",
            "You forgot the tests, because you always hurry.",
            "> quoted\nI hate YAML.",
        ]
    ),
    min_size=1,
    max_size=8,
)


@settings(deadline=None)
@given(SAID, st.sampled_from([RoundName.ATOMIC, RoundName.TOPIC]))
def test_nothing_it_answers_is_refused(said: list[str], round_name: RoundName) -> None:
    events = turns(*said)
    known = [
        memory("a", "The queue listens on port 7000."),
        memory("b", "We always use tabs.", Layer.RULES, scope=GLOBAL),
        memory("c", "TODO: renew the domain name.", Layer.PROJECT, subcategory=Subcategory.TODO),
        memory("d", "The database is Postgres."),
    ]
    answered = operations(events, known, round_name)
    shown = view(events, known)

    judged, _ = judge_round(shown, read(*answered), context(shown, round=round_name))

    refused = [(one.refusal, one.detail, one.operation) for one in judged if not one.staged]
    assert all(one.decision is Decision.STAGED for one in judged), refused
