"""The table of windows, and `why WINDOW`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.daemon.screens.table import Cell, Column, table
from memgardend.daemon.screens.text import clean, paragraph
from memgardend.daemon.screens.times import ago, moment, wait
from memgardend.daemon.screens.words import marked

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View

_COLUMNS = (
    Column("", head=True),
    Column("WINDOW", head=True),
    Column("AGENT", optional=True),
    Column("TITLE", least=16, optional=True),
    Column("LAST"),
    Column("NEW", right=True, phrase="{} new"),
    Column("STATE", head=True),
    Column("NEXT", phrase="next: {}"),
    Column("HELD BY", least=20),
)
_EMPTY = "No conversations yet. To read them, try: memgardend ingest"


def windows_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`windows`."""
    return [*table_lines(document, view), *summary_lines(document, view)]


def table_lines(document: dict[str, Any], view: View) -> list[Text]:
    """One row a window, newest activity first."""
    if not document["windows"]:
        return paragraph(_EMPTY + view.here, view.width)
    return table(_COLUMNS, [_row(window, view) for window in document["windows"]], view.width)


def summary_lines(document: dict[str, Any], view: View) -> list[Text]:
    """How many windows there are of each state, and where to look further."""
    windows = document["windows"]
    if not windows:
        return []
    states = [window["state"] for window in windows]
    total = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    example = next((one for one in windows if one["state"] == "waiting"), windows[0])
    lead = f"For the reason of one, try: memgardend why {example['short']}{view.here}"
    return [Text(), *paragraph(f"{total}.", view.width), *paragraph(lead, view.width)]


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
    """`why WINDOW`: each gate with a tick or a cross, then when it may."""
    name = f"Window {document['short']} ({document['window']})"
    title = f" “{document['title']}”" if document["title"] else ""
    verb = "may dream now" if document["may"] else "may not dream"
    lines = paragraph(f"{name}{title} {verb}: {document['state']}.", view.width, style="bold")
    lines.append(Text())
    lines += _gates(document, view)
    lines.append(Text())
    lines += _reasons_cut(document, lines, view)
    lines += paragraph(_when(document, view), view.width)
    return lines


def _gates(document: dict[str, Any], view: View) -> list[Text]:
    columns = (
        Column("", head=True),
        Column("GATE", head=True),
        Column("IS", least=10),
        Column("WANTS", least=10, phrase="wants {}"),
        Column("BECAUSE", least=12),
        Column("UNTIL", phrase="until {}"),
    )
    rows = []
    for gate in document["gates"]:
        symbol, style = ("✓", "green") if gate["open"] else ("✗", "red")
        rows.append(
            [
                Cell(symbol, style),
                Cell(gate["gate"], style),
                Cell(gate["value"]),
                Cell(gate["want"]),
                Cell("" if gate["open"] else gate["reason"]),
                Cell(moment(gate["until"], view)),
            ]
        )
    return table(columns, rows, view.width)


def _reasons_cut(document: dict[str, Any], lines: list[Text], view: View) -> list[Text]:
    """What the table had no room to say: why a gate is shut, whole."""
    shown = " ".join(" ".join(line.plain.split()) for line in lines)
    whole = []
    for gate in document["gates"]:
        if not gate["open"] and clean(gate["reason"]) not in shown:
            whole += paragraph(f"{gate['gate']}: {gate['reason']}", view.width, indent=2)
    return [*whole, Text()] if whole else []


def _when(document: dict[str, Any], view: View) -> str:
    command = f"memgardend dream {document['short']}{view.here}"
    if document["may"]:
        place = f", number {document['queue']} in the queue" if document["queue"] else ""
        return f"It is due{place}. To dream it now, try: {command}"
    at = document["next_at"]
    if at is None:
        first = "Time alone does not open these gates."
        if any(gate["gate"] == "old" and not gate["open"] for gate in document["gates"]):
            return f"{first} To read all that is old, try: memgardend dream --backlog{view.here}"
    else:
        first = f"It may from {moment(at, view)} {view.zone} ({wait(at, view)}), if nobody speaks in it."
    return f"{first} To dream it all the same, try: {command}" if document["may_by_hand"] else first
