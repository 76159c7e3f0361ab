"""What the consolidator reads of a JSON request (DESIGN section 7)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memgardend.core.errors import MemgardendError
from memgardend.core.request_schema import REQUEST_SCHEMA_VERSION
from memgardend.core.words import Layer, Role, RoundName, Status

if TYPE_CHECKING:
    from memgardend.core.extract.language import Language
    from memgardend.core.records import Span

UNDATED = datetime.min.replace(tzinfo=UTC)
"""The time of what has none: older than anything."""


class BadRequestError(MemgardendError):
    """What stands on stdin is not a request."""

    exit_code = 65  # EX_DATAERR in sysexits.h
    remedy = "memgardend model schema"

    def __init__(self, message: str) -> None:
        super().__init__(message, hint=self.remedy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A human turn, `at` a local time; `is_new` is False for what an earlier dream has seen."""

    handle: str
    text: str
    at: datetime = UNDATED
    pasted: tuple[Span, ...] = ()
    is_new: bool = True

    def dated(self, text: str, language: Language) -> str:
        """A text of the turn in which tomorrow has its date."""
        return text if self.at == UNDATED else language.with_dates(text, self.at.date())


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A memory that the request shows. `scope` is one of the words, or the names of projects."""

    handle: str
    layer: Layer
    content: str
    title: str | None = None
    status: Status = Status.ACTIVE
    scope: tuple[str, ...] = ()
    as_of: datetime = UNDATED
    is_todo: bool = False


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card that a new one may take the place of."""

    id: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The yardstick for cards, where these are asked for instead of operations."""

    policy: str
    keep_specifics: bool = False
    max_cards: int | None = None
    cards: tuple[ShownCard, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to the consolidator. Without round and judgement it is a mere test."""

    round: RoundName | None
    locale: str
    judgement: Judgement | None = None
    project: str | None = None
    title: str | None = None
    turns: tuple[Turn, ...] = ()
    memories: tuple[Known, ...] = ()  # those that may be edited


def parse_request(text: str) -> Request:
    """Read a request. Raises BadRequestError."""
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or data.get("schema") != REQUEST_SCHEMA_VERSION:
            raise BadRequestError(f"not a request of schema {REQUEST_SCHEMA_VERSION}")
        return _request(data)
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise BadRequestError(f"not a request: {type(error).__name__}: {error}") from error


def _request(data: dict[str, Any]) -> Request:
    window = data.get("window") or {}
    is_dream = data["purpose"] == "dream"
    return Request(
        round=RoundName(data["round"]) if is_dream else None,
        locale=str(data["locale"]),
        judgement=_judgement(data["judgement"]) if data.get("judgement") else None,
        project=window.get("project"),
        title=window.get("title"),
        turns=tuple(
            _turn(event) for event in data.get("events", ()) if event["role"] == Role.HUMAN
        ),
        memories=tuple(
            _known(memory) for memory in data.get("memories", ()) if memory.get("editable", True)
        ),
    )


def _judgement(asked: dict[str, Any]) -> Judgement:
    most = asked.get("max_cards")
    return Judgement(
        policy=str(asked["policy"]),
        keep_specifics=bool(asked.get("keep_specifics")),
        max_cards=None if most is None else int(most),
        cards=tuple(
            ShownCard(str(one["id"]), str(one["content"] or one["summary"]))
            for one in asked.get("cards", ())
        ),
    )


def _turn(event: dict[str, Any]) -> Turn:
    return Turn(
        handle=str(event["handle"]),
        text=str(event["text"]),
        at=_instant(event.get("local") or event.get("at")),
        pasted=tuple((int(start), int(end)) for start, end in event.get("pasted", ())),
        is_new=bool(event.get("shown", True)),
    )


def _known(memory: dict[str, Any]) -> Known:
    scope = memory.get("scope", "unset")
    return Known(
        handle=str(memory["handle"]),
        layer=Layer(memory["layer"]),
        content=str(memory["content"]),
        title=memory.get("title"),
        status=Status(memory.get("status", Status.ACTIVE)),
        scope=(scope,) if isinstance(scope, str) else tuple(sorted(map(str, scope))),
        as_of=_instant(memory.get("as_of")),
        is_todo=memory.get("subcategory") == "todo",
    )


def _instant(text: str | None) -> datetime:
    """UTC where the text names no zone."""
    if not text:
        return UNDATED
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
