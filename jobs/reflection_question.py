"""What a model is asked when a stretch of work is looked back on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.capture import CaptureSession
from memgardend.core.editorial.card_mapping import card_of
from memgardend.core.editorial.material import rendered, turns_of_events
from memgardend.core.editorial.policies import PolicyName, get_policy
from memgardend.core.editorial.results import CaptureRequest
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.judgement_request import Judged, Setting
from memgardend.core.slots import REFLECT_SLOT
from memgardend.core.template import fill
from memgardend.core.words import CallPurpose, Layer, Role
from memgardend.jobs.planning import related_to
from memgardend.jobs.questions import Questioner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.looking_back import Stretch
    from memgardend.core.editorial.wording.locale_words import LocaleWords
    from memgardend.core.records import Event, Memory, Window
    from memgardend.core.reflection import FinishedTurn
    from memgardend.jobs.context import Garden

ORIGIN = "reflection"
AROUND_CHARS = 30_000
"""Of a prompt, what is not the stretch: instructions, and up to 16 000 characters of existing cards."""
TOOL_CHARS = 400
"""What is shown of a tool's text; the person and the assistant are shown whole."""


def question(
    garden: Garden,
    window: Window,
    turn: FinishedTurn,
    stretch: Stretch,
    memories: Sequence[Memory],
) -> tuple[CaptureSession, Questioner]:
    """The judgement of a stretch, and who asks the model for it."""
    config, names = garden.config, garden.config.names
    locales = _locales(config.locale)
    said = {"assistant": names.assistant, "person": names.person}
    words = locales[config.locale]
    labels = {
        "assistant": names.assistant or words.the_assistant,
        "person": names.person or words.the_person,
    }
    turns = [
        replace(one, text=one.text[:TOOL_CHARS]) if one.role is Role.TOOL else one
        for one in turns_of_events(stretch.events)
    ]
    text = rendered(
        turns, words=words, zone=garden.zone, user_name=names.person, ai_name=names.assistant
    )
    room = max(garden.model_settings.max_prompt_chars - AROUND_CHARS, AROUND_CHARS // 2)
    cards: list[Mapping[str, Any]] = [card_of(one) for one in memories]
    request = CaptureRequest(
        window=text[-room:],
        locale=config.locale,
        policy=PolicyName.CONVERSATION_CAPTURE,
        existing_cards=cards,
        ai_name=names.assistant,
        user_name=names.person,
        source=ORIGIN,
        host_note=fill(garden.slot(REFLECT_SLOT), labels, REFLECT_SLOT),
    )
    setting = Setting(
        purpose=CallPurpose.REFLECT,
        run=f"{window.id}.{turn.first_seq}",
        locale=config.locale,
        at=garden.clock.now_ms(),
        zone=garden.zone,
        max_prompt_chars=garden.model_settings.max_prompt_chars,
        window=window.id,
        source=window.source,
        title=window.title,
        **said,
    )
    judged = Judged(
        turns=turns,
        policy=PolicyName.CONVERSATION_CAPTURE,
        max_cards=get_policy().max_cards,
        cards=cards,
    )
    return CaptureSession(request, locales=locales), Questioner(garden, setting, judged)


def _locales(locale: str) -> Mapping[str, LocaleWords]:
    """The words of the garden's locale; those of a pack of a person's own speak English around it."""
    own = replace(LOCALES["en"], locale=locale, language=locale)
    return LOCALES if locale in LOCALES else {**LOCALES, locale: own}


def shown_memories(garden: Garden, window: Window, events: Iterable[Event]) -> list[Memory]:
    """The memories that the stretch may be about; who the assistant is, no stretch of work can change."""
    text = "\n".join(one.text for one in events if one.role is Role.HUMAN and not one.replaced)
    garden.store.keep_index(garden.config.locale)
    found = related_to(garden, window, text, frozenset())
    return [one for one in found if one.layer is not Layer.SOUL]
