"""Which worker runs which test, where several do: one test after the other, but what shares a machine together.

xdist 3.8 knows groups by a suffix of a test's name, which pytest 9.2 no longer lets it write.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

TOGETHER = "tests/systemd/"
"""Booting a machine for each worker costs more than its tests. The largest group goes out first."""


class Schedule(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """One test after the other to whoever has few left; forgets what is done, as xdist counts it each time."""

    def _split_scope(self, nodeid: str) -> str:
        return TOGETHER if nodeid.startswith(TOGETHER) else nodeid

    def _assign_work_unit(self, node: WorkerController) -> None:
        units = self.assigned_work[node]
        for scope in [scope for scope, unit in units.items() if all(unit.values())]:
            del units[scope]
        super()._assign_work_unit(node)
