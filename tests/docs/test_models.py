"""The page on models names every preset, and every way in which a call can end."""

from __future__ import annotations

import re
from pathlib import Path

from memgardend.config.presets import PRESETS
from memgardend.core.words import MODEL_WIDE, Outcome

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")
ROWS = [row.strip("|").split("|") for row in PAGE.splitlines() if row.startswith("| `")]


def test_each_outcome_is_explained_and_held_against_whom_the_page_says() -> None:
    blamed = {
        Outcome(word): row[-1].strip()
        for row in ROWS
        if len(row) == 3
        for word in re.findall(r"`(\w+)`", row[0])
    }
    assert set(blamed) == set(Outcome)
    assert {word for word, whom in blamed.items() if whom == "the model"} == MODEL_WIDE


def test_each_preset_is_described() -> None:
    described = {row[0].strip(" `") for row in ROWS if len(row) == 4}
    assert described == set(PRESETS) - {"offline"}
