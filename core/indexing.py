"""What of a memory is indexed: its terms, each with its impacts.

An index knows its memories by nothing else, so whoever ranks by it and whoever reads the texts agree.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.impacts import INDEXING_VERSION, MAX_CONTEXT_CHARS, impacts
from memgardend.core.likeness import (
    LIKENESS_VERSION,
    NEAR_DUPLICATE,
    SAME_FRAME,
    said_and_frame,
)
from memgardend.core.ports.index import Probe
from memgardend.core.times import date_words
from memgardend.core.tokens import (
    TOKENIZER_VERSION,
    cjk_characters,
    identifiers,
    is_english,
    search_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memgardend.core.impacts import Impacts
    from memgardend.core.records import Memory

_CONTENT = 2  # its place among the texts

_UNSPOKEN = "≈"
"""Marks a term that is no token of the content: a value as likeness spells it, or words that met around one."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The terms of a memory with their impacts. CJK characters are terms, too, for queries of a lone one."""

    terms: Mapping[str, Impacts]
    said: int  # how many terms its content says, and has as its frame (core/likeness.py)
    frame: int


def index_version(locale: str) -> str:
    """Names the rules by which texts become terms; an index made by others is made anew."""
    language = "en" if is_english(locale) else "any"
    return f"{INDEXING_VERSION}+tok{TOKENIZER_VERSION}+like{LIKENESS_VERSION}:{language}"


def index_terms(memory: Memory, locale: str, quotes: Sequence[str] = ()) -> IndexedText:
    """The terms of a memory in a garden of this locale. `quotes`: what was said around it, the newest first."""
    texts = (
        memory.title or "",
        memory.goal or "",
        memory.content,
        "\n".join(memory.keywords),
        _context(memory, quotes),
    )
    tokens = [search_tokens(text, locale) for text in texts]
    counts = [
        Counter([*words, *cjk_characters(text), *identifiers(text)])
        for words, text in zip(tokens, texts, strict=True)
    ]
    lengths = [len(words) for words in tokens]
    said, frame = said_and_frame(memory.content, locale)
    spoken = impacts(counts, lengths)
    unspoken = {_UNSPOKEN + term: (0, 0) for term in (said | frame) - set(tokens[_CONTENT])}
    return IndexedText(
        terms=dict(sorted((spoken | unspoken).items())), said=len(said), frame=len(frame)
    )


def _context(memory: Memory, quotes: Sequence[str]) -> str:
    around = "\n".join(quotes)[:MAX_CONTEXT_CHARS]
    return "\n".join((around, *memory.threads, date_words(memory.as_of)))


def names_of(content: str, locale: str) -> list[str]:
    """The names under which an index may hold what this content is compared by."""
    said, frame = said_and_frame(content, locale)
    return [name for term in sorted(said | frame) for name in (term, _UNSPOKEN + term)]


def probes(content: str, locale: str, found: Mapping[str, int]) -> Iterator[Probe]:
    """What finds every content that says the same or the opposite. `found`: how many memories have each name.

    Who shares a part of all terms has at least one of any `n - part * n + 1`: the rarest are looked up
    (prefix filtering; Chaudhuri, Ganti and Kaushik 2006). And their numbers of terms are near.
    """
    said, frame = said_and_frame(content, locale)
    for by_frame, terms, part in ((False, said, NEAR_DUPLICATE), (True, frame, SAME_FRAME)):
        if not terms:
            continue
        least = math.ceil(part * len(terms) - _ROUNDING)
        rarest = sorted(terms, key=lambda term: (_rarity(term, found), term))
        looked_up = rarest[: len(terms) - least + 1]
        yield Probe(
            names=tuple(name for term in looked_up for name in (term, _UNSPOKEN + term)),
            by_frame=by_frame,
            least=least,
            most=math.floor(len(terms) / part + _ROUNDING),
        )


def _rarity(term: str, found: Mapping[str, int]) -> int:
    return found.get(term, 0) + found.get(_UNSPOKEN + term, 0)
