"""Names that change: what a sentence itself says to be over, and what it leaves alone."""

from __future__ import annotations

import pytest

from memgardend.core.extract.languages import language_of
from memgardend.core.extract.switch import overturns
from memgardend.core.staging import judge_round
from memgardend.core.words import Decision
from support.dreaming import memory
from support.extracting import operations, turns
from support.judging import answer as read
from support.judging import context, view

OVER = [
    ("We use Postgres.", "We moved from Postgres to MySQL."),
    (
        "The billing database is Postgres.",
        "We migrated the billing database from Postgres to MySQL.",
    ),
    ("We chose Jenkins for CI.", "We switched CI from Jenkins to GitHub Actions."),
    ("We use Jenkins.", "We replaced Jenkins with GitHub Actions."),
    ("We use yarn.", "We no longer use yarn, we use pnpm now."),
    ("We use yarn.", "We don't use yarn any more, pnpm now."),
    ("The database is Postgres.", "The database is no longer Postgres but MySQL."),
    ("The database is Postgres.", "The database is MySQL now, not Postgres."),
    ("We use Postgres.", "We use MySQL now instead of Postgres."),
    (
        "We decided to use SQLite because one file is easy to back up.",
        "We switched from SQLite to Postgres.",
    ),
    ("We moved from Postgres to MySQL.", "We moved from MySQL back to Postgres."),
    ("The release manager is Mira.", "The release manager is now Jan."),
    ("The release manager is now Mira.", "The release manager is Jan now."),
    ("数据库用的是 Postgres。", "数据库从 Postgres 换成 MySQL 了。"),
    ("我们用 Jenkins 做 CI。", "CI 从 Jenkins 换到 GitHub Actions 了。"),
    ("我们用 yarn。", "我们不用 yarn 了，改用 pnpm。"),
    ("我们用 Postgres。", "我们已经用 MySQL 代替 Postgres 了。"),
    ("数据库是 Postgres。", "数据库不用 Postgres 了，现在用 MySQL。"),
    ("数据库是 Postgres。", "数据库现在用 MySQL，不再用 Postgres 了。"),
    ("支付模块的负责人是老李。", "支付模块的负责人换成老周了。"),
    ("负责人换成老周了。", "负责人换成小王了。"),
    ("資料庫是 Postgres。", "資料庫從 Postgres 換成 MySQL 了。"),
]
BESIDE = [
    ("Postgres listens on port 5432.", "We moved from Postgres to MySQL."),
    ("The Postgres backups are at /srv/pg.", "We moved from Postgres to MySQL."),
    ("We use Postgres.", "We moved the blog from Postgres to MySQL."),
    ("We use Postgres.", "We moved from Postgresql to MySQL."),
    ("We don't use Postgres.", "We moved from Postgres to MySQL."),
    ("We use MySQL.", "We moved from Postgres to MySQL."),
    ("We moved from Postgres to MySQL.", "We moved from Postgres to MySQL."),
    ("The meeting room is blue.", "The meeting room is now large."),
    ("The release manager is Mira.", "The project manager is now Jan."),
    ("The release manager is Mira.", "The release manager is now Mira."),
    ("支付模块的负责人是老李。", "登录模块的负责人换成老周了。"),
    ("Postgres 的端口是 5432。", "数据库从 Postgres 换成 MySQL 了。"),
    ("负责人换成老周了。", "负责人换成老周了。"),
    ("We use Postgres.", "数据库从 Postgres 换成 MySQL 了。"),
    ("We use Postgres " + "x" * 20_000, "We moved from Postgres to MySQL."),
]


@pytest.mark.parametrize(("known", "said"), OVER)
def test_what_is_said_to_be_over_is(known: str, said: str) -> None:
    assert overturns(said, known, language_of(said))


@pytest.mark.parametrize(("known", "said"), BESIDE)
def test_what_is_not_said_to_be_over_stays(known: str, said: str) -> None:
    assert not overturns(said, known, language_of(said))


@pytest.mark.parametrize(
    ("known", "said", "locale"),
    [
        ("The release manager is Mira.", "The release manager is now Jan Kos.", "en"),
        (
            "We use Postgres for the billing database.",
            "We moved the billing database from Postgres to MySQL.",
            "en",
        ),
        ("We use Jenkins for CI.", "We switched CI from Jenkins to GitHub Actions.", "en"),
        ("支付模块的负责人是老李。", "支付模块的负责人换成老周了。", "zh-Hans"),
        ("数据库用的是 Postgres。", "数据库从 Postgres 换成 MySQL 了。", "zh-Hans"),
    ],
)
def test_the_shown_memory_is_superseded_and_the_judge_agrees(
    known: str, said: str, locale: str
) -> None:
    events, shown = turns(said), [memory("1", known)]
    (operation,) = operations(events, shown, locale=locale)
    assert (operation["op"], operation["id"], operation["by"]["content"]) == (
        "supersede",
        "m1",
        said,
    )
    seen = view(events, shown)
    judged, _ = judge_round(seen, read(operation), context(seen, locale=locale))
    assert [(one.decision, one.refusal) for one in judged] == [(Decision.STAGED, None)]


def test_of_two_names_in_one_conversation_the_later_stays() -> None:
    said = operations(turns("We use Postgres.", "We moved from Postgres to MySQL."))
    assert [one["content"] for one in said] == ["We moved from Postgres to MySQL."]
