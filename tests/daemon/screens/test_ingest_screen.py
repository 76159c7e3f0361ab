"""What `ingest` says of what it read, and where to look then."""

from __future__ import annotations

from typing import Any

import pytest

from memgardend.daemon.screens.feed import ingest_lines

NOTHING: dict[str, Any] = dict.fromkeys(
    (
        *("files", "events", "duplicates", "replays", "unreadable"),
        *("old", "compressed", "homeless", "new_windows"),
    ),
    0,
)


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ({}, ["0 new events in 0 changed files, 0 new windows."]),
        (
            {"files": 1, "events": 2, "new_windows": 1, "replays": 3},
            [
                "2 new events in 1 changed file, 1 new window, 3 repeated from other windows.",
                "To see them, try: memgardend windows -w work",
            ],
        ),
        (
            {"files": 1, "new_windows": 1, "old": 1, "compressed": 2},
            [
                "0 new events in 1 changed file, 1 new window, 1 of them old.",
                "2 compressed files not read.",
                "To see them, try: memgardend windows -w work",
            ],
        ),
        (
            {"compressed": 1},
            [
                "0 new events in 0 changed files, 0 new windows.",
                "1 compressed file not read.",
                "For what was not read, try: memgardend doctor -w work",
            ],
        ),
        (
            {"homeless": 1},
            [
                "0 new events in 0 changed files, 0 new windows.",
                "1 conversation left out: no folder is named.",
                "For what was not read, try: memgardend doctor -w work",
            ],
        ),
        (
            {"files": 1, "unreadable": 2},
            [
                "0 new events in 1 changed file, 0 new windows, 2 unreadable lines.",
                "For what was not read, try: memgardend doctor -w work",
            ],
        ),
    ],
)
def test_a_hint_leads_to_what_there_is_to_see(read: dict[str, int], said: list[str]) -> None:
    assert [line.plain for line in ingest_lines(NOTHING | read, None, " -w work")] == said
