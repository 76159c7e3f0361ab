"""The cards of a garden by themselves: find, read, page through, and change what somebody asked to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import is_active, texts
from memgardend.core.editorial.fragments import FRAGMENT_CHARS, Fragment, read_fragment
from memgardend.core.editorial.mounted.scoped_store import Write
from memgardend.core.editorial.mounted.stored import receipt_of
from memgardend.core.editorial.mutations import Delete, Promote
from memgardend.core.editorial.pages import PAGE_ITEMS, Page, browse
from memgardend.core.editorial.recalling import SEARCH_CARDS, SearchHit, search_cards
from memgardend.core.editorial.related import RELATED_CARDS, Related, related
from memgardend.core.editorial.results import ErrorWord, Failure, OperationReceipt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.mounted.scoped_store import ScopedStore
    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.editorial.text_gate import TextGate

_HIDDEN = frozenset({"search_text"})


@dataclass(frozen=True, slots=True)
class Records:
    """What one scope may see and change. What a store raises is raised by reads; writes answer with a receipt."""

    store: ScopedStore
    gate: TextGate

    def search(self, query: str, *, limit: int = SEARCH_CARDS) -> tuple[SearchHit, ...]:
        """The active cards that answer, the best first; none where none does."""
        return search_cards(self.store.load().cards, query, limit=limit)

    def get(self, ids: Iterable[str]) -> list[dict[str, Any]]:
        """The active cards of these ids, whole but for what is only searched."""
        return [_shown(card) for card in self.store.load(ids=list(ids)).cards]

    def read(
        self, record_id: str, *, cursor: str = "", limit: int = FRAGMENT_CHARS
    ) -> Fragment | None:
        """One active card in fragments; None where there is none. Raises ValueError as `read_fragment` does."""
        cards = self.store.load(ids=[record_id]).cards
        return read_fragment(cards[0] if cards else None, cursor=cursor, limit=limit)

    def related(self, ids: Iterable[str], *, cap: int = RELATED_CARDS) -> tuple[Related, ...]:
        """What is one step from the active cards of these ids; what the store has replaced is linked, too.

        Raises ValueError as the function `related` does.
        """
        cards = self.store.load(retired=True).cards
        wanted = set(ids)
        sources = [card for card in cards if card["id"] in wanted and is_active(card)]
        return related([_linked(card, cards) for card in sources], cards, cap=cap)

    def browse(self, *, limit: int = PAGE_ITEMS, cursor: str = "") -> Page:
        """The active cards as a list for people. Raises ValueError for a limit that is not 1 to 1000."""
        return browse(self.store.load().cards, limit=limit, cursor=cursor)

    def apply(
        self,
        mutations: Sequence[Mutation],
        *,
        idempotency_key: str = "",
        expected_revision: str | None = None,
    ) -> OperationReceipt:
        """Write a batch of the host's own, in one step; its texts pass the gate."""
        write = Write(tuple(mutations), idempotency_key.strip(), expected_revision)
        written = self.store.write(write, self.gate)
        if isinstance(written, Failure):
            return receipt_of(None, error=written)
        return receipt_of(written)

    def delete(
        self, record_id: str, *, requested_by: str, idempotency_key: str = ""
    ) -> OperationReceipt:
        """Remove a card for good, because somebody asked for it."""
        if not record_id.strip():
            return receipt_of(None, error=Failure(ErrorWord.RECORD_ID_REQUIRED))
        if not requested_by.strip():
            return receipt_of(None, error=Failure(ErrorWord.REQUESTED_BY_REQUIRED))
        gone = Delete(record_id=record_id, requested_by=requested_by)
        return self.apply([gone], idempotency_key=idempotency_key)

    def promote(
        self, record_id: str, to_mount: str, *, idempotency_key: str = ""
    ) -> OperationReceipt:
        """Let others see a card; both mounts have to be open. Raises MountPermissionError."""
        moved = Promote(record_id=record_id, to_mount=to_mount)
        return self.apply([moved], idempotency_key=idempotency_key)


def _linked(card: dict[str, Any], cards: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The card with links to all that it took the place of, whoever noted that."""
    replaced = [one["id"] for one in cards if one.get("superseded_by") == card["id"]]
    return {**card, "supersedes": [*texts(card.get("supersedes")), *replaced]}


def _shown(card: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in card.items() if name not in _HIDDEN}
