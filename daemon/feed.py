"""Feed a workspace: from the agents of its settings into its store."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.doubts import unread_sources
from memgardend.config.load import FILENAME
from memgardend.core.clock import HOUR_MS
from memgardend.core.errors import UsageError
from memgardend.core.pushed import LINE_CHARS
from memgardend.daemon.projects import resolve_project
from memgardend.daemon.registry import Registry, registry_dir, resolved
from memgardend.daemon.sources import AGENTS, KINDS, agent, found, source_of
from memgardend.daemon.trust import router
from memgardend.jobs.ingest import IngestSettings, ingest
from memgardend.jobs.ingest_report import FileProblem
from memgardend.jobs.push import push_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import BinaryIO

    from memgardend.core.ports import Source
    from memgardend.core.records import Project
    from memgardend.daemon.garden import Workspace
    from memgardend.jobs.context import Garden
    from memgardend.jobs.ingest_report import IngestReport
    from memgardend.jobs.push import PushReport


def ingest_workspace(
    workspace: Workspace,
    garden: Garden,
    sources: Sequence[Source] | None = None,
    *,
    wanted: Callable[[str], bool] = lambda path: True,
) -> IngestReport:
    """Read what the agents of this workspace wrote since the last time: only from `sources`, where given, and
    only the files that are `wanted`.

    A configured source that this version does not read is a problem of the settings, reported at each run.
    """
    named = [workspace.root] if workspace.named else []
    registry = Registry(registry_dir())
    report = ingest(
        garden.store,
        sources_of(workspace, os.environ) if sources is None else sources,
        route=router(registry, workspace.root, workspace.config, named),
        clock=garden.clock,
        settings=IngestSettings(
            max_age_ms=workspace.config.dream.max_age_hours * HOUR_MS, wanted=wanted
        ),
        key=garden.key,
        resolve_project=_resolver(workspace),
    )
    unread = [FileProblem(FILENAME, text) for text in unread_sources(workspace.config)]
    report.problems = [*unread, *report.problems]
    return report


def ingest_path(workspace: Workspace, garden: Garden, path: Path) -> IngestReport:
    """Read one file, or all below a folder, of what the agents of this workspace wrote since the last time.

    Raises UsageError when none of its sources reads anything there.
    """
    sources, place = sources_of(workspace, os.environ), resolved(path)

    def within(file: str) -> bool:
        return resolved(Path(file)).is_relative_to(place)

    if not any(within(file.path) for source in sources for file in source.files()):
        raise UsageError(
            f"no source of this workspace reads {path}", hint="memgardend config explain sources"
        )
    return ingest_workspace(workspace, garden, sources, wanted=within)


def push(workspace: Workspace, garden: Garden, stream: BinaryIO) -> PushReport:
    """Take events that a program pushes, one JSON object a line. Memory is bounded for any line."""
    return push_events(
        garden.store,
        _lines(stream),
        clock=garden.clock,
        key=garden.key,
        zone=garden.zone,
        resolve_project=_resolver(workspace),
    )


def _lines(stream: BinaryIO) -> Iterator[str]:
    """Lines of text; of one that is too long just enough to be refused."""
    while line := stream.readline(LINE_CHARS + 1):
        yield line.decode("utf-8", errors="replace")
        while len(line) > LINE_CHARS and not line.endswith(b"\n"):
            line = stream.readline(LINE_CHARS + 1)


def sources_of(workspace: Workspace, environ: Mapping[str, str]) -> list[Source]:
    """The sources that the settings name and this version reads; by default every agent found."""
    return list(named_sources(workspace, environ).values())


def named_sources(workspace: Workspace, environ: Mapping[str, str]) -> dict[str, Source]:
    """As `sources_of`, each under a name that is the same wherever the source is the same."""
    chosen = workspace.config.sources
    if chosen is None:
        return {kind: agent(kind, environ) for kind in found(environ)}
    return {
        one.kind if one.path is None else f"{workspace.root} {one.model_dump_json()}": source_of(
            one, workspace.root, environ
        )
        for one in chosen
        if one.kind in KINDS
    }


def every_source(environ: Mapping[str, str]) -> list[Source]:
    """Every agent that this version reads, whether it is on this machine or not."""
    return [agent(kind, environ) for kind in AGENTS]


def _resolver(workspace: Workspace) -> Callable[[str | None], Project | None]:
    return partial(resolve_project, fallback=workspace.root)
