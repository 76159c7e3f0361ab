"""The installed hook, run by a shell as agents run it."""

from __future__ import annotations

import json
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path
from zlib import crc32

import pytest

from memgardend.core.marker import own_parts
from support.commandline import COMMAND, NIGHT, CommandLine, Result
from support.hooks import payload, told

HOOK = COMMAND.with_name("memgardend-hook")
RULE = "Always use British English"
FACT = "The billing service listens on port 9090."
HEAVY = (
    *("pydantic", "typer", "rich", "sqlite_utils", "ruamel", "structlog", "asyncio", "inspect"),
    *("dataclasses", "_hashlib", "pathlib", "typing", "urllib.parse", "zoneinfo"),
)
TELLING = f"""
import json, os, sys
import memgardend.daemon.hook as hook

def tell(code):
    real = (name for name in {HEAVY} if getattr(sys.modules.get(name), "__name__", "") == name)
    json.dump(list(real), sys.stderr)
    sys.exit(code)

os._exit = tell
sys.argv = ["hook", "codex"]
hook.main()
"""
"""The hook as a program that tells at its end which heavy modules it has imported."""
LATE = """
import sys
import memgardend.daemon.hook as hook
{program}
sys.argv = ["hook", "claude-code"]
hook.main()
"""
"""The hook after a change."""
MEETING_THE_DEADLINE = """
import threading
import memgardend.daemon.store.light as light

hook.DEADLINE_S = 60

class Meeting(light.LightGarden):
    def note_marks(self, marks):
        if {noted}:
            super().note_marks(marks)
        over = threading.Thread(target=hook._end, args=("too late",))
        over.start()
        over.join(0.5 if {noted} else None)

light.LightGarden = Meeting
"""
"""The deadline is over before what is shown is noted, or just after that: then it has to wait for the answer."""
POLICY = """
import hashlib, pathlib, subprocess, typing
from dataclasses import KW_ONLY, dataclass, replace

@dataclass
class Card:
    _: KW_ONLY
    name: typing.Annotated[str, pathlib.PurePath]

def choose(cards, query, *, limit):
    from dataclasses import make_dataclass
    from pathlib import PurePosixPath
    from memgardend import Garden

    assert hashlib.blake2b(b"").digest()
    print("choosing")
    subprocess.run(["echo", "chosen"], check=True)
    return [replace(Card(name=""), name=card["id"]).name for card in cards]
"""
BREAKING = """
import sys
import memgardend.daemon.hook_dream as hook_dream

sys.modules["memgardend.daemon.feed"] = None
sys.argv = ["hook_dream", "codex", ".", "codex:1"]
hook_dream.main()
"""
"""The program behind `/dream`, with a part of it missing."""


def fired(command: CommandLine, sent: bytes, agent: str = "claude-code") -> Result:
    """What the shell of an agent sees."""
    done = subprocess.run(
        ["sh", "-c", f"{shlex.quote(str(HOOK))} {agent}"],
        input=sent,
        capture_output=True,
        env=command.environment(),
        cwd="/",
        timeout=120,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def failures(command: CommandLine) -> list[str]:
    """The reasons that the log gives."""
    file = command.home / "state" / "memgardend" / "log.jsonl"
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    return [line["reason"] for line in lines if line["event"] == "hook_failed"]


def start(command: CommandLine, session: str) -> bytes:
    """The payload of a conversation that begins."""
    return payload("SessionStart", session, command.workspace, source="startup")


def test_a_shell_gets_the_block_and_nothing_heavy_was_imported(dreamed: CommandLine) -> None:
    done = fired(dreamed, start(dreamed, "shell"), "codex")
    assert (done.code, done.err) == (0, "")
    block = told(done.out.encode(), "SessionStart")
    assert RULE in block
    key = (dreamed.home / "state" / "memgardend" / "key").read_bytes()
    (ours,) = own_parts(f"<context>\n{block}\n</context>", key)
    assert ours.recalled, "known as ours when it comes back in a transcript"
    looked = subprocess.run(
        [sys.executable, "-c", TELLING],
        input=start(dreamed, "light"),
        capture_output=True,
        env=dreamed.environment(),
        cwd="/",
    )
    assert RULE.encode() in looked.stdout
    assert json.loads(looked.stderr) == []


def test_dream_is_answered_to_the_person_and_not_sent_to_the_model(registered: CommandLine) -> None:
    sent = payload("UserPromptSubmit", "unread", registered.workspace, prompt=" /dream ")
    done = fired(registered, sent)
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == {
        "decision": "block",
        "reason": "Nothing of this conversation has been read yet, so there is nothing to dream.",
    }


def test_a_dream_that_starts_leaves_stdout_to_the_agent(registered: CommandLine) -> None:
    message = {"role": "user", "content": "We chose SQLite."}
    said = {"type": "user", "uuid": "u1", "timestamp": NIGHT, "cwd": str(registered.workspace)}
    file = registered.home / ".claude" / "projects" / "p" / "fresh.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({**said, "message": message}) + "\n", "utf-8")
    sent = payload("UserPromptSubmit", "fresh", registered.workspace, prompt="/dream")
    done = fired(registered, sent)
    assert (done.code, done.err) == (0, "")
    answer = json.loads(done.out)
    assert answer["decision"] == "block"
    assert "memgardend dream claude-code:fresh" in answer["reason"]
    log = registered.home / "state" / "memgardend" / "log.jsonl"
    assert "dream_claimed" in log.read_text("utf-8")


def test_a_dream_that_breaks_is_a_line_in_the_log(registered: CommandLine) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BREAKING],
        capture_output=True,
        env=registered.environment(),
        cwd=registered.workspace,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (reason,) = failures(registered)
    assert reason.startswith("ModuleNotFoundError: ")


def break_registry(command: CommandLine) -> None:
    (command.home / "state" / "memgardend" / "registry.json").write_text("{", "utf-8")


def break_store(command: CommandLine) -> None:
    (command.workspace / ".memgarden" / "memory.db").write_bytes(b"no store, but long enough " * 99)


def break_settings(command: CommandLine) -> None:
    (command.workspace / ".memgarden" / "effective.json").unlink()


@pytest.mark.parametrize("damage", [break_registry, break_store, break_settings])
def test_damage_is_a_line_in_the_log_and_nothing_else(
    registered: CommandLine, damage: object
) -> None:
    registered.push("mail", "hello")
    assert callable(damage)
    damage(registered)
    done = fired(registered, start(registered, "damaged"))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert len(failures(registered)) == 1


def test_a_store_that_stays_locked_ends_the_hook_in_time(registered: CommandLine) -> None:
    registered.push("mail", "hello")
    holder = sqlite3.connect(registered.workspace / ".memgarden" / "memory.db")
    holder.execute("BEGIN EXCLUSIVE")
    done = late(registered, "locked", "hook.DEADLINE_S = 0.2")
    holder.close()
    assert done == Result(0, "", "")
    assert failures(registered) == ["took longer than 0.2 s"]


def late(command: CommandLine, session: str, program: str) -> Result:
    """A hook in a program that has changed something of it."""
    done = subprocess.run(
        [sys.executable, "-c", LATE.format(program=program)],
        input=start(command, session),
        capture_output=True,
        env=command.environment(),
        timeout=120,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_python_that_hashes_by_openssl_alone_tells_the_block(dreamed: CommandLine) -> None:
    without = "sys.modules['_sha256'] = sys.modules['_sha2'] = None"
    assert RULE in late(dreamed, "fips", without).out


@pytest.mark.parametrize("noted", [False, True], ids=["before anything is noted", "after it"])
def test_after_the_deadline_what_was_noted_is_told_and_nothing_else_noted(
    dreamed: CommandLine, noted: bool
) -> None:
    session, before = f"late-{noted}", len(failures(dreamed))
    done = late(dreamed, session, MEETING_THE_DEADLINE.format(noted=noted))
    store = sqlite3.connect(dreamed.workspace / ".memgarden" / "memory.db")
    about = "SELECT count(*) FROM window_memories WHERE window = ?"
    ((marks,),) = store.execute(about, (f"claude-code:{session}",))
    store.close()
    assert (done.code, done.err) == (0, "")
    assert (RULE in done.out, bool(marks)) == (noted, noted)
    assert failures(dreamed)[before:] == ([] if noted else ["too late"])


def test_a_policy_of_ones_own_gets_the_whole_standard_library(registered: CommandLine) -> None:
    about = ("--project", "global", "--importance", "3")
    registered.ok("remember", RULE, "--layer", "rules", *about)
    registered.ok("remember", FACT, "--layer", "fact", *about)
    registered.home.joinpath("chooser.py").write_text(POLICY, "utf-8")
    settings = registered.workspace / "memgarden.yaml"
    settings.write_text(f"{settings.read_text('utf-8')}\nrecall: {{policy: 'chooser:choose'}}\n")
    command = CommandLine(registered.home, extra={"PYTHONPATH": str(registered.home)})
    command.ok("ingest")
    assert RULE in fired(command, start(command, "own")).out
    hello, asked = (
        fired(command, payload("UserPromptSubmit", "own", command.workspace, prompt=prompt))
        for prompt in ("hello", FACT)
    )
    assert (hello.out, hello.err) == ("", "")
    assert FACT in told(asked.out.encode(), "UserPromptSubmit")
    assert sorted(asked.err.split()) == ["choosing", "chosen"], "stdout is the answer alone"
    (*_, recall) = command.ok("logs", "--recalls", "--json").json()["recalls"]
    assert recall["rules"].endswith(f"+cfg:{crc32(b'chooser:choose'):08x}")


def test_agents_that_dreams_run_are_told_nothing(dreamed: CommandLine) -> None:
    ours = CommandLine(dreamed.home, extra={"MEMGARDEND_RUN": "r1"})
    assert fired(ours, start(dreamed, "ours")) == Result(0, "", "")


def test_the_shell_of_an_agent_needs_no_home_of_ours(tmp_path: Path) -> None:
    bare = CommandLine(tmp_path)
    assert fired(bare, start(bare, "bare")) == Result(0, "", "")
    assert fired(bare, b"") == Result(0, "", "")
