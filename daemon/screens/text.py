"""Text from outside, made safe and fitted to a width in terminal cells."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

_ESCAPES = re.compile(
    r"(?:\x1b\]|\x9d).*?(?:\x07|\x1b\\|\x9c|$)"  # operating system commands: titles, links, clipboard
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f]).*?(?:\x1b\\|\x9c|$)"  # other strings to the terminal
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def clean(text: str) -> str:
    """The text on one line, without escape sequences, control and invisible formatting characters.

    Memory text is hostile input: it must neither drive the terminal nor reorder what stands around it.
    """
    plain = " ".join(_ESCAPES.sub("", text).split())
    return "".join(char for char in plain if unicodedata.category(char) not in _UNSEEN)


def clean_lines(text: str) -> list[str]:
    """As `clean`, line by line; empty lines are left out."""
    return [line for part in _ESCAPES.sub("", text).splitlines() if (line := clean(part))]


def fit(text: str, cells: int) -> str:
    """The text cut to the width, with an ellipsis where something is missing."""
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, max(cells - 1, 0)).rstrip() + "…"


def wrap(text: str, cells: int) -> list[str]:
    """The text in lines of at most the width; words longer than a line, and CJK, break anywhere."""
    lines, line = [], ""
    for piece in _pieces(text, cells):
        joined = line + piece
        if line and cell_len(joined.rstrip()) > cells:
            lines.append(line.rstrip())
            joined = piece.lstrip()
        line = joined
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _pieces(text: str, cells: int) -> Iterator[str]:
    """Words with the space before them; CJK characters and pieces of over-long words by themselves."""
    for word in re.findall(r"\s*[^\s\u2e80-\uffef]+|\s*[\u2e80-\uffef]|\s+", text):
        if cell_len(word) <= cells:
            yield word
        else:
            yield from chop_cells(word.strip(), cells)


def many(count: int, noun: str) -> str:
    """`1 event`, `2 events`, `1,000 events`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def paragraph(
    text: str, width: int | None, *, indent: int = 0, first: str = "", style: str = ""
) -> list[Text]:
    """Lines of prose, indented; `first` stands in the indent of the first. Width None: not wrapped."""
    found = []
    for line in clean_lines(text):
        found += [line] if width is None else wrap(line, max(width - indent, 8))
    return [
        Text(first.ljust(indent) if number == 0 else " " * indent).append(line, style)
        for number, line in enumerate(found)
    ]
