"""English: what makes a sentence worth keeping, and what makes it not.

The rules come from how English speakers mark what lasts: adverbs of always and never, verbs of liking, deciding
and owing, and plain statements that hold a value or a name. Questions, conditions, hedges, hearsay, jokes and
orders for this moment are left out first, because a wrong memory costs more than a missing one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memgardend.core.extract.en_words import ORDERS, PASSING, STATES
from memgardend.core.extract.language import Kind, Language, Told
from memgardend.core.values import values

if TYPE_CHECKING:
    from collections.abc import Iterable


def _words(text: str) -> re.Pattern[str]:
    """A pattern, white space in it for legibility only."""
    return re.compile(text, re.IGNORECASE | re.VERBOSE)


_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|`[^`]*`")
_THE_LIKE = re.compile(r"\"[^\"]{20,}\"|“[^”]{20,}”")

_QUESTION = _words(
    r"""\?["'”’)]*\Z
    | \A(?:who|what|where|why|how|which|whose|is|are|am|was|were|do|does|did|can|could|would|will|shall
        |should|may|has|have|had|isn't|aren't|doesn't|don't\ you|didn't|won't|wouldn't|couldn't|can't|any)\b"""
)
_CONDITION = _words(r"\A(?:(?:and|but)\ )?(?:if|when(?:ever)?|every\ time|each\ time|once)\b")
_UNREAL = _words(
    r"""\A(?:suppose|supposing|imagine|assume|assuming|pretend|say|what\ if|unless|in\ case|as\ if|even\ if|wish)\b
    | \bif\ (?:only|i\ were|we\ were|you\ were|i\ had|we\ had)\b | \bi\ wish\b | \bwhat\ if\b
    | \b(?:would|wouldn't|could|couldn't)\b(?!\ (?:rather|prefer))"""
)
_HEDGE = _words(
    r"""\b(?:maybe|perhaps|probably|possibly|presumably|apparently|supposedly|might|may\ be|not\ sure|unsure
        |(?:i|we)\ (?:think|guess|suppose|wonder|doubt|assume|believe|feel\ like|imagine|hope|don't\ know)
        |no\ idea|(?:haven't|not)\ (?:yet\ )?decided|seems?|looks?\ like|sounds?\ like|kind\ of|sort\ of
        |some\ ?day|could\ be|should\ probably|wondering|considering|thinking\ (?:about|of)|tempted)\b"""
)
_HEARSAY = _words(
    r"""\b(?<!i\ )(?<!we\ )(?:says?|said|told\ (?:me|us)|thinks?|thought|wrote|writes|claims?|claimed|suggests?
        |suggested|insists?|insisted|argues?|argued|believes?|recommends?|recommended|advises?|advised
        |puts\ it|asks|asked\ (?:me|us)|complains?|complained|according\ to|reportedly)\b"""
)
_HEARSAY_CHARS = 60
"""Later in a sentence such a verb only gives a source for what the person states."""
_JOKE = _words(
    r"""\b(?:lol|lmao|rofl|ha(?:ha)+h?|he(?:he)+|jk|(?:just|only)\ kidding|jok(?:e|es|ing)|omg|wtf)\b
        | [😂🤣😅😉😜🙃]"""
)
_DEICTIC = _words(
    r"""\b(?:this|that|these|those|it|its|him|yet|now|here|there|again|anymore|too|
        the\ (?:last|first|second|third|next|previous|other|same|above|new|old|rest)
        |worry|bother|mind|panic|wait)\b"""
)

_TODO = _words(
    r"""\A(?:todo|to\ do|to-do)\b | \bremind\ (?:me|us)\b | \breminder\ (?:to|for)\ (?:self|myself|me)\b
    | \bdon't\ (?:let\ (?:me|us)\ )?forget\ (?:to|that\ (?:i|we)|i|we)\b
    | \b(?:i|we)\ still\ (?:need|have|must|owe|lack|want|should)\b
    | \bstill\ (?:needs?\ to\ be|has\ to\ be|have\ to\ be|missing|outstanding|to\ be\ done|open)\b
    | \A(?:later|tomorrow|next\ \w+|after\ \w+)\b.*\b(?:i|we)(?:'ll)?\ (?:need|have|must|should|ought)\b"""
)
_OWED = _words(
    r"""\b(?:i|we)(?:'ll|'ve)?\ (?:also\ |will\ )?(?:need|have|got|must|ought)(?:\ got)?\ (?:to\ )?
        (?!see\b|know\b|understand\b|go\b|say\b|admit\b|think\b)\w+"""
)
_WHEN = _words(
    r"""\b(?:later|tomorrow|tonight|soon|eventually|at\ some\ point|afterwards
        |next\ (?:week|month|year|sprint|quarter|release|time|monday|tuesday|wednesday|thursday|friday)
        |this\ (?:week|month|quarter|sprint|friday)
        |(?:before|by|until|till|after|on|in)\ (?:the\ )?(?:end|next|release|launch|deadline|demo|mon|tue|wed|thu
        |fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d)\w*)\b"""
)

_DECISION = _words(
    r"""\A(?:final\ |the\ )?decision\b\s?[:—–-] | \Adecided:
    | \b(?:i|we)(?:'ve|'re|\ have|\ are)?\ (?:now\ |all\ |finally\ |just\ |already\ |both\ )?
        (?:decided|agreed|settled\ (?:on|for)|opted|resolved\ to|voted|standardi[sz]ed|committed\ to|concluded)\b
    | \bwe(?:'ve|\ have)?\ (?:now\ |finally\ |just\ )?
        (?:chose|chosen|picked|went\ with|switched|migrated|moved\ (?:from|to|off)|dropped|adopted|replaced)\b
    | \bwe(?:'re|\ are)\ (?:now\ |not\ )?(?:going\ with|going\ to\ (?!see|need|be|have)|moving|replacing|dropping
        |keeping|sticking|switching|migrating|staying|sunsetting|deprecating|abandoning|adopting|standardi[sz]ing)
    | \bwe(?:'re\ not|\ aren't|\ are\ not)\ (?:doing|using|going|supporting|shipping)\b
    | \bwe(?:'ll|\ will)\ (?:not\ |only\ )?(?:use|keep|go\ with|stick|stay|switch|move|support|report|drop|adopt
        |ship|release|target|replace|store|build|call|skip|postpone)\b
    | \bwe\ (?:won't|no\ longer)\b
    | \Alet's\ (?:go\ (?:with|for)|use|stick\ (?:with|to)|keep\ (?!going|trying|at\b|an\b|in\b)|drop|settle|take|choose
        |pick|adopt|stay\ with|switch|move\ to|standardi[sz]e)\b
    | \b(?:that's|this\ is|it's)\ (?:final|settled|decided)\b"""
)

_FROM_NOW_ON = _words(
    r"""\b(?:from\ now\ on|going\ forward|from\ here\ on|in\ (?:the\ )?future\ (?=\w)|henceforth|as\ a\ rule
        |next\ time|(?:every|each)\ time\ you|whenever\ you)\b"""
)
_RULE = _words(
    r"""\A(?:always|never)\b | [,;:—–]\ (?:always|never)\ (?!mind\b)\w+
    | \b(?:you|we|one|they)\ (?:should|must)\ (?:always|never|not|only)\b | \b(?:you|we)\ (?:must|mustn't)\b
    | \bwe\ (?:always|never|only)\b
    | \b(?:must|mustn't)\ (?:always|never|not|stay|remain|only|still|be\ \w+(?:ed|en)\b|keep|go|pass|match|use|have\ (?:a|an|at)\b)
    | \A(?:use|write|keep|put|prefer|name|sign|answer|reply|respond|format|stick\ to|ask|check|test|document)\b
        .*\b(?:only|always|everywhere|by\ default|exclusively|throughout|every|each|all|any|without\ exception)\b
    | \A(?:use|write|prefer|choose|take)\b.*(?:\binstead\ of\b|\brather\ than\b|,\ (?:not|never)\b)
    | \A(?:keep)\ (?:your\ |the\ |all\ )?\w+\ (?:short|brief|concise|small|simple|minimal|terse|formal|informal)\b
    | \A(?:answer|reply|respond|write|speak|talk|explain)(?:\ to)?(?:\ me|\ us)?\ in\ (?-i:[A-Z])\w+
    | \A(?:every|each|all|any|no)\b.*\b(?:needs?|must|should|has\ to|have\ to|gets?|goes)\b
    | \bask\ (?:me|us|her|him|them)\ (?:first|before)\b | \bbefore\ you\b.*,\ ask\b
    | \bin\ (?:this|our)\ (?:project|repo|repository|code\ ?base|team|code),?\ (?:we\ )?(?:use|write|keep|name|put)\b"""
)
_FORBIDS = _words(r"\A(?:don't|do\ not|stop\ \w+ing|avoid|no\ more)\b")
_FORBIDS_LATER = _words(
    r"[,;:—–.]\ (?:so\ )?(?:please\ )?(?:don't|do\ not|stop\ \w+ing)\ (?!forget|worry|mind)\w+"
)
_LONG_TERM = _words(
    r"\b(?:ever|without\ (?:asking|my|first)|always|never|any|anywhere|in\ \w+|for\ me|me\ first)\b"
)
_ACCIDENT = _words(
    r"\b(?:never|always)\ (?:mind|happen\w*|seen|knew|know|said|had|got|been|works?|worked|fails?|failed)\b"
)

_LIKING = _words(
    r"""\bi(?:'d|\ would)?\ (?:really\ |much\ |strongly\ |generally\ |usually\ |personally\ |always\ |still\ |also\ )?
        (?:prefer|rather|like|love|enjoy|hate|dislike|despise|loathe|detest|favou?r)\b
    | \bi\ (?:can't|cannot|can\ not)\ (?:stand|bear|abide)\b
    | \bi\ (?:really\ )?(?:don't|do\ not)\ (?:really\ )?(?:like|want|eat|drink|enjoy|care\ for|believe\ in|read)\b
    | \bi\ want\ (?:all|every|any|no|my)\b | \bi\ want\ \w+s\b.*\b(?:in|with|without|to\ be)\b
    | \bmy\ (?:preferred|favou?rite|usual|pet\ peeve)\b | \bi'm\ (?:a\ (?:big\ )?fan\ of|not\ a\ fan\ of|used\ to)\b
    | \bcall\ me\ (?-i:[A-Z])\w+"""
)
_LIKING_NOW = _words(
    r"""\b(?:like|love|hate|prefer|enjoy|want|dislike|rather)\ (?:it|that|this|these|those|them|him|her|you|your|how|where
        |what|to\ (?:see|know|have|get|hear|ask|try|go)|the\ (?:way|idea|last|first|new|second|third|one|other|result|look|sound)
        |option|a\b|an\b|both|neither|version)\b | \bi'd\ like\b | \bwould\ like\b | \blooks\b"""
)
_HABIT = _words(
    r"""\bi\ (?:always|usually|normally|typically|mostly|generally|often|never|only|mainly|rarely|tend\ to)\ 
        (?!see|saw|said|say|meant|mean|had|have|need|want|wanted|got|get|knew|know|thought|forget|forgot|asked|changed|did|would|could)\w+
    | \bi\ (?:use|write\ in|work\ (?:in|with|from)|code\ in|speak|live|type|read\ mail)\ (?!it\b|that\b|this\b|the\ (?:last|same|new)\b)\w+
    | \bi'm\ (?:(?:a|an)\ )?(?:vegetarian|vegan|allergic|intolerant|colou?r-?blind|left-handed|dyslexic|deaf|diabetic|coeliac|celiac|lactose)"""
)
_HABIT_NOW = _words(
    r"\b(?:right\ now|today|at\ the\ moment|this\ week|for\ now|just\ now|tonight)\b"
)

_YOUR_FAULT = _words(
    r"""\byou(?:'ve|\ have)?\ (?:keep|kept|forgot|missed|leaked|broke|ignored|mixed|confused|again|always|used|put|assumed
        |should(?:n't)?\ have|got)\b"""
)
_BECAUSE = _words(
    r"[:;—–]\ \w|,\ (?:so|because|but|and|not|which|use|it|the|stop|that)\b|\bbecause\b|\binstead\b|\bnot\b|\bwhich\b"
)
_LEARNED = _words(
    r"""\A(?:the\ |a\ |my\ )?lessons?\b.*: | \blessons?\ learn(?:ed|t)\b | \A(?:it\ )?turn(?:s|ed)\ out\b
    | \b(?:root\ cause|real\ (?:cause|problem|reason)|actual\ (?:cause|problem)|culprit)\ (?:was|is)\b
    | \bthe\ (?:fix|trick|solution|workaround)\ (?:was|is)\ (?:to\b|that\b)"""
)

_NAMED = _words(
    r"""\bmy\ name\ is\b | \b(?:is|are|was|were)\ (?:now\ )?(?:called|named|renamed)\b | \b(?:stands|short)\ for\b
    | \A(?-i:[A-Z])\w+(?:\ \w+){0,4}\ (?:owns|leads|runs|maintains|does\ the|is\ (?:our|my|the|responsible|in\ charge))\b
    | \b(?:i|she|he|they|we)\ (?:work|works|worked)\ (?:at|for|on|as)\b | \bi\ live\ in\b | \bi'm\ (?:from|based\ in|responsible\ for)\b
    | \bmy\ (?:time\ ?zone|wife|husband|partner|son|daughter|boss|manager|supervisor|doctor|team|birthday|company|employer)
        \ (?:is|are)\ (?!wrong|here|asking|on\b|in\b)"""
)
_STATES = _words(STATES)
_SUBJECT = _words(
    r"""\A(?:(?:the|our|my|your|his|her|their|all|each|every|both|some|most|we|in|on|for)\b
        | (?-i:[A-Z])[\w./-]+ | `[^`]+` | [\w-]+(?:\ [\w-]+){0,3}\ (?:is|are|runs?|lives?|lasts?|takes?|uses?|has|have|goes?|renews?)\b)"""
)
_NOT_A_SUBJECT = _words(
    r"\A(?:it|that|this|these|those|there|here|they|he|she|you|i|i'm|let|let's|one|nothing|everything|something)\b"
)
_ORDERS = _words(rf"\A(?:please\ )?(?:{ORDERS})\b")
_PASSING = _words(rf"\b(?:{PASSING})\b")
_PROPER = re.compile(
    r"(?<=[a-z,] )[A-Z][\w+#.-]*|\b[A-Z]{2,}\b|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+"
)
_WHY = _words(
    r"\b(?:because|since|so\ that|which\ is\ why|therefore)\b|\bnot\ |\bcannot\b|\bcan't\b|\bonly\b|, not\b|\bnever\b"
)
_OURS = _words(r"\A(?:our|my)\b")


def _any(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def classify(told: Told) -> Kind | None:
    """What a sentence is worth keeping as; None for most."""
    text = told.text.replace("’", "'")
    if _THE_LIKE.match(text):
        return None
    bare = _QUOTED.sub(lambda found: "x" if found[0][0] == "`" else '"x"', text)
    hearsay = _HEARSAY.search(bare)
    if _any((_QUESTION, _UNREAL, _JOKE), bare) or (hearsay and hearsay.start() < _HEARSAY_CHARS):
        return None
    if _TODO.search(bare) or (_OWED.search(bare) and _WHEN.search(bare)):
        return Kind.TODO
    if _HEDGE.search(bare):
        return None
    lasting = _lasting(bare)
    if lasting is not None or _CONDITION.match(bare):
        return lasting if lasting is not Kind.PREFERENCE or not _CONDITION.match(bare) else None
    if _YOUR_FAULT.search(bare):
        return Kind.CORRECTION if _BECAUSE.search(bare) else None
    return Kind.FACT if _is_fact(told, text, bare) else None


def _lasting(bare: str) -> Kind | None:
    """Decisions, rules, tastes and lessons: sentences that say themselves that they last."""
    if _LEARNED.search(bare):
        return Kind.CORRECTION
    if not _CONDITION.match(bare) and _DECISION.search(bare):
        return Kind.DECISION
    if _FROM_NOW_ON.search(bare) or (_RULE.search(bare) and not _ACCIDENT.search(bare)):
        return Kind.RULE
    if _FORBIDS.match(bare) and not (_DEICTIC.search(bare) and not _LONG_TERM.search(bare)):
        return Kind.RULE
    if _LIKING.search(bare) and not _LIKING_NOW.search(bare):
        return Kind.PREFERENCE
    if _HABIT.search(bare) and not _HABIT_NOW.search(bare):
        return Kind.PREFERENCE
    if _FORBIDS_LATER.search(bare) and not _DEICTIC.search(bare):
        return Kind.RULE
    return None


def _is_fact(told: Told, text: str, bare: str) -> bool:
    """A plain statement about how things are, specific enough to be looked up later."""
    if _NAMED.search(bare):
        return True
    if _NOT_A_SUBJECT.match(bare) or _ORDERS.match(bare) or not _STATES.search(bare):
        return False
    if told.remembers or told.corrects:
        return True
    if not _SUBJECT.match(bare):
        return False
    if values(text):
        return True
    if _PASSING.search(bare):
        return False
    return bool(_PROPER.search(bare[1:]) or _WHY.search(bare) or _OURS.match(bare))


ENGLISH = Language(
    abbreviations=frozenset(
        ["e.g", "i.e", "eg", "ie", "etc", "dr", "mr", "mrs", "ms", "prof", "st", "vs", "approx", "no", "nr", "fig", "al", "jr", "sr", "inc", "ltd", "dept", "cf"]
    ),
    opener=_words(
        r"""(?:ok(?:ay)?|so|well|hey|hi|hello|hmm+|hm|um+|uh|oh|ah|also|and|but|btw|by\ the\ way|fyi|anyway|right|alright|sure
            |great|good|cool|nice|perfect|thanks|thank\ you|sorry|please|just|yes|yeah|yep|yup|true|note|nb|ps
            |(?:for\ the\ )?record|for\ your\ information|one\ more\ thing|good\ (?:morning|evening|afternoon)
            |no|nope|nah|wrong|actually|incorrect|(?:that's|that\ is|this\ is|it's)\ (?:wrong|not\ right|incorrect|not\ true)
            |(?:please\ )?(?:remember|keep\ in\ mind|bear\ in\ mind|note|be\ aware)(?:\ that)?|important|reminder|to\ be\ clear
            |first|second|third|finally|then)
            (?:\s*[,.:;!—–]+\s*|\s+-+\s+|\s+)"""
    ),
    correcting=_words(
        r"""\A(?:no|nope|nah|wrong|actually|incorrect)\b | \bthat's\ (?:wrong|not\ right|incorrect|not\ true|not\ correct|false)\b
        | \bthat\ (?:is|was)\ (?:wrong|not\ right|incorrect|not\ true)\b | \byou\ (?:got|were|are)\b.*\bwrong\b"""
    ),
    remembering=_words(
        r"\A(?:please\ )?(?:remember|keep\ in\ mind|bear\ in\ mind|note|be\ aware|fyi|for\ the\ record|important)\b"
    ),
    closer=_words(
        r"[,;.—–-]?\s*(?:please\ )?(?:keep\ that\ in\ mind|remember\ (?:that|this)|remind\ me|please|thanks|ok|okay)\s*[.!]*\Z"
    ),
    machine_line=re.compile(
        r"\s*(?:\[\s*\d+[\d.:\s-]*\]|\d{4}-\d\d-\d\d[T ]|[$#%>❯]\s|\w[\w.-]*@[\w.-]+[:~ ].*[$#]|Traceback|File \"|at \S+ ?\(|at \S+:\d"
        r"|\w*(?:Error|Exception|Warning)\b:|[{}\[\]<>|+*=~_-]{2,}|[-+]{1,3} ?\w+\s*[({=]|\w+,\w+,\w|[\w.-]+\(.*\)\s*;?$)"
        r"|\s{2,}\S|\t|\S+\s*[:=]\s*\S+$|[0-9a-f]{7,40} |git \w+|sudo |npm |cd |ls\b|import \w|from \w+ import|def |class |const |SELECT "
    ),
    forwarded=re.compile(
        r"\s*(?:(?:fwd?|fw|from|subject|betreff|von)\s?:|-{3,}\s?original|on .{6,80} wrote:)",
        re.IGNORECASE,
    ),
    classify=classify,
    done=_words(
        r"""\b(?:is|are|was|were|has\ been|have\ been|got|gets|'s)\ (?:now\ |already\ |all\ |finally\ )?
            (?:done|\w+ed|shipped|sent|built|written|out|over|complete|live)\b
        | \A(?:done|finished|completed)\b | \b(?:i|we)(?:'ve|\ have)?\ (?:just\ |already\ |finally\ )?
            (?:finished|completed|merged|shipped|did|done|wrote|sent|fixed|closed|\w+ed)\b | \btick\b.*\boff\b"""
    ),
    important=_words(
        r"\b(?:important|critical|crucial|absolutely|under\ no\ circumstances|at\ all\ costs)\b"
    ),
    here=_words(r"\b(?:in|for)\ (?:this|our)\ (?:project|repo|repository|code\ ?base|code)\b"),
    about_person=_words(
        r"\bmy\ (?:name|time\ ?zone|wife|husband|partner|son|daughter|birthday)\b|\bi\ (?:live|work)\b|\bi'm\b|\bcall\ me\b"
    ),
    repeated_reason="The person said it again.",
    changed_reason="The person gave a newer value.",
    developed_reason="The conversation went on.",
    done_reason="The person said that it is done.",
    duplicate_reason="Another entry says the same in the same words.",
    summary="Offline consolidator (rules, no language model): {kept} kept of {turns} human turns.",
)
