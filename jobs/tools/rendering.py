"""What the tools tell an agent, in the words of the pack."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.recall.forms import KEYWORDS_CHARS, line, quoted
from memgardend.core.tools.values import DreamStart, Resemblance
from memgardend.core.unheard import is_unheard
from memgardend.jobs.look.windows import instant
from memgardend.jobs.tools.documents import beginning
from memgardend.jobs.tools.scopes import names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.ports import Store
    from memgardend.core.recall.forms import Forms
    from memgardend.core.records import Evidence, Memory, Project
    from memgardend.core.tools.texts import ToolTexts
    from memgardend.core.tools.values import DreamAnswer, Entry, Remembered, Similar, Updated

WINDOW_CHARS = 200
ENTRY_CHARS = 4000
"""More than title, content and goal may have together."""


class Rendering:
    """Renders the answers of one call."""

    def __init__(self, store: Store, texts: ToolTexts, forms: Forms) -> None:
        self._store = store
        self._texts = texts
        self._say = texts.say
        self._forms = forms

    def remembered(self, done: Remembered) -> str:
        """What was stored, what it stays beside, and which projects are new."""
        now = self._knowing(done.new_projects)
        lines = [self._say(f"remember.{done.outcome}"), now._whole(done.memory)]
        return "\n".join([*lines, *now._beside(done)])

    def updated(self, done: Updated) -> str:
        """What changed, and how it is stored now."""
        if not done.changed:
            unchanged = self._say("update.unchanged", id=done.memory.id)
            return "\n".join([unchanged, *self._unheard(done.memory)])
        now = self._knowing(done.new_projects)
        lines = [self._say("update.changed", fields=", ".join(done.changed))]
        return "\n".join([*lines, now._whole(done.memory), *now._beside(done)])

    def entry(self, entry: Entry) -> str:
        """A memory whole, with the quotes that prove it."""
        lines = [
            self._whole(entry.memory),
            self._say("entry.revision", detail=entry.memory.revision),
            self._say("entry.evidence" if entry.evidence else "entry.none"),
        ]
        return "\n".join([*lines, *map(_quote, entry.evidence)])

    def similar(self, memory_id: str, found: Sequence[Similar], chars: int) -> str:
        """What is like a memory, each with how it is like it and what the window knows of it."""
        if not found:
            return self._say("similar.none", id=memory_id)
        return "\n\n".join(
            f"{self._forms.head(one.memory)} ({self._how(one)})\n"
            f"{quoted(beginning(one.memory.content, chars))}"
            for one in found
        )

    def dream(self, answer: DreamAnswer) -> str:
        """What came of asking for a dream."""
        details: dict[DreamStart, dict[str, object]] = {
            DreamStart.WAITING: {"id": answer.window},
            DreamStart.RUNNING: {"detail": instant(answer.since)},
            DreamStart.HELD: {"reason": self._held(answer)},
        }
        return self._say(f"dream.{answer.start}", **details.get(answer.start, {}))

    def _held(self, answer: DreamAnswer) -> str:
        """The gate that is shut, and when it opens by itself."""
        if answer.gate is None:
            return self._say("dream.changed")
        reason = self._say(f"gate.{answer.gate}")
        if answer.until is None:
            return reason
        return self._say("dream.until", reason=reason, detail=instant(answer.until))

    def _knowing(self, made: Sequence[Project]) -> Rendering:
        """With the names of projects that the call has made."""
        known = {**self._forms.projects, **{one.id: one.name for one in made}}
        return Rendering(self._store, self._texts, replace(self._forms, projects=known))

    def _whole(self, memory: Memory) -> str:
        words = line(", ".join(memory.keywords), KEYWORDS_CHARS)
        return f"{self._forms.entry(memory, ENTRY_CHARS)}\n{quoted(words)}"

    def _beside(self, done: Remembered | Updated) -> list[str]:
        lines = self._unheard(done.memory)
        if done.alike:
            lines += [self._say("remember.alike"), *map(self._forms.entry, done.alike)]
        if done.new_projects:
            new = {one.id for one in done.new_projects}
            known = names(one for one in self._store.projects() if one.id not in new)
            new_names = names(done.new_projects)
            lines.append(self._say("remember.project", names=new_names, known=known or "-"))
        return lines

    def _unheard(self, memory: Memory) -> list[str]:
        return [self._say("remember.unheard")] if is_unheard(memory) else []

    def _how(self, one: Similar) -> str:
        said = [f"{one.likeness:.2f}"]
        if one.resemblance is not Resemblance.NEAR:
            said.append(self._say(f"similar.{one.resemblance}"))
        marks = {"seen": one.seen, "written": one.written}
        return ", ".join(said + [self._say(f"similar.{name}") for name, so in marks.items() if so])


def _quote(one: Evidence) -> str:
    return f"{quoted(one.quote)}\n({one.role}, {line(one.window, WINDOW_CHARS)} #{one.event}, {instant(one.at)})"
