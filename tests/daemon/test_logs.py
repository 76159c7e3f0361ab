"""Log events: no secrets, nothing that drives a terminal, and each kept on disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from memgardend.daemon.log_filter import Wanted
from memgardend.daemon.logs import configure_logs, tidy
from memgardend.jobs.start import claim, judge_window
from support.conversation import say, window_id
from support.garden import QUIET_MS, START, make_garden

SECRET = "sk-ant-api03-" + "Zq3" * 12


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A state folder of this test, and structlog as it was afterwards."""
    before = structlog.get_config()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("MEMGARDEND_CLOCK", "2026-12-01T03:00:00Z@0")
    yield tmp_path / "memgardend" / "log.jsonl"
    structlog.contextvars.clear_contextvars()
    structlog.configure(**before)


def kept(file: Path) -> list[dict[str, Any]]:
    return [json.loads(one) for one in file.read_text("utf-8").splitlines()]


def test_values_are_masked_and_cleaned_at_any_depth() -> None:
    entry = tidy(
        None,
        "info",
        {
            "event": "x",
            "error": f"key {SECRET}",
            "names": {"a": ["\x1b[31mred\x07", Path("/b")]},
            "n": 1,
        },
    )
    assert SECRET not in json.dumps(entry)
    assert entry["names"] == {"a": ["red", "/b"]}
    assert (entry["event"], entry["n"]) == ("x", 1)


def test_every_event_is_kept_and_the_screen_is_the_command_s_own(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs(workspace=Path("/srv/garden"))
    log = structlog.get_logger()
    log.info("round_asked", round="atomic")
    log.warning("dream_healed", error=f"{SECRET}")
    assert [one["event"] for one in kept(state)] == ["round_asked", "dream_healed"]
    assert kept(state)[0] == {
        "round": "atomic",
        "workspace": "/srv/garden",
        "event": "round_asked",
        "level": "info",
        "timestamp": "2026-12-01T03:00:00Z",
    }
    assert capsys.readouterr().err == ""
    assert SECRET not in state.read_text("utf-8")


def test_verbose_says_all_and_an_exception_is_kept_with_its_trace(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs(verbose=True)
    log = structlog.get_logger()
    log.info("round_asked")
    try:
        raise ValueError("no such thing")
    except ValueError:
        log.exception("workspace_crashed")
    assert "no such thing" in kept(state)[1]["exception"]
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_events_of_another_workspace_dream_or_window_are_left_out(tmp_path: Path) -> None:
    garden = make_garden(tmp_path)
    for name in ("mail", "notes"):
        say(garden.store, name, "The port is 8080.", at=START - QUIET_MS)
    ids = []
    for name in ("mail", "notes"):
        facts = garden.store.window_facts(window_id(name))[0]
        ids.append(claim(garden, facts, judge_window(garden, facts)))
    entries: list[dict[str, Any]] = [
        {"event": "daemon", "timestamp": "2026-12-01T00:00:00Z"},
        {"event": "here", "timestamp": "2026-12-01T00:00:01Z", "workspace": "/srv/garden"},
        {"event": "there", "timestamp": "2026-12-01T00:00:02Z", "workspace": "/other"},
        {"event": "mail", "timestamp": "2026-12-01T00:00:03Z", "dream": ids[0]},
        {"event": "notes", "timestamp": "2026-12-01T00:00:04Z", "dream": ids[1]},
        {"event": "unknown", "timestamp": "2026-12-01T00:00:05Z", "dream": "d9"},
        {"event": "window", "timestamp": "2026-12-01T00:00:06Z", "window": window_id("mail")},
        {"event": "no time", "timestamp": "yesterday"},
    ]

    def chosen(**wanted: Any) -> list[str]:
        which = Wanted(store=garden.store, workspace="/srv/garden", **wanted)
        return [one["event"] for one in entries if which(one)]

    assert chosen() == ["daemon", "here", "mail", "notes", "window", "no time"]
    assert chosen(since=START + 3000) == ["mail", "notes", "window"]
    assert chosen(dream=ids[1]) == ["notes"]
    assert chosen(window=window_id("mail")) == ["mail", "window"]
    garden.store.close()
