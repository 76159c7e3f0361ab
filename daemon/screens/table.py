"""Tables without lines: an upper-case header, two spaces between columns, stacked where it is narrow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from memgardend.daemon.screens.text import clean, fit, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP = "  "


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a row. Its text may come from outside."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `least`: it may shrink to so many cells. `head`: it leads the row when rows are stacked,
    where the others follow as `phrase`."""

    header: str
    right: bool = False
    least: int | None = None
    head: bool = False
    phrase: str = "{}"


def table(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None
) -> list[Text]:
    """The lines of a table; width None: every cell whole, on one line."""
    plain = [[Cell(clean(cell.text), cell.style) for cell in row] for row in rows]
    widths = [
        max([cell_len(column.header), *(cell_len(row[place].text) for row in plain)])
        for place, column in enumerate(columns)
    ]
    if width is not None:
        widths = _shrink(columns, widths, width)
        if _total(widths) > width:
            return _stack(columns, plain, width)
    header = [Cell(column.header, "bold") for column in columns]
    return [_line(columns, row, widths) for row in [header, *plain]]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _shrink(columns: Sequence[Column], widths: Sequence[int], width: int) -> list[int]:
    """Take cells from the widest column that may give, one at a time, until all fits."""
    fitted = list(widths)
    while _total(fitted) > width:
        giving = [
            place
            for place, column in enumerate(columns)
            if column.least is not None and fitted[place] > column.least
        ]
        if not giving:
            break
        fitted[max(giving, key=lambda place: fitted[place])] -= 1
    return fitted


def _line(columns: Sequence[Column], row: Sequence[Cell], widths: Sequence[int]) -> Text:
    line = Text()
    for place, (column, cell, cells) in enumerate(zip(columns, row, widths, strict=True)):
        line.append(_GAP if place else "")
        text = fit(cell.text, cells)
        padding = " " * (cells - cell_len(text))
        line.append(padding + text if column.right else text + padding, cell.style)
    line.rstrip()
    return line


def _stack(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int) -> list[Text]:
    lines = []
    for row in rows:
        head = Text()
        rest = []
        for column, cell in zip(columns, row, strict=True):
            if column.head:
                head.append(_GAP if head else "").append(cell.text, cell.style)
            elif cell.text not in ("", "-"):
                rest.append(column.phrase.format(cell.text))
        head.truncate(width, overflow="ellipsis")
        lines.append(head)
        lines += [Text("  " + line) for line in wrap(" · ".join(rest), width - 2)]
    return lines


def facts(pairs: Sequence[tuple[str, str]], width: int | None) -> list[Text]:
    """Names and values in two columns; a long value goes on under itself."""
    name_cells = max((len(name) for name, _ in pairs), default=0)
    indent = name_cells + 4
    lines = []
    for name, value in pairs:
        text = clean(value)
        parts = [text] if width is None else wrap(text, max(width - indent, 8))
        for number, part in enumerate(parts):
            label = f"  {name.ljust(name_cells)}  " if number == 0 else " " * indent
            lines.append(Text(label, "dim").append(part, "not dim"))
    return lines
