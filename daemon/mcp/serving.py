"""What a client of the protocol can ask for, said without the protocol: tools, texts to read, prompts.

Each request opens the store and closes it, so that settings, restores and other processes are met as they are.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memgardend.core.errors import UsageError
from memgardend.core.ids import Ids
from memgardend.daemon.clock import clock
from memgardend.daemon.feed import ingest_workspace, sources_of
from memgardend.daemon.garden import look_garden, open_garden
from memgardend.daemon.look_ahead import look_ahead
from memgardend.daemon.sources import AGENTS
from memgardend.daemon.tooling import recall_context, tool_context
from memgardend.jobs import tools
from memgardend.jobs.recall import guide
from memgardend.jobs.tools.calls import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.core.tools.texts import ToolDefinition, ToolTexts
    from memgardend.daemon.garden import Workspace
    from memgardend.daemon.mcp.caller import Caller
    from memgardend.jobs.context import Garden
    from memgardend.jobs.tools.context import ToolContext

SOURCE = "mcp"
"""The source of windows that this server makes up, and who changed a memory, as its history says."""
WINDOW = "window"
"""The argument that any tool takes besides its own: the conversation that calls."""
_HEARING = frozenset({tools.ToolName.REMEMBER, tools.ToolName.UPDATE, tools.ToolName.DREAM})
"""The tools that what was said bears on."""
READING = frozenset(tools.ToolName) - _HEARING
"""The tools that change nothing but what the conversation is known to have seen."""
BLOCK, GUIDE = "memgardend://block", "memgardend://guide"


@dataclass(frozen=True, slots=True)
class Serving:
    """A workspace, and the conversation that a client speaks for unless somebody knows better.

    `pinned`: a person has named it, so that only a call may name another.
    """

    workspace: Workspace
    window: str
    pinned: bool = False

    def definitions(self) -> list[ToolDefinition]:
        """The seven tools; each takes a window, too."""
        with self._looking() as garden:
            context = self._context(garden)
            described = {"type": "string", "description": texts_of(context).say("mcp.window")}
            return [_with_window(one, described) for one in tools.definitions(context)]

    def call(
        self, name: str, arguments: Mapping[str, Any], caller: Caller | None = None
    ) -> tools.ToolAnswer:
        """Do what a model asks of a tool; what went wrong is in the answer. Raises MemgardendError."""
        given = {key: value for key, value in arguments.items() if key != WINDOW}
        told, named = caller and caller.thread, _named(arguments)
        window = told or named or self._started(caller)
        garden = open_garden(self.workspace, os.environ, feeding=True)
        try:
            read = name in _HEARING and self._catch_up(garden, window)
            context = self._context(garden, window)
            return tools.call(
                name, given, replace(context, heard=read and bool(named) and not told)
            )
        finally:
            garden.store.close()

    def _started(self, caller: Caller | None) -> str:
        """Whom we were started for: a person may have named the window, or the program that started us."""
        session = None if self.pinned or caller is None else caller.session(os.environ)
        return session or self.window

    def _catch_up(self, garden: Garden, window: str) -> bool:
        """Read what was just said in a window: it may prove what is to be remembered. Whether it can be read."""
        source, _, native = window.partition(":")
        if source not in AGENTS or not native:
            return False
        ingest_workspace(self.workspace, garden, wanted=lambda path: native in path)
        return source in {one.kind for one in sources_of(self.workspace, os.environ)}

    def guide(self) -> str:
        """What an agent should know of the memory; the same bytes whatever it holds."""
        with self._looking() as garden:
            return guide(recall_context(garden))

    def texts(self) -> ToolTexts:
        """The words of the pack."""
        with self._looking() as garden:
            return texts_of(self._context(garden))

    def read(self, uri: str) -> str:
        """A text by its address. Raises UsageError for an unknown one."""
        if uri == GUIDE:
            return self.guide()
        if uri != BLOCK:
            raise UsageError(f"there is no {uri}", hint=f"{BLOCK} or {GUIDE}")
        with self._looking(signing=True) as garden:
            found = look_ahead(garden, "", None, first=True)
        return found.text if found else ""

    def _context(self, garden: Garden, window: str | None = None) -> ToolContext:
        root = self.workspace.root
        return tool_context(garden, root, actor=SOURCE, origin=SOURCE, window=window)

    @contextmanager
    def _looking(self, *, signing: bool = False) -> Iterator[Garden]:
        garden = look_garden(self.workspace, os.environ, signing=signing)
        try:
            yield garden
        finally:
            garden.store.close()


def _named(arguments: Mapping[str, Any]) -> str | None:
    """The window that the model itself names."""
    named = arguments.get(WINDOW)
    return named.strip() or None if isinstance(named, str) else None


def new_window(environ: Mapping[str, str]) -> str:
    """A conversation that no agent has named: one for each client, as each starts a server of its own."""
    return f"{SOURCE}:{Ids(clock(environ)).new()}"


def _with_window(tool: ToolDefinition, described: Mapping[str, Any]) -> ToolDefinition:
    properties = {**tool.parameters["properties"], WINDOW: described}
    return replace(tool, parameters={**tool.parameters, "properties": properties})
