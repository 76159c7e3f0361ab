"""What prompts and labels must know of a locale; a host adds one by filling this in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from memgardend.core.errors import UsageError
from memgardend.core.template import placeholders

if TYPE_CHECKING:
    from collections.abc import Mapping


class Bucket(StrEnum):
    """The buckets that every garden knows; each locale names all of them, and only its own names are shown."""

    WORK = "work"
    GROWTH = "growth"
    FAMILY = "family"
    FRIENDS = "friends"
    PETS = "pets"
    BOND = "bond"
    FEELINGS = "feelings"
    PREFERENCES = "preferences"
    PERSONALITY = "personality"
    HEALTH = "health"
    INTERESTS = "interests"
    MONEY = "money"
    FOOD = "food"
    PLACES = "places"


class Reask(StrEnum):
    """Why a reply goes back."""

    TRUNCATED = "truncated"
    FORMAT = "format"
    CONTENT = "content"
    TOO_MANY = "too_many"
    TARGETS = "targets"
    FEEDBACK = "feedback"
    DREAM_CONTENT = "dream_content"
    DREAM_TARGETS = "dream_targets"


REASK_PLACEHOLDERS: Mapping[Reask, frozenset[str]] = {
    Reask.TRUNCATED: frozenset(),
    Reask.FORMAT: frozenset({"problem"}),
    Reask.CONTENT: frozenset({"problem"}),
    Reask.TOO_MANY: frozenset({"found", "allowed"}),
    Reask.TARGETS: frozenset({"problem"}),
    Reask.FEEDBACK: frozenset({"problem"}),
    Reask.DREAM_CONTENT: frozenset({"problem"}),
    Reask.DREAM_TARGETS: frozenset(),
}
"""The placeholders that each text of `LocaleWords.reasks` must hold, as {{name}}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocaleWords:
    """The words of one locale. Instructions stay English; names, examples and what goes back are these."""

    locale: str
    language: str  # as the English instructions name it
    buckets: Mapping[Bucket, str]
    short_forms: Mapping[str, Bucket]  # what a model writes for a bucket when it is in a hurry
    no_bucket: str
    separator: str  # between the items of a list
    the_person: str  # a person whose name nobody knows
    the_assistant: str
    one_off: str  # what happened once and left no trace
    lasting: str  # what holds beyond the day
    partial_date: str
    own_words: str  # one who is reported by name, a remark of a person called Mei
    example_summary: str
    example_content: str
    example_cues: tuple[str, ...]
    example_thread: str
    reasks: Mapping[Reask, str]

    def __post_init__(self) -> None:
        """Raises UsageError when a bucket is not named, or a text that goes back lacks what it must say."""
        unnamed = [f"bucket {bucket}" for bucket in Bucket if not self.buckets.get(bucket)]
        unsaid = [
            f"{reask} with {', '.join(sorted(wanted)) or 'no placeholder'}"
            for reask, wanted in REASK_PLACEHOLDERS.items()
            if {one.name for one in placeholders(self.reasks.get(reask, ""))} != wanted
            or not self.reasks.get(reask)
        ]
        if unnamed or unsaid:
            raise UsageError(
                f"the words of the locale `{self.locale}` lack: {'; '.join([*unnamed, *unsaid])}",
                hint="see memgardend.core.editorial.wording.en",
            )
