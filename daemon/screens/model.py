"""`model show`, `model test` and `model presets`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.table import Cell, Column, facts, table
from memgardend.daemon.screens.text import paragraph
from memgardend.daemon.screens.times import span
from memgardend.daemon.screens.words import flagged

if TYPE_CHECKING:
    from rich.text import Text

_PRESETS = (
    Column("PRESET", head=True),
    Column("READS"),
    Column("COMMAND", least=30),
)


def test_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """Whether the model can be used, and what to do when not."""
    word = "ok" if document["ok"] else "failed"
    lines = flagged(word, f"{document['model']}: {document['outcome']}", width)
    pairs = [("took", span(document["duration_ms"]))]
    if document["tokens_in"] is not None:
        guess = "" if document["tokens_reported"] else "about "
        pairs.append(("tokens", f"{guess}{document['tokens_in']} + {document['tokens_out']}"))
        if document["tokens_in"]:
            pairs.append(("budget", "does not count this call"))
    if document["detail"]:
        pairs.append(("says", document["detail"]))
    lines += facts(pairs, width)
    if document["hint"]:
        lines += paragraph(f"try: {document['hint']}", width, indent=2)
    return lines


def show_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """What is run, and how to run it by hand."""
    command = shlex.join(document["command"])
    silent = document["silent_minutes"]
    pairs = [
        ("program", document["program"] or "not found"),
        (
            "reads",
            f"{document['reads']} on stdin, at most {document['max_prompt_chars']} characters",
        ),
        ("sees", ", ".join(document["environment"])),
        ("runs in", "an empty folder of its own"),
        ("ended", f"after {document['timeout_minutes']:g} min"),
    ]
    if document["missing"]:
        pairs.insert(3, ("not set", ", ".join(document["missing"])))
    if silent is not None:
        pairs.append(("", f"or after {silent:g} min without output"))
    lines = [*paragraph(command, width), *facts(pairs, width)]
    if document["reads"] == "prompt":
        by_hand = f"try: echo 'Say hello.' | {command}"
        lines += paragraph(by_hand, width, indent=2)
    return lines


def presets_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """One row a preset."""
    rows = [
        [Cell(one["name"]), Cell(one["input"]), Cell(shlex.join(one["command"]))]
        for one in document["presets"]
    ]
    lines = table(_PRESETS, rows, width)
    lead = "To use one, write model: {preset: NAME}; to try it: memgardend model test"
    return [*lines, *paragraph(lead, width)]
