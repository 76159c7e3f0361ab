"""Answers one request: the rounds, each with its own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.extract.atomic import atomic_operations
from memgardend.core.extract.cards import cards_answer
from memgardend.core.extract.languages import language_of_locale, wording_of_locale
from memgardend.core.extract.project import project_operations
from memgardend.core.extract.topic import topic_operations
from memgardend.core.words import RoundName

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.extract.language import Wording
    from memgardend.core.extract.request import Request

_ROUNDS: dict[RoundName, Callable[[Request, Wording], list[dict[str, Any]]]] = {
    RoundName.ATOMIC: atomic_operations,
    RoundName.TOPIC: topic_operations,
    RoundName.PROJECT: project_operations,
}


def consolidate(request: Request) -> dict[str, Any]:
    """The answer of DESIGN section 6, or the cards that are asked for. The same request, the same answer."""
    if request.judgement is not None:
        return cards_answer(request, request.judgement)
    wording = wording_of_locale(request.locale)
    operations = _ROUNDS[request.round](request, wording) if request.round else []
    turns = sum(turn.is_new for turn in request.turns)
    summary = wording.summary.format(operations=len(operations), turns=turns)
    if language_of_locale(request.locale) is None:
        summary += f" No rules for {request.locale}: it reads what is English or Chinese."
    return {"operations": operations, "questions": [], "summary": summary}
