"""What is looked up on purpose: searches and panoramas. Times are epoch milliseconds, UTC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.records import Memory
    from memgardend.core.words import Layer, Status

MAX_HITS = 50
DEFAULT_HITS = 10
DEFAULT_CONTENT_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search. `window`: who asks, None for nobody who could have seen anything before. `recorded`: even then it
    leaves a record, so that somebody can find out why it did not find something.

    No layers: all. No statuses: active ones and finished todos; given ones are meant exactly. `projects`: ids;
    what covers one of them. `days`: created or changed since. `content_chars`: 0 = whole.
    """

    query: str
    at: int
    window: str | None = None
    recorded: bool = False
    layers: tuple[Layer, ...] = ()
    projects: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ()
    days: int | None = None
    k: int = DEFAULT_HITS
    content_chars: int = DEFAULT_CONTENT_CHARS


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One hit of a search: `content` as much of it as was asked for, `projects` the names of its scope."""

    memory: Memory
    score: float
    content: str
    projects: tuple[str, ...]  # empty: global or unset


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The best first. `text`: the metadata view, as an agent or a person reads it."""

    hits: tuple[Found, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PanoramaRequest:
    """All that is known of some projects (ids)."""

    projects: tuple[str, ...]
    at: int
    window: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """One part of a panorama: `rules`, a subcategory, or a layer."""

    name: str
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panorama:
    """What covers the projects, shelf by shelf, empty ones left out."""

    shelves: tuple[Shelf, ...]
    text: str
