"""A workspace opened for a program: for looking as long as that is enough, then for work."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.clock import Clock
    from memgardend.daemon.garden import Workspace
    from memgardend.jobs.context import Garden
    from memgardend.jobs.tools.context import ToolContext

ORIGIN = "python"
"""Who changed a memory, as its history says."""


class OpenWorkspace:
    """The tools of one workspace. What they need is imported, and the store opened, at the first use."""

    def __init__(self, workspace: Workspace, window: str | None, clock: Clock | None) -> None:
        self._workspace = workspace
        self._window = window
        self._clock = clock
        self._opened: list[ToolContext] = []

    def close(self) -> None:
        """Give the store back; the next use opens it anew."""
        while self._opened:
            self._opened.pop().garden.store.close()
        for name in ("working", "_reading"):
            self.__dict__.pop(name, None)

    @cached_property
    def working(self) -> ToolContext:
        """For what writes; the store is made if need be."""
        import structlog

        from memgardend.daemon.garden import open_garden
        from memgardend.daemon.logs import configure_logs

        if not structlog.is_configured():
            configure_logs()  # else events would be printed, and stdout is the program's own
        return self._context(
            open_garden(self._workspace, os.environ, feeding=True, clock=self._clock)
        )

    @property
    def looking(self) -> ToolContext:
        """For what only reads; but what a window is shown has to be noted."""
        if self._window is not None or "working" in self.__dict__:
            return self.working
        return self._reading

    @cached_property
    def _reading(self) -> ToolContext:
        from memgardend.daemon.garden import look_garden

        return self._context(look_garden(self._workspace, os.environ, self._clock))

    def _context(self, garden: Garden) -> ToolContext:
        from memgardend.daemon.tooling import tool_context

        context = tool_context(
            garden, self._workspace.root, actor=ORIGIN, origin=ORIGIN, window=self._window
        )
        self._opened.append(context)
        return context
