"""The panorama of a project: all that covers it, shelf by shelf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.recall.lookups import Panorama, Shelf
from memgardend.core.words import Layer, Status, Subcategory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.recall.forms import Forms
    from memgardend.core.records import Memory

DONE_TODOS = 5
"""So many finished todos are shown, the newest."""
MEMORIES = 400
"""So many memories that name the project are looked at: those with the newest knowledge."""
EVERYWHERE = 20
"""So many of each layer that apply everywhere are shown beside them: the weightiest."""
EVERYWHERE_LAYERS = (Layer.RULES, Layer.PROJECT, Layer.FACT, Layer.LESSON, Layer.TOPIC)
EVERYWHERE_SHELF = "everywhere"
PANORAMA_CHARS = 40_000
"""A panorama is no longer, however much is known."""

_NAMED = (Layer.RULES, *Subcategory, Layer.FACT, Layer.LESSON, Layer.TOPIC, Layer.SOUL, Layer.USER)
"""The shelves in their order."""


def shelves(naming: Iterable[Memory], everywhere: Iterable[Memory]) -> tuple[Shelf, ...]:
    """What names the project, then what applies everywhere; the oldest knowledge of a shelf first."""
    placed: dict[str, list[Memory]] = {str(name): [] for name in _NAMED}
    for memory in naming:
        placed[_shelf(memory)].append(memory)
    placed = {name: _by_age(memories) for name, memories in placed.items()}
    placed[Subcategory.TODO] = _todos(placed[Subcategory.TODO])
    placed[EVERYWHERE_SHELF] = _by_age(everywhere)
    return tuple(Shelf(name=name, memories=tuple(of)) for name, of in placed.items() if of)


def shown(shelves: Iterable[Shelf], names: str, forms: Forms, room_chars: int) -> Panorama:
    """As much of the shelves as has room, in their order, and its text."""
    say = forms.texts.say
    parts = [f"# {say('panorama.intro', names=names)}"]
    room, left_out, kept = room_chars - len(parts[0]), 0, []
    for shelf in shelves:
        heading = (
            f"## {say('panorama.everywhere') if shelf.name == EVERYWHERE_SHELF else shelf.name}"
        )
        lines: list[str] = [heading]
        fitting: list[Memory] = []
        for memory in shelf.memories:
            entry = forms.entry(memory)
            room -= len(entry) + 1 + (0 if fitting else len(heading) + 2)
            if room < 0:
                left_out += 1
                continue
            lines.append(entry)
            fitting.append(memory)
        if fitting:
            parts.append("\n".join(lines))
            kept.append(Shelf(name=shelf.name, memories=tuple(fitting)))
    if left_out:
        parts.append(say("panorama.more", count=left_out))
    if not kept:
        parts.append(say("panorama.none"))
    return Panorama(shelves=tuple(kept), text="\n\n".join(parts))


def ids_of(panorama: Panorama) -> tuple[str, ...]:
    """The memories that a panorama shows."""
    return tuple(memory.id for shelf in panorama.shelves for memory in shelf.memories)


def _shelf(memory: Memory) -> str:
    if memory.layer is Layer.PROJECT:
        return str(memory.subcategory or Subcategory.OVERVIEW)
    return str(memory.layer)


def _todos(todos: Sequence[Memory]) -> list[Memory]:
    """The open ones, then those that were finished last."""
    done = sorted(
        (one for one in todos if one.status is Status.STALE), key=lambda one: one.status_at
    )
    return [*(one for one in todos if one.status is not Status.STALE), *done[-DONE_TODOS:]]


def _by_age(memories: Iterable[Memory]) -> list[Memory]:
    return sorted(memories, key=lambda one: (one.as_of, one.id))
