"""A conversation of 40 MB, ingested and dreamed whole: how many dreams, how large, in how much memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

from figures import Figure, hand_over, peak_mib, seconds, silence_logs
from ingest import read_into
from transcripts import MEGABYTE, write_transcripts

from memgardend.core.clock import ManualClock
from memgardend.core.words import Ending
from memgardend.jobs.sweep import sweep
from support.garden import START, ScriptedModel, make_garden

MEGABYTES = 40


class MeasuringModel(ScriptedModel):
    """Finds nothing worth keeping; remembers only how long the longest prompt was."""

    longest = 0

    def ask(self, call, tick):  # type: ignore[no-untyped-def]
        self.longest = max(self.longest, len(call.prompt))
        reply = super().ask(call, tick)
        self.calls.clear()
        self.requests.clear()
        return reply


def main() -> None:
    """Measure."""
    silence_logs()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_transcripts(folder / "agent", MEGABYTES * MEGABYTE, 1)
        model = MeasuringModel()
        garden = make_garden(folder, clock=ManualClock(START), model=model)
        read_into(garden.store, folder / "agent", garden.clock)
        endings: list[Ending] = []
        took = seconds(lambda: endings.extend(one.ending for one in sweep(garden).dreams), repeat=1)
        assert set(endings) == {Ending.EMPTY}
        assert not garden.store.windows_with_news()
        limit_chars = garden.model_settings.max_prompt_chars
        hand_over(
            [
                Figure("longest prompt beside its limit", model.longest / limit_chars, "×", 1),
                Figure("peak memory of the process", peak_mib(), "MiB", 128),
                Figure("dreams", len(endings), "dreams"),
                Figure("time of a dream", 1000 * took / len(endings), "ms"),
            ]
        )


if __name__ == "__main__":
    main()
