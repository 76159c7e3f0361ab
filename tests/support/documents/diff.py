"""What a dream changed."""

from __future__ import annotations

from typing import Any

from support.documents.ids import DREAM, ID, MEMORY, NOW
from support.documents.memories import memory


def diff() -> dict[str, Any]:
    """That dream, memory by memory: one reworded, one finished, two merged."""
    said = memory()["evidence"]
    plain: dict[str, Any] = {"fields": {}, "content_diff": [], "replaces": [], "evidence": []}

    def row(change: str, operation: str, reason: str | None, **fields: Any) -> dict[str, Any]:
        step = {"operation": operation, "round": "atomic", "reason": reason}
        return memory() | plain | {"change": change, "steps": [step]} | fields

    reworded = row(
        "changed",
        "update",
        "said again, more clearly",
        title="Spelling",
        content_diff=[
            {"part": "same", "text": "- Answer in"},
            {"part": "was", "text": " UK spelling.\n- Be brief"},
            {"part": "now", "text": " British English.\n- Be brief and kind"},
            {"part": "same", "text": "."},
        ],
        fields={
            "importance": [1, 2],
            "keywords": [["uk", "spelling"], ["british", "english", "spelling"]],
            "keywords_auto": [True, False],
            "title": [None, "Spelling"],
            "as_of": ["2026-11-29T04:00:00Z", "2026-11-30T04:59:00Z"],
        },
        evidence=said,
    )
    reworded["steps"] = [*reworded["steps"], {**reworded["steps"][0], "reason": None}]
    finished = row(
        "changed",
        "complete",
        None,
        short="019ad3b2-6",
        layer="project",
        content="给预发环境的数据库补上监控。",
        fields={"status": ["active", "stale"]},
    )
    server = row(
        "archived",
        "merge",
        "one server",
        short="019ad3b2-7",
        layer="fact",
        status="archived",
        content="The staging server is called heron.",
        superseded_by=MEMORY,
        superseded_by_short="019ad3b2-9",
        fields={
            "status": ["active", "archived"],
            "superseded_by": [None, MEMORY],
            "superseded_by_short": [None, "019ad3b2-9"],
        },
    )
    merged = row(
        "added",
        "merge",
        "one server",
        short="019ad3b2-9",
        layer="fact",
        content="The staging server is called heron and listens on port 8080.",
        replaces=[{"id": MEMORY, "short": "019ad3b2-7"}, {"id": MEMORY, "short": "019ad3b2-8"}],
        evidence=said,
    )
    return {
        "schema": 1,
        "id": DREAM,
        "short": "019ad3b2-4",
        "window": ID,
        "window_short": "a81f2c",
        "state": "applied",
        "undone_at": None,
        "changes": {"added": 1, "changed": 2, "archived": 1},
        "memories": [reworded, finished, merged, server],
    }


def no_diff() -> dict[str, Any]:
    """An undone dream that had changed nothing."""
    return diff() | {
        "undone_at": NOW,
        "changes": {"added": 0, "changed": 0, "archived": 0},
        "memories": [],
    }
