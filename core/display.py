"""How events and memories look in a prompt. Nothing in their text can pass for a line of ours."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memgardend.core.mask import mask
from memgardend.core.records.operations import Flaw
from memgardend.core.scope import GLOBAL
from memgardend.core.times import local
from memgardend.core.words import Layer, Role, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from memgardend.core.excerpt import Part
    from memgardend.core.records import Event, Memory
    from memgardend.core.scope import Scope

NAME_CHARS = 80
"""Names of projects and tools are cut here, titles of windows at twice that."""

LABELS = frozenset(
    {
        "assistant",
        "person",
        "memories.left_out",
        *(f"role.{role}" for role in Role if role is not Role.OWN),
        *(f"heading.{part}" for part in ("window", "memories", "changed", "events", "end")),
        *(f"group.{kind}" for kind in ("project", "global", "unset")),
        *(f"none.{what}" for what in ("memories", "topics", "events", "projects")),
        *(f"window.{what}" for what in ("source", "project", "title", "projects")),
        *(f"window.{what}" for what in ("continued", "continues")),
        *(f"memory.{what}" for what in ("importance", "as_of", "keywords", "goal", "also")),
        *(f"memory.{what}" for what in ("corrected", "no_keywords")),
        *(f"status.{status}" for status in Status if status is not Status.ACTIVE),
        *(f"flaw.{flaw}" for flaw in Flaw),
        "event.known",
        "event.omitted",
        "pasted.begin",
        "pasted.end",
    }
)
"""Every word of a prompt that is no slot of its own: the names in the slot `labels`."""

_LAYER_ORDER = (
    Layer.PROJECT,
    Layer.TOPIC,
    Layer.FACT,
    Layer.LESSON,
    Layer.RULES,
    Layer.SOUL,
    Layer.USER,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """The words, zone and random fence of one prompt. `projects`: name by id."""

    labels: Mapping[str, str]
    zone: tzinfo
    fence: str
    marker: str
    projects: Mapping[str, str]
    _ours: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        words = "|".join(map(re.escape, (self.marker, self.fence)))
        object.__setattr__(self, "_ours", re.compile(words, re.IGNORECASE))

    def stamp(self, at_ms: int) -> str:
        """An absolute time to the minute, with its offset."""
        return local(at_ms, self.zone).isoformat(sep=" ", timespec="minutes")

    def line(self, text: str, limit_chars: int | None = None) -> str:
        """Foreign text on one line, masked, so that it cannot begin a line of ours."""
        flat = " ".join(mask(text).split())
        if limit_chars is not None and len(flat) > limit_chars:
            flat = flat[: limit_chars - 1] + "…"
        return self.defused(flat)

    def defused(self, text: str) -> str:
        """The text without our fence and marker; its length stays."""
        return self._ours.sub(lambda match: "·" * len(match[0]), text)

    def rule(self, text: str) -> str:
        """A line that only we can write: it carries the fence."""
        return f"=== {self.fence} {text} ==="

    def project(self, project_id: str) -> str:
        """The name of a project; its id where it has none."""
        return self.line(self.projects.get(project_id, project_id), NAME_CHARS)

    def event(self, handle: str, event: Event, parts: Sequence[Part], *, known: bool) -> str:
        """An event under a header with handle, time and speaker."""
        facts = [handle, self.stamp(event.at), self.labels[f"role.{event.role}"]]
        if event.tool:
            facts.append(self.line(event.tool, NAME_CHARS))
        if known:
            facts.append(self.labels["event.known"])
        return f"{self.rule(' · '.join(facts))}\n{''.join(map(self._part, parts))}"

    def memory(self, handle: str, memory: Memory) -> str:
        """A memory on two lines, or three with a goal."""
        facts: list[str] = [memory.layer]
        if memory.subcategory:
            facts.append(memory.subcategory)
        if memory.status is not Status.ACTIVE:
            facts.append(self.labels[f"status.{memory.status}"])
        if memory.corrected:
            facts.append(self.labels["memory.corrected"])
        facts.append(f"{self.labels['memory.importance']} {memory.importance}")
        facts.append(f"{self.labels['memory.as_of']} {self.stamp(as_of(memory))}")
        others = self._names(memory.scope)[1:]
        if others:
            facts.append(self.line(f"{self.labels['memory.also']} {', '.join(others)}", NAME_CHARS))
        title = f"{self.line(memory.title)}: " if memory.title else ""
        lines = [f"- {handle} [{' · '.join(facts)}] {title}{self.line(memory.content)}"]
        if memory.goal:
            lines.append(f"  {self.labels['memory.goal']}: {self.line(memory.goal)}")
        keywords = self.line(", ".join(memory.keywords)) or self.labels["memory.no_keywords"]
        lines.append(f"  {self.labels['memory.keywords']}: {keywords}")
        return "\n".join(lines)

    def group(self, memory: Memory) -> str:
        """The heading under which a memory stands: its first project by name, `global` or `unset`."""
        names = self._names(memory.scope)
        if names:
            return f"## {self.labels['group.project']}: {names[0]}"
        return f"## {self.labels['group.global' if memory.scope == GLOBAL else 'group.unset']}"

    def order(self, memory: Memory) -> tuple[bool, str, str, int, int, str]:
        """Sort key: projects by name, then the rest; inside a group by layer and age."""
        names = self._names(memory.scope)
        return (
            not names,
            names[0].casefold() if names else "",
            self.group(memory),
            _LAYER_ORDER.index(memory.layer),
            memory.created_at,
            memory.id,
        )

    def _names(self, scope: Scope) -> list[str]:
        return sorted(map(self.project, scope.projects), key=str.casefold)

    def _part(self, part: Part) -> str:
        if part.omitted:
            return f"\n[{self.fence} {self.labels['event.omitted']}: {part.omitted}]\n"
        text = self.defused(part.text)
        if not part.pasted:
            return text
        begin, end = self.labels["pasted.begin"], self.labels["pasted.end"]
        return f"\n[{self.fence} {begin}]\n{text}\n[{self.fence} {end}]\n"


def as_of(memory: Memory) -> int:
    """How fresh a memory's knowledge is (ms): its creation where no evidence has a time."""
    return memory.as_of or memory.created_at
