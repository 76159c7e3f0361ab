"""The clock that the environment asks for."""

from __future__ import annotations

import pytest

from memgardend.core.clock import DrivenClock, SystemClock
from memgardend.core.errors import ConfigError
from memgardend.daemon.clock import VARIABLE, clock

START = "2026-12-01T03:00:00Z"
START_MS = 1_796_094_000_000


def test_without_the_variable_time_is_the_machines() -> None:
    assert isinstance(clock({}), SystemClock)
    assert isinstance(clock({VARIABLE: ""}), SystemClock)


@pytest.mark.parametrize(("text", "rate"), [("", 1.0), ("@", 1.0), ("@0", 0.0), ("@1e6", 1e6)])
def test_a_start_and_a_rate_drive_it(text: str, rate: float) -> None:
    driven = clock({VARIABLE: START + text})
    assert isinstance(driven, DrivenClock)
    assert (driven.start_ms, driven.rate) == (START_MS, rate)


@pytest.mark.parametrize(
    "text",
    [
        "soon",
        "2026-12-01T03:00:00",
        f"{START}@-1",
        f"{START}@nan",
        f"{START}@inf",
        f"{START}@1e300",
        f"{START}@fast",
        "0001-01-01T00:00:00+14:00",
        "1969-12-31T00:00:00Z",
        "9999-12-31T23:59:59-12:00",
    ],
)
def test_what_cannot_drive_it_is_said_with_a_way_out(text: str) -> None:
    with pytest.raises(ConfigError, match="not START") as caught:
        clock({VARIABLE: text})
    assert caught.value.hint == f"{VARIABLE}=2026-12-01T03:00:00Z@60"
