"""The texts that a call brings: fit for a memory, not our own, and perhaps a person's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.checks import proof as proofs
from memgardend.core.checks.form import Leaks, check_form, tidy
from memgardend.core.checks.heard import Hearing, as_heard, as_unheard, hearing_of
from memgardend.core.clean import clean
from memgardend.core.errors import UsageError
from memgardend.core.likeness import is_near_duplicate
from memgardend.core.marker import own_parts
from memgardend.core.operations import Fields
from memgardend.core.quotes import ShownEvents
from memgardend.core.tools.problems import Problem
from memgardend.core.words import PERSONAL_LAYERS, Layer, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Evidence, Memory
    from memgardend.core.tools.values import MemoryUpdate, NewMemory
    from memgardend.jobs.tools.context import ToolContext

_NO_LEAKS = Leaks(frozenset(), frozenset())
_LAST_TURNS = 20
"""So far back the last turn of a person is looked for."""
_TURNS_HEARD = 400
"""So many turns of both are looked at for who said it."""
_ONLY_IN = {"goal": Layer.TOPIC, "subcategory": Layer.PROJECT, "corrected": Layer.LESSON}


def fields_of(context: ToolContext, asked: NewMemory | MemoryUpdate) -> Fields:
    """What is asked, masked, clamped and fit to be stored. Raises UsageError where it is not."""
    fields = tidy(
        Fields(
            content=_cleaned(asked.content),
            layer=asked.layer,
            keywords=tuple(map(clean, asked.keywords or ())) or None,
            importance=asked.importance,
            title=_cleaned(asked.title),
            goal=_cleaned(asked.goal),
            subcategory=asked.subcategory,
            corrected=asked.corrected,
        ),
        _NO_LEAKS,
    )
    texts = [text for text in (asked.content, asked.title, asked.goal) if text]
    if any(own_parts(text, context.garden.key) for text in texts):
        raise UsageError(
            "this is what the memory itself has shown; it proves nothing new",
            label=Problem.OWN_TEXT,
        )
    problem = check_form(fields, _NO_LEAKS, "\n".join(texts))
    if problem is not None:
        raise UsageError(problem.detail, label=Problem(problem.word), **problem.values)
    return fields


def require_fit(fields: Fields, layer: Layer) -> None:
    """Return when the layer has all that is given. Raises UsageError."""
    for name, home in _ONLY_IN.items():
        if getattr(fields, name) and layer is not home:
            raise UsageError(
                f"`{name}` is for the layer `{home}`, and this is `{layer}`",
                label=Problem.OTHER_LAYER,
                name=name,
                known=home,
                given=layer,
            )


def require_new_words(new: Memory, others: Iterable[Memory], locale: str) -> None:
    """Return unless a memory of soul, user or rules only repeats one of another layer: what an agent was shown.

    Raises UsageError.
    """
    if new.layer not in PERSONAL_LAYERS:
        return
    for one in others:
        if one.layer is not new.layer and is_near_duplicate(one.content, new.content, locale):
            raise UsageError(
                f"the memory {one.id} says this already, as `{one.layer}`; where it belongs to `{new.layer}`, "
                "move that one",
                label=Problem.SAID_ELSEWHERE,
                id=one.id,
                given=one.layer,
                name=new.layer,
            )


def spoken(
    context: ToolContext, memory: Memory, stored: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """The proof that the last turn of a person in this window says this, word for word; () where it does not."""
    store = context.garden.store
    window = store.window(context.window) if context.window else None
    if window is None:
        return ()
    turns = store.events_before(window.id, window.last_seq, _LAST_TURNS)
    last = next((one for one in reversed(turns) if one.role is Role.HUMAN), None)
    found = ShownEvents({"": last}).find("", memory.content) if last is not None else None
    if found is None or found.pasted:
        return ()
    return tuple(proofs.rows(proofs.Proof((found,)), memory.id, {memory.id: stored}))


def weighed(context: ToolContext, memory: Memory) -> Memory:
    """The memory, marked where a person should have said it in this window and was not heard to.

    Nobody is doubted outside of any window; in one that nobody has read, a mark stays as it is, unless it was
    looked for and is not there.
    """
    if context.window is None:
        return as_heard(memory)
    store = context.garden.store
    window = store.window(context.window)
    turns = store.events_before(window.id, window.last_seq, _TURNS_HEARD) if window else ()
    unread = not turns and not (context.heard and window is None)
    hearing = hearing_of(memory, None if unread else turns, context.garden.config.locale)
    if hearing is Hearing.UNHEARD:
        return as_unheard(memory)
    return as_heard(memory) if hearing is Hearing.HEARD else memory


def _cleaned(text: str | None) -> str | None:
    return clean(text).strip() or None if text else None
