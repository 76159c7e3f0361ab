"""What a host says when it asks for a consolidation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import DEFAULT_MOUNT
from memgardend.core.editorial.dream_render import DreamCaps
from memgardend.core.editorial.fuse import Fuse
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class MissingLocaleError(UsageError, ValueError):
    """Nobody said in which language the garden is kept, and none is right by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceRequest:
    """A garden to be looked at. Raises MissingLocaleError for a blank locale.

    `cards` are all of the garden's, retired ones included; those of other mounts are left alone. `ledger` is
    the state that the store keeps for the mount, {} when it has none. `conversations` is recent text, newest
    last. `min_pending`: unreviewed cards from which on it is worth a call. A dry run asks the model and
    gives nothing to commit.
    """

    cards: Sequence[Mapping[str, Any]]
    locale: str
    ledger: Mapping[str, Any] = field(default_factory=dict)
    mount: str = DEFAULT_MOUNT
    conversations: str = ""
    ai_name: str = ""
    user_name: str = ""
    naming_rule: str = ""
    host_note: str = ""
    min_pending: int = 1
    caps: DreamCaps = field(default_factory=DreamCaps)
    fuse: Fuse = field(default_factory=Fuse)
    dry_run: bool = False

    def __post_init__(self) -> None:
        """Refuse to choose a language."""
        if not self.locale.strip():
            raise MissingLocaleError(
                "a consolidation needs the garden's locale", hint=f"one of: {', '.join(LOCALES)}"
            )
