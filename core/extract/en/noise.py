"""What English speakers say without meaning it to last: questions, conditions, hedges, hearsay, jokes."""

from __future__ import annotations

from memgardend.core.extract.patterns import any_of, words

_QUESTION = words(
    r"""\?["'”’)]*\Z
    | \A(?:who|what|where|why|how|which|whose|is|are|am|was|were|do|does|did|can|could|would|will|shall
        |should|may|has|have|had|isn't|aren't|doesn't|don't\ you|didn't|won't|wouldn't|couldn't|can't|any)\b"""
)
_UNREAL = words(
    r"""\A(?:suppose|supposing|imagine|assume|assuming|pretend|say|unless|in\ case|as\ if|even\ if|wish|ideally)\b
    | \bif\ (?:only|i\ were|we\ were|you\ were|i\ had|we\ had)\b | \bi\ wish\b | \bwhat\ if\b
    | \b(?:would|wouldn't|could|couldn't)\b(?!\ (?:rather|prefer))"""
)
_JOKE = words(
    r"""\b(?:lol|lmao|rofl|ha(?:ha)+h?|he(?:he)+|jk|(?:just|only)\ kidding|jok(?:e|es|ing)|omg|wtf)\b
    | [😂🤣😅😉😜🙃]"""
)
_HEARSAY = words(
    r"""\b(?<!i\ )(?<!we\ )(?:says?|said|told\ (?:me|us)|thinks?|thought|wrote|writes|claims?|claimed|suggests?
        |suggested|insists?|insisted|argues?|argued|believes?|recommends?|recommended|advises?|advised
        |puts\ it|asks|asked\ (?:me|us)|complains?|complained|according\ to|reportedly)\b"""
)
_HEARSAY_CHARS = 60
"""Later in a sentence such a verb only gives a source for what the person states."""
_HEDGE = words(
    r"""\b(?:maybe|perhaps|probably|possibly|presumably|apparently|supposedly|might|may\ be|not\ sure|unsure
        |(?:i|we)\ (?:think|guess|suppose|wonder|doubt|assume|believe|feel\ like|imagine|hope|don't\ know)
        |no\ idea|(?:haven't|not)\ (?:yet\ )?decided|seems?|looks?\ like|sounds?\ like|kind\ of|sort\ of
        |some\ ?day|could\ be|should\ probably|wondering|considering|thinking\ (?:about|of)|tempted)\b"""
)


def is_unmeant(text: str) -> bool:
    """True for what the speaker does not assert."""
    if any_of((_QUESTION, _UNREAL, _JOKE), text):
        return True
    hearsay = _HEARSAY.search(text)
    return hearsay is not None and hearsay.start() < _HEARSAY_CHARS


def is_hedged(text: str) -> bool:
    """True for what the speaker is not sure of."""
    return _HEDGE.search(text) is not None
