"""Cuts a person's turn into sentences, leaving out what was pasted, coded, or written by a program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.extract.others import FORWARDED, MACHINE_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memgardend.core.records import Span

MAX_SENTENCE_CHARS = 320  # longer ones are prose to work on, not something told in passing
_LINE = re.compile(r"[^\n]+")
_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_BULLET = re.compile(r"[ \t]*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+|#{1,6}[ \t]+|\[[ xX]\][ \t]+)*")
_HAN = r"[\u3400-\u9fff]"
_ENTRY = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])")
_HEADING = re.compile(r"#{1,6}[ \t][^\n]*|[^\n]*\n[=-]{3,}")
_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)"
    rf"|(?:[。！？；]|…{{2,}})[。！？；…!?]*[\"'”’」』）】)\]]*|(?<={_HAN})[.!?]+(?={_HAN})"
)
_LAST_WORD = re.compile(r"[^\s(\"'“‘]*\Z")
# No sentence ends at the dot of one of these.
_ABBREVIATIONS = frozenset(
    (
        *("e.g", "i.e", "eg", "ie", "etc", "cf", "vs", "al", "approx", "no", "nr", "fig"),
        *("dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr", "inc", "ltd", "dept"),
    )
)
_PAUSE = re.compile(r"(?:\.{2,}|…)\s+[a-z]")  # dots after which the sentence goes on
_QUOTATION = re.compile(r"“[^“”]*”|「[^「」]*」|『[^『』]*』")
TYPED_SHARE = 0.5
_HEAD_CHARS = 400  # of a line are enough to know a program's; longer ones would cost quadratic time


@dataclass(frozen=True, slots=True)
class Sentence:
    """A half-open range of a turn's text, without white space at its ends."""

    start: int
    end: int
    text: str


def sentences(text: str, pasted: Sequence[Span]) -> Iterator[Sentence]:
    """The sentences that the person typed, in order; none of a turn that is mostly a program's output."""
    lines = list(_typed_lines(text, pasted))
    typed = [line for line in lines if not _is_machine_line(text, *line)]
    if len(typed) < len(lines) * TYPED_SHARE:
        return
    for start, end in typed:
        yield from _split(text, start, end)


def entries(text: str) -> list[str]:
    """The entries of a list or of notes: paragraphs, and each point of a list; headings alone are none."""
    found = [part.strip() for part in _ENTRY.split(text)]
    bare = (
        _BULLET.sub("", part, count=1).strip() for part in found if not _HEADING.fullmatch(part)
    )
    return [part for part in bare if part]


def _typed_lines(text: str, pasted: Sequence[Span]) -> Iterator[Span]:
    """Lines outside fences and pasted spans, up to where somebody else begins to speak."""
    spans = sorted(pasted)
    at, fenced = 0, False
    for found in _LINE.finditer(text):
        start, end = found.span()
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        if _FENCE.match(found[0]):
            fenced = not fenced
            continue
        if FORWARDED.match(found[0]):
            return
        is_pasted = at < len(spans) and spans[at][0] < end
        if not fenced and not is_pasted and found[0].strip():
            yield start, end


def _is_machine_line(text: str, start: int, end: int) -> bool:
    return MACHINE_LINE.match(text[start : min(end, start + _HEAD_CHARS)]) is not None


def _split(text: str, start: int, end: int) -> Iterator[Sentence]:
    bullet = _BULLET.match(text, start, end)
    begin = bullet.end() if bullet else start
    quotations = [found.span() for found in _QUOTATION.finditer(text, begin, end)]
    at = 0
    for found in _END.finditer(text, begin, end):
        while at < len(quotations) and quotations[at][1] < found.end():
            at += 1
        if (
            at < len(quotations)
            and quotations[at][0] < found.start() < found.end() < quotations[at][1]
        ):
            continue  # somebody else's sentence within the person's
        word = _LAST_WORD.search(text, max(begin, found.start() - 16), found.start())
        if found[0] == "." and word and word[0].lower() in _ABBREVIATIONS:
            continue
        if _PAUSE.match(text, found.start(), end):
            continue
        yield from _sentence(text, begin, found.end())
        begin = found.end()
    yield from _sentence(text, begin, end)


def _sentence(text: str, start: int, end: int) -> Iterator[Sentence]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end <= start + MAX_SENTENCE_CHARS:
        yield Sentence(start, end, text[start:end])
