"""The Chinese questions of the labelled set: what answers is found, and nothing where nothing does."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def rows(name: str) -> list[dict[str, Any]]:
    """The memories and questions of a set."""
    labelled = ROOT / "tests" / "labelled" / "recall" / f"{name}.jsonl"
    return [json.loads(line) for line in labelled.read_text("utf-8").splitlines()]


def documents(name: str) -> list[tuple[str, str, None]]:
    return [(row["memory"], row["text"], None) for row in rows(name) if "memory" in row]


def questions(name: str) -> list[tuple[str, set[str], str]]:
    """What is asked, what answers it, and of which kind the question is."""
    return [
        (row["question"], set(row["answers"]), row.get("kind", "none"))
        for row in rows(name)
        if "question" in row
    ]


@pytest.fixture(scope="module")
def ranker() -> ModuleType:
    """bench/recall_ranker.py, which ranks as the product does."""
    spec = importlib.util.spec_from_file_location(
        "recall_ranker", ROOT / "bench" / "recall_ranker.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "found", "first", "alone"),
    [
        ("zh-Hans", 0.98, 0.94, 14),  # bigrams in FTS5: 0.976, 0.823, and 5 of 24
        ("zh-Hans-hard", 0.92, 0.87, 24),  # bigrams in FTS5: 0.910, 0.760, and 14 of 48
    ],
)
def test_chinese_questions_hold_the_floors(
    ranker: ModuleType, name: str, found: float, first: float, alone: int
) -> None:
    """What answers is found, mostly as the first, and nothing where the question is about something else."""
    rank = ranker.build_zh(documents(name))
    got = [(rank(text, 5), answers, kind) for text, answers, kind in questions(name)]
    for most, least in ((5, found), (1, first)):
        parts = [len(set(ids[:most]) & right) / len(right) for ids, right, _ in got if right]
        assert sum(parts) / len(parts) >= least
    assert sum(not ids for ids, answers, kind in got if not answers and kind == "none") >= alone


@pytest.mark.parametrize(("name", "missed"), [("zh-Hans", 0), ("zh-Hans-hard", 8)])
def test_hardly_an_answer_is_missed_where_any_match_will_do(
    ranker: ModuleType, name: str, missed: int
) -> None:
    """The eight share a character with what answers them, or nothing."""
    rank = ranker.search_zh(documents(name))
    misses = [
        text for text, right, _ in questions(name) if right and not set(rank(text, 5)) & right
    ]
    assert len(misses) <= missed


def test_the_hard_set_is_large_and_no_question_stands_in_it_twice() -> None:
    texts = [text for text, _, _ in questions("zh-Hans-hard")]
    assert len(set(texts)) == len(texts) >= 200
    names = {name for name, *_ in documents("zh-Hans-hard")}
    assert len(names) >= 250
    assert all(answers <= names for _, answers, _ in questions("zh-Hans-hard"))
    assert sum(not answers for _, answers, _ in questions("zh-Hans-hard")) >= 60


def test_what_surrounds_a_document_is_of_its_time(ranker: ModuleType) -> None:
    docs = [("a", "the port", 1.0), ("b", "yes", 1.0), ("c", "no", 1.0), ("d", "later", 2.0)]
    rank = ranker.search(docs)
    assert rank("port", 9) == ["a", "b", "c"]
