"""What a message calls up: what is asked, and what is put beside it. Times are epoch milliseconds, UTC."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from memgardend.core.clock import Clock
    from memgardend.core.editorial.selection import SelectionPolicy
    from memgardend.core.errors import StoreUnavailableError
    from memgardend.core.ports.recall import RecallStore


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """The settings that shape recall. Empty names are replaced by the pack's words."""

    locale: str
    zone: tzinfo
    hit_top_k: int = 2
    first_turn_chars: int = 6000
    assistant: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallContext:
    """All that recall works with. `key` signs what is injected, `clock` measures; `policy` None: ours.

    `unnoted` is told of the window whose marks cannot be written, and the answer comes; None: that is raised.
    """

    store: RecallStore
    settings: RecallSettings
    slot: Callable[[str], str]  # text of a prompt slot, read at each use
    key: bytes
    clock: Clock
    policy: SelectionPolicy | None = None
    policy_name: str = ""  # what the settings call it
    unnoted: Callable[[str, StoreUnavailableError], None] | None = None


class InjectionKind(StrEnum):
    """What is put before a message."""

    BLOCK = "block"
    HITS = "hits"
    REINJECTION = "reinjection"


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """A message of ours to put beside the person's, never into it. `ids`: the memories that it shows."""

    kind: InjectionKind
    text: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message that a person has typed into a window. `project`: the id of the one that the window works in."""

    window: str
    at: int
    text: str = ""
    project: str | None = None
