"""Memories, how they came to be, and what was done to them by hand."""

from __future__ import annotations

from typing import Any

from support.documents.ids import DREAM, ID, MEMORY


def memory(**changes: Any) -> dict[str, Any]:
    """A rule with its proof."""
    return {
        "id": MEMORY,
        "short": "019ad3b2-5",
        "layer": "rules",
        "status": "active",
        "title": None,
        "content": "Answer in British English.",
        "keywords": ["british", "english", "spelling"],
        "keywords_auto": False,
        "importance": 2,
        "scope": "global",
        "bucket": None,
        "threads": [],
        "subcategory": None,
        "goal": None,
        "corrected": False,
        "origin": "dream",
        "source_window": ID,
        "superseded_by": None,
        "superseded_by_short": None,
        "revision": 2,
        "created_at": "2026-11-29T05:00:41Z",
        "updated_at": "2026-11-30T05:00:41Z",
        "as_of": "2026-11-30T04:59:00Z",
        "occurred_at": None,
        "evidence": [
            {
                "window": ID,
                "window_short": "a81f2c",
                "event": 14,
                "role": "human",
                "quote": "please use British spelling",
                "at": "2026-11-30T04:59:00Z",
                "inherited_from": None,
            }
        ],
    } | changes


def history() -> dict[str, Any]:
    """How that rule came to be."""
    first = {
        "revision": 1,
        "at": "2026-11-29T05:00:41Z",
        "operation": "remember",
        "reason": None,
        "dream": DREAM,
        "dream_short": "019ad3b2-4",
        "round": "atomic",
        "actor": "dream",
        "changed": {},
    }
    second = first | {
        "revision": 2,
        "at": "2026-11-30T05:00:41Z",
        "operation": "update",
        "reason": "said again, more clearly",
        "changed": {"content": ["Use UK spelling.", "Answer in British English."]},
    }
    return {"schema": 1, "memory": memory(), "history": [first, second]}


def memories() -> list[dict[str, Any]]:
    """A rule, a Chinese fact of a project, and a stale topic without proof."""
    return [
        memory(),
        memory(
            short="019ad3b2-6",
            layer="fact",
            title="预发环境",
            content="预发环境的数据库端口是 9090，监控面板在同一台机器上。\n旧端口 8080 已经停用。",
            scope=["memgardend", "监控"],
            keywords=["预发", "端口"],
        ),
        memory(
            layer="topic",
            status="stale",
            content="Move the staging database to Postgres 17, then watch it for a week.",
            goal="staging runs on Postgres 17",
            evidence=[],
        ),
    ]


def remembered(**changes: Any) -> dict[str, Any]:
    """A memory that was stored beside one to the contrary, in a project that is new."""
    rule, fact, _ = memories()
    document = {
        "schema": 1,
        "outcome": "stored",
        "memory": fact,
        "alike": [rule],
        "new_projects": ["监控"],
    }
    return document | changes


def updated(*changed: str) -> dict[str, Any]:
    """A memory that was edited."""
    return {
        "schema": 1,
        "changed": list(changed),
        "memory": memory(),
        "alike": [],
        "new_projects": [],
    }


def panorama(*shelves: str) -> dict[str, Any]:
    """All that is known of two projects: the same on each shelf."""
    return {
        "schema": 1,
        "projects": ["memgardend", "监控"],
        "shelves": [{"name": name, "memories": memories()[:2]} for name in shelves],
    }
