"""memgarden's own conformance kit, all scenarios, against our stores: no deviation of any kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from memgarden import conformance

from memgardend.core.editorial.memory_store import InMemoryStore
from memgardend.daemon.library.sqlite_store import SqliteStore
from support.library_host import LibraryHost

DEVIATIONS: dict[str, conformance.Deviation] = {}
SCENARIOS = 22


def host(kind: str, folder: Path) -> LibraryHost:
    if kind == "memory":
        return LibraryHost(kind, lambda clock, new_id: InMemoryStore(clock=clock, new_id=new_id))
    path = folder / "memory.db"
    return LibraryHost(kind, lambda clock, new_id: SqliteStore(path, clock=clock, new_id=new_id))


def test_the_kit_has_the_scenarios_that_we_count_on() -> None:
    assert len(conformance.scenario_ids()) == SCENARIOS
    assert isinstance(host("memory", Path()), conformance.Host)


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
@pytest.mark.parametrize("scenario", conformance.scenario_ids())
def test_scenario(kind: str, scenario: str, tmp_path: Path) -> None:
    results = conformance.run_all(
        lambda: host(kind, tmp_path), deviations=DEVIATIONS, only=[scenario]
    )
    conformance.assert_conformant(results)
    assert [result.status for result in results] == ["pass"]
