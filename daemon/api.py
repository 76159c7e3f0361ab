"""`from memgardend import Garden`: a workspace's memory from Python, by the same calls that agents have.

What opens a workspace is imported when one is opened: the library's other names need none of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.core.errors import UsageError
from memgardend.core.recall.lookups import PanoramaRequest, SearchRequest
from memgardend.core.recall.requests import Turn
from memgardend.core.tools.values import MemoryUpdate, NewMemory
from memgardend.core.words import Layer, Status, Subcategory
from memgardend.daemon.open_workspace import OpenWorkspace
from memgardend.daemon.typed_words import maybe_word_of, texts_of, word_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import Self

    from memgardend.core.clock import Clock
    from memgardend.core.recall.lookups import Panorama, SearchResult
    from memgardend.core.recall.requests import Injection
    from memgardend.core.tools.texts import ToolDefinition
    from memgardend.core.tools.values import (
        DreamAnswer,
        Entry,
        Remembered,
        Similar,
        ToolAnswer,
        Updated,
    )
    from memgardend.daemon.garden import Workspace
    from memgardend.jobs.tools.context import ToolContext


class Garden:
    """The memory of one workspace. For one thread; open another for another.

    Works whether a daemon runs or not. Until the first write a workspace without a store is empty, and stays so.
    Everything here raises MemgardendError or one of its kinds: UsageError for what cannot be meant, ConfigError
    for settings, StoreError and StoreUnavailableError for the store.
    """

    def __init__(
        self, workspace: Workspace, *, window: str | None = None, clock: Clock | None = None
    ) -> None:
        """Use `Garden.open`."""
        self._open = OpenWorkspace(workspace, window, clock)

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
        from memgardend.daemon.garden import find_workspace

        given = None if path is None else Path(path).expanduser()
        return cls(find_workspace(given), window=window, clock=clock)

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
        self._open.close()

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
        asked = NewMemory(
            content=content,
            projects=texts_of(project),
            keywords=texts_of(keywords),
            importance=importance,
            layer=word_of(Layer, layer),
            title=title,
            goal=goal,
            subcategory=maybe_word_of(Subcategory, subcategory),
            corrected=corrected,
        )
        from memgardend.jobs.tools.remember import remember

        return remember(self._open.working, asked)

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
        asked = MemoryUpdate(
            id=memory_id,
            content=content,
            projects=None if project is None else texts_of(project),
            keywords=None if keywords is None else texts_of(keywords),
            importance=importance,
            layer=maybe_word_of(Layer, layer),
            status=maybe_word_of(Status, status),
            title=title,
            goal=goal,
            subcategory=maybe_word_of(Subcategory, subcategory),
            corrected=corrected,
            reason=reason,
            revision=revision,
        )
        from memgardend.jobs.tools.update import update

        return update(self._open.working, asked)

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
        context = self._open.looking
        request = SearchRequest(
            query=query,
            at=context.garden.clock.now_ms(),
            window=context.window,
            layers=tuple(word_of(Layer, one) for one in texts_of(layer)),
            projects=_ids(context, texts_of(project)),
            statuses=tuple(word_of(Status, one) for one in texts_of(status)),
            days=days,
            k=k,
            content_chars=content_chars,
        )
        from memgardend.jobs.recall import search

        context.garden.store.keep_index(context.garden.config.locale)
        return search(context.recall, request)

    def project(self, *names: str) -> Panorama:
        """All that covers the named projects, shelf by shelf. Raises UsageError for an unknown one."""
        context = self._open.looking
        request = PanoramaRequest(
            projects=_ids(context, names),
            at=context.garden.clock.now_ms(),
            window=context.window,
        )
        from memgardend.jobs.recall import panorama

        return panorama(context.recall, request)

    def read(self, memory_id: str) -> Entry:
        """A memory whole, by its id or the only start of one, with the quotes that prove it."""
        from memgardend.jobs.tools.looking import read

        return read(self._open.looking, memory_id)

    def find_similar(self, memory_id: str, *, k: int = 5) -> tuple[Similar, ...]:
        """The active memories that are most like this one, the most alike first."""
        from memgardend.jobs.tools.looking import find_similar

        return find_similar(self._open.looking, memory_id, k)

    def recall(self, text: str = "", *, project: str | None = None) -> Injection | None:
        """What this message of the window's person brings to mind: a block first, then hits; None for nothing.

        Raises UsageError without a window, or for an unknown project.
        """
        context = self._open.working
        if context.window is None:
            raise UsageError("only in a conversation: open the garden with `window`")
        named = _ids(context, (project,) if project else ())
        turn = Turn(
            window=context.window,
            at=context.garden.clock.now_ms(),
            text=text,
            project=next(iter(named), context.project),
        )
        from memgardend.jobs.recall import message

        return message(context.recall, turn)

    def dream(self) -> DreamAnswer:
        """Have the window dreamed now: a daemon that runs is woken for it. Raises UsageError without a window."""
        from memgardend.jobs.tools.dreaming import dream

        return dream(self._open.working)

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Pass on what a model asks of one of the seven tools; what went wrong is in the answer."""
        from memgardend.jobs.tools.calls import call

        return call(name, arguments, self._open.working)

    def tools(self) -> tuple[ToolDefinition, ...]:
        """The seven tools as to be offered to a model, in the words of the prompt pack."""
        from memgardend.jobs.tools.calls import definitions

        return definitions(self._open.looking)


def _ids(context: ToolContext, names: tuple[str, ...]) -> tuple[str, ...]:
    from memgardend.jobs.tools.scopes import known_ids

    return known_ids(names, context.garden.store.projects())
