"""What is put beside a message: the block first, hits later, and all of it again after a compaction.

It is noted as seen once it is written out: what fails on the way to that was not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.recall.requests import InjectionKind
from memgardend.core.recall.window import (
    WRITTEN,
    has_begun,
    projects_asked,
    reinject_pending,
    written,
)
from memgardend.core.words import Status, Use
from memgardend.jobs.recall.context import forms_of, injection, project_of
from memgardend.jobs.recall.marks import note

if TYPE_CHECKING:
    from collections.abc import Collection

    from memgardend.core.recall.requests import Injection, RecallContext, Turn
    from memgardend.core.records import Memory
    from memgardend.core.records.window_recall import WindowRecall


def begin(context: RecallContext, turn: Turn) -> Injection | None:
    """The first-turn block, at the start of a window or with its first message; once a window, so None later."""
    state = context.store.window_recall(turn.window)
    if state.block_at is not None or has_begun(state, turn.at):
        return None
    return _block(context, turn, state, prompted=False)


def message(context: RecallContext, turn: Turn) -> Injection | None:
    """What to put beside a message of a person.

    With the first message of a window the block, unless `begin` gave it, and no hits. After a compaction the
    block again, the panoramas asked for and what the window wrote. Else hits, or None.
    """
    state = context.store.window_recall(turn.window)
    if reinject_pending(state):
        return _again(context, turn, state)
    if has_begun(state, turn.at):
        return _hits(context, turn, state)
    if state.block_at is None:
        return _block(context, turn, state, prompted=True)
    note(context, state, turn.at, prompted=True)
    return None


def _block(
    context: RecallContext, turn: Turn, state: WindowRecall, *, prompted: bool
) -> Injection | None:
    from memgardend.jobs.recall.blocks import made_block

    kind, forms = InjectionKind.BLOCK, forms_of(context, turn.at)
    made, record = made_block(context, forms, kind, turn.window, project_of(turn, state))
    shown = injection(context, kind, turn.window, made.parts, made.ids) if made else None
    used = {Use.INJECTED: made.ids} if made else {}
    happened = {"block": made is not None, "prompted": prompted}
    note(context, state, turn.at, used=used, record=record, **happened)
    return shown


def _hits(context: RecallContext, turn: Turn, state: WindowRecall) -> Injection | None:
    if not context.settings.hit_top_k:
        return None
    from memgardend.jobs.recall.hits import called_up  # all that ranks, which a block does without

    chosen, record = called_up(context, turn, state)
    shown = _shown(context, turn, chosen) if chosen else None
    ids = shown.ids if shown else ()
    note(context, state, turn.at, used={Use.INJECTED: ids}, record=record)
    return shown


def _shown(context: RecallContext, turn: Turn, chosen: Collection[Memory]) -> Injection:
    forms, ids = forms_of(context, turn.at), [memory.id for memory in chosen]
    parts = (forms.texts.say("hits.intro"), *map(forms.entry, chosen))
    return injection(context, InjectionKind.HITS, turn.window, parts, ids)


def _again(context: RecallContext, turn: Turn, state: WindowRecall) -> Injection | None:
    """What the window knew before it was compacted, as it stands now."""
    from memgardend.core.recall.panorama import ids_of  # rarely needed, and a hook pays for it
    from memgardend.jobs.recall.blocks import made_block
    from memgardend.jobs.recall.panoramas import panorama_of

    kind, forms = InjectionKind.REINJECTION, forms_of(context, turn.at)
    made, record = made_block(context, forms, kind, turn.window, project_of(turn, state))
    parts = [*made.parts] if made else []
    ids = dict.fromkeys(made.ids if made else ())
    for project in reversed(projects_asked(state)):
        room = context.settings.first_turn_chars
        panorama = panorama_of(context, (project,), forms, room_chars=room, without=ids)
        if panorama.shelves:
            parts.append(panorama.text)
        ids |= dict.fromkeys(ids_of(panorama))
    wrote = _written(context, state, without=ids)
    if wrote:
        heading = f"## {forms.texts.say('again.written')}"
        parts.append("\n".join([heading, *map(forms.entry, wrote)]))
    ids |= dict.fromkeys(memory.id for memory in wrote)
    happened = {"block": made is not None, "prompted": True, "restored": True}
    intro = forms.texts.say("again.intro")
    shown = injection(context, kind, turn.window, (intro, *parts), ids) if parts else None
    note(context, state, turn.at, used={Use.INJECTED: tuple(ids)}, record=record, **happened)
    return shown


def _written(context: RecallContext, state: WindowRecall, without: Collection[str]) -> list[Memory]:
    """The last memories that the window wrote and that still hold, without those that are shown already."""
    newest_last = written(state)
    by_id = {memory.id: memory for memory in context.store.memories(ids=newest_last)}
    holding = [
        by_id[one]
        for one in newest_last
        if one in by_id and one not in without and by_id[one].status is Status.ACTIVE
    ]
    return holding[-WRITTEN:]
