"""The JSON Schema (2020-12) of a round's answer. What we read is more tolerant; what we ask for is this."""

from __future__ import annotations

from typing import Any

from memgardend.core.answer_rows import MAX_PARTS
from memgardend.core.checks.form import MAX_CHARS, MAX_IMPORTANCE, MAX_KEYWORDS, MIN_IMPORTANCE
from memgardend.core.operations import MAX_OPERATIONS
from memgardend.core.words import Layer, OperationName, Subcategory

_TEXT = {"type": "string"}
_MEMORY_HANDLE = {"type": "string", "pattern": "^m[0-9]+$"}
_REASON = {"type": "string", "description": "Why; a person reads it."}
_EVIDENCE = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "event": {"type": "string", "pattern": "^e[0-9]+$"},
            "quote": {"type": "string", "description": "Verbatim from that event; … joins parts."},
        },
        "required": ["event", "quote"],
        "additionalProperties": False,
    },
}
_FROM = {
    "type": "array",
    "items": _MEMORY_HANDLE,
    "description": "Memories whose evidence the new text inherits.",
}
_CONTENT = {
    "content": {"type": "string", "maxLength": MAX_CHARS["content"]},
    "layer": {"type": "string", "enum": [str(layer) for layer in Layer]},
    "scope": {
        "description": "`global`, `unset`, the name of a project, or several names.",
        "type": ["string", "array"],
        "items": _TEXT,
    },
    "keywords": {"type": "array", "items": _TEXT, "maxItems": MAX_KEYWORDS},
    "importance": {"type": "integer", "minimum": MIN_IMPORTANCE, "maximum": MAX_IMPORTANCE},
    "title": {"type": "string", "maxLength": MAX_CHARS["title"]},
    "goal": {"type": "string", "maxLength": MAX_CHARS["goal"]},
    "subcategory": {"type": "string", "enum": [str(shelf) for shelf in Subcategory]},
    "corrected": {"type": "boolean"},
    "bucket": _TEXT,
    "threads": {"type": "array", "items": _TEXT},
}


_NEW = {
    "type": "object",
    "properties": _CONTENT,
    "required": ["content"],
    "additionalProperties": False,
}
_PROOF = {"reason": _REASON, "evidence": _EVIDENCE, "from": _FROM}


def _ids(least: int) -> dict[str, Any]:
    return {"type": "array", "items": _MEMORY_HANDLE, "minItems": least}


def _operation(op: OperationName, required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"op": {"const": str(op)}, **properties},
        "required": ["op", *required],
        "additionalProperties": False,
    }


ANSWER_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "memgardend answer",
    "type": "object",
    "properties": {
        "operations": {
            "type": "array",
            "maxItems": MAX_OPERATIONS,
            "items": {
                "oneOf": [
                    _operation(
                        OperationName.REMEMBER,
                        ["layer", "content"],
                        **_CONTENT,
                        evidence=_EVIDENCE,
                        **{"from": _FROM},
                    ),
                    _operation(
                        OperationName.UPDATE,
                        ["id", "reason"],
                        id=_MEMORY_HANDLE,
                        **_CONTENT,
                        **_PROOF,
                    ),
                    _operation(
                        OperationName.SUPERSEDE,
                        ["ids", "by", "reason"],
                        ids=_ids(1),
                        by=_NEW,
                        **_PROOF,
                    ),
                    _operation(
                        OperationName.MERGE,
                        ["ids", "into", "reason"],
                        ids=_ids(2),
                        into=_NEW,
                        **_PROOF,
                    ),
                    _operation(
                        OperationName.SPLIT,
                        ["id", "into", "reason"],
                        id=_MEMORY_HANDLE,
                        into={"type": "array", "items": _NEW, "minItems": 2, "maxItems": MAX_PARTS},
                        **_PROOF,
                    ),
                    *(
                        _operation(op, ["id", "reason"], id=_MEMORY_HANDLE, **_PROOF)
                        for op in (OperationName.COMPLETE, OperationName.ARCHIVE)
                    ),
                ]
            },
        },
        "questions": {"type": "array", "items": _TEXT},
        "summary": _TEXT,
    },
    "required": ["operations"],
    "additionalProperties": False,
}
