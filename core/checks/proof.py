"""Proof: which quotes and parents an operation rests on, and whether they may carry it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memgardend.core.judgement import Refused
from memgardend.core.quotes import Found, ShownEvents, locate
from memgardend.core.records import Evidence, quote_hash
from memgardend.core.tokens import tokenize
from memgardend.core.unheard import is_unheard
from memgardend.core.words import PERSONAL_LAYERS, SPEECH_ROLES, Refusal, Role, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memgardend.core.judgement import StagedView
    from memgardend.core.operations import Operation
    from memgardend.core.records import Memory

MIN_REWORDED_SHARE = 2 / 3
"""Share of the words of a personal text, reworded without a new quote, that its parents must hold."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What an operation rests on: quotes as found, and parent memories."""

    found: tuple[Found, ...] = ()
    parents: tuple[Memory, ...] = ()

    @property
    def known_at(self) -> int:
        """Time of the newest quote or parent, epoch ms; 0 when there is neither."""
        return max([self._quoted_at, *(parent.as_of for parent in self.parents)])

    @property
    def decides_at(self) -> int:
        """Time that counts against what is known: of the newest quote; of the newest parent without one."""
        return self._quoted_at if self.found else self.known_at

    @property
    def _quoted_at(self) -> int:
        return max((one.event.at for one in self.found), default=0)

    @property
    def text(self) -> str:
        """All quotes and parents as one text."""
        return "\n".join([*(one.quote for one in self.found), *map(text_of, self.parents)])


def text_of(memory: Memory) -> str:
    """The texts of a memory that hold knowledge."""
    return "\n".join(text for text in (memory.title, memory.content, memory.goal) if text)


def gather(operation: Operation, view: StagedView, shown: ShownEvents) -> Proof | Refused:
    """Find every quote and parent of an operation; one that is not there refuses the operation."""
    found: list[Found] = []
    for ref in operation.evidence:
        hit = locate(ref, shown)
        if isinstance(hit, Refused):
            return hit
        found.append(hit)
    parents: list[Memory] = []
    for handle in operation.parents:
        memory = view.memories.get(handle)
        if memory is None:
            return Refused(Refusal.UNKNOWN_TARGET, f"`from` names {handle!r}, which was not shown")
        if memory.status is Status.ARCHIVED:
            return Refused(Refusal.RETIRED_TARGET, f"`from` names {handle}, which is archived")
        parents.append(memory)
    return Proof(tuple(found), tuple(parents))


def resting_on(proof: Proof, targets: Iterable[Memory]) -> Proof:
    """The proof of what a merge or split makes: it rests on its targets as they are now, too."""
    now = {target.id: target for target in targets}
    parents = {parent.id: parent for parent in proof.parents} | now
    return replace(proof, parents=tuple(parents.values()))


def is_typed(found: Found) -> bool:
    """True for what a person typed here: neither pasted nor printed."""
    return found.event.role is Role.HUMAN and not found.pasted


def check_given(proof: Proof) -> Refused | None:
    """New content needs a quote or a parent."""
    if proof.found or proof.parents:
        return None
    return Refused(
        Refusal.NO_EVIDENCE, "new content needs `evidence` [{event, quote}], or `from` [ids]"
    )


def check_personal(proof: Proof, texts: str, locale: str) -> Refused | None:
    """Soul, user and rules rest on a person's own words, or reword what such words proved before."""
    if any(is_typed(one) for one in proof.found):
        return None
    if not proof.found and proof.parents and all(map(_was_proven, proof.parents)):
        return _check_reworded(proof, texts, locale)
    return _not_said(proof, Role.HUMAN, "soul, user and rules need a person's own words")


def check_spoken(proof: Proof) -> Refused | None:
    """What takes knowledge away rests on something said: what a tool prints or a paste holds does not do."""
    if not proof.found or any(
        one.event.role in SPEECH_ROLES and not one.pasted for one in proof.found
    ):
        return None
    return _not_said(proof, None, "archiving needs something that was said")


def evidence_so_far(
    view: StagedView, stored: Mapping[str, Iterable[Evidence]]
) -> dict[str, list[Evidence]]:
    """By memory: the rows in the store, and those that this dream has added."""
    found = {memory_id: list(rows) for memory_id, rows in stored.items()}
    for change in view.changes:
        found.setdefault(change.after.id, []).extend(change.evidence)
    return found


def rows(proof: Proof, memory_id: str, stored: Mapping[str, Iterable[Evidence]]) -> list[Evidence]:
    """The evidence rows that prove `memory_id` from now on: quotes found, then what parents inherit."""
    made = [
        Evidence(
            memory=memory_id,
            window=one.event.window,
            event=one.event.seq,
            start=one.start,
            end=one.end,
            role=one.event.role,
            quote=one.quote,
            at=one.event.at,
            hash=quote_hash(one.quote),
        )
        for one in proof.found
    ]
    for parent in proof.parents:
        made += [
            replace(row, memory=memory_id, inherited_from=row.inherited_from or parent.id)
            for row in stored.get(parent.id, ())
        ]
    known = {_place(row) for row in stored.get(memory_id, ())}
    return list({_place(row): row for row in reversed(made) if _place(row) not in known}.values())[
        ::-1
    ]


def _place(row: Evidence) -> tuple[str, int, int, int]:
    return row.window, row.event, row.start, row.end


def _was_proven(parent: Memory) -> bool:
    return parent.layer in PERSONAL_LAYERS and not is_unheard(parent)


def _check_reworded(proof: Proof, texts: str, locale: str) -> Refused | None:
    known = set(tokenize("\n".join(map(text_of, proof.parents)), locale))
    words = set(tokenize(texts, locale))
    if len(words & known) >= MIN_REWORDED_SHARE * len(words):
        return None
    return Refused(
        Refusal.NOT_HUMAN, "this says more than its parents; quote the person's own words for it"
    )


def _not_said(proof: Proof, role: Role | None, why: str) -> Refused:
    pasted = any(one.pasted and role in (None, one.event.role) for one in proof.found)
    if pasted:
        return Refused(Refusal.PASTED, f"{why}; this quote lies in something pasted")
    roles = ", ".join(sorted({one.event.role for one in proof.found})) or "no turn"
    return Refused(Refusal.NOT_HUMAN, f"{why}; this was quoted from: {roles}")
