"""The one tokeniser: what memories are indexed by, and what queries are matched with.

After NFKC a text falls into runs of CJK characters and runs of word characters; everything else separates.
A CJK run gives its adjacent pairs, a word run itself, case folded. With an English locale, stop words are
left out and words of a to z are stemmed (Porter 1980).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from snowballstemmer.porter_stemmer import PorterStemmer

from memgardend.core.fingerprint import fingerprint
from memgardend.core.irregular import IRREGULAR_FORMS, IRREGULAR_VERSION
from memgardend.core.stop_words import ENGLISH_STOP_WORDS, STOP_WORDS_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CJK_RANGES = (
    (0x3005, 0x3007),  # iteration mark, closing mark, zero
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    (0x3041, 0x3096),  # Hiragana
    (0x309D, 0x309F),
    (0x30A1, 0x30FA),  # Katakana
    (0x30FC, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xF900, 0xFAD9),
    (0x1AFF0, 0x1B167),  # Kana, extended
    (0x20000, 0x323AF),  # Han, extensions B and on
)
_RUN = re.compile("(?P<cjk>C[CM]*)|W[WM]*")
_IDENTIFIER = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]++(?:[-_./][A-Za-z0-9]++)++")
_A_TO_Z = re.compile("[a-z]+")
_ASCII_RUN = re.compile("[a-z0-9]+")
_INVISIBLE = dict.fromkeys((0x00AD, 0x200C, 0x200D))  # soft hyphen and joiners stand inside words

_RULES = fingerprint(
    _CJK_RANGES,
    *(pattern.pattern for pattern in (_RUN, _IDENTIFIER, _A_TO_Z)),
    list(_INVISIBLE),
    STOP_WORDS_VERSION,
    IRREGULAR_VERSION,
)
TOKENIZER_VERSION = f"2.{_RULES}"
"""Another one whenever the same text gives other tokens; an index made by another version is made anew.

The number rises with the code; constants and lists are in it by themselves.
"""


class _Kinds(dict[int, str]):
    """Code point -> C(JK), W(ord), M(ark) or a space; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))[0]
        if any(low <= code <= high for low, high in _CJK_RANGES) and category in "LN":
            kind = "C"
        else:
            kind = {"L": "W", "N": "W", "M": "M"}.get(category, " ")
        self[code] = kind
        return kind


_KINDS = _Kinds()


def tokenize(text: str, locale: str) -> list[str]:
    """The tokens of a text, in order, as often as they stand in it.

    A lone CJK character gives none: alone it would match nearly everything.
    """
    return _tokens(text, stem if is_english(locale) else None)


def search_tokens(text: str, locale: str) -> list[str]:
    """The tokens by which memories are found: those of `tokenize`, irregular English forms taken for their words.

    Likeness does without: what a text says is no less than its words.
    """
    return _tokens(text, _stem_of_base if is_english(locale) else None)


def _tokens(text: str, stemmed: Callable[[str], str] | None) -> list[str]:
    """Words are stemmed, and stop words left out, where there is something to stem with."""
    tokens: list[str] = []
    for run, cjk in _runs(text):
        if cjk:
            tokens.extend(run[i : i + 2] for i in range(len(run) - 1))
        elif stemmed is None:
            tokens.append(run)
        elif run not in ENGLISH_STOP_WORDS:
            tokens.append(stemmed(run))
    return tokens


def query_tokens(text: str, locale: str) -> list[str]:
    """The tokens of a query: those of `tokenize`, or its lone CJK characters when there are no others.

    An index holds pairs, so a token of one CJK character has to be looked up as a part of the memory's
    text (`cjk_characters`), not as a token of its own.
    """
    return tokenize(text, locale) or cjk_characters(text)


def cjk_characters(text: str) -> list[str]:
    """The CJK characters of a text one by one: what a query of a lone character is matched with."""
    if text.isascii():
        return []
    return [character for run, cjk in _runs(text) if cjk for character in run]


def is_cjk(token: str) -> bool:
    """Whether a token is of CJK characters."""
    return _KINDS[ord(token[0])] == "C"


def identifiers(text: str) -> list[str]:
    """The names in a text that hold `-`, `_`, `.` or `/` between letters and digits, whole and case folded.

    They are terms beside their parts, so that `v1.2.0` finds itself before all that has a 2.
    """
    return [name.casefold() for name in _IDENTIFIER.findall(unicodedata.normalize("NFKC", text))]


@lru_cache(maxsize=32)
def is_english(locale: str) -> bool:
    """True when the base language of the locale is English."""
    return re.split("[-_]", locale.casefold(), maxsplit=1)[0] == "en"


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """The Porter stem of a word of a to z; any other word as it is."""
    if not _A_TO_Z.fullmatch(word):
        return word
    # A stemmer of its own for each call: they hold state, and threads share this function.
    stemmed: str = PorterStemmer().stemWord(word)
    return stemmed


def _stem_of_base(word: str) -> str:
    return stem(IRREGULAR_FORMS.get(word, word))


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The runs of one kind: (text, is it CJK)."""
    if text.isascii():
        yield from ((run, False) for run in _ASCII_RUN.findall(text.lower()))
        return
    text = unicodedata.normalize("NFKC", text).translate(_INVISIBLE)
    kinds = text.translate(_KINDS)
    for match in _RUN.finditer(kinds):
        run = text[match.start() : match.end()]
        if match["cjk"]:
            yield "".join(c for c in run if _KINDS[ord(c)] == "C"), True
        else:
            yield run.casefold(), False
