"""The JSON form of a prompt, its schema, and the page that documents both."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.answer_schema import ANSWER_SCHEMA
from memgardend.core.operations import Answer, Flaw, Operation, parse_answer
from memgardend.core.plan import view_of
from memgardend.core.prompt import Asking, compose
from memgardend.core.records import Event, Memory, MemoryChange, Window
from memgardend.core.request_schema import REQUEST_SCHEMA
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.words import Layer, OperationName, Role, RoundName, Status, Subcategory
from support import dreaming
from support.dreaming import ALPHA, BETA, FENCE, MARKER, NOON, WINDOW, event, limits, memory, plan
from support.json_schema import mistakes
from support.prompts import requested

DOCUMENT = Path(__file__).parents[2] / "docs" / "model-protocol.md"


def question(
    events: Sequence[Event],
    memories: Sequence[Memory] = (),
    *,
    prelude: Sequence[Event] = (),
    round_name: RoundName = RoundName.ATOMIC,
    max_prompt_chars: int = 60_000,
    problems: Sequence[str] = (),
    window: Window = WINDOW,
) -> tuple[dict[str, Any], str]:
    """The request over these events and memories, and the prompt."""
    within = limits(max_prompt_chars)
    dream = plan(events, touched=memories, prelude=prelude, within=within)
    asked = (
        dreaming.slots,
        round_name,
        dream,
        view_of(dream, [*prelude, *events], memories),
        window,
        (ALPHA, BETA),
        dreaming.settings(max_prompt_chars, assistant="Basil", person="Mei"),
        FENCE,
        MARKER,
        problems,
    )
    return json.loads(requested(Asking(*asked), "dream-1.1")), compose(Asking(*asked)).prompt


def example() -> dict[str, Any]:
    """The request that docs/model-protocol.md shows."""
    pasted = "Look at this:\n> FATAL: port 8080 is taken\nWe moved the server to port 9090."
    request, _ = question(
        [
            event(2, pasted, pasted=((14, 42),)),
            event(3, "listening on 9090", Role.TOOL, tool="Bash"),
        ],
        [memory("port", "The server listens on port 8080.", keywords=("server", "port"))],
        prelude=[event(1, "The server does not start.")],
    )
    return {**request, "prompt": "…"}


def test_the_request_says_the_same_as_the_prompt() -> None:
    request, prompt = question([event(1, "hello")], [memory("1", "port 8080")])
    assert request["prompt"] == prompt
    assert [one["handle"] for one in request["events"]] == ["e1"]
    assert [one["handle"] for one in request["memories"]] == ["m1"]
    assert (request["round"], request["run"], request["purpose"]) == (
        "atomic",
        "dream-1.1",
        "dream",
    )
    assert request["names"] == {"assistant": "Basil", "person": "Mei"}
    assert request["window"] == {
        "id": WINDOW.id,
        "source": "claude-code",
        "title": WINDOW.title,
        "project": "alpha",
    }


def test_times_are_rfc_3339_in_utc() -> None:
    request, _ = question([event(0, "hello")], [memory("1", "x y", as_of=0, created_at=NOON)])
    assert request["seal"] == request["events"][0]["at"] == "2026-12-01T12:00:00Z"
    assert request["memories"][0]["as_of"] == "2026-12-01T12:00:00Z"


def test_only_new_events_are_shown_as_new() -> None:
    request, _ = question([event(2, "new")], prelude=[event(1, "before")])
    assert [(one["text"], one["shown"]) for one in request["events"]] == [
        ("before", False),
        ("new", True),
    ]


@pytest.mark.parametrize(
    ("scope", "said"),
    [(GLOBAL, "global"), (UNSET, "unset"), (Scope.of(BETA.id, ALPHA.id), ["alpha", "beta"])],
    ids=["global", "unset", "names"],
)
def test_a_scope_says_names_not_ids(scope: Scope, said: object) -> None:
    request, _ = question([event(1, "hello")], [memory("1", "port 8080", scope=scope)])
    assert request["memories"][0]["scope"] == said


def test_pasted_ranges_follow_the_masked_text() -> None:
    secret = "sk-ant-" + "abcDEF123456" * 4
    text = f"key {secret} then:\n> I hate tabs\nyes"
    start = text.index(">")
    request, _ = question([event(1, text, pasted=((start, start + 13),))])
    shown = request["events"][0]
    (begin, end), *more = shown["pasted"]
    assert secret not in shown["text"] and not more
    assert shown["text"][begin:end] == "> I hate tabs"


def test_secrets_are_masked_in_every_text() -> None:
    secret = "sk-ant-" + "abcDEF123456" * 4
    kept = memory("1", secret, Layer.TOPIC, title=secret, goal=secret, keywords=(secret,))
    window = replace(WINDOW, title=secret)
    request, _ = question([event(1, secret)], [kept], round_name=RoundName.TOPIC, window=window)
    assert len(request["memories"]) == 1
    assert secret not in json.dumps(request)


def test_what_the_dream_has_changed_is_context_in_a_later_round() -> None:
    events, old = [event(1, "hello")], memory("1", "port 8080")
    dream = plan(events, touched=[old])
    change = MemoryChange(
        before=old, after=old, operation="update", reason="r", round=RoundName.ATOMIC
    )
    view = replace(view_of(dream, events, [old]), changes=(change,))
    built = requested(
        Asking(
            dreaming.slots,
            RoundName.TOPIC,
            dream,
            view,
            WINDOW,
            (ALPHA,),
            dreaming.settings(),
            FENCE,
            MARKER,
        ),
        "r",
    )
    assert [one["editable"] for one in json.loads(built)["memories"]] == [False]


def test_problems_are_handed_on() -> None:
    request, prompt = question([event(1, "hello")], problems=[Flaw.NO_JSON])
    (said,) = request["problems"]
    assert said.startswith("No JSON object could be read") and f"- {said}\n" in prompt


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(Role), words, st.integers(0, 30)), min_size=1, max_size=6),
    st.lists(st.tuples(st.sampled_from(Layer), words, st.sampled_from(Status)), max_size=6),
    st.sampled_from(RoundName),
)
def test_every_request_fits_its_schema(
    said: list[tuple[Role, str, int]],
    kept: list[tuple[Layer, str, Status]],
    round_name: RoundName,
) -> None:
    events = [
        event(seq, text * 900, role, pasted=((0, cut),) if cut else ())
        for seq, (role, text, cut) in enumerate(said, start=1)
    ]
    memories = [
        memory(str(n), text, layer, status=status, subcategory=Subcategory.TODO)
        for n, (layer, text, status) in enumerate(kept)
    ]
    request, prompt = question(events, memories, round_name=round_name, max_prompt_chars=20_000)
    assert list(mistakes(request, REQUEST_SCHEMA)) == []
    assert request["prompt"] == prompt
    for shown in request["events"]:
        assert all(start < end <= len(shown["text"]) for start, end in shown["pasted"])


def documented(kind: str) -> Any:
    """The example under the heading `kind` of the page."""
    found = re.search(
        rf"^## {kind}.*?^```json\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL
    )
    assert found is not None
    return json.loads(found[1])


def test_the_page_shows_a_request_as_we_build_it() -> None:
    assert documented("Request") == example()


def test_the_page_shows_an_answer_with_every_operation() -> None:
    answer = documented("Answer")
    assert list(mistakes(answer, ANSWER_SCHEMA)) == []
    assert {row["op"] for row in answer["operations"]} == set(OperationName)
    parsed = parse_answer(json.dumps(answer))
    assert isinstance(parsed, Answer)
    assert [type(one) for one in parsed.operations] == [Operation] * len(answer["operations"])


@pytest.mark.parametrize("name", ["Request", "Answer"])
def test_the_page_names_every_field(name: str) -> None:
    schema = {"Request": REQUEST_SCHEMA, "Answer": ANSWER_SCHEMA}[name]
    section = DOCUMENT.read_text().split(f"## {name}")[1].split("\n## ")[0]
    fields = set(schema["properties"])
    for part in ("window", "events", "memories", "limits", "names", "operations"):
        inner = schema["properties"].get(part, {})
        inner = inner.get("items", inner)
        for one in inner.get("oneOf", [inner]):
            fields |= set(one.get("properties", {}))
    assert [field for field in sorted(fields) if f"`{field}`" not in section] == []


@pytest.mark.parametrize(
    "broken",
    [
        {"operations": [{"op": "delete", "id": "m1", "reason": "r"}]},
        {"operations": [{"op": "merge", "ids": ["m1"], "into": {"content": "x"}, "reason": "r"}]},
        {"operations": [{"op": "split", "id": "m1", "into": [{"content": "x"}], "reason": "r"}]},
        {"operations": [{"op": "archive", "id": "m1"}]},
        {"operations": [{"op": "remember", "layer": "mood", "content": "x"}]},
        {"summary": "nothing"},
    ],
    ids=[
        "an unknown operation",
        "a merge of one",
        "a split into one",
        "no reason",
        "an unknown layer",
        "no operations",
    ],
)
def test_the_answer_schema_refuses(broken: dict[str, Any]) -> None:
    assert list(mistakes(broken, ANSWER_SCHEMA))
