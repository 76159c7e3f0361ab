"""Dreams: the list, and one whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.errors import UsageError
from memgardend.core.mask import mask
from memgardend.core.plan import Plan
from memgardend.core.records.operations import FLAWS
from memgardend.core.staging import judged_from_json
from memgardend.core.words import Decision, Status
from memgardend.jobs.look.find import ShortIds, ShortWindows, find_dream
from memgardend.jobs.look.memories import MemoryRows
from memgardend.jobs.look.spent import spent_row
from memgardend.jobs.look.windows import SCHEMA, instant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Dream, DreamRound, Memory, MemoryVersion, Receipt
    from memgardend.core.staging import Judged


def dreams_document(store: Store, limit: int = 20) -> dict[str, Any]:
    """`dreams`: newest first; limit 0 = all."""
    dreams = store.dreams(limit)
    names = Names(store)
    return {"schema": SCHEMA, "dreams": [_dream_row(store, dream, names) for dream in dreams]}


def show_document(store: Store, text: str) -> dict[str, Any]:
    """`show DREAM`: one dream whole, with every verdict, change and receipt."""
    dream_id = find_dream(store, text)
    dream = store.dream(dream_id)
    if dream is None:
        raise UsageError(f"dream {dream_id} is gone", hint="memgardend dreams")
    rounds = store.rounds(dream.id)
    row = _dream_row(store, dream, Names(store))
    for document, one in zip(row["rounds"], rounds, strict=True):
        document |= _round_details(one)
    return {
        "schema": SCHEMA,
        **row,
        "plan": None if dream.plan is None else _plan(Plan.from_json(dream.plan)),
        "memories": _memories(store, dream.id),
        "receipts": [_receipt(receipt) for receipt in store.receipts(dream.id)],
    }


class Names:
    """Short names of dreams and windows."""

    def __init__(self, store: Store) -> None:
        self.dreams = ShortIds(store.find_dreams)
        self.windows = ShortWindows(store)


def _dream_row(store: Store, dream: Dream, names: Names) -> dict[str, Any]:
    rounds = store.rounds(dream.id)
    judged = [judged_from_json(one.operations) for one in rounds]
    return {
        "id": dream.id,
        "short": names.dreams.of(dream.id),
        "window": dream.window,
        "window_short": names.windows.of(dream.window),
        "state": str(dream.state),
        "reason": dream.reason,
        "error": dream.error,
        "manual": dream.manual,
        "overrode": list(dream.overrode),
        "seal": instant(dream.seal),
        "from_seq": dream.from_seq,
        "through_seq": dream.through_seq,
        "attempts": dream.attempts,
        "created_at": instant(dream.created_at),
        "started_at": instant(dream.started_at),
        "finished_at": instant(dream.finished_at),
        "next_attempt_at": instant(dream.next_attempt_at),
        "undone_at": instant(dream.undone_at),
        "changes": _changes(store.dream_changes(dream.id)),
        "review": sum(one.decision is Decision.REVIEW for each in judged for one in each),
        "rounds": [_round_row(one, each) for one, each in zip(rounds, judged, strict=True)],
        "spent": spent_row(store.receipts(dream.id)),
    }


def _changes(versions: Sequence[MemoryVersion]) -> dict[str, int]:
    words = [change_word(version.before, version.after) for version in versions]
    return {word: words.count(word) for word in ("added", "changed", "archived")}


def change_word(before: Memory | None, after: Memory) -> str:
    """`added`, `archived`, or `changed`."""
    if before is None:
        return "added"
    gone = after.status is Status.ARCHIVED and before.status is not Status.ARCHIVED
    return "archived" if gone else "changed"


def _round_row(one: DreamRound, judged: Sequence[Judged]) -> dict[str, Any]:
    return {
        "name": str(one.name),
        "state": str(one.state),
        "model_calls": one.model_calls,
        "operations": len(judged),
        "refused": sum(each.decision is Decision.REFUSED for each in judged),
    }


def _round_details(one: DreamRound) -> dict[str, Any]:
    return {
        "summary": None if one.summary is None else mask(one.summary),
        "questions": [mask(question) for question in one.questions],
        "problems": [FLAWS.get(problem, problem) for problem in one.problems],
        "verdicts": [_verdict(each) for each in judged_from_json(one.operations)],
    }


def _verdict(judged: Judged) -> dict[str, Any]:
    return {
        "operation": masked(judged.operation),
        "decision": str(judged.decision),
        "refusal": None if judged.refusal is None else str(judged.refusal),
        "detail": mask(judged.detail),
        "memories": [change.after.id for change in judged.changes],
    }


def _plan(plan: Plan) -> dict[str, Any]:
    """What the dream was shown, by handle."""
    return {
        "locale": plan.locale,
        "continued": plan.continued,
        "continues": plan.continues,
        "events": [
            {"handle": one.handle, "seq": one.seq, "prelude": one.prelude} for one in plan.events
        ],
        "memories": [
            {"handle": one.handle, "id": one.id, "revision": one.revision}
            for one in plan.all_memories
        ],
    }


def _memories(store: Store, dream_id: str) -> list[dict[str, Any]]:
    """Each change of the dream: the memory as it was after it, with its evidence of today."""
    versions = store.dream_changes(dream_id)
    rows = MemoryRows(store).rows([version.after for version in versions])
    return [
        {
            "change": change_word(version.before, version.after),
            "operation": version.operation,
            "round": version.round,
            "reason": version.reason,
            **row,
        }
        for version, row in zip(versions, rows, strict=True)
    ]


def _receipt(receipt: Receipt) -> dict[str, Any]:
    return {
        "round": str(receipt.round),
        "ask": receipt.ask,
        "at": instant(receipt.at),
        "outcome": str(receipt.outcome),
        "prompt_chars": receipt.prompt_chars,
        "answer_chars": receipt.answer_chars,
        "tokens_in": receipt.tokens_in,
        "tokens_out": receipt.tokens_out,
        "tokens_reported": receipt.tokens_reported,
        "duration_ms": receipt.duration_ms,
        "phase": str(receipt.phase),
        "cost": receipt.cost,
        "currency": receipt.currency,
        "peak_cost": receipt.peak_cost,
        "counted": receipt.counted,
        "model": receipt.model,
        "detail": None if receipt.detail is None else mask(receipt.detail),
    }


def masked(value: Any) -> Any:
    """The same JSON value with secrets masked in every text of it."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [masked(one) for one in value]
    if isinstance(value, dict):
        return {name: masked(one) for name, one in value.items()}
    return value
