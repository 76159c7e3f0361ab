"""What looking at a workspace needs: its store, its settings, and no means to change anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.jobs.shared import shared_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.config.model import Config
    from memgardend.core.gates import SharedState
    from memgardend.core.ports import Store
    from memgardend.core.records import Owner
    from memgardend.core.suppression import Suppression


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why the daemon cannot tend a workspace, when it tries again (epoch ms), and what a person can type."""

    text: str
    retry_at: int
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """A workspace as it is looked at now. `driven`: our time is set by MEMGARDEND_CLOCK.

    `trouble`: what keeps the daemon that runs from tending it. `settings`: the mark of the settings file, by which
    a daemon that has read another one is known; `hooks_lag` tells whether hooks go by another one.
    `model_agreed`: whether the person agreed to the model command as it is now.
    """

    store: Store
    config: Config
    suppression: Suppression
    now_ms: int
    driven: bool
    workspace: str
    trouble: Trouble | None = None
    settings: str = ""
    hooks_lag: Callable[[], bool] = lambda: False
    model_agreed: Callable[[], bool] = lambda: True
    is_gone: Callable[[Owner], bool] = lambda owner: False  # whether a process is provably gone

    def shared(self, at: int) -> SharedState:
        """What all windows share, for judging at an instant."""
        return shared_state(self.store, self.config, at)
