"""A process that dreams what is due in folders: `python dreamer.py FOLDER[:CALLS] ...`. Fault injectors run it.

Each folder is dreamed by a fork, whose calls the injector counts from 1. So that one injector reaches another
call of each, it makes so many calls of every kind first, which write nothing.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from memgardend.core.clock import ManualClock
from memgardend.core.errors import StoreUnavailableError
from memgardend.jobs.sweep import sweep
from support.garden import START, make_garden
from support.story import CountedModel

UNAVAILABLE = 75


def main(*folders: str) -> int:
    """The worst exit code of the dreams that were not killed."""
    codes = []
    for name in folders:
        child = os.fork()
        if child == 0:
            folder, _, calls = name.partition(":")
            _pass_by(int(calls or 0))
            sys.exit(dream(Path(folder)))
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    return 1 if 1 in codes else max(0, *codes)


def dream(folder: Path) -> int:
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


def _pass_by(calls: int) -> None:
    nothing = os.memfd_create("nothing")
    for _ in range(calls):
        os.pwrite(nothing, b"", 0)
        os.ftruncate(nothing, 0)
        os.fsync(nothing)
        os.fdatasync(nothing)
        with contextlib.suppress(FileNotFoundError):
            os.unlink("")  # noqa: PTH108 - a path of pathlib is never empty
    os.close(nothing)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
