"""The figures of a workspace as a file, for the textfile collector of Prometheus' node exporter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.core.exposition import exposition
from memgardend.daemon.private_files import write_atomically
from memgardend.jobs.look.metrics import metrics_of
from memgardend.jobs.look.outlook import Outlook

if TYPE_CHECKING:
    from memgardend.daemon.garden import Workspace
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)

READABLE_BY_ALL = 0o644  # the exporter runs as a user of its own


def write_textfile(place: Workspace, garden: Garden, version: str) -> None:
    """Write `metrics.textfile`, where it is set. That it cannot be written is logged and stops no work.

    A relative path starts at the workspace. The exporter sees the old file or the new one, whole.
    """
    chosen = place.config.metrics.textfile
    if chosen is None:
        return
    file = place.root / chosen
    outlook = Outlook(
        store=garden.store,
        config=garden.config,
        suppression=garden.suppression,
        now_ms=garden.clock.now_ms(),
        driven=False,
        workspace=str(place.root),
    )
    page = exposition(metrics_of(outlook, outlook.now_ms, version))
    try:
        write_atomically(file, page.encode(), mode=READABLE_BY_ALL)
    except OSError as error:
        log.warning("metrics_failed", file=str(file), error=str(error))
