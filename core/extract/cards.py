"""Cards instead of operations: what the rules keep of a stretch that is to be judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.policies import PolicyName
from memgardend.core.extract.atomic import Statement, new_statements, turns_against
from memgardend.core.extract.language import Kind
from memgardend.core.extract.sentences import entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.extract.request import Judgement, Request, ShownCard

SUMMARY_CHARS = 200
_ORDER = (Kind.RULE, Kind.CORRECTION, Kind.PREFERENCE, Kind.DECISION, Kind.FACT, Kind.TODO)
"""What stays when there is room for few: what a person asks for weighs more than what they mention."""
_OWN_WORDS = frozenset({Kind.RULE, Kind.PREFERENCE})
_PLAIN, _ORDINARY, _SERIOUS = 0.25, 0.5, 0.75


def cards_answer(request: Request, judgement: Judgement) -> dict[str, Any]:
    """The reply to a question for cards: what the person said, word for word. An archive is kept whole."""
    if judgement.policy == PolicyName.CURATED_ARCHIVE:
        cards = _entries(request, judgement.max_cards)
    else:
        cards = [_card(one, judgement.cards, request.locale) for one in _kept(request, judgement)]
    return {"cards": cards}


def _kept(request: Request, judgement: Judgement) -> list[Statement]:
    """The statements worth a card, in order; of history no todos, which are over."""
    found = [
        one
        for one in new_statements(request)
        if judgement.policy != PolicyName.HISTORY_IMPORT
        or judgement.keep_specifics
        or one.said.kind is not Kind.TODO
    ]
    weightiest = sorted(found, key=lambda one: _ORDER.index(one.said.kind))[: judgement.max_cards]
    return [one for one in found if one in weightiest]


def _card(statement: Statement, known: Sequence[ShownCard], locale: str) -> dict[str, Any]:
    said = statement.said
    overturned = [one.id for one in known if turns_against(said, one.content, locale)]
    card = {
        "action": "supersede" if overturned else "add",
        "target_ids": overturned,
        "type": "quote" if said.kind in _OWN_WORDS else "fact",
        "importance": _importance(statement),
        "retrieval_cues": list(said.language.keywords(said.content)),
    }
    return card | _texts(said.content)


def _importance(statement: Statement) -> float:
    said = statement.said
    if said.language.important.search(said.content):
        return _SERIOUS
    return _PLAIN if said.kind in (Kind.FACT, Kind.TODO) else _ORDINARY


def _entries(request: Request, most: int | None) -> list[dict[str, Any]]:
    """Each entry a card; where there are more than allowed, neighbours share one, since none may be lost."""
    found = [entry for turn in request.turns for entry in entries(turn.text)]
    size = -(-len(found) // most) if most else 1
    groups = ["\n".join(found[at : at + size]) for at in range(0, len(found), size or 1)]
    return [
        {"action": "add", "type": "fact", "importance": _ORDINARY} | _texts(one) for one in groups
    ]


def _texts(content: str) -> dict[str, str]:
    line = " ".join(content.split())
    cut = line if len(line) <= SUMMARY_CHARS else f"{line[: SUMMARY_CHARS - 1]}…"
    return {"summary": cut, "content": content}
