"""One operation with all that its handles stand for, and the checks of its texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.amounts import amounts
from memgardend.core.checks import proof as proofs
from memgardend.core.checks.form import check_form
from memgardend.core.checks.values import check_values
from memgardend.core.judgement import Refused
from memgardend.core.likeness import contradicts
from memgardend.core.negation import opposes
from memgardend.core.values import values
from memgardend.core.words import PERSONAL_LAYERS, OperationName, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.checks.form import Leaks
    from memgardend.core.checks.proof import Proof
    from memgardend.core.judgement import StagedView
    from memgardend.core.operations import Operation
    from memgardend.core.quotes import Found
    from memgardend.core.records import Event, Evidence, Memory


@dataclass(frozen=True, slots=True)
class Case:
    """An operation, its targets as they are now, and its proof as the round was shown it."""

    operation: Operation
    targets: tuple[Memory, ...]
    proof: Proof
    view: StagedView
    stored: Mapping[str, Sequence[Evidence]]  # by memory id, those of this dream included

    @property
    def personal(self) -> bool:
        """True when it writes to, or takes from, what only a person's words can prove."""
        layers = {target.layer for target in self.targets} | {self.operation.fields.layer}
        return bool(layers & PERSONAL_LAYERS)

    @property
    def texts(self) -> str:
        """The new texts that hold knowledge."""
        fields = self.operation.fields
        return "\n".join(text for text in (fields.title, fields.content, fields.goal) if text)

    @property
    def typed(self) -> bool:
        """True when a quote of what a person typed supports it."""
        return any(map(proofs.is_typed, self.proof.found))


def check_operation(case: Case, leaks: Leaks) -> Refused | None:
    """A reason where one is due, and texts of good form."""
    operation = case.operation
    repeats = operation.op is OperationName.UPDATE and not case.texts and case.proof.found
    if operation.op is not OperationName.REMEMBER and not operation.reason and not repeats:
        return Refused(Refusal.NO_REASON, f"`{operation.op}` needs a `reason`")
    proven = "\n".join([case.proof.text, *map(proofs.text_of, case.targets)])
    return check_form(operation.fields, leaks, proven)


def check_text(case: Case, turns: Sequence[Event], locale: str) -> Refused | None:
    """New text: said by a person where it is personal, and every value in it proven."""
    if case.personal and (problem := proofs.check_personal(case.proof, case.texts, locale)):
        return problem
    if _is_opposite(case, locale):
        return Refused(
            Refusal.CONTRADICTORY, "what it rests on says the opposite; quote the words that say so"
        )
    known = [proofs.text_of(memory) for memory in (*case.proof.parents, *case.targets)]
    return check_values(case.texts, case.proof.found, known, turns, personal=case.personal)


def _is_opposite(case: Case, locale: str) -> bool:
    """True for content that turns around every quote that it has; or, without one, every memory it rests on."""
    content, found, parents = case.operation.fields.content, case.proof.found, case.proof.parents
    if not content or not (found or parents):
        return False
    if found:
        return all(_turned_around(content, one, locale) for one in found)
    return all(contradicts(content, parent.content, locale) for parent in parents)


def _turned_around(content: str, found: Found, locale: str) -> bool:
    """True when the quote says the opposite, or does with the words that were cut off before it.

    A question such as `why don't we …?` says nothing either way.
    """
    if found.asks or found.says(content):
        return False
    return any(
        (opposes(content, said) or _counts_otherwise(content, said))
        and contradicts(content, said, locale)
        for said in found.led_in()
    )


def _counts_otherwise(content: str, said: str) -> bool:
    """True when each has an amount in words, or a weekday, that the other has not."""
    ours, theirs = (set(amounts(text.casefold())) for text in (content, said))
    return bool(ours - theirs - set(values(said)) and theirs - ours - set(values(content)))
