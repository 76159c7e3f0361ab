"""What our own command prints in an agent's shell proves nothing: each agent's records tell by the call."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.intake import begins_as_own, take_in
from memgardend.core.ports import Source
from memgardend.core.records import NewEvent
from memgardend.core.words import Role
from memgardend.daemon.sources.calls import Calls
from memgardend.daemon.sources.claude_code import ClaudeCode
from memgardend.daemon.sources.codex import Codex
from memgardend.daemon.sources.jsonl import JsonLines

AT = "2026-03-04T10:00:00.000Z"
PRINTED = "[fact · webapp] 01970000 · The API listens on port 8080."
Record = dict[str, Any]
Shape = Callable[[str, str, str], list[Record]]
"""Call id, command and output, as an agent writes them."""


def _claude(kind: str, *blocks: Record) -> Record:
    return {"type": kind, "timestamp": AT, "cwd": "/srv/x", "message": {"content": list(blocks)}}


def claude_bash(call: str, command: str, output: str) -> list[Record]:
    asked = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}
    return [
        _claude("assistant", asked),
        _claude("user", {"type": "tool_result", "tool_use_id": call, "content": output}),
    ]


def _codex(**payload: Any) -> Record:
    return {"type": "response_item", "timestamp": AT, "payload": payload}


def codex_exec(call: str, command: str, output: str) -> list[Record]:
    arguments = json.dumps({"cmd": command, "workdir": "/srv/x"})
    return [
        _codex(type="function_call", name="exec_command", arguments=arguments, call_id=call),
        _codex(type="function_call_output", call_id=call, output=output),
    ]


def codex_shell(call: str, command: str, output: str) -> list[Record]:
    arguments = json.dumps({"command": ["bash", "-lc", command]})
    wrapped = json.dumps({"output": output, "metadata": {"exit_code": 0}})
    return [
        _codex(type="function_call", name="shell", arguments=arguments, call_id=call),
        _codex(type="function_call_output", call_id=call, output=wrapped),
    ]


def codex_local(call: str, command: str, output: str) -> list[Record]:
    action = {"type": "exec", "command": ["bash", "-lc", command]}
    return [
        _codex(type="local_shell_call", call_id=call, action=action),
        _codex(type="local_shell_call_output", call_id=call, output=output),
    ]


def chat_call(call: str, command: str, output: str) -> list[Record]:
    function = {"name": "run", "arguments": json.dumps({"command": command})}
    return [
        {"role": "assistant", "content": None, "tool_calls": [{"id": call, "function": function}]},
        {"role": "tool", "tool_call_id": call, "content": output},
    ]


SHAPES = [claude_bash, codex_exec, codex_shell, codex_local, chat_call]


def read(folder: Path, records: Iterable[Record], shape: Shape, offset: int = 0) -> list[NewEvent]:
    """What a source reads of such records, as it is taken in."""
    records = list(records)
    path, source = _source(folder, shape)
    if isinstance(source, Codex):
        meta = {"id": "w1", "cwd": "/srv/x", "source": "cli"}
        records = [{"type": "session_meta", "timestamp": AT, "payload": meta}, *records]
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(record) + "\n" for record in records]
    path.write_text("".join(lines))
    start = sum(len(line.encode()) for line in lines[:offset])
    (file,) = source.files()
    chunk = source.read(file, start, 1 << 30)
    assert chunk is not None
    return [take_in(event, b"k" * 32) for event in chunk.events]


def _source(folder: Path, shape: Shape) -> tuple[Path, Source]:
    if shape is claude_bash:
        return folder / "p/w1.jsonl", ClaudeCode(folder)
    if shape is chat_call:
        return folder / "w1.jsonl", JsonLines(folder, "*.jsonl", None)
    return folder / "rollout-w1.jsonl", Codex(folder)


@pytest.mark.parametrize("shape", SHAPES)
def test_call_and_output_of_our_command_are_ours(tmp_path: Path, shape: Shape) -> None:
    events = read(tmp_path, shape("c1", "memgardend memories port", PRINTED), shape)
    assert [event.role for event in events] == [Role.OWN, Role.OWN]
    assert PRINTED in events[1].text


@pytest.mark.parametrize("shape", SHAPES)
def test_any_other_command_stays_a_tools(tmp_path: Path, shape: Shape) -> None:
    ours = shape("c1", "memgardend memories port", PRINTED)
    others = shape("c2", "cat config.toml", "port = 9090")
    events = read(tmp_path, [*ours, *others], shape)
    assert [event.role for event in events[2:]] == [Role.TOOL, Role.TOOL]


@pytest.mark.parametrize("shape", SHAPES)
def test_an_output_is_known_when_its_call_was_read_before(tmp_path: Path, shape: Shape) -> None:
    records = shape("c1", "memgardend memories port", PRINTED)
    first = 2 if shape in (codex_exec, codex_shell, codex_local) else 1
    (event,) = read(tmp_path, records, shape, offset=first)
    assert (event.role, event.text) == (Role.OWN, PRINTED)


BACKGROUND = {
    "claude, its output": (
        claude_bash,
        "Command running in background with ID: b7mn2clg0. Output is being written to: /tmp/t.",
        {"type": "tool_use", "id": "c2", "name": "TaskOutput", "input": {"task_id": "b7mn2clg0"}},
    ),
    "claude, its file": (
        claude_bash,
        "Command did not complete within 120s and was moved to the background (ID: b7mn2clg0).",
        {
            "type": "tool_use",
            "id": "c2",
            "name": "Read",
            "input": {"file_path": "/tmp/tasks/b7mn2clg0.output"},
        },
    ),
    "codex": (
        codex_exec,
        "Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 42\nOutput:\n",
        {"type": "function_call", "name": "write_stdin", "call_id": "c2"}
        | {"arguments": json.dumps({"session_id": 42, "chars": ""})},
    ),
}


@pytest.mark.parametrize("case", BACKGROUND.values(), ids=BACKGROUND.keys())
def test_what_goes_on_behind_is_ours_too(tmp_path: Path, case: tuple[Shape, str, Record]) -> None:
    shape, begun, asked = case
    again = (
        [
            _claude("assistant", asked),
            _claude("user", {"type": "tool_result", "tool_use_id": "c2", "content": PRINTED}),
        ]
        if shape is claude_bash
        else [_codex(**asked), _codex(type="function_call_output", call_id="c2", output=PRINTED)]
    )
    events = read(tmp_path, [*shape("c1", "memgardend dream --due", begun), *again], shape)
    assert [event.role for event in events] == [Role.OWN] * 4


NOT_OURS: dict[str, tuple[str, str, object]] = {
    "a shell of another command": ("pytest", "background with ID: b7mn", {"task_id": "b7mn"}),
    "another shell": ("memgardend dream", "background with ID: b7mn", {"task_id": "b7mn2"}),
    "no shell": ("memgardend dream", "Chunk ID: 4f\nOutput:\n", {"mode": "4f"}),
    "far behind": ("memgardend logs", f"{'.' * 2_000} (ID: b7mn)", {"task_id": "b7mn"}),
    "no object": ("memgardend dream", "background with ID: b7mn", '["b7mn"]'),
    "no JSON": ("memgardend dream", "background with ID: b7mn", "b7mn"),
    "too deep": ("memgardend dream", "background with ID: b7mn", "[" * 100_000),
}


@pytest.mark.parametrize(("command", "printed", "asked"), NOT_OURS.values(), ids=NOT_OURS.keys())
def test_what_names_no_shell_of_ours_stays_a_tools(
    command: str, printed: str, asked: object
) -> None:
    calls = Calls()
    calls.call("c1", "Bash", {"command": command})
    calls.result("c1", printed)
    assert calls.call("c2", "TaskOutput", asked)[0] is Role.TOOL


def test_a_number_that_is_no_shell_is_not_ours_by_chance() -> None:
    calls = Calls()
    calls.call("c1", "exec_command", {"cmd": "memgardend dream"})
    calls.result("c1", "Process running with session ID 42")
    for given, role in (({"session_id": 42}, Role.OWN), ({"offset": 42}, Role.TOOL)):
        assert calls.call("c2", "tool", given)[0] is role
        assert calls.call("c3", "tool", json.dumps(given))[0] is role


@pytest.mark.timeout(20)  # looking for each of them in each text would need minutes
def test_no_number_of_shells_makes_a_later_call_slow() -> None:
    calls = Calls()
    for n in range(1_000):
        calls.call(f"c{n}", "Bash", {"command": "memgardend dream"})
        calls.result(f"c{n}", " ".join(f"(ID: {n}x{k})" for k in range(100)))
    long = f"{'a' * 1_000_000} /tmp/tasks/7x7.output"
    for text, role in ((long, Role.OWN), (f"{long}s", Role.OWN), ("a" * 1_000_000, Role.TOOL)):
        assert calls.call("c", "Read", {"file_path": text})[0] is role


TYPED = {
    "claude": (
        claude_bash,
        [
            _claude(
                "user", {"type": "text", "text": "<bash-input>memgardend memories</bash-input>"}
            ),
            _claude("user", {"type": "text", "text": f"<bash-stdout>{PRINTED}</bash-stdout>"}),
            _claude("user", {"type": "text", "text": "<bash-input>ls</bash-input>"}),
            _claude("user", {"type": "text", "text": "<bash-stdout>a</bash-stdout>"}),
        ],
        [Role.OWN, Role.OWN, Role.SYSTEM, Role.SYSTEM],
    ),
    "codex": (
        codex_exec,
        [
            _codex(
                type="message",
                role="user",
                content=[
                    {
                        "type": "input_text",
                        "text": f"<user_shell_command>\n<command>\n{command}\n</command>\n"
                        f"<result>\n{PRINTED}\n</result>\n</user_shell_command>",
                    }
                ],
            )
            for command in ("memgardend memories", "ls")
        ],
        [Role.OWN, Role.SYSTEM],
    ),
}


@pytest.mark.parametrize("case", TYPED.values(), ids=TYPED.keys())
def test_so_is_what_a_person_runs_in_the_agents_shell(
    tmp_path: Path, case: tuple[Shape, list[Record], list[Role]]
) -> None:
    shape, records, roles = case
    events = read(tmp_path, records, shape)
    assert [event.role for event in events] == roles
    assert not begins_as_own(events), "the conversation stays the person's"


def test_what_was_printed_is_known_when_its_command_was_read_before(tmp_path: Path) -> None:
    shape, records, _ = TYPED["claude"]
    (printed, *others) = read(tmp_path, records, shape, offset=1)
    assert (printed.role, [one.role for one in others]) == (Role.OWN, [Role.SYSTEM] * 2)
