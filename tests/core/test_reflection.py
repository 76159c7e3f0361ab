"""Which turn deserves a look back: a table of turns, written as one letter an event."""

from __future__ import annotations

import pytest

from memgardend.core.records import Event
from memgardend.core.reflection import SETTLED_MS, longest_run, turn_to_reflect
from memgardend.core.words import Role

NOW = 1_796_083_200_000
STEPS = 3
_KINDS = {
    "h": (Role.HUMAN, "do it", None),
    "s": (Role.SCRIPT, "do it", None),
    "a": (Role.ASSISTANT, "done", None),
    "c": (Role.TOOL, '{"command": "ls"}', "Bash"),
    "r": (Role.TOOL, "a.txt", "Bash"),
    "p": (Role.TOOL, "pushed", "Make"),
    "m": (Role.OWN, '{"query": "x"}', "mcp__memgardend__memory_search"),
    "b": (Role.OWN, '{"command": "memgardend memories"}', "Bash"),
    "i": (Role.SYSTEM, "[Request interrupted by user]", None),
    "n": (Role.SYSTEM, "the conversation was compacted", None),
    "o": (Role.OWN, "our own", None),
    "R": (Role.REPLAY, "do it", None),
}


def events(written: str, at: int = NOW - 2 * SETTLED_MS) -> list[Event]:
    return [
        Event(
            window="w",
            seq=seq,
            native_id=None,
            at=at + seq,
            received_at=NOW,
            role=_KINDS[letter][0],
            text=_KINDS[letter][1],
            tool=_KINDS[letter][2],
        )
        for seq, letter in enumerate(written, start=1)
    ]


@pytest.mark.parametrize(
    ("written", "turn"),
    [
        ("hcrcrcra", (1, 8)),
        ("scrcrcra", (1, 8)),
        ("hcrcra", None),  # too few
        ("hcccrrra", (1, 8)),  # several at once count each
        ("hpppa", (1, 5)),  # results alone, as programs push them
        ("hcrcrmcra", None),  # the memory begins the count anew
        ("hcrcrcrma", None),  # it has just looked back
        ("hcrcrbcra", None),  # and so does our command in a shell
        ("hcrcrcrba", None),
        ("hcrcrcrao", (1, 8)),
        ("hcrcrmrcrcrcra", (1, 14)),
        ("hcrcrcr", None),  # under way, or cancelled
        ("hcrcrcrai", None),
        ("hcrcrcran", (1, 9)),
        ("hcrcrcrahcra", (1, 8)),  # an earlier turn of the stretch
        ("hcrcrcrahcrcrcra", (9, 16)),  # the last of several, once
        ("hcrahcra", None),  # steps of other turns do not count
        ("hcrhcra", None),
        ("hhcrcrcra", (1, 9)),  # two messages in a row are one question
        ("acrcrcra", None),  # nobody asked
        ("oRcrcrcra", None),
        ("hcrRcrcra", (1, 9)),
        ("", None),
    ],
)
def test_a_finished_turn_with_many_steps(written: str, turn: tuple[int, int] | None) -> None:
    found = turn_to_reflect(events(written), tool_steps=STEPS, now=NOW)
    assert turn == (None if found is None else (found.first_seq, found.last_seq))


def test_an_answer_ends_the_last_turn_only_once_it_stays() -> None:
    fresh = events("hcrcrcra", at=NOW - SETTLED_MS)
    assert turn_to_reflect(fresh, tool_steps=STEPS, now=NOW) is None
    assert turn_to_reflect(fresh, tool_steps=STEPS, now=NOW + SETTLED_MS) is not None
    followed = events("hcrcrcrah", at=NOW - SETTLED_MS)
    assert turn_to_reflect(followed, tool_steps=STEPS, now=NOW) is not None


def test_the_memory_alone_is_no_step() -> None:
    assert longest_run(events("hmmmm")) == 0
    assert longest_run(events("hcrcrmcr")) == 2
