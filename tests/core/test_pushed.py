"""Pushed lines are taken or rejected one by one, each with its reason."""

from __future__ import annotations

import json
from datetime import UTC, timedelta, timezone
from typing import Any

import pytest

from memgardend.core.pushed import LINE_CHARS, PushedLineError, parse_pushed
from memgardend.core.words import Role, WindowKind

GOOD = {"window": "w1", "id": "e1", "at": "2026-03-01T10:00:00Z", "role": "human", "text": "hi"}
ABSENT = object()


def _line(**changes: Any) -> str:
    return json.dumps({k: v for k, v in (GOOD | changes).items() if v is not ABSENT})


REJECTED = {
    "not json": ("{", "no JSON object"),
    "not an object": ("[1]", "no JSON object"),
    "deeply nested": ("[" * 100_000, "no JSON object"),
    "no window": (_line(window=ABSENT), "window is missing"),
    "empty window": (_line(window=" \n"), "window is empty"),
    "long window": (_line(window="w" * 401), "window is longer than 400 characters"),
    "no id": (_line(id=ABSENT), "id is missing"),
    "id a number": (_line(id=7), "id must be a string"),
    "no time": (_line(at=ABSENT), "at is missing"),
    "time a number": (_line(at=1_772_000_000), "at must be a string"),
    "time in words": (_line(at="today"), "at is 'today': must be a time as in RFC 3339"),
    "time before 1970": (
        _line(at="1969-01-01T00:00:00Z"),
        "at is '1969-01-01T00:00:00Z': before 1970",
    ),
    "unknown role": (
        _line(role="user"),
        "role is 'user': must be one of human, assistant, tool, system, script",
    ),
    "our role": (
        _line(role="own"),
        "role is 'own': must be one of human, assistant, tool, system, script",
    ),
    "no text": (_line(text=ABSENT), "text is missing"),
    "blank text": (_line(text=" \n"), "text is empty"),
    "its own parent": (_line(parent="w1"), "parent is the window itself"),
    "without end": ("x" * (LINE_CHARS + 1), f"longer than {LINE_CHARS} characters"),
    "tool a list": (_line(tool=["x"]), "tool must be a string"),
}


@pytest.mark.parametrize(("line", "reason"), REJECTED.values(), ids=REJECTED.keys())
def test_a_bad_line_says_why(line: str, reason: str) -> None:
    with pytest.raises(PushedLineError) as raised:
        parse_pushed(line, UTC)
    assert str(raised.value) == reason


def test_a_good_line() -> None:
    pushed = parse_pushed(
        _line(cwd="/srv/x", title=" My\ntitle ", tool="Bash", role="tool", later="ignored"), UTC
    )
    assert (pushed.window.id, pushed.window.native_id) == ("event:w1", "w1")
    assert (pushed.window.cwd, pushed.window.title) == ("/srv/x", "My title")
    assert pushed.window.kind is WindowKind.MAIN
    assert (pushed.event.native_id, pushed.event.role, pushed.event.tool) == (
        "e1",
        Role.TOOL,
        "Bash",
    )
    assert pushed.event.at == 1_772_359_200_000


def test_a_window_with_a_parent_is_a_subagent() -> None:
    window = parse_pushed(_line(parent="w0"), UTC).window
    assert (window.parent, window.kind) == ("event:w0", WindowKind.SUBAGENT)


def test_a_time_without_a_zone_is_read_in_the_given_one() -> None:
    at = parse_pushed(_line(at="2026-03-01T10:00:00"), timezone(timedelta(hours=8))).event.at
    assert at == 1_772_359_200_000 - 8 * 3_600_000
