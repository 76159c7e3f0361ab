"""`dreams` and `show DREAM`."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.core.times import parse_time
from memgardend.core.words import DreamState
from memgardend.daemon.screens.memories import memory_lines
from memgardend.daemon.screens.money import cost_text, receipt_cost, spent_text
from memgardend.daemon.screens.table import Cell, Column, facts, table
from memgardend.daemon.screens.text import dotted, lead, many, paragraph
from memgardend.daemon.screens.times import ago, exact, span
from memgardend.daemon.screens.words import flagged, mark, marked, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.daemon.screens.times import View

_COLUMNS = (
    Column("", head=True),
    Column("DREAM", head=True),
    Column("WINDOW", phrase="window {}"),
    Column("STATE", head=True),
    Column("CREATED"),
    Column("TOOK", right=True, phrase="took {}"),
    Column("CHANGES"),
    Column("CALLS", right=True, phrase="{} calls", one="1 call"),
    Column("COST", right=True, phrase="cost {}", optional=True),
    Column("REASON", least=12),
)
_ROUNDS = (
    Column("", head=True),
    Column("ROUND", head=True),
    Column("STATE", head=True),
    Column("CALLS", right=True, phrase="{} calls", one="1 call"),
    Column("OPERATIONS", right=True, phrase="{} operations", one="1 operation"),
    Column("REFUSED", right=True, phrase="{} refused"),
)


def dreams_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`dreams`, newest first."""
    dreams = document["dreams"]
    if not dreams:
        command = f"memgardend run --once{view.here}"
        return lead("No dreams yet. To dream what is due, try:", command, view.width)
    lines = table(_COLUMNS, [_row(dream, view) for dream in dreams], view.width)
    command = f"memgardend show {dreams[0]['short']}{view.here}"
    sentence = f"{many(len(dreams), 'dream')}. For one of them, try:"
    return [*lines, Text(), *lead(sentence, command, view.width)]


def _row(dream: dict[str, Any], view: View) -> list[Cell]:
    symbol, state = marked(dream["state"])
    return [
        symbol,
        Cell(dream["short"]),
        Cell(dream["window_short"]),
        state,
        Cell(ago(dream["created_at"], view)),
        Cell(_took(dream, view)),
        Cell(_changes(dream)),
        Cell(str(sum(one["model_calls"] for one in dream["rounds"]))),
        Cell(cost_text(dream["spent"])),
        Cell(": ".join(filter(None, [dream["reason"], dream["error"]])) or "-"),
    ]


def _took(dream: dict[str, Any], view: View) -> str:
    """Of a dream that runs: until now."""
    if dream["started_at"] is None:
        return "-"
    began = parse_time(dream["started_at"], UTC)
    if dream["state"] == DreamState.RUNNING:
        return span(max(0, view.now_ms - began))
    return (
        "-" if dream["finished_at"] is None else span(parse_time(dream["finished_at"], UTC) - began)
    )


def _changes(dream: dict[str, Any]) -> str:
    changes = dream["changes"]
    text = f"+{changes['added']} ~{changes['changed']} -{changes['archived']}"
    return f"{text} !{dream['review']}" if dream["review"] else text


def show_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`show DREAM`: facts, rounds, what it changed with its proof, what was refused, receipts."""
    state = document["state"]
    lines = [Text(f"{mark(state)} Dream {document['short']} · {state}", f"bold {style(state)}")]
    lines += facts(_facts(document, view), view.width)
    if document["rounds"]:
        lines += [Text(), *_rounds(document, view)]
    for memory in document["memories"]:
        lines += [
            Text(),
            *change_head(memory["change"], [memory], view),
            *memory_lines(memory, view),
        ]
    for decision, heading in (("refused", "Refused"), ("review", "Waiting for your review")):
        lines += _verdicts(document, decision, heading, view)
    lines += _receipts(document, view)
    return lines


def _facts(document: dict[str, Any], view: View) -> list[tuple[str, str]]:
    through = document["through_seq"]
    shown = "not planned yet" if through is None else f"{document['from_seq'] + 1} to {through}"
    pairs = [
        ("id", document["id"]),
        ("window", document["window"]),
        ("events", shown),
        ("sealed", exact(document["seal"], view)),
        ("created", exact(document["created_at"], view)),
        ("finished", exact(document["finished_at"], view)),
        ("took", _took(document, view)),
        ("attempts", str(document["attempts"])),
        ("changes", _changes(document)),
        ("spent", spent_text(document["spent"]) if document["spent"]["calls"] else "-"),
        ("reason", document["reason"] or "-"),
        ("error", document["error"] or "-"),
        ("next attempt", exact(document["next_attempt_at"], view)),
        ("overrode", ", ".join(document["overrode"]) or "-"),
    ]
    return [(name, value) for name, value in pairs if value != "-"]


def _rounds(document: dict[str, Any], view: View) -> list[Text]:
    rows = []
    for one in document["rounds"]:
        symbol, state = marked(one["state"])
        counts = (one["model_calls"], one["operations"], one["refused"])
        rows.append([symbol, Cell(one["name"]), state, *(Cell(str(count)) for count in counts)])
    lines = table(_ROUNDS, rows, view.width)
    for one in document["rounds"]:
        for text in filter(None, [one["summary"], *one["questions"], *one["problems"]]):
            lines += paragraph(f"{one['name']}: {text}", view.width, indent=2)
    return lines


def change_head(change: str, steps: Sequence[dict[str, Any]], view: View) -> list[Text]:
    """`+ added by remember in atomic · why`: what became of a memory, and by which operations."""
    parts = []
    for step in steps:
        because = f" · {step['reason']}" if step["reason"] else ""
        parts.append(f"{step['operation']} in {step['round']}{because}")
    lines = flagged(change, f"{change} by {', then '.join(parts)}", view.width)
    lines[0].stylize(style(change), 0, len(f"  {change}"))
    return lines


def _verdicts(document: dict[str, Any], decision: str, heading: str, view: View) -> list[Text]:
    lines: list[Text] = []
    for one in document["rounds"]:
        for verdict in one["verdicts"]:
            if verdict["decision"] != decision:
                continue
            operation = verdict["operation"]
            why = ": ".join(filter(None, [verdict["refusal"], verdict["detail"]]))
            head = f"{operation.get('op', '?')} in {one['name']}"
            text = " · ".join(filter(None, [head, why, _subject(operation)]))
            lines += flagged(decision, text, view.width)
    return [Text(), Text(heading, "bold"), *lines] if lines else []


def _subject(operation: dict[str, Any]) -> str:
    """What an operation, as answered, is about: its first new text, else the memories it names."""
    new = operation.get("by") or operation.get("into") or operation
    first = new[0] if isinstance(new, list) else new
    content = first.get("content") if isinstance(first, dict) else None
    named = operation.get("ids") or operation.get("id") or ""
    return str(content or (", ".join(map(str, named)) if isinstance(named, list) else named))


def _receipts(document: dict[str, Any], view: View) -> list[Text]:
    if not document["receipts"]:
        return []
    lines = [Text(), Text("Receipts", "bold")]
    for receipt in document["receipts"]:
        lines += dotted(_receipt(receipt), view.width, indent=2)
    return lines


def _receipt(receipt: dict[str, Any]) -> list[str]:
    guess = "" if receipt["tokens_reported"] else "about "
    parts = [
        f"{receipt['round']} {receipt['outcome']} in {span(receipt['duration_ms'])}",
        f"{many(receipt['prompt_chars'], 'character')} asked, {receipt['answer_chars']:,} answered",
    ]
    if receipt["tokens_in"] is not None:
        parts.append(f"{guess}{receipt['tokens_in']:,} + {receipt['tokens_out']:,} tokens")
    parts.append(receipt_cost(receipt))
    phase = receipt["phase"].replace("_", "-")
    return [*parts, phase, receipt["model"] or "", receipt["detail"] or ""]
