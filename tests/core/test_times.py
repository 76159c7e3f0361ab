"""Times as text, and back."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.times import parse_time, rfc3339

EAST = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("at_ms", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (1_796_028_480_000, "2026-11-30T08:48:00Z"),
    ],
)
def test_rfc3339(at_ms: int, text: str) -> None:
    assert rfc3339(at_ms) == text


@given(st.integers(0, 253_000_000_000_000))
def test_what_was_written_can_be_read(at_ms: int) -> None:
    assert parse_time(rfc3339(at_ms), EAST) == at_ms


def test_a_time_without_an_offset_is_local() -> None:
    assert parse_time("1970-01-01 08:00", EAST) == 0
    assert parse_time("1970-01-01", EAST) == -8 * 3_600_000
    assert parse_time("1970-01-01T00:00:00Z", EAST) == 0


@pytest.mark.parametrize("text", ["tonight", "", "2026-13-01", "25:00"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_time(text, UTC)
