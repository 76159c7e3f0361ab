"""What the work loop waits on: time, a signal, a worker that ended, the scheduler, and the doorbell."""

from __future__ import annotations

import select
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.daemon.doorbell import Doorbell


class Waker:
    """A pipe to itself, as a lock would not do: a signal handler may wake while the loop holds it."""

    def __init__(self, doorbell: Doorbell | None) -> None:
        self._doorbell = doorbell
        self._receiver, self._sender = socket.socketpair()
        self._receiver.setblocking(False)
        self._sender.setblocking(False)

    def wake(self) -> None:
        """End the wait, now or the next one. For any thread and for signal handlers."""
        with suppress(OSError):  # full: it will wake anyway
            self._sender.send(b"!")

    def wait(self, seconds: float) -> set[Path]:
        """Return after the seconds of monotonic time, or earlier; the workspaces somebody rang for."""
        sources = [self._receiver, *([self._doorbell.socket] if self._doorbell else [])]
        select.select(sources, [], [], max(0.0, seconds))
        with suppress(BlockingIOError):
            while self._receiver.recv(1024):
                pass
        return self._doorbell.rung() if self._doorbell else set()

    def close(self) -> None:
        """Give the sockets back."""
        self._receiver.close()
        self._sender.close()
        if self._doorbell:
            self._doorbell.close()
