"""The workers of a race: `python racer.py FOLDER LEDGER COUNT` forks so many, each of which sweeps once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from memgardend.core.clock import SystemClock
from memgardend.jobs.heal import heal
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all
from support.garden import Answer, ScriptedModel, make_garden


def main(folder: Path, ledger: Path, name: str) -> None:
    """Heal and sweep once; note every model call in one short append, which is atomic."""

    def script(request: dict[str, Any]) -> Answer:
        line = f"{request['window']['id']} {request['round']} {name}\n"
        descriptor = os.open(ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(descriptor, line.encode())
        os.close(descriptor)
        return keep_all()(request)

    garden = make_garden(
        folder,
        clock=SystemClock(),
        model=ScriptedModel(script),
        name=name,
        yaml="dream: {suppress_windows: [], max_concurrent: 4}\nbudget: {calls_per_day: null}\n",
    )
    heal(garden)
    sweep(garden)
    garden.store.close()


def start(folder: Path, ledger: Path, count: int) -> int:
    """Let so many run at once; how many failed."""
    children = []
    for number in range(count):
        if (child := os.fork()) == 0:
            main(folder, ledger, f"racer-{number}")
            sys.exit(0)
        children.append(child)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


if __name__ == "__main__":
    sys.exit(start(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
