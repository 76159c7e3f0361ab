"""What was brought along, judged and noted."""

from __future__ import annotations

from typing import Any

from support.documents.ids import DREAM, ID


def imported(**fields: Any) -> dict[str, Any]:
    """An import that went on and left a batch for later."""
    plain = {
        "file": "chats/2025.txt",
        "policy": "history_import",
        "locale": "en",
        "chars": 5_000_000,
        "dry_run": False,
        "resumed": True,
        "model_calls": 12,
        "batches_left": 40,
        "cards_written": 311,
        "cards_added": 300,
        "batches_done": 794,
        "percent": 95,
        "done": False,
        "skipped": [
            {"reason": "already_applied", "offset": 6000, "key": "import1:b6000"},
            {"reason": "blank_material", "offset": 12000, "chars": 40},
            {"reason": "blank_material", "offset": 18000, "chars": 40},
        ],
        "failed": [
            {"offset": 4_764_000, "key": "k", "error": "no_json_object", "attempts": 2},
        ],
    }
    return {"schema": 1, **plain, **fields}


def estimated() -> dict[str, Any]:
    """What an import would take."""
    return {
        "schema": 1,
        "file": "chats/2025.txt",
        "policy": "history_import",
        "locale": "en",
        "chars": 5_000_000,
        "dry_run": True,
        "batches": 834,
        "tokens_in": 3_602_000,
        "days": 14,
    }


def captured() -> dict[str, Any]:
    """Two cards: a new one, and one in the place of another."""
    return {
        "schema": 1,
        "outcome": "written",
        "policy": "conversation_capture",
        "locale": "en",
        "mutations": [
            {
                "op": "add",
                "mount": "agent-private",
                "card": {
                    "summary": "Ana moved to Lisbon",
                    "content": "Ana moved to Lisbon in May, for the job at the aquarium.",
                    "type": "event",
                    "bucket": "Places & travel",
                    "threads": ["moving"],
                    "importance": 0.75,
                    "retrieval_cues": ["Lisbon", "aquarium"],
                },
            },
            {
                "op": "supersede",
                "target_ids": ["c1"],
                "card": {
                    "summary": "The port is 9090",
                    "content": "The port is 9090",
                    "type": "fact",
                },
            },
        ],
        "trace": {},
    }


def logs() -> dict[str, Any]:
    """A dream that was healed and then failed, as the log tells it."""
    at = {"workspace": "/home/ana/work", "dream": DREAM, "window": ID}
    return {
        "schema": 1,
        "lines": [
            {
                "event": "daemon_started",
                "level": "info",
                "timestamp": "2026-11-30T02:00:00Z",
                "version": "0.1.0",
            },
            {
                "event": "dream_claimed",
                "level": "info",
                "timestamp": "2026-11-30T02:00:02Z",
                "overrode": ["active", "peak"],
                **at,
            },
            {
                "event": "dream_claimed",
                "level": "info",
                "timestamp": "2026-11-30T02:00:03Z",
                "overrode": [],
                **at,
            },
            {
                "event": "dream_healed",
                "level": "warning",
                "timestamp": "2026-11-30T05:00:00Z",
                "deaths": 1,
                **at,
            },
            {
                "event": "dream_failed",
                "level": "error",
                "timestamp": "2026-11-30T05:00:41.250Z",
                "reason": "atomic: login",
                "error": "not \x1b[31mlogged in\n\u202e",
                "hint": None,
                **at,
            },
        ],
    }


def manifest() -> dict[str, Any]:
    """What the library can do without a model, with a store that forgets."""
    return {
        "version": "0.1.0",
        "capabilities": {"capture": True, "maintenance": True, "tools": True, "migrate": False},
        "policies": [
            {"name": "conversation_capture", "max_cards": 2},
            {"name": "history_import", "max_cards": None},
        ],
        "locales": ["en", "zh-Hans"],
        "tools": [{"name": f"memory_{verb}"} for verb in ("search", "read", "write")],
        "storage": {"notices": ["Without transactions a batch may be stored in part."]},
    }
