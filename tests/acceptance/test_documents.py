"""The JSON documents of DESIGN 9.1, field by field: fields may be added, never renamed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support.commandline import CommandLine

RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z")


def has(document: Any, fields: str) -> None:
    """The document has all these fields."""
    assert set(fields.split()) <= set(document), document


def times(document: Any) -> list[str]:
    """Every value under a key that names a time."""
    if isinstance(document, list):
        return [at for one in document for at in times(one)]
    if not isinstance(document, dict):
        return []
    found = [
        value
        for key, value in document.items()
        if value is not None
        and (key.endswith("_at") or key in ("now", "seal", "as_of", "since", "until", "at"))
    ]
    return found + [at for value in document.values() for at in times(value)]


@pytest.mark.parametrize(
    "line",
    [
        "status",
        "windows",
        "dreams",
        "show {dream}",
        "diff {dream}",
        "memories",
        "why mail-1",
        "why {memory}",
    ],
)
def test_every_document_says_its_schema_and_its_times_in_utc(
    dreamed: CommandLine, line: str
) -> None:
    names = {
        "dream": dreamed.ok("dreams", "--json").json()["dreams"][0]["id"],
        "memory": dreamed.ok("memories", "--json").json()["memories"][0]["id"],
    }
    document = dreamed.ok(*line.format(**names).split(), "--json").json()
    assert document["schema"] == 1
    found = times(document)
    assert found
    assert all(RFC3339.fullmatch(at) for at in found)


def test_status(dreamed: CommandLine) -> None:
    status = dreamed.ok("status", "--json").json()
    has(status, "now daemon workspace paused suppression budget next counts windows")
    has(status["daemon"], "state pid started_at last_tick_at")
    has(status["suppression"], "suppressed time_zone next_change_at next_allowed_at")
    has(status["next"], "window at reason")
    has(
        status["counts"],
        "windows due dreaming review failed quarantined old memories unreadable_lines",
    )
    has(status["windows"][0], "id source title state last_event_at new_events next_at holds")
    has(status["windows"][0]["holds"][0], "gate reason since until")
    assert status["now"] == status["suppression"]["next_allowed_at"] == "2026-11-30T19:00:00Z"
    assert [window["id"] for window in status["windows"]] == ["event:mail-2", "event:mail-1"]
    assert [window["state"] for window in status["windows"]] == ["active", "dreamed"]
    assert status["next"] == {
        "window": "event:mail-2",
        "at": "2026-11-30T21:59:00Z",
        "reason": status["next"]["reason"],
    }
    assert status["next"]["reason"].startswith("active: ")


def test_why_a_window_waits(dreamed: CommandLine) -> None:
    why = dreamed.ok("why", "mail-2", "--json").json()
    has(why, "window state may next_at gates")
    assert (why["window"], why["state"], why["may"]) == ("event:mail-2", "active", False)
    for gate in why["gates"]:
        has(gate, "gate open value want until")
    names = [gate["gate"] for gate in why["gates"]]
    assert names == [
        "kind",
        "archived",
        "skipped",
        "nothing_new",
        "old",
        "active",
        "quarantined",
        "backoff",
        "claimed",
        "peak",
        "budget",
        "breaker",
        "paused",
    ]


def test_tonight_can_be_asked_for_in_the_configured_zone(dreamed: CommandLine) -> None:
    why = dreamed.ok("why", "mail-2", "--at", "2026-12-01 06:30", "--json").json()
    assert (why["now"], why["may"]) == ("2026-11-30T22:30:00Z", True)
    peak = dreamed.ok("status", "--at", "2026-12-01T10:00:00+08:00", "--json").json()
    assert peak["suppression"]["suppressed"]
    assert peak["suppression"]["next_allowed_at"] == "2026-12-01T04:00:00Z"


def test_dreams_and_show(dreamed: CommandLine) -> None:
    dreams = dreamed.ok("dreams", "--json").json()["dreams"]
    fields = (
        "id window state reason seal from_seq through_seq attempts created_at finished_at changes "
        "rounds"
    )
    has(dreams[0], fields)
    has(dreams[0]["changes"], "added changed archived")
    has(dreams[0]["rounds"][0], "name state model_calls operations refused")
    assert [one["name"] for one in dreams[0]["rounds"]] == ["atomic", "topic", "project"]
    assert dreams[0]["seal"] == "2026-11-30T12:00:00Z"
    assert (dreams[0]["from_seq"], dreams[0]["through_seq"]) == (0, 3)
    show = dreamed.ok("show", dreams[0]["id"][:9], "--json").json()
    has(show, fields + " plan memories receipts")
    assert show["changes"] == dreams[0]["changes"]
    assert len(show["memories"]) == show["changes"]["added"] > 0
    assert [receipt["cost"] for receipt in show["receipts"]] == [None, None]


def test_memories_with_filters(dreamed: CommandLine) -> None:
    memories = dreamed.ok("memories", "--json").json()["memories"]
    for memory in memories:
        has(
            memory,
            "id layer status title content keywords importance scope created_at updated_at as_of "
            "evidence",
        )
        assert memory["evidence"]
        has(memory["evidence"][0], "window event role quote")
    rules = dreamed.ok("memories", "--layer", "rules", "--json").json()["memories"]
    assert [memory["layer"] for memory in rules] == ["rules"]
    nearest = dreamed.ok("memories", "staging port", "--json").json()["memories"]
    assert "9090" in nearest[0]["content"]
    assert dreamed.ok("memories", "xylophone", "--json").json()["memories"] == []


def test_the_history_of_a_memory(dreamed: CommandLine) -> None:
    memory = dreamed.ok("memories", "--json").json()["memories"][0]
    history = dreamed.ok("why", memory["id"], "--json").json()
    has(history, "memory history")
    assert history["memory"]["id"] == memory["id"]
    assert [step["operation"] for step in history["history"]] == ["remember"]


def test_pushed_events_are_counted_and_bad_lines_named(registered: CommandLine) -> None:
    good = '{"window": "a", "id": "1", "at": "2026-11-30T12:00:00Z", "role": "human", "text": "x"}'
    result = registered.run("event", "--json", stdin=f"{good}\n{good}\nnonsense\n")
    document = result.json()
    assert (result.code, document["accepted"], document["duplicate"]) == (1, 1, 1)
    assert [one["line"] for one in document["rejected"]] == [3]
    assert registered.ok("windows", "--json").json()["windows"][0]["id"] == "event:a"


def test_dreams_are_newest_first_and_limited(registered: CommandLine) -> None:
    for minute, name in enumerate(("one", "two", "three")):
        registered.now = f"2026-12-01T03:0{minute}:00+08:00"
        registered.push(name, "I prefer tea to coffee.")
        registered.ok("dream", name)
    windows = [
        one["window"] for one in registered.ok("dreams", "-n", "2", "--json").json()["dreams"]
    ]
    assert windows == ["event:three", "event:two"]
    assert len(registered.ok("dreams", "-n", "0", "--json").json()["dreams"]) == 3


def test_diff(dreamed: CommandLine) -> None:
    dream = dreamed.ok("dreams", "--json").json()["dreams"][0]
    diff = dreamed.ok("diff", dream["id"], "--json").json()
    has(diff, "id window state undone_at changes memories")
    assert diff["changes"] == dream["changes"]
    for memory in diff["memories"]:
        has(memory, "id layer content change steps fields content_diff replaces evidence")
        assert memory["evidence"]
    whole = dreamed.ok("diff", dream["short"]).out
    stat = dreamed.ok("diff", dream["short"], "--stat").out.splitlines()
    for memory in diff["memories"]:
        assert f"“{memory['evidence'][0]['quote']}”" in whole
        assert len([line for line in stat if memory["short"] in line]) == 1
