"""The text of a round's prompt, from the slots of a pack (DESIGN 5.4)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from memgardend.core.display import LABELS, NAME_CHARS, Display
from memgardend.core.errors import ConfigError
from memgardend.core.sheet import Sheet, lay_out
from memgardend.core.slots import LABELS_SLOT
from memgardend.core.template import fill, parse_labels
from memgardend.core.words import RoundName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    from memgardend.core.judgement import StagedView
    from memgardend.core.plan import Plan
    from memgardend.core.records import Project, Window

FENCE_CHARS = 32
MARKER_CHARS = 400
PROBLEMS_CHARS = 2_000
"""What a plan keeps free for the fence, the marker and the problems of an earlier answer."""
PROBLEM_CHARS = 300
PROJECT_LIST_CHARS = 1_500
TITLE_CHARS = 2 * NAME_CHARS


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSettings:
    """What the settings say about prompts. Empty names are replaced by the pack's words."""

    zone: tzinfo
    locale: str
    max_prompt_chars: int
    assistant: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """What one round is asked with.

    `fence` is a fresh random word, `marker` our signed line, `problems` the flaws of an unusable last answer.
    """

    slots: Callable[[str], str]
    round_name: RoundName
    plan: Plan
    view: StagedView
    window: Window
    projects: Sequence[Project]
    settings: PromptSettings
    fence: str
    marker: str
    problems: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """One round's question: the prompt, the sheet that it shows, and the problems as the pack says them."""

    prompt: str
    sheet: Sheet
    problems: tuple[str, ...] = ()


def frame_chars(
    slots: Callable[[str], str],
    window: Window,
    projects: Sequence[Project],
    settings: PromptSettings,
) -> int:
    """The length of the longest round's prompt without events and memories: PlanLimits.guide_chars.

    Raises ConfigError when the pack is incomplete or names unknown placeholders.
    """
    frame = _Frame(slots, 0, window, projects, settings, "f" * FENCE_CHARS, "m" * MARKER_CHARS)
    return max(frame.chars(name, "x" * PROBLEMS_CHARS) for name in RoundName)


def compose(asking: Asking) -> Question:
    """The prompt of one round, at most max_prompt_chars long, with the events and memories that it shows.

    Raises ConfigError when the pack is incomplete or the limit too small.
    """
    settings, name = asking.settings, asking.round_name
    frame = _Frame(
        asking.slots,
        asking.plan.seal,
        asking.window,
        asking.projects,
        settings,
        asking.fence,
        asking.marker,
        plan=asking.plan,
    )
    problems = frame.problems(asking.problems)
    room = settings.max_prompt_chars - frame.chars(name, problems)
    if room < 0:
        raise ConfigError(
            f"model.max_prompt_chars is {settings.max_prompt_chars}: too small for these prompt texts",
            hint="raise model.max_prompt_chars in memgarden.yaml",
        )
    sheet = lay_out(name, asking.plan, asking.view, frame.display, room)
    return Question(frame.text(name, sheet, problems), sheet, frame.said(asking.problems))


class _Frame:
    """All of a prompt but its events and memories; what the rounds share is rendered once."""

    def __init__(
        self,
        slots: Callable[[str], str],
        seal: int,
        window: Window,
        projects: Sequence[Project],
        settings: PromptSettings,
        fence: str,
        marker: str,
        *,
        plan: Plan | None = None,
    ) -> None:
        labels = _labels(slots)
        self._slots, self._window, self._plan = slots, window, plan
        self._marker = marker
        self._filled: dict[str, str] = {}
        self._values = {
            "assistant": settings.assistant or labels["assistant"],
            "person": settings.person or labels["person"],
            "zone": str(settings.zone),
            "fence": fence,
        }
        self.display = Display(
            labels={name: fill(text, self._values, LABELS_SLOT) for name, text in labels.items()},
            zone=settings.zone,
            fence=fence,
            marker=marker,
            projects={project.id: project.name for project in projects},
        )
        self._values["seal"] = self.display.stamp(seal)
        self._about = "\n".join(self._about_lines())

    def chars(self, name: RoundName, problems: str) -> int:
        """The length without events and memories, with every heading that they may bring."""
        changed = self.display.rule(self.display.labels["heading.changed"])
        return len(self.text(name, Sheet(left_out=True), problems)) + len(changed) + 1

    def text(self, name: RoundName, sheet: Sheet, problems: str) -> str:
        """The whole prompt: our rules first, then the data, then what to do with it once more.

        The marker stands at both ends, so that a copy of it is known from what somebody writes around it.
        """
        rules = ("opening", "seal", "data", "layers", "judgement", f"round-{name}")
        parts = [self._marker, *map(self._slot, (*rules, "operations", "answer"))]
        parts.append("\n".join([self._about, *self._memories(name, sheet), *self._events(sheet)]))
        if problems:
            parts.append(self._fill("reask", problems=problems))
        parts += [self._slot("closing"), self._marker]
        return "\n\n".join(parts) + "\n"

    def _slot(self, name: str) -> str:
        if name not in self._filled:
            self._filled[name] = self._fill(name)
        return self._filled[name]

    def _fill(self, name: str, **values: str) -> str:
        return fill(self._slots(name).strip(), {**self._values, **values}, name)

    def _about_lines(self) -> Iterator[str]:
        show, labels, window = self.display, self.display.labels, self._window
        yield show.rule(labels["heading.window"])
        yield f"{labels['window.source']}: {show.line(window.source, NAME_CHARS)}"
        project = show.project(window.project) if window.project else labels["none.projects"]
        yield f"{labels['window.project']}: {project}"
        if window.title:
            yield f"{labels['window.title']}: {show.line(window.title, TITLE_CHARS)}"
        names = ", ".join(sorted(map(show.project, show.projects), key=str.casefold))
        listed = show.line(names, PROJECT_LIST_CHARS) or labels["none.projects"]
        yield f"{labels['window.projects']}: {listed}"
        if self._plan is None or self._plan.continues:
            yield labels["window.continues"]
        if self._plan is None or self._plan.continued:
            yield labels["window.continued"]

    def _memories(self, name: RoundName, sheet: Sheet) -> Iterator[str]:
        show, labels = self.display, self.display.labels
        yield show.rule(labels["heading.memories"])
        if not any(not shown.context for shown in sheet.memories):
            yield labels["none.topics" if name is RoundName.TOPIC else "none.memories"]
        if sheet.left_out:
            yield labels["memories.left_out"]
        for context, shown in groupby(sheet.memories, key=lambda shown: shown.context):
            if context:
                yield show.rule(labels["heading.changed"])
            for heading, group in groupby(shown, key=lambda one: one.group):
                yield heading
                yield from (one.text for one in group)

    def _events(self, sheet: Sheet) -> Iterator[str]:
        show, labels = self.display, self.display.labels
        yield show.rule(labels["heading.events"])
        if not sheet.events:
            yield labels["none.events"]
        yield from (shown.text for shown in sheet.events)
        yield show.rule(labels["heading.end"])

    def said(self, problems: Sequence[str]) -> tuple[str, ...]:
        """What is wrong with an answer, a flaw in the words of the pack."""
        return tuple(self.display.labels.get(f"flaw.{problem}", problem) for problem in problems)

    def problems(self, problems: Sequence[str]) -> str:
        """The same as a list, cut where the plan's room for it ends."""
        said = self.said(problems)
        lines = "\n".join(f"- {self.display.line(text, PROBLEM_CHARS)}" for text in said)
        return lines[:PROBLEMS_CHARS]


def _labels(slots: Callable[[str], str]) -> Mapping[str, str]:
    labels = parse_labels(slots(LABELS_SLOT), LABELS_SLOT)
    missing = sorted(LABELS - labels.keys())
    if missing:
        raise ConfigError(
            f"prompt slot `{LABELS_SLOT}` lacks: {', '.join(missing)}",
            hint="memgardend config prompts --check",
        )
    return labels
