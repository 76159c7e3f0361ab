"""Windows, and why one waits."""

from __future__ import annotations

from typing import Any

from support.documents.ids import DREAM, ID, NOW


def hold(gate: str, reason: str, until: str | None = None) -> dict[str, Any]:
    """A hold of a window."""
    return {"gate": gate, "reason": reason, "since": None, "until": until}


def window(**changes: Any) -> dict[str, Any]:
    """A window that waits for quiet."""
    return {
        "id": ID,
        "short": "a81f2c",
        "source": "claude-code",
        "kind": "main",
        "title": "Move the staging database to Postgres 17",
        "cwd": "/home/ana/work",
        "state": "waiting",
        "last_event_at": "2026-11-30T08:31:00Z",
        "new_events": 37,
        "review": 0,
        "next_at": "2026-11-30T11:31:00Z",
        "queue": None,
        "holds": [hold("active", "used 17 min ago, wants 3 h", "2026-11-30T11:31:00Z")],
    } | changes


def windows() -> list[dict[str, Any]]:
    """One waiting, one due, one in Chinese that is dreamed, one quarantined."""
    return [
        window(),
        window(
            id="event:mail",
            short="mail",
            source="event",
            title=None,
            state="due",
            queue=1,
            last_event_at="2026-11-30T03:00:00Z",
            next_at=NOW,
            new_events=4,
            holds=[],
        ),
        window(
            short="e02b19",
            title="把预发环境的数据库迁移到新版本并补上监控",
            state="dreamed",
            last_event_at="2026-11-28T03:00:00Z",
            new_events=0,
            next_at=None,
            holds=[hold("nothing_new", "nothing new since the last dream")],
        ),
        window(
            short="77c0d4",
            title="x",
            state="quarantined",
            last_event_at="2026-11-20T03:00:00Z",
            next_at=None,
            holds=[hold("quarantined", "5 attempts failed"), hold("peak", "peak until 18:00")],
        ),
    ]


def why() -> dict[str, Any]:
    """A window that waits for the end of a peak."""
    gates = [
        hold("kind", "") | {"open": True, "value": "main", "want": "main"},
        hold("nothing_new", "") | {"open": True, "value": "37 new", "want": "1 new"},
        hold("active", "used 17 min ago", "2026-11-30T11:31:00Z")
        | {"open": False, "value": "idle 17 min", "want": "idle 3 h"},
        hold("peak", "peak until 18:00 Asia/Shanghai", "2026-11-30T10:00:00Z")
        | {"open": False, "value": "peak", "want": "off-peak"},
    ]
    return {
        "schema": 1,
        "now": NOW,
        "window": ID,
        "short": "a81f2c",
        "title": "Move the database",
        "state": "waiting",
        "new_events": 37,
        "may": False,
        "may_by_hand": True,
        "next_at": "2026-11-30T11:31:00Z",
        "queue": None,
        "dream": None,
        "gates": gates,
    }


def why_old() -> dict[str, Any]:
    """A window that only a reading of the backlog wakes."""
    read = "this workspace was first read"
    gates = [
        hold("nothing_new", f"nothing was said since {read}")
        | {"open": False, "value": "0 new", "want": "1 new or more"},
        hold("old", f"it ended before {read}") | {"open": False, "value": "yes", "want": "no"},
        hold("quarantined", "") | {"open": True, "value": "no", "want": "no quarantined dream"},
    ]
    unsaid = {"state": "old", "new_events": 0, "may_by_hand": False, "next_at": None}
    return {**why(), **unsaid, "gates": gates}


def why_failed() -> dict[str, Any]:
    """A window whose dream failed and waits to try again."""
    reason = "atomic: exit"
    gates = [
        hold("nothing_new", "") | {"open": True, "value": "37 new", "want": "1 new or more"},
        hold("backoff", f"it failed ({reason})", "2026-11-30T08:53:00Z")
        | {"open": False, "value": "failed 1 time", "want": "no failed dream that waits"},
    ]
    dream = {
        "id": DREAM,
        "short": DREAM[:6],
        "state": "failed",
        "reason": reason,
        "error": "exit code 3: Error: 401 please log in again",
    }
    failed = {"state": "failed", "next_at": "2026-11-30T08:53:00Z", "dream": dream}
    return {**why(), **failed, "gates": gates}
