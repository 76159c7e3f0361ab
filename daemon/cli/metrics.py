"""`memgardend metrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.exposition import Metric


def metrics(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The figures of this workspace, in the text format of Prometheus.

    To have them written to a file after each look, set `metrics.textfile`.
    """
    from rich.text import Text

    from memgardend.core.exposition import exposition
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.cli.version import installed
    from memgardend.jobs.look.metrics import metrics_of

    with looking(workspace) as place:
        found = metrics_of(place.outlook, place.outlook.now_ms, installed())
    answer(_document(found), lambda _: [Text(exposition(found).rstrip("\n"))], as_json=as_json)


def _document(found: Sequence[Metric]) -> dict[str, Any]:
    return {
        "schema": 1,
        "metrics": [
            {
                "name": one.name,
                "kind": one.kind,
                "help": one.help,
                "samples": [
                    {"labels": dict(sample.labels), "value": str(sample.value)}
                    for sample in one.samples
                ],
            }
            for one in found
        ],
    }
