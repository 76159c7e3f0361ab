"""What a round may answer: operations, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.words import Layer, OperationName, Subcategory


@dataclass(frozen=True, slots=True)
class QuoteRef:
    """A quote as the model gave it, and the handle of the event it names ("" when it names none)."""

    event: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The fields of a memory that an operation gives; None = not given."""

    content: str | None = None
    layer: Layer | None = None
    scope: tuple[str, ...] | None = None  # words, names, aliases or ids, as answered
    keywords: tuple[str, ...] | None = None
    importance: int | None = None
    title: str | None = None
    goal: str | None = None
    subcategory: Subcategory | None = None
    corrected: bool | None = None
    bucket: str | None = None
    threads: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One proposed edit. `targets` and `parents` are handles; `raw` is the row as answered.

    `fields` are those of the new or changed memory; a split has `parts` instead.
    """

    op: OperationName
    raw: Mapping[str, Any]
    targets: tuple[str, ...] = ()
    fields: Fields = field(default_factory=Fields)
    parts: tuple[Fields, ...] = ()
    reason: str = ""
    evidence: tuple[QuoteRef, ...] = ()
    parents: tuple[str, ...] = ()  # `from` in the answer


@dataclass(frozen=True, slots=True)
class Malformed:
    """A row that is no operation, and why."""

    raw: Mapping[str, Any]
    detail: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A usable answer; an empty list of operations is one."""

    operations: tuple[Operation | Malformed, ...] = ()
    questions: tuple[str, ...] = ()
    summary: str | None = None


class Flaw(StrEnum):
    """Why an answer as a whole cannot be used."""

    EMPTY = "empty"
    ECHO = "echo"
    NO_JSON = "no_json"
    NO_LIST = "no_list"
    TOO_MANY = "too_many"
    BARE_SHAPE = "bare_shape"


FLAWS: dict[str, str] = {
    Flaw.EMPTY: "the answer is empty",
    Flaw.ECHO: "the answer repeats the prompt",
    Flaw.NO_JSON: "no JSON object could be read in the answer",
    Flaw.NO_LIST: "`operations` of the answer is no list",
    Flaw.TOO_MANY: "the answer holds far too many operations",
    Flaw.BARE_SHAPE: "the answer repeats the shape that it should fill in",
}
"""What each flaw says to a person. A model reads the words of its pack."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """An answer that cannot be used."""

    flaw: Flaw

    @property
    def reason(self) -> str:
        """What is wrong with it, for a person."""
        return FLAWS[self.flaw]
