"""What is noted of a recall beside its marks: counts, ids and reasons, and no word of what was asked or known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from memgardend.core.editorial.observability import MAX_IDS, content_free_record
from memgardend.core.nearest import nearest
from memgardend.core.ranking import RANKING_VERSION
from memgardend.core.recall.leaving import left_out

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memgardend.core.impacts import Surface
    from memgardend.core.ports.index import Candidate, TermReading, TermStatistics, Within
    from memgardend.core.ranking import Manner
    from memgardend.core.recall.leaving import LeftOut
    from memgardend.core.recall.requests import RecallContext

OFTEN = 1000
"""Why a memory did not come that shares only such words with a question as more memories than these have, is not
noted: finding it would take longer than all the rest."""
SEARCH = "search"
"""The mode of a search; messages are noted by the kind of what was put beside them."""
_CHANGED = "+cfg:"
"""Behind the version of what decided, where a person's own policy did: tells apart what two of them chose."""


def record(
    context: RecallContext,
    mode: str,
    query: str,
    recalled: Sequence[str],
    others: Mapping[str, LeftOut],
    *,
    candidates: int,
    dur_ms: int,
    cap: int | None = None,
    rules: str = RANKING_VERSION,
) -> dict[str, Any]:
    """The record of a recall; of what came and of what did not it names twelve each.

    `candidates`: how many were chosen among, `cap`: how many at most (None: what has room).
    """
    return content_free_record(
        query,
        recalled,
        others,
        mode=mode,
        candidates=candidates,
        cap=cap,
        rules=rules + (_changed(context.policy_name) if context.policy else ""),
        sample=MAX_IDS,
        dur_ms=dur_ms,
    )


def _changed(policy_name: str) -> str:
    return f"{_CHANGED}{crc32(policy_name.encode()):08x}"


def elapsed_ms(context: RecallContext, started_s: float) -> int:
    """How long a recall took that began at this monotonic instant."""
    return round((context.clock.monotonic() - started_s) * 1000)


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

    def postings(self, term: str, surface: Surface, within: Within) -> Iterable[tuple[int, int]]:
        return self.index.postings(term, surface, within)

    def candidates(
        self, numbers: Iterable[int], terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[int, Candidate]:
        return self.index.candidates(numbers, terms, surface, within)
