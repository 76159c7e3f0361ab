"""What stays of a round's verdicts when a memory is purged: no word of what it said."""

from __future__ import annotations

import json
from typing import Any

from memgardend.core.words import Decision, Refusal


def without_memory(operations: str, memory_id: str) -> tuple[str, int]:
    """Stored verdicts (core/judged_json.py) without a memory, and how many of them still wait for a person.

    An operation that touched it keeps its name, its decision and what it did to others.
    """
    rows = [_without(row, memory_id) for row in json.loads(operations)]
    waiting = sum(row["decision"] == Decision.REVIEW for row in rows)
    return json.dumps(rows, ensure_ascii=False), waiting


def _without(row: dict[str, Any], memory_id: str) -> dict[str, Any]:
    if memory_id not in json.dumps(row):
        return row
    left = {
        "operation": {"op": row["operation"].get("op")},
        "detail": "",
        "changes": [step for step in row["changes"] if step["after"]["id"] != memory_id],
        "proposed": [step for step in row["proposed"] if step["after"]["id"] != memory_id],
        "handles": {name: one for name, one in row["handles"].items() if one != memory_id},
        "rests_on": [one for one in row["rests_on"] if one != memory_id],
    }
    if row["decision"] == Decision.REVIEW and left["proposed"] != row["proposed"]:
        left |= {"decision": Decision.REFUSED, "refusal": Refusal.UNKNOWN_TARGET, "proposed": []}
    return row | left
