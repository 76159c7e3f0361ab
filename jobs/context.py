"""What a job works with: the store of one garden, its settings, and every effect as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from memgardend.config.model import Config, ModelSettings
    from memgardend.core.clock import Clock
    from memgardend.core.ids import Ids
    from memgardend.core.ports import Failpoints, Model, Store
    from memgardend.core.records import Owner
    from memgardend.core.suppression import Suppression
    from memgardend.core.words import Ending, RoundName


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One step of a dream, for a person who watches. `step` is a RoundState, an Ending or `started`."""

    dream: str
    window: str
    step: str
    round: RoundName | None = None
    operations: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Garden:
    """One workspace's garden with everything that its jobs may use."""

    store: Store
    config: Config
    clock: Clock
    ids: Ids
    model: Model
    model_settings: ModelSettings  # of the model that dreams: `delegate.model`, else `model`
    suppression: Suppression
    zone: tzinfo
    slot: Callable[[str], str]  # text of a prompt slot, read at each use
    owner: Owner
    is_gone: Callable[[Owner], bool]
    end_models: Callable[[str], int]  # ends the model processes of a run marker
    failpoints: Failpoints
    key: bytes  # signs the markers in our prompts
    jitter: Callable[[], float]  # in [-1, 1]
    token: Callable[[], str]  # a fresh random word: the fence around transcript text
    watch: Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamReport:
    """How one run of a dream ended."""

    ending: Ending
    dream: str
    window: str
    reason: str | None = None
    error: str | None = None
    hint: str | None = None
    slots_full: bool = False  # nobody can start a dream now: this worker may stop looking
