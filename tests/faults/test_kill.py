"""SIGKILL at every named place of a dream: the store is exactly before or exactly after, and it goes on."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.records import Owner
from memgardend.core.words import DreamState, Ending, RoundName
from memgardend.daemon.failpoints import NAMES
from memgardend.jobs.heal import heal
from memgardend.jobs.sweep import sweep
from support.dying import DEAD, sweep_and_die
from support.garden import START, make_garden
from support.story import CountedModel, outcome, told

ROOT = Path(__file__).parents[2]
OTHERS = ("edit.", "import.", "ingest.", "judgement.", "migrate.")  # no dream passes them
DREAM_PLACES = [name for name in NAMES if not name.startswith(OTHERS)]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Counter[str]]:
    folder = tmp_path_factory.mktemp("unbroken")
    model = CountedModel(folder / "ledger")
    garden = make_garden(folder, model=model)
    told(garden)
    assert [one.ending for one in sweep(garden).dreams] == [Ending.APPLIED]
    return outcome(garden), model.counted()


@pytest.mark.parametrize("place", DREAM_PLACES)
def test_killed_anywhere_it_ends_as_if_nothing_had_happened(
    place: str, tmp_path: Path, unbroken: tuple[dict[str, Any], Counter[str]]
) -> None:
    expected, calls = unbroken
    clock = ManualClock(START)
    model = CountedModel(tmp_path / "ledger")
    model.ledger.touch()

    def dead(who: Owner) -> bool:
        return who.host == DEAD

    garden = make_garden(tmp_path, clock=clock, model=model, is_gone=dead)
    told(garden)
    garden.store.close()
    reached = sweep_and_die(tmp_path, clock, place, CountedModel(tmp_path / "ledger"))
    garden = make_garden(tmp_path, clock=clock, model=model, is_gone=dead)
    if place.startswith("round.project"):
        assert not reached  # the project round is skipped: nothing to condense
    else:
        assert reached
    before = [one.state for one in garden.store.dreams()]
    if before not in ([], [DreamState.PENDING]) and reached and place != "commit.after":
        assert before == [DreamState.RUNNING]
        assert not garden.store.memories()
    heal(garden)
    sweep(garden)
    assert outcome(garden) == expected
    assert model.counted() == calls  # no stored answer is paid for twice


def test_every_place_in_the_code_has_a_name_and_the_reverse() -> None:
    """A place that nobody can name is never tested; a name without a place proves nothing."""
    code = "".join(
        file.read_text("utf-8")
        for folder in ("jobs", "daemon")
        for file in (ROOT / folder).rglob("*.py")
    )
    hit = set(re.findall(r'failpoints\.hit\(\s*f?"([^"]+)"', code))
    rounds = {place.replace("{name}", name) for place in hit for name in RoundName}
    assert rounds == set(NAMES)
