"""Verdicts as JSON: how a round's judged operations are stored and read again."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from memgardend.core.judgement import Judged
from memgardend.core.records import Evidence, Memory, MemoryChange
from memgardend.core.scope import Scope
from memgardend.core.words import Decision, Layer, Refusal, Role, RoundName, Status, Subcategory

if TYPE_CHECKING:
    from collections.abc import Sequence


def judged_to_json(judged: Sequence[Judged]) -> str:
    """The stored form of a round's verdicts."""
    return json.dumps([_judged_row(one) for one in judged], ensure_ascii=False)


def judged_from_json(text: str) -> tuple[Judged, ...]:
    """Read what `judged_to_json` wrote."""
    return tuple(_judged(row) for row in json.loads(text))


def _judged_row(one: Judged) -> dict[str, Any]:
    return {
        "operation": one.operation,
        "decision": one.decision,
        "refusal": one.refusal,
        "detail": one.detail,
        "changes": [_change_row(step) for step in one.changes],
        "proposed": [_change_row(step) for step in one.proposed],
        "handles": dict(one.handles),
        "rests_on": list(one.rests_on),
    }


def _judged(row: dict[str, Any]) -> Judged:
    return Judged(
        operation=row["operation"],
        decision=Decision(row["decision"]),
        refusal=Refusal(row["refusal"]) if row["refusal"] else None,
        detail=row["detail"],
        changes=tuple(map(_change, row["changes"])),
        proposed=tuple(map(_change, row["proposed"])),
        handles=row["handles"],
        rests_on=tuple(row["rests_on"]),
    )


def _change_row(step: MemoryChange) -> dict[str, Any]:
    return {
        "before": _memory_row(step.before) if step.before else None,
        "after": _memory_row(step.after),
        "operation": step.operation,
        "reason": step.reason,
        "round": step.round,
        "evidence": [_row(row) for row in step.evidence],
    }


def _change(row: dict[str, Any]) -> MemoryChange:
    return MemoryChange(
        before=_memory(row["before"]) if row["before"] else None,
        after=_memory(row["after"]),
        operation=row["operation"],
        reason=row["reason"],
        round=RoundName(row["round"]),
        evidence=tuple(Evidence(**one | {"role": Role(one["role"])}) for one in row["evidence"]),
    )


def _memory_row(memory: Memory) -> dict[str, Any]:
    return _row(memory) | {"scope": memory.scope.text()}


def _row(record: Memory | Evidence) -> dict[str, Any]:
    """A record's fields; `asdict` would copy what is in them, too."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _memory(row: dict[str, Any]) -> Memory:
    typed = {
        "layer": Layer(row["layer"]),
        "status": Status(row["status"]),
        "scope": Scope.parse(row["scope"]),
        "keywords": tuple(row["keywords"]),
        "threads": tuple(row["threads"]),
        "subcategory": Subcategory(row["subcategory"]) if row["subcategory"] else None,
    }
    return Memory(**row | typed)
