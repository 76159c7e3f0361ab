"""A conversation that fits no single prompt: over its dreams every event is shown exactly once."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memgardend.core.clock import DAY_MS, HOUR_MS, ManualClock
from memgardend.core.plan import Plan
from memgardend.core.ports import Store
from memgardend.core.words import DreamState, Role
from memgardend.jobs import planning
from memgardend.jobs.context import Garden
from memgardend.jobs.heal import heal
from memgardend.jobs.sweep import sweep
from support.conversation import say, window_id
from support.garden import START, ScriptedModel, make_garden

ROLES = (Role.HUMAN, Role.ASSISTANT, Role.ASSISTANT, Role.TOOL, Role.TOOL, Role.SYSTEM, Role.OWN)
NEWS = frozenset(ROLES) - {Role.OWN}
TURNS = st.tuples(st.sampled_from(ROLES), st.integers(1, 2_000) | st.integers(2_000, 32_000))


class DeathError(BaseException):
    """The process ends here: nothing in the program may catch it."""


@dataclass
class Dying:
    """Ends the process at the n-th named place that it passes; 0: never."""

    left: int = 0

    def hit(self, name: str) -> None:
        self.left -= 1
        if self.left == 0:
            raise DeathError(name)


def tell(store: Store, turns: list[tuple[Role, int]]) -> None:
    """One conversation of these turns, long quiet; a person has the last word, so that all of it is due."""
    for number, (role, chars) in enumerate([*turns, (Role.HUMAN, 9)]):
        text = f"turn {number}: {'plain words ' * (chars // 12 + 1)}"[:chars]
        say(store, "long", text, at=START - 9 * HOUR_MS + number, role=role)


def shown(store: Store) -> Counter[int]:
    """How often each event was shown as new by the dreams that are done."""
    done = store.dreams(states=(DreamState.APPLIED, DreamState.EMPTY))
    plans = [Plan.from_json(one.plan) for one in done if one.plan]
    return Counter(event.seq for plan in plans for event in plan.events if not event.prelude)


def news(store: Store) -> Counter[int]:
    """Each event that a dream must be shown, once."""
    return Counter(one.seq for one in store.events(window_id("long")) if one.role in NEWS)


@settings(max_examples=10, deadline=None)
@given(
    turns=st.lists(TURNS, max_size=12),
    limit_chars=st.integers(20_000, 40_000),
    deaths=st.lists(st.integers(1, 40), max_size=2),
    page_events=st.integers(1, 5),
)
@example(turns=[(Role.ASSISTANT, 9_000)] * 8, limit_chars=20_000, deaths=[12, 9], page_events=3)
@example(turns=[], limit_chars=20_000, deaths=[4, 2], page_events=1)
def test_every_event_is_shown_exactly_once_whatever_dies_in_between(
    turns: list[tuple[Role, int]], limit_chars: int, deaths: list[int], page_events: int
) -> None:
    clock, model = ManualClock(START), ScriptedModel()
    yaml = f"model: {{max_prompt_chars: {limit_chars}}}\ndream: {{suppress_windows: []}}"
    with tempfile.TemporaryDirectory() as folder:

        def process(name: str, left: int) -> Garden:
            return make_garden(
                Path(folder),
                clock=clock,
                model=model,
                yaml=yaml,
                name=name,
                failpoints=Dying(left),
                is_gone=lambda owner: True,
            )

        first = process("teller", 0)
        tell(first.store, turns)
        first.store.close()
        for number, left in enumerate([*deaths, 0]):
            garden = process(f"p{number}", left)
            with suppress(DeathError), patch.object(planning, "PAGE_EVENTS", page_events):
                heal(garden)
                clock.advance(DAY_MS)  # who died twice has to wait
                sweep(garden)
            expected, seen = news(garden.store), shown(garden.store)
            garden.store.close()
    assert seen == expected
    assert all(len(call.prompt) <= limit_chars for call in model.calls)
