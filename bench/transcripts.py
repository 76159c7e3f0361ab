"""Generated transcripts of Claude Code, with the records, sizes and kinds of text that real ones have.

Counted in the recorded sessions that the project is tested against: four calls of a tool a turn, thinking before
some, results of some hundred bytes and sometimes of many thousand, told twice (as the model saw them, and as the
program keeps them), and a fifth of all bytes for ids, usage and the like. What tools show is the source of
Python's standard library, prose is Python's reference; one result in 25 shows a file of settings with made-up
secrets. Nothing is escaped that JavaScript would not escape.
"""

from __future__ import annotations

import json
import pydoc_data.topics
import random
import string
import sysconfig
import uuid
from collections.abc import Iterator
from pathlib import Path

MEGABYTE = 1_000_000
Record = dict[str, object]

CODE = "".join(
    file.read_text("utf-8", "replace")
    for file in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
)
CODE_LINES = CODE.splitlines()
PROSE = [
    paragraph
    for _, topic in sorted(pydoc_data.topics.topics.items())
    for paragraph in topic.split("\n\n")
]
COMMANDS = [
    "git status",
    "python -m pytest -q tests",
    "grep -rn 'def main' src",
    "ls -la src/app",
    "make",
]
PATHS = [
    "src/app.py",
    "src/app/settings.py",
    "tests/test_app.py",
    "docs/index.md",
    "pyproject.toml",
]


class Session:
    """One conversation."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.id = self._uuid()
        self._parent: str | None = None

    def turn(self) -> Iterator[Record]:
        """A request, some work, and an answer."""
        yield self._user(self._prose(20, 300))
        for _ in range(4):
            if self.chance.random() < 0.6:
                thought = {"type": "thinking", "thinking": self._prose(100, 2_000)}
                yield self._assistant(thought | {"signature": self._random(340)})
            if self.chance.random() < 0.3:
                yield self._assistant({"type": "text", "text": self._prose(50, 400)})
            yield from self._call()
        yield self._assistant({"type": "text", "text": self._prose(100, 2_500)})

    def _call(self) -> Iterator[Record]:
        """A call of a tool, and its result."""
        call = f"toolu_01{self._random(22)}"
        name = self.chance.choice(["Read", "Read", "Bash", "Edit"])
        path = f"/srv/app/{self.chance.choice(PATHS)}"
        given: dict[str, object]
        if name == "Bash":
            text = self._settings() if self.chance.random() < 0.16 else self._code()
            given = {"command": self.chance.choice(COMMANDS), "description": "Look at the project"}
            kept: Record = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
        else:
            text = "\n".join(f"{n:6}→{line}" for n, line in enumerate(self._code().split("\n"), 1))
            given = {"file_path": path}
            kept = {"type": "text", "file": {"filePath": path, "content": text, "startLine": 1}}
        if name == "Edit":
            given |= {"old_string": self._code(), "new_string": self._code()}
        yield self._assistant({"type": "tool_use", "id": call, "name": name, "input": given})
        result = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": False}
        yield self._user([result], toolUseResult=kept)

    def _user(self, content: object, **more: object) -> Record:
        return self._record("user", {"role": "user", "content": content}, **more)

    def _assistant(self, block: Record) -> Record:
        usage = {
            "input_tokens": 8,
            "cache_creation_input_tokens": self.chance.randint(100, 9_000),
            "cache_read_input_tokens": self.chance.randint(10_000, 90_000),
            "cache_creation": {"ephemeral_5m_input_tokens": 1424, "ephemeral_1h_input_tokens": 0},
            "output_tokens": self.chance.randint(1, 900),
            "service_tier": "standard",
        }
        message = {
            "model": "claude-opus-4-5-20251101",
            "id": f"msg_01{self._random(22)}",
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        return self._record("assistant", message, requestId=f"req_011{self._random(21)}")

    def _record(self, kind: str, message: Record, **more: object) -> Record:
        parent, self._parent = self._parent, self._uuid()
        return {
            "parentUuid": parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/srv/app",
            "sessionId": self.id,
            "version": "2.0.76",
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": self._parent,
            "timestamp": "2026-11-30T10:00:00.000Z",
            **more,
        }

    def _prose(self, least_chars: int, most_chars: int) -> str:
        """Paragraphs, mostly few of them."""
        chars = min(most_chars, least_chars + int(self.chance.expovariate(4 / most_chars)))
        at = self.chance.randrange(len(PROSE))
        return "\n\n".join(PROSE[at : at + 12])[:chars] or "go on"

    def _code(self) -> str:
        """Lines of a program, mostly few of them."""
        at = self.chance.randrange(len(CODE_LINES))
        return "\n".join(CODE_LINES[at : at + 1 + int(self.chance.expovariate(1 / 45))])

    def _settings(self) -> str:
        names = ["OPENAI_API_KEY=sk-", "DB_PASSWORD=", "GITHUB_TOKEN=ghp_"]
        return "DEBUG=1\n" + "\n".join(name + self._random(36) for name in names)

    def _random(self, chars: int) -> str:
        return "".join(self.chance.choices(string.ascii_letters + string.digits, k=chars))

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))


def write_transcripts(folder: Path, total_bytes: int, files_count: int) -> list[Path]:
    """Files of one conversation each, so many bytes together."""
    chance = random.Random(7)
    files = []
    for _ in range(files_count):
        session = Session(chance)
        file = folder / "p" / f"{session.id}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8") as stream:
            while stream.tell() < total_bytes / files_count:
                for record in session.turn():
                    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
                    stream.write(f"{line}\n")
        files.append(file)
    return files
