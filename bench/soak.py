"""A month of the daemon on the driven clock, with a thousand windows: does it grow?"""

from __future__ import annotations

import json
import os
import re
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from figures import Figure, hand_over, silence_logs

from memgardend.core.clock import DAY_MS, HOUR_MS
from memgardend.daemon.service.rest import rest, settle
from support.conversation import keep_all
from support.garden import START, ScriptedModel
from support.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.ports import ModelCall, ModelReply

DAYS, WINDOWS = 30, 1_000
EARLY, LATE = slice(2, 7), slice(25, 30)
"""Five days around the fifth, and the last five: memory swings by a few MiB from day to day."""
IN_MEMORY = Path("/dev/shm")  # the files of the store: a disk would only make it slow
YAML = "locale: en\nsources: [{kind: jsonl, path: logs/*.jsonl}]\n"
TURNS = 10
FILES_KEPT_MS = 3 * DAY_MS


class Forgetful(ScriptedModel):
    """Keeps what people say, and no list of its own calls, which would grow."""

    def __init__(self) -> None:
        super().__init__(keep_all())
        self.asked = 0

    def ask(self, call: ModelCall, tick: Callable[[], bool]) -> ModelReply:
        """Count the call, and answer."""
        reply = super().ask(call, tick)
        self.asked += 1
        self.calls.clear()
        self.requests.clear()
        return reply


def resident_mib() -> float:
    """What this process holds now (proc(5))."""
    found = re.search(r"^VmRSS:\s+(\d+) kB$", Path("/proc/self/status").read_text("ascii"), re.M)
    assert found is not None
    return int(found[1]) / 1024


def descriptors() -> int:
    """How many files are open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def speak(logs: Path, now: int, first: int, last: int) -> None:
    """Some windows are talked in, and the agent answers; after three days it deletes their files."""
    for number in range(first, last):
        at = now - (number - first) * 60_000
        said = [("user", f"I always want port {number} for service {number}.")]
        said += [
            ("assistant", f"Step {step} of service {number} is done.") for step in range(TURNS)
        ]
        lines = (
            json.dumps({"role": role, "content": text, "timestamp": at - (TURNS - turn) * 1000})
            for turn, (role, text) in enumerate(said)
        )
        file = logs / f"{number}.jsonl"
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        os.utime(file, (at / 1000, at / 1000))
    for file in logs.iterdir():
        if file.stat().st_mtime < (now - FILES_KEPT_MS) / 1000:
            file.unlink()


def main() -> None:
    """Measure."""
    silence_logs()
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        model = Forgetful()
        serving = Serving(Path(name), model=model, on_disk=True, rest=rest)
        os.environ["XDG_STATE_HOME"] = name
        logs = serving.workspace(yaml=YAML) / "logs"
        logs.mkdir()
        settle()
        serving.service.open()
        resident, opened = [], []
        for day in range(DAYS):
            first, last = WINDOWS * day // DAYS, WINDOWS * (day + 1) // DAYS
            speak(logs, serving.clock.now_ms(), first, last)
            serving.clock.suspend(7 * HOUR_MS)
            serving.pass_time(DAY_MS - 7 * HOUR_MS)
            resident.append(resident_mib())
            opened.append(descriptors())
        assert serving.clock.now_ms() == START + DAYS * DAY_MS
        dreams = serving.garden().store.dreams()
        assert len(dreams) == WINDOWS
        growth = statistics.median(resident[LATE]) / statistics.median(resident[EARLY])
        hand_over(
            [
                Figure(
                    "resident memory in the last days beside that around day 5",
                    growth,
                    "×",
                    1.05,
                ),
                Figure("resident memory on day 30", resident[-1], "MiB"),
                Figure(
                    "open files on day 30 beside day 5",
                    opened[-1] / opened[4],
                    "×",
                    1,
                ),
                Figure("dreams", len(dreams), "dreams"),
                Figure("model calls", model.asked, "calls"),
            ]
        )


if __name__ == "__main__":
    main()
