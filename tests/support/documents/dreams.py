"""Dreams, whole and in a list."""

from __future__ import annotations

from typing import Any

from support.documents.ids import DREAM, ID, NOW
from support.documents.memories import memory
from support.documents.money import money, spent


def dream(**changes: Any) -> dict[str, Any]:
    """An applied dream."""
    rounds = [
        {"name": "atomic", "state": "staged", "model_calls": 1, "operations": 4, "refused": 1},
        {"name": "topic", "state": "staged", "model_calls": 2, "operations": 1, "refused": 0},
        {"name": "project", "state": "skipped", "model_calls": 0, "operations": 0, "refused": 0},
    ]
    return {
        "id": DREAM,
        "short": "019ad3b2-4",
        "window": ID,
        "window_short": "a81f2c",
        "state": "applied",
        "reason": None,
        "error": None,
        "manual": False,
        "overrode": [],
        "seal": "2026-11-30T04:59:00Z",
        "from_seq": 0,
        "through_seq": 37,
        "attempts": 1,
        "created_at": "2026-11-30T05:00:00Z",
        "started_at": "2026-11-30T05:00:00Z",
        "finished_at": "2026-11-30T05:00:41Z",
        "next_attempt_at": None,
        "undone_at": None,
        "changes": {"added": 3, "changed": 1, "archived": 0},
        "review": 0,
        "rounds": rounds,
        "spent": spent(),
    } | changes


def _refused(operation: dict[str, Any]) -> dict[str, Any]:
    return {
        "operation": operation,
        "decision": "refused",
        "refusal": "malformed",
        "detail": "something is missing",
        "memories": [],
    }


def show() -> dict[str, Any]:
    """That dream, whole."""
    document = dream()
    details: dict[str, Any] = {"summary": None, "questions": [], "problems": [], "verdicts": []}
    document["rounds"] = [one | details for one in document["rounds"]]
    document["rounds"][0]["summary"] = "Spelling and the new port."
    document["rounds"][0]["verdicts"] = [
        {
            "operation": {"op": "remember", "content": "The port is 9090."},
            "decision": "refused",
            "refusal": "quote_not_found",
            "detail": "“port is 9090” stands in no event shown",
            "memories": [],
        },
        _refused({"op": "merge", "ids": ["m1", "m2"], "into": {"content": "One server."}}),
        _refused({"op": "split", "id": "m3", "into": [{"content": "Backups."}, {}]}),
        _refused({"op": "supersede", "ids": ["m1", "m2"], "by": "this"}),
        _refused({"row": "remember it"}),
    ]
    change = {"change": "changed", "operation": "update", "round": "atomic", "reason": "said again"}
    receipt = {
        "round": "atomic",
        "ask": 1,
        "at": "2026-11-30T05:00:01Z",
        "outcome": "ok",
        "prompt_chars": 12340,
        "answer_chars": 800,
        "tokens_in": 3085,
        "tokens_out": 200,
        "tokens_reported": False,
        "duration_ms": 312,
        "phase": "off_peak",
        "cost": None,
        "currency": None,
        "peak_cost": None,
        "counted": False,
        "model": "offline",
        "detail": None,
    }
    return {
        "schema": 1,
        **document,
        "plan": None,
        "memories": [change | memory()],
        "receipts": [
            receipt,
            receipt
            | {"cost": "0.003485", "peak_cost": "0.006970", "currency": "CNY", "counted": True},
        ],
    }


def retried() -> dict[str, Any]:
    """One that may start, one that waits for an instant, one that waits for a person."""
    row = {"id": DREAM, "window": ID, "was": "quarantined", "attempts": 5}
    return {
        "schema": 1,
        "dreams": [
            row | {"may": True, "next_at": NOW, "held_by": None},
            row
            | {
                "was": "failed",
                "may": False,
                "next_at": "2026-11-30T10:00:00Z",
                "held_by": "peak",
            },
            row | {"may": False, "next_at": None, "held_by": "paused"},
        ],
    }


def dreams() -> list[dict[str, Any]]:
    """One running, one failed, one applied that wants review."""
    running = dream(
        short="019ad3b9-1",
        state="running",
        created_at="2026-11-30T08:47:17Z",
        started_at="2026-11-30T08:47:17Z",
        finished_at=None,
        rounds=[],
    )
    failed = dream(
        short="019ad3b5-7",
        state="failed",
        reason="model: exit 1",
        finished_at=None,
        rounds=[],
        spent=spent(calls=1, estimated=1, unpriced=1),
    )
    empty = {"added": 0, "changed": 0, "archived": 0}
    return [
        running | {"changes": empty},
        failed | {"changes": empty},
        dream(review=2, spent=spent(calls=3, money=[money()])),
    ]
