"""The topic round: the arc of one conversation, in the person's own words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.extract.languages import language_of, language_of_locale
from memgardend.core.extract.notice import proves_alone, tidy
from memgardend.core.extract.sentences import sentences
from memgardend.core.fold import is_cjk
from memgardend.core.likeness import auto_keywords, jaccard, unproven
from memgardend.core.mask import MASK
from memgardend.core.words import Layer, OperationName, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memgardend.core.extract.language import Wording
    from memgardend.core.extract.request import Known, Request, Turn

MIN_TURNS = 3
MIN_WORDS = 4  # shorter turns ("yes, go on") carry no arc
MAX_LINES = 12
MAX_LINE_CHARS = 140
MAX_TITLE_CHARS = 80
SAME_TOPIC = 0.2  # likeness from which on an existing topic is taken up again
_BULLET = "- "
_CUT = "…"
_OUTCRIES = ("!", "！")
# Two Chinese characters make a word, near enough.
_WORD = re.compile(r"[\u3400-\u9fff]{1,2}|[^\s\u3000-\u303f\u3400-\u9fff\uff01-\uff20]+")


@dataclass(frozen=True, slots=True)
class _Step:
    """One turn in the arc: the line that stands for it, and the quote that proves it."""

    line: str
    quote: str
    handle: str


def topic_operations(request: Request, wording: Wording) -> list[dict[str, Any]]:
    """One operation at most: a new topic, or the new steps of one that is shown."""
    steps = _steps(turn for turn in request.turns if turn.is_new)
    if not steps:
        return []
    earlier = _steps(turn for turn in request.turns if not turn.is_new)
    known = _taken_up(request, steps, earlier)
    if known is not None:
        return [_develop(known, steps, request, wording)]
    if len(request.turns) < MIN_TURNS or len(steps) < 2:
        return []
    return [_begin(steps, request)]


def _steps(turns: Iterable[Turn]) -> list[_Step]:
    """One step a turn; a turn that is sent again is no further step."""
    by_words: dict[str, _Step] = {}
    for turn in turns:
        for step in _step(turn):
            by_words.setdefault(" ".join(_WORD.findall(step.line.casefold())), step)
    return list(by_words.values())


def _step(turn: Turn) -> Iterator[_Step]:
    """The first sentence of a turn that is more than a nod; an outcry only where there is nothing else."""
    outcry = None
    for sentence in sentences(turn.text, turn.pasted):
        quote = _clip(sentence.text, MAX_LINE_CHARS)
        if len(_WORD.findall(quote)) < MIN_WORDS or not proves_alone(quote) or MASK in quote:
            continue
        whole = len(quote) == len(sentence.text)
        line = turn.dated(tidy(_ended(quote) if whole else quote + _CUT), language_of(quote))
        step = _Step(line, quote, turn.handle)
        if not sentence.text.endswith(_OUTCRIES):
            yield step
            return
        outcry = outcry or step
    if outcry is not None:
        yield outcry


def _taken_up(request: Request, steps: Sequence[_Step], earlier: Sequence[_Step]) -> Known | None:
    """The shown topic that tells the earlier steps, or is named as the window, or is most like the new steps."""
    told = {_BULLET + step.line for step in earlier}
    text = "\n".join(step.line for step in steps)
    best, likeness = None, SAME_TOPIC
    for memory in request.memories:
        if memory.layer is not Layer.TOPIC or memory.status is not Status.ACTIVE:
            continue
        if told.intersection(memory.content.split("\n")):
            return memory
        if request.title and memory.title == request.title:
            return memory
        found = jaccard(memory.content, text, request.locale)
        if found >= likeness:
            best, likeness = memory, found
    return best


def _begin(steps: Sequence[_Step], request: Request) -> dict[str, Any]:
    shown = _shorten(steps)
    content = _lines([step.line for step in shown])
    title = request.title
    if not title or not _is_ours(title, request) or unproven(title, [one.quote for one in shown]):
        title = next((one.line for one in shown if _is_ours(one.line, request)), shown[0].line)
    return {
        "op": OperationName.REMEMBER,
        "layer": Layer.TOPIC,
        "title": _headline(title),
        "goal": steps[0].line,
        "content": content,
        "keywords": _keywords(content, request),
        "importance": 1,
        "evidence": _evidence(shown),
    }


def _is_ours(text: str, request: Request) -> bool:
    """True for a text in the language of the garden, as far as we know it: a title is for its owner to read."""
    return language_of_locale(request.locale) in (None, language_of(text))


def _develop(
    known: Known, steps: Sequence[_Step], request: Request, wording: Wording
) -> dict[str, Any]:
    told = known.content.split("\n")
    new = [step for step in _shorten(steps) if _BULLET + step.line not in told]
    if not new:
        return {
            "op": OperationName.UPDATE,
            "id": known.handle,
            "reason": wording.repeated,
            "evidence": _evidence(_shorten(steps)),
        }
    room = max(MAX_LINES - len(new), 1)
    kept = told if len(told) <= room else [told[0], *told[len(told) - room + 1 :]]
    content = "\n".join(kept) + "\n" + _lines([step.line for step in new])
    return {
        "op": OperationName.UPDATE,
        "id": known.handle,
        "content": content,
        "keywords": _keywords(content, request),
        "reason": wording.developed,
        "evidence": _evidence(new),
    }


def _keywords(content: str, request: Request) -> list[str]:
    language = language_of_locale(request.locale)
    return list(language.keywords(content) if language else auto_keywords(content, request.locale))


def _shorten(steps: Sequence[_Step]) -> list[_Step]:
    """The beginning and the end of a long arc."""
    head = MAX_LINES // 3
    if len(steps) <= MAX_LINES:
        return list(steps)
    return [*steps[:head], *steps[head - MAX_LINES :]]


def _evidence(steps: Sequence[_Step]) -> list[dict[str, str]]:
    return [{"event": step.handle, "quote": step.quote} for step in steps]


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(_BULLET + line for line in lines)


def _headline(text: str) -> str:
    """A title of bearable length, whose cut shows."""
    cut = _clip(text, MAX_TITLE_CHARS)
    return _ended(text) if cut == text else cut + _CUT


def _ended(text: str) -> str:
    """The text without a colon that announces what does not follow."""
    return text.rstrip(" :：")


def _clip(text: str, limit_chars: int) -> str:
    """The text up to the last word that fits; a verbatim beginning of it."""
    if len(text) <= limit_chars:
        return text
    cut = limit_chars
    while cut and not (text[cut].isspace() or is_cjk(text[cut]) or is_cjk(text[cut - 1])):
        cut -= 1
    return text[:cut].rstrip(" ,;:-–—，；：、") or text[:limit_chars]
