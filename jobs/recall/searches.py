"""A search: what the index finds, weighed by age; the best of it, and what the asker has not seen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memgardend.core.clock import DAY_MS
from memgardend.core.nearest import nearest
from memgardend.core.ports.index import Within
from memgardend.core.ranking import RANKING_VERSION, Manner
from memgardend.core.recall.leaving import LeftOut
from memgardend.core.recall.lookups import MAX_HITS, Found, SearchResult
from memgardend.core.recall.searching import shown
from memgardend.core.recall.selection import choose
from memgardend.core.recall.window import seen
from memgardend.core.records.window_recall import NO_WINDOW, WindowRecall
from memgardend.core.words import Status, Use
from memgardend.jobs.recall.context import forms_of, scored
from memgardend.jobs.recall.marks import note, only_one
from memgardend.jobs.recall.reasons import why_not
from memgardend.jobs.recall.records import SEARCH, elapsed_ms, record

if TYPE_CHECKING:
    from memgardend.core.recall.forms import Forms
    from memgardend.core.recall.lookups import SearchRequest
    from memgardend.core.recall.requests import RecallContext
    from memgardend.core.recall.selection import Scored

CANDIDATES = 2 * MAX_HITS
"""A policy chooses among so many, and as many that were not seen."""


def search(context: RecallContext, request: SearchRequest) -> SearchResult:
    """Search, mark what was found as seen by the window, and anchor it to a project named alone.

    Outside of any window nothing is marked, and a record is left only where the request asks for it.
    """
    started_s = context.clock.monotonic()
    state = WindowRecall(window=NO_WINDOW)
    if request.window is not None:
        state = context.store.window_recall(request.window)
    known = seen(state)
    ranked = _ranked(context, request, known)
    chosen = choose(context.policy, ranked, request.query, len(ranked))
    answers = shown(chosen, known, _cap(request))
    if request.window is not None or request.recorded:
        dur_ms = elapsed_ms(context, started_s)
        happened: dict[str, Any] = {
            "record": _record(context, request, known, ranked, answers, dur_ms)
        }
        if request.window is not None:
            happened["used"] = {Use.SEARCHED: tuple(one.memory.id for one in answers)}
            happened["anchor"] = only_one(request.projects)
        note(context, state, request.at, **happened)
    forms = forms_of(context, request.at)
    return SearchResult(
        hits=tuple(_found(one, forms, request.content_chars) for one in answers),
        text=_text(answers, forms),
    )


def _record(
    context: RecallContext,
    request: SearchRequest,
    known: frozenset[str],
    ranked: list[Scored],
    answers: list[Scored],
    dur_ms: int,
) -> dict[str, Any]:
    """What was seen takes part here, and gives way only where there is more than is shown."""
    ids = [one.memory.id for one in answers]
    others = why_not(
        context,
        request.query,
        _within(request),
        Manner(now=request.at),
        answers=[one.memory.id for one in ranked],
        recalled=ids,
        kept_out={one.memory.id: LeftOut.SEEN for one in ranked if one.memory.id in known},
        projects=request.projects,
        is_cut=len(ranked) >= CANDIDATES,
    )
    return record(
        context,
        SEARCH,
        request.query,
        ids,
        others,
        rules=RANKING_VERSION,
        candidates=len(ranked),
        cap=_cap(request),
        dur_ms=dur_ms,
    )


def _ranked(context: RecallContext, request: SearchRequest, known: frozenset[str]) -> list[Scored]:
    """All that may answer, the best first; what was seen takes no seat from what was not."""
    within = _within(request)
    ranked = _nearest(context, request, within)
    if known and len(ranked) == CANDIDATES:
        ids = {one.memory.id for one in ranked}
        unseen = _nearest(context, request, replace(within, without=known))
        ranked += [one for one in unseen if one.memory.id not in ids]
    return ranked


def _nearest(context: RecallContext, request: SearchRequest, within: Within) -> list[Scored]:
    store, locale = context.store, context.settings.locale
    manner = Manner(now=request.at)
    return scored(context, nearest(request.query, store, locale, within, CANDIDATES, manner))


def _cap(request: SearchRequest) -> int:
    return max(1, min(request.k, MAX_HITS))


def _within(request: SearchRequest) -> Within:
    return Within(
        statuses=request.statuses or (Status.ACTIVE,),
        done_todos=not request.statuses,
        layers=request.layers,
        everywhere=not request.projects,
        projects=request.projects,
        since=None if request.days is None else request.at - request.days * DAY_MS,
    )


def _found(scored: Scored, forms: Forms, content_chars: int) -> Found:
    content = scored.memory.content
    if content_chars and len(content) > content_chars:
        content = content[:content_chars] + "…"
    return Found(
        memory=scored.memory,
        score=scored.score,
        content=content,
        projects=forms.scope_names(scored.memory),
    )


def _text(answers: list[Scored], forms: Forms) -> str:
    if not answers:
        return forms.texts.say("search.none")
    intro = forms.texts.say("search.intro", count=len(answers))
    return "\n\n".join([intro, *(forms.found(one.memory) for one in answers)])
