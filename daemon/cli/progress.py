"""Progress of dreams on stderr, one line a step."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from memgardend.daemon.cli.output import console_on
from memgardend.daemon.screens.progress import step_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.jobs.context import Progress


def watcher() -> Callable[[Progress], None]:
    """A watcher that prints each step as it happens."""
    console = console_on(sys.stderr)
    live = sys.stderr.isatty()

    def watch(progress: Progress) -> None:
        line = step_line(progress, live=live)
        if line is not None:
            with suppress(OSError):  # as in `say`
                console.print(line, soft_wrap=True)

    return watch
