"""As much of JSON Schema as our own schemas use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
KNOWN = {"$schema", "title", "description", "format", "type", "properties", "required", "items"}
KNOWN |= {"additionalProperties", "const", "enum", "oneOf", "pattern", "minItems", "maxItems"}
KNOWN |= {"minimum", "maximum", "maxLength"}


def mistakes(value: Any, schema: dict[str, Any], at: str = "$") -> Iterator[str]:
    """What in a value its schema does not allow; raises on a keyword that this does not know."""
    assert schema.keys() <= KNOWN, schema.keys() - KNOWN
    if "const" in schema and value != schema["const"]:
        yield f"{at}: not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if "type" in schema and not _is_one_of(value, schema["type"]):
        yield f"{at}: {value!r} is no {schema['type']}"
        return
    if isinstance(value, dict):
        yield from _object(value, schema, at)
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{at}: {len(value)} items"
        for number, item in enumerate(value):
            yield from mistakes(item, schema.get("items", {}), f"{at}[{number}]")
    elif isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{at}: {value!r} does not match {schema['pattern']}"
        if len(value) > schema.get("maxLength", len(value)):
            yield f"{at}: too long"
    elif isinstance(value, int) and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
    ):
        yield f"{at}: {value} is out of range"
    if "oneOf" in schema:
        found = [list(mistakes(value, one, at)) for one in schema["oneOf"]]
        if sum(not each for each in found) != 1:
            yield f"{at}: fits {sum(not each for each in found)} of the alternatives: {found}"


def _object(value: dict[str, Any], schema: dict[str, Any], at: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at}: {name} is missing"
    for name, item in value.items():
        if name in properties:
            yield from mistakes(item, properties[name], f"{at}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{at}: {name} is unknown"


def _is_one_of(value: Any, names: str | list[str]) -> bool:
    wanted = [names] if isinstance(names, str) else names
    return any(
        isinstance(value, TYPES[name]) and not (name == "integer" and isinstance(value, bool))
        for name in wanted
    )
