"""How memories look where they are recalled. Nothing in their text can pass for a line of ours.

Every line of a memory begins with `>`, and no line of ours does. What stands in our own lines (names, keywords) is
on one line and cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.clean import clean
from memgardend.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from memgardend.core.marker import defused
from memgardend.core.mask import mask
from memgardend.core.scope import GLOBAL
from memgardend.core.times import local
from memgardend.core.unheard import is_unheard
from memgardend.core.words import Status

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from memgardend.core.recall.texts import RecallTexts
    from memgardend.core.records import Memory

NAME_CHARS = 40
"""Names of projects are cut here."""
ENTRY_CHARS = 2000
"""As much of one memory is shown in full."""
KEYWORDS_CHARS = 160
PREVIEW_CHARS = 40
"""What stands for the keywords of a memory that has none."""

_MONTH_MS = 30 * DAY_MS
_YEAR_MS = 365 * DAY_MS
_UNITS = (
    ("minutes", MINUTE_MS, HOUR_MS),
    ("hours", HOUR_MS, DAY_MS),
    ("days", DAY_MS, 2 * _MONTH_MS),
    ("months", _MONTH_MS, 2 * _YEAR_MS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """The words, zone and instant of one recall. `projects`: name by id."""

    texts: RecallTexts
    zone: tzinfo
    now: int
    projects: Mapping[str, str]

    def when(self, at_ms: int) -> str:
        """An absolute time to the minute with its offset, and how long ago that was."""
        stamp = local(at_ms, self.zone).isoformat(sep=" ", timespec="minutes")
        return f"{stamp} ({self.ago(at_ms)})"

    def ago(self, at_ms: int) -> str:
        """How long ago, in the largest unit that says something."""
        age = self.now - at_ms
        if age < MINUTE_MS:
            return self.texts.say("time.now")
        for name, unit, below in _UNITS:
            if age < below:
                return self.texts.say(f"time.{name}", count=age // unit)
        return self.texts.say("time.years", count=age // _YEAR_MS)

    def scope_names(self, memory: Memory) -> tuple[str, ...]:
        """The names of the projects that a memory is about, in their order; none for a global or unset one."""
        names = (self.projects.get(one, one) for one in memory.scope.projects)
        return tuple(sorted(names, key=str.casefold))

    def scope(self, memory: Memory) -> str:
        """The scope as a head line says it."""
        names = [line(name, NAME_CHARS) for name in self.scope_names(memory)]
        kind = "global" if memory.scope == GLOBAL else "unset"
        return "/".join(names) or self.texts.say(f"scope.{kind}")

    def head(self, memory: Memory) -> str:
        """Layer, scope, what it is besides, the whole id, and as of when it is known."""
        facts = [str(memory.layer), self.scope(memory)]
        if memory.subcategory:
            facts.append(str(memory.subcategory))
        if is_unheard(memory):
            facts.append(self.texts.say("memory.unheard"))
        if memory.status is not Status.ACTIVE:
            facts.append(self.texts.say(f"status.{memory.status}"))
        return f"[{' · '.join(facts)}] {memory.id} · {self.when(memory.as_of or memory.created_at)}"

    def entry(self, memory: Memory, limit_chars: int = ENTRY_CHARS) -> str:
        """A memory whole: its head line, then title, goal and content, quoted."""
        parts = [memory.title or "", memory.content]
        if memory.goal:
            parts.append(f"{self.texts.say('memory.goal')}: {memory.goal}")
        text = "\n".join(part for part in parts if part)
        cut = len(text) > limit_chars
        lines = [self.head(memory), quoted(text[:limit_chars] + ("…" if cut else ""))]
        return "\n".join([*lines, self.texts.say("memory.cut")] if cut else lines)

    def found(self, memory: Memory) -> str:
        """A memory in a list of what was found: its head line and its keywords."""
        words = line(", ".join(memory.keywords), KEYWORDS_CHARS)
        return f"{self.head(memory)}\n{quoted(words or line(memory.content, PREVIEW_CHARS))}"


def safe(text: str) -> str:
    """Foreign text without secrets, control characters and anything that could pass for a marker of ours."""
    return defused(mask(clean(text)))


def line(text: str, limit_chars: int) -> str:
    """Foreign text on one line, cut."""
    flat = " ".join(safe(text).split())
    return flat if len(flat) <= limit_chars else flat[: limit_chars - 1] + "…"


def quoted(text: str, *, bullet: bool = False) -> str:
    """Foreign text, each of its lines behind a `>`; as one of several, behind a bullet too."""
    begin, go_on = ("> - ", ">   ") if bullet else ("> ", "> ")
    lines = safe(text).splitlines()
    return "\n".join(f"{go_on if n else begin}{one}".rstrip() for n, one in enumerate(lines))
