"""Where a conversation that never goes quiet is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.clock import MINUTE_MS
from memgardend.core.words import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.records import Event

PAUSE_MS = 10 * MINUTE_MS
"""Quiet for so long is a pause: longer than nearly all tool calls and turns, and shorter than a break."""


def last_pause(newest_first: Iterable[Event], spoken_seq: int) -> int | None:
    """The `seq` of the last event before the last pause, so that no exchange is torn apart.

    `newest_first` are the events by falling seq; none is read that the answer does not need. `spoken_seq` is the
    first speech that is due: no cut lies before it, so that a dream cut here makes progress. Without a pause
    of ten minutes, the last event before the newest human turn; without that, the last event; None without events.
    """
    last: int | None = None
    turn: int | None = None
    following: Event | None = None
    for event in newest_first:
        if following is None:
            last = event.seq
        elif event.seq < spoken_seq:
            break
        elif following.at - event.at >= PAUSE_MS:
            return event.seq
        elif turn is None and following.role is Role.HUMAN:
            turn = event.seq
        following = event
    return last if turn is None else turn
