"""What the rules must know of a language: one table of words and patterns for each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from datetime import date


class Kind(StrEnum):
    """What a sentence is worth keeping as."""

    PREFERENCE = "preference"
    CORRECTION = "correction"
    DECISION = "decision"
    TODO = "todo"
    FACT = "fact"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence without its opener in the plain spelling of its language, and what the rules make of it.

    `corrects`: it begins by contradicting. `remembers`: the person asks to keep it.
    """

    text: str
    corrects: bool = False
    remembers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How the sentences of one language are read. All patterns look at one sentence of bounded length."""

    locale: str  # whose stop words and stems these are
    plain: Callable[[str], str]  # the spelling that the patterns expect, character for character
    opener: re.Pattern[str]  # what is cut from the front of a sentence, again and again
    correcting: re.Pattern[str]  # an opener, or a whole sentence, that contradicts
    remembering: re.Pattern[str]  # an opener or a closer that asks to remember
    closer: re.Pattern[str]  # what is cut from the end
    classify: Callable[[Told], Kind | None]
    done: re.Pattern[str]  # something is finished
    matter: Callable[[str], frozenset[str]]  # the words of a todo, or of what is said to be done
    keywords: Callable[[str], tuple[str, ...]]  # at least one, unless the text is blank
    important: re.Pattern[str]
    here: re.Pattern[str]  # a rule for this project only
    about_person: re.Pattern[str]  # a fact about the person, not about the work
    switched: tuple[re.Pattern[str], ...]  # `new` takes the place of `old`
    reassigned: re.Pattern[str]  # a `subject` is somebody else now
    stated: re.Pattern[str]  # who it is: the same `subject`, and `new`
    linking: re.Pattern[str]  # words that say that something is used or changes, not what
    reason: re.Pattern[str]  # why, at the end of a sentence
    with_dates: Callable[
        [str, date], str
    ]  # the text with the dates of days named by their distance
    full_stop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What the consolidator itself says in one language."""

    repeated: str
    changed: str
    developed: str
    done: str
    duplicate: str
    summary: str  # with {operations} and {turns}
