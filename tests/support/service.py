"""A service of systemd on a machine, as a person sees it through systemctl."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from support.machine import PERSON, Machine, until

WORK = f"/home/{PERSON}/work"
DROP_IN = "50-test.conf"


@dataclass(frozen=True)
class Unit:
    """One unit, of the system or of the person."""

    machine: Machine
    name: str
    folder: str
    own: bool = False  # the person's

    def ctl(self, *words: str, ok: bool = True) -> str:
        """Say something to its systemd."""
        if self.own:
            return self.machine.person("systemctl", "--user", *words, ok=ok).stdout.strip()
        return self.machine.run("systemctl", *words, ok=ok).stdout.strip()

    def show(self, name: str) -> str:
        """One property."""
        return self.ctl("show", "--value", f"--property={name}", self.name)

    @property
    def pid(self) -> int:
        """The daemon; 0 while there is none."""
        return int(self.show("MainPID"))

    def set(self, **settings: str) -> None:
        """Change settings of the service for a test."""
        lines = ["[Service]", *(f"{name}={value}" for name, value in settings.items())]
        self.machine.write(f"{self.folder}/{self.name}.d/{DROP_IN}", "\n".join(lines) + "\n")
        self.ctl("daemon-reload")

    def started(self) -> int:
        """Start it, if it does not run; the daemon."""
        self.ctl("reset-failed", self.name, ok=False)
        self.ctl("start", self.name)
        return self.pid

    def kill(self, signal: str) -> None:
        """Send the daemon alone a signal."""
        self.ctl("kill", f"--signal={signal}", "--kill-who=main", self.name)

    def replaced(self, pid: int) -> int:
        """Wait until another daemon is active."""
        until(
            lambda: self.pid not in (0, pid) and self.show("ActiveState") == "active", "it is back"
        )
        return self.pid


def dreams(machine: Machine) -> list[dict[str, Any]]:
    """What `memgardend dreams` says."""
    found: list[dict[str, Any]] = json.loads(
        machine.memgardend("dreams", "--json", "-n", "0", "-w", WORK)
    )["dreams"]
    return found


def push(machine: Machine, window: str, text: str) -> None:
    """Let the person have said this five hours ago."""
    at = machine.out("date", "--utc", "--date=5 hours ago", "+%Y-%m-%dT%H:%M:%SZ")
    event = {"window": window, "id": f"{window}-1", "at": at, "role": "human", "text": text}
    machine.memgardend("event", "-w", WORK, stdin=json.dumps(event))


def running(machine: Machine, command: str) -> int:
    """How many processes there are with this command line."""
    return len(machine.run("pgrep", "-fx", command, ok=False).stdout.split())
