"""Remember one thing: joined with what says the same, else stored beside what is like it (DESIGN section 6)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.checks.likeness import Lookalikes
from memgardend.core.effects import joined, new_memory
from memgardend.core.judgement import Making
from memgardend.core.records import EditRequest, Edits, MemoryEdit
from memgardend.core.tools.values import Outcome, Remembered
from memgardend.core.unheard import is_unheard
from memgardend.core.words import OperationName
from memgardend.jobs.recall import anchor
from memgardend.jobs.tools.alike import MOST_TOLD, Alike
from memgardend.jobs.tools.readback import read_back
from memgardend.jobs.tools.scopes import scope_of
from memgardend.jobs.tools.texts import (
    fields_of,
    require_fit,
    require_new_words,
    spoken,
    weighed,
)

if TYPE_CHECKING:
    from memgardend.core.ports import GardenView
    from memgardend.core.records import Memory
    from memgardend.core.tools.values import NewMemory
    from memgardend.jobs.tools.context import ToolContext


def remember(context: ToolContext, asked: NewMemory) -> Remembered:
    """Store what is asked, in one transaction, and read it back.

    Raises UsageError for what no memory can say, and what the store raises.
    """
    garden, now = context.garden, context.garden.clock.now_ms()
    store, locale = garden.store, garden.config.locale
    fields = fields_of(context, asked)
    require_fit(fields, asked.layer)
    scope, fresh = scope_of(asked.projects, store.projects(), context.project)
    making = Making(
        now=now,
        locale=locale,
        new_id=garden.ids.new,
        window=context.window,
        origin=context.origin,
    )
    new = weighed(context, new_memory(fields, asked.layer, scope, now, making))

    alike = Alike(store, locale)
    alike.of(new.content)

    def decide(view: GardenView) -> Edits:
        found = alike.of(new.content, view.revision)
        lookalikes = Lookalikes(locale)
        same = lookalikes.nearest(new, lookalikes.near(new, found))
        others = [one for one in found if one != same]
        if same is None:
            require_new_words(new, others, locale)
            after: Memory | None = new
            proof, outcome = spoken(context, new, ()), Outcome.STORED
        else:
            proof = spoken(context, same, store.evidence([same.id]))
            after = _joined(same, new, making, proven=bool(proof))
            outcome = Outcome.MERGED if after else Outcome.KNOWN
        written = after or same or new
        edit = MemoryEdit(
            before=same,
            after=after,
            operation=str(OperationName.REMEMBER),
            evidence=proof,
        )
        told = [one.id for one in others[:MOST_TOLD]]
        result = {"id": written.id, "outcome": outcome, "alike": told}
        return Edits(
            edits=(edit,) if after else (),
            projects=fresh,
            result=json.dumps(result),
            moved=after is not None,
        )

    request = EditRequest(actor=context.actor, at=now, window=context.window)
    done = json.loads(store.edit(request, decide))
    if context.window:
        anchor(context.recall, context.window, scope.projects, now)
    memory, others = read_back(store, done["id"], done["alike"])
    return Remembered(
        memory=memory, outcome=Outcome(done["outcome"]), alike=others, new_projects=fresh
    )


def _joined(same: Memory, new: Memory, making: Making, *, proven: bool) -> Memory | None:
    """The memory that says the same, after it is said again; None where that changes nothing.

    One that a person was heard to say takes no words from one that nobody said, and gives it their weight.
    """
    after = joined(same, replace(new, as_of=0) if is_unheard(new) else new, making)
    if after == same and not proven:
        return None
    return replace(after, revision=same.revision + 1, as_of=max(same.as_of, new.as_of))
