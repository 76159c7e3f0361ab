"""Where a conversation that never goes quiet is cut."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from memgardend.core.clock import MINUTE_MS
from memgardend.core.words import SPEECH_ROLES, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Event

PAUSE_MS = 10 * MINUTE_MS
"""Quiet for so long is a pause: longer than nearly all tool calls and turns, and shorter than a break."""


def last_pause(events: Sequence[Event]) -> int:
    """The `seq` of the last event before the last pause, so that no exchange is torn apart.

    `events` are by seq, without gaps in what is new. Without a pause of ten minutes, the last event before the
    newest human turn; without that, the last event. What comes before the cut always holds speech, so
    that a dream cut here makes progress. Raises ValueError without events.
    """
    if not events:
        raise ValueError("no events, no pause")
    spoken = False
    pause: int | None = None
    turn: int | None = None
    for event, following in pairwise(events):
        spoken = spoken or event.role in SPEECH_ROLES
        if spoken and following.at - event.at >= PAUSE_MS:
            pause = event.seq
        if spoken and following.role is Role.HUMAN:
            turn = event.seq
    if pause is not None:
        return pause
    return events[-1].seq if turn is None else turn
