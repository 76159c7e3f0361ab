"""A terminal with an agent in it: types as a person does, and sees what is written on the screen."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import subprocess
import termios
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PATIENCE_S = 60
_KEYSTROKES_S = 0.5
"""Between the text and the key that sends it; what comes at once is taken for a paste."""
_CONTROLS = re.compile(rb"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\s")


class Terminal:
    """The side of it that a person has."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._written = bytearray()
        self._news = threading.Condition()
        threading.Thread(target=self._look, daemon=True).start()

    def type(self, text: str) -> None:
        """Type it and send it."""
        os.write(self._descriptor, text.encode())
        threading.Event().wait(_KEYSTROKES_S)
        with self._news:
            self._written.clear()
        os.write(self._descriptor, b"\r")

    def wait_for(self, *signs: str) -> None:
        """Until one of the signs was written since something was sent; spaces do not count."""
        wanted = ["".join(sign.split()) for sign in signs]
        with self._news:
            if not self._news.wait_for(
                lambda: any(one in self._seen() for one in wanted), PATIENCE_S
            ):
                raise TimeoutError(f"none of {signs} in {self._seen()[-2000:]}")

    def _seen(self) -> str:
        return _CONTROLS.sub(b"", bytes(self._written)).decode("utf-8", errors="replace")

    def _look(self) -> None:
        while True:
            try:
                written = os.read(self._descriptor, 1 << 16)
            except OSError:  # how Linux says that nobody has the other side any more
                return
            with self._news:
                self._written += written
                self._news.notify_all()


@contextmanager
def terminal(command: Sequence[str], environ: Mapping[str, str], cwd: Path) -> Iterator[Terminal]:
    """Run a program in a terminal of its own; it ends with the block."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 150, 0, 0))
    try:
        with subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**environ, "TERM": "xterm-256color"},
            cwd=cwd,
            start_new_session=True,
        ) as running:
            try:
                yield Terminal(ours)
            finally:
                running.terminate()
    finally:
        os.close(theirs)
        os.close(ours)
