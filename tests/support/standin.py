"""The vendors' commands, played by small scripts: in a home folder whose mood a test chooses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from memgardend.core.clock import SystemClock

STANDINS = Path(__file__).with_name("standins")
ORDERS = {
    "claude": "claude",
    "codex": "codex/gpt-9",
    "gemini": "gemini",
    "llm": "llm/small",
    "ollama": "ollama/llama3.2",
}
"""Each preset as the short form of the settings asks for it."""


@dataclass(frozen=True)
class Home:
    """A home folder in which the stand-ins look for their mood, and note what they are given."""

    path: Path

    def environ(self) -> dict[str, str]:
        """An environment in which the stand-ins come first."""
        return {"HOME": str(self.path), "PATH": f"{STANDINS}{os.pathsep}{os.environ['PATH']}"}

    def mood(self, word: str) -> None:
        """How the next call will go."""
        (self.path / "mood").write_text(word, "ascii")

    def seen(self, what: str) -> str:
        """The argv, stdin, env or cwd of the last call."""
        return (self.path / "seen" / what).read_text("utf-8")


class LeapingClock(SystemClock):
    """Leaps ahead once the stand-in has said enough, and what it said has been read."""

    def __init__(self, home: Home, leap_seconds: float) -> None:
        self.enough = home.path / "seen" / "enough"
        self.leap_seconds = leap_seconds
        self.looks_left = 8  # two rounds of reading

    def monotonic(self) -> float:
        """Seconds, with the leap."""
        if self.looks_left and self.enough.exists():
            self.looks_left -= 1
        return super().monotonic() + (0 if self.looks_left else self.leap_seconds)
