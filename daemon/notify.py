"""Tell systemd how we are: the protocol of sd_notify(3), one datagram a message."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Notifier:
    """Sends to the socket that the service's environment names; without one, nowhere."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        usec = environ.get("WATCHDOG_USEC", "")
        self.watchdog_seconds = int(usec) / 1_000_000 if usec.isdecimal() else None

    def tell(self, **fields: object) -> None:
        """Send fields such as READY=1. That nobody listens stops no work."""
        if not self._address:
            return
        text = "\n".join(f"{name}={value}" for name, value in fields.items())
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender,
        ):
            sender.sendto(text.encode(), self._address)
