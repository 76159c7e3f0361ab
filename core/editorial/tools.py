"""The three tools that a model may call: what it is told of them, and what its arguments mean."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
from memgardend.core.editorial.fragments import (
    FRAGMENT_CHARS,
    MAX_FRAGMENT_CHARS,
    RECORD_CHANGED,
    read_fragment,
)
from memgardend.core.editorial.mutations import Add
from memgardend.core.editorial.recalling import search_cards
from memgardend.core.editorial.results import ErrorWord, Failure, OperationReceipt
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, TextGate
from memgardend.core.editorial.written import written_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.editorial.mutations import Mutation

TOOL_SOURCE = "model_tool"
"""The origin of a card that a model wrote by its own hand."""
TOOL_HITS = 8


class ToolName(StrEnum):
    """The tools that there are."""

    SEARCH = "memory_search"
    READ = "memory_read"
    WRITE = "memory_write"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """One tool as a model is told of it; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call came to: text for the model; `mutations` to store, or the `receipt` where they are stored."""

    text: str = ""
    mutations: tuple[Mutation, ...] = ()
    receipt: OperationReceipt | None = None
    error: Failure | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)


def tool_definitions() -> tuple[ToolDefinition, ...]:
    """All three. Whose memories they reach is for the host to say: no argument names a person or a mount."""
    text = {"type": "string"}
    return (
        _tool(
            ToolName.SEARCH,
            "Find memories by their words. Answers one line for each: its id and what it is about.",
            {"query": {**text, "description": "The words to look for."}},
            "query",
        ),
        _tool(
            ToolName.READ,
            "Read one memory whole, as JSON. A long one comes in fragments: pass next_cursor on as cursor.",
            {
                "record_id": {**text, "description": "An id that memory_search gave."},
                "cursor": {**text, "description": "Where to go on; leave out for the beginning."},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_FRAGMENT_CHARS,
                    "description": "Characters of one fragment.",
                },
            },
            "record_id",
        ),
        _tool(
            ToolName.WRITE,
            "Remember one thing that the person wants kept, in whole sentences that stand alone.",
            {
                "summary": {**text, "description": "One line: what it is about."},
                "content": {**text, "description": "All of it, with every detail."},
                "bucket": {**text, "description": "The bucket it belongs in, if any."},
            },
            "summary",
            "content",
        ),
    )


def invoke(
    name: str,
    arguments: Mapping[str, Any] | None,
    *,
    cards: Sequence[Mapping[str, Any]] | None,
    mount: str,
    gate: TextGate | None = None,
) -> ToolResult:
    """Do what a model asks: search and read among `cards` (None: there is no store), write as an instruction.

    What a model gives is not always an object: nothing is as good as an empty one, all else is refused.
    """
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        return _failed(ErrorWord.INVALID_ARGUMENT)
    if name == ToolName.SEARCH:
        return _search(arguments, cards)
    if name == ToolName.READ:
        return _read(arguments, cards)
    if name == ToolName.WRITE:
        return _write(arguments, mount, gate or TextGate(signals=GENERIC_SIGNALS))
    return _failed(ErrorWord.UNKNOWN_TOOL, clean_line(name)[:80])


def _search(arguments: Mapping[str, Any], cards: Sequence[Mapping[str, Any]] | None) -> ToolResult:
    query = _text(arguments, "query")
    if not query:
        return _failed(ErrorWord.QUERY_REQUIRED)
    if cards is None:
        return _failed(ErrorWord.SEARCH_REQUIRES_HOST_STORE)
    hits = search_cards(cards, query, limit=TOOL_HITS)
    lines = [f"- [{hit.id}] {clean_line(hit.summary)}" for hit in hits]
    return ToolResult(text="\n".join(lines), trace={"hits": len(hits)})


def _read(arguments: Mapping[str, Any], cards: Sequence[Mapping[str, Any]] | None) -> ToolResult:
    record_id = _text(arguments, "record_id")
    if not record_id:
        return _failed(ErrorWord.RECORD_ID_REQUIRED)
    if cards is None:
        return _failed(ErrorWord.READ_REQUIRES_HOST_STORE)
    card = next((one for one in cards if one.get("id") == record_id), None)
    limit = arguments.get("limit")
    try:
        found = read_fragment(
            card,
            cursor=_text(arguments, "cursor"),
            limit=FRAGMENT_CHARS if limit is None else _integer(limit),
        )
    except ValueError as error:
        changed = str(error) == RECORD_CHANGED
        return _failed(ErrorWord.RECORD_CHANGED if changed else ErrorWord.INVALID_ARGUMENT)
    if found is None:
        return _failed(ErrorWord.RECORD_NOT_FOUND)
    return ToolResult(text=json.dumps(asdict(found), ensure_ascii=False))


def _write(arguments: Mapping[str, Any], mount: str, gate: TextGate) -> ToolResult:
    summary, content = _text(arguments, "summary"), _text(arguments, "content")
    if not (summary and content):
        return _failed(ErrorWord.SUMMARY_AND_CONTENT_REQUIRED)
    card = written_card(content, summary=summary, bucket=_text(arguments, "bucket"), gate=gate)
    if isinstance(card, Failure):
        return ToolResult(error=card)
    card["source"] = TOOL_SOURCE
    return ToolResult(mutations=(Add(card=card, mount=mount),))


def _tool(
    name: ToolName, description: str, properties: Mapping[str, Any], *required: str
) -> ToolDefinition:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return ToolDefinition(
        name=str(name),
        description=description,
        parameters={**schema, "additionalProperties": False},
    )


def _failed(word: ErrorWord, detail: str = "") -> ToolResult:
    return ToolResult(error=Failure(word, detail))


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    return value.strip() if isinstance(value, str) else ""


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("limit must be a whole number")
    return value
