"""Identifiers: UUIDv7, so that the order of ids is the order of creation."""

from __future__ import annotations

import secrets
import uuid
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.clock import Clock


class Ids:
    """Makes UUIDv7 ids (RFC 9562, 5.7) that rise even within one millisecond.

    The 12 bits after the time count up inside a millisecond (method 1 of RFC 9562, 6.2).
    """

    def __init__(self, clock: Clock, random: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._clock = clock
        self._random = random
        self._last_ms = -1
        self._counter = 0

    def new(self) -> str:
        """A new id of 36 characters."""
        now = self._clock.now_ms()
        if now <= self._last_ms:
            now = self._last_ms
            self._counter += 1
            if self._counter > 0xFFF:
                now, self._counter = now + 1, 0
        else:
            self._counter = int.from_bytes(self._random(1), "big")
        self._last_ms = now
        low = int.from_bytes(self._random(8), "big") & ((1 << 62) - 1)
        value = (now & ((1 << 48) - 1)) << 80 | 0x7 << 76 | self._counter << 64 | 0b10 << 62 | low
        return str(uuid.UUID(int=value))
