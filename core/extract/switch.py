"""Names that change: what a sentence itself says to be over takes the place of the memory that says it holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memgardend.core.negation import negations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.core.extract.language import Language

SAME_MATTER = 0.5
"""Share of what a change speaks of that the memory must speak of too: who moves one database moves not all."""

MAX_STATEMENT_CHARS = 400
"""A longer memory is no single statement; and patterns are not for texts of any length."""


class Switch(NamedTuple):
    """A name that no longer holds, and the one that does."""

    old: str
    new: str


def switches(plain: str, language: Language) -> Iterator[Switch]:
    """The changes of name that a sentence tells."""
    for pattern in language.switched:
        for found in pattern.finditer(plain):
            switch = Switch(found["old"].casefold(), found["new"].casefold())
            if switch.old != switch.new:
                yield switch


def overturns(said: str, known: str, language: Language) -> bool:
    """True when the sentence says that what the known one states is over, and speaks of no other matter."""
    if len(known) > MAX_STATEMENT_CHARS:
        return False
    now, before = language.plain(said), language.plain(known)
    return _reassigns(now, before, language) or any(
        _holds(before, switch, language) and _same_matter(now, before, switch, language)
        for switch in switches(now, language)
    )


def _reassigns(now: str, before: str, language: Language) -> bool:
    given, stated = language.reassigned.match(now), language.stated.match(before)
    if given is None or stated is None:
        return False
    same = given["subject"].casefold() == stated["subject"].casefold()
    return same and stated["new"].casefold() not in now.casefold()


def _holds(before: str, switch: Switch, language: Language) -> bool:
    """True when a sentence says that the old name holds: it came to it, or knows of no other."""
    earlier = list(switches(before, language))
    if earlier:
        return any(one.new == switch.old for one in earlier)
    return _names(before, switch.old) and not _names(before, switch.new) and not negations(before)


def _names(text: str, name: str) -> bool:
    edge = r"(?<![a-z0-9_]){}(?![a-z0-9_])"
    return re.search(edge.format(re.escape(name)), text.casefold()) is not None


def _same_matter(now: str, before: str, switch: Switch, language: Language) -> bool:
    in_now, in_before = (_matter(text, switch, language) for text in (now, before))
    return in_before <= in_now and len(in_before) >= SAME_MATTER * len(in_now)


def _matter(text: str, switch: Switch, language: Language) -> frozenset[str]:
    """What a sentence speaks of, but for the names, the change and the reasons."""
    bare = language.reason.sub("", text.casefold())
    for name in switch:
        bare = bare.replace(name, " ")
    return language.matter(language.linking.sub(" ", bare))
