"""The state of a workspace."""

from __future__ import annotations

from typing import Any

from support.documents.ids import DREAM, ID, NOW
from support.documents.money import dollars, money, spent
from support.documents.windows import windows


def status(**changes: Any) -> dict[str, Any]:
    """A workspace whose daemon never ran, with four windows."""
    return {
        "schema": 1,
        "now": NOW,
        "clock": "system",
        "daemon": {
            "state": "never",
            "pid": None,
            "started_at": None,
            "last_tick_at": None,
            "version": None,
            "errors": 0,
            "last_error": None,
            "last_error_at": None,
            "settings_kept": None,
            "settings_old": False,
            "trouble": None,
            "retry_at": None,
            "hint": None,
        },
        "hooks": {"settings_old": False},
        "workspace": "/home/ana/work",
        "model": "offline",
        "model_agreed": True,
        "paused": False,
        "paused_until": None,
        "suppression": {
            "suppressed": True,
            "time_zone": "Asia/Shanghai",
            "calendar": None,
            "next_change_at": "2026-11-30T10:00:00Z",
            "next_allowed_at": "2026-11-30T10:00:00Z",
            "never_allows": False,
        },
        "budget": {},
        "spent": {"today": spent(), "last_7_days": spent()},
        "breaker": {"failures": 0, "open_until": None},
        "last_dream": {
            "id": DREAM,
            "short": "019ad3b2-4",
            "window": ID,
            "state": "applied",
            "finished_at": "2026-11-30T05:00:41Z",
        },
        "next": {
            "window": "event:mail",
            "at": "2026-11-30T10:00:00Z",
            "reason": "peak: until 18:00",
        },
        "counts": {
            "windows": 4,
            "due": 1,
            "dreaming": 0,
            "failed": 0,
            "quarantined": 1,
            "old": 0,
            "review": 0,
            "memories": 12,
            "unreadable_lines": 0,
        },
        "windows": windows(),
    } | changes


def troubled() -> dict[str, Any]:
    """A daemon that works elsewhere, but not here."""
    usual = status()
    daemon = usual["daemon"] | {
        "state": "running",
        "pid": 4711,
        "started_at": "2026-11-29T02:00:00Z",
        "last_tick_at": "2026-11-30T08:47:00Z",
        "errors": 3,
        "last_error": "/home/ana/work/.memgarden/memory.db has no room: the disk is full",
        "last_error_at": "2026-11-30T08:47:00Z",
        "trouble": "/home/ana/work/.memgarden/memory.db has no room: the disk is full",
        "retry_at": "2026-11-30T08:49:00Z",
        "hint": "df /home/ana/work/.memgarden",
        "version": "0.0.9",
    }
    return usual | {"daemon": daemon}


def edited() -> dict[str, Any]:
    """A daemon that has not read the last edit of the settings, and hooks that nobody has told of it."""
    daemon = troubled()["daemon"] | {"version": "0.1.0", "settings_old": True}
    daemon |= dict.fromkeys(("trouble", "retry_at", "hint", "last_error", "last_error_at"))
    return status() | {"daemon": daemon, "hooks": {"settings_old": True}}


def alarms() -> dict[str, Any]:
    """A workspace where everything wants attention at once."""
    usual = status()
    return usual | {
        "clock": "driven",
        "model_agreed": False,
        "daemon": usual["daemon"]
        | {
            "state": "dead",
            "pid": 4711,
            "started_at": "2026-11-29T02:00:00Z",
            "last_tick_at": "2026-11-30T06:40:00Z",
            "version": "0.1.0",
        },
        "paused": True,
        "paused_until": "2026-11-30T12:00:00Z",
        "budget": {
            "spent": True,
            "note": "60 of 60 calls today",
            "until": "2026-11-30T16:00:00Z",
            "limits": [
                {
                    "kind": "calls_per_day",
                    "spent": 60,
                    "limit": 60,
                    "currency": None,
                    "full": True,
                    "opens_at": "2026-11-30T16:00:00Z",
                }
            ],
        },
        "spent": {
            "today": spent(
                calls=60,
                tokens_in=1_480_000,
                tokens_out=31_000,
                estimated=2,
                duration_ms=754_000,
                money=[money()],
            ),
            "last_7_days": spent(
                calls=121,
                tokens_in=2_900_000,
                tokens_out=64_000,
                estimated=2,
                unpriced=1,
                duration_ms=1_604_000,
                money=[money(cost="6.400000", at_peak="12.800000", saved="6.400000"), dollars()],
            ),
        },
        "breaker": {"failures": 3, "open_until": "2026-11-30T09:03:00Z"},
        "suppression": usual["suppression"]
        | {"next_change_at": None, "next_allowed_at": None, "never_allows": True},
        "next": {"window": None, "at": None, "reason": None},
        "counts": usual["counts"] | {"review": 2, "unreadable_lines": 3},
    }


def nothing() -> dict[str, Any]:
    """A workspace that was just made."""
    usual = status()
    return usual | {
        "last_dream": None,
        "next": {"window": None, "at": None, "reason": None},
        "counts": dict.fromkeys(usual["counts"], 0),
        "windows": [],
    }
