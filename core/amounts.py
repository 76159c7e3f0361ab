"""Amounts and weekdays in words: `three retries`, `十二点`, `周二`.

They are no values, which must be proven to the letter; but two texts that differ in them do not say the same.
"""

from __future__ import annotations

import re

from memgardend.core.patterns import regex

_ENGLISH_NUMBERS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_ENGLISH_DAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_CHINESE_DIGITS = "零一二三四五六七八九"
_CHINESE_DAYS = "一二三四五六日"
_AMOUNT = regex(
    rf"""\b(?:(?P<day>{"|".join(_ENGLISH_DAYS)})days?|(?P<number>{"|".join(_ENGLISH_NUMBERS)}))\b
    | (?<![一二两三四五六七八九十])(?:周|週|星期|礼拜|禮拜)(?P<cjk_day>[{_CHINESE_DAYS}天])(?![次个個份篇遍])
    | (?P<cjk_number>(?!一[点點个個次下种些位张条])[零一二两三四五六七八九十百千万]+)
      (?=[点點天年月周号號日个個次块元人台层楼倍张秒位种条成套份岁]|小时|分[钟鐘])""",
    re.VERBOSE,
)
_TENS = regex(rf"(?P<tens>[{_CHINESE_DIGITS}]?)十(?P<ones>[{_CHINESE_DIGITS}]?)")


def amounts(folded: str) -> tuple[str, ...]:
    """Each amount of a case-folded text once: numbers in digits, weekdays in English."""
    return tuple(dict.fromkeys(_amount(found) for found in _AMOUNT.finditer(folded)))


def without_amounts(folded: str) -> str:
    """The text with its amounts blanked."""
    return _AMOUNT.sub(lambda found: " " * len(found[0]), folded)


def _amount(found: re.Match[str]) -> str:
    if found["day"]:
        return f"{found['day']}day"
    if found["number"]:
        return str(_ENGLISH_NUMBERS.index(found["number"]) + 2)
    if found["cjk_day"]:
        return f"{_ENGLISH_DAYS[_CHINESE_DAYS.index(found['cjk_day'].replace('天', '日'))]}day"
    return _chinese_number(found["cjk_number"].replace("两", "二"))


def _chinese_number(text: str) -> str:
    """Digits for 0 to 99; a larger number as it is written."""
    if text in _CHINESE_DIGITS:
        return str(_CHINESE_DIGITS.index(text))
    tens = _TENS.fullmatch(text)
    if tens is None:
        return text
    value = 10 * (_CHINESE_DIGITS.index(tens["tens"]) if tens["tens"] else 1)
    return str(value + (_CHINESE_DIGITS.index(tens["ones"]) if tens["ones"] else 0))
