"""What a model is asked when cards are to be consolidated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.editorial.dream_render import CUT_MARK
from memgardend.core.editorial.prompt_data import fenced, people
from memgardend.core.editorial.wording import capture, dream
from memgardend.core.template import fill

if TYPE_CHECKING:
    from memgardend.core.editorial.dream_render import RenderedCards
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.wording.locale_words import LocaleWords


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
