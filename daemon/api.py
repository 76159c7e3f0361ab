"""`from memgardend import Garden`: a workspace's memory from Python, by the same calls that agents have."""

from __future__ import annotations

import os
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from memgardend.core.errors import UsageError
from memgardend.core.tools.reading import read_texts
from memgardend.core.words import Layer, Status, Subcategory
from memgardend.daemon import garden as gardens
from memgardend.daemon.tooling import tool_context
from memgardend.jobs import recall as recalling
from memgardend.jobs import tools
from memgardend.jobs.tools.scopes import known_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import Self

    from memgardend.core.clock import Clock
    from memgardend.jobs import context as jobs
    from memgardend.jobs.recall import Injection, Panorama, SearchResult
    from memgardend.jobs.tools import (
        DreamAnswer,
        Entry,
        Remembered,
        Similar,
        ToolAnswer,
        ToolContext,
        ToolDefinition,
        Updated,
    )

Word = TypeVar("Word", bound=StrEnum)
ORIGIN = "python"
"""Who changed a memory, as its history says."""


class Garden:
    """The memory of one workspace. For one thread; open another for another.

    Works whether a daemon runs or not. Until the first write a workspace without a store is empty, and stays so.
    Everything here raises MemgardendError or one of its kinds: UsageError for what cannot be meant, ConfigError
    for settings, StoreError and StoreUnavailableError for the store.
    """

    def __init__(
        self, workspace: gardens.Workspace, *, window: str | None = None, clock: Clock | None = None
    ) -> None:
        """Use `Garden.open`."""
        self._workspace = workspace
        self._window = window
        self._clock = clock
        self._open: list[ToolContext] = []

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        window: str | None = None,
        clock: Clock | None = None,
    ) -> Garden:
        """The workspace at `path`, or the nearest one around the current folder.

        `window` (`<source>:<native id>`) is the conversation that you speak for: it is shown nothing twice, and
        what you name anchors it. Raises ConfigError when there is no workspace, or its settings are wrong.
        """
        given = None if path is None else Path(path)
        return cls(gardens.find_workspace(given, Path.cwd()), window=window, clock=clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the store back. Safe to call twice."""
        while self._open:
            self._open.pop().garden.store.close()
        for name in ("_reading", "_working"):
            self.__dict__.pop(name, None)

    def remember(
        self,
        content: str,
        *,
        project: str | Iterable[str] = "unset",
        keywords: str | Iterable[str] = (),
        importance: int | None = None,
        layer: Layer | str = Layer.FACT,
        title: str | None = None,
        goal: str | None = None,
        subcategory: Subcategory | str | None = None,
        corrected: bool | None = None,
    ) -> Remembered:
        """Keep one thing; much the same is joined with it. Gives back what was read from the store afterwards.

        `project`: names, `global` or `unset`. Without keywords it gets some from its own words. `importance`:
        1 to 4, clamped.
        """
        asked = tools.NewMemory(
            content=content,
            projects=_words(project),
            keywords=_words(keywords),
            importance=importance,
            layer=_one(Layer, layer),
            title=title,
            goal=goal,
            subcategory=_maybe(Subcategory, subcategory),
            corrected=corrected,
        )
        return tools.remember(self._working, asked)

    def update(
        self,
        memory_id: str,
        *,
        content: str | None = None,
        project: str | Iterable[str] | None = None,
        keywords: str | Iterable[str] | None = None,
        importance: int | None = None,
        layer: Layer | str | None = None,
        status: Status | str | None = None,
        title: str | None = None,
        goal: str | None = None,
        subcategory: Subcategory | str | None = None,
        corrected: bool | None = None,
        reason: str | None = None,
        revision: int | None = None,
    ) -> Updated:
        """Change what is given of a memory. `project=""`: no project in particular.

        Raises ConflictError where `revision` is given and is no longer the current one.
        """
        asked = tools.MemoryUpdate(
            id=memory_id,
            content=content,
            projects=None if project is None else _words(project),
            keywords=None if keywords is None else _words(keywords),
            importance=importance,
            layer=_maybe(Layer, layer),
            status=_maybe(Status, status),
            title=title,
            goal=goal,
            subcategory=_maybe(Subcategory, subcategory),
            corrected=corrected,
            reason=reason,
            revision=revision,
        )
        return tools.update(self._working, asked)

    def search(
        self,
        query: str,
        *,
        layer: Layer | str | Iterable[Layer | str] = (),
        project: str | Iterable[str] = (),
        status: Status | str | Iterable[Status | str] = (),
        days: int | None = None,
        k: int = 10,
        content_chars: int = 0,
    ) -> SearchResult:
        """The best `k` memories for these words. Without a status: active ones and finished todos.

        `content_chars`: how much of each content; 0 is all of it. Raises UsageError for an unknown project.
        """
        context = self._looking
        request = recalling.SearchRequest(
            query=query,
            at=context.garden.clock.now_ms(),
            window=context.window,
            layers=tuple(_one(Layer, one) for one in _words(layer)),
            projects=known_ids(_words(project), context.garden.store.projects()),
            statuses=tuple(_one(Status, one) for one in _words(status)),
            days=days,
            k=k,
            content_chars=content_chars,
        )
        return recalling.search(context.recall, request)

    def project(self, *names: str) -> Panorama:
        """All that covers the named projects, shelf by shelf. Raises UsageError for an unknown one."""
        context = self._looking
        request = recalling.PanoramaRequest(
            projects=known_ids(names, context.garden.store.projects()),
            at=context.garden.clock.now_ms(),
            window=context.window,
        )
        return recalling.panorama(context.recall, request)

    def read(self, memory_id: str) -> Entry:
        """A memory whole, by its id or the only start of one, with the quotes that prove it."""
        return tools.read(self._looking, memory_id)

    def find_similar(self, memory_id: str, *, k: int = 5) -> tuple[Similar, ...]:
        """The active memories that are most like this one, the most alike first."""
        return tools.find_similar(self._looking, memory_id, k)

    def recall(self, text: str = "", *, project: str | None = None) -> Injection | None:
        """What this message of the window's person brings to mind: a block first, then hits; None for nothing.

        Raises UsageError without a window, or for an unknown project.
        """
        context = self._working
        if context.window is None:
            raise UsageError("only in a conversation: open the garden with `window`")
        [asked, *_] = (
            known_ids(_words(project), context.garden.store.projects()) if project else [None]
        )
        turn = recalling.Turn(
            window=context.window,
            at=context.garden.clock.now_ms(),
            text=text,
            project=asked or context.project,
        )
        return recalling.message(context.recall, turn)

    def dream(self) -> DreamAnswer:
        """Have the window dreamed now: a daemon that runs is woken for it. Raises UsageError without a window."""
        return tools.dream(self._working)

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Pass on what a model asks of one of the seven tools; what went wrong is in the answer."""
        return tools.call(name, arguments, self._working)

    def tools(self) -> tuple[ToolDefinition, ...]:
        """The seven tools as to be offered to a model, in the words of the prompt pack."""
        return tools.definitions(self._looking)

    @cached_property
    def _working(self) -> ToolContext:
        """For what writes; the store is made if need be."""
        return self._context(
            gardens.open_garden(self._workspace, os.environ, feeding=True, clock=self._clock)
        )

    @property
    def _looking(self) -> ToolContext:
        """For what only reads; but what a window is shown has to be noted."""
        if self._window is not None or "_working" in self.__dict__:
            return self._working
        return self._reading

    @cached_property
    def _reading(self) -> ToolContext:
        return self._context(gardens.look_garden(self._workspace, os.environ, self._clock))

    def _context(self, garden: jobs.Garden) -> ToolContext:
        context = tool_context(
            garden, self._workspace.root, actor=ORIGIN, origin=ORIGIN, window=self._window
        )
        self._open.append(context)
        return context


def _words(given: str | Iterable[str]) -> tuple[str, ...]:
    """Texts, or one with commas between them."""
    return read_texts(given if isinstance(given, str) else [str(one) for one in given])


def _one(kind: type[Word], given: str) -> Word:
    """The word of an enum that is meant. Raises UsageError."""
    try:
        return kind(given)
    except ValueError as error:
        known = ", ".join(kind)
        raise UsageError(
            f"{given!r} is no {kind.__name__.lower()}; choose from: {known}"
        ) from error


def _maybe(kind: type[Word], given: str | None) -> Word | None:
    return None if given is None else _one(kind, given)
