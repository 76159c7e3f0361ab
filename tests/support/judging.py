"""A round of judging in few words: events, memories and operations in, verdicts out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from memgardend.core.judgement import JudgeContext, Judged, StagedView
from memgardend.core.operations import Answer, parse_answer
from memgardend.core.records import Event, Evidence, Memory, MemoryChange, quote_hash
from memgardend.core.staging import judge_round
from memgardend.core.words import Decision, Refusal, Role, RoundName, Status
from support.dreaming import ALPHA, BETA, NOON, WINDOW, event

NOW = NOON + 86_400_000
SAID = "Please use port 8080 for the API, and write docs in English."
HUMAN = event(1, SAID)
QUOTE = "use port 8080 for the API"


def view(events: Iterable[Event] = (), memories: Iterable[Memory] = ()) -> StagedView:
    """Events as e1…, memories as m1…"""
    return StagedView(
        memories={f"m{i}": memory for i, memory in enumerate(memories, 1)},
        events={f"e{i}": event for i, event in enumerate(events, 1)},
    )


def context(shown: StagedView, **changed: Any) -> JudgeContext:
    """A context in which the shown active memories are all there are."""
    numbers = count(1)
    actives = tuple(one for one in shown.memories.values() if one.status is Status.ACTIVE)
    return JudgeContext(
        **{
            "window": WINDOW,
            "round": RoundName.ATOMIC,
            "now": NOW,
            "locale": "en",
            "projects": (ALPHA, BETA),
            "candidates": actives,
            "active_count": len(actives),
            "new_id": lambda: f"new-{next(numbers)}",
            "turns": tuple(sorted(shown.events.values(), key=lambda event: event.seq)),
            **changed,
        }
    )


def answer(*operations: Mapping[str, Any]) -> Answer:
    """The parsed answer with these operations."""
    parsed = parse_answer(json.dumps({"operations": list(operations)}))
    assert isinstance(parsed, Answer)
    return parsed


def judge(
    events: Sequence[Event],
    memories: Sequence[Memory],
    *operations: Mapping[str, Any],
    **changed: Any,
) -> tuple[tuple[Judged, ...], StagedView]:
    """Judge these operations on a fresh view."""
    shown = view(events, memories)
    return judge_round(shown, answer(*operations), context(shown, **changed))


def verdict(
    events: Sequence[Event],
    memories: Sequence[Memory],
    operation: Mapping[str, Any],
    **changed: Any,
) -> Judged:
    """What becomes of one operation."""
    (judged,), _ = judge(events, memories, operation, **changed)
    return judged


def change(
    events: Sequence[Event],
    memories: Sequence[Memory],
    operation: Mapping[str, Any],
    **changed: Any,
) -> MemoryChange:
    """The first change of one operation that must be staged."""
    judged = verdict(events, memories, operation, **changed)
    assert judged.staged, judged
    return judged.changes[0]


def quoted(event: str, quote: str) -> list[dict[str, str]]:
    """The evidence of one quote."""
    return [{"event": event, "quote": quote}]


def evidence_of(memory_id: str, seq: int) -> Evidence:
    """A row that proves a memory by an earlier event of another window."""
    quote = f"said in event {seq}"
    return Evidence(
        memory=memory_id,
        window="claude-code:w0",
        event=seq,
        start=0,
        end=len(quote),
        role=Role.HUMAN,
        quote=quote,
        at=NOON,
        hash=quote_hash(quote),
    )


def remember(content: str, quote: str, layer: str = "fact", **fields: Any) -> dict[str, Any]:
    """A remember operation that quotes the first event."""
    return {
        "op": "remember",
        "layer": layer,
        "content": content,
        "evidence": quoted("e1", quote),
        **fields,
    }


def refusal(
    events: Sequence[Event],
    memories: Sequence[Memory],
    operation: Mapping[str, Any],
    **changed: Any,
) -> Refusal | None:
    """The word with which one operation is refused; a refused one changes nothing and says why."""
    judged = verdict(events, memories, operation, **changed)
    assert (judged.decision is Decision.REFUSED) == (judged.refusal is not None)
    assert judged.staged or (len(judged.detail) > 10 and not judged.changes)
    return judged.refusal
