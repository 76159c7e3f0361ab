"""The parameters of what finds, reads and changes cards."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from memgardend.core.editorial.fragments import FRAGMENT_CHARS, MAX_FRAGMENT_CHARS
from memgardend.core.editorial.pages import MAX_PAGE_ITEMS, PAGE_ITEMS
from memgardend.core.editorial.recalling import CONTEXT_CARDS, SEARCH_CARDS
from memgardend.core.editorial.related import RELATED_CARDS
from memgardend.daemon.serve.params import Limit, Mounted, Scoped


class ContextParams(Scoped):
    """What is said now."""

    query: str
    limit: Limit = CONTEXT_CARDS


class SearchParams(Scoped):
    """What is looked for."""

    query: str
    limit: Limit = SEARCH_CARDS


class GetParams(Scoped):
    """Cards by their ids."""

    ids: Annotated[list[str], Field(max_length=MAX_PAGE_ITEMS)]


class RelatedParams(GetParams):
    """What is one step from cards."""

    cap: Limit = RELATED_CARDS
    """So many at most."""


class ReadParams(Scoped):
    """One card, fragment by fragment."""

    record_id: str
    cursor: str = ""
    limit: Annotated[int, Field(ge=1, le=MAX_FRAGMENT_CHARS)] = FRAGMENT_CHARS


class PageParams(Scoped):
    """One page."""

    cursor: str = ""
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE_ITEMS)] = PAGE_ITEMS


class WriteParams(Mounted):
    """What somebody asked to keep."""

    text: str
    summary: str = ""
    bucket: str = ""
    idempotency_key: str = ""


class ApplyParams(Scoped):
    """Mutations of the host's own, in one step."""

    mutations: Annotated[list[dict[str, Any]], Field(min_length=1)]
    idempotency_key: str = ""
    expected_revision: str | None = None


class DeleteParams(Scoped):
    """A card that somebody wants gone for good."""

    record_id: str
    requested_by: str
    idempotency_key: str = ""


class PromoteParams(Scoped):
    """A card that others may see."""

    record_id: str
    to_mount: str
    idempotency_key: str = ""


class ToolParams(Mounted):
    """A call of the model's; only the host says whose memories it reaches."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    idempotency_key: str = ""
