"""The arguments of the seven tools, each defined once: for MCP, command line, Python and docs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memgardend.core.checks.form import MAX_IMPORTANCE, MIN_IMPORTANCE
from memgardend.core.recall.lookups import DEFAULT_CONTENT_CHARS, DEFAULT_HITS, MAX_HITS
from memgardend.core.words import Layer, Status, Subcategory

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_DAYS = 3650
MAX_SHOWN_CHARS = 5000
DEFAULT_ALIKE, MAX_ALIKE = 5, 20
DEFAULT_ALIKE_CHARS = 200
ALL_STATUSES = "all"


class ToolName(StrEnum):
    """The tools that there are."""

    REMEMBER = "memory_remember"
    SEARCH = "memory_search"
    PROJECT = "memory_project"
    FIND_SIMILAR = "memory_find_similar"
    READ = "memory_read"
    UPDATE = "memory_update"
    DREAM = "memory_dream"


class Kind(StrEnum):
    """What an argument is, as JSON schema calls it."""

    TEXT = "string"
    TEXTS = "array"
    NUMBER = "integer"
    FLAG = "boolean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument. Numbers are clamped to `least` and `most`; `choices` are the words it may say.

    `may_be_empty`: where it is required, an empty list says something too.
    """

    name: str
    kind: Kind
    required: bool = False
    may_be_empty: bool = False
    default: int | str | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()  # names that agents know it by from elsewhere

    def schema(self, description: str) -> dict[str, Any]:
        """As JSON schema."""
        bounds = {"minimum": self.least, "maximum": self.most, "default": self.default}
        choices = {"enum": list(self.choices)} if self.choices else {}
        shape: dict[str, Any] = {"type": str(self.kind), "description": description}
        shape |= {key: value for key, value in bounds.items() if value is not None}
        if self.kind is Kind.TEXTS:
            return {**shape, "items": {"type": str(Kind.TEXT), **choices}}
        return {**shape, **choices}


def _layers(**given: Any) -> Parameter:
    choices = tuple(map(str, Layer))
    return Parameter(name="layer", choices=choices, aliases=("level", "layers"), **given)


def _content_chars(default: int) -> Parameter:
    return Parameter(
        name="content_chars",
        kind=Kind.NUMBER,
        default=default,
        least=0,
        most=MAX_SHOWN_CHARS,
        aliases=("content_max",),
    )


_CONTENT = Parameter(name="content", kind=Kind.TEXT)
_IMPORTANCE = Parameter(
    name="importance", kind=Kind.NUMBER, least=MIN_IMPORTANCE, most=MAX_IMPORTANCE
)
_ID = Parameter(name="id", kind=Kind.TEXT, required=True, aliases=("memory_id",))
_PROJECTS = Parameter(name="project", kind=Kind.TEXTS, aliases=("projects", "scope"))
_DESCRIBING = (
    Parameter(name="title", kind=Kind.TEXT),
    Parameter(name="goal", kind=Kind.TEXT),
    Parameter(name="subcategory", kind=Kind.TEXT, choices=tuple(map(str, Subcategory))),
    Parameter(name="corrected", kind=Kind.FLAG),
)

TOOLS: Mapping[ToolName, tuple[Parameter, ...]] = {
    ToolName.REMEMBER: (
        Parameter(name="content", kind=Kind.TEXT, required=True),
        Parameter(name="project", kind=Kind.TEXTS, required=True, aliases=("projects", "scope")),
        Parameter(name="keywords", kind=Kind.TEXTS, required=True, may_be_empty=True),
        Parameter(
            name="importance",
            kind=Kind.NUMBER,
            required=True,
            least=MIN_IMPORTANCE,
            most=MAX_IMPORTANCE,
        ),
        _layers(kind=Kind.TEXT, default=str(Layer.FACT)),
        *_DESCRIBING,
    ),
    ToolName.SEARCH: (
        Parameter(name="query", kind=Kind.TEXT, required=True),
        _layers(kind=Kind.TEXTS),
        _PROJECTS,
        Parameter(name="status", kind=Kind.TEXTS, choices=(*map(str, Status), ALL_STATUSES)),
        Parameter(name="days", kind=Kind.NUMBER, least=1, most=MAX_DAYS),
        Parameter(name="k", kind=Kind.NUMBER, default=DEFAULT_HITS, least=1, most=MAX_HITS),
        _content_chars(DEFAULT_CONTENT_CHARS),
    ),
    ToolName.PROJECT: (
        Parameter(name="project", kind=Kind.TEXTS, required=True, aliases=("projects", "name")),
    ),
    ToolName.FIND_SIMILAR: (
        _ID,
        Parameter(name="k", kind=Kind.NUMBER, default=DEFAULT_ALIKE, least=1, most=MAX_ALIKE),
        _content_chars(DEFAULT_ALIKE_CHARS),
    ),
    ToolName.READ: (_ID,),
    ToolName.UPDATE: (
        _ID,
        _CONTENT,
        _PROJECTS,
        Parameter(name="keywords", kind=Kind.TEXTS),
        _IMPORTANCE,
        _layers(kind=Kind.TEXT),
        Parameter(name="status", kind=Kind.TEXT, choices=tuple(map(str, Status))),
        *_DESCRIBING,
        Parameter(name="reason", kind=Kind.TEXT),
        Parameter(name="revision", kind=Kind.NUMBER, least=1),
    ),
    ToolName.DREAM: (),
}
"""Every tool with its arguments; the required ones in the order in which their lack is told."""
