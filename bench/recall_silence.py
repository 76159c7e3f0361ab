"""How many questions without an answer a ranker leaves alone, at what cost of answers.

Whoever ranks by a score can be made silent by a threshold on it. So each ranker gets, for every recall, the
threshold that leaves the most questions alone; ours moves its floor instead.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module

from recall_ranker import Document, Weighed

FIRST = 5
MATCHES = 50
THRESHOLDS = 300  # of the evidences met so many are tried
CONTEXT_WEIGHT = 0.35  # as in ../shared/bench/example_ranker.py
PORTER = "porter unicode61 remove_diacritics 2"

Words = Callable[[str], list[str]]


@dataclass(frozen=True)
class Answer:
    """What a ranker found, the best first, each with its evidence; and what answers: nothing, perhaps."""

    ranked: Sequence[tuple[float, str]]
    right: Collection[str]

    def recall(self, threshold: float) -> float:
        """How much of what answers is among the first that reach the threshold."""
        first = [name for evidence, name in self.ranked if evidence >= threshold][:FIRST]
        return len(set(first) & set(self.right)) / len(self.right)

    def evidence(self) -> float:
        """The most that anything has, less than 0 for nothing."""
        return max((evidence for evidence, _ in self.ranked), default=-1)


def left_alone(answers: Sequence[Answer], recalls: Iterable[float]) -> dict[float, float | None]:
    """For each recall the largest share of unanswerable questions left alone; None where it is not reached."""
    answerable = [one for one in answers if one.right]
    evidences = [one.evidence() for one in answers if not one.right]
    met = sorted(set(evidences))
    tried = [0, *met[:: max(1, len(met) // THRESHOLDS)]]
    points = [
        (
            sum(one.recall(threshold) for one in answerable) / len(answerable),
            sum(evidence < threshold for evidence in evidences) / len(evidences),
        )
        for threshold in tried
    ]
    return {
        recall: max((alone for reached, alone in points if reached >= recall), default=None)
        for recall in recalls
    }


def fts5(
    docs: Sequence[Document], tokenize: str, split: Words, around: Sequence[str] | None = None
) -> Weighed:
    """FTS5 over the texts, and over what is around them in a lighter column."""
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE f USING fts5(own, around, tokenize='{tokenize}')")
    texts = [" ".join(split(text)) for _, text, _ in docs]
    database.executemany(
        "INSERT INTO f(rowid, own, around) VALUES (?, ?, ?)",
        zip(range(len(docs)), texts, around or [""] * len(docs), strict=True),
    )

    def weighed(question: str) -> list[tuple[float, str]]:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(split(question)))
        if not match:
            return []
        found = database.execute(
            "SELECT rowid, -bm25(f, 1, ?) FROM f WHERE f MATCH ? ORDER BY 2 DESC LIMIT ?",
            (CONTEXT_WEIGHT, match, MATCHES),
        )
        return [(score, docs[number][0]) for number, score in found]

    return weighed


def two_columns(docs: Sequence[Document], split: Words) -> Weighed:
    """Each text, and the neighbours of its time in the lighter column."""
    around = [
        " ".join(
            word
            for other in (place - 1, place + 1)
            if 0 <= other < len(docs) and docs[other][2] == docs[place][2] is not None
            for word in split(docs[other][1])
        )
        for place in range(len(docs))
    ]
    return fts5(docs, PORTER, split, around)


def bm25s(docs: Sequence[Document], split: Words) -> Weighed:
    """The library bm25s over these words."""
    library = import_module("bm25s")
    index = library.BM25()
    index.index([split(text) for _, text, _ in docs], show_progress=False)

    def weighed(question: str) -> list[tuple[float, str]]:
        words = split(question)
        if not words:
            return []
        found, scores = index.retrieve([words], k=min(MATCHES, len(docs)), show_progress=False)
        pairs = zip(scores[0], found[0], strict=True)
        return [(float(score), docs[number][0]) for score, number in pairs if score > 0]

    return weighed
