"""The first-turn block: who the assistant is, who the person is, principles, projects; within a budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.recall.forms import NAME_CHARS, line, quoted
from memgardend.core.recall.frame import BETWEEN
from memgardend.core.words import Layer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.recall.forms import Forms
    from memgardend.core.records import Memory, Project

LAYERS = (Layer.SOUL, Layer.USER, Layer.RULES)
BLOCK_VERSION = "weight-1"
"""Rises whenever the same memories make another block."""
RULES_IMPORTANCE = 2
"""A rule has to weigh so much to be among the principles."""
CANDIDATES = 40
"""So many memories of a layer are looked at: more than fit."""
_ENTRY_SHARE = 4
"""No memory takes more than such a part of the room."""
_PROJECTS_SHARE = 4
_LEAST_ENTRY_CHARS = 40
"""No less is worth looking for a memory that fits."""


@dataclass(frozen=True, slots=True)
class Block:
    """The parts of a block, and the memories that they show."""

    parts: tuple[str, ...]
    ids: tuple[str, ...]


def by_weight(memories: Sequence[Memory]) -> list[Memory]:
    """The weightiest first; among equals soul before user before rules, then the newest knowledge."""
    return sorted(
        memories,
        key=lambda one: (-one.importance, LAYERS.index(one.layer), -one.as_of, one.id),
    )


def block(
    memories: Sequence[Memory], projects: Sequence[Project], forms: Forms, room_chars: int
) -> Block | None:
    """What fits of the memories, in their order, and of the projects; None where nothing does.

    The parts, joined by blank lines, are no longer than the room.
    """
    frame = [forms.texts.say("block.intro"), forms.texts.say("block.how")]
    room = room_chars - sum(len(part) + len(BETWEEN) for part in frame)
    names = _projects(projects, forms, room // _PROJECTS_SHARE if memories else room)
    room -= len(names) + len(BETWEEN)
    kept, left_out = _fitting(memories, forms, room)
    if not names and not kept:
        return None
    sections = [
        "\n".join([_heading(forms, layer), *(text for one, text in kept if one.layer is layer)])
        for layer in LAYERS
        if any(one.layer is layer for one, _ in kept)
    ]
    more = forms.texts.say("block.more") if left_out else ""
    parts = (frame[0], *sections, more, names, frame[1])
    return Block(tuple(part for part in parts if part), tuple(one.id for one, _ in kept))


def _fitting(
    memories: Sequence[Memory], forms: Forms, room: int
) -> tuple[list[tuple[Memory, str]], bool]:
    """The memories that have room, with their lines, and whether any has not."""
    room -= len(forms.texts.say("block.more")) + len(BETWEEN)
    limit = max(_LEAST_ENTRY_CHARS, room // _ENTRY_SHARE)
    kept: list[tuple[Memory, str]] = []
    headed: set[Layer] = set()
    for memory in memories:
        if room < _LEAST_ENTRY_CHARS:
            break
        text = _bullet(memory, limit)
        heading = 0 if memory.layer in headed else len(_heading(forms, memory.layer)) + len(BETWEEN)
        if len(text) + 1 + heading <= room:
            room -= len(text) + 1 + heading
            headed.add(memory.layer)
            kept.append((memory, text))
    return kept, len(kept) < len(memories)


def _bullet(memory: Memory, limit_chars: int) -> str:
    text = f"{memory.title}: {memory.content}" if memory.title else memory.content
    text = text.strip()
    if len(text) > limit_chars:
        text = text[: limit_chars - 1] + "…"
    return quoted(text, bullet=True)


def _heading(forms: Forms, layer: Layer) -> str:
    return f"## {forms.texts.say(f'block.{layer}')}"


def _projects(projects: Sequence[Project], forms: Forms, room: int) -> str:
    """The names of the projects, as many as have room."""
    text = ""
    heading = f"## {forms.texts.say('block.projects')}"
    names: list[str] = []
    for project in projects:
        names.append(line(project.name, NAME_CHARS))
        longer = f"{heading}\n{quoted(' / '.join(names))}"
        if len(longer) > room:
            break
        text = longer
    return text
