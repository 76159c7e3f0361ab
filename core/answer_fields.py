"""Read the fields of a row with tolerance: what a model means counts, not how it spells it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeVar

from memgardend.core.records.operations import Fields, QuoteRef
from memgardend.core.words import Layer, Subcategory

if TYPE_CHECKING:
    from collections.abc import Mapping

_W = TypeVar("_W")
_LAYERS = {layer.value: layer for layer in Layer} | {"rule": Layer.RULES}
_SUBCATEGORIES = {shelf.value: shelf for shelf in Subcategory}
_LIST_SEPARATOR = re.compile(r"[,;\n\u3001\uff0c\uff1b]")
_TRUE = frozenset({"true", "yes", "1"})
_FALSE = frozenset({"false", "no", "0"})


class RowError(Exception):
    """A field that cannot be read; the message says which and what it should be."""


def read_fields(row: Mapping[str, Any]) -> Fields:
    return Fields(
        content=_content(row),
        layer=_word(row, "layer", _LAYERS),
        scope=read_texts(row.get("scope")),
        keywords=read_texts(row.get("keywords")),
        importance=_number(row, "importance"),
        title=_optional(row, "title"),
        goal=_optional(row, "goal"),
        subcategory=_word(row, "subcategory", _SUBCATEGORIES),
        corrected=_flag(row, "corrected"),
        bucket=_optional(row, "bucket"),
        threads=read_texts(row.get("threads")),
    )


def read_text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _content(row: Mapping[str, Any]) -> str | None:
    value = row.get("content")
    if isinstance(value, bool | list | dict):
        raise RowError("`content` must be text")
    return None if value is None else str(value).strip()


def _optional(row: Mapping[str, Any], key: str) -> str | None:
    """A text on one line; blank counts as not given."""
    value = row.get(key)
    if isinstance(value, bool | list | dict):
        raise RowError(f"`{key}` must be text")
    return None if value is None else " ".join(str(value).split()) or None


def _word(row: Mapping[str, Any], key: str, words: Mapping[str, _W]) -> _W | None:
    value = _optional(row, key)
    if not value:
        return None
    if value.lower() not in words:
        raise RowError(f"`{key}` must be one of: {', '.join(words)}")
    return words[value.lower()]


def _number(row: Mapping[str, Any], key: str) -> int | None:
    value = row.get(key)
    try:
        return None if value is None or value == "" else round(float(value))
    except (TypeError, ValueError, OverflowError):
        raise RowError(f"`{key}` must be a number") from None


def _flag(row: Mapping[str, Any], key: str) -> bool | None:
    value = row.get(key)
    text = "" if value is None else str(value).strip().lower()
    if text and text not in _TRUE | _FALSE:
        raise RowError(f"`{key}` must be true or false")
    return text in _TRUE if text else None


def read_texts(value: object) -> tuple[str, ...] | None:
    """A list of texts, given as a list, as JSON text, as text with commas, or as one scalar."""
    if value is None:
        return None
    if isinstance(value, str):
        value = _listed(value)
    if isinstance(value, dict):
        value = list(value.values())
    items = value if isinstance(value, list) else [value]
    texts = (" ".join(str(item).split()) for item in items if not isinstance(item, list | dict))
    return tuple(dict.fromkeys(text for text in texts if text))


def _listed(text: str) -> list[object]:
    if text.lstrip().startswith("["):
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError):
            loaded = None
        if isinstance(loaded, list):
            return loaded
    return list(_LIST_SEPARATOR.split(text))


def read_handles(row: Mapping[str, Any], *keys: str, letter: str) -> tuple[str, ...]:
    for key in keys:
        found = tuple(read_handle(text, letter) for text in read_texts(row.get(key)) or ())
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def read_handle(text: str, letter: str) -> str:
    """`m3` from `[m3]`, `M3`, `#m3` or `3`; any other text as it is."""
    bare = text.strip(" []()<>#`\"'").lower()
    return letter + bare if bare.isascii() and bare.isdigit() else bare


def read_evidence(value: object) -> tuple[QuoteRef, ...]:
    rows = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(_quote_ref(row) for row in rows)


def _quote_ref(row: object) -> QuoteRef:
    if isinstance(row, str):
        return QuoteRef("", row)
    if isinstance(row, dict) and isinstance(row.get("quote"), str):
        event = row.get("event")
        named = "" if event is None or isinstance(event, list | dict) else str(event)
        return QuoteRef(read_handle(named, "e"), row["quote"])
    raise RowError("`evidence` must be a list of {event, quote}")
