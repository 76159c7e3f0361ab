"""What a model is asked when cards are to be consolidated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.editorial.dream_render import CUT_MARK
from memgardend.core.editorial.prompt_data import fenced, people
from memgardend.core.editorial.results import ErrorWord
from memgardend.core.editorial.wording import capture, dream
from memgardend.core.editorial.wording.locale_words import Reask
from memgardend.core.template import fill

if TYPE_CHECKING:
    from memgardend.core.editorial.dream_render import RenderedCards
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.results import Failure, ModelReply
    from memgardend.core.editorial.wording.locale_words import LocaleWords

_REASKS = {
    ErrorWord.INVALID_CARD_CONTENT: Reask.DREAM_CONTENT,
    ErrorWord.JSON_DECODE_ERROR: Reask.FORMAT,
    ErrorWord.MAINTENANCE_TARGETS_REJECTED: Reask.DREAM_TARGETS,
}


def dream_prompt(request: MaintenanceRequest, shown: RenderedCards, words: LocaleWords) -> str:
    """The prompt: English instructions around the garden's cards. The same request gives the same prompt."""
    recent = request.conversations[-request.caps.conversation_chars :]
    fence, data = fenced({"recent conversation": recent, "cards": shown.text})
    values = people(
        words,
        ai_name=request.ai_name,
        user_name=request.user_name,
        naming_rule=request.naming_rule,
    ) | {
        "fence": fence,
        "cut": CUT_MARK,
        "language": words.language,
        "buckets": words.separator.join(words.buckets.values()),
        "note": request.host_note.strip(),
        "shape": dream.SHAPE,
    }
    sections = [
        dream.FRAMING,
        dream.DATA,
        dream.STEPS,
        dream.RULES,
        capture.COMMON_BUCKETS,
        capture.LANGUAGE,
        capture.NAMES,
        capture.FORBIDDEN,
        *([capture.HOST_NOTE] if values["note"] else []),
    ]
    told = [fill(section, values, "dream") for section in sections]
    return "\n\n".join([*told, data, fill(dream.REPLY, values, "dream")])


def dream_reask(error: Failure, reply: ModelReply, words: LocaleWords) -> str:
    """What to say of a reply that cannot be used, in the garden's language; nothing where asking again is no use.

    A reply of prose gets no second call: a model that was told the form twice over will not find it now.
    """
    reask = _REASKS.get(error.word)
    if reply.truncated:
        reask = Reask.TRUNCATED
    elif error.word is ErrorWord.NO_JSON_OBJECT and not reply.text.strip():
        reask = Reask.FORMAT
    return fill(words.reasks[reask], {"problem": error}, reask) if reask else ""
