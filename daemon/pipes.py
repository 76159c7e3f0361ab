"""The three pipes of a running program: its stdin is fed and its output read without ever blocking."""

from __future__ import annotations

import os
import selectors
from typing import IO

STDERR_TAIL_BYTES = 64 * 1024
_CHUNK_BYTES = 64 * 1024


class Pipes:
    """Feeds `prompt` and collects output: stdout up to a cap, of stderr the tail."""

    def __init__(
        self,
        stdin: IO[bytes],
        stdout: IO[bytes],
        stderr: IO[bytes],
        prompt: bytes,
        cap_bytes: int,
    ) -> None:
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.stderr_cut = False
        self.too_large = False
        self._cap_bytes = cap_bytes
        self._rest = memoryview(prompt)
        self._out = stdout
        self._selector = selectors.DefaultSelector()
        for pipe, events in (
            (stdin, selectors.EVENT_WRITE),
            (stdout, selectors.EVENT_READ),
            (stderr, selectors.EVENT_READ),
        ):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, events)

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()

    def open(self) -> bool:
        """True while the program, or a child of it, may still say something."""
        keys = self._selector.get_map().values()
        return any(key.events & selectors.EVENT_READ for key in keys)

    def move(self, seconds: float) -> bool:
        """Wait at most so long for a pipe to be ready and serve it once; True when output came."""
        heard = False
        for key, _ in self._selector.select(seconds):
            pipe: IO[bytes] = key.fileobj  # type: ignore[assignment]
            if key.events & selectors.EVENT_WRITE:
                self._feed(pipe)
            elif data := self._read(pipe):
                self._keep(pipe, data)
                heard = True
        return heard

    def _feed(self, pipe: IO[bytes]) -> None:
        try:
            written = os.write(pipe.fileno(), self._rest[:_CHUNK_BYTES])
        except BlockingIOError:
            return
        except BrokenPipeError:  # it does not read its prompt; its answer may still be good
            written = len(self._rest)
        self._rest = self._rest[written:]
        if not self._rest:
            self._drop(pipe)

    def _read(self, pipe: IO[bytes]) -> bytes:
        try:
            data = os.read(pipe.fileno(), _CHUNK_BYTES)
        except BlockingIOError:
            return b""
        if not data:
            self._drop(pipe)
        return data

    def _keep(self, pipe: IO[bytes], data: bytes) -> None:
        if pipe is self._out:
            room = self._cap_bytes - len(self.stdout)
            self.too_large |= len(data) > room
            self.stdout += data[:room]
            return
        self.stderr += data
        if len(self.stderr) > STDERR_TAIL_BYTES:
            del self.stderr[:-STDERR_TAIL_BYTES]
            self.stderr_cut = True

    def _drop(self, pipe: IO[bytes]) -> None:
        self._selector.unregister(pipe)
        pipe.close()
