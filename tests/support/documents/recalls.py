"""What was recalled, and for whom."""

from __future__ import annotations

from typing import Any

from support.documents.ids import ID


def recalls(memory: str | None = None) -> dict[str, Any]:
    """A question that found two memories, a block without any, and a search outside of any conversation."""

    def named(one: str) -> dict[str, str]:
        return {"id": one, "short": one[:6]}

    tea, rule, port = (
        f"{name}-7f1c-7000-8000-000000000000" for name in ("0195a1", "0195b2", "0195c3")
    )
    return {
        "schema": 1,
        "memory": memory,
        "recalls": [
            {
                "window": ID,
                "window_short": "a81f2c",
                "at": "2026-11-30T02:00:00Z",
                "mode": "hits",
                "rules": "bm25f-2+index3+tok5",
                "query_fingerprint": "0123456789ab",
                "query_empty": False,
                "counts": {"candidate_pool": 14, "injected": 2, "cap": 2},
                "recalled": [named(tea), named(rule)],
                "rejected_reasons": {"below_floor": 9, "over_cap": 3},
                "rejected": [{**named(port), "reason": "over_cap"}],
                "verdict": None if memory is None else "over_cap",
                "dur_ms": 3,
            },
            {
                "window": ID,
                "window_short": "a81f2c",
                "at": "2026-11-30T02:01:00Z",
                "mode": "block",
                "rules": None,
                "query_fingerprint": "",
                "query_empty": True,
                "counts": {},
                "recalled": [],
                "rejected_reasons": {},
                "rejected": [],
                "verdict": None if memory is None else "not_named",
                "dur_ms": None,
            },
            {
                "window": None,
                "window_short": None,
                "at": "2026-11-30T02:02:00Z",
                "mode": "search",
                "rules": "bm25f-2+index3+tok5+cfg:a24120cf",
                "query_fingerprint": "abcdef012345",
                "query_empty": False,
                "counts": {"candidate_pool": 1, "injected": 1, "cap": 10},
                "recalled": [named(tea)],
                "rejected_reasons": {},
                "rejected": [],
                "verdict": None if memory is None else "not_named",
                "dur_ms": 1,
            },
        ],
    }
