"""The `status` document: what the gardener does, what is next, what holds it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.times import rfc3339
from memgardend.core.words import DreamState, GateName, WindowState
from memgardend.jobs.look.daemon import daemon_document
from memgardend.jobs.look.find import ShortIds
from memgardend.jobs.look.spent import budget_document, spent_document
from memgardend.jobs.look.windows import SCHEMA, instant, judge_windows, window_row
from memgardend.jobs.shared import read_breaker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.config.model import ModelSettings
    from memgardend.core.ports import Store
    from memgardend.jobs.look.outlook import Outlook
    from memgardend.jobs.look.windows import Judged


def status_document(outlook: Outlook, at: int) -> dict[str, Any]:
    """`status` at the instant. Windows newest activity first."""
    judged = judge_windows(outlook, at)
    shared = outlook.shared(at)
    return {
        "schema": SCHEMA,
        "now": rfc3339(at),
        "clock": "driven" if outlook.driven else "system",
        "daemon": daemon_document(
            outlook.store,
            outlook.now_ms,
            is_gone=outlook.is_gone,
            trouble=outlook.trouble,
            settings=outlook.settings,
        ),
        "hooks": {"settings_old": outlook.hooks_lag()},
        "workspace": outlook.workspace,
        "model": _model(outlook.config.dreaming_model),
        "model_agreed": outlook.model_agreed(),
        "paused": shared.paused,
        "paused_until": instant(shared.paused_until),
        "suppression": _suppression(outlook, at),
        "budget": budget_document(shared, at),
        "spent": spent_document(outlook, at),
        "breaker": _breaker(outlook.store),
        "last_dream": _last_dream(outlook.store),
        "next": _next(outlook, judged),
        "counts": _counts(outlook.store, judged),
        "windows": [window_row(one) for one in judged],
    }


def wants_attention(document: dict[str, Any]) -> bool:
    """True when a person should look: something failed, waits for review, or can never go on by itself."""
    daemon = document["daemon"]
    counts = document["counts"]
    troubles = ("failed", "quarantined", "review", "unreadable_lines")
    return (
        any(counts[name] for name in troubles)
        or document["breaker"]["open_until"] is not None
        or document["suppression"]["never_allows"]
        or not document["model_agreed"]
        or (daemon["state"] == "running" and bool(daemon["trouble"] or daemon["settings_kept"]))
    )


def _model(model: ModelSettings) -> str:
    return model.preset if model.command is None else model.command[0]


def _suppression(outlook: Outlook, at: int) -> dict[str, Any]:
    rule = outlook.suppression
    return {
        "suppressed": rule.suppressed(at),
        "time_zone": outlook.config.dream.time_zone,
        "calendar": outlook.config.dream.calendar,
        "next_change_at": instant(rule.next_change(at)),
        "next_allowed_at": instant(rule.next_allowed(at)),
        "never_allows": rule.never_allows,
    }


def _breaker(store: Store) -> dict[str, Any]:
    breaker = read_breaker(store)
    return {"failures": breaker.failures, "open_until": instant(breaker.open_until)}


def _last_dream(store: Store) -> dict[str, Any] | None:
    final = (DreamState.APPLIED, DreamState.EMPTY, DreamState.CANCELLED)
    newest = store.dreams(1, states=final)
    if not newest:
        return None
    dream = newest[0]
    return {
        "id": dream.id,
        "short": ShortIds(store.find_dreams).of(dream.id),
        "window": dream.window,
        "state": str(dream.state),
        "finished_at": instant(dream.finished_at),
    }


def _next(outlook: Outlook, judged: Sequence[Judged]) -> dict[str, Any]:
    """The window that dreams next: the earliest instant, the first of the queue where several are due.

    One whose dream is under way comes again only if its worker dies.
    """
    waiting = [
        one
        for one in judged
        if one.verdict.next_at is not None and one.state is not WindowState.DREAMING
    ]
    if not waiting:
        return {"window": None, "at": None, "reason": None}
    one = min(waiting, key=lambda one: (one.verdict.next_at, one.queue or 0))
    holds = sorted(one.verdict.holds, key=lambda gate: gate.until or 0)
    reason = f"{holds[-1].name}: {holds[-1].reason}" if holds else str(one.state)
    until = holds[-1].until if holds else None
    if until is not None and outlook.suppression.suppressed(until):
        reason += f", then {GateName.PEAK}"
    return {"window": one.facts.window.id, "at": instant(one.verdict.next_at), "reason": reason}


def _counts(store: Store, judged: Sequence[Judged]) -> dict[str, int]:
    stored = store.counts()
    states = [one.state for one in judged]
    per_state = {
        str(state): states.count(state)
        for state in (
            WindowState.DUE,
            WindowState.DREAMING,
            WindowState.FAILED,
            WindowState.QUARANTINED,
            WindowState.OLD,
        )
    }
    return {
        "windows": len(judged),
        **per_state,
        "review": sum(one.facts.review for one in judged),
        "memories": stored.get("active", 0),
        "unreadable_lines": stored.get("unreadable_lines", 0),
    }
