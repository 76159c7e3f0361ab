"""`manifest.get`, `schema.get` and `health.get`: what there is, how it is asked, and whether it is well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.manifest import storage_manifest
from memgardend.core.ports.capabilities import declared
from memgardend.daemon.serve.desk import Answer, Desk, Method
from memgardend.daemon.serve.errors import MEANINGS
from memgardend.daemon.serve.params import Nothing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.ports.library import StoragePort

MANIFEST = (
    "name",
    "schema",
    "version",
    "model",
    "capabilities",
    "policies",
    "locales",
    "tools",
    "storage",
)


def manifest_get(desk: Desk, asked: Nothing) -> Answer:
    """What the service can do, with this model and this store, and what is off."""
    return manifest_document(desk.component, desk.store, desk.version)


def health_get(desk: Desk, asked: Nothing) -> Answer:
    """That it answers, with what it works."""
    return {
        "status": "ok",
        "version": desk.version,
        "model": desk.component.has_model,
        "storage": type(desk.store).__name__,
        "sessions": len(desk.sessions),
    }


METHODS = (
    Method("manifest.get", Nothing, manifest_get, MANIFEST),
    Method(
        "health.get", Nothing, health_get, ("status", "version", "model", "storage", "sessions")
    ),
)


def manifest_document(component: GardenComponent, store: StoragePort, version: str) -> Answer:
    """The `manifest` document."""
    storage = storage_manifest(declared(store))
    return {**component.manifest(), "version": version, "storage": storage}


def schema_document(methods: Iterable[Method]) -> Answer:
    """How to ask: requests, answers, methods with their parameters, and every error code."""
    names = sorted(method.name for method in methods)
    identifier: dict[str, Any] = {"type": ["string", "integer", "null"]}
    error = {
        "type": "object",
        "properties": {
            "code": {"type": "string", "enum": list(MEANINGS)},
            "message": {"type": "string"},
            "detail": {"type": "string"},
            "field": {"type": "string"},
        },
        "required": ["code", "message"],
        "additionalProperties": False,
    }
    return {
        "schema": 1,
        "request": {
            "type": "object",
            "properties": {
                "id": identifier,
                "method": {"type": "string", "enum": names},
                "params": {"type": "object"},
            },
            "required": ["method"],
            "additionalProperties": False,
        },
        "response": {
            "type": "object",
            "properties": {
                "id": identifier,
                "ok": {"type": "boolean"},
                "result": {"type": "object"},
                "error": error,
            },
            "required": ["id", "ok"],
            "additionalProperties": False,
        },
        "methods": {
            method.name: {
                "description": method.doc,
                "params": method.params.model_json_schema(),
                "returns": list(method.returns),
            }
            for method in methods
        },
        "errors": dict(MEANINGS),
    }
