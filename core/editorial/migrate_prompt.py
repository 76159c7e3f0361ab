"""What a host says, and what a model is asked, when cards of an older form are put into the present one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.dream_render import DreamCaps
from memgardend.core.editorial.prompt_data import fenced, people
from memgardend.core.editorial.wording import capture, migrate
from memgardend.core.template import fill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.dream_render import RenderedCards
    from memgardend.core.editorial.wording.locale_words import LocaleWords


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrateRequest:
    """Cards to be put into the present form; of these, only those in `allowed_ids` may be touched."""

    cards: Sequence[Mapping[str, Any]]
    locale: str
    allowed_ids: Sequence[str] = ()
    ai_name: str = ""
    user_name: str = ""
    naming_rule: str = ""
    host_note: str = ""
    caps: DreamCaps = field(default_factory=DreamCaps)


def migrate_prompt(request: MigrateRequest, shown: RenderedCards, words: LocaleWords) -> str:
    """The prompt: English instructions around the cards. The same request gives the same prompt."""
    fence, data = fenced({"cards": shown.text})
    values = people(
        words,
        ai_name=request.ai_name,
        user_name=request.user_name,
        naming_rule=request.naming_rule,
    ) | {
        "fence": fence,
        "language": words.language,
        "buckets": words.separator.join(words.buckets.values()),
        "note": request.host_note.strip(),
        "shape": migrate.SHAPE,
    }
    sections = [
        migrate.FRAMING,
        migrate.RULES,
        capture.COMMON_BUCKETS,
        capture.LANGUAGE,
        capture.NAMES,
        capture.FORBIDDEN,
        *([capture.HOST_NOTE] if values["note"] else []),
    ]
    asked = [fill(section, values, "migrate") for section in sections]
    return "\n\n".join([*asked, data, fill(migrate.REPLY, values, "migrate")])
