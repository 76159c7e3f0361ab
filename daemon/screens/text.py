"""Text from outside, made safe and fitted to a width in terminal cells."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ESCAPES = re.compile(
    r"(?:\x1b\]|\x9d).*?(?:\x07|\x1b\\|\x9c|$)"  # operating system commands: titles, links, clipboard
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f]).*?(?:\x1b\\|\x9c|$)"  # other strings to the terminal
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)
_CJK = r"\u2e80-\uffef"
_PIECES = re.compile(  # no line ends with what opens something, nor begins with what closes it
    rf"\s*[“‘（《「『【]*(?:[^\s“‘{_CJK}]+|[{_CJK}])[”’）》」』】，。、；：？！…,.;:!?]*|\s+|\S"
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
    for word in _PIECES.findall(text):
        if cell_len(word) <= cells:
            yield word
        else:
            yield from chop_cells(word.strip(), cells)


def flow(parts: Iterable[str], cells: int) -> list[str]:
    """The parts in lines of at most the width, each whole on one line if it fits there at all."""
    lines, line = [], ""
    for part in _fitting(parts, cells):
        joined = f"{line} {part}" if line else part
        if line and cell_len(joined) > cells >= cell_len(part):
            lines.append(line)
            joined = part
        *full, line = wrap(joined, cells)
        lines += full
    return [*lines, line]


def _fitting(parts: Iterable[str], cells: int) -> Iterator[str]:
    """A list too long for a line, item by item."""
    for part in parts:
        yield from [part] if cell_len(part) <= cells else re.split(r"(?<=,) ", part)


def many(count: int, noun: str, plural: str = "") -> str:
    """`1 event`, `2 events`, `1,000 events`; `plural` where an `s` does not make it."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def paragraph(
    text: str,
    width: int | None,
    *,
    indent: int = 0,
    first: str = "",
    style: str = "",
    first_style: str = "",
) -> list[Text]:
    """Lines of prose, indented; `first` stands before the first of them. Width None: not wrapped."""
    found = []
    for line in clean_lines(text):
        found += [line] if width is None else wrap(line, max(width - indent, 8))
    starts = [first.ljust(indent), *([" " * indent] * (len(found) - 1))]
    return [
        Text().append(start, first_style if number == 0 else "").append(line, style)
        for number, (start, line) in enumerate(zip(starts, found, strict=False))
    ]


def dotted(
    parts: Iterable[str], width: int | None, *, indent: int = 0, style: str = ""
) -> list[Text]:
    """`one · two · three`, without the empty ones; no line ends inside of one that fits on it."""
    said = [one for part in parts if (one := clean(part))]
    text = " · ".join(said)
    joined = [*(f"{one} ·" for one in said[:-1]), *said[-1:]]
    lines = [text] if width is None else flow(joined, max(width - indent, 8))
    return [Text(" " * indent).append(line, style) for line in lines]


def lead(sentence: str, command: str, width: int | None) -> list[Text]:
    """A sentence that ends with a command to type, which stays on one line if it can."""
    said, command = clean(sentence), clean(command)
    lines = [f"{said} {command}"] if width is None else flow([*said.split(), command], width)
    return [Text(line) for line in lines]
