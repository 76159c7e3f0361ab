"""What agents wrote since the last look, taken in by the daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.daemon.feed import ingest_workspace, named_sources
from memgardend.daemon.service.scan import Scanned

if TYPE_CHECKING:
    from memgardend.daemon.service.opened import Open
    from memgardend.daemon.service.tools import Tools
    from memgardend.jobs.ingest_report import IngestReport

log = structlog.get_logger(__name__)


def read_changed(opened: Open, tools: Tools, now: int) -> IngestReport | None:
    """Read the sources in which a file changed; None where none did, and nothing was done."""
    named = named_sources(opened.place, tools.environ)
    scans = {name: tools.scans.of(name, source, now) for name, source in named.items()}
    changed = [name for name in scans if opened.mark(scans[name]) != opened.seen.get(name)]
    if not changed:
        return None
    sources = [Scanned(scans[name], tools.alive) for name in changed]
    report = ingest_workspace(opened.place, opened.garden, sources)
    opened.problems = bool(report.problems)
    opened.seen = {name: opened.mark(scan) for name, scan in scans.items()}
    if report.problems:
        problems = [f"{one.path}: {one.reason}" for one in report.problems]
        log.warning("files_missed", problems=problems)
    if report.events or report.new_windows:
        log.info("conversations_read", events=report.events, new_windows=report.new_windows)
    return report
