"""What of a memory is indexed: the terms of its fields, each with how often it stands in which field.

An index knows its memories by nothing else, so whoever ranks by it and whoever reads the texts agree.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.likeness import (
    LIKENESS_VERSION,
    NEAR_DUPLICATE,
    SAME_FRAME,
    said_and_frame,
)
from memgardend.core.ports.index import Probe
from memgardend.core.tokens import TOKENIZER_VERSION, cjk_characters, is_english, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.core.ports.index import Counts
    from memgardend.core.records import Memory

FIELDS = ("title", "goal", "content", "keywords")
"""The searched fields of a memory, in the order in which counts are given."""

_UNSPOKEN = "≈"
"""Marks a term that is no token of the content: a value as likeness spells it, or words that met around one."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The terms of a memory. Characters are those of CJK text, one by one, for queries of a lone one."""

    terms: Mapping[str, Counts]
    lengths: Counts  # tokens, without the characters
    characters: int
    said: int  # how many terms its content says, and has as its frame (core/likeness.py)
    frame: int


def index_version(locale: str) -> str:
    """Names the rules by which texts become terms; an index made by others is made anew."""
    return f"{TOKENIZER_VERSION}.{LIKENESS_VERSION}:{'en' if is_english(locale) else 'any'}"


def field_texts(memory: Memory) -> tuple[str, ...]:
    """The texts of FIELDS."""
    return memory.title or "", memory.goal or "", memory.content, " ".join(memory.keywords)


def index_terms(memory: Memory, locale: str) -> IndexedText:
    """The terms of a memory in a garden of this locale."""
    texts = field_texts(memory)
    tokens = [tokenize(text, locale) for text in texts]
    characters = [cjk_characters(text) for text in texts]
    counts = [Counter([*words, *chars]) for words, chars in zip(tokens, characters, strict=True)]
    said, frame = said_and_frame(memory.content, locale)
    unspoken = {_UNSPOKEN + term for term in (said | frame) - set(tokens[FIELDS.index("content")])}
    terms = sorted(unspoken.union(*counts))
    return IndexedText(
        terms={term: tuple(count[term] for count in counts) for term in terms},
        lengths=tuple(map(len, tokens)),
        characters=sum(map(len, characters)),
        said=len(said),
        frame=len(frame),
    )


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
