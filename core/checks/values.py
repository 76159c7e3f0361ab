"""Values: numbers, dates, versions, paths, URLs and code in new content must stand in what proves it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from datetime import UTC, date
from typing import TYPE_CHECKING

from memgardend.core.amounts import amounts
from memgardend.core.judgement import Refused
from memgardend.core.times import local
from memgardend.core.values import stands_in, unproven, values
from memgardend.core.words import SPEECH_ROLES, Refusal, Role

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from memgardend.core.quotes import Found
    from memgardend.core.records import Event, Span

NEAR_DAYS = 1
"""A date may be that of the quoted event, a day either way for the zone it was said in."""
RELATIVE_DAYS = 400
"""With a word like "tomorrow" or "last March" in the event, a date may lie this far from it."""

_PROVES_NOTHING = frozenset({Role.OWN, Role.REPLAY})
_RELATIVE = re.compile(
    r"\b(?:to|yester)day|\bto(?:night|morrow)|\b(?:next|last|this|coming)\b|\bago\b|\bin an? \w+|\bin \d+ "
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:week|month|year)"
    r"|[今明昨前后]天|[周年]|[下上本这]个?月|星期",
    re.IGNORECASE,
)
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|[月号日]", re.IGNORECASE
)
_DAY = re.compile(r"\d{2}-\d{2}")
_SMALL = {"zero": "0", "one": "1", "一个": "1", "一次": "1"}
"""Too often mere articles to tell texts apart by, but proof of a number they are."""
_SMALL_WORDS = re.compile(r"\b(?:zero|one)\b|一个|一次")
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


def check_values(
    texts: str,
    found: Iterable[Found],
    known: Iterable[str],
    turns: Sequence[Event],
    *,
    personal: bool,
) -> Refused | None:
    """Refuse a value that stands in no quoted turn, none of its neighbours, and in no known text.

    `known` are the texts of parents and targets; `turns` are the window's events by seq. What is personal
    takes no value from tools or pasted text.
    """
    quoted = tuple(found)
    sources = dict.fromkeys(known)
    for one in quoted:
        sources |= dict.fromkeys([one.quote, *_around(one.event, turns, personal=personal)])
    missing = [
        value
        for value in _unproven(texts, sources)
        if not any(_dated(value, one.event) for one in quoted)
    ]
    if not missing:
        return None
    return Refused(
        Refusal.VALUE_UNPROVEN,
        f"not in the quoted turns, their neighbours or the parents: {', '.join(missing[:5])}",
    )


def check_kept(before: Iterable[str], after: str) -> Refused | None:
    """Refuse new text that lacks a value, an amount or a weekday of the texts whose place it takes."""
    old = "\n".join(before)
    has = (*values(after), *amounts(after.casefold()))
    lost = [
        value
        for value in dict.fromkeys((*_unproven(old, [after]), *amounts(old.casefold())))
        if not any(stands_in(value, one) for one in has)
    ]
    if not lost:
        return None
    return Refused(
        Refusal.VALUE_LOST,
        f"keep every concrete value of what it takes the place of; missing: {', '.join(lost[:5])}",
    )


def _around(event: Event, turns: Sequence[Event], *, personal: bool) -> Iterator[str]:
    """The quoted event, the ones beside it, and the nearest speech on either side."""
    usable = [turn for turn in turns if turn.role not in _PROVES_NOTHING]
    if personal:
        usable = [turn for turn in usable if turn.role in (Role.HUMAN, Role.ASSISTANT)]
    before = usable[: bisect_left(usable, event.seq, key=lambda turn: turn.seq)]
    after = usable[bisect_right(usable, event.seq, key=lambda turn: turn.seq) :]
    near = [event, *before[-1:], *after[:1]]
    near += [turn for turn in reversed(before) if turn.role in SPEECH_ROLES][:1]
    near += [turn for turn in after if turn.role in SPEECH_ROLES][:1]
    for turn in near:
        yield without(turn.text, turn.pasted) if personal else turn.text


def without(text: str, spans: Iterable[Span]) -> str:
    """The text outside these spans."""
    parts, at = [], 0
    for start, end in sorted(spans):
        parts.append(text[at:start])
        at = max(at, end)
    return " ".join([*parts, text[at:]])


def _unproven(content: str, sources: Collection[str]) -> tuple[str, ...]:
    """The values of `content` that stand in none of the sources, neither in digits nor in words."""
    missing = unproven(content, sources)  # mostly none, and no words have to be read
    return missing and unproven(content, [*sources, _counted(sources)])


def _counted(texts: Iterable[str]) -> str:
    """The digits of the number words in these texts: who says three retries proves 3."""
    folded = [text.casefold() for text in texts]
    small = (_SMALL[word] for text in folded for word in _SMALL_WORDS.findall(text))
    return " ".join([*small, *(amount for text in folded for amount in amounts(text))])


def _dated(value: str, event: Event) -> bool:
    """True for a date that the event's own time explains, as the prompt asks for absolute dates."""
    match = _DATE.fullmatch(value)
    if not match:
        return False
    day = local(event.at, UTC).date()
    year, month, day_of_month = (int(part) if part else None for part in match.groups())
    relative = _RELATIVE.search(event.text) is not None
    days = [] if relative else [one for one in values(event.text) if _DAY.fullmatch(one)]
    if days and day_of_month and f"{month:02}-{day_of_month:02}" not in days:
        return False
    reach = RELATIVE_DAYS if relative or _MONTH.search(event.text) else NEAR_DAYS
    try:
        named = date(year or 1, month or day.month, day_of_month or day.day)
    except ValueError:
        return False
    return abs((named - day).days) <= reach
