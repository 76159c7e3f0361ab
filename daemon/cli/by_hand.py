"""Open the workspace of a command by which a person tends memories, or looks at them as agents do."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.daemon import garden as gardens
from memgardend.daemon.cli.hints import here
from memgardend.daemon.cli.opening import find
from memgardend.daemon.projects import resolve_project
from memgardend.daemon.tooling import tool_context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.core.ports import Store
    from memgardend.jobs.context import Garden
    from memgardend.jobs.tools.context import ToolContext

PERSON = "person"
"""Who changed a memory by hand, as its history says."""


@contextmanager
def tooling(given: Path | None) -> Iterator[tuple[ToolContext, str]]:
    """The tools for a person who tends memories by hand, and what a command must add to mean this workspace.

    Their project is the one of the current folder, where the store knows it. Nothing is dreamed here, so nobody
    has to agree to a model command.
    """
    from memgardend.daemon.logs import (
        configure_logs,
    )  # asyncio and more, which looking does not need

    workspace = find(given)
    configure_logs(verbose=False, workspace=workspace.root)
    garden = gardens.open_garden(workspace, os.environ, feeding=True)
    try:
        project = project_here(garden.store, workspace.root)
        context = tool_context(garden, workspace.root, actor=PERSON, origin=PERSON, project=project)
        yield context, here(given)
    finally:
        garden.store.close()


def project_here(store: Store, root: Path) -> str | None:
    """The id of the project of the current folder, where the store of the workspace at `root` knows it."""
    around = resolve_project(str(Path.cwd()), fallback=root)
    known = {one.id for one in store.projects()}
    return around.id if around is not None and around.id in known else None


@contextmanager
def looking_garden(given: Path | None, *, signing: bool = False) -> Iterator[tuple[Garden, str]]:
    """The garden for looking as `look_garden` gives it, and what a command must add to mean this workspace."""
    garden = gardens.look_garden(find(given), os.environ, signing=signing)
    try:
        yield garden, here(given)
    finally:
        garden.store.close()
