"""The JSON Schema (2020-12) of a round's request: what a model command with `input: json` reads."""

from __future__ import annotations

from typing import Any

from memgardend.core.editorial.policies import PolicyName
from memgardend.core.words import CallPurpose, Layer, Role, RoundName, Status, Subcategory

REQUEST_SCHEMA_VERSION = 1

_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_TEXTS = {"type": "array", "items": _TEXT}
_TIME = {"type": "string", "format": "date-time", "description": "RFC 3339, UTC."}
_COUNT = {"type": "integer", "minimum": 0}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


_TIME_OR_NULL = {
    "type": ["string", "null"],
    "format": "date-time",
    "description": "RFC 3339, UTC; null where material does not say.",
}
_EVENT = _object(
    handle={"type": "string", "pattern": "^e[0-9]+$"},
    at=_TIME_OR_NULL,
    local={**_TIME_OR_NULL, "description": "`at`, in the person's time zone."},
    role={"type": "string", "enum": [str(role) for role in Role if role is not Role.OWN]},
    tool=_TEXT_OR_NULL,
    text=_TEXT,
    pasted={
        "type": "array",
        "items": {"type": "array", "items": _COUNT, "minItems": 2, "maxItems": 2},
        "description": "Half-open character ranges of `text` that the person did not type.",
    },
    shown={"type": "boolean", "description": "True: new. False: dreamed before, context only."},
)
_MEMORY = _object(
    handle={"type": "string", "pattern": "^m[0-9]+$"},
    editable={"type": "boolean", "description": "False: changed earlier in this dream; context."},
    layer={"type": "string", "enum": [str(layer) for layer in Layer]},
    title=_TEXT_OR_NULL,
    content=_TEXT,
    keywords=_TEXTS,
    importance={"type": "integer", "minimum": 1, "maximum": 4},
    status={"type": "string", "enum": [str(status) for status in Status]},
    scope={
        "type": ["string", "array"],
        "items": _TEXT,
        "description": "`global`, `unset`, or the names of projects.",
    },
    as_of=_TIME,
    subcategory={"enum": [None, *(str(shelf) for shelf in Subcategory)]},
    goal=_TEXT_OR_NULL,
    corrected={"type": "boolean"},
)

REQUEST_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "memgardend request",
    **_object(
        schema={"const": REQUEST_SCHEMA_VERSION},
        purpose={"type": "string", "enum": [str(purpose) for purpose in CallPurpose]},
        run={"type": "string", "description": "Names this run; also in the environment."},
        locale=_TEXT,
        round={
            "enum": [None, *(str(name) for name in RoundName)],
            "description": "null where no dream asks.",
        },
        seal={**_TIME, "description": "The request knows nothing after this instant."},
        names=_object(assistant=_TEXT, person=_TEXT),
        window=_object(id=_TEXT, source=_TEXT, title=_TEXT_OR_NULL, project=_TEXT_OR_NULL),
        events={"type": "array", "items": _EVENT},
        memories={"type": "array", "items": _MEMORY},
        projects={**_TEXTS, "description": "Names that a scope may use."},
        limits=_object(
            max_prompt_chars=_COUNT,
            content_chars=_COUNT,
            title_chars=_COUNT,
            goal_chars=_COUNT,
            keywords=_COUNT,
        ),
        problems={**_TEXTS, "description": "Why the last answer could not be used."},
        prompt={"type": "string", "description": "The same question as text."},
    ),
}
REQUEST_SCHEMA["properties"]["judgement"] = {
    **_object(
        policy={"type": "string", "enum": [str(name) for name in PolicyName]},
        keep_specifics={"type": "boolean"},
        max_cards={"type": ["integer", "null"], "minimum": 1},
        cards={"type": "array", "items": _object(id=_TEXT, summary=_TEXT, content=_TEXT)},
    ),
    "description": "Where cards are asked for instead of operations: of imports, captures, reflections.",
}
"""Fields may be added; a reader ignores those that it does not know."""
