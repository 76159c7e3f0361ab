"""English words for days: tomorrow is another day when the memory is read."""

from __future__ import annotations

from datetime import date, timedelta

from memgardend.core.extract.patterns import words

_NEAR = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "the day after tomorrow": 2,
    "tomorrow": 1,
}
_DAY = words(rf"\b(?:{'|'.join(_NEAR).replace(' ', chr(92) + ' ')})\b(?!['’])")
_UNIT = r"(?:day|week|weekend|month|quarter|year|sprint)"
_VAGUE = words(
    rf"""\b(?:next|last|this|coming)\ (?:{_UNIT}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b
    | \b{_UNIT}s?\ ago\b | \bin\ (?:an?|one|two|three|four|five|six|\d+)\ {_UNIT}s?\b"""
)


def with_dates(text: str, day: date) -> str:
    """The text with the date of each day that it names by its distance; else with the day on which it was said."""
    dated = _DAY.sub(lambda said: f"{said[0]} ({day + timedelta(_NEAR[said[0].lower()])})", text)
    if dated == text and _VAGUE.search(text):
        bare = text.rstrip(".!")
        return f"{bare} (said on {day}){text[len(bare) :]}"
    return dated
