"""The least max_prompt_chars: known before any window is claimed, and enough for every window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.cutting import ROOM_MIN_CHARS
from memgardend.core.errors import ConfigError
from memgardend.core.least import require_room
from memgardend.core.prompt import frame_chars
from memgardend.core.records import Project
from support.dreaming import WINDOW, pack, settings

LEAST = {"en": 18_500, "zh-Hans": 12_500}


def short(slot: str) -> str:
    """Prompts of a person who uses a model that reads little."""
    kept = {"labels": pack("en")(slot)} if slot == "labels" else {"reask": "{{problems}}"}
    return kept.get(slot, "Remember. {{seal}} {{zone}} {{fence}}")


@pytest.mark.parametrize("locale", LEAST)
def test_the_built_in_prompts_fit_a_model_that_reads_eight_thousand_tokens(locale: str) -> None:
    require_room(pack(locale), settings(LEAST[locale], locale=locale))
    with pytest.raises(ConfigError, match="is 11000: these prompts need"):
        require_room(pack(locale), settings(11_000, locale=locale))


def test_short_prompts_of_ones_own_fit_a_shorter_one() -> None:
    require_room(short, settings(10_000))


@given(
    title=st.text(max_size=400),
    names=st.lists(st.text(min_size=1, max_size=200), max_size=40),
    source=st.text(alphabet="abc", min_size=1, max_size=100),
)
def test_no_window_needs_more(title: str, names: list[str], source: str) -> None:
    within = settings(LEAST["en"])
    projects = [Project(id=f"p{number}", name=name) for number, name in enumerate(names)]
    window = replace(WINDOW, title=title, source=source, project="p0" if names else None)
    assert frame_chars(pack("en"), window, projects, within) <= LEAST["en"] - ROOM_MIN_CHARS
