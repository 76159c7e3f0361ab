"""Cards as a dream reads them: whole, under their ids, and never able to pass for another card."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import MAX_SUMMARY_CHARS, cues, texts
from memgardend.core.editorial.seeds import reviewable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CUT_MARK = "TRUNCATED"
"""Stands in the header of a card that is not shown whole: it may inform a dream and is no target of one."""

_INDENT = "    "


@dataclass(frozen=True, slots=True)
class DreamCaps:
    """How much one dream reads; all are positive. Raises ValueError for anything else."""

    cards: int = 60
    total_chars: int = 60_000
    summary_chars: int = MAX_SUMMARY_CHARS
    content_chars: int = 5000
    conversation_chars: int = 20_000

    def __post_init__(self) -> None:
        """Refuse what is no positive whole number."""
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"`{one.name}` must be a positive whole number, not {value!r}")


@dataclass(frozen=True, slots=True)
class RenderedCards:
    """The text of the cards that fit, their ids in order, and which of them were cut."""

    text: str
    ids: tuple[str, ...]
    cut_ids: tuple[str, ...]


def render_cards(cards: Iterable[Mapping[str, Any]], caps: DreamCaps) -> RenderedCards:
    """Render whole cards in the order given and stop at the first that does not fit.

    Cards without an id, without any text, or out of use are left out.
    """
    blocks: list[str] = []
    ids: list[str] = []
    cut: list[str] = []
    room = caps.total_chars
    for card in reviewable(cards):
        block, is_cut = _block(card, caps)
        if len(ids) == caps.cards or len(block) > room:
            break
        room -= len(block)
        blocks.append(block)
        ids.append(card["id"])
        cut += [card["id"]] * is_cut
    return RenderedCards("".join(blocks), tuple(ids), tuple(cut))


def fits_alone(card: Mapping[str, Any], caps: DreamCaps) -> bool:
    """True for a card that an otherwise empty dream could show."""
    return len(_block(card, caps)[0]) <= caps.total_chars


def _block(card: Mapping[str, Any], caps: DreamCaps) -> tuple[str, bool]:
    """One card as text, and whether it was cut."""
    summary = _line(card.get("summary"))
    content = _text(card.get("content"))
    is_cut = len(summary) > caps.summary_chars or len(content) > caps.content_chars
    body = "".join(f"{_INDENT}{line}\n" for line in content[: caps.content_chars].splitlines())
    told = {
        "bucket": _line(card.get("bucket")),
        "threads": "; ".join(map(_line, texts(card.get("threads")))),
        "occurred_at": _line(card.get("occurred_at")),
        "summary": summary[: caps.summary_chars],
        "search hints": "; ".join(cues(card.get("retrieval_cues"))),
    }
    head = f"### card {_line(card['id'])}{f' ({CUT_MARK})' if is_cut else ''}\n"
    named = "".join(f"{name}: {value}\n" for name, value in told.items() if value)
    return f"{head}{named}content:\n{body}\n", is_cut


def _line(value: object) -> str:
    return " ".join(_text(value).split())


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
