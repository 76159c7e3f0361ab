"""A model that takes its time."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass

from memgardend.core.clock import MINUTE_MS
from memgardend.core.ports import ModelCall, ModelReply
from memgardend.core.words import Outcome


@dataclass
class SlowModel:
    """Takes its time, by chance. It notes what it is asked, and changes one memory, so that dreams are applied."""

    chance: random.Random
    minutes: tuple[int, ...]
    note: Callable[..., None]
    wait: Callable[[str, int], None]  # the dream that waits, and milliseconds

    def ask(self, call: ModelCall, tick: Callable[[], bool]) -> ModelReply:
        request, window = json.loads(call.request), native(call.window)
        shown = tuple(one["text"] for one in request["events"] if one["shown"])
        about = {"dream": call.dream, "run": call.run, "round": str(call.round)}
        place = window.partition("-")[0]
        self.note("asked", place, window, shown, **about)
        minutes = self.chance.choice(self.minutes)
        for _ in range(minutes):
            self.wait(call.dream, MINUTE_MS)
            if not tick():
                return ModelReply(outcome=Outcome.CANCELLED)
        self.note("answered", place, window, minutes=minutes, **about)
        answer = {"operations": _operations(request), "questions": [], "summary": "ok"}
        text = json.dumps(answer)
        return ModelReply(outcome=Outcome.OK, text=text, duration_ms=minutes * MINUTE_MS)


def native(window: str) -> str:
    """The name that the agent gave it."""
    return window.partition(":")[2]


def _operations(request: dict[str, object]) -> list[dict[str, object]]:
    memories, events = request["memories"], request["events"]
    assert isinstance(memories, list)
    assert isinstance(events, list)
    if request["round"] != "atomic":
        return []
    if memories:
        one = memories[0]
        importance = one["importance"] % 4 + 1
        return [{"op": "update", "id": one["handle"], "importance": importance, "reason": "seen"}]
    first = next(one for one in events if one["shown"])
    quote = {"event": first["handle"], "quote": first["text"]}
    return [
        {
            "op": "remember",
            "layer": "fact",
            "content": first["text"],
            "scope": "global",
            "keywords": ["turn"],
            "importance": 1,
            "evidence": [quote],
        }
    ]
