"""Backoff and breaker."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.clock import HOUR_MS, MINUTE_MS
from memgardend.core.retry import Breaker, backoff_ms

NOW = 1_800_000_000_000

BACKOFF = {
    "first": (1, 0.0, 5 * MINUTE_MS),
    "second": (2, 0.0, 10 * MINUTE_MS),
    "seventh": (7, 0.0, 320 * MINUTE_MS),
    "eighth-meets-the-longest": (8, 0.0, 6 * HOUR_MS),
    "thousandth": (1000, 0.0, 6 * HOUR_MS),
    "most-jitter": (1, 1.0, 6 * MINUTE_MS),
    "least-jitter": (1, -1.0, 4 * MINUTE_MS),
    "jitter-is-clamped": (1, 9.0, 6 * MINUTE_MS),
    "none-counts-as-one": (0, 0.0, 5 * MINUTE_MS),
}


@pytest.mark.parametrize(("failures", "jitter", "expected"), BACKOFF.values(), ids=BACKOFF)
def test_backoff(failures: int, jitter: float, expected: int) -> None:
    assert backoff_ms(failures, jitter) == expected


@given(st.integers(1, 50), st.floats(-1, 1))
def test_backoff_never_shrinks_and_stays_within_its_bounds(failures: int, jitter: float) -> None:
    assert backoff_ms(failures + 1, jitter) >= backoff_ms(failures, jitter)
    assert 4 * MINUTE_MS <= backoff_ms(failures, jitter) <= 6 * HOUR_MS * 1.2


def shut() -> Breaker:
    return Breaker().after_failure(NOW).after_failure(NOW).after_failure(NOW)


def test_two_failures_leave_it_closed() -> None:
    breaker = Breaker().after_failure(NOW).after_failure(NOW)
    assert breaker.may(NOW)
    assert not breaker.half_open(NOW)


def test_the_third_failure_in_a_row_shuts_it_for_a_quarter_of_an_hour() -> None:
    breaker = shut()
    assert not breaker.may(NOW)
    assert not breaker.may(NOW + 15 * MINUTE_MS - 1)
    assert breaker.may(NOW + 15 * MINUTE_MS)
    assert breaker.half_open(NOW + 15 * MINUTE_MS)


def test_a_success_between_failures_starts_the_count_again() -> None:
    breaker = Breaker().after_failure(NOW).after_failure(NOW).after_success()
    assert breaker.after_failure(NOW).after_failure(NOW).may(NOW)


def test_half_open_lets_one_dream_through() -> None:
    later = NOW + 15 * MINUTE_MS
    breaker = shut().take_probe("d1", later + 10 * MINUTE_MS)
    assert breaker.may(later, "d1")
    assert not breaker.may(later, "d2")
    assert not breaker.may(later)


def test_a_probe_that_succeeds_closes_and_one_that_fails_shuts_again() -> None:
    later = NOW + 15 * MINUTE_MS
    breaker = shut().take_probe("d1", later + 10 * MINUTE_MS)
    assert breaker.after_success() == Breaker()
    again = breaker.after_failure(later)
    assert not again.may(later + 15 * MINUTE_MS - 1)
    assert again.may(later + 15 * MINUTE_MS, "d2")


def test_a_probe_that_dies_holds_the_others_only_until_its_deadline() -> None:
    later = NOW + 15 * MINUTE_MS
    breaker = shut().take_probe("d1", later + 10 * MINUTE_MS)
    assert breaker.may(later + 10 * MINUTE_MS, "d2")
    assert breaker.half_open(later + 10 * MINUTE_MS)


@pytest.mark.parametrize(
    "breaker", [Breaker(), shut(), shut().take_probe("d1", NOW)], ids=["new", "shut", "probed"]
)
def test_the_stored_form_reads_back(breaker: Breaker) -> None:
    assert Breaker.from_json(breaker.to_json()) == breaker


def test_nothing_stored_is_a_closed_breaker() -> None:
    assert Breaker.from_json(None) == Breaker()
