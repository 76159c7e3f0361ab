"""What hooks add to conversations, and that they stay silent whatever happens."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from memgardend.config.zones import zone
from memgardend.core.agent_events import read_payload
from memgardend.core.clock import DAY_MS
from memgardend.core.times import local
from memgardend.daemon.hook import LARGEST_BYTES, respond
from memgardend.daemon.hook_recall import take_zone
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.light import FOLDED_BY_A_HOOK
from support.commandline import CommandLine
from support.hooks import ask, own_zone, payload
from support.knowing import FACT, PORT, RULE, knowing


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A registered workspace that remembers a rule and a fact."""
    return knowing(tmp_path_factory.mktemp("hooked"))


@pytest.fixture
def work(made: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its folder, with this process in its home."""
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    return made.workspace


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_the_block_comes_once_and_hits_from_the_second_message_on(work: Path, agent: str) -> None:
    def say(event: str, **more: str) -> str:
        return ask(event, "twice", work, agent=agent, **more)

    block = say("SessionStart", source="startup")
    assert RULE in block
    assert "Mia" in block
    assert FACT not in block
    assert say("SessionStart", source="startup") == ""
    assert say("UserPromptSubmit", prompt=PORT) == "", "no hits with the first message"
    assert FACT in say("UserPromptSubmit", prompt=PORT)
    assert say("UserPromptSubmit", prompt=PORT) == "", "seen"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("/dream", True),
        (" /dream\n", True),
        ("/mcp__memgardend__dream", True),
        ("memgardend dream", True),
        ("/dream of sheep", False),
        ("/mcp__other__dream", False),
        ("dream", False),
    ],
)
def test_only_a_command_asks_to_dream(typed: str, meant: bool) -> None:
    event = read_payload("claude-code", payload("UserPromptSubmit", "s", "/w", prompt=typed))
    assert event is not None
    assert event.asks_to_dream is meant


def test_without_a_start_the_first_message_brings_the_block(work: Path) -> None:
    assert RULE in ask("UserPromptSubmit", "late", work, prompt=PORT)
    assert FACT in ask("UserPromptSubmit", "late", work, prompt=PORT)


def test_a_resumed_conversation_is_told_nothing(work: Path) -> None:
    assert RULE in ask("SessionStart", "resumed", work, source="startup")
    assert ask("SessionStart", "resumed", work, source="resume") == ""
    assert ask("UserPromptSubmit", "resumed", work, prompt=PORT) == "", "it is still the first"
    assert FACT in ask("UserPromptSubmit", "resumed", work, prompt=PORT)


def test_one_that_began_without_us_is_told_what_its_messages_call_up(work: Path) -> None:
    for _ in range(2):
        assert ask("SessionStart", "older", work, source="resume") == ""
    assert FACT in ask("UserPromptSubmit", "older", work, prompt=PORT)
    assert ask("SessionStart", "older", work, source="compact") == ""
    assert RULE in ask("UserPromptSubmit", "older", work, prompt="go on")


def test_a_copy_of_a_conversation_holds_the_block_already(work: Path) -> None:
    assert ask("SessionStart", "copy", work, source="fork") == ""
    assert ask("SessionStart", "copy", work, source="startup") == "", "it is there already"
    assert FACT in ask("UserPromptSubmit", "copy", work, prompt=PORT)
    assert ask("SessionStart", "copy", work, source="compact") == ""
    assert RULE in ask("UserPromptSubmit", "copy", work, prompt="go on")


@pytest.mark.parametrize("tag", ["<task-notification>", "<teammate-message from='x'>"])
def test_what_the_program_says_is_no_message(work: Path, tag: str) -> None:
    session = tag[1:5]
    assert ask("UserPromptSubmit", session, work, prompt=f"{tag}\n{PORT}") == ""
    assert RULE in ask("UserPromptSubmit", session, work, prompt=PORT), "the first of the person"


@pytest.mark.parametrize(
    ("event", "how"),
    [
        ("SessionStart", {"source": "compact"}),
        ("PostCompact", {"trigger": "auto"}),
        ("PreCompact", {"trigger": "manual", "custom_instructions": ""}),
    ],
)
def test_after_a_compaction_the_next_message_brings_all_again(
    work: Path, event: str, how: dict[str, str]
) -> None:
    session = f"compacted-{event}"
    ask("SessionStart", session, work, source="startup")
    assert ask("UserPromptSubmit", session, work, prompt="hello") == ""
    assert ask(event, session, work, **how) == ""
    assert RULE in ask("UserPromptSubmit", session, work, prompt="go on")
    assert FACT in ask("UserPromptSubmit", session, work, prompt=PORT)


def test_a_folder_inside_belongs_to_the_workspace_and_one_outside_to_nobody(work: Path) -> None:
    inside = work / "src" / "deep"
    inside.mkdir(parents=True, exist_ok=True)
    assert RULE in ask("SessionStart", "inside", inside, source="startup")
    assert ask("SessionStart", "outside", work.parent, source="startup") == ""
    assert ask("SessionStart", "nowhere", "relative/path", source="startup") == ""


@pytest.mark.parametrize(
    ("event", "more"),
    [
        ("SessionStart", {"source": "startup", "agent_id": "a1", "agent_type": "Explore"}),
        ("UserPromptSubmit", {"prompt": PORT, "agent_id": "a1"}),
        ("SubagentStop", {}),
        ("PreToolUse", {"tool_name": "Bash"}),
        ("SessionStart", {"source": "tomorrow"}),
    ],
)
def test_sub_agents_and_other_events_are_nothing_to_us(
    work: Path, event: str, more: dict[str, str]
) -> None:
    assert respond(["claude-code"], payload(event, "aside", work, **more)) == b""


def test_the_end_of_a_turn_rings_for_the_daemon(made: CommandLine, work: Path) -> None:
    bell = made.home / "state" / "memgardend" / "doorbell"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as daemon:
        daemon.bind(str(bell))
        daemon.settimeout(10)
        assert ask("Stop", "turn", work, stop_hook_active=False) == ""
        assert daemon.recv(4096) == bytes(work)
    bell.unlink()


def test_halves_of_characters_and_foreign_bytes_are_no_trouble(work: Path) -> None:
    ask("SessionStart", "odd", work, source="startup")
    ask("UserPromptSubmit", "odd", work, prompt="\ud800 hello")
    broken = payload("UserPromptSubmit", "odd", work, prompt="@@" + PORT).replace(
        b"@@", b"\xff\xfe"
    )
    with own_zone():
        assert FACT.encode() in respond(["claude-code"], broken)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"not json",
        b"[]",
        b'{"hook_event_name": "Stop", "session_id": ""}',
        b'{"hook_event_name": "Stop", "session_id": "a\\u0000b"}',
        b" " * (LARGEST_BYTES + 1),
    ],
    ids=["nothing", "prose", "list", "no session", "control character", "too large"],
)
def test_what_is_no_payload_is_said_to_the_log_alone(raw: bytes) -> None:
    with pytest.raises(ValueError):
        respond(["claude-code"], raw)


def test_who_names_no_agent_learns_from_the_log_what_to_name() -> None:
    with pytest.raises(ValueError, match="memgardend-hook claude-code"):
        respond([], b"{}")


def test_a_workspace_without_a_store_is_told_nothing_and_gets_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = CommandLine(tmp_path)
    command.ok("init", "--locale", "en")
    monkeypatch.setenv("XDG_STATE_HOME", str(command.home / "state"))
    assert ask("SessionStart", "new", command.workspace, source="startup") == ""
    assert not (command.workspace / ".memgarden" / "memory.db").exists()


def test_whoever_writes_just_now_is_not_waited_for(work: Path) -> None:
    writer = Database.open(work / ".memgarden" / "memory.db")
    with writer.write():
        assert RULE in ask("SessionStart", "busy", work, source="startup")
    writer.close()
    assert ask("SessionStart", "busy", work, source="startup") == "", "the mark was kept aside"


def test_a_hook_takes_a_few_marks_along_that_others_had_to_put_aside(work: Path) -> None:
    spool = work / ".memgarden" / "spool"
    ask("SessionStart", "before", work, source="startup")
    writer = Database.open(work / ".memgarden" / "memory.db")
    with writer.write():
        for n in range(FOLDED_BY_A_HOOK + 2):
            ask("SessionStart", f"aside-{n}", work, source="startup")
    writer.close()
    waiting = []
    for n in range(3):
        waiting.append(len(list(spool.glob("*.json"))))
        ask("SessionStart", f"along-{n}", work, source="startup")
    assert waiting == [FOLDED_BY_A_HOOK + 2, 2, 0]


@pytest.mark.parametrize(
    "name",
    [
        "Asia/Shanghai",
        "America/New_York",
        "Australia/Lord_Howe",
        "Africa/Casablanca",
        "Asia/Kolkata",
    ],
)
def test_times_are_those_of_the_zone_that_is_set(name: str) -> None:
    with own_zone():
        taken = take_zone(name)
        for day in range(0, 40_000, 97):
            at_ms = day * DAY_MS + 1
            assert local(at_ms, taken).isoformat() == local(at_ms, zone(name)).isoformat()


def test_an_unknown_zone_is_not_taken_for_another() -> None:
    with own_zone(), pytest.raises(FileNotFoundError, match="Mars/Olympus"):
        take_zone("Mars/Olympus")


def test_settings_that_change_reach_hooks_with_the_next_command(
    made: CommandLine, work: Path
) -> None:
    effective = work / ".memgarden" / "effective.json"
    assert effective.stat().st_mode & 0o777 == 0o600
    before = json.loads(effective.read_text("utf-8"))
    settings = work / "memgarden.yaml"
    text = settings.read_text("utf-8")
    settings.write_text(text + "\nrecall: {hit_top_k: 0}\n", "utf-8")
    made.ok("run", "--once")
    after = json.loads(effective.read_text("utf-8"))
    assert (before["recall"]["hit_top_k"], after["recall"]["hit_top_k"]) == (2, 0)
    ask("UserPromptSubmit", "none", work, prompt="hello")
    assert ask("UserPromptSubmit", "none", work, prompt=PORT) == ""
    settings.write_text(text, "utf-8")
    made.ok("run", "--once")
