"""What one ingest found, and what it could not read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.records import IngestResult


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that could not be read, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class IngestReport:
    """What one ingest found. `files` counts those that were read, `old` windows registered without events.

    `compressed` files were never read; `homeless` conversations name no folder, so they belong to no workspace.
    """

    files: int = 0
    events: int = 0
    duplicates: int = 0
    replays: int = 0
    unreadable: int = 0
    old: int = 0
    compressed: int = 0
    homeless: int = 0
    new_windows: int = 0
    problems: list[FileProblem] = field(default_factory=list)

    def add(self, result: IngestResult) -> None:
        """Count what one batch did."""
        self.events += result.accepted
        self.duplicates += result.duplicate
        self.replays += result.replays
