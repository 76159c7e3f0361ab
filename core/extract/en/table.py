"""The English table: openers, what is done, and the order in which kinds are tried."""

from __future__ import annotations

import re

from memgardend.core.extract.en.days import with_dates
from memgardend.core.extract.en.facts import is_fact
from memgardend.core.extract.en.lasting import blames, is_rule, is_todo, lasting_kind
from memgardend.core.extract.en.noise import is_hedged, is_unmeant
from memgardend.core.extract.en.switch import LINKING, REASON, REASSIGNED, STATED, SWITCHED
from memgardend.core.extract.language import Kind, Language, Told, Wording
from memgardend.core.extract.patterns import words
from memgardend.core.likeness import auto_keywords
from memgardend.core.tokens import tokenize

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|`[^`]*`")
_ONLY_QUOTED = re.compile(r"\"[^\"]{20,}\"|“[^”]{20,}”")
_CONDITION = words(r"\A(?:(?:and|but)\ )?(?:if|when(?:ever)?|every\ time|each\ time|once)\b")


def classify(told: Told) -> Kind | None:
    """What a sentence is worth keeping as; None for most."""
    text = told.text
    if _ONLY_QUOTED.match(text):
        return None
    bare = _QUOTED.sub(lambda found: "x" if found[0][0] == "`" else '"x"', text)
    if is_unmeant(bare):
        return None
    if is_todo(bare):
        return Kind.TODO
    if is_hedged(bare):
        return None
    if _CONDITION.match(bare):
        return Kind.RULE if is_rule(bare) else None
    kind = lasting_kind(bare)
    if kind is None and not blames(bare) and _states(told, text, bare):
        return Kind.FACT
    return kind


def _states(told: Told, text: str, bare: str) -> bool:
    return is_fact(told, text, bare) or REASSIGNED.match(bare) is not None


_WRONG = r"""(?:that's|that\ is|that\ was|this\ is|it's)
    \ (?:wrong|not\ right|incorrect|not\ true|not\ correct|false)"""
_KEEP = r"(?:remember|keep\ in\ mind|bear\ in\ mind|note|be\ aware)"

ENGLISH = Language(
    locale="en",
    plain=lambda text: text.replace("’", "'"),
    opener=words(
        rf"""(?:ok(?:ay)?|so|well|hey|hi|hello|hmm+|hm|um+|uh|oh|ah|also|and|but|btw|by\ the\ way|fyi|anyway|right
            |alright|sure|great|good|cool|nice|perfect|wow|thanks|thank\ you|sorry|please|just|yes|yeah|yep|yup
            |true|nb|ps|for\ the\ record|for\ your\ information|one\ more\ thing
            |good\ (?:morning|evening|afternoon)|no|nope|nah|wrong|actually|incorrect|{_WRONG}
            |(?:please\ )?{_KEEP}(?:\ that)?|important|reminder|to\ be\ clear|first|second|third|finally|then
            |(?:the|our)\ \w+(?:\ \w+){{0,2}}?\ (?:(?:has|have)\ )?(?:just\ )?(?:changed|moved)(?=\s*[:;—–]))
            (?:\s*[,.:;!—–]+\s*|\s+-+\s+|\s+)"""
    ),
    correcting=words(
        rf"""\A(?:no|nope|nah|wrong|actually|incorrect)\b | \b{_WRONG}\b
        | \byou\ (?:got|were|are)\b.*\bwrong\b | \Ayou\ (?:forgot|changed|missed|broke|mixed)\b"""
    ),
    remembering=words(
        rf"\b(?:please\ )?(?:{_KEEP}|keep\ that\ in\ mind|fyi|for\ the\ record|important)\b"
    ),
    closer=words(
        r"[,;.—–-]?\s*(?:please\ )?(?:keep\ that\ in\ mind|remember\ (?:that|this)|please|thanks)\s*[.!]*\Z"
    ),
    classify=classify,
    done=words(
        r"""\b(?:is|are|was|were|has\ been|have\ been|got|gets|'s)\ (?:now\ |already\ |all\ |finally\ )?
            (?:done|\w+ed|shipped|sent|built|written|out|over|complete|live)\b
        | \A(?:done|finished|completed)\b
        | \b(?:i|we)(?:'ve|\ have)?\ (?:just\ |already\ |finally\ )?(?:did|done|wrote|sent|\w+ed)\b
        | \btick\b.*\boff\b"""
    ),
    matter=lambda text: frozenset(tokenize(text, "en")),
    keywords=lambda text: auto_keywords(text, "en"),
    important=words(r"\b(?:important|critical|crucial|under\ no\ circumstances|at\ all\ costs)\b"),
    here=words(r"\b(?:in|for)\ (?:this|our)\ (?:project|repo|repository|code\ ?base|code)\b"),
    about_person=words(
        r"""\bmy\ (?:name|time\ ?zone|wife|husband|partner|son|daughter|birthday)\b
        | \bi\ (?:live|work)\b | \bi'm\b | \bcall\ me\b"""
    ),
    switched=SWITCHED,
    reassigned=REASSIGNED,
    stated=STATED,
    linking=LINKING,
    reason=REASON,
    with_dates=with_dates,
    full_stop=".",
)

ENGLISH_WORDING = Wording(
    repeated="The person said it again.",
    changed="The person gave a newer value.",
    developed="The conversation went on.",
    done="The person said that it is done.",
    duplicate="Another entry says the same.",
    summary="Offline consolidator (rules, no language model): operations: {operations}, human turns: {turns}.",
)
