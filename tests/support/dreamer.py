"""A process that dreams what is due in a folder: `python dreamer.py FOLDER`. Fault injectors run it."""

from __future__ import annotations

import sys
from pathlib import Path

from memgardend.core.clock import ManualClock
from memgardend.core.errors import StoreUnavailableError
from memgardend.jobs.sweep import sweep
from support.garden import START, make_garden
from support.story import CountedModel

UNAVAILABLE = 75


def main(folder: Path) -> int:
    """Sweep once under the name `dead`, whose leases anybody may take."""
    try:
        garden = make_garden(
            folder, clock=ManualClock(START), model=CountedModel(folder / "ledger"), name="dead"
        )
        sweep(garden)
        garden.store.close()
    except StoreUnavailableError as error:
        sys.stderr.write(f"{error}\n")
        return UNAVAILABLE
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
