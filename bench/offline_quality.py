"""Judges the offline consolidator on labelled human turns.

    python bench/offline_quality.py [LABELLED.jsonl] [--misses] [--markdown]

An item counts as found when its quote overlaps a labelled quote; each label is found at most once.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from memgardend.core.extract.language import Kind
from memgardend.core.extract.notice import Noticed, notice
from memgardend.core.extract.request import Turn

LABELLED = Path(__file__).parents[1] / "tests" / "labelled" / "en.jsonl"


@dataclass(frozen=True)
class Label:
    """A stretch of a turn worth keeping, and the kinds it may be taken for, the best first."""

    kinds: tuple[str, ...]
    quote: str


@dataclass(frozen=True)
class Case:
    """A labelled turn."""

    id: str
    text: str
    labels: tuple[Label, ...]


@dataclass
class Figures:
    """Counts over a set; by kind, a hit counts for the label's first kind, a false item for its own."""

    cases: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    same_kind: int = 0
    misses: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Items that are labelled, of all items."""
        return self.right.total() / max(self.items.total(), 1)

    @property
    def recall(self) -> float:
        """Labels that are found, of all labels."""
        return self.found.total() / max(self.labels.total(), 1)

    @property
    def kind_accuracy(self) -> float:
        """Found labels that were taken for one of their kinds."""
        return self.same_kind / max(self.found.total(), 1)


def read_cases(path: Path) -> list[Case]:
    """The cases of a JSON lines file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Case(
            row["id"],
            row["text"],
            tuple(Label(tuple(keep["kinds"]), keep["quote"]) for keep in row["keep"]),
        )
        for row in rows
    ]


def measure(cases: list[Case]) -> Figures:
    """Run the rules over each turn by itself."""
    figures = Figures(cases=len(cases))
    for case in cases:
        open_labels = list(case.labels)
        figures.labels.update(label.kinds[0] for label in case.labels)
        for item in notice(Turn(handle="e1", text=case.text)):
            figures.items[item.kind] += 1
            label = next((one for one in open_labels if _overlap(case.text, one, item)), None)
            if label is None:
                figures.misses.append(f"wrong   {case.id} {item.kind}: {item.quote!r}")
                continue
            open_labels.remove(label)
            figures.right[item.kind] += 1
            figures.found[label.kinds[0]] += 1
            if item.kind in label.kinds:
                figures.same_kind += 1
            else:
                figures.misses.append(f"kind    {case.id} {item.kind} for {label.kinds}")
        figures.misses += [
            f"missed  {case.id} {one.kinds[0]}: {one.quote!r}" for one in open_labels
        ]
    return figures


def _overlap(text: str, label: Label, item: Noticed) -> bool:
    one, other = text.index(label.quote), text.index(item.quote)
    return one < other + len(item.quote) and other < one + len(label.quote)


def table(figures: Figures) -> list[str]:
    """The figures as a Markdown table."""
    rows = [
        "| kind | labelled | found | recall | taken | right | precision |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for kind in Kind:
        labels, found = figures.labels[kind], figures.found[kind]
        items, right = figures.items[kind], figures.right[kind]
        rows.append(
            f"| {kind} | {labels} | {found} | {_share(found, labels)} "
            f"| {items} | {right} | {_share(right, items)} |"
        )
    rows.append(
        f"| **all** | {figures.labels.total()} | {figures.found.total()} | **{figures.recall:.2f}** "
        f"| {figures.items.total()} | {figures.right.total()} | **{figures.precision:.2f}** |"
    )
    return rows


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"


def main() -> None:
    """Print the figures of one set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labelled", nargs="?", type=Path, default=LABELLED)
    parser.add_argument(
        "--misses", action="store_true", help="list what was missed and what was wrong"
    )
    options = parser.parse_args()
    figures = measure(read_cases(options.labelled))
    print("\n".join(table(figures)))
    print(
        f"\n{figures.cases} turns; {figures.kind_accuracy:.2f} of what was found has a right kind."
    )
    if options.misses:
        print("\n".join(figures.misses))


if __name__ == "__main__":
    main()
