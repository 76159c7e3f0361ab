"""What became of a text, word by word; CJK characters count as words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

MAX_PAIRS = 4_000_000
"""Words of one text times words of the other that are compared; beyond, the whole text counts as changed."""

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
    if len(old) * len(new) > MAX_PAIRS:
        return _pieces(Piece(Part.WAS, before), Piece(Part.NOW, after))
    found: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(Piece(Part.SAME, "".join(old[a:b])))
        else:
            found += [Piece(Part.WAS, "".join(old[a:b])), Piece(Part.NOW, "".join(new[c:d]))]
    return _pieces(*found)


def _pieces(*found: Piece) -> tuple[Piece, ...]:
    return tuple(piece for piece in found if piece.text)
