"""Folding: the differences between a text and a model's copy of it that do not matter."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.core.records import Span

MAX_CLUSTER_CHARS = 32
"""Longest run of one base with its marks that is normalised together.

Stream-safe text has at most 30 marks in a row (UAX #15, 13); longer runs would cost NFKC quadratic time.
"""

_QUOTES = "\"'`´‘’‚‛“”„‟«»‹›「」『』〝〞〟′″‴"
_DASHES = "-‐‑‒–—―−﹘﹣-⸺⸻"
_DROPPED = "*_~\u200b\u200c\u200d\u2060\ufeff\u00ad"  # emphasis marks; zero-width characters
_FOLDED = (
    dict.fromkeys(_QUOTES, "'")
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_DROPPED, "")
    | {"`": ""}
)
_LINE_MARKS = re.compile(
    r"^[ \t]*(?:>[ \t]?)*[ \t]*(?:#{1,6}[ \t]+|[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?", re.MULTILINE
)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)")
_PLAIN_CHAR = r"[!#-&(-)+,./0-:;<-Z\[\\\]^a-z{|}]"
_PLAIN = re.compile(rf"{_PLAIN_CHAR}+(?: {_PLAIN_CHAR}+)*(?![^\x00-\x7f])")
"""Characters that fold to themselves, and single spaces between them: ASCII, neither quotes, dashes nor emphasis,
before no mark of Unicode."""
_CJK = re.compile(
    r"[\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff65\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; `starts` and `ends` map each of its characters to its source in the original."""

    text: str
    starts: array[int]
    ends: array[int]

    def span(self, start: int, end: int) -> Span:
        """The span of the original that folded to [start, end)."""
        return self.starts[start], self.ends[end - 1]

    def position(self, offset: int) -> int:
        """The first folded character that begins at or after this offset of the original."""
        return bisect_left(self.starts, offset)


def fold(text: str, *, line_marks: bool = True) -> Folded:
    """Fold NFKC, white space, quotes, dashes and Markdown; linear in the length of the text.

    White space runs become one space, and none beside a CJK character, where line breaks mean nothing.
    `line_marks=False` keeps what stands at the start of a line, for a quote that begins inside one.
    """
    folder = _Folder()
    for start, end in _kept_spans(text, line_marks=line_marks):
        at = start
        for run in _PLAIN.finditer(text, start, end):
            folder.add_each(text, at, run.start())
            folder.add_plain(run[0], run.start())
            at = run.end()
        folder.add_each(text, at, end)
    return folder.done()


def has_line_marks(text: str) -> bool:
    """True when folding the text as lines cuts something that folding it as the middle of one keeps."""
    return any(match.group() for match in _LINE_MARKS.finditer(text))


def is_cjk(char: str) -> bool:
    """True for Chinese and Japanese characters, and their punctuation."""
    return bool(_CJK.match(char))


def weight(text: str) -> int:
    """How much a text weighs as a quote: a CJK character counts twice, as it says about twice as much."""
    return len(text) + len(_CJK.findall(text))


def _kept_spans(text: str, *, line_marks: bool) -> Iterator[Span]:
    """What remains when line marks, and the brackets and targets of links, are cut out."""
    cuts = [m.span() for m in _LINE_MARKS.finditer(text) if m.group()] if line_marks else []
    for link in _LINK.finditer(text):
        cuts += [(link.start(), link.start(1)), (link.end(1), link.end())]
    at = 0
    for start, end in sorted(cuts):
        if start > at:
            yield at, start
        at = max(at, end)
    if at < len(text):
        yield at, len(text)


def _clusters(text: str, start: int, end: int) -> Iterator[Span]:
    """A base character with the marks and jamo that compose with it."""
    at = start
    while at < end:
        stop = at + 1
        while stop < end and stop - at < MAX_CLUSTER_CHARS and _joins(text[stop]):
            stop += 1
        yield at, stop
        at = stop


def _joins(char: str) -> bool:
    return char > "\u02ff" and (
        unicodedata.combining(char) != 0 or "\u1160" <= char <= "\u11ff" or char in "゙゚"
    )


class _Folder:
    """Collects folded characters; a space waits until the character after it is known."""

    def __init__(self) -> None:
        self.chars: list[str] = []
        self.starts: array[int] = array("l")
        self.ends: array[int] = array("l")
        self.space: Span | None = None

    def add_plain(self, run: str, start: int) -> None:
        """A run of characters that stay as they are."""
        self._put(run[0], start, start + 1)
        self.chars.extend(run[1:])
        self.starts.extend(range(start + 1, start + len(run)))
        self.ends.extend(range(start + 2, start + len(run) + 1))

    def add_each(self, text: str, start: int, end: int) -> None:
        """The characters between two offsets, each with its marks."""
        for at, stop in _clusters(text, start, end):
            self.add(text[at:stop], at, stop)

    def add(self, cluster: str, start: int, end: int) -> None:
        folded = cluster if cluster.isascii() else unicodedata.normalize("NFKC", cluster)
        for char in folded:
            if char.isspace():
                self.space = self.space or (start, end)
            else:
                for one in _FOLDED.get(char, char):
                    self._put(one, start, end)

    def _put(self, char: str, start: int, end: int) -> None:
        last = self.chars[-1] if self.chars else ""
        if self.space and last and not is_cjk(last) and not is_cjk(char):
            self._append(" ", *self.space)
        elif char == "-" and last == "-" and not self.space:
            self.ends[-1] = end
            return
        self.space = None
        self._append(char, start, end)

    def _append(self, char: str, start: int, end: int) -> None:
        self.chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def done(self) -> Folded:
        return Folded("".join(self.chars), self.starts, self.ends)
