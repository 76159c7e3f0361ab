"""The installed command, run as a person would, in a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.forked import run_forked

COMMAND = Path(sys.executable).with_name("memgardend")
NIGHT = "2026-12-01T03:00:00+08:00"
"""Off-peak in the default zone."""


@dataclass(frozen=True)
class Result:
    """How a command ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """stdout as the one JSON document it must be."""
        return json.loads(self.out)

    def error(self) -> Any:
        """The last line of stderr as a JSON error."""
        return json.loads(self.err.splitlines()[-1])


@dataclass
class CommandLine:
    """A home folder, a workspace in it, and a clock that stands still at `now`."""

    home: Path
    now: str = NIGHT
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def workspace(self) -> Path:
        """The folder in which commands run."""
        return self.home / "work"

    def environment(self) -> dict[str, str]:
        """Nothing of the person who runs the tests, but the PATH."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "LANG": "C.UTF-8",
            "MEMGARDEND_CLOCK": f"{self.now}@0",
            **self.extra,
        }

    def run(self, *arguments: str, stdin: str = "", cwd: Path | None = None) -> Result:
        """Run one command line in the workspace, in a forked process."""
        self.workspace.mkdir(parents=True, exist_ok=True)
        return Result(*run_forked(arguments, stdin, self.environment(), cwd or self.workspace))

    def installed(self, *arguments: str, stdin: str = "", cwd: Path | None = None) -> Result:
        """Run one command line by the installed program itself."""
        self.workspace.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=self.environment(),
            cwd=cwd or self.workspace,
            timeout=120,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def staying(self, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        """Run one that does not end by itself; it is ended with the block."""
        with subprocess.Popen(
            [COMMAND, *arguments],
            env=self.environment(),
            cwd=self.workspace,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as running:
            try:
                yield running
            finally:
                running.kill()

    def ok(self, *arguments: str, stdin: str = "") -> Result:
        """Run one that must succeed."""
        result = self.run(*arguments, stdin=stdin)
        assert result.code == 0, result
        return result

    def configure(self, yaml: str) -> None:
        """Write the settings."""
        self.workspace.mkdir(parents=True, exist_ok=True)
        (self.workspace / "memgarden.yaml").write_text(yaml, "utf-8")

    def push(self, window: str, *texts: str, at: str = "2026-11-30T12:00:00Z") -> None:
        """Let a person say these things in a window."""
        lines = [
            json.dumps(
                {"window": window, "id": f"{window}-{n}", "at": at, "role": "human", "text": text}
            )
            for n, text in enumerate(texts, start=1)
        ]
        self.ok("event", stdin="\n".join(lines))
