"""No line, however wrong, ends the service or goes without an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.daemon.serve import lines
from support.commandline import CommandLine
from support.json_schema import mistakes
from support.wire import Wire

HEALTH = b'{"id": "h", "method": "health.get"}'
NO_JSON = {
    "garbage": b"\xff\xfe\x00garbage",
    "half a line": b'{"id": 1, "method"',
    "NaN": b'{"id": 1, "method": "health.get", "params": {"x": NaN}}',
    "infinity": b'{"id": 1, "method": "health.get", "params": {"x": -Infinity}}',
    "deep": b"[" * 200_000,
    "deep and closed": b'{"id": 1, "params": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "a huge number": b"9" * 5_000,
    "bare text": b"hello",
}
NO_REQUEST = {
    "an array": b"[1, 2]",
    "a null": b"null",
    "an id that is none": b'{"id": [1], "method": "health.get"}',
    "a flag for an id": b'{"id": true, "method": "health.get"}',
    "an unknown field": b'{"id": 1, "method": "health.get", "jsonrpc": "2.0"}',
    "params that are none": b'{"id": 1, "method": "health.get", "params": null}',
    "half a surrogate pair": b'{"id": 1, "method": "health.get", "params": {"\\uD800": 1}}',
    "half a pair as the id": b'{"id": "\\ud800", "method": "health.get"}',
    "half a pair deep down": b'{"id": 1, "params": "\\ud800", "x": '
    + b"[" * 900
    + b"]" * 900
    + b"}",
}
WRONG = {
    **{name: (line, "invalid_json") for name, line in NO_JSON.items()},
    **{name: (line, "invalid_request") for name, line in NO_REQUEST.items()},
}


@pytest.mark.parametrize(("line", "code"), WRONG.values(), ids=WRONG)
def test_a_wrong_line_is_answered_and_the_next_one_served(line: bytes, code: str) -> None:
    refused, served = Wire().lines(line, HEALTH)
    assert (refused["ok"], refused["error"]["code"]) == (False, code)
    assert served == {"id": "h", "ok": True, "result": served["result"]}


def test_a_text_cut_in_the_middle_of_a_character_is_refused_by_its_id() -> None:
    line = b'{"id": 7, "method": "tool.list", "params": {"x": "an emoji, cut: \\ud83d"}}'
    [refused] = Wire().lines(line)
    assert (refused["id"], refused["error"]["code"]) == (7, "invalid_request")
    assert "surrogate" in refused["error"]["message"]


def test_a_line_that_is_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1000)
    monkeypatch.setattr(lines, "_CHUNK_BYTES", 64)
    padded = HEALTH[:-1] + b" " * (1000 - len(HEALTH)) + b"}"
    answers = Wire().lines(padded, b"x" * 5000, HEALTH, b"y" * 1001)
    assert [answer["ok"] for answer in answers] == [True, False, True, False]


def test_blank_lines_are_nothing_and_the_last_line_needs_no_end() -> None:
    assert [answer["ok"] for answer in Wire().lines(b"", b"  \t", HEALTH)] == [True]


def test_an_answer_is_one_line_in_utf8() -> None:
    wire = Wire()
    wire.mei("records.write", text="老王不吃辣。\n一吃就胃疼。")
    raw = lines.encoded(wire.ask("records.browse", scope={"tenant": "t", "owner": "mei"}))
    assert raw.count(b"\n") == 1 and "老王".encode() in raw


SCHEMA = Wire().ok("schema.get")


@given(st.lists(st.binary(max_size=60), max_size=5))
def test_every_line_has_its_answer(given_lines: list[bytes]) -> None:
    said = [line.replace(b"\n", b"").replace(b"\r", b"") for line in given_lines]
    answers = Wire().lines(*said, HEALTH)
    assert len(answers) == sum(bool(line.strip()) for line in said) + 1
    assert [found for answer in answers for found in mistakes(answer, SCHEMA["response"])] == []


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
NAMES = st.sampled_from(
    ["scope", "window", "locale", "query", "mutations", "ids", "session_id", "progress", "name"]
)


@given(
    method=st.sampled_from(sorted(SCHEMA["methods"])),
    params=st.dictionaries(NAMES, VALUES, max_size=4),
)
def test_whatever_the_parameters_the_fault_is_never_ours(
    method: str, params: dict[str, object]
) -> None:
    answer = Wire().service.handle({"id": 1, "method": method, "params": params})
    assert answer["ok"] or answer["error"]["code"] != "internal_error"


def test_the_command_serves_until_its_input_ends(tmp_path: Path) -> None:
    command = CommandLine(tmp_path)
    scope = {"tenant": "t", "owner": "mei"}
    write = {
        "id": 1,
        "method": "records.write",
        "params": {"scope": scope, "text": "Mei likes tea."},
    }
    storage = f"sqlite:///{tmp_path}/cards.db"
    first = command.ok("serve", "--storage", storage, stdin=f"nonsense\n{json.dumps(write)}\n")
    assert [json.loads(line)["ok"] for line in first.out.splitlines()] == [False, True]
    assert first.err == ""
    search = {"id": 2, "method": "records.search", "params": {"scope": scope, "query": "tea"}}
    later = command.ok("serve", "--storage", storage, stdin=json.dumps(search))
    assert len(json.loads(later.out)["result"]["hits"]) == 1


def test_the_command_asks_a_model_command_and_says_where_cards_are(tmp_path: Path) -> None:
    command = CommandLine(tmp_path)
    scope = {"tenant": "t", "owner": "mei"}
    params = {"scope": scope, "window": "Mei: I like tea.", "locale": "en"}
    asked = json.dumps({"id": 1, "method": "capture.run", "params": params})
    cards = """sh -c 'cat > /dev/null; echo {\\"cards\\": []}'"""
    served = command.ok("serve", "--model-cmd", cards, stdin=asked)
    assert json.loads(served.out)["result"]["reason"] == "nothing_worth_keeping"
    assert "--storage sqlite:///PATH" in served.err
    failed = command.ok("serve", "--model-cmd", "false", stdin=asked)
    assert json.loads(failed.out)["error"]["code"] == "model_failed"
    assert "exit" in failed.err
    assert command.run("serve", "--storage", "postgres://x").code == 2


def test_schema_and_manifest_are_printed(tmp_path: Path) -> None:
    command = CommandLine(tmp_path)
    assert json.loads(command.ok("serve", "--schema").out) == Wire().ok("schema.get")
    manifest = command.ok("manifest", "--json").json()
    assert manifest.keys() == Wire().ok("manifest.get").keys()
    screen = command.ok("manifest").out
    assert "conversation_capture (at most 2)" in screen and "memory_write" in screen
