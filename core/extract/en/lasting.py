"""English sentences that say themselves that they last: todos, decisions, rules, tastes, lessons."""

from __future__ import annotations

from memgardend.core.extract.language import Kind
from memgardend.core.extract.patterns import any_of, words

_TODO = words(
    r"""\A(?:todo|to\ do|to-do)\b | (?:\A|[,;.—–]\ |\b(?:and|please)\ )remind\ (?:me|us)\b(?!\ (?:of|why|how)\b)
    | \breminder\ (?:to\ (?:self|myself)|for\ (?:myself|later))\b
    | \bdon't\ (?:let\ (?:me|us)\ )?forget,?\ (?:that\ )?(?:i|we)\b
    | \b(?:i|we)\ still\ (?:need|have\ to|must|owe|lack|should)\b
    | \bstill\ (?:needs?\ to\ be|has\ to\ be|have\ to\ be|missing|outstanding|to\ be\ done|open)\b
    | \A(?:later|tomorrow|next\ \w+|after\ \w+)\b.*\b(?:i|we)(?:'ll)?\ (?:need|have|must|should|ought)\b"""
)
_OWED = words(
    r"""\b(?:i|we)(?:'ll|'ve)?\ (?:also\ |will\ )?(?:need|have\ to|got\ to|must|ought\ to)\ (?:to\ )?
        (?!see\b|know\b|understand\b|go\b|say\b|admit\b|think\b)\w+"""
)
_WHEN = words(
    r"""\b(?:later|tomorrow|tonight|soon|eventually|at\ some\ point|afterwards
        |next\ (?:week|month|year|sprint|quarter|release|time|monday|tuesday|wednesday|thursday|friday)
        |this\ (?:week|month|quarter|sprint|friday)
        |(?:before|by|until|till|after|on|in)\ (?:the\ )?(?:end|next|release|launch|deadline|demo|mon|tue|wed
        |thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d)\w*)\b"""
)

_DECISION = words(
    r"""\A(?:final\ |the\ )?decision\b\s?[:—–-] | \Adecided:
    | \b(?:i|we)(?:'ve|'re|\ have|\ are)?\ (?:now\ |all\ |finally\ |just\ |already\ |both\ )?(?:decided|agreed
        |settled\ (?:on|for)|opted|resolved\ to|voted|standardi[sz]ed|committed\ to|concluded)\b
    | \bwe(?:'ve|\ have)?\ (?:now\ |finally\ |just\ )?(?:chose|chosen|picked|went\ with|switched|migrated
        |moved\ (?:from|to|off|(?:the|our|all)\b.*\bfrom)|dropped|adopted|replaced)\b
    | \bwe(?:'re|\ are)\ (?:now\ |not\ )?(?:going\ with|going\ to\ (?!(?:see|need|be|have)\b)|moving|replacing
        |dropping|keeping|sticking|switching|migrating|staying|sunsetting|deprecating|abandoning|adopting
        |standardi[sz]ing)\b
    | \bwe(?:'re\ not|\ aren't|\ are\ not)\ (?:doing|using|going|supporting|shipping)\b
    | \bwe(?:'ll|\ will)\ (?:not\ |only\ )?(?:use|keep(?!\ it\b|\ \w+ing\b)|go\ with|stick|stay|switch|move
        |support|report|drop|adopt|ship|release|target|replace|store|build|call|skip|postpone)\b
    | \bwe\ (?:won't|no\ longer)\b
    | \Alet's\ (?:go\ (?:with|for)|use|stick\ (?:with|to)|keep\ (?!\w+ing\b|at\b|an\b|in\b)|drop|settle|take
        |choose|pick|adopt|stay\ with|switch|move\ to|standardi[sz]e)\b
    | \b(?:that's|this\ is|it's)\ (?:final|settled|decided)\b"""
)

_FROM_NOW_ON = words(
    r"""\b(?:from\ now\ on|going\ forward|from\ here\ on|in\ (?:the\ )?future\ (?=\w)|henceforth|as\ a\ rule
        |next\ time|(?:every|each)\ time\ you|whenever\ you)\b"""
)
_PLEDGE = words(r"\bi(?:'ll|'m|'d|\ (?:will|am|should|would|could|need|must|want))\b")
_RULE = words(
    r"""\A(?:always|never)\ (?!(?:mind|give\ up|here|there|up|been|so|a|an|the|happy|glad|again)\b)\w+
    | [,;:—–]\ (?:always|never)\ (?!mind\b)\w+
    | \b(?:you|we|one|they)\ (?:should|must)\ (?:always|never|not|only)\b
    | \b(?:you|we)\ (?:must|mustn't)\ (?!have\b|be\b|feel\b|love\b|miss\b|know\b|think\b|really\b)\w+
    | \bwe\ (?:always|never|only)\ (?!look|feel|love|enjoy|had|got|have\ fun)
    | \b(?:must|mustn't)\ (?:always|never|not|stay|remain|only|still|be\ \w+(?:ed|en)\b|keep|go|pass|match|use)\b
    | \A(?:use|write|keep|prefer|name|sign|answer|reply|respond|format|stick\ to|ask)\b
        .*\b(?:only|always|everywhere|by\ default|exclusively|throughout|every|each|any|without\ exception)\b
    | \A(?:use|write|prefer|choose|take)\b.*(?:\binstead\ of\b|\brather\ than\b|,\ (?:not|never)\b)
    | \Akeep\ (?:your\ |the\ |all\ )?\w+\ (?:short|brief|concise|small|simple|minimal|terse|formal|informal)\b
    | \A(?:answer|reply|respond|write|speak|talk|explain)(?:\ to)?(?:\ me|\ us)?\ in\ (?-i:[A-Z])\w+
    | \A(?:every|each|all|any|no)\b.*\b(?:needs?|must|should|has\ to|have\ to|gets?|goes)\b
    | \bask\ (?:me|us|her|him|them)\ (?:first|before)\b | \bbefore\ you\b.*,\ ask\b
    | \bin\ (?:this|our)\ (?:project|repo|repository|code\ ?base|team|code),?\ (?:we\ )?
        (?:use|write|keep|name|put)\b"""
)
_ACCIDENT = words(
    r"\b(?:never|always)\ (?:mind|happen\w*|seen|knew|know|said|had|got|been|works?|worked|fails?|failed)\b"
)
_FORBIDS = words(r"\A(?:don't|do\ not|stop\ \w+ing|avoid|no\ more)\b")
_FORBIDS_TOO = words(
    r"[,;:—–.]\ (?:so\ )?(?:please\ )?(?:don't|do\ not|stop\ \w+ing)\ (?!forget|worry|mind)\w+"
)
_FOR_NOW = words(
    r"""\b(?:this|that|these|those|it|its|him|yet|now|here|there|again|anymore|too|worry|bother|mind|panic|wait
        |give\ up|get\ me\ wrong|the\ (?:last|first|second|third|next|previous|other|same|above|new|old|rest)
        |though(?=\W*\Z))\b"""
)
_FOR_EVER = words(
    r"\b(?:ever|without\ (?:asking|my|first)|always|never|any|anywhere|in\ \w+|for\ me|me\ first)\b"
)

_CLAUSE = r"(?:\A|[,;:.(—–]\ |\b(?:and|but|because|since|that)\ )"
_TASTE = words(
    rf"""{_CLAUSE}i(?:'d|\ would)?\ (?:(?:really|much|strongly|generally|usually|personally|always|still|also)\ )?
        (?:prefer|rather|like|love|enjoy|hate|dislike|despise|loathe|detest|favou?r)\b
    | \bi\ (?:can't|cannot|can\ not)\ (?:stand|bear|abide)\b
    | \bi\ (?:really\ )?(?:don't|do\ not)\ (?:really\ )?(?:like|want|eat|drink|enjoy|care\ for|believe\ in)\b
    | \bi\ want\ (?:all|every|any|no|my)\b | \bi\ want\ \w+s\b.*\b(?:in|with|without|to\ be)\b
    | \bmy\ (?:preferred|favou?rite|usual|pet\ peeve)\b
    | \bi'm\ (?:a\ (?:big\ )?fan\ of|not\ a\ fan\ of|used\ to)\b | \bcall\ me\ (?-i:[A-Z])\w+"""
)
_TASTE_NOW = words(
    r"""\b(?:like|love|hate|prefer|enjoy|want|dislike|rather)\ (?:it|that|this|these|those|them|him|her|you|your
        |how|where|what|to\ (?:see|know|have|get|hear|ask|try|go)|option|a\b|an\b|both|neither|version
        |the\ (?:way|idea|last|first|new|second|third|one|other|result|look|sound))\b
    | \bi'd\ (?:like|love)\b | \bwould\ (?:like|love)\b | \b(?:like|love)\ to\W | \blooks\b"""
)
_HABIT = words(
    rf"""{_CLAUSE}i\ (?:always|usually|normally|typically|mostly|generally|often|never|only|mainly|rarely|tend\ to)
        \ (?!see|saw|said|say|meant|mean|had|have|need|want|wanted|got|get|knew|know|thought|forget|forgot|asked
        |changed|did|would|could)\w+
    | {_CLAUSE}i\ (?:use|write\ in|work\ (?:in|with|from)|code\ in|speak|live|type)
        \ (?!it\b|that\b|this\b|the\ (?:last|same|new)\b)\w+
    | \bi'm\ (?:(?:a|an)\ )?(?:vegetarian|vegan|allergic|intolerant|colou?r-?blind|left-handed|dyslexic|deaf
        |diabetic|coeliac|celiac|lactose)\b"""
)
_HABIT_NOW = words(
    r"\b(?:right\ now|today|at\ the\ moment|this\ week|for\ now|just\ now|tonight)\b"
)

_YOUR_FAULT = words(
    r"""\byou(?:'ve|\ have)?\ (?:keep|kept|forgot|missed|leaked|broke|ignored|mixed|confused|always|used|put
        |assumed|should(?:n't)?\ have|got\b.*\bwrong)\b"""
)
_BECAUSE = words(
    r"""[:;—–]\ \w | ,\ (?:so|because|but|and|not|which|use|it|the|stop|that)\b
    | \b(?:because|instead|not|which)\b"""
)
_LEARNED = words(
    r"""\A(?:the\ |a\ |my\ )?lessons?\b.*: | \blessons?\ learn(?:ed|t)\b | \A(?:it\ )?turn(?:s|ed)\ out\b
    | \b(?:root\ cause|real\ (?:cause|problem|reason)|actual\ (?:cause|problem)|culprit)\ (?:was|is)\b
    | \bthe\ (?:fix|trick|solution|workaround)\ (?:was|is)\ (?:to\b|that\b)"""
)


def is_todo(text: str) -> bool:
    """Something to be done, but not at once."""
    return any_of((_TODO,), text) or bool(_OWED.search(text) and _WHEN.search(text))


def lasting_kind(text: str) -> Kind | None:
    """What a sentence is that says itself that it lasts."""
    if _LEARNED.search(text):
        return Kind.CORRECTION
    if _DECISION.search(text):
        return Kind.DECISION
    if is_rule(text):
        return Kind.RULE
    if _TASTE.search(text) and not _TASTE_NOW.search(text):
        return Kind.PREFERENCE
    if _HABIT.search(text) and not _HABIT_NOW.search(text):
        return Kind.PREFERENCE
    if _FORBIDS_TOO.search(text) and not _FOR_NOW.search(text):
        return Kind.RULE
    if _YOUR_FAULT.search(text) and _BECAUSE.search(text):
        return Kind.CORRECTION
    return None


def is_rule(text: str) -> bool:
    """An order that holds beyond this moment."""
    if (_FROM_NOW_ON.search(text) and not _PLEDGE.search(text)) or (
        _RULE.search(text) and not _ACCIDENT.search(text)
    ):
        return True
    if not _FORBIDS.match(text):
        return False
    return _FOR_EVER.search(text) is not None or _FOR_NOW.search(text) is None


def blames(text: str) -> bool:
    """Finds fault with what the assistant did."""
    return _YOUR_FAULT.search(text) is not None
