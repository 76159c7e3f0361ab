"""Chinese words for days: 明天 is another day when the memory is read."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from memgardend.core.extract.patterns import words

if TYPE_CHECKING:
    import re

_NEAR = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "後": 2, "大后": 3, "大後": 3}
_WEEKS = {"上": -1, "这": 0, "這": 0, "本": 0, "下": 1}
_WEEKDAYS = "一二三四五六日"
_WEEK = r"(?:个|個)?(?:周|週|星期|礼拜|禮拜)"
_DAY = words(
    rf"""(?<![之以提目])(?P<near>大?[前后後]|[昨今明])(?:天(?!天)|晚|早(?!先))
    | (?P<week>[上这這本下]){_WEEK}(?P<weekday>[{_WEEKDAYS}天])"""
)
_VAGUE = words(
    rf"""[上这這本下]{_WEEK} | (?:[上这這下](?:个|個)|本|上|下)月 | [去今明]年 | [月年][初底]
    | (?:\d+|[一二两兩三四五六七八九十]+)\ ?(?:天|周|週|个月|個月|年)[前后後]"""
)


def with_dates(text: str, day: date) -> str:
    """The text with the date of each day that it names by its distance; else with the day on which it was said."""
    dated = _DAY.sub(lambda said: f"{said[0]}（{_meant(said, day)}）", text)
    if dated == text and _VAGUE.search(text):
        bare = text.rstrip("。.!！")
        return f"{bare}（{day} 说）{text[len(bare) :]}"
    return dated


def _meant(said: re.Match[str], day: date) -> date:
    if said["near"]:
        return day + timedelta(_NEAR[said["near"]])
    weekday = _WEEKDAYS.find(said["weekday"].replace("天", "日"))
    return day + timedelta(7 * _WEEKS[said["week"]] + weekday - day.weekday())
