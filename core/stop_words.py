"""English words that carry no subject. Negations are among them: `likeness` reads those on its own."""

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
