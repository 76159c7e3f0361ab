"""Days that a sentence names by their distance have their dates in the memory: tomorrow is another day then."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memgardend.core.extract.notice import notice
from memgardend.core.extract.request import Turn
from memgardend.core.staging import judge_round
from memgardend.core.words import Decision, RoundName
from support.dreaming import event
from support.extracting import operations
from support.judging import answer as read
from support.judging import context, view

MONDAY = datetime(2026, 11, 30, 20, 0, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "Tomorrow I need to renew the certificate.",
            "Tomorrow (2026-12-01) I need to renew the certificate.",
        ),
        (
            "Remind me the day after tomorrow to pay the rent.",
            "Remind me the day after tomorrow (2026-12-02) to pay the rent.",
        ),
        ("We decided yesterday to drop Redis.", "We decided yesterday (2026-11-29) to drop Redis."),
        ("The freeze starts next Monday.", "The freeze starts next Monday (said on 2026-11-30)."),
        ("We agreed on it two weeks ago", "We agreed on it two weeks ago (said on 2026-11-30)."),
        ("明天我要续费域名。", "明天（2026-12-01）我要续费域名。"),
        ("大后天要交论文", "大后天（2026-12-03）要交论文。"),
        ("下周二要带猫去打疫苗。", "下周二（2026-12-08）要带猫去打疫苗。"),
        ("本周日要交论文。", "本周日（2026-12-06）要交论文。"),
        ("上周我们决定放弃 Redis。", "上周我们决定放弃 Redis（2026-11-30 说）。"),
    ],
)
def test_a_day_gets_its_date(said: str, kept: str) -> None:
    (found,) = notice(Turn(handle="e1", text=said, at=MONDAY))
    assert (found.content, found.quote in said) == (kept, True)


@pytest.mark.parametrize(
    "said",
    [
        "Never deploy on Friday.",
        "Always write today's date in the log.",
        "Our standup is at 9:30 on weekdays.",
        "每周二发版，负责人是老周。",
        "以后每天先跑测试。",
    ],
)
def test_what_holds_on_many_days_gets_none(said: str) -> None:
    (found,) = notice(Turn(handle="e1", text=said, at=MONDAY))
    assert found.content == said


def test_it_is_the_day_of_the_person_and_the_judge_agrees() -> None:
    late = event(1, "We decided today to drop Redis.", at=1_796_144_400_000)  # 17:00Z, 1:00 there
    (operation,) = operations([late])
    assert operation["content"] == "We decided today (2026-12-02) to drop Redis."
    seen = view([late])
    judged, _ = judge_round(seen, read(operation), context(seen, round=RoundName.ATOMIC))
    assert [(one.decision, one.refusal) for one in judged] == [(Decision.STAGED, None)]
