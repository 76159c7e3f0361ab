"""What every recall begins with: the words of the pack, the names of the projects, the stamp of its marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.recall import texts
from memgardend.core.recall.requests import Injection
from memgardend.core.recall.selection import Scored
from memgardend.core.recall.texts import RecallTexts, speakers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.recall.forms import Forms
    from memgardend.core.recall.requests import InjectionKind, RecallContext, Turn
    from memgardend.core.records.window_recall import WindowRecall


def names_of(context: RecallContext) -> dict[str, str]:
    """The names of the two who talk."""
    settings = context.settings
    return speakers(context.slot, settings.assistant, settings.person)


def guide(context: RecallContext) -> str:
    """The static guide to layers, tools and writing rules: the same bytes whatever the store holds."""
    return texts.guide(context.slot, names_of(context))


def forms_of(context: RecallContext, now: int) -> Forms:
    """The forms in which memories are shown now."""
    from memgardend.core.recall.forms import Forms  # masks and marks, where anything is shown

    return Forms(
        texts=RecallTexts(context.slot, names_of(context)),
        zone=context.settings.zone,
        now=now,
        projects={project.id: project.name for project in context.store.projects()},
    )


def injection(
    context: RecallContext,
    kind: InjectionKind,
    window: str,
    parts: Iterable[str],
    ids: Iterable[str],
) -> Injection:
    """A message of ours, signed."""
    from memgardend.core.recall.frame import framed  # where anything is shown

    return Injection(kind=kind, text=framed(kind, window, context.key, parts), ids=tuple(ids))


def scored(context: RecallContext, found: Sequence[tuple[float, str]]) -> list[Scored]:
    """The memories that an index has found, in its order."""
    by_id = {one.id: one for one in context.store.memories(ids=[memory for _, memory in found])}
    return [Scored(by_id[memory], score) for score, memory in found if memory in by_id]


def project_of(turn: Turn, state: WindowRecall) -> str | None:
    """The project whose memories a window is shown: the anchor, else the one that it works in."""
    return state.anchor or turn.project or state.project
