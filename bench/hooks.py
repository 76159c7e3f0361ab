"""A hook as a whole process, beside `python -c "import sqlite3, json"`, at each of the moments that it answers."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

from figures import Figure, hand_over

BIN = Path(sys.executable).parent
RUNS = 30
MEMORIES = 200
LIMIT = 2.5
BARE = [sys.executable, "-c", "import sqlite3, json"]
_sessions = count(1)


def cpu_seconds(argv: list[str], stdin: bytes, environ: dict[str, str]) -> tuple[float, bytes]:
    """User and system time of one run, which other work on the machine changes least; and its answer."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(argv, input=stdin, capture_output=True, env=environ, cwd="/", check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


class Workspace:
    """A registered one with memories, in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "work"
        self.folder.mkdir()
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "LANG": "C.UTF-8",
        }
        self._run("init", "--locale", "en")
        self._run("remember", "Always answer in British English.", *self._of("rules"))
        code = (
            "import sys; from memgardend import Garden\n"
            "with Garden.open(sys.argv[1]) as garden:\n"
            f"    for n in range({MEMORIES}):\n"
            "        garden.remember(f'Service number{n} listens on port {5000 + n}.', project='global')\n"
        )
        argv = [sys.executable, "-c", code, str(self.folder)]
        subprocess.run(argv, env=self.environ, check=True, capture_output=True)

    def _of(self, layer: str) -> list[str]:
        return ["--layer", layer, "--project", "global", "--importance", "3"]

    def _run(self, *arguments: str) -> None:
        argv = [str(BIN / "memgardend"), *arguments]
        subprocess.run(argv, env=self.environ, cwd=self.folder, check=True, capture_output=True)

    def fire(self, event: str, session: str, **more: Any) -> tuple[float, bytes]:
        """What one hook took, and what it answered."""
        said = {"hook_event_name": event, "session_id": session, "cwd": str(self.folder), **more}
        argv = [str(BIN / "memgardend-hook"), "claude-code"]
        return cpu_seconds(argv, json.dumps(said).encode(), self.environ)


def block(place: Workspace) -> float:
    """A conversation begins."""
    took, answer = place.fire("SessionStart", f"b{next(_sessions)}", source="startup")
    assert b"British English" in answer
    return took


def hits(place: Workspace) -> float:
    """A message in it calls something up."""
    session = f"h{next(_sessions)}"
    place.fire("UserPromptSubmit", session, prompt="hello")
    asked = "Which port does Service number7 listen on?"
    took, answer = place.fire("UserPromptSubmit", session, prompt=asked)
    assert b"port 5007" in answer, answer
    return took


def nothing(place: Workspace) -> float:
    """A message calls nothing up."""
    session = f"n{next(_sessions)}"
    place.fire("UserPromptSubmit", session, prompt="hello")
    took, answer = place.fire("UserPromptSubmit", session, prompt="Thanks, go on with it.")
    assert answer == b""
    return took


def stop(place: Workspace) -> float:
    """A turn ends."""
    return place.fire("Stop", f"s{next(_sessions)}")[0]


def main() -> None:
    """Measure by turns, so that all meet the same machine; the fastest of each counts."""
    moments = {
        "a conversation begins: the block": block,
        "a message that calls memories up": hits,
        "a message that calls nothing up": nothing,
        "a turn ends": stop,
    }
    with tempfile.TemporaryDirectory() as folder:
        place = Workspace(Path(folder))
        bare, took = [], {name: list[float]() for name in moments}
        for _ in range(RUNS):
            bare.append(cpu_seconds(BARE, b"", place.environ)[0])
            for name, moment in moments.items():
                took[name].append(moment(place))
    figures = [Figure(name, min(times) / min(bare), limit=LIMIT) for name, times in took.items()]
    hand_over([*figures, Figure("the bare process", min(bare) * 1000, "ms")])


if __name__ == "__main__":
    main()
