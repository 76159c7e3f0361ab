"""What became of a text, word by word; CJK characters count as words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_PAIRS = 250_000
"""Words of one text times words of the other that are compared, what they begin and end with apart.

Beyond, all of it counts as changed: difflib takes cubic time for words that repeat, and memory text is hostile.
"""

_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_WORDS = re.compile(rf"\s*(?:[{_CJK}]|[^\s{_CJK}]+)|\s+$")


class Part(StrEnum):
    """What a piece of text belongs to: both texts, the earlier or the later one."""

    SAME = "same"
    WAS = "was"
    NOW = "now"


@dataclass(frozen=True, slots=True)
class Piece:
    """Words in a row that share a fate."""

    part: Part
    text: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """The pieces in order. Those same or was make `before`, those same or now make `after`, to the letter."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    inner = old[head : len(old) - tail], new[head : len(new) - tail]
    return _pieces(
        Piece(Part.SAME, "".join(old[:head])),
        *_compared(*inner),
        Piece(Part.SAME, "".join(old[len(old) - tail :])),
    )


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    if len(old) * len(new) > MAX_PAIRS:
        yield from (Piece(Part.WAS, "".join(old)), Piece(Part.NOW, "".join(new)))
        return
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Piece(Part.SAME, "".join(old[a:b]))
        else:
            yield from (Piece(Part.WAS, "".join(old[a:b])), Piece(Part.NOW, "".join(new[c:d])))


def _pieces(*found: Piece) -> tuple[Piece, ...]:
    return tuple(piece for piece in found if piece.text)
