"""A sweep in a process of its own that is killed at a named place."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from memgardend.core.clock import ManualClock
from memgardend.daemon.failpoints import SetFailpoint
from memgardend.jobs.sweep import sweep
from support.garden import ScriptedModel, make_garden

DEAD = "dead"
"""The host of the process that dies."""


def sweep_and_die(folder: Path, clock: ManualClock, place: str, model: ScriptedModel) -> bool:
    """True when the sweep reached the place, and was killed there."""
    child = os.fork()
    if child == 0:
        try:
            points = SetFailpoint(place, 1, "kill")
            sweep(make_garden(folder, clock=clock, model=model, failpoints=points, name=DEAD))
        finally:
            os._exit(0)
    ended = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL
