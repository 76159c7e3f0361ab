"""Where new content lands: as a memory of its own, in one that says the same, or already superseded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.checks import proof as proofs
from memgardend.core.checks.likeness import Lookalikes
from memgardend.core.effects import change, ended, joined
from memgardend.core.judgement import Refused
from memgardend.core.words import Refusal, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.cases import Case
    from memgardend.core.judgement import JudgeContext, StagedView
    from memgardend.core.operations import Operation
    from memgardend.core.records import Memory, MemoryChange

_SHOWN_CHARS = 60


class Landing:
    """Compares new memories with all active ones: those of the view as it is now, and the store's others."""

    def __init__(self, context: JudgeContext) -> None:
        self._context = context
        self._lookalikes = Lookalikes(context.locale)

    def land(self, new: Memory, case: Case) -> tuple[tuple[MemoryChange, ...], str] | Refused:
        """The changes that bring `new` in and end the case's targets, and what there is to say about it.

        What is known from later wins: an older contradiction is stored already superseded, and a newer one
        supersedes what it contradicts.
        """
        replaced = {target.id for target in case.targets}
        actives = (one for one in self._actives(case.view) if one.id not in replaced)
        near = self._lookalikes.near(new, actives)
        same = self._lookalikes.nearest(new, near)
        if same:
            first, successor, detail = self._join(same, new, case), same.id, _said(same)
            if isinstance(first, Refused) and not case.targets:
                return first
            changes = [] if isinstance(first, Refused) else [first]
        else:
            changes, detail = self._add(new, case, near)
            successor = new.id
        changes += [self._supersede(target, successor, case.operation) for target in case.targets]
        return tuple(changes), detail

    def reshape(self, made: Sequence[Memory], case: Case) -> tuple[MemoryChange, ...] | Refused:
        """The changes that put what a merge or split made in the place of its targets.

        Other memories stay as they are, but for what new quotes contradict: there the newest knowledge stays.
        """
        actives = self._actives(case.view)
        changes: list[MemoryChange] = []
        ended_too: dict[str, MemoryChange] = {}
        for new in made:
            near = self._lookalikes.near(new, actives) if case.proof.found else []
            newer, older = self._against(new, case, near)
            if newer:
                return Refused(
                    Refusal.NEWER_KNOWN, f"later knowledge says otherwise: {_short(newer[-1])}"
                )
            rows = proofs.rows(case.proof, new.id, case.stored)
            changes.append(change(None, new, case.operation, self._context, evidence=rows))
            for one in older:
                ended_too.setdefault(one.id, self._supersede(one, new.id, case.operation))
        successor = made[0].id
        changes += [self._supersede(target, successor, case.operation) for target in case.targets]
        return (*changes, *ended_too.values())

    def _against(
        self, new: Memory, case: Case, near: list[Memory]
    ) -> tuple[list[Memory], list[Memory]]:
        """What contradicts the new memory: known from later, and from earlier."""
        against = self._lookalikes.contradicted(new, near)
        at = case.proof.decides_at
        return [one for one in against if one.as_of > at], [
            one for one in against if one.as_of < at
        ]

    def _actives(self, view: StagedView) -> list[Memory]:
        seen = {memory.id for memory in view.memories.values()}
        return [
            *(one for one in view.memories.values() if one.status is Status.ACTIVE),
            *(one for one in self._context.candidates if one.id not in seen),
        ]

    def _join(self, same: Memory, new: Memory, case: Case) -> MemoryChange | Refused:
        after = joined(same, new, self._context.making)
        rows = proofs.rows(case.proof, same.id, case.stored)
        if after == same and not rows:
            return Refused(Refusal.NO_CHANGE, f"{_said(same)}, proven by the same words")
        return change(same, after, case.operation, self._context, known_at=new.as_of, evidence=rows)

    def _add(self, new: Memory, case: Case, near: list[Memory]) -> tuple[list[MemoryChange], str]:
        newer, older = self._against(new, case, near)
        if newer:
            older = []
            new = ended(new, Status.ARCHIVED, self._context.now, newer[-1].id)
        rows = proofs.rows(case.proof, new.id, case.stored)
        added = change(None, new, case.operation, self._context, evidence=rows)
        ends = [self._supersede(one, new.id, case.operation) for one in older]
        detail = "stored already superseded: something later is known" if newer else ""
        return [added, *ends], detail

    def _supersede(self, target: Memory, successor: str, operation: Operation) -> MemoryChange:
        return change(
            target,
            ended(target, Status.ARCHIVED, self._context.now, successor),
            operation,
            self._context,
        )


def _said(same: Memory) -> str:
    return f"the same is known: {_short(same)}"


def _short(memory: Memory) -> str:
    text = memory.title or memory.content
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
