"""What a store raises, as the error of a receipt: a caller gets one shape for all that can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from memgardend.core.editorial.mutations import InvalidMutation
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.scope import MountPermissionError
from memgardend.core.ports.library import (
    IdempotencyConflict,
    MutationRejected,
    PartialFailure,
    RevisionConflict,
    UnsupportedOperation,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Value = TypeVar("Value")


def attempted(call: Callable[[], Value]) -> Value | Failure:
    """What a call of the store gives, or why it gives nothing. Raises MountPermissionError alone."""
    try:
        return call()
    except MountPermissionError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a foreign store raises, nothing was written
        return failure_of(error)


def failure_of(error: Exception) -> Failure:
    """The error that a receipt carries for this exception; of an unknown one its name, never its text."""
    match error:
        case RevisionConflict():
            return Failure(ErrorWord.REVISION_CONFLICT)
        case IdempotencyConflict():
            return Failure(ErrorWord.IDEMPOTENCY_CONFLICT)
        case MutationRejected(reason=MutationRejected.NOT_FOUND):
            return Failure(ErrorWord.RECORD_NOT_FOUND)
        case MutationRejected():
            return Failure(ErrorWord.MUTATION_REJECTED, error.reason)
        case InvalidMutation():
            return Failure(ErrorWord.INVALID_MUTATION, str(error))
        case PartialFailure():
            return Failure(ErrorWord.PARTIAL_FAILURE, str(error.failed_at))
        case UnsupportedOperation():
            return Failure(ErrorWord.STORAGE_LACKS_CAPABILITIES, ",".join(error.lacking))
        case _:
            return Failure(ErrorWord.STORAGE_FAILED, type(error).__name__)
