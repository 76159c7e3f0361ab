"""Finds what a person pasted rather than typed: such text proves nothing about the person."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memgardend.core.patterns import regex

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from memgardend.core.records import Span

BLOCK_LINES = 20
"""More lines than this without a blank one are a pasted block."""

_FENCE = regex(r"(?m)^[^\S\n]*+(`{3,}+|~{3,}+)([^\n]*+)")
_QUOTE = regex(r"(?m)^[^\S\n]*+>[^\n]*+")
_BLANK_LINES = regex(r"\n\s*\n")
_TAG = regex(r"<(/?)([A-Za-z][\w:-]{0,40}+)(?:\s[^<>]{0,200}+)?>")
_NAMED_TAG = regex(r'<(/?)([A-Za-z][\w:-]{0,40}+ id="[^"<>]{1,64}+")>')
_LINE_TAG = regex(r"(?m)^[^\S\n]*+<([a-z]+-[a-z-]{1,40}+)>")


def pasted_spans(text: str) -> tuple[Span, ...]:
    """Fences, `>` lines, tag blocks and blocks of more than 20 lines, merged and in order."""
    spans: list[Span] = []
    if "```" in text or "~~~" in text:
        spans += _fences(text)
    if ">" in text:
        spans += (match.span() for match in _QUOTE.finditer(text))
        spans += _tags(text)
        spans += _named_tags(text)
    if text.count("\n") >= BLOCK_LINES:
        spans += _blocks(text)
    return _merged(spans) if spans else ()


def _fences(text: str) -> Iterator[Span]:
    """As in Markdown: a fence that is never closed runs to the end."""
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match[1].startswith(opened[1]) and not match[2].strip():
            yield opened.start(), match.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _blocks(text: str) -> Iterator[Span]:
    """Between blank lines; those at both ends are left out first."""
    body = text.rstrip()
    start = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
    stop = (text + "\n").find("\n", len(body))
    for blank in (*_BLANK_LINES.finditer(text, start, stop), None):
        end = stop if blank is None else blank.start()
        if text.count("\n", start, end) >= BLOCK_LINES:
            yield start, end
        start = stop if blank is None else blank.end()


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


def _named_tags(text: str) -> Iterator[Span]:
    """Agents mark a paste by an id in both tags (Claude Code 2.1): no other tag within ends it."""
    opened: dict[str, int] = {}
    for match in _NAMED_TAG.finditer(text):
        if not match[1]:
            opened.setdefault(match[2], match.start())
        elif match[2] in opened:
            yield opened.pop(match[2]), match.end()


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
