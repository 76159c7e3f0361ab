"""Why memories did not come that were near to a question: asked of the index once more, with fewer words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memgardend.core.editorial.observability import MAX_IDS
from memgardend.core.nearest import nearest
from memgardend.core.recall.leaving import left_out

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from memgardend.core.impacts import Surface
    from memgardend.core.ports.index import Candidate, TermReading, TermStatistics, Within
    from memgardend.core.ranking import Manner
    from memgardend.core.recall.leaving import LeftOut
    from memgardend.core.recall.requests import RecallContext

OFTEN = 100
"""Words that more memories than this have are no reason: to look all those up would take longer than the rest."""


def why_not(
    context: RecallContext,
    query: str,
    within: Within,
    manner: Manner,
    *,
    answers: Collection[str],
    recalled: Collection[str],
    kept_out: Mapping[str, LeftOut],
    projects: Collection[str | None],
    is_cut: bool,
) -> dict[str, LeftOut]:
    """Why the other answers, and what is nearest by the rarer words of a question, did not come.

    `projects`: of which one had to be covered, none: no matter.
    """
    wide = replace(within, everywhere=True, without=frozenset())
    unfloored, locale = replace(manner, floor=False), context.settings.locale
    near = nearest(query, _Rarer(context.store), locale, wide, MAX_IDS, unfloored)
    ids = [memory for _, memory in near]
    unexplained = [one for one in ids if one not in answers and one not in kept_out]
    looked_at = context.store.memories(ids=unexplained) if projects and unexplained else ()
    return left_out(
        ids,
        answers,
        recalled,
        kept_out=kept_out,
        scopes={memory.id: memory.scope for memory in looked_at},
        projects=projects,
        is_cut=is_cut,
    )


@dataclass(frozen=True, slots=True)
class _Rarer:
    """An index that knows no word that many memories have."""

    index: TermReading

    def term_statistics(self, terms: Iterable[str]) -> TermStatistics:
        counted = self.index.term_statistics(terms)
        rarer = {term: found for term, found in counted.found.items() if found <= OFTEN}
        return replace(counted, found=rarer)

    def postings(
        self, terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[str, Mapping[int, int]]:
        return self.index.postings(terms, surface, within)

    def candidates(
        self, numbers: Iterable[int], terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[int, Candidate]:
        return self.index.candidates(numbers, terms, surface, within)
