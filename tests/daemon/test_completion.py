"""What the shell completes: ids with what they say, names of projects, and nothing where there is trouble."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memgardend import Garden
from memgardend.core.clock import ManualClock
from memgardend.core.words import DreamState
from memgardend.daemon.cli import completion, opening
from support.garden import START


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """As the shell's completion gets it: with what was typed so far."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "memgarden.yaml").write_text("locale: en\nsources: []\n", "utf-8")
    return SimpleNamespace(params={"workspace": tmp_path})


def test_memories_and_projects_are_completed(context: Any) -> None:
    clock = ManualClock(START)
    with Garden.open(context.params["workspace"], clock=clock) as garden:
        first = garden.remember("The port is 8080.\nIt may move.", project="Shop").memory.id
        clock.advance(60_000)
        second = garden.remember("Blogs " * 20, project="blog").memory.id
    assert completion.memories(context, first[:4]) == [
        (second, ("Blogs " * 10).ljust(60)[:60]),
        (first, "The port is 8080. It may move."),
    ]
    assert completion.memories(context, second[:9]) == [(second, ("Blogs " * 10).ljust(60)[:60])]
    assert completion.projects(context, "s") == [("Shop", "")]
    assert [name for name, _ in completion.projects(context, "")] == ["Shop", "blog"]


def test_only_dreams_that_have_not_ended_are_completed_for_cancel(
    context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = {f"d{n}": state for n, state in enumerate(DreamState)}
    store = SimpleNamespace(
        find_dreams=lambda prefix: [one for one in states if one.startswith(prefix)],
        dream=lambda one: SimpleNamespace(id=one, state=states[one]),
    )
    monkeypatch.setattr(opening, "looking", lambda _: nullcontext(SimpleNamespace(store=store)))
    assert {name for name, _ in completion.dreams(context, "d")} == set(states)
    assert {state for _, state in completion.open_dreams(context, "d")} == {
        "pending",
        "running",
        "failed",
        "quarantined",
    }


def test_without_a_workspace_nothing_is_completed(tmp_path: Path) -> None:
    context: Any = SimpleNamespace(params={"workspace": tmp_path / "nowhere"})
    assert completion.memories(context, "") == completion.projects(context, "") == []
