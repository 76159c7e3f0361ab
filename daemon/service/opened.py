"""A workspace of the daemon while it can be worked on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memgardend.daemon.service.hook_settings import HookSettings

if TYPE_CHECKING:
    from memgardend.daemon.garden import Workspace
    from memgardend.daemon.service.scan import Scan
    from memgardend.jobs.context import Garden


@dataclass(slots=True)
class Open:
    """What is open. `settings`: the mark of the settings file as it was read; `seen`: the mark of each source."""

    place: Workspace
    garden: Garden
    settings: str
    seen: dict[str, tuple[int, int]] = field(default_factory=dict)
    problems: bool = False  # some of it could not be read
    hooks: HookSettings = field(init=False)

    def __post_init__(self) -> None:
        self.hooks = HookSettings(self.place, self.settings)

    def mark(self, scan: Scan) -> tuple[int, int]:
        """What must have changed before the source is read again; after problems also a mere listing."""
        return scan.version, scan.rounds if self.problems else 0
