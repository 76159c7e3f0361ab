"""The table of windows, and `why WINDOW`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.daemon.screens.table import Cell, Column, table
from memgardend.daemon.screens.text import lead, paragraph
from memgardend.daemon.screens.times import ago, moment, wait
from memgardend.daemon.screens.words import flagged, mark, marked, style

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View

_COLUMNS = (
    Column("", head=True),
    Column("WINDOW", head=True),
    Column("AGENT", optional=True),
    Column("TITLE", least=12, optional=True),
    Column("LAST"),
    Column("NEW", right=True, phrase="{} new"),
    Column("STATE", head=True),
    Column("NEXT", phrase="next: {}"),
    Column("HELD BY", least=18),
)
_GATES = (
    Column("", head=True),
    Column("GATE", head=True),
    Column("IS", least=10),
    Column("WANTS", least=10, phrase="wants {}"),
    Column("UNTIL", phrase="until {}"),
)
_OPENED_BY_SPEECH = {"nothing_new", "old", "quarantined"}
"""The gates that a word of a person opens."""

_ASKED_ABOUT = {"quarantined": 0, "failed": 1, "waiting": 2}
"""The states of which a person wants the reason, the worst first."""

_OPEN, _SHUT = "ok", "failed"
"""The words whose marks a gate borrows."""


def windows_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`windows`."""
    return [*table_lines(document, view), *summary_lines(document, view)]


def table_lines(document: dict[str, Any], view: View) -> list[Text]:
    """One row a window, newest activity first."""
    if not document["windows"]:
        command = f"memgardend ingest{view.here}"
        return lead("No conversations yet. To read them, try:", command, view.width)
    return table(_COLUMNS, [_row(window, view) for window in document["windows"]], view.width)


def summary_lines(document: dict[str, Any], view: View) -> list[Text]:
    """How many windows there are of each state, and where to look further."""
    windows = document["windows"]
    if not windows:
        return []
    states = [window["state"] for window in windows]
    total = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    example = min(windows, key=lambda one: _ASKED_ABOUT.get(one["state"], len(_ASKED_ABOUT)))
    command = f"memgardend why {example['short']}{view.here}"
    return [
        Text(),
        *paragraph(f"{total}.", view.width),
        *lead("For the reason of one, try:", command, view.width),
    ]


def _row(window: dict[str, Any], view: View) -> list[Cell]:
    symbol, state = marked(window["state"])
    return [
        symbol,
        Cell(window["short"]),
        Cell(window["source"]),
        Cell(window["title"] or "-"),
        Cell(ago(window["last_event_at"], view)),
        Cell(str(window["new_events"])),
        state,
        Cell(_next(window, view)),
        Cell(_held_by(window)),
    ]


def _next(window: dict[str, Any], view: View) -> str:
    if window["queue"]:
        return f"queue {window['queue']}"
    return moment(window["next_at"], view)


def _held_by(window: dict[str, Any]) -> str:
    holds = window["holds"]
    if not holds:
        return "-"
    # The gate that gives the state its name says it best: an old window is held by `old`.
    first = next((one for one in holds if one["gate"] == window["state"]), holds[0])
    more = f" (and {len(holds) - 1} more)" if len(holds) > 1 else ""
    return f"{first['gate']}: {first['reason']}{more}"


def why_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`why WINDOW`: each gate with a tick or a cross, why the shut ones are shut, then when it may."""
    name = f"Window {document['short']} ({document['window']})"
    title = f" “{document['title']}”" if document["title"] else ""
    verb = "may dream now" if document["may"] else "may not dream"
    lines = paragraph(f"{name}{title} {verb}: {document['state']}.", view.width, style="bold")
    rows = [_gate(gate, view) for gate in document["gates"]]
    lines += [Text(), *table(_GATES, rows, view.width), Text()]
    shut = [gate for gate in document["gates"] if not gate["open"]]
    for gate in shut:
        lines += flagged(_SHUT, f"{gate['gate']}: {gate['reason']}", view.width)
    dream = document["dream"]
    if dream and dream["error"]:
        lines += paragraph(f"last error: {dream['error']}", view.width, indent=2)
    lines += [Text()] if shut else []
    lines += _when(document, view)
    if dream:
        command = f"memgardend show {dream['short']}{view.here}"
        lines += lead(f"For its {dream['state']} dream, try:", command, view.width)
    return lines


def _gate(gate: dict[str, Any], view: View) -> list[Cell]:
    word = _OPEN if gate["open"] else _SHUT
    until = "" if gate["open"] else moment(gate["until"], view)
    return [
        Cell(mark(word), style(word)),
        Cell(gate["gate"], style(word)),
        Cell(gate["value"]),
        Cell(gate["want"]),
        Cell(until),
    ]


def _when(document: dict[str, Any], view: View) -> list[Text]:
    command = f"memgardend dream {document['short']}{view.here}"
    if document["may"]:
        place = f", number {document['queue']} in the queue" if document["queue"] else ""
        return lead(f"It is due{place}. To dream it now, try:", command, view.width)
    shut = {gate["gate"] for gate in document["gates"] if not gate["open"]}
    first = "Time alone does not open these gates."
    if shut <= _OPENED_BY_SPEECH:
        first = "New speech opens it."
    if document["next_at"] is not None:
        at = document["next_at"]
        first = f"It may from {moment(at, view)} {view.zone} ({wait(at, view)}), if nobody speaks in it."
    if shut <= {"backoff", "quarantined"}:
        command = f"memgardend retry {document['short']}{view.here}"
        return lead(f"{first} To let it try again at once:", command, view.width)
    if document["next_at"] is None and "old" in shut:
        command = f"memgardend dream --backlog{view.here}"
        return lead(f"{first} To read all that is old, try:", command, view.width)
    if document["may_by_hand"]:
        return lead(f"{first} To dream it all the same, try:", command, view.width)
    return paragraph(first, view.width)
