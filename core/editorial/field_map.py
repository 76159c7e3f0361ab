"""The field socket: cards out of records of any shape. What is private is searched, and shown nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.cards import MAX_SUMMARY_CHARS, read_card, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memgardend.core.editorial.cards import Card

_TAKEN_OVER = """
bucket threads retrieval_cues type importance importance_level pulse occurred_at role roles is_sensitive source
source_material_kind source_actor mount created_at updated_at archived archive_reason superseded_by deleted status
anchor_memory_ids supersedes
"""
TAKEN_OVER = frozenset(_TAKEN_OVER.split())
"""Fields that mean in any record what they mean in a card."""


class SearchText(str):
    """A text to search in. It does not show itself, so that a card can be printed without its private fields."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} characters to search in>"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldMap:
    """Where a card's texts come from.

    `summary_fields`: the first of them that says something is the summary. `text_fields`: all that is searched.
    `private_fields` of these reach neither summary nor content; that they may not be summary fields is checked.
    """

    summary_fields: tuple[str, ...]
    text_fields: tuple[str, ...]
    private_fields: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.summary_fields:
            raise ValueError("a field map needs summary_fields")
        both = sorted(set(self.summary_fields) & set(self.private_fields))
        if both:
            raise ValueError(f"private fields must not be summary fields: {', '.join(both)}")


def to_card(record: Mapping[str, Any], fields: FieldMap) -> Card:
    """The record as a card: summary and content to show, `search_text` to match, and the fields both have.

    Raises ValueError for a record without `id`.
    """
    if record.get("id") in (None, ""):
        raise ValueError("a record needs an `id`")
    shown = [name for name in fields.text_fields if name not in fields.private_fields]
    summaries = (" ".join(line.split()) for line in _lines(record, fields.summary_fields))
    searched = dict.fromkeys((*fields.summary_fields, *fields.text_fields, *fields.private_fields))
    taken = {name: record[name] for name in record if name in TAKEN_OVER}
    public = {name: value for name, value in taken.items() if name not in fields.private_fields}
    card = read_card(
        {
            **public,
            "id": str(record["id"]),
            "summary": next(summaries, "")[:MAX_SUMMARY_CHARS],
            "content": "\n".join(_lines(record, shown)),
        }
    )
    text = "\n".join(dict.fromkeys(_lines(record, searched)))
    return cast("Card", {**card, "search_text": SearchText(text)})


def _lines(record: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """What these fields say, those that say nothing left out."""
    said = (text.strip() for name in names for text in _said(record.get(name)))
    return [text for text in said if text]


def _said(value: object) -> list[str]:
    if isinstance(value, bool) or value is None:
        return []
    return [str(value)] if isinstance(value, int | float) else texts(value)
