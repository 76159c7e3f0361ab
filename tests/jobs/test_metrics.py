"""Every figure for monitoring is the one that `status` shows and the store holds."""

from __future__ import annotations

import json
import sqlite3
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import structlog

from memgardend.core.exposition import exposition
from memgardend.core.ports import ModelReply
from memgardend.core.spent import spent_on
from memgardend.core.words import DreamState, Outcome, Status, WindowState
from memgardend.daemon.garden import Workspace
from memgardend.daemon.textfile import write_textfile
from memgardend.jobs.context import Garden
from memgardend.jobs.look import status_document
from memgardend.jobs.look.metrics import metrics_of
from memgardend.jobs.look.outlook import Outlook
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say
from support.garden import QUIET_MS, START, ScriptedModel, config_of, make_garden
from support.prometheus import parse

YAML = """
dream: {suppress_windows: [], max_attempts: 1}
budget: {calls_per_day: 60, money_per_day: 5}
model:
  command: [my-model]
  prices: {currency: CNY, peak: {input: 2, output: 3}, off_peak: {input: 0.5, output: 0.75}}
"""


def script(request: dict[str, Any]) -> Any:
    """Keeps what it is told; of one window nothing usable."""
    if "broken" in request["window"]["id"]:
        return "no JSON"
    answer = keep_all()(request)
    return ModelReply(
        outcome=Outcome.OK,
        text=json.dumps(answer),
        tokens_in=34_500,
        tokens_out=1_200,
        tokens_reported=True,
        duration_ms=1_500,
    )


@pytest.fixture
def garden(tmp_path: Path) -> Garden:
    """One window dreamed, one set aside, one that speaks."""
    made = make_garden(tmp_path, model=ScriptedModel(script), yaml=YAML)
    for name in ("mail", "broken"):
        say(made.store, name, "The staging port is 8080.", at=START - QUIET_MS)
    say(made.store, "now", "Hello there.", at=START)
    sweep(made)
    return made


def outlook(garden: Garden) -> Outlook:
    return Outlook(
        store=garden.store,
        config=garden.config,
        suppression=garden.suppression,
        now_ms=START,
        driven=True,
        workspace="/work",
    )


def read(garden: Garden) -> dict[tuple[str, str], Decimal]:
    """By the metric's short name and the value of the label besides `workspace`."""
    page = parse(exposition(metrics_of(outlook(garden), START, "1.2")))
    found = {}
    for (name, labels), value in page.items():
        assert labels[0] == ("workspace", "/work")
        found[name.removeprefix("memgardend_"), labels[1][1] if labels[1:] else ""] = value
    return found


def test_figures_are_those_of_status(garden: Garden) -> None:
    found, status = read(garden), status_document(outlook(garden), START)
    states = [one["state"] for one in status["windows"]]
    for state in set(WindowState) - {WindowState.ASIDE}:
        assert found["windows", state] == states.count(state)
    for word in ("due", "dreaming", "failed", "quarantined", "old"):
        assert found["windows", word] == status["counts"][word]
    assert found["memories", "active"] == status["counts"]["memories"]
    assert found["unreadable_lines", ""] == status["counts"]["unreadable_lines"]
    assert found["review_operations", ""] == status["counts"]["review"]
    for limit in status["budget"]["limits"]:
        assert found["budget_spent", limit["kind"]] == Decimal(limit["spent"])
        assert found["budget_limit", limit["kind"]] == Decimal(limit["limit"])
    today = status["spent"]["today"]
    assert found["model_tokens_total", "in"] == today["tokens_in"]
    assert found["model_tokens_total", "out"] == today["tokens_out"]
    assert found["model_seconds_total", ""] * 1000 == today["duration_ms"]
    assert found["model_unpriced_calls_total", ""] == today["unpriced"]
    (money,) = today["money"]
    assert found["model_cost_total", "CNY"] == Decimal(money["cost"])
    assert found["model_saved_total", "CNY"] == Decimal(money["saved"])
    calls = sum(value for (name, _), value in found.items() if name == "model_calls_total")
    assert calls == today["calls"]
    assert found["info", "1.2"] == 1


def test_figures_are_those_of_the_store(garden: Garden, tmp_path: Path) -> None:
    found = read(garden)
    raw = sqlite3.connect(tmp_path / ".memgarden" / "memory.db")

    def counted(sql: str) -> dict[str, int]:
        return dict(raw.execute(sql).fetchall())

    dreams = counted("SELECT state, count(*) FROM dreams GROUP BY state")
    assert dreams == {"applied": 1, "quarantined": 1}
    for state in DreamState:
        assert found["dreams", state] == dreams.get(state, 0)
    memories = counted("SELECT status, count(*) FROM memories GROUP BY status")
    for status in Status:
        assert found["memories", status] == memories.get(status, 0)
    outcomes = counted("SELECT outcome, count(*) FROM receipts WHERE counted GROUP BY outcome")
    assert {word: found["model_calls_total", word] for word in outcomes} == outcomes
    (events,) = raw.execute("SELECT count(*) FROM events").fetchone()
    assert found["events", ""] == events
    raw.close()


def test_sums_of_the_store_are_those_of_its_receipts(garden: Garden) -> None:
    sums, outcomes = garden.store.calls_ever()
    assert sums == spent_on(garden.store.receipts())
    assert sum(outcomes.values()) == sums.calls


def test_what_does_not_exist_has_no_value(tmp_path: Path) -> None:
    found = read(make_garden(tmp_path))
    assert ("next_dream_timestamp_seconds", "") not in found
    assert ("daemon_last_tick_timestamp_seconds", "") not in found
    assert found["budget_exhausted", ""] == found["model_seconds_total", ""] == 0


def test_the_file_is_written_whole_and_readable_by_the_exporter(
    garden: Garden, tmp_path: Path
) -> None:
    config = config_of("metrics: {textfile: figures.prom}\n")
    place = Workspace(tmp_path, config, named=True)
    write_textfile(place, garden, "1.2")
    file = tmp_path / "figures.prom"
    page = parse(file.read_text("utf-8"))
    assert page[("memgardend_dreams", (("workspace", str(tmp_path)), ("state", "applied")))] == 1
    assert file.stat().st_mode & 0o777 == 0o644
    assert [one.name for one in tmp_path.glob("*.prom")] == ["figures.prom"]


def test_a_file_that_cannot_be_written_stops_nothing(garden: Garden, tmp_path: Path) -> None:
    config = config_of("metrics: {textfile: no/such/folder.prom}\n")
    with structlog.testing.capture_logs() as logs:
        write_textfile(Workspace(tmp_path, config, named=True), garden, "1.2")
    assert [one["event"] for one in logs] == ["metrics_failed"]
    write_textfile(Workspace(tmp_path, config_of(), named=True), garden, "1.2")
    assert list(tmp_path.glob("*.prom")) == []
