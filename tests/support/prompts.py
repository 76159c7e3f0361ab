"""Rendered prompts of the test window, in few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memgardend.core.judgement import StagedView
from memgardend.core.plan import Plan, view_of
from memgardend.core.prompt import Asking, PromptSettings, compose
from memgardend.core.records import Event, Memory, Project, Window
from memgardend.core.request import build_request
from memgardend.core.words import RoundName
from support import dreaming
from support.dreaming import ALPHA, BETA, FENCE, MARKER, WINDOW, limits, plan

SMALLEST = 20_000
"""Hardly more than the built-in English prompts need."""


def prompt(
    events: Sequence[Event],
    memories: Sequence[Memory] = (),
    *,
    round_name: RoundName = RoundName.ATOMIC,
    within: PromptSettings | None = None,
    window: Window = WINDOW,
    projects: Sequence[Project] = (ALPHA, BETA),
    problems: Sequence[str] = (),
    prelude: Sequence[Event] = (),
    continues: bool = False,
) -> str:
    """The prompt over these events and memories."""
    within = within or dreaming.settings()
    dream = plan(
        events,
        touched=memories,
        prelude=prelude,
        within=limits(within.max_prompt_chars),
    )
    dream = replace(dream, continues=continues)
    view = view_of(dream, [*prelude, *events], memories)
    return render(dream, view, round_name, within, window, projects, problems)


def render(
    dream: Plan,
    view: StagedView,
    round_name: RoundName = RoundName.ATOMIC,
    within: PromptSettings | None = None,
    window: Window = WINDOW,
    projects: Sequence[Project] = (ALPHA, BETA),
    problems: Sequence[str] = (),
) -> str:
    within = within or dreaming.settings()
    return compose(
        Asking(
            dreaming.pack(within.locale),
            round_name,
            dream,
            view,
            window,
            projects,
            within,
            FENCE,
            MARKER,
            problems,
        )
    ).prompt


def data_of(text: str) -> str:
    """What stands between the first and the last rule line."""
    lines = text.splitlines()
    rules = [number for number, line in enumerate(lines) if line.startswith(f"=== {FENCE}")]
    return "\n".join(lines[rules[0] : rules[-1] + 1])


def requested(asking: Asking, run: str) -> str:
    """The JSON form of a question."""
    return build_request(asking, compose(asking), run=run)
