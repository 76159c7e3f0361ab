"""Tables without lines: an upper-case header, two spaces between columns, stacked where it is narrow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from memgardend.daemon.screens.text import clean, dotted, fit

if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP = "  "
_BLANK = ("", "-")


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a row. Its text may come from outside."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `least`: it may shrink to so many cells. `head`: it leads the row when rows are stacked,
    where the others follow as `phrase`, or as `one` where it is 1. `optional`: it may be left out where all is
    too wide, as may any other that says nothing."""

    header: str
    right: bool = False
    least: int | None = None
    head: bool = False
    phrase: str = "{}"
    one: str | None = None
    optional: bool = False


def table(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None
) -> list[Text]:
    """The lines of a table; width None: every cell whole, on one line."""
    plain = [[Cell(clean(cell.text), cell.style) for cell in row] for row in rows]
    widths = [
        max([cell_len(column.header), *(cell_len(row[place].text) for row in plain)])
        for place, column in enumerate(columns)
    ]
    shown = list(range(len(columns)))
    if width is not None:
        fitted = _fit(columns, plain, widths, width)
        if fitted is None:
            return _stack(columns, plain, width)
        shown, widths = fitted
    header = [Cell(column.header, "bold") for column in columns]
    chosen = [columns[place] for place in shown]
    return [
        _line(chosen, [row[place] for place in shown], [widths[place] for place in shown])
        for row in [header, *plain]
    ]


def _fit(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], widths: Sequence[int], width: int
) -> tuple[list[int], list[int]] | None:
    """Which columns are shown and how wide each is, leaving out as few as possible; None: no way."""
    shown = list(range(len(columns)))
    blank = {place for place in shown if all(row[place].text in _BLANK for row in rows)}
    optional = [{place} for place in shown if columns[place].optional]
    for leaving in [set[int](), blank, *optional]:
        shown = [place for place in shown if place not in leaving or columns[place].head]
        fitted = _shrink(columns, widths, shown, width)
        if fitted is not None:
            return shown, fitted
    return None


def _shrink(
    columns: Sequence[Column], widths: Sequence[int], shown: Sequence[int], width: int
) -> list[int] | None:
    """Take cells from the widest column that may give, one at a time, until all fits."""
    fitted = list(widths)
    while sum(fitted[place] for place in shown) + len(_GAP) * (len(shown) - 1) > width:
        giving = [place for place in shown if fitted[place] > (columns[place].least or width)]
        if not giving:
            return None
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
            elif cell.text not in _BLANK:
                phrase = column.one if cell.text == "1" and column.one else column.phrase
                rest.append(phrase.format(cell.text))
        head.truncate(width, overflow="ellipsis")
        lines.append(head)
        lines += dotted(rest, width, indent=2)
    return lines


def facts(pairs: Sequence[tuple[str, str | Sequence[str]]], width: int | None) -> list[Text]:
    """Names and values in two columns; a long value, or one of several parts, goes on under itself."""
    name_cells = max((len(name) for name, _ in pairs), default=0)
    indent = name_cells + 4
    lines = []
    for name, value in pairs:
        cells = None if width is None else max(width - indent, 8)
        for number, part in enumerate(dotted([value] if isinstance(value, str) else value, cells)):
            label = f"  {name.ljust(name_cells)}  " if number == 0 else " " * indent
            lines.append(Text(label, "dim").append(part.plain, "not dim"))
    return lines
