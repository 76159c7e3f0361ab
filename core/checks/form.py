"""Form: texts hold knowledge, no handles, ids, placeholders, protocol or bookkeeping."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memgardend.core.judgement import Refused
from memgardend.core.mask import mask
from memgardend.core.unfit import (
    MIN_SUBSTANCE,
    holds_protocol,
    is_bookkeeping,
    is_placeholder,
    substance,
)
from memgardend.core.words import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.judgement import StagedView
    from memgardend.core.operations import Fields

MAX_CHARS: Mapping[str, int] = {"content": 2000, "title": 120, "goal": 500}
"""Longest texts of a memory; longer ones are refused, because cutting would lose knowledge."""
MAX_LABEL_CHARS = 120
"""Longest keyword, bucket or thread; longer ones are dropped."""
MAX_REASON_CHARS = 500
"""Reasons are cut here: they explain, they hold no knowledge."""
_GIVEN_CHARS = 40
"""So much of a placeholder is shown."""
MAX_KEYWORDS = 13
MAX_THREADS = 13
MIN_IMPORTANCE, MAX_IMPORTANCE = 1, 4

_UUID = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE
)
_NAMED_HANDLE = re.compile(
    r"[\[(]\s*[men]\d{1,4}\s*[\])]|\b(?:memory|memories|event|entry|card|记忆|事件|条目)\s*#?[men]\d{1,4}\b"
    r"|\bdream\s+[0-9a-f]{8,}",
    re.IGNORECASE,
)
_BARE_HANDLE = re.compile(r"(?<![\w.-])[men]\d{1,4}(?![\w.-]|\.\d)")


@dataclass(frozen=True, slots=True)
class Leaks:
    """What must not be copied into texts: the handles shown, and the ids behind them."""

    handles: frozenset[str]
    ids: frozenset[str]

    @classmethod
    def of(cls, view: StagedView) -> Leaks:
        """The handles and ids of this view."""
        ids = {memory.id for memory in view.memories.values()}
        return cls(frozenset(view.memories) | frozenset(view.events), frozenset(ids))


def tidy(fields: Fields, leaks: Leaks) -> Fields:
    """The fields with secrets masked, numbers clamped, and unusable labels dropped."""
    return replace(
        fields,
        content=stored_text(fields.content),
        title=stored_text(fields.title),
        goal=stored_text(fields.goal),
        importance=_clamped(fields.importance),
        keywords=_labels(fields.keywords, MAX_KEYWORDS, leaks),
        threads=_labels(fields.threads, MAX_THREADS, leaks),
        bucket=next(iter(_labels((fields.bucket,), 1, leaks) or ()), None)
        if fields.bucket
        else None,
    )


def check_form(fields: Fields, leaks: Leaks, proven: str) -> Refused | None:
    """Refuse texts that are too long, empty, or hold what is not knowledge.

    `proven` is the text of the quotes and parents: what looks like a handle may be a word of the person.
    """
    for name, limit in MAX_CHARS.items():
        text = getattr(fields, name)
        if text is None:
            continue
        if len(text) > limit:
            return Refused(
                Refusal.TOO_LONG,
                f"`{name}` has {len(text)} characters; at most {limit}: say one thing",
                {"name": name, "given": len(text), "known": limit},
            )
        problem = _emptiness(name, text) or _leak(name, text, leaks, proven)
        if problem:
            return problem
    return None


def _emptiness(name: str, text: str) -> Refused | None:
    if substance(text) < MIN_SUBSTANCE:
        return Refused(Refusal.EMPTY_TEXT, f"`{name}` says nothing", {"name": name})
    if is_placeholder(text) and not holds_protocol(text):
        given = text[:_GIVEN_CHARS]
        detail = f"`{name}` is a placeholder: {given}"
        return Refused(Refusal.PLACEHOLDER, detail, {"name": name, "given": given})
    return None


def _leak(name: str, text: str, leaks: Leaks, proven: str) -> Refused | None:
    if holds_protocol(text):
        detail = f"`{name}` holds a piece of the protocol; write prose"
        return Refused(Refusal.PROTOCOL_LEAK, detail, {"name": name})
    if is_bookkeeping(text):
        detail = f"`{name}` reports on the memory itself; write only what is true"
        return Refused(Refusal.PROTOCOL_LEAK, detail, {"name": name})
    named = _NAMED_HANDLE.search(text)
    known = next((one for one in leaks.ids if one in text), None)
    leaked = known or (named and named.group()) or _unquoted(text, leaks, proven)
    if leaked:
        detail = f"`{name}` holds {leaked!r}; say what it stands for"
        return Refused(Refusal.HANDLE_LEAK, detail, {"name": name, "given": leaked})
    return None


def _unquoted(text: str, leaks: Leaks, proven: str) -> str | None:
    """A shown handle, or an id, that no quote holds."""
    bare = (found for found in _BARE_HANDLE.findall(text) if found in leaks.handles)
    suspects = [*bare, *_UUID.findall(text)]
    return next((found for found in suspects if not _stands_in(found, proven)), None)


def _stands_in(word: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE))


def stored_text(text: str | None) -> str | None:
    """A text as a memory would hold it: without secrets."""
    return None if text is None else mask(text)


def _clamped(importance: int | None) -> int | None:
    return None if importance is None else min(max(importance, MIN_IMPORTANCE), MAX_IMPORTANCE)


def _labels(labels: tuple[str, ...] | None, limit: int, leaks: Leaks) -> tuple[str, ...] | None:
    if labels is None:
        return None
    fitting = (one for one in labels if len(one) <= MAX_LABEL_CHARS and one not in leaks.handles)
    return tuple(dict.fromkeys(mask(label) for label in fitting if _is_label(label)))[:limit]


def _is_label(label: str) -> bool:
    return not (
        is_placeholder(label)
        or holds_protocol(label)
        or _UUID.search(label)
        or not substance(label)
    )
