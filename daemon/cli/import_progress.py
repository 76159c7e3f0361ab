"""How far an import is, on stderr: a bar for whoever watches a terminal, nothing for a pipe."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.text import many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@contextmanager
def import_bar(total: int, *, quiet: bool) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """A function to call with the progress after each batch. `quiet`: something else says it."""
    if quiet or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    from memgardend.daemon.cli.output import console_on

    columns = (
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console_on(sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=total)

        def watch(progress: Mapping[str, Any]) -> None:
            cards = many(progress["cards_written"], "card")
            bar.update(task, completed=progress["cursor"], description=cards)

        yield watch
