"""What is to be imported, for whom, and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from memgardend.core.editorial.cards import DEFAULT_MOUNT
from memgardend.core.editorial.importing.progress import digest
from memgardend.core.editorial.importing.split import (
    BATCH_CHARS,
    ImportUsageError,
    lay_out,
    split_material,
)
from memgardend.core.editorial.maintenance_request import MissingLocaleError
from memgardend.core.editorial.policies import PolicyName, get_policy
from memgardend.core.editorial.times import normalise_occurred_at
from memgardend.core.editorial.wording import LOCALES

if TYPE_CHECKING:
    from memgardend.core.editorial.cards import Actor
    from memgardend.core.editorial.importing.split import Piece, Section

MAX_BATCH_CARDS = 50
"""Cards out of one batch; a model that writes more of 6 000 characters copies instead of judging."""


class Strategy(StrEnum):
    """How material becomes cards."""

    AT_ONCE = "single_pass"  # each piece becomes cards
    BY_NOTES = "two_pass"  # all pieces become notes first, then the notes cards


@dataclass(frozen=True, kw_only=True)
class ImportRequest:
    """The material of an import, and all that shapes its cards.

    `material` is cut into pieces of `batch_chars`, unless the host brings `sections` of its own. `fallback_date`
    is for cards that the material does not date. Raises ValueError (UsageError) for what cannot be meant.
    """

    locale: str
    material: str = ""
    sections: tuple[Section, ...] = ()
    tenant: str = ""
    owner: str = ""
    mount: str = DEFAULT_MOUNT
    policy: str = PolicyName.HISTORY_IMPORT
    keep_specifics: bool = False
    strategy: Strategy = Strategy.AT_ONCE
    batch_chars: int = BATCH_CHARS
    max_cards: int = MAX_BATCH_CARDS
    max_total_cards: int | None = None
    fallback_date: str = ""
    key_prefix: str = "import"
    material_kind: str = ""
    source: str = ""
    actor: Actor | None = None
    identity: str = ""
    ai_name: str = ""
    user_name: str = ""
    naming_rule: str = ""
    host_note: str = ""

    def __post_init__(self) -> None:
        """Refuse now what would fail in the middle of an import."""
        if not self.locale.strip():
            raise MissingLocaleError(
                "an import needs the garden's locale", hint=f"one of: {', '.join(LOCALES)}"
            )
        get_policy(self.policy)
        if self.max_cards < 1 or (self.max_total_cards is not None and self.max_total_cards < 0):
            raise ImportUsageError("a limit on cards is 1 or more", hint="max_cards=50")
        _whole_date(self.fallback_date)

    @property
    def fallback(self) -> str:
        """The date for undated cards, where the policy keeps dates at all; else empty."""
        return _whole_date(self.fallback_date) if get_policy(self.policy).keeps_dates else ""

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The material in pieces, blank ones included."""
        if self.sections:
            return tuple(lay_out(self.sections))
        return tuple(split_material(self.material, self.batch_chars))

    @cached_property
    def source_digest(self) -> str:
        """What the material is, with the host's cuts and labels."""
        told = [[one.text, one.label, one.occurred_from, one.occurred_to] for one in self.pieces]
        return digest(told if self.sections else self.material)

    @cached_property
    def fingerprint(self) -> str:
        """What the import is: material, garden and options; a note of the host's may change on the way."""
        return digest(
            [self.source_digest, self.tenant, self.owner, self.mount, self.locale, self.policy],
            [self.material_kind, self.ai_name, self.user_name, self.naming_rule, self.identity],
            [self.key_prefix, self.strategy, self.batch_chars, self.max_cards],
            [self.keep_specifics, self.max_total_cards, self.fallback_date, self.source],
        )


def _whole_date(text: str) -> str:
    try:
        return normalise_occurred_at(text) if text.strip() else ""
    except ValueError as error:
        raise ImportUsageError(
            f"`{text}` is no whole date", hint="fallback_date='2019-05-31'"
        ) from error
