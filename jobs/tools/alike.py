"""The memories that say what a new content says, or the contrary."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.indexing import names_of, probes
from memgardend.core.likeness import contradicts, is_near_duplicate, jaccard
from memgardend.core.words import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from memgardend.core.ports import Store
    from memgardend.core.ports.index import Probe
    from memgardend.core.records import Memory

MOST_COMPARED = 100
"""Where more memories share a frame (`depot 7 is in street 5`), only this many are checked for a contradiction, of
which an agent is merely told: first those that share a rarer word with the content, then the newest. A memory
that says the same is always found."""
MOST_TOLD = 10
"""How many of them are named, the most alike first."""
_NO_STATE = "no such state"


class Alike:
    """What is like some contents. Looked up before the store is locked, and again only if it has changed since."""

    def __init__(self, store: Store, locale: str) -> None:
        store.keep_index(locale)
        self._store = store
        self._locale = locale
        self._revision = store.read_garden(ids=(), state_prefix=_NO_STATE).revision
        self._known: dict[str, list[Memory]] = {}

    def of(self, content: str, revision: int | None = None) -> list[Memory]:
        """The active memories that say the same as this content, or the contrary, whatever their layer and scope.

        The most alike first. `revision`: of the garden as it is now, where that is known.
        """
        if revision not in (None, self._revision):
            return self._found(content)
        if content not in self._known:
            self._known[content] = self._found(content)
        return self._known[content]

    def _found(self, content: str) -> list[Memory]:
        locale = self._locale
        found = self._store.term_statistics(names_of(content, locale)).found
        ids = set[str]()
        for probe in probes(content, locale, found):
            ids |= self._of_frame(probe, found) if probe.by_frame else self._store.probe([probe])
        alike = [
            one
            for one in self._store.memories(ids=ids, statuses=(Status.ACTIVE,))
            if one.content == content
            or is_near_duplicate(one.content, content, locale)
            or contradicts(one.content, content, locale)
        ]
        return sorted(alike, key=lambda one: -jaccard(one.content, content, locale))

    def _of_frame(self, probe: Probe, found: Mapping[str, int]) -> Set[str]:
        framed = self._store.probe([probe])
        if len(framed) <= MOST_COMPARED:
            return framed
        rarer = tuple(name for name, memories in found.items() if memories <= MOST_COMPARED)
        kindred = framed & self._store.probe([replace(probe, names=rarer)])
        newest = sorted(framed - kindred, reverse=True)  # ids rise with the time
        return kindred.union(newest[: max(0, MOST_COMPARED - len(kindred))])
