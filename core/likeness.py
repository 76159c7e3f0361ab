"""How alike two texts are, and whether one says otherwise than the other.

Likeness of words only proposes: a negation, a value or an order that differs decides (DESIGN section 6).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memgardend.core.amounts import amounts, without_amounts
from memgardend.core.negation import flips, forget_polarity, without_polarity
from memgardend.core.patterns import regex
from memgardend.core.stop_words import ENGLISH_STOP_WORDS
from memgardend.core.tokens import is_english, query_tokens, stem, tokenize
from memgardend.core.values import apart, stands_in, unproven, values

if TYPE_CHECKING:
    from collections.abc import Set

__all__ = ["auto_keywords", "contradicts", "is_near_duplicate", "jaccard", "unproven", "values"]

NEAR_DUPLICATE = 0.8
"""Jaccard likeness from which on two texts may be the same: the ancestor's threshold, which held up in use."""

SAME_FRAME = 0.8
"""How alike two texts are, values and negations aside, that speak of one matter. Below it, `the port of A is 1`
and `the port of B is 2` would meet."""

OTHER_MATTER = 2
"""So many words of its own has a sentence that does not speak of the one before it, as `not any more` does."""

LIKENESS_VERSION = "1"
"""Rises whenever the same text says something else or has another frame; an index made before is made anew."""

KEYWORD_CHARS = 40

_DIRECTION = regex(
    r"\b(?:over|than|instead\s+of|rather\s+than|before|after)\b|\bfrom\b.*\bto\b|->|→|[比从到向给被把]"
    r"|而不是|而非|优于|胜过|,\s*(?:and\s+|but\s+)?not\b|[,;、]\s*(?:不|别)"
)
_LINKING_WORDS = """
currently today anymore instead actually always still already again recently new newly old
set sets use uses used using run runs running listen listens listening live lives stay stays
went raised lowered change changed changes move moved moves switch switched become became get gets got
value
"""
_LINKING_STEMS = frozenset(stem(word) for word in _LINKING_WORDS.split())
_LINKING_CHINESE = regex(
    "现在|目前|如今|已经|改为|改成|改用|变成|换成|仍然|一直|今后|以后|应该|使用|设为|设置为|(?:推迟|提前|延期|调整?|升|降)到"
    "|[是为用了的在要都从]"
)
_IDENTITY = regex(
    r"\b(?:issue|pr|pull\s+request|ticket|bug|step|phase|chapter|section|part|case|sprint|milestone|round"
    r"|shard|replica|server|worker|team|room|service|node|host|instance|cluster|container|machine|job|task"
    r"|customer|account|order|invoice)s?\s*#?\d+(?!\d|[.:]\d)|#\d+\b|第\s?[\d一二三四五六七八九十]+\s?[步章节期轮条个]"
)
_REPLACED = regex(
    r"\b(?:went|gone|chang\w+|mov\w+|switch\w+|rais\w+|lower\w+|increas\w+|decreas\w+|rose|fell|grew)"
    r"\s+from\b.{1,24}?(?=\bto\b)|从.{1,24}?(?=改|换|变|升|降|涨|调|推迟|提前|延)"
)
"""What was so until now: `changed from 5 to 10`, but not `open from 9 to 17`."""
_DEED = regex(
    r"\b(?:fixed|added|created|wrote|written|removed|deleted|released|shipped|tested|reviewed|merged|finished"
    r"|completed|implemented|refactored|investigated|happened|failed|crashed|broke|bought|met|visited|todo"
    r"|to\s+do|needs?\s+to)\b|^\W*(?:fix|add|create|write|remove|delete|test|review|implement|refactor)\b"
    r"|(?:修复|修了|添加|新增|创建|删除|发布|写)了|完成了?|待办|需要(?:修|添|新|创|删|发|写)"
)
_SENTENCE_END = regex(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
_FUNCTION_PAIR = regex("^(?=..$).?[的了是在我你他她它们們就都也把被和与與或及吗嗎呢吧这這那]")
"""Pairs of Chinese characters that name nothing: half of each only holds a sentence together."""
_SINGLE_LETTER_NAME = regex(r"(?<=\s)[A-HJ-Z](?![\w'’])")


def jaccard(a: str, b: str, locale: str) -> float:
    """Shared tokens over all tokens, as sets, 0 to 1; 0 when a side has none."""
    return _overlap(set(tokenize(a, locale)), set(tokenize(b, locale)))


def is_near_duplicate(a: str, b: str, locale: str) -> bool:
    """True when both say the same: nearly the same words, and nothing that turns one against the other."""
    in_a, in_b = _read(a, locale), _read(b, locale)
    if _overlap(in_a.said, in_b.said) < NEAR_DUPLICATE:
        return False
    return not (_values_flip(in_a, in_b) or flips(a, b) or _order_flips(in_a, in_b))


def contradicts(a: str, b: str, locale: str) -> bool:
    """True when both say the same of one matter, but for a value, a negation or an opposite.

    Things done or to do are not contradicted by the like done elsewhere, nor `step 1` by `step 2`.
    """
    if not _turns_against(a, b, locale):
        return False
    return not (_holds_besides(a, b, locale) or _holds_besides(b, a, locale))


def said_and_frame(text: str, locale: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a near duplicate shares NEAR_DUPLICATE of, and what a contradiction shares SAME_FRAME of."""
    reading = _read(text, locale)
    return reading.said, reading.frame


def auto_keywords(text: str, locale: str, limit: int = 13) -> tuple[str, ...]:
    """Keywords for a memory that brought none: its words, the most frequent first, then as they stand.

    Words that share a stem count as one, under its first spelling. At least one, unless the text is blank.
    """
    spellings: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for word in tokenize(text, ""):
        if (is_english(locale) and word in ENGLISH_STOP_WORDS) or _FUNCTION_PAIR.search(word):
            continue
        key = stem(word) if is_english(locale) else word
        spellings.setdefault(key, word)
        counts[key] += 1
    ranked = tuple(spellings[key] for key, _ in counts.most_common(max(1, limit)))
    if ranked or not text.strip():
        return ranked
    lone = query_tokens(text, locale) or [text.strip()[:KEYWORD_CHARS]]
    return tuple(dict.fromkeys(lone))[: max(1, limit)]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one text says, as far as likeness asks."""

    order: tuple[str, ...]  # its words, each once, as they first stand; empty without a direction
    values: frozenset[str]  # and amounts in words
    replaced: frozenset[str]  # those of them that it says held before
    said: frozenset[str]  # its words, and its values in one spelling
    frame: frozenset[str]  # what it speaks of: without values, polarity, and words that only link
    identities: frozenset[str]  # the numbered things it names
    is_deed: bool  # done or to be done, with an object of its own each time


def forget_readings() -> None:
    """Forget what texts were found to say: that is kept while they are compared, not for months."""
    _read.cache_clear()
    forget_polarity()


@lru_cache(maxsize=4096)
def _read(text: str, locale: str) -> _Reading:
    """Read a text once, however often it is compared."""
    text = unicodedata.normalize("NFKC", text)
    folded = text.casefold()
    named, rest = apart(text)
    found = frozenset((*named, *amounts(folded)))
    plain = without_amounts(rest)
    return _Reading(
        order=tuple(dict.fromkeys(tokenize(text, locale))) if _DIRECTION.search(folded) else (),
        values=found,
        replaced=_told_values(" ".join(_REPLACED.findall(folded))),
        said=frozenset(tokenize(plain, locale)) | found,
        frame=_frame(text, plain, locale),
        identities=frozenset("".join(m[0].split()) for m in _IDENTITY.finditer(folded)),
        is_deed=_DEED.search(folded) is not None,
    )


def _turns_against(a: str, b: str, locale: str) -> bool:
    in_a, in_b = _read(a, locale), _read(b, locale)
    if in_a.identities != in_b.identities or _overlap(in_a.frame, in_b.frame) < SAME_FRAME:
        return False
    return flips(a, b) or (_values_flip(in_a, in_b) and not (in_a.is_deed or in_b.is_deed))


def _holds_besides(text: str, said: str, locale: str) -> bool:
    """True when one sentence of a text says the same, and all others speak of another matter."""
    sentences = [one for one in _SENTENCE_END.split(text) if one.strip()]
    same = [one for one in sentences if is_near_duplicate(one, said, locale)]
    others = [one for one in sentences if one not in same]
    known = _matter(said, locale)
    return bool(same) and all(
        len(_matter(one, locale) - known) >= OTHER_MATTER and not _turns_against(one, said, locale)
        for one in others
    )


def _matter(text: str, locale: str) -> frozenset[str]:
    read = _read(text, locale)
    return read.frame | read.values


def _told_values(folded: str) -> frozenset[str]:
    return frozenset((*values(folded), *amounts(folded)))


def _frame(text: str, plain: str, locale: str) -> frozenset[str]:
    names = {match[0].casefold() for match in _SINGLE_LETTER_NAME.finditer(text)}
    spoken = _LINKING_CHINESE.sub("", without_polarity(plain))
    return frozenset(tokenize(spoken, locale)) - _LINKING_STEMS | names


def _overlap(a: Set[str], b: Set[str]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0


def _values_flip(a: _Reading, b: _Reading) -> bool:
    """True when each side has a value that the other has not; one that only says more flips nothing.

    A date with its year says more than the day alone, and a path more than the name of its file. Who says
    `changed from 5 to 10` turns against who says 5.
    """
    return (
        (_has_alone(a.values, b.values) and _has_alone(b.values, a.values))
        or _replaces(a, b)
        or _replaces(b, a)
    )


def _replaces(new: _Reading, old: _Reading) -> bool:
    """True when one says that a value of the other held before, and gives another."""
    given = new.values - new.replaced - old.values
    return bool(given and new.replaced & old.values and not old.replaced)


def _has_alone(mine: Set[str], theirs: Set[str]) -> bool:
    return any(
        not any(stands_in(value, other) or stands_in(other, value) for other in theirs - mine)
        for value in mine - theirs
    )


def _order_flips(a: _Reading, b: _Reading) -> bool:
    """True when the shared words come in another order around a word that gives them a direction.

    `prefers tabs over spaces` and `prefers spaces over tabs` have the same words.
    """
    in_a = [word for word in a.order if word in b.order]
    in_b = [word for word in b.order if word in a.order]
    return in_a != in_b
