"""How alike two texts are, and whether one says otherwise than the other.

Likeness of words only proposes: a negation, a value or an order that differs decides (DESIGN section 6).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from memgardend.core.negation import flips, without_polarity
from memgardend.core.stop_words import ENGLISH_STOP_WORDS
from memgardend.core.tokens import is_english, query_tokens, stem, tokenize
from memgardend.core.values import unproven, values, without_values

__all__ = ["auto_keywords", "contradicts", "is_near_duplicate", "jaccard", "unproven", "values"]

NEAR_DUPLICATE = 0.8
"""Jaccard likeness from which on two texts may be the same: the ancestor's threshold, which held up in use."""

SAME_FRAME = 0.8
"""How alike two texts are, values and negations aside, that speak of one matter. Below it, `the port of A is 1`
and `the port of B is 2` would meet."""

KEYWORD_CHARS = 40

_DIRECTION = re.compile(
    r"\b(?:over|than|instead\s+of|rather\s+than|not|before|after|from|to|into|by|with)\b|->|→|[比从到向给被把]|而不是|优于|胜过"
)
_LINKING_WORDS = """
currently today anymore instead actually always still already again recently new newly old
set sets use uses used using run runs running listen listens listening live lives stay stays
change changed changes move moved moves switch switched become became get gets got
value
"""
_LINKING_STEMS = frozenset(stem(word) for word in _LINKING_WORDS.split())
_LINKING_CHINESE = re.compile(
    "现在|目前|如今|已经|改为|改成|改用|变成|换成|仍然|一直|今后|以后|应该|使用|设为|设置为|[是为用了的在要]"
)
_IDENTITY = re.compile(
    r"\b(?:issue|pr|pull\s+request|ticket|bug|step|phase|chapter|section|part|case|sprint|milestone|round"
    r"|shard|replica|server|worker|team|room)s?\s*#?\d+|#\d+|第\s?\d+\s?[步章节期轮条个]"
)
_DEED = re.compile(
    r"\b(?:fixed|added|created|wrote|written|removed|deleted|released|shipped|tested|reviewed|merged|finished"
    r"|completed|implemented|refactored|investigated|happened|failed|crashed|broke|bought|met|visited|todo"
    r"|to\s+do|needs?\s+to)\b|^\W*(?:fix|add|create|write|remove|delete|test|review|implement|refactor)\b"
    r"|(?:修复|修了|添加|新增|创建|删除|发布|写)了|完成了?|待办|需要(?:修|添|新|创|删|发|写)"
)
_SINGLE_LETTER_NAME = re.compile(r"(?<=\s)[A-Z](?![\w'’])")


def jaccard(a: str, b: str, locale: str) -> float:
    """Shared tokens over all tokens, as sets, 0 to 1; 0 when a side has none."""
    return _overlap(set(tokenize(a, locale)), set(tokenize(b, locale)))


def is_near_duplicate(a: str, b: str, locale: str) -> bool:
    """True when both say the same: nearly the same words, and nothing that turns one against the other."""
    if _overlap(_said(a, locale), _said(b, locale)) < NEAR_DUPLICATE:
        return False
    return not (_values_flip(a, b) or flips(a, b) or _order_flips(a, b, locale))


def contradicts(a: str, b: str, locale: str) -> bool:
    """True when both say the same of one matter, but for a value, a negation or an opposite.

    Things done or to do are not contradicted by the like done elsewhere, nor `step 1` by `step 2`.
    """
    if (
        _identities(a) != _identities(b)
        or _overlap(_frame(a, locale), _frame(b, locale)) < SAME_FRAME
    ):
        return False
    return flips(a, b) or (_values_flip(a, b) and not (_is_deed(a) or _is_deed(b)))


def auto_keywords(text: str, locale: str, limit: int = 13) -> tuple[str, ...]:
    """Keywords for a memory that brought none: its words, the most frequent first, then as they stand.

    Words that share a stem count as one, under its first spelling. At least one, unless the text is blank.
    """
    spellings: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for word in tokenize(text, ""):
        if is_english(locale) and word in ENGLISH_STOP_WORDS:
            continue
        key = stem(word) if is_english(locale) else word
        spellings.setdefault(key, word)
        counts[key] += 1
    ranked = tuple(spellings[key] for key, _ in counts.most_common(max(1, limit)))
    if ranked or not text.strip():
        return ranked
    lone = query_tokens(text, locale) or [text.strip()[:KEYWORD_CHARS]]
    return tuple(dict.fromkeys(lone))[: max(1, limit)]


def _said(text: str, locale: str) -> set[str]:
    """The words of a text, and its values in one spelling."""
    return set(tokenize(without_values(text), locale)) | set(values(text))


def _identities(text: str) -> set[str]:
    """The numbered things a text names."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return {"".join(match[0].split()) for match in _IDENTITY.finditer(folded)}


def _is_deed(text: str) -> bool:
    """True for what was done or is to be done, which has its own object each time."""
    return _DEED.search(unicodedata.normalize("NFKC", text).casefold()) is not None


def _overlap(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0


def _values_flip(a: str, b: str) -> bool:
    """True when each side has a value that the other has not; one that only says more flips nothing."""
    in_a, in_b = set(values(a)), set(values(b))
    return bool(in_a - in_b) and bool(in_b - in_a)


def _order_flips(a: str, b: str, locale: str) -> bool:
    """True when the shared words come in another order around a word that gives them a direction.

    `prefers tabs over spaces` and `prefers spaces over tabs` have the same words.
    """
    if not (_DIRECTION.search(a.casefold()) and _DIRECTION.search(b.casefold())):
        return False
    in_a, in_b = tokenize(a, locale), tokenize(b, locale)
    shared = set(in_a) & set(in_b)
    return list(dict.fromkeys(t for t in in_a if t in shared)) != list(
        dict.fromkeys(t for t in in_b if t in shared)
    )


def _frame(text: str, locale: str) -> set[str]:
    """What a text speaks of: its words without values, negations, and words that only link them."""
    names = {match[0].casefold() for match in _SINGLE_LETTER_NAME.finditer(text)}
    text = without_polarity(without_values(unicodedata.normalize("NFKC", text)))
    tokens = set(tokenize(_LINKING_CHINESE.sub("", text), locale))
    return (tokens - _LINKING_STEMS) | names
