"""One batch of an import: a piece of material, or a group of notes, on its way to cards."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.importing.progress import digest
from memgardend.core.editorial.importing.reading import ReadingResult, ReadingSession
from memgardend.core.editorial.mutations import Add, Supersede
from memgardend.core.editorial.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.capture import CaptureSession
    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.editorial.results import CaptureResult, Failure, ModelReply, Step

KEY_HEX = 16


class Stage(StrEnum):
    """What a batch makes of what; the word stands in its key."""

    CARDS = "b"  # cards of a piece
    NOTES = "n"  # notes of a piece
    GROUP = "g"  # cards of notes


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOutcome:
    """What a batch came to, until the session hears what became of it."""

    key: str
    mutations: tuple[Mutation, ...] = ()
    candidates: tuple[Mapping[str, Any], ...] = ()
    error: Failure | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)  # counts and words, never content

    @property
    def outcome(self) -> Outcome:
        """Written, empty or failed: never two of them."""
        if self.error is not None:
            return Outcome.FAILED
        return Outcome.WRITTEN if self.mutations or self.candidates else Outcome.EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportBatch:
    """Asks a model about one stretch. `key` and `request_digest` are the same whenever the stretch is.

    `position` and `end` count characters of the material, of a group: notes. A store that knows the key has
    the cards already: then nobody needs to be asked, and the session wants `commit_applied`. So an outcome without
    cards deserves a receipt too (`no_op`).
    """

    stage: Stage
    position: int
    end: int
    key: str
    request_digest: str
    label: str
    fallback_date: str
    dialogue: CaptureSession | ReadingSession

    @property
    def is_stored(self) -> bool:
        """True when a store gets the outcome; notes live in the progress alone."""
        return self.stage is not Stage.NOTES

    @property
    def next_prompt(self) -> str | None:
        """What to ask next; None when the result is there."""
        return self.dialogue.next_prompt

    @property
    def steps(self) -> list[Step]:
        """What happened so far."""
        return self.dialogue.steps

    def feed(self, reply: str | ModelReply) -> None:
        """Take the model's reply."""
        self.dialogue.feed(reply)

    def fail(self, reason: str) -> None:
        """Say that no reply came; `reason` is a word, such as the name of an exception."""
        self.dialogue.fail(reason)

    @property
    def result(self) -> ImportOutcome | None:
        """The outcome, once there is one."""
        if isinstance(self.dialogue, ReadingSession):
            return self._noted(self.dialogue.result)
        return self._judged(self.dialogue.result)

    def _noted(self, read: ReadingResult | None) -> ImportOutcome | None:
        if read is None:
            return None
        return ImportOutcome(
            key=self.key, candidates=read.candidates, error=read.error, trace=read.trace
        )

    def _judged(self, made: CaptureResult | None) -> ImportOutcome | None:
        if made is None:
            return None
        mutations = tuple(dated(one, self.fallback_date) for one in made.mutations)
        return ImportOutcome(key=self.key, mutations=mutations, error=made.error, trace=made.trace)


def dated(mutation: Mutation, fallback_date: str) -> Mutation:
    """The mutation with this date on its new card, if that has none."""
    if not fallback_date or not isinstance(mutation, Add | Supersede):
        return mutation
    if mutation.card.get("occurred_at"):
        return mutation
    return replace(mutation, card={**mutation.card, "occurred_at": fallback_date})


def batch_key(prefix: str, fingerprint: str, stage: Stage, position: int, text: str) -> str:
    """Under which a store writes a batch once: import, place and text."""
    return f"{prefix}:{fingerprint[:KEY_HEX]}:{stage}{position}:{digest(text)[:KEY_HEX]}"
