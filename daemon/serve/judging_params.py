"""The parameters of judgements: captures, consolidations, imports."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, field_validator

from memgardend.core.editorial.importing.progress import ImportProgress
from memgardend.core.editorial.importing.request import MAX_BATCH_CARDS
from memgardend.core.editorial.importing.split import BATCH_CHARS, MIN_BATCH_CHARS
from memgardend.core.editorial.mounted.stored_maintenance import KEY_PREFIX
from memgardend.core.editorial.pages import MAX_PAGE_ITEMS
from memgardend.core.editorial.policies import PolicyName
from memgardend.daemon.serve.params import Judged, Limit, Mounted, Params, Positive, Told

_PROGRESS = TypeAdapter(ImportProgress)


class CaptureParams(Judged):
    """A stretch of conversation. The cards of the garden are the store's to show."""

    window: str
    """The text, already rendered."""
    policy: PolicyName = Field(default=PolicyName.CONVERSATION_CAPTURE, strict=False)
    keep_specifics: bool = False
    buckets: str = ""
    threads: str = ""
    identity: str = ""
    index_cards_limit: Positive = 60
    index_budget_chars: Positive = 16_000
    index_summary_chars: Positive = 400
    material_kind: str = ""
    source: str = ""
    max_cards: Positive | None = None
    idempotency_key: str = ""


class MigrateParams(Told):
    """Cards of an older form."""

    ids: Annotated[list[str], Field(min_length=1, max_length=MAX_PAGE_ITEMS)]
    """The cards that may be touched."""


class MaintenanceParams(Judged):
    """A consolidation of one mount."""

    conversations: str = ""
    """Recent text, the newest last."""
    min_pending: Positive = 1
    """Unreviewed cards from which on it is worth a call."""
    dry_run: bool = False
    key_prefix: str = KEY_PREFIX


class CheckParams(Mounted):
    """Whether a consolidation is due."""

    min_pending: Positive = 1


class SectionParams(Params):
    """A part of the material that is split off already; it is one batch."""

    text: str
    label: str = ""
    occurred_from: str = ""
    occurred_to: str = ""


class ImportParams(Judged):
    """Long material, batch by batch."""

    material: str = ""
    sections: list[SectionParams] = Field(default_factory=list)
    policy: PolicyName = Field(default=PolicyName.HISTORY_IMPORT, strict=False)
    keep_specifics: bool = False
    strategy: Literal["single_pass", "two_pass"] = "single_pass"
    batch_chars: Annotated[int, Field(ge=MIN_BATCH_CHARS)] = BATCH_CHARS
    max_cards: Positive = MAX_BATCH_CARDS
    max_total_cards: Limit | None = None
    fallback_date: str = ""
    key_prefix: str = "import"
    material_kind: str = ""
    source: str = ""
    identity: str = ""
    progress: dict[str, Any] | None = None
    """What an earlier answer gave, to go on from there."""

    @field_validator("progress")
    @classmethod
    def _of_an_import(cls, given: dict[str, Any] | None) -> dict[str, Any] | None:
        if given is None:
            return None
        kept = {name: value for name, value in given.items() if name not in ("done", "percent")}
        return asdict(_PROGRESS.validate_python(kept))


class RunImportParams(ImportParams):
    """And how much of it in one call."""

    max_batches: Positive = 1
