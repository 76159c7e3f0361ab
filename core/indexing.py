"""What of a memory is indexed: the terms of its fields, each with how often it stands in which field.

An index knows its memories by nothing else, so whoever ranks by it and whoever reads the texts agree.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.tokens import TOKENIZER_VERSION, cjk_characters, is_english, tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.records import Memory

FIELDS = ("title", "goal", "content", "keywords")
"""The searched fields of a memory, in the order in which counts are given."""

Counts = tuple[int, ...]
"""One number for each of FIELDS."""


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The terms of a memory. Characters are those of CJK text, one by one, for queries of a lone one."""

    terms: Mapping[str, Counts]
    lengths: Counts  # tokens, without the characters
    characters: int
    said: int  # different tokens of the content


def index_version(locale: str) -> str:
    """Names the rules by which texts become terms; an index made by others is made anew."""
    return f"{TOKENIZER_VERSION}:{'en' if is_english(locale) else 'any'}"


def index_terms(memory: Memory, locale: str) -> IndexedText:
    """The terms of a memory in a garden of this locale."""
    texts = [memory.title or "", memory.goal or "", memory.content, " ".join(memory.keywords)]
    tokens = [tokenize(text, locale) for text in texts]
    characters = [cjk_characters(text) for text in texts]
    counts = [Counter([*words, *chars]) for words, chars in zip(tokens, characters, strict=True)]
    return IndexedText(
        terms={
            term: tuple(count[term] for count in counts) for term in sorted(set().union(*counts))
        },
        lengths=tuple(map(len, tokens)),
        characters=sum(map(len, characters)),
        said=len(set(tokens[FIELDS.index("content")])),
    )
