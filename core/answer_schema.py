"""The JSON Schema (2020-12) of a round's answer. What we read is more tolerant; what we ask for is this."""

from __future__ import annotations

from typing import Any

from memgardend.core.checks.form import MAX_CHARS, MAX_IMPORTANCE, MAX_KEYWORDS, MIN_IMPORTANCE
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
                        reason=_REASON,
                        evidence=_EVIDENCE,
                        **{"from": _FROM},
                    ),
                    _operation(
                        OperationName.SUPERSEDE,
                        ["ids", "by", "reason"],
                        ids={"type": "array", "items": _MEMORY_HANDLE, "minItems": 1},
                        by={
                            "type": "object",
                            "properties": _CONTENT,
                            "required": ["content"],
                            "additionalProperties": False,
                        },
                        reason=_REASON,
                        evidence=_EVIDENCE,
                        **{"from": _FROM},
                    ),
                    *(
                        _operation(
                            op,
                            ["id", "reason"],
                            id=_MEMORY_HANDLE,
                            reason=_REASON,
                            evidence=_EVIDENCE,
                            **{"from": _FROM},
                        )
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
