"""Choosing fifty due windows among a hundred thousand beside among a thousand; status on as many."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from pathlib import Path

from figures import Figure, hand_over, seconds

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.jobs.context import Garden
from memgardend.jobs.look.outlook import Outlook
from memgardend.jobs.look.status import status_document
from memgardend.jobs.start import judge_window
from memgardend.jobs.sweep import quiet_windows
from support.garden import START, make_garden

DUE = 50
SMALL, LARGE = 1_000, 100_000


def filled(folder: Path, windows: int) -> Garden:
    """A store of so many windows: fifty with news, the others dreamed long ago."""
    folder.mkdir()
    clock = ManualClock(START)
    garden = make_garden(folder, clock=clock)
    garden.store.close()
    database = sqlite3.connect(folder / ".memgarden" / "memory.db")
    at = START - 9 * HOUR_MS
    database.executemany(
        """INSERT INTO windows (garden, id, source, native_id, first_event_at, last_event_at,
            last_speech_at, last_seq, last_speech_seq, dreamed_seq, rev)
        VALUES ('garden', ?, 'event', ?, ?, ?, ?, 2, 2, ?, 1)""",
        (
            (f"event:w{n}", f"w{n}", at, at - n, at - n, 0 if n % (windows // DUE) == 0 else 2)
            for n in range(windows)
        ),
    )
    database.executemany(
        """INSERT INTO events (garden, window, seq, native_id, at, received_at, role, text)
        VALUES ('garden', ?, ?, ?, ?, ?, 'human', 'The staging port is 8080.')""",
        ((f"event:w{n}", seq, f"w{n}-{seq}", at - n, at) for n in range(windows) for seq in (1, 2)),
    )
    database.commit()
    database.close()
    return make_garden(folder, clock=clock)


def choose(garden: Garden) -> int:
    """What a sweep does before it dreams: find the quiet windows with news and judge each."""
    chosen = 0
    for window in quiet_windows(garden):
        facts = garden.store.window_facts(window)[0]
        chosen += judge_window(garden, facts).may
    assert chosen == DUE
    return chosen


def look(garden: Garden) -> None:
    """The whole status document."""
    outlook = Outlook(
        store=garden.store,
        config=garden.config,
        workspace="bench",
        suppression=garden.suppression,
        now_ms=START,
        driven=False,
    )
    document = status_document(outlook, START)
    assert len(json.dumps(document)) > 0


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as name:
        small, large = filled(Path(name) / "s", SMALL), filled(Path(name) / "l", LARGE)
        few, many = seconds(lambda: choose(small)), seconds(lambda: choose(large))
        status_few, status_many = seconds(lambda: look(small)), seconds(lambda: look(large), 1)
        hand_over(
            [
                Figure("50 due windows among 100 000 beside among 1 000", many / few, "×", 2),
                Figure(
                    "status of 100 000 windows beside 1 000 (100 × the windows)",
                    status_many / status_few,
                    "×",
                    150,
                ),
                Figure("status of 100 000 windows", status_many, "s"),
            ]
        )


if __name__ == "__main__":
    main()
