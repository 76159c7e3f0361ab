"""memgardend: the night shift for agent memory.

The names below are the library: importing them starts no daemon and loads none of its dependencies.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.editorial.basic_store import as_storage
    from memgardend.core.editorial.capture import CaptureSession
    from memgardend.core.editorial.capture_parse import parse_capture_cards
    from memgardend.core.editorial.capture_prompt import build_capture_prompt
    from memgardend.core.editorial.field_map import FieldMap, to_card
    from memgardend.core.editorial.maintenance import MaintenanceSession
    from memgardend.core.editorial.memory_store import InMemoryStore
    from memgardend.core.editorial.observability import (
        assert_content_free,
        injection_record,
        query_fingerprint,
    )
    from memgardend.core.editorial.policies import get_policy
    from memgardend.core.editorial.results import CaptureRequest, CaptureResult, OperationReceipt
    from memgardend.core.editorial.seeds import dream_idempotency_key, needs_dream, seed_snapshot
    from memgardend.core.editorial.selection import Chain, Pick, SelectionPolicy, SelectionResult
    from memgardend.core.editorial.stages import RecentStage, RelevanceStage, RoleStage
    from memgardend.core.ports.capabilities import (
        FULL_CAPABILITIES,
        Capabilities,
        describe_for_user,
    )
    from memgardend.core.ports.library import (
        ApplyResult,
        IdempotencyConflict,
        MutationRejected,
        PartialFailure,
        RevisionConflict,
        Snapshot,
        StoragePort,
        UnsupportedOperation,
    )
    from memgardend.daemon.library.sqlite_store import SqliteStore

_NAMES = {
    "core.editorial.basic_store": "as_storage",
    "core.editorial.capture": "CaptureSession",
    "core.editorial.capture_parse": "parse_capture_cards",
    "core.editorial.capture_prompt": "build_capture_prompt",
    "core.editorial.field_map": "FieldMap to_card",
    "core.editorial.maintenance": "MaintenanceSession",
    "core.editorial.memory_store": "InMemoryStore",
    "core.editorial.observability": "assert_content_free injection_record query_fingerprint",
    "core.editorial.policies": "get_policy",
    "core.editorial.results": "CaptureRequest CaptureResult OperationReceipt",
    "core.editorial.seeds": "dream_idempotency_key needs_dream seed_snapshot",
    "core.editorial.selection": "Chain Pick SelectionPolicy SelectionResult",
    "core.editorial.stages": "RecentStage RelevanceStage RoleStage",
    "core.ports.capabilities": "FULL_CAPABILITIES Capabilities describe_for_user",
    "core.ports.library": "ApplyResult IdempotencyConflict MutationRejected PartialFailure"
    " RevisionConflict Snapshot StoragePort UnsupportedOperation",
    "daemon.library.sqlite_store": "SqliteStore",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "FULL_CAPABILITIES",
    "ApplyResult",
    "Capabilities",
    "CaptureRequest",
    "CaptureResult",
    "CaptureSession",
    "Chain",
    "FieldMap",
    "IdempotencyConflict",
    "InMemoryStore",
    "MaintenanceSession",
    "MutationRejected",
    "OperationReceipt",
    "PartialFailure",
    "Pick",
    "RecentStage",
    "RelevanceStage",
    "RevisionConflict",
    "RoleStage",
    "SelectionPolicy",
    "SelectionResult",
    "Snapshot",
    "SqliteStore",
    "StoragePort",
    "UnsupportedOperation",
    "as_storage",
    "assert_content_free",
    "build_capture_prompt",
    "describe_for_user",
    "dream_idempotency_key",
    "get_policy",
    "injection_record",
    "needs_dream",
    "parse_capture_cards",
    "query_fingerprint",
    "seed_snapshot",
    "to_card",
]

if not TYPE_CHECKING:  # so that a checker knows a wrong name

    def __getattr__(name: str) -> object:
        """A name of the library, imported when it is first asked for."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
