"""Borrowed words: a text of soul, user or rules that says what nobody typed, next to a quote that does not.

A model that obeys a page may cite any turn of the person. So the words themselves are looked at: they may be
reworded freely, but not be those of a tool, a paste or an assistant that the person did not say.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from memgardend.core.checks.values import without
from memgardend.core.negation import flips
from memgardend.core.tokens import tokenize
from memgardend.core.words import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Set

    from memgardend.core.quotes import Found
    from memgardend.core.records import Event

MIN_BORROWED_SHARE = 2 / 3
"""Share of a text's words in one or two sentences that nobody typed, from which on it comes from there."""
MIN_TYPED_SHARE = 1 / 2
"""Share of them in the quoted turns, from which on it is the person's all the same; what turns a memory into its
opposite needs the greater share."""

_SENTENCE = re.compile(r"[^\n.!?。！？;；]+[.!?。！？;；]*")
_ASKS = ("?", "？")
_NOT_TYPED = frozenset({Role.TOOL, Role.SYSTEM, Role.SCRIPT, Role.REPLAY, Role.ASSISTANT})


class Untyped:
    """What stands in the events of a round without a person having typed it."""

    def __init__(self, events: Iterable[Event], locale: str) -> None:
        self._events = sorted(events, key=lambda event: event.seq)
        self._locale = locale

    def lends(self, text: str, found: Sequence[Found], proven: str) -> bool:
        """True when the text has what it says beyond `proven` from here, and not from the quoted turns."""
        words = self._words(text)
        turned = bool(proven) and flips(text, proven)
        words = words if turned else words - self._words(proven)
        typed = self._words("\n".join(map(_typed, found)))
        needed = MIN_BORROWED_SHARE if turned else MIN_TYPED_SHARE
        if len(words & typed) >= needed * len(words):
            return False
        answered = {event.seq for one in found if (event := self._asked_before(one.event))}
        return any(
            len(words & passage) >= MIN_BORROWED_SHARE * len(words)
            for passage, seq, asks in self._passages
            if not (asks and seq in answered)
        )

    @cached_property
    def _passages(self) -> list[tuple[Set[str], int, bool]]:
        """The words of each sentence with those of the next, its event, and whether it asks."""
        found: list[tuple[Set[str], int, bool]] = []
        for event in self._events:
            for text in _not_typed(event):
                read = [(self._words(one), one.endswith(_ASKS)) for one in _SENTENCE.findall(text)]
                for (words, asks), (more, more_asks) in pairwise([*read, (frozenset[str](), True)]):
                    alone = asks or more_asks
                    found.append((words if alone else words | more, event.seq, asks))
        return found

    def _asked_before(self, turn: Event) -> Event | None:
        """The assistant's event that a turn answers: "Shall I always …?" "Yes, do." """
        before = [one for one in self._events if one.seq < turn.seq and one.role is Role.ASSISTANT]
        return before[-1] if before else None

    def _words(self, text: str) -> frozenset[str]:
        return frozenset(tokenize(text, self._locale))


def _typed(found: Found) -> str:
    return without(found.event.text, found.event.pasted) if found.event.role is Role.HUMAN else ""


def _not_typed(event: Event) -> Iterator[str]:
    if event.role in _NOT_TYPED:
        yield event.text
    elif event.role is Role.HUMAN:
        yield from (event.text[start:end] for start, end in event.pasted)
