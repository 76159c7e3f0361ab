"""One machine for all tests of this folder, where one can be booted."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from support.machine import CannotBootError, Machine, booted


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A real systemd. Skips where none can be booted, unless MEMGARDEND_NEEDS_SYSTEMD says that one must."""
    try:
        with booted(tmp_path_factory.mktemp("machine")) as machine:
            yield machine
    except CannotBootError as error:
        if "MEMGARDEND_NEEDS_SYSTEMD" in os.environ:
            raise
        pytest.skip(f"no systemd to test with: {error}")
