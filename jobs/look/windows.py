"""Windows with the gates that hold them: the rows of `status`, `windows`, and `why WINDOW`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memgardend.core.gates import judge, rest_of, window_state
from memgardend.core.times import rfc3339
from memgardend.core.words import WindowKind, WindowState
from memgardend.jobs.look.find import ShortIds, ShortWindows, find_window, short_windows
from memgardend.jobs.shared import gate_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from memgardend.core.gates import Gate, Verdict
    from memgardend.core.records import Dream, WindowFacts
    from memgardend.jobs.look.outlook import Outlook

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Judged:
    """A window as the gates see it at one instant. `queue`: its place among the due ones, from 1."""

    facts: WindowFacts
    verdict: Verdict
    state: WindowState
    short: str
    queue: int | None = None


def judge_windows(outlook: Outlook, at: int, *, aside: bool = False) -> Sequence[Judged]:
    """Every main window (with `aside` all of them) at the instant, newest activity first."""
    every = outlook.store.window_facts(aside=True)
    short = short_windows(facts.window for facts in every)
    chosen = [one for one in every if aside or one.window.kind is WindowKind.MAIN]
    return _with_queue(_judged(outlook, at, chosen, short.__getitem__))


def judge_window(outlook: Outlook, window_id: str, at: int) -> Judged:
    """One window at the instant; the others count only where it stands in a queue with them."""
    store = outlook.store
    (one,) = _judged(outlook, at, store.window_facts(window_id), ShortWindows(store).of)
    if not one.verdict.may:
        return one
    waiting = [facts for id_ in store.windows_with_news() for facts in store.window_facts(id_)]
    rivals = _with_queue(_judged(outlook, at, waiting, str))
    places = {rival.facts.window.id: rival.queue for rival in rivals}
    return replace(one, queue=places.get(window_id))


def _judged(
    outlook: Outlook, at: int, every: Iterable[WindowFacts], short: Callable[[str], str]
) -> list[Judged]:
    settings, shared = gate_settings(outlook.config), outlook.shared(at)
    at_rest: dict[Hashable, tuple[Verdict, WindowState]] = {}
    judged = []
    for facts in every:
        rest = rest_of(facts, at, settings)
        if rest is None or rest not in at_rest:
            verdict = judge(facts, at, settings, shared, outlook.suppression)
            at_rest[rest] = verdict, window_state(facts, verdict, at)
        judged.append(Judged(facts, *at_rest[rest], short(facts.window.id)))
    return judged


def _with_queue(judged: Sequence[Judged]) -> Sequence[Judged]:
    """In the order of a sweep: dreams that were begun go on first."""
    due = sorted((one for one in judged if one.verdict.may), key=_turn)
    place = {one.facts.window.id: number for number, one in enumerate(due, start=1)}
    return [replace(one, queue=place.get(one.facts.window.id)) for one in judged]


def _turn(one: Judged) -> tuple[bool, int, str]:
    facts, begun = one.facts, one.facts.open_dream
    if begun is not None:
        return False, begun.created_at, begun.id
    return True, facts.oldest_new_at or 0, facts.window.id


def windows_document(outlook: Outlook, at: int, *, aside: bool = False) -> dict[str, Any]:
    """`windows`: every row of `status`; with `aside` sub-agent and own windows too."""
    rows = [window_row(one) for one in judge_windows(outlook, at, aside=aside)]
    return {"schema": SCHEMA, "now": rfc3339(at), "windows": rows}


def why_document(outlook: Outlook, text: str, at: int) -> dict[str, Any]:
    """`why WINDOW`: every gate with its value, what it wants, and until when it is shut."""
    window_id = find_window(outlook.store, text)
    one = judge_window(outlook, window_id, at)
    settings, shared = gate_settings(outlook.config), outlook.shared(at)
    by_hand = judge(one.facts, at, settings, shared, outlook.suppression, manual=True)
    return {
        "schema": SCHEMA,
        "now": rfc3339(at),
        "window": window_id,
        "short": one.short,
        "title": one.facts.window.title,
        "state": str(one.state),
        "new_events": one.facts.new_events,
        "may": one.verdict.may,
        "may_by_hand": by_hand.may,
        "next_at": instant(one.verdict.next_at),
        "queue": one.queue,
        "dream": _open_dream(outlook, one.facts.open_dream),
        "gates": [
            {**_hold(gate), "open": gate.open, "value": gate.value, "want": gate.want}
            for gate in one.verdict.gates
        ],
    }


def _open_dream(outlook: Outlook, dream: Dream | None) -> dict[str, Any] | None:
    """The dream that is under way or failed, with the last error."""
    if dream is None:
        return None
    short = ShortIds(outlook.store.find_dreams).of(dream.id)
    return {
        "id": dream.id,
        "short": short,
        "state": str(dream.state),
        "reason": dream.reason,
        "error": dream.error,
    }


def window_row(one: Judged) -> dict[str, Any]:
    """One row of the windows table."""
    window = one.facts.window
    return {
        "id": window.id,
        "short": one.short,
        "source": window.source,
        "kind": str(window.kind),
        "title": window.title,
        "cwd": window.cwd,
        "state": str(one.state),
        "last_event_at": instant(window.last_event_at),
        "new_events": one.facts.new_events,
        "review": one.facts.review,
        "next_at": instant(one.verdict.next_at),
        "queue": one.queue,
        "holds": [_hold(gate) for gate in one.verdict.holds],
    }


def _hold(gate: Gate) -> dict[str, Any]:
    return {
        "gate": str(gate.name),
        "reason": gate.reason,
        "since": instant(gate.since),
        "until": instant(gate.until),
    }


def instant(at: int | None) -> str | None:
    """RFC 3339, or None."""
    return None if at is None else rfc3339(at)
