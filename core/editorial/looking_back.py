"""What of a reflection may be stored: no judgement of a model stands in for a person's own words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.card_columns import columns_of
from memgardend.core.editorial.cards import CardType
from memgardend.core.editorial.mutations import Supersede
from memgardend.core.quotes import ShownEvents
from memgardend.core.records import Evidence, quote_hash
from memgardend.core.words import PERSONAL_LAYERS, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.mutations import Add, Mutation
    from memgardend.core.quotes import Found
    from memgardend.core.records import Edits, Event, Memory, MemoryEdit


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of a window that is looked back on; `ended_at`: of its last event, in epoch milliseconds."""

    window: str
    project: str | None
    ended_at: int
    events: Sequence[Event]

    def quoted(self, text: str) -> Found | None:
        """Where a person typed this text, word for word."""
        human = {
            str(one.seq): one for one in self.events if one.role is Role.HUMAN and not one.replaced
        }
        shown = ShownEvents(human)
        found = (shown.find(handle, text) for handle in reversed(human))
        return next((one for one in found if one is not None and not one.pasted), None)


def acceptable(
    mutations: Iterable[Mutation], stretch: Stretch, known: Mapping[str, Memory]
) -> list[Mutation]:
    """The mutations that the stretch proves, each in the scope of its window; what a person wants holds
    anywhere, until a dream knows better.

    A quote, and whatever would say what a person wants, must stand in one of their turns. What is as new as
    the stretch, or newer, is not overturned by it.
    """
    made = (_placed(one, stretch, known) for one in mutations if hasattr(one, "card"))
    return [one for one in made if _is_proven(one, stretch, known)]


def landed(edits: Edits, stretch: Stretch) -> Edits:
    """The edits with what a stretch knows: its window, its time, and the words that prove a memory."""
    return replace(edits, edits=tuple(_landed(edit, stretch) for edit in edits.edits))


def _placed(mutation: Any, stretch: Stretch, known: Mapping[str, Memory]) -> Add | Supersede:
    card = dict(mutation.card)
    if stretch.project is not None and card.get("type") != CardType.QUOTE:
        card["scope"] = [stretch.project]
    if isinstance(mutation, Supersede):
        layers = {known[one].layer for one in mutation.target_ids if one in known}
        if len(layers) == 1:
            card["layer"] = str(layers.pop())
    placed: Add | Supersede = replace(mutation, card=card)
    return placed


def _is_proven(mutation: Add | Supersede, stretch: Stretch, known: Mapping[str, Memory]) -> bool:
    card = mutation.card
    targets = [known[one] for one in getattr(mutation, "target_ids", ()) if one in known]
    if any(one.as_of > stretch.ended_at for one in targets):
        return False
    layers = {columns_of(card)["layer"], *(one.layer for one in targets)}
    personal = card.get("type") == CardType.QUOTE or bool(layers & PERSONAL_LAYERS)
    return not personal or stretch.quoted(card.get("content", "")) is not None


def _landed(edit: MemoryEdit, stretch: Stretch) -> MemoryEdit:
    after = edit.after
    if edit.before is not None or after is None:
        return edit
    memory = replace(after, source_window=stretch.window, as_of=stretch.ended_at)
    found = stretch.quoted(memory.content)
    return replace(
        edit, after=memory, evidence=() if found is None else (_evidence(memory, found),)
    )


def _evidence(memory: Memory, found: Found) -> Evidence:
    return Evidence(
        memory=memory.id,
        window=found.event.window,
        event=found.event.seq,
        start=found.start,
        end=found.end,
        role=found.event.role,
        quote=found.quote,
        at=found.event.at,
        hash=quote_hash(found.quote),
    )
