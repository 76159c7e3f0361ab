"""Another selection policy may be named in the settings."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memgardend.config.model import Config
from memgardend.core.editorial.selection import Chain, Pick, SelectionResult
from memgardend.core.editorial.stages import RecentStage
from memgardend.core.errors import ConfigError
from memgardend.daemon.policy import ENTRY_POINTS, load_policy
from memgardend.daemon.policy_check import policy_problem
from support.commandline import CommandLine
from support.recalling import Agent, in_memory, keep, known

CARDS = [{"id": "a"}, {"id": "b"}]


def last_first(cards: Sequence[Mapping[str, Any]], query: str, *, limit: int) -> list[str]:
    return [card["id"] for card in reversed(cards)][:limit]


def whole(cards: Sequence[Mapping[str, Any]], query: str, *, limit: int) -> SelectionResult:
    return SelectionResult(picks=(Pick(card_id=query, stage="whole"),))


class Whole:
    """A policy as a class."""

    def select(
        self, cards: Sequence[Mapping[str, Any]], query: str, *, limit: int
    ) -> SelectionResult:
        return whole(cards, query, limit=limit)


class Undecided(Whole):
    """One that cannot be made of nothing."""

    def __init__(self, seats: int) -> None: ...


@pytest.fixture(autouse=True)
def mine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A module of the person's own, and some that cannot be imported."""
    (tmp_path / "misspelt.py").write_text("def select(:\n")
    (tmp_path / "unfinished.py").write_text("def select(): ...\nselect.colour\n")
    (tmp_path / "program.py").write_text("raise SystemExit(2)\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = ModuleType("mine")
    vars(module).update(
        last_first=last_first,
        whole=whole,
        chain=Chain((RecentStage(),)),
        number=1,
        Whole=Whole,
        Undecided=Undecided,
    )
    monkeypatch.setitem(sys.modules, "mine", module)
    offered = EntryPoints(
        [
            EntryPoint("last", "mine:last_first", ENTRY_POINTS),
            EntryPoint("broken", "mine:nothing", ENTRY_POINTS),
            EntryPoint("ends", "program:select", ENTRY_POINTS),
        ]
    )
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: offered.select(group=group)
    )


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        pytest.param("mine:last_first", ("b", "a"), id="a function that answers with ids"),
        pytest.param("mine:whole", ("q",), id="a function that answers in full"),
        pytest.param("mine:Whole", ("q",), id="a class"),
        pytest.param("mine:chain", ("a", "b"), id="a policy of the library"),
        pytest.param("last", ("b", "a"), id="an entry point"),
    ],
)
def test_a_policy_is_named_in_the_settings(name: str, chosen: tuple[str, ...]) -> None:
    policy = load_policy(name)
    assert policy is not None
    assert policy.select(CARDS, "q", limit=2).card_ids == chosen


def test_no_name_is_ours() -> None:
    assert load_policy(None) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mine:missing", "cannot be imported"),
        ("nowhere_at_all:select", "cannot be imported"),
        (":select", "cannot be imported"),
        ("mine:number", "neither a function"),
        ("mine:Undecided", "cannot be imported: TypeError"),
        ("unheard", "no package offers"),
        ("broken", "cannot be loaded"),
        ("misspelt:select", "cannot be imported"),
        ("unfinished:select", "cannot be imported: AttributeError"),
        ("program:select", "cannot be imported: SystemExit: 2"),
        ("ends", "cannot be loaded: SystemExit: 2"),
    ],
)
def test_what_cannot_choose_is_a_mistake_in_the_settings(name: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        load_policy(name)
    assert caught.value.hint


SETTINGS = "locale: en\nrecall:\n  policy: {}\n"


def test_a_mistake_in_the_settings_has_its_line() -> None:
    text = SETTINGS.format("unheard")
    (problem,) = policy_problem(
        text, Config.model_validate({"locale": "en", "recall": {"policy": "unheard"}})
    )
    assert (problem.line, problem.column) == (3, 11)
    assert "no package offers" in problem.message
    assert policy_problem("locale: en\n", Config(locale="en")) == []


@pytest.mark.parametrize("trusted", ["registered", "named", "neither"])
def test_config_check_runs_code_only_of_those_who_are_trusted(tmp_path: Path, trusted: str) -> None:
    command = CommandLine(tmp_path)
    command.workspace.mkdir()
    if trusted == "registered":
        command.ok("init", "--locale", "en")
    (command.workspace / "memgarden.yaml").write_text(SETTINGS.format("nowhere_at_all:select"))
    named = ("-w", str(command.workspace)) if trusted == "named" else ()
    checked = command.run("config", "check", *named)
    assert checked.code == (0 if trusted == "neither" else 78)
    assert ("memgarden.yaml:3:11: error: recall.policy" in checked.out) == (trusted != "neither")


def test_one_policy_serves_block_hits_and_search() -> None:
    store = in_memory()
    keep(store, *(known(f"m{n}", keywords=("kubernetes",)) for n in range(3)))
    keep(store, *(known(f"u{n}", layer="user", importance=4 - n) for n in range(3)))
    agent = Agent(store, policy=load_policy("mine:last_first"), hit_top_k=1)
    block = agent.hears()
    assert block is not None
    assert block.ids == ("u2", "u1", "u0")
    assert agent.shown("kubernetes") == ("m2",)
    assert agent.finds("kubernetes") == ["m2", "m1", "m0"]
    store.close()
