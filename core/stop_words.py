"""Words that carry no subject. Negations are among them: `likeness` reads those on its own."""

from __future__ import annotations

_WORDS = """
a an the this that these those
i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
myself yourself himself herself itself ourselves themselves
am is are was were be been being do does did doing done have has had having
can could may might must shall should will would
and or but nor so if then else than because while although though as
at by for from in into of off on onto out over to up with without within about after before between
through during under above below again
not no never neither
what which who whom whose when where why how
here there now just only too very also both each all any some such own same other
s t d ll ve re m don isn aren wasn weren doesn didn hasn haven hadn wouldn shouldn couldn mustn
"""

ENGLISH_STOP_WORDS = frozenset(_WORDS.split())
"""Function words and the fragments that an apostrophe leaves behind; our own list."""

_GENERIC = """
go goes going gone went get gets getting got gotten make makes making made take takes taking took taken
give gives giving gave say says saying said tell tells telling told ask asks asking asked
know knows knew think thinks thought want wants wanted like likes liked need needs needed
use uses used using try tries tried keep keeps kept let lets see sees saw look looks looked
thing things something anything everything kind kinds type types sort name named called
much many lot please hello hi thanks thank ok okay yes
"""
ENGLISH_GENERIC_WORDS = frozenset(_GENERIC.split())
"""Words that questions are made of and that stand everywhere: in a query they count half."""

CHINESE_FUNCTION_CHARACTERS = frozenset(
    "的了着吗呢吧啊呀嘛么是在有和与跟或我你您他她它们这那哪谁什怎何几多少不没也都就才还要会能可"
    "把被给让对为所以个些时候之于而且但如果请问想知道说过到去来做用"
)
"""A pair of two of these in a query is grammar: who, what, how, whether."""

CHINESE_PARTICLES = frozenset("的了着吗呢吧啊呀嘛么")
"""A pair with one of these in a query mostly spans the end of a word: it counts half."""
