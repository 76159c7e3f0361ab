"""The offline consolidator in a garden whose language it has no rules for: each turn by its own language."""

from __future__ import annotations

import pytest

from memgardend.core.extract import consolidate, parse_request
from memgardend.core.plan import view_of
from memgardend.core.prompt import Asking
from memgardend.core.words import RoundName
from support import dreaming
from support.dreaming import ALPHA, FENCE, MARKER, WINDOW, event, plan
from support.prompts import requested

SAID = [
    "I prefer tea to coffee.",
    "以后都用简体中文回答我。",
    "Le port de préproduction est bien le 9090 désormais, merci de le noter.",
]


@pytest.mark.parametrize(
    ("round_name", "kept"),
    [(RoundName.ATOMIC, SAID[:2]), (RoundName.TOPIC, [f"- {text}" for text in SAID])],
)
def test_a_garden_without_rules_of_its_own(round_name: RoundName, kept: list[str]) -> None:
    events = [event(seq, text) for seq, text in enumerate(SAID, 1)]
    dream = plan(events)
    asked = requested(
        Asking(
            dreaming.slots,
            round_name,
            dream,
            view_of(dream, events, []),
            WINDOW,
            (ALPHA,),
            dreaming.settings(locale="fr"),
            FENCE,
            MARKER,
        ),
        "r",
    )
    answer = consolidate(parse_request(asked))
    lines = [line for one in answer["operations"] for line in one["content"].splitlines()]
    assert lines == kept
    assert "No rules for fr" in answer["summary"]
