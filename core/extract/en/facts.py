"""English statements about how things are, specific enough to be looked up later."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memgardend.core.extract.en.vocabulary import ORDERS, PASSING, STATES
from memgardend.core.extract.patterns import any_of, words
from memgardend.core.values import values

if TYPE_CHECKING:
    from memgardend.core.extract.language import Told

_NAMED = words(
    r"""\bmy\ name\ is\b | \b(?:is|are|was|were)\ (?:now\ )?(?:called|named|renamed)\b
    | \A(?-i:[A-Z])\w+(?:\ \w+){0,4}\ (?:owns|leads|maintains|is\ (?:our|my|responsible|in\ charge))\b
    | \Ai(?:'m|\ am|\ work|\ live)\ (?:in|from|at|for|based\ in|responsible\ for)\ (?-i:[A-Z])
    | \bmy\ (?:time\ ?zone|wife|husband|partner|son|daughter|boss|manager|supervisor|doctor|team|birthday
        |company|employer)\ (?:is|are)\ (?!wrong|here|asking|on\b|in\b)"""
)
# A subject of at most seven words, without pronouns of speech or modal verbs, then its verb.
_PLAIN = words(
    rf"""\A(?:(?:on|in)\ \w+(?:\ \w+){{0,2}}\ )?
    (?!(?:it|that|this|these|those|there|here|they|he|she|you|i|i'm|i've|let|let's|one|nothing|everything|something
        |your|for|with|by|at|from|a\ lot|anything|someone|people|wow|man|glad|been|since|last|next|after|before
        |when|while|as|much|lots)\b)
    (?:(?!(?:i|i'm|i've|i'd|you|you're|me|should|can|could|will|would|to|who|that)\b)[^\s,;:]+\ ){{1,7}}?
    (?:{STATES})\b"""
)
_WE = words(
    r"\Awe(?:\ all|\ only|\ still|\ also)?\ (?:are|have|support|deliver|use|run|sell|ship|offer)\b"
)
_ORDERS = words(rf"\A(?:{ORDERS})\b")
_PASSING = words(rf"\b(?:{PASSING})\b")
_NAME = re.compile(
    r"(?<=[a-z,] )[A-Z][\w+#.-]*|\b[A-Z]{2,}\b|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+"
)
_BRIEFLY = words(r"\b(?:right\ now|today|tonight|at\ the\ moment|this\ (?:week|month)|for\ now)\b")
_WHY = words(r"\b(?:because|since|so\ that|which\ is\ why|therefore|cannot|can't|only|never|not)\b")
_OURS = words(r"\A(?:our|my)\b")


def is_fact(told: Told, text: str, bare: str) -> bool:
    """True for a plain statement with a value, a name or a reason in it; `bare` is the text without quotations."""
    if _BRIEFLY.search(bare):
        return False
    if _NAMED.search(bare):
        return True
    if _ORDERS.match(bare) or not any_of((_PLAIN, _WE), bare):
        return False
    if told.remembers or told.corrects or values(text):
        return True
    if _PASSING.search(bare):
        return False
    return any_of((_NAME, _WHY), bare[1:]) or _OURS.match(bare) is not None
