"""Every error that the service answers: a code that stays the same, and what it means."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic import ValidationError

from memgardend.core.editorial.host_model import ModelNotConfiguredError
from memgardend.core.editorial.mounted.failures import failure_of
from memgardend.core.editorial.mutations import InvalidMutation
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.scope import (
    MissingMemoryOwner,
    MissingTenantError,
    MountPermissionError,
)
from memgardend.core.errors import StoreError, StoreUnavailableError, UsageError
from memgardend.core.ports.library import UnsupportedOperation

if TYPE_CHECKING:
    from typing import Any


class WireError(StrEnum):
    """What can be wrong with a request itself; everything else is an `ErrorWord` of the library."""

    INVALID_JSON = "invalid_json"
    INVALID_REQUEST = "invalid_request"
    UNKNOWN_METHOD = "unknown_method"
    UNKNOWN_SESSION = "unknown_session"
    SESSION_CAPACITY = "session_capacity"
    SCOPE_REQUIRED = "scope_required"
    MEMORY_OWNER_REQUIRED = "memory_owner_required"
    MOUNT_NOT_ALLOWED = "mount_not_allowed"
    MODEL_NOT_CONFIGURED = "model_not_configured"
    INTERNAL_ERROR = "internal_error"


MEANINGS: dict[str, str] = {
    WireError.INVALID_JSON: "the line is no JSON in UTF-8, or too long",
    WireError.INVALID_REQUEST: "a parameter is missing, wrong or unknown; `field` names it",
    WireError.UNKNOWN_METHOD: "there is no method of this name",
    WireError.UNKNOWN_SESSION: "there is no such session: it ended, waited too long, or is of another method",
    WireError.SESSION_CAPACITY: "too many sessions wait for replies",
    WireError.SCOPE_REQUIRED: "the tenant is blank",
    WireError.MEMORY_OWNER_REQUIRED: "the owner is blank",
    WireError.MOUNT_NOT_ALLOWED: "the scope does not open this mount",
    WireError.MODEL_NOT_CONFIGURED: "the service was started without `--model-cmd`; drive a session instead",
    WireError.INTERNAL_ERROR: "a fault of ours; nothing was written",
    ErrorWord.LOCALE_REQUIRED: "the locale is blank",
    ErrorWord.UNKNOWN_LOCALE: "there are no words for this locale",
    ErrorWord.EMPTY_TEXT: "there is nothing to keep",
    ErrorWord.NO_JSON_OBJECT: "the reply holds no JSON",
    ErrorWord.JSON_DECODE_ERROR: "the reply's JSON is broken",
    ErrorWord.MISSING_CARDS_LIST: "the reply has no list `cards`",
    ErrorWord.MISSING_CONSOLIDATIONS_LIST: "the reply has no list `consolidations`",
    ErrorWord.MISSING_UPGRADES_LIST: "the reply has no list `upgrades`",
    ErrorWord.MISSING_CANDIDATES_LIST: "the reply has no list `candidates`",
    ErrorWord.TOO_MANY_CARDS: "the reply holds more cards than the policy allows",
    ErrorWord.INVALID_CARD_CONTENT: "a text is a placeholder, protocol, or empty; the detail says which",
    ErrorWord.INVALID_CARD_CONTENT_AFTER_RETRY: "the same, of a whole second reply",
    ErrorWord.TRUNCATED_REPLY: "the reply was cut off, and so was the second",
    ErrorWord.MODEL_FAILED: "the model gave no reply; the detail is the name of its error",
    ErrorWord.MAINTENANCE_BUDGET_TOO_SMALL: "not one card fits into the prompt",
    ErrorWord.MAINTENANCE_TARGETS_REJECTED: "the reply names only cards that it was not shown whole",
    ErrorWord.MAINTENANCE_FUSE_BLOWN: "the reply would retire most of the garden",
    ErrorWord.EXPECTED_REVISION_REQUIRED: "cards judged elsewhere need the revision they were judged on",
    ErrorWord.REVISION_CONFLICT: "somebody else wrote, each time",
    ErrorWord.IDEMPOTENCY_CONFLICT: "the key was used for another request",
    ErrorWord.PARTIAL_FAILURE: "the store cannot roll back, and failed in the middle",
    ErrorWord.MUTATION_REJECTED: "the store refuses a change; the detail says why",
    ErrorWord.INVALID_MUTATION: "a mutation lacks something or holds what it must not",
    ErrorWord.STORAGE_LACKS_CAPABILITIES: "the store cannot do this; the detail says what it lacks",
    ErrorWord.STORAGE_FAILED: "the store failed; the detail is the name of its error",
    ErrorWord.TARGET_MOUNT_MISMATCH: "the card is in another mount than the mutation names",
    ErrorWord.RECORD_NOT_FOUND: "there is no such card for this scope",
    ErrorWord.RECORD_ID_REQUIRED: "the card's id is blank",
    ErrorWord.REQUESTED_BY_REQUIRED: "a deletion names who asked for it",
    ErrorWord.ALLOWED_IDS_REQUIRED: "the ids that may be changed have to be named",
    ErrorWord.SUMMARY_AND_CONTENT_REQUIRED: "a card needs both",
    ErrorWord.RECORD_CHANGED: "the card has changed since its first fragment: begin anew",
    ErrorWord.INVALID_ARGUMENT: "an argument of a tool is wrong",
    ErrorWord.QUERY_REQUIRED: "the query is blank",
    ErrorWord.UNKNOWN_TOOL: "there is no tool of this name",
    ErrorWord.SEARCH_REQUIRES_HOST_STORE: "there is no store to search",
    ErrorWord.READ_REQUIRES_HOST_STORE: "there is no store to read from",
}


class ServeError(Exception):
    """A request that is answered with an error. `field` is the parameter it is about."""

    def __init__(self, code: WireError | Failure, message: str = "", *, field: str = "") -> None:
        self.code = str(code.word) if isinstance(code, Failure) else str(code)
        self.detail = code.detail if isinstance(code, Failure) else ""
        self.field = field
        super().__init__(message or MEANINGS[self.code])

    def to_dict(self) -> dict[str, Any]:
        """The `error` of an answer."""
        told = {"detail": self.detail, "field": self.field}
        return {
            "code": self.code,
            "message": str(self),
            **{key: value for key, value in told.items() if value},
        }


_RAISED: tuple[tuple[type[Exception], WireError], ...] = (
    (MountPermissionError, WireError.MOUNT_NOT_ALLOWED),
    (MissingTenantError, WireError.SCOPE_REQUIRED),
    (MissingMemoryOwner, WireError.MEMORY_OWNER_REQUIRED),
    (ModelNotConfiguredError, WireError.MODEL_NOT_CONFIGURED),
)


def error_of(error: Exception) -> ServeError:
    """What is answered when a request raises this; of a fault of ours its name, never its text."""
    if isinstance(error, ServeError):
        return error
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"]))
        return ServeError(WireError.INVALID_REQUEST, first["msg"], field=field)
    for kind, code in _RAISED:
        if isinstance(error, kind):
            return ServeError(code)
    if isinstance(
        error, InvalidMutation | UnsupportedOperation | StoreError | StoreUnavailableError
    ):
        return ServeError(failure_of(error))
    if isinstance(error, UsageError):
        hint = f"; {error.hint}" if error.hint else ""
        return ServeError(WireError.INVALID_REQUEST, f"{error}{hint}")
    return ServeError(WireError.INTERNAL_ERROR, f"a fault of ours: {type(error).__name__}")
