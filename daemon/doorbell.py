"""The doorbell: a datagram that wakes the daemon early. The store says what is to be done."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

from memgardend.daemon.locations import state_folder

NAME = "doorbell"
_LONGEST_BYTES = 4096  # PATH_MAX
_KIND = socket.SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC


def ring(workspace: Path) -> bool:
    """Wake the daemon for a workspace; False where none listens."""
    with suppress(OSError), socket.socket(socket.AF_UNIX, _KIND) as sender:
        sender.sendto(bytes(workspace), str(state_folder() / NAME))
        return True
    return False


class Doorbell:
    """The daemon's side. Whoever holds the lock of the state folder may take the place of an older one."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError where no socket can be, such as under too long a path."""
        self._file = folder / NAME
        self._file.unlink(missing_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, _KIND)
        try:
            self.socket.bind(str(self._file))
        except OSError:
            self.socket.close()
            raise

    def rung(self) -> set[Path]:
        """The workspaces for which somebody rang since the last look."""
        found = set[Path]()
        while True:
            try:
                data = self.socket.recv(_LONGEST_BYTES)
            except BlockingIOError:
                return found
            found.add(Path(data.decode("utf-8", errors="surrogateescape")))

    def close(self) -> None:
        """Take it down."""
        self.socket.close()
        self._file.unlink(missing_ok=True)
