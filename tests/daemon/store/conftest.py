"""The conformance suite runs once for each store factory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memgardend.core.ports import Store
from support.stores import FACTORIES, SqliteFactory


@pytest.fixture(params=FACTORIES)
def factory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteFactory]:
    """Opens handles on one new store."""
    opened = FACTORIES[request.param](tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def store(factory: SqliteFactory) -> Store:
    """One handle on a new store."""
    return factory.open()
