"""English sentences that name what held until now and what holds instead."""

from __future__ import annotations

from memgardend.core.extract.patterns import words

_OLD = r"(?:(?:the|our|plain|using)\ )?(?P<old>[^\s,;:.]+(?:\ [^\s,;:.]+){0,2}?)"
_NEW = r"(?:(?:the|our|using)\ )?(?P<new>[^\s,;:.]*\w(?:\ (?-i:[A-Z])[^\s,;:.]*\w)*)"
_GONE = r"(?:\ any\s?more)?"
_MOVED = r"""(?:moved|moving|move|migrated|migrating|migrate|switched|switching|switch|changed|changing|change
    |went|renamed|converted|ported)"""

SWITCHED = (
    words(rf"\b{_MOVED}\b(?:\ [^\s,;:.]+){{0,5}}?\ from\ {_OLD}\ (?:over\ |back\ )?to\ {_NEW}"),
    words(rf"\b(?:replaced|replacing|replace|swapped|swapping)\ {_OLD}\ (?:with|by|for)\ {_NEW}"),
    words(
        rf"\b{_NEW}(?:\ now)?,?\ (?:instead\ of|in\ place\ of|no\ longer|and\ not|not)\ {_OLD}{_GONE}\W*\Z"
    ),
    words(
        rf"""\b(?:no\ longer|not|don't|doesn't)\ (?:use\ |using\ |run\ |on\ |with\ |called\ )?{_OLD}{_GONE}
        (?:,|;|\ -|\ –|\ —|\ but)\ ?(?:but\ )?(?:(?:we|it|they)(?:'s|'re)?\ )?
        (?:(?:use|run|is|are|called|on|with)\ )?{_NEW}(?:\ now|\ instead)?\W*\Z"""
    ),
)
"""`old` no longer holds, `new` does."""

_PROPER = r"(?-i:[A-Z])[\w.-]*(?:\ (?-i:[A-Z])[\w.-]*){0,2}"
_SUBJECT = r"(?:the|our)\ (?P<subject>\w[\w-]*(?:\ \w[\w-]*){0,3}?)\ is"
REASSIGNED = words(
    rf"\A{_SUBJECT}\ (?:now\ (?P<new>{_PROPER})|(?P<too>{_PROPER})\ now)\W*\Z",
)
"""Somebody or something by name has a part that others had before."""

STATED = words(rf"\A{_SUBJECT}\ (?:now\ )?(?P<new>{_PROPER})(?:\ now)?\W*\Z")
"""Who or what has a part."""

LINKING = words(
    r"""\b(?:us(?:e|es|ed|ing)|runs?|running|mov(?:e|es|ed|ing)|switch(?:ed|es|ing)?|migrat(?:e|es|ed|ing)
    |chang(?:e|es|ed|ing)|replac(?:e|es|ed|ing)|swapp(?:ed|ing)|renamed|went|go|going|ported|converted|ch[o]?ose
    |chosen|picked|decided|agreed|adopt(?:ed)?|stick|keep|stay|now|today|currently|finally|instead|longer|any\s?more
    |place|back|called|named|everything)\b"""
)
"""Words that say that something is used or changes, not what."""

REASON = words(r",?\ (?:because|since|so\ that|as)\ .*\Z")
"""Why: what a sentence says besides."""
