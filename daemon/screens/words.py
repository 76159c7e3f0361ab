"""The symbol and the colour beside each word. Colour never stands alone, nor does the symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.words import Decision, DreamState, Ending, RoundState, Status, WindowState
from memgardend.daemon.screens.table import Cell
from memgardend.daemon.screens.text import paragraph

if TYPE_CHECKING:
    from rich.text import Text

GOOD, BAD, WARN, QUIET, BUSY = "green", "red", "yellow", "dim", "cyan"

_MARKS: dict[str, tuple[str, str]] = {
    WindowState.ACTIVE: ("●", GOOD),
    WindowState.WAITING: ("…", ""),
    WindowState.DUE: ("›", BUSY),
    WindowState.DREAMING: ("☾", BUSY),
    WindowState.DREAMED: ("✓", GOOD),
    WindowState.SKIPPED: ("-", QUIET),
    WindowState.OLD: ("-", QUIET),
    WindowState.REVIEW: ("!", WARN),
    WindowState.FAILED: ("✗", BAD),
    WindowState.QUARANTINED: ("✗", BAD),
    WindowState.ARCHIVED: ("-", QUIET),
    WindowState.ASIDE: ("-", QUIET),
    DreamState.PENDING: ("…", ""),
    DreamState.RUNNING: ("☾", BUSY),
    DreamState.APPLIED: ("✓", GOOD),
    DreamState.EMPTY: ("✓", QUIET),
    DreamState.CANCELLED: ("-", QUIET),
    Ending.MODEL_UNAVAILABLE: ("✗", BAD),
    Ending.NOT_STARTED: ("…", ""),
    Ending.HELD: ("…", ""),
    Ending.PARKED: ("…", ""),
    Ending.FENCED: ("…", ""),
    Ending.REPLANNED: ("…", ""),
    RoundState.PLANNED: ("…", ""),
    RoundState.ASKED: ("☾", BUSY),
    RoundState.ANSWERED: ("☾", BUSY),
    RoundState.STAGED: ("✓", GOOD),
    Decision.REFUSED: ("✗", BAD),
    "ok": ("✓", GOOD),
    "warning": ("!", WARN),
    "added": ("+", GOOD),
    "changed": ("~", WARN),
    Status.STALE: ("-", QUIET),
}
"""Words that two enums share (`archived`, `failed`, `review`, …) have one mark in both."""


def mark(word: str) -> str:
    """The symbol of a word."""
    return _MARKS.get(word, ("·", ""))[0]


def style(word: str) -> str:
    """The colour of a word, as a rich style."""
    return _MARKS.get(word, ("·", ""))[1]


def marked(word: str) -> tuple[Cell, Cell]:
    """Two cells: the symbol, and the word."""
    return Cell(mark(word), style(word)), Cell(word, style(word))


def flagged(word: str, text: str, width: int | None) -> list[Text]:
    """Prose behind the symbol of a word; the symbol alone is coloured, as no colour suits every background."""
    return paragraph(text, width, indent=2, first=mark(word), first_style=f"bold {style(word)}")
