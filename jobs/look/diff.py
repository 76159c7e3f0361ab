"""`diff DREAM`: what a dream made of each memory, from before its first step to after its last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.errors import UsageError
from memgardend.core.staging import judged_from_json
from memgardend.core.word_diff import word_diff
from memgardend.core.words import OperationName
from memgardend.jobs.look.dreams import Names, change_word
from memgardend.jobs.look.find import find_dream
from memgardend.jobs.look.memories import MemoryRows, differences
from memgardend.jobs.look.windows import SCHEMA, instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Dream, Memory, MemoryChange, MemoryVersion

_CHANGES = ("added", "changed", "archived")


def diff_document(store: Store, text: str) -> dict[str, Any]:
    """The memories that a dream changed, in the order in which it did."""
    dream_id = find_dream(store, text)
    dream = store.dream(dream_id)
    if dream is None:
        raise UsageError(f"dream {dream_id} is gone", hint="memgardend dreams")
    steps: dict[str, list[MemoryVersion]] = {}
    for version in store.dream_changes(dream.id):
        steps.setdefault(version.memory, []).append(version)
    memories = _Diffs(store, dream, [each[-1].after for each in steps.values()])
    rows = [memories.row(each) for each in steps.values()]
    names = Names(store)
    return {
        "schema": SCHEMA,
        "id": dream.id,
        "short": names.dreams.of(dream.id),
        "window": dream.window,
        "window_short": names.windows.of(dream.window),
        "state": str(dream.state),
        "undone_at": instant(dream.undone_at),
        "changes": {word: sum(row["change"] == word for row in rows) for word in _CHANGES},
        "memories": rows,
    }


class _Diffs:
    """The rows of a dream's memories, read together."""

    def __init__(self, store: Store, dream: Dream, after: Sequence[Memory]) -> None:
        self._rows = MemoryRows(store)
        self._after = {row["id"]: row for row in self._rows.rows(after)}
        operations = [
            one.changes
            for each in store.rounds(dream.id)
            for one in judged_from_json(each.operations)
        ]
        self._replaced = _replaced(operations)
        self._brought = {
            (proof.memory, proof.window, proof.event)
            for changes in operations
            for change in changes
            for proof in change.evidence
        }

    def row(self, steps: Sequence[MemoryVersion]) -> dict[str, Any]:
        """One memory: as it was left, how it came to that, and the quotes that the dream brought for it."""
        before, after = steps[0].before, steps[-1].after
        fields = differences(self._rows, before, after)
        content = fields.pop("content", None)
        row = self._after[after.id]
        return {
            **row,
            "change": change_word(before, after),
            "steps": [
                {"operation": one.operation, "round": one.round, "reason": one.reason}
                for one in steps
            ],
            "replaces": [
                {"id": one, "short": self._after[one]["short"]}
                for one in self._replaced.get(after.id, ())
            ],
            "fields": fields,
            "content_diff": [] if content is None else _pieces(*content),
            "evidence": [
                proof
                for proof in row["evidence"]
                if (after.id, proof["window"], proof["event"]) in self._brought
            ],
        }


def _replaced(operations: Iterable[Sequence[MemoryChange]]) -> dict[str, list[str]]:
    """By memory: the ids of those whose place it took, alone or with the other parts of a split."""
    found: dict[str, list[str]] = {}
    for changes in operations:
        ended = [change.after for change in changes if change.after.superseded_by]
        for change in changes:
            is_part = change.before is None and change.operation == OperationName.SPLIT
            found.setdefault(change.after.id, []).extend(
                one.id for one in ended if is_part or one.superseded_by == change.after.id
            )
    return found


def _pieces(before: str, after: str) -> list[dict[str, str]]:
    return [{"part": str(one.part), "text": one.text} for one in word_diff(before, after)]
