"""A store with memories, and recall on it as an agent's hooks and tools use it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from itertools import count
from typing import Any

from memgardend.config.packs import Pack
from memgardend.core.clock import ManualClock
from memgardend.core.editorial.selection import SelectionPolicy
from memgardend.core.ports import Store
from memgardend.core.recall.forms import Forms
from memgardend.core.recall.lookups import Panorama, PanoramaRequest, SearchRequest, SearchResult
from memgardend.core.recall.requests import Injection, RecallContext, RecallSettings, Turn
from memgardend.core.recall.texts import RecallTexts, speakers
from memgardend.core.records import EditRequest, Edits, Memory, MemoryEdit, Project
from memgardend.core.scope import GLOBAL
from memgardend.core.words import Layer, Use
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import SqliteGarden
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.migrations import initialise
from memgardend.jobs import recall
from support.stores import NOW, memory

DAY_MS = 86_400_000
KEY = b"k" * 32
WINDOW = "claude-code:w"
_keys = count(1)


def in_memory(garden: str = "garden") -> SqliteGarden:
    """A store that ends with its test."""
    database = Database.open(None)
    initialise(database, NoFailpoints())
    return SqliteGarden(database, garden, NoFailpoints())


def known(memory_id: str, content: str = "", **fields: Any) -> Memory:
    """A memory that is known as of NOW, global unless told otherwise."""
    plain: dict[str, Any] = {"scope": GLOBAL, "updated_at": NOW, "as_of": NOW, "layer": Layer.FACT}
    return memory(memory_id, content=content or f"content {memory_id}", **{**plain, **fields})


def keep(store: Store, *memories: Memory, locale: str = "en") -> None:
    """Write memories, whether they are there or not, and index them."""
    store.keep_index(locale)
    edits = []
    for one in memories:
        before = store.memory(one.id)
        after = replace(one, revision=1)
        if before:
            after = replace(one, revision=before.revision + 1, created_at=before.created_at)
        edits.append(MemoryEdit(before=before, after=after, operation="put"))
    request = EditRequest(key=f"k{next(_keys)}", digest="d", actor="a", at=NOW)
    store.edit(request, lambda view: Edits(edits=tuple(edits), result="", moved=True))


def context(
    store: Store,
    *,
    pack: str = "en",
    policy: SelectionPolicy | None = None,
    policy_name: str = "",
    **settings: Any,
) -> RecallContext:
    """Recall on a store, with the settings as they come unless told otherwise."""
    plain: dict[str, Any] = {"locale": "en", "zone": UTC}
    return RecallContext(
        store=store,
        settings=RecallSettings(**{**plain, **settings}),
        slot=Pack(pack).slot,
        key=KEY,
        clock=ManualClock(NOW),
        policy=policy,
        policy_name=policy_name,
    )


def forms(pack: str = "en", *, now: int = NOW, **projects: str) -> Forms:
    """The forms of a pack."""
    slot = Pack(pack).slot
    return Forms(
        texts=RecallTexts(slot, speakers(slot, "", "")), zone=UTC, now=now, projects=projects
    )


class Agent:
    """One window of an agent with hooks and tools; each call comes a second after the one before."""

    def __init__(
        self, store: Store, window: str = WINDOW, *, project: str | None = None, **fields: Any
    ) -> None:
        self.store = store
        self.window = window
        self.context = context(store, **fields)
        self.now = NOW
        self._project = project

    def hears(self, text: str = "hello") -> Injection | None:
        """What is put beside a message."""
        return recall.message(self.context, self._turn(text))

    def shown(self, text: str) -> tuple[str, ...]:
        """The memories that a message calls up."""
        injection = self.hears(text)
        return injection.ids if injection else ()

    def starts(self) -> Injection | None:
        return recall.begin(self.context, self._turn(""))

    def searches(self, query: str, **fields: Any) -> SearchResult:
        request = SearchRequest(query=query, at=self._tick(), window=self.window, **fields)
        return recall.search(self.context, request)

    def finds(self, query: str, **fields: Any) -> list[str]:
        return [hit.memory.id for hit in self.searches(query, **fields).hits]

    def looks_at(self, *projects: str) -> Panorama:
        request = PanoramaRequest(projects=projects, at=self._tick(), window=self.window)
        return recall.panorama(self.context, request)

    def uses(self, use: Use, *ids: str) -> None:
        recall.mark(self.context, self.window, ids, use, self._tick())

    def works_on(self, *projects: str) -> None:
        recall.anchor(self.context, self.window, projects, self._tick())

    def is_compacted(self) -> None:
        recall.compacted(self.context, self.window, self._tick())

    def _turn(self, text: str) -> Turn:
        return Turn(window=self.window, at=self._tick(), text=text, project=self._project)

    def _tick(self) -> int:
        self.now += 1000
        return self.now


def project(store: Store, name: str) -> str:
    """The id of a project of this name."""
    return store.ensure_project(Project(id=name, name=name, root=f"/{name}")).id
