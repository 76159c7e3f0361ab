"""`doctor`: each check with its remedy, and the failpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.table import Cell, Column, table
from memgardend.daemon.screens.text import paragraph
from memgardend.daemon.screens.words import mark, style

if TYPE_CHECKING:
    from rich.text import Text

_FAILPOINTS = (Column("FAILPOINT", head=True), Column("ACTS", least=20))


def doctor_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """A line a check, the remedy under it, and the count of what is wrong."""
    checks = document["checks"]
    indent = max(len(check["name"]) for check in checks) + 4
    lines = []
    for done in document["fixed"]:
        lines += paragraph(f"fixed: {done}", width)
    for check in checks:
        level = check["level"]
        first = f"{mark(level)} {check['name']}"
        lines += paragraph(
            check["detail"], width, indent=indent, first=first, first_style=style(level)
        )
        if check["hint"]:
            lines += paragraph(f"try: {check['hint']}", width, indent=indent)
    levels = [check["level"] for check in checks]
    failed, warned = levels.count("failed"), levels.count("warning")
    return [*lines, *paragraph(f"{failed} failed, {warned} to look at", width)]


def failpoints_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """Each name and where it acts."""
    rows = [[Cell(one["name"]), Cell(one["place"])] for one in document["failpoints"]]
    return table(_FAILPOINTS, rows, width)
