"""Whether a person has said what a tool is asked to keep as theirs: as soul, user or rules (DESIGN section 6).

A dream refuses what nobody said. A tool is told things by an agent that may have heard them elsewhere, or not at
all: there such a memory is kept, marked, and weighs the least.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from memgardend.core.checks.proof import text_of
from memgardend.core.tokens import cjk_characters, tokenize
from memgardend.core.unheard import UNHEARD
from memgardend.core.values import unproven
from memgardend.core.words import PERSONAL_LAYERS, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Event, Memory

MIN_HEARD_SHARE = 1 / 4
"""Share of the words (of CJK text: characters) of a memory that one turn of a person has to hold. Agents put
what they hear into their own words; what nobody spoke of shares next to nothing."""


class Hearing(Enum):
    """What is known of who said it."""

    HEARD = "heard"
    UNHEARD = "unheard"
    UNKNOWN = "unknown"  # the conversation has not been read, or the layer needs no person


def hearing_of(memory: Memory, turns: Sequence[Event] | None, locale: str) -> Hearing:
    """Whether one of a window's turns says what the memory does; None for turns that nobody has read.

    Values have to stand in what was typed, too. What is pasted says nothing.
    """
    if memory.layer not in PERSONAL_LAYERS or turns is None:
        return Hearing.UNKNOWN
    typed = [_typed(one) for one in turns if one.role is Role.HUMAN]
    text = text_of(memory)
    words = _words(text, locale)
    said = any(_holds_enough(one, words, locale) for one in typed)
    return Hearing.HEARD if said and not unproven(text, typed) else Hearing.UNHEARD


def as_unheard(memory: Memory) -> Memory:
    """The memory with the mark, of the least weight."""
    return replace(memory, importance=1, origin=memory.origin.removesuffix(UNHEARD) + UNHEARD)


def as_heard(memory: Memory) -> Memory:
    """The memory without the mark."""
    return replace(memory, origin=memory.origin.removesuffix(UNHEARD))


def _holds_enough(turn: str, words: set[str], locale: str) -> bool:
    shared = words & _words(turn, locale)
    return bool(shared) and len(shared) >= MIN_HEARD_SHARE * len(words)


def _words(text: str, locale: str) -> set[str]:
    """Whole words, and CJK characters one by one: reworded, few of their pairs are left."""
    characters = set(cjk_characters(text))
    return characters.union(one for one in tokenize(text, locale) if characters.isdisjoint(one))


def _typed(turn: Event) -> str:
    parts, at = [], 0
    for start, end in turn.pasted:
        parts.append(turn.text[at:start])
        at = end
    return "\n".join([*parts, turn.text[at:]])
