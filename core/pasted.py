"""Finds what a person pasted rather than typed: such text proves nothing about the person."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.core.records import Span

BLOCK_LINES = 20
"""More lines than this without a blank one are a pasted block."""

_MARKS = ("```", "~~~", ">")
"""Without one of these, only a long block is pasted; no tag ends without the last of them."""
_FENCE = re.compile(r"\s*+(`{3,}+|~{3,}+)(.*)", re.DOTALL)
_QUOTE = re.compile(r"\s*+>")
_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]{0,40}+)(?:\s[^<>]{0,200}+)?>")
_LINE_TAG = re.compile(r"(?m)^[^\S\n]*+<([a-z]+-[a-z-]{1,40}+)>")


def pasted_spans(text: str) -> tuple[Span, ...]:
    """Fences, `>` lines, tag blocks and blocks of more than 20 lines, merged and in order."""
    if not any(mark in text for mark in _MARKS) and text.count("\n") < BLOCK_LINES:
        return ()
    lines = list(_lines(text))
    spans = [*_fences(lines, len(text)), *_quotes(lines), *_blocks(lines), *_tags(text)]
    return _merged(spans)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _fences(lines: list[tuple[int, str]], length: int) -> Iterator[Span]:
    """As in Markdown: a fence that is never closed runs to the end."""
    opened: tuple[int, str] | None = None
    for start, line in lines:
        match = _FENCE.match(line)
        if match is None:
            continue
        if opened is None:
            opened = (start, match[1])
        elif match[1].startswith(opened[1]) and not match[2].strip():
            yield opened[0], start + len(line)
            opened = None
    if opened is not None:
        yield opened[0], length


def _quotes(lines: list[tuple[int, str]]) -> Iterator[Span]:
    return ((start, start + len(line)) for start, line in lines if _QUOTE.match(line))


def _blocks(lines: list[tuple[int, str]]) -> Iterator[Span]:
    block: list[tuple[int, str]] = []
    for start, line in [*lines, (0, "")]:
        if line.strip():
            block.append((start, line))
            continue
        if len(block) > BLOCK_LINES:
            yield block[0][0], block[-1][0] + len(block[-1][1])
        block = []


def _tags(text: str) -> Iterator[Span]:
    """From an opening tag to the closing one at the same depth; where the depths never meet, to the last.

    A tag with a hyphen that opens a line and is never closed (agents write their notes so) runs to the end.
    """
    first: dict[str, int] = {}
    depth: Counter[str] = Counter()
    last_close: dict[str, int] = {}
    for match in _TAG.finditer(text):
        name = match[2]
        if not match[1]:
            first.setdefault(name, match.start())
            depth[name] += 1
        elif name in first:
            last_close[name] = match.end()
            depth[name] -= 1
            if depth[name] == 0:
                yield first.pop(name), last_close.pop(name)
    yield from ((first[name], end) for name, end in last_close.items())
    unclosed = first.keys() - last_close.keys()
    yield from (
        (match.start(), len(text)) for match in _LINE_TAG.finditer(text) if match[1] in unclosed
    )


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start == end:
            continue
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
