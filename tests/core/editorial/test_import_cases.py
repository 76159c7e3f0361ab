"""The shared cases on imports: all as in the ancestor."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.editorial.importing.session import ImportSession
from memgardend.core.editorial.importing.split import split_material
from support.history import Host, cards, request

CASES = Path(__file__).parents[3] / "../shared/cases/memgarden-cases.json"


@cache
def shared() -> dict[str, dict[str, Any]]:
    if not CASES.exists():
        pytest.skip("the shared cases are not beside this checkout")
    return {one["id"]: one for one in json.loads(CASES.read_text(encoding="utf-8"))}


def pieces() -> list[list[int]]:
    material = "a" * 150 + "\n" + "b" * 300
    return [[one.offset, len(one.text)] for one in split_material(material, 200)]


def blank() -> list[object]:
    progress = ImportSession(request(" \n ")).progress
    return [progress["done"], progress["cursor"], progress["skipped"][0]["reason"]]


def failed() -> list[object]:
    replies = iter(["prose", cards("She rows")])
    host = Host(request("Went rowing."), lambda _: next(replies))
    first = host.run()
    second = host.run()
    retried = [second["done"], second["failed"], second["cards_written"]]
    return [first["cursor"], first["failed"][0]["error"], retried]


def capped() -> list[object]:
    host = Host(request("Went rowing. " * 40, max_total_cards=1), lambda _: cards("She rows"))
    progress = host.run()
    return [progress["done"], host.calls, progress["skipped"][0]["reason"]]


def dated() -> list[object]:
    rows = json.loads(cards("She rows", "He sings"))
    rows["cards"][0]["occurred_at"] = "2019-05-05"
    host = Host(request("Went rowing.", fallback_date="2020-01-01"), lambda _: json.dumps(rows))
    host.run()
    try:
        request("Went rowing.", fallback_date="someday")
    except ValueError as error:
        kind = next(one.__name__ for one in type(error).mro() if one is ValueError)
        return [[one["occurred_at"] for one in host.stored], kind]
    return []


def spelled() -> list[str]:
    def bucket(said: str, known: str, locale: str) -> str:
        garden = [{"id": "m_1", "summary": "Sings", "content": "Sings.", "bucket": known}]
        batch = ImportSession(request("Went rowing.", locale=locale)).next_batch(garden)
        assert batch is not None
        batch.feed(cards("Rows daily", bucket=said))
        assert batch.result is not None
        return str(batch.result.mutations[0].card["bucket"])  # type: ignore[union-attr]

    return [
        bucket(" work", "Work", "en"),
        bucket("健康/Health", "", "en"),
        bucket("工作/Work", "", "zh-Hans"),
        bucket("Mom, Dad", "Mom", "en"),
    ]


CHECKS: dict[str, Callable[[], object]] = {
    "I01": pieces,
    "I02": blank,
    "I03": failed,
    "I05": capped,
    "I06": dated,
    "I09": spelled,
}


@pytest.mark.parametrize("case", CHECKS)
def test_same(case: str) -> None:
    found = shared()[case]
    assert found["ours"] == "same"
    assert CHECKS[case]() == found["expected"]


def test_every_case_is_tried() -> None:
    assert CHECKS.keys() == {name for name, one in shared().items() if one["area"] == "import"}
