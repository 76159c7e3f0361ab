"""Does the ranking bring back what answers, and nothing where nothing does? English and Chinese.

English: ../shared/bench (its half of LoCoMo, turns as documents), where it is there. Chinese: sets of our own in
tests/labelled/recall. The rules for Chinese questions were made in sight of the first, zh-Hans.jsonl. The second,
zh-Hans-hard.jsonl, was written whole before anything ranked it; its halves fall by the hash of a question, and
only the first of them was looked at. A question without an answer is one of another conversation's, or one of the
set's: about something else, or about somebody or something known, but nothing that was said.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import recall_ranker
from figures import Figure, hand_over
from recall_ranker import Document, Rank, Weighed
from recall_silence import PORTER, Answer, bm25s, fts5, left_alone, two_columns

ROOT = Path(__file__).parents[1]
SHARED = ROOT / "../shared/bench"
SETS = ROOT / "tests" / "labelled" / "recall"
DEPTH = 8
MEASURES = ("R@1", "R@5", "nDCG@10")
KINDS = {"none": "about something else", "near": "about what is known, but not that"}
RECALLS = {"English": (0.7, 0.64, 0.6, 0.55, 0.5), "Chinese": (0.92, 0.9, 0.85, 0.8)}

Question = tuple[str, str, int, set[str]]
Case = tuple[str, list[Document], Mapping[str, set[str]], list[Question]]
Build = Callable[[Sequence[Document]], Rank]
Asked = list[tuple[list[Document], list[Question]]]
"""Documents, and what is asked of them."""


def main() -> None:
    """Measure."""
    if not SHARED.exists():
        hand_over([])
        return
    sys.path.insert(0, str(SHARED))
    import example_ranker
    import rankers
    import retrieval

    turns = retrieval.load_locomo(str(SHARED / "data" / "locomo_dev.json"))
    hand_over(
        [
            *_english(retrieval, turns, example_ranker.build),
            *_chinese(retrieval, "zh-Hans", rankers.BUILDERS["fts5_bigram"]),
            *_chinese(retrieval, "zh-Hans-hard", rankers.BUILDERS["fts5_bigram"]),
            *_silence("English", _english_rankers(rankers), _asked(turns), _renamed(turns)),
            *_silence("Chinese", _chinese_rankers(rankers), *_all_of("zh-Hans-hard")),
        ]
    )


def _asked(cases: list[Case]) -> Asked:
    return [(docs, questions) for _, docs, _, questions in cases]


def _foreign(cases: list[Case]) -> Asked:
    """Each conversation, and the questions of another one."""
    return [(docs, cases[place - 1][3]) for place, (_, docs, _, _) in enumerate(cases)]


def _renamed(cases: list[Case]) -> Asked:
    """The same, about the people of this one: nobody can tell them by their names alone."""
    speakers = [
        [name for name, _ in Counter(text.partition(":")[0] for _, text, _ in docs).most_common(2)]
        for _, docs, _, _ in cases
    ]
    renamed = []
    for place, (docs, questions) in enumerate(_foreign(cases)):
        names = dict(zip(speakers[place - 1], speakers[place], strict=True))
        words = re.compile("|".join(rf"\b{name}\b" for name in names))
        texts = (words.sub(lambda name, names=names: names[name[0]], one[1]) for one in questions)
        renamed.append(
            (docs, [(one[0], text, *one[2:]) for one, text in zip(questions, texts, strict=True)])
        )
    return renamed


def _english(retrieval: ModuleType, cases: list[Case], theirs: Build) -> Iterator[Figure]:
    ours, name = recall_ranker.build, "two columns"
    yield from _beside(retrieval, "English", cases, (ours, recall_ranker.search), (name, theirs))
    for category, label in retrieval.CATS.items():
        part = [(*case[:3], [one for one in case[3] if one[2] == category]) for case in cases]
        mine, other = (_quality(retrieval, part, build)["R@5"] for build in (ours, theirs))
        yield Figure(f"English, {label}: R@5", mine, "")
        yield Figure(f"English, {label}: the same, {name}", other, "")
    for label, asked in (("its own names", _foreign(cases)), ("this one's", _renamed(cases))):
        what = f"English: another conversation's questions, with {label}, left alone"
        yield Figure(what, _abstained(asked, ours), "")
        yield Figure(f"English: the same, {name}", _abstained(asked, theirs), "")


def _chinese(retrieval: ModuleType, name: str, theirs: Build) -> Iterator[Figure]:
    """By halves, where a set has some, and by what unanswerable questions are about."""
    ours = recall_ranker.build_zh
    for half, (case, unanswered) in _halves(name).items():
        label = f"Chinese, {half}"
        builds = (ours, recall_ranker.search_zh)
        yield from _beside(retrieval, label, [case], builds, ("bigram FTS5", theirs))
        for kind, questions in unanswered.items():
            asked = [(case[1], questions)]
            yield Figure(
                f"{label}: questions {KINDS[kind]} left alone", _abstained(asked, ours), ""
            )
            yield Figure(f"{label}: the same, bigram FTS5", _abstained(asked, theirs), "")


def _beside(
    retrieval: ModuleType,
    label: str,
    cases: list[Case],
    ours: tuple[Build, Build],
    theirs: tuple[str, Build],
) -> Iterator[Figure]:
    """Ours, with the floor and without, which should be no worse than theirs, and by itself."""
    other = _quality(retrieval, cases, theirs[1])
    for text, build in zip((label, f"{label} without the floor"), ours, strict=True):
        for measure, value in _quality(retrieval, cases, build).items():
            beside = f"{text}: {measure} beside {theirs[0]}"
            yield Figure(beside, value / other[measure], "×", 1, at_most=False)
            yield Figure(f"{text}: {measure}", value, "")


def _quality(retrieval: ModuleType, cases: list[Case], build: Build) -> dict[str, float]:
    found, *_ = retrieval.evaluate(build, cases)
    return {name: sum(row[name] for row in found) / len(found) for name in MEASURES}


def _abstained(asked: Asked, build: Build) -> float:
    """The share of these questions, which the documents do not answer, that find nothing."""
    answers = [
        bool(rank(question[1], DEPTH))
        for docs, questions in asked
        for rank in [build(docs)]
        for question in questions
    ]
    return answers.count(False) / len(answers)


def _halves(name: str) -> dict[str, tuple[Case, dict[str, list[Question]]]]:
    """The set of that name by halves: what is answered, and what is not, by its kind."""
    lines = [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    docs: list[Document] = [(row["memory"], row["text"], None) for row in lines if "memory" in row]
    covers = {identity: {identity} for identity, *_ in docs}
    halves: dict[str, tuple[Case, dict[str, list[Question]]]] = {}
    for number, row in enumerate(line for line in lines if "question" in line):
        half = f"{name}, {_half(row['question'])}" if "kind" in row else name
        case, unanswered = halves.setdefault(half, ((half, docs, covers, []), {}))
        asked = (str(number), row["question"], 0, set(row["answers"]))
        part = case[3] if row["answers"] else unanswered.setdefault(row.get("kind", "none"), [])
        part.append(asked)
    return halves


def _half(question: str) -> str:
    held_back = hashlib.sha256(question.encode()).digest()[-1] % 2
    return "held half" if held_back else "first half"


def _all_of(name: str) -> tuple[Asked, Asked]:
    """All that is answered, and what is about something else."""
    halves = _halves(name).values()
    return (
        [(case[1], case[3]) for case, _ in halves],
        [(case[1], unanswered["none"]) for case, unanswered in halves],
    )


Weighing = Callable[[Sequence[Document]], Weighed]


def _english_rankers(rankers: ModuleType) -> dict[str, Weighing]:
    def words(text: str) -> list[str]:
        return [word for word in rankers.mixed_tokens(text) if word not in rankers.STOP]

    return {
        "ours": partial(recall_ranker.evidence, locale="en"),
        "two columns": partial(two_columns, split=words),
        "FTS5": partial(fts5, tokenize=PORTER, split=words),
        **({"bm25s": partial(bm25s, split=words)} if find_spec("bm25s") else {}),
    }


def _chinese_rankers(rankers: ModuleType) -> dict[str, Weighing]:
    words = rankers.mixed_tokens
    return {
        "ours": partial(recall_ranker.evidence, locale="zh-Hans"),
        "bigram FTS5": partial(fts5, tokenize="unicode61", split=words),
        **({"bm25s": partial(bm25s, split=words)} if find_spec("bm25s") else {}),
    }


def _silence(
    language: str, weighings: Mapping[str, Weighing], answered: Asked, others: Asked
) -> Iterator[Figure]:
    """The share of unanswerable questions that each leaves alone at the same recall."""
    recalls = RECALLS[language]
    curves = {}
    for name, weighing in weighings.items():
        answers = [
            Answer(weighed(question[1]), question[3] if right else ())
            for asked, right in ((answered, True), (others, False))
            for docs, questions in asked
            for weighed in [weighing(docs)]
            for question in questions
        ]
        curves[name] = left_alone(answers, recalls)
    for recall in recalls:
        ours = curves["ours"][recall]
        for name, curve in curves.items():
            if (alone := curve[recall]) is not None:
                what = f"{language}: left alone where R@5 is {recall:g}, {name}"
                yield Figure(what, alone, "", None if name == "ours" else round(ours, 3))


if __name__ == "__main__":
    main()
