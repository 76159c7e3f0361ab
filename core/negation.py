"""What turns a sentence against another of the same words: negation and opposites, in English and Chinese."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memgardend.core.patterns import regex

_OPENING_NO = regex(
    r"^\s*(?:[-*•]\s+)?(?:no|nope|不|不是|不对)\s*[,.;:!，。；：！]\s*", re.MULTILINE
)
"""A `no` that answers what was said before and denies nothing in this sentence, or in this line of a list."""

_ENGLISH = regex(
    r"""
      \bno\s+longer\b | \bnot\s+any\s?more\b
    | \b(?:do|does|did)\s+not\b | \b(?:must|should|shall|will|would|can|could|may|might)\s+not\b
    | \bcannot\b | \b\w+n['’]t\b | \b(?:dont|doesnt|didnt|cant|wont|isnt|arent|shouldnt|mustnt)\b
    | \b(?:not|never|no|none|neither|nor|nobody|nothing|nowhere|without|hardly)\b
    | \b(?:avoid|avoids|avoided|avoiding|stop|stops|stopped|forbid|forbids|forbidden|dislikes?|hates?)\b
    """,
    re.VERBOSE,
)
_NOT_NEGATING = regex(
    "不仅|不但|不只|不过|不同|不错|不断|不管|不论|不久|是不是|能不能|要不要|有没有|差不多|"
    "特别|分别|区别|级别|类别|识别|别人|别的|别名|个别|性别|告别|"
    "无论|无线|无数|未来|非常|除非|莫非|是非|沉没|淹没|没收"
)
"""Chinese words that hold a negating character and deny nothing."""

_CHINESE = regex(
    "不要再|不再|不要|不能|不会|不用|不许|不准|不可以|不可|不应该|不应|不得|不是|不想|不必|"
    "没有|没必要|从未|从不|从来不|绝不|决不|请勿|切勿|无法|无需|无须|禁止|避免|停止|讨厌|反对|"
    "[不没别无勿未非莫甭]"
)


_OPPOSITES = """
before after / more less / most least / above below / up down / on off / min max / minimum maximum
first last / enable disable / enabled disabled / enables disables / allow deny / allowed denied
true false / start end / open closed / opens closes / public private / light dark / left right
sync async / ascending descending / increase decrease / include exclude / accept reject / early late
之前 之后 / 启用 禁用 / 开启 关闭 / 打开 关闭 / 允许 拒绝 / 最大 最小 / 最多 最少 / 增加 减少 / 升序 降序
"""
_OPPOSITE_PAIRS = tuple(
    (left, right)
    for pair in _OPPOSITES.replace("\n", "/").split("/")
    if pair.strip()
    for left, right in (pair.split(),)
)
_POLES = [word for pair in _OPPOSITE_PAIRS for word in pair]
# One boundary for all of the words: an alternative with its own would be tried at every character.
_OPPOSITE = regex(
    rf"\b(?:{'|'.join(filter(str.isascii, _POLES))})\b"
    f"|{'|'.join(word for word in _POLES if not word.isascii())}"
)


def flips(a: str, b: str) -> bool:
    """True when one text denies more often than the other, or says a word where the other says its opposite."""
    return negations(a) != negations(b) or _swaps_poles(a, b)


def opposes(a: str, b: str) -> bool:
    """True when one text says no where the other says yes: of the two ways to flip, each undoes another.

    `no longer forbidden` opposes no `allowed`, nor `not disabled` an `enabled`.
    """
    return (negations(a) - negations(b) + _swaps_poles(a, b)) % 2 == 1


@lru_cache(maxsize=4096)
def negations(text: str) -> int:
    """How many negations a text holds; an even number need not say yes, so counts are compared."""
    heard = _heard(text)
    return len(_ENGLISH.findall(heard)) + len(_CHINESE.findall(heard))


def _swaps_poles(a: str, b: str) -> bool:
    only_a, only_b = _poles(a) - _poles(b), _poles(b) - _poles(a)
    return any(
        (left in only_a and right in only_b) or (right in only_a and left in only_b)
        for left, right in _OPPOSITE_PAIRS
    )


@lru_cache(maxsize=4096)
def _poles(text: str) -> frozenset[str]:
    """The words of a text that have an opposite."""
    return frozenset(_OPPOSITE.findall(_heard(text)))


def without_polarity(text: str) -> str:
    """The text, case folded, with its negations and the words that have an opposite left out."""
    return _OPPOSITE.sub("", _CHINESE.sub("", _ENGLISH.sub(" ", _heard(text))))


def forget_polarity() -> None:
    """Forget the negations and opposites found in texts."""
    negations.cache_clear()
    _poles.cache_clear()


def _heard(text: str) -> str:
    """Folded, without an opening `no` and with the words blanked that only look negating."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _NOT_NEGATING.sub(lambda match: "·" * len(match[0]), _OPENING_NO.sub("", folded))
