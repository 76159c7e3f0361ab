"""memgardend: the night shift for agent memory.

The names below are the library: importing them starts no daemon and loads none of its dependencies.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as from `typing`, which takes a hook too long to import
if TYPE_CHECKING:
    from memgardend.core.editorial.basic_store import as_storage
    from memgardend.core.editorial.capture import CaptureSession
    from memgardend.core.editorial.capture_parse import parse_capture_cards
    from memgardend.core.editorial.capture_prompt import build_capture_prompt
    from memgardend.core.editorial.cards import Card
    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.editorial.field_map import FieldMap, to_card
    from memgardend.core.editorial.importing.request import ImportRequest
    from memgardend.core.editorial.maintenance import MaintenanceSession
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.memory_store import InMemoryStore
    from memgardend.core.editorial.migrate_prompt import MigrateRequest
    from memgardend.core.editorial.migrating import MigrateResult
    from memgardend.core.editorial.mounted.garden import MountedGarden
    from memgardend.core.editorial.observability import (
        assert_content_free,
        injection_record,
        query_fingerprint,
    )
    from memgardend.core.editorial.policies import get_policy
    from memgardend.core.editorial.recalling import ContextResult
    from memgardend.core.editorial.related import related
    from memgardend.core.editorial.results import (
        CaptureRequest,
        CaptureResult,
        MaintenanceResult,
        ModelReply,
        OperationReceipt,
        Step,
    )
    from memgardend.core.editorial.scope import MissingMemoryOwner, MountPermissionError, Scope
    from memgardend.core.editorial.seeds import dream_idempotency_key, needs_dream, seed_snapshot
    from memgardend.core.editorial.selection import Chain, Pick, SelectionPolicy, SelectionResult
    from memgardend.core.editorial.stages import RecentStage, RelevanceStage, RoleStage
    from memgardend.core.editorial.tools import ToolDefinition, ToolResult
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
    from memgardend.daemon.api import Garden
    from memgardend.daemon.library.sqlite_store import SqliteStore

_NAMES = {
    "core.editorial.basic_store": "as_storage",
    "core.editorial.capture": "CaptureSession",
    "core.editorial.capture_parse": "parse_capture_cards",
    "core.editorial.capture_prompt": "build_capture_prompt",
    "core.editorial.cards": "Card",
    "core.editorial.component": "GardenComponent",
    "core.editorial.field_map": "FieldMap to_card",
    "core.editorial.importing.request": "ImportRequest",
    "core.editorial.maintenance": "MaintenanceSession",
    "core.editorial.maintenance_request": "MaintenanceRequest",
    "core.editorial.memory_store": "InMemoryStore",
    "core.editorial.migrate_prompt": "MigrateRequest",
    "core.editorial.migrating": "MigrateResult",
    "core.editorial.mounted.garden": "MountedGarden",
    "core.editorial.observability": "assert_content_free injection_record query_fingerprint",
    "core.editorial.policies": "get_policy",
    "core.editorial.recalling": "ContextResult",
    "core.editorial.related": "related",
    "core.editorial.results": "CaptureRequest CaptureResult MaintenanceResult ModelReply"
    " OperationReceipt Step",
    "core.editorial.scope": "MissingMemoryOwner MountPermissionError Scope",
    "core.editorial.seeds": "dream_idempotency_key needs_dream seed_snapshot",
    "core.editorial.selection": "Chain Pick SelectionPolicy SelectionResult",
    "core.editorial.stages": "RecentStage RelevanceStage RoleStage",
    "core.editorial.tools": "ToolDefinition ToolResult",
    "core.ports.capabilities": "FULL_CAPABILITIES Capabilities describe_for_user",
    "core.ports.library": "ApplyResult IdempotencyConflict MutationRejected PartialFailure"
    " RevisionConflict Snapshot StoragePort UnsupportedOperation",
    "daemon.api": "Garden",
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
    "Card",
    "Chain",
    "ContextResult",
    "FieldMap",
    "Garden",
    "GardenComponent",
    "IdempotencyConflict",
    "ImportRequest",
    "InMemoryStore",
    "MaintenanceRequest",
    "MaintenanceResult",
    "MaintenanceSession",
    "MigrateRequest",
    "MigrateResult",
    "MissingMemoryOwner",
    "ModelReply",
    "MountPermissionError",
    "MountedGarden",
    "MutationRejected",
    "OperationReceipt",
    "PartialFailure",
    "Pick",
    "RecentStage",
    "RelevanceStage",
    "RevisionConflict",
    "RoleStage",
    "Scope",
    "SelectionPolicy",
    "SelectionResult",
    "Snapshot",
    "SqliteStore",
    "Step",
    "StoragePort",
    "ToolDefinition",
    "ToolResult",
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
    "related",
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
