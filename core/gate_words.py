"""The words in which gates tell what they found."""

from __future__ import annotations

from memgardend.core.clock import DAY_MS, HOUR_MS, MINUTE_MS


def yes_no(condition: bool) -> str:
    """A condition in a word."""
    return "yes" if condition else "no"


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 failure`, `2 failures`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def duration(milliseconds: int) -> str:
    """A duration for a person, in its largest fitting unit, rounded down: `42 min`, `3 h`, `2 d`."""
    for unit_ms, unit in ((DAY_MS, "d"), (HOUR_MS, "h"), (MINUTE_MS, "min")):
        if milliseconds >= 2 * unit_ms or (unit == "min" and milliseconds >= unit_ms):
            return f"{milliseconds // unit_ms} {unit}"
    return f"{milliseconds // 1000} s"
