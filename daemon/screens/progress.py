"""One line for each step of a dream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from memgardend.core.words import RoundState
from memgardend.daemon.screens.text import clean, many
from memgardend.daemon.screens.words import mark, style

if TYPE_CHECKING:
    from memgardend.jobs.context import Progress


def step_line(progress: Progress, *, live: bool) -> Text | None:
    """What just happened; None for steps that nobody need see. `live`: a person watches a terminal."""
    if progress.step == "started":
        return Text(f"Dreaming {clean(progress.window)}")
    if progress.round is None:
        return Text(f"{mark(progress.step)} {progress.step}", style(progress.step))
    if progress.step == RoundState.ANSWERED or (progress.step == RoundState.ASKED and not live):
        return None
    line = Text(f"  {mark(progress.step)} ", style(progress.step))
    line.append(f"{progress.round:<8}{progress.step}", "not bold default")
    if progress.step == RoundState.STAGED:
        done = many(progress.operations, "operation")
        line.append(f"  {done}, {progress.refused} refused", "dim")
    return line
