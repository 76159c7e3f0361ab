"""Whatever goes wrong with a call is told in the language of the garden."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from memgardend.config.packs import Pack
from memgardend.core.errors import (
    MemgardendError,
    StoreError,
    StoreLockedError,
    StoreUnavailableError,
)
from memgardend.core.gates import Gate, Verdict
from memgardend.core.marker import make_marker
from memgardend.core.records import Project
from memgardend.core.template import parse_labels
from memgardend.core.tools.problems import Problem
from memgardend.core.words import GateName
from memgardend.jobs.tools import ToolContext, call
from support.conversation import say
from support.garden import START, make_garden
from support.tooling import kept, tools_of

PORT = "The staging server listens on port 8080."
LOCALES = ["en", "zh-Hans"]
_ENGLISH = re.compile(r"[A-Za-z]+(?: [a-z]+){2,}")
"""Three English words in a row are a sentence."""


def remember(**fields: Any) -> tuple[str, dict[str, Any]]:
    plain = {"content": PORT, "project": "global", "keywords": ["port"], "importance": 1}
    return "memory_remember", {**plain, **fields}


def raising(error: MemgardendError) -> Callable[[ToolContext], tuple[str, dict[str, Any]]]:
    """A store that cannot do what it is asked to."""

    def broken(context: ToolContext) -> tuple[str, dict[str, Any]]:
        def edit(*args: object, **kwargs: object) -> object:
            raise error

        context.garden.store.edit = edit  # type: ignore[method-assign,assignment]
        return remember()

    return broken


def gone(context: ToolContext) -> tuple[str, dict[str, Any]]:
    memory = kept(context, PORT)
    context.garden.store.memory = lambda memory_id: None  # type: ignore[method-assign]
    return "memory_read", {"id": memory.id}


def changed(context: ToolContext) -> tuple[str, dict[str, Any]]:
    return "memory_update", {"id": kept(context, PORT).id, "title": "Port", "revision": 9}


def elsewhere(context: ToolContext) -> tuple[str, dict[str, Any]]:
    kept(context, PORT)
    return remember(layer="rules")


def several_ids(context: ToolContext) -> tuple[str, dict[str, Any]]:
    one, other = kept(context, PORT).id, kept(context, "Deploys happen on Fridays at noon.").id
    start = next(n for n in range(len(one)) if one[n] != other[n])
    return "memory_read", {"id": one[:start]}


def several_projects(context: ToolContext) -> tuple[str, dict[str, Any]]:
    for root in ("/a/shop", "/b/shop"):
        context.garden.store.ensure_project(Project(id=root, name="shop", root=root))
    return remember(project="shop")


def no_window(context: ToolContext) -> tuple[str, dict[str, Any]]:
    object.__setattr__(context, "window", None)
    return "memory_dream", {}


def ours(context: ToolContext) -> tuple[str, dict[str, Any]]:
    marker = make_marker(context.garden.key, "r", "w", "hits")
    return remember(content=f"{marker} {PORT}")


CASES: dict[Problem, Callable[[ToolContext], tuple[str, dict[str, Any]]]] = {
    Problem.TOO_LONG: lambda context: remember(content="port " * 500),
    Problem.EMPTY_TEXT: lambda context: remember(content="!!!"),
    Problem.PLACEHOLDER: lambda context: remember(content="[port]"),
    Problem.PROTOCOL_LEAK: lambda context: remember(content='"op": "remember" was answered'),
    Problem.HANDLE_LEAK: lambda context: remember(content="As memory m12 says, the port is 8080."),
    Problem.OWN_TEXT: ours,
    Problem.OTHER_LAYER: lambda context: remember(goal="A running server"),
    Problem.SAID_ELSEWHERE: elsewhere,
    Problem.UNKNOWN_ID: lambda context: ("memory_read", {"id": "zzz"}),
    Problem.SEVERAL_IDS: several_ids,
    Problem.GONE: gone,
    Problem.CHANGED_SINCE: changed,
    Problem.UNKNOWN_PROJECT: lambda context: ("memory_project", {"project": "blog"}),
    Problem.SEVERAL_PROJECTS: several_projects,
    Problem.NO_WINDOW: no_window,
    Problem.LOCKED: raising(StoreLockedError("another process writes")),
    Problem.UNAVAILABLE: raising(StoreUnavailableError("disk full")),
    Problem.OTHER: raising(StoreError("damaged")),
}


def test_no_problem_is_left_out() -> None:
    assert CASES.keys() == set(Problem)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("problem", Problem)
def test_a_problem_is_told_in_the_words_of_the_pack(
    tmp_path: Path, problem: Problem, locale: str
) -> None:
    context = tools_of(make_garden(tmp_path, yaml=f"locale: {locale}\n"), "w")
    answer = call(*CASES[problem](context), context)
    assert not answer.ok
    assert re.fullmatch(_sentence(f"problem.{problem}", locale), answer.text), answer.text
    if locale != "en":
        told = answer.text.replace(PORT, "")
        assert not _ENGLISH.search(told), told


def _sentence(label: str, locale: str) -> str:
    """What the pack says, with anything in the place of its placeholders."""
    texts = parse_labels(Pack(locale).slot("tools"), "tools")
    whole = texts["error"].replace("{{detail}}", texts[label])
    return "".join(
        ".+" if part.startswith("{{") else re.escape(part)
        for part in re.split(r"(\{\{.*?\}\})", whole)
    )


@pytest.mark.parametrize("tool", ["memory_remember", "memory_update"])
def test_spaces_say_as_little_as_marks(tmp_path: Path, tool: str) -> None:
    context = tools_of(make_garden(tmp_path), "w")
    known = kept(context, PORT)
    given = remember()[1] if tool == "memory_remember" else {"id": known.id}
    answer = call(tool, given | {"content": "\u200b "}, context)
    assert re.fullmatch(_sentence("problem.empty_text", "en"), answer.text), answer.text


@pytest.mark.parametrize("locale", LOCALES)
def test_a_gate_that_is_shut_is_told_in_the_words_of_the_pack(
    tmp_path: Path, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = tools_of(make_garden(tmp_path, yaml=f"locale: {locale}\n"), "w")
    say(context.garden.store, "w", PORT, at=START)
    reason, told = "said in English here", set()
    for gate, until in product(GateName, (None, START)):
        shut = Gate(name=gate, open=False, value="", want="", reason=reason, until=until)
        judged = partial(Verdict, gates=(shut,), may=False, next_at=None)
        monkeypatch.setattr(
            "memgardend.jobs.tools.dreaming.judge_window", lambda *_, say=judged, **__: say()
        )
        answer = call("memory_dream", {}, context)
        assert answer.document["reason"] == f"{gate}: {reason}"
        assert reason not in answer.text
        assert ("2026-12-01T00:00:00Z" in answer.text) == (until is not None)
        if locale != "en":
            assert not _ENGLISH.search(answer.text), answer.text
        told.add(answer.text)
    assert len(told) == 2 * len(GateName)


@pytest.mark.parametrize("locale", LOCALES)
def test_a_window_that_changes_while_its_dream_is_claimed_is_told(
    tmp_path: Path, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = tools_of(make_garden(tmp_path, yaml=f"locale: {locale}\n"), "w")
    say(context.garden.store, "w", PORT, at=START)
    monkeypatch.setattr("memgardend.jobs.tools.dreaming.claim", lambda *_, **__: None)
    answer = call("memory_dream", {}, context)
    assert (answer.document["start"], answer.document["reason"]) == (
        "held",
        "it changed at this moment",
    )
    texts = parse_labels(Pack(locale).slot("tools"), "tools")
    assert texts["dream.changed"] in answer.text
