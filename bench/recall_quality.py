"""Does the ranking bring back what answers, and nothing where nothing does? English and Chinese.

English: ../shared/bench (its half of LoCoMo, turns as documents), where it is there. Chinese: our own set,
tests/labelled/recall/zh-Hans.jsonl, which the rules for Chinese questions were developed on. A question without an
answer is one of another conversation's, or one of the set's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import recall_ranker
from figures import Figure, hand_over

ROOT = Path(__file__).parents[1]
SHARED = ROOT / "../shared/bench"
CHINESE = ROOT / "tests" / "labelled" / "recall" / "zh-Hans.jsonl"
DEPTH = 8

Build = Callable[[Sequence[recall_ranker.Document]], recall_ranker.Rank]
Case = tuple[str, list[recall_ranker.Document], Mapping[str, set[str]], list[Any]]


def main() -> None:
    """Measure."""
    if not SHARED.exists():
        hand_over([])
        return
    sys.path.insert(0, str(SHARED))
    import example_ranker
    import rankers
    import retrieval

    english = retrieval.load_locomo(str(SHARED / "data" / "locomo_dev.json"))
    chinese, unanswered = _chinese()
    hand_over(
        [
            *_english(retrieval, english, recall_ranker.build, example_ranker.build),
            *_in_chinese(retrieval, chinese, unanswered, rankers.BUILDERS["fts5_bigram"]),
        ]
    )


def _english(retrieval: ModuleType, cases: list[Case], ours: Build, theirs: Build) -> list[Figure]:
    mine, other = _quality(retrieval, cases, ours), _quality(retrieval, cases, theirs)
    foreign = [(docs, cases[place - 1][3]) for place, (_, docs, _, _) in enumerate(cases)]
    floorless = _quality(retrieval, cases, recall_ranker.search)
    return [
        *_beside("English", "two columns", mine, other),
        *_beside("English without the floor", "two columns", floorless, other),
        Figure("English: unanswerable questions that find nothing", _abstained(foreign, ours), ""),
        Figure("English: the same, two columns", _abstained(foreign, theirs), ""),
    ]


def _in_chinese(
    retrieval: ModuleType, case: Case, unanswered: list[Any], theirs: Build
) -> list[Figure]:
    mine = _quality(retrieval, [case], recall_ranker.build_zh)
    other = _quality(retrieval, [case], theirs)
    asked = [(case[1], unanswered)]
    floorless = _quality(retrieval, [case], recall_ranker.search_zh)
    return [
        *_beside("Chinese", "bigram FTS5", mine, other),
        *_beside("Chinese without the floor", "bigram FTS5", floorless, other),
        Figure(
            "Chinese: unanswerable questions that find nothing",
            _abstained(asked, recall_ranker.build_zh),
            "",
        ),
        Figure("Chinese: the same, bigram FTS5", _abstained(asked, theirs), ""),
    ]


def _beside(
    language: str, name: str, mine: Mapping[str, float], other: Mapping[str, float]
) -> list[Figure]:
    """Ours, which should be no worse than theirs, and by itself."""
    return [
        figure
        for measure, value in mine.items()
        for figure in (
            Figure(
                f"{language}: {measure} beside {name}",
                value / other[measure],
                "×",
                1,
                at_most=False,
            ),
            Figure(f"{language}: {measure}", value, ""),
        )
    ]


def _quality(retrieval: ModuleType, cases: list[Case], build: Build) -> dict[str, float]:
    found, *_ = retrieval.evaluate(build, cases)
    return {name: sum(row[name] for row in found) / len(found) for name in ("R@5", "nDCG@10")}


def _abstained(asked: list[tuple[Any, list[Any]]], build: Build) -> float:
    """The share of these questions, which the documents do not answer, that find nothing."""
    answers = [
        bool(rank(question[1], DEPTH))
        for docs, questions in asked
        for rank in [build(docs)]
        for question in questions
    ]
    return answers.count(False) / len(answers)


def _chinese() -> tuple[Case, list[Any]]:
    lines = [json.loads(line) for line in CHINESE.read_text("utf-8").splitlines()]
    docs = [(row["memory"], row["text"], None) for row in lines if "memory" in row]
    asked = [
        (str(number), row["question"], 0, set(row["answers"]))
        for number, row in enumerate(lines)
        if "question" in row
    ]
    case = ("zh-Hans", docs, {name: {name} for name, *_ in docs}, [one for one in asked if one[3]])
    return case, [one for one in asked if not one[3]]


if __name__ == "__main__":
    main()
