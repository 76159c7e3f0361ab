"""What the library is asked and what it answers: requests, results with their words, steps on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from memgardend.core.editorial.cards import DEFAULT_MOUNT
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.core.editorial.cards import Actor, Card
    from memgardend.core.editorial.mutations import Mutation

RESULT_SCHEMA = 1


class Reason(StrEnum):
    """Why nothing was written although nothing failed."""

    NOTHING_WORTH_KEEPING = "nothing_worth_keeping"
    NOT_NEEDED = "not_needed"
    DRY_RUN = "dry_run"
    NOTHING_TO_MIGRATE = "nothing_to_migrate"
    ALREADY_APPLIED = "already_applied"
    CANDIDATES_RECORDED = "candidates_recorded"


class ErrorWord(StrEnum):
    """Everything that can go wrong, each once: the part of an error before its colon."""

    LOCALE_REQUIRED = "locale_required"
    UNKNOWN_LOCALE = "unknown_locale"
    EMPTY_TEXT = "empty_text"
    NO_JSON_OBJECT = "no_json_object"
    JSON_DECODE_ERROR = "json_decode_error"
    MISSING_CARDS_LIST = "missing_cards_list"
    MISSING_CONSOLIDATIONS_LIST = "missing_consolidations_list"
    MISSING_UPGRADES_LIST = "missing_upgrades_list"
    MISSING_CANDIDATES_LIST = "missing_candidates_list"
    TOO_MANY_CARDS = "too_many_cards"
    INVALID_CARD_CONTENT = "invalid_card_content"
    INVALID_CARD_CONTENT_AFTER_RETRY = "invalid_card_content_after_retry"
    TRUNCATED_REPLY = "truncated_reply"
    MODEL_FAILED = "model_failed"
    MAINTENANCE_BUDGET_TOO_SMALL = "maintenance_budget_too_small"
    MAINTENANCE_TARGETS_REJECTED = "maintenance_targets_rejected"
    MAINTENANCE_FUSE_BLOWN = "maintenance_fuse_blown"
    EXPECTED_REVISION_REQUIRED = "expected_revision_required"
    REVISION_CONFLICT = "revision_conflict"
    IDEMPOTENCY_CONFLICT = "idempotency_conflict"
    PARTIAL_FAILURE = "partial_failure"
    MUTATION_REJECTED = "mutation_rejected"
    INVALID_MUTATION = "invalid_mutation"
    STORAGE_LACKS_CAPABILITIES = "storage_lacks_capabilities"
    STORAGE_FAILED = "storage_failed"
    TARGET_MOUNT_MISMATCH = "target_mount_mismatch"
    RECORD_NOT_FOUND = "record_not_found"
    RECORD_ID_REQUIRED = "record_id_required"
    REQUESTED_BY_REQUIRED = "requested_by_required"
    ALLOWED_IDS_REQUIRED = "allowed_ids_required"
    SUMMARY_AND_CONTENT_REQUIRED = "summary_and_content_required"
    RECORD_CHANGED = "record_changed"
    INVALID_ARGUMENT = "invalid_argument"
    QUERY_REQUIRED = "query_required"
    UNKNOWN_TOOL = "unknown_tool"
    SEARCH_REQUIRES_HOST_STORE = "search_requires_host_store"
    READ_REQUIRES_HOST_STORE = "read_requires_host_store"


class Failure(str):
    """An error as results carry it: `word`, or `word:detail`. A text that knows its word; never any content."""

    __slots__ = ("word",)
    word: ErrorWord

    def __new__(cls, word: ErrorWord, detail: str = "") -> Self:
        """The error of this word."""
        failure = super().__new__(cls, f"{word}:{detail}" if detail else str(word))
        failure.word = word
        return failure

    def __getnewargs__(self) -> tuple[ErrorWord, str]:  # type: ignore[override]
        """How copies and pickles make it again: `str` would pass the whole text as the word."""
        return self.word, self.detail

    @property
    def detail(self) -> str:
        """What follows the colon: counts, reasons or the name of an exception."""
        return self.partition(":")[2]


class Outcome(StrEnum):
    """How judging a piece of text ended. Failed: it stays to be read; the other two: it is done with."""

    WRITTEN = "written"
    EMPTY = "empty"
    FAILED = "failed"


class StepKind(StrEnum):
    """What just happened inside a judgement."""

    PROMPT_BUILT = "prompt_built"
    MODEL_CALLED = "model_called"
    PARSED = "parsed"
    RETRYING = "retrying"
    DROPPED = "dropped"
    DONE = "done"


class Purpose(StrEnum):
    """What the model is asked for."""

    CAPTURE = "capture"
    DREAM = "dream"
    MIGRATE = "migrate"
    IMPORT_CANDIDATES = "import_candidates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that happened: `detail` holds counts and words only, texts stand in `prompt` and `reply`."""

    kind: StepKind
    purpose: Purpose
    attempt: int  # of the model calls, from 1; 0 before the first
    detail: Mapping[str, Any] = field(default_factory=dict)
    prompt: str = ""
    reply: str = ""


OnStep: TypeAlias = "Callable[[Step], None]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What a model said. `truncated`: the host knows that it was cut off by the length limit."""

    text: str
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureRequest:
    """A stretch of conversation or material to be judged.

    `existing_cards`: None leaves targets unchecked and the prompt alone; a list, even an empty one, is shown
    as an index (unless `cards` holds one already), and only its ids may be targets. The texts `buckets`,
    `threads`, `identity` and `cards` are shown as they are.
    """

    window: str
    locale: str
    policy: str | None = None
    keep_specifics: bool = False  # history_import: concrete one-off facts of the person's life stay
    mount: str = DEFAULT_MOUNT
    actor: Actor | None = None
    buckets: str = ""
    threads: str = ""
    identity: str = ""
    cards: str = ""
    existing_cards: tuple[Mapping[str, Any], ...] | list[Mapping[str, Any]] | None = None
    index_cards_limit: int = 60
    index_budget_chars: int = 16_000
    index_summary_chars: int = 400
    ai_name: str = ""
    user_name: str = ""
    naming_rule: str = ""
    material_kind: str = ""
    source: str = ""
    max_cards: int | None = None
    host_note: str = ""
    idempotency_key: str = ""

    def __post_init__(self) -> None:
        """Raises UsageError for a limit below 1."""
        limits = (self.index_cards_limit, self.index_budget_chars, self.index_summary_chars)
        if min(limits) < 1 or (self.max_cards is not None and self.max_cards < 1):
            raise UsageError(
                "the limits of a capture are at least 1", hint="leave out what has no limit"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureResult:
    """What a judgement came to. `cards` are those of the mutations, with `action` and `target_id`."""

    mutations: tuple[Mutation, ...] = ()
    cards: tuple[Card, ...] = ()
    retried: bool = False
    error: Failure | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)  # counts and words, never content

    @property
    def outcome(self) -> Outcome:
        """Written, empty or failed: never two of them."""
        if self.error is not None:
            return Outcome.FAILED
        return Outcome.WRITTEN if self.mutations else Outcome.EMPTY

    @property
    def nothing_worth_keeping(self) -> bool:
        """True when it was read and nothing in it is worth a card."""
        return self.outcome is Outcome.EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceCheck:
    """Whether a consolidation is due, and why or why not."""

    needed: bool
    reason: str
    error: Failure | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceResult:
    """What a consolidation came to. `questions` are those that the model wants a person to answer.

    `ledger` is the state to commit in one step with the mutations, even where there are none of these;
    without one, the ledger stays as it is.
    """

    needed: bool
    mutations: tuple[Mutation, ...] = ()
    consolidations: tuple[Mapping[str, Any], ...] = ()
    questions: tuple[str, ...] = ()
    ledger: Mapping[str, Any] | None = None
    error: Failure | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationReceipt:
    """What became of a request in a store. `written`: cards are, and for good.

    `questions` are those that a consolidation wants a person to answer.
    """

    written: bool
    record_ids: tuple[str, ...] = ()
    revision: str = ""
    reason: Reason | None = None
    error: Failure | None = None
    questions: tuple[str, ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)
    schema_version: int = RESULT_SCHEMA
