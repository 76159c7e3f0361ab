"""From cards as a model wrote them to mutations: names, spellings, duplicates, and what a merge keeps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.buckets import split_names
from memgardend.core.editorial.capture_parse import Action, CapturedCard
from memgardend.core.editorial.cards import MAX_CUES, MAX_THREADS, Card, importance_of, texts
from memgardend.core.editorial.consolidated import inherited
from memgardend.core.editorial.duplicates import KnownCards, left_out
from memgardend.core.editorial.mutations import VERDICT_FIELDS, Add, Supersede
from memgardend.core.editorial.naming import residual_references
from memgardend.core.editorial.spelling import Spelling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.editorial.policies import CapturePolicy
    from memgardend.core.editorial.results import CaptureRequest
    from memgardend.core.editorial.text_gate import TextGate
    from memgardend.core.editorial.wording.locale_words import LocaleWords


_OF_THE_MATTER = frozenset({"is_sensitive", "anchor_memory_ids"})
"""What a card keeps of another even where it says the opposite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What a reply came to; `counts` says what was done on the way, by word."""

    cards: tuple[CapturedCard, ...]
    mutations: tuple[Mutation, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finisher:
    """Makes mutations of the cards of one request."""

    request: CaptureRequest
    policy: CapturePolicy
    locales: Mapping[str, LocaleWords]
    gate: TextGate
    active: Sequence[Mapping[str, Any]]  # the cards that the garden has

    def finish(self, cards: Sequence[CapturedCard]) -> Finished:
        """Mutations for cards whose targets are good, in their order."""
        counts: Counter[str] = Counter()
        known = KnownCards(self.active, self.request.locale)
        spelling = Spelling.of(
            self.active, self.request.locale, self.locales, self.request.user_name
        ).knowing(split_names(self.request.buckets), split_names(self.request.threads))
        kept: list[CapturedCard] = []
        for card in _each_target_once(cards, counts):
            known.retire(card["target_ids"])
        for card in cards:
            card["threads"] = spelling.threads(card["threads"])
            card["bucket"] = spelling.bucket(card["bucket"])
            if card["action"] == Action.ADD and not self._is_news(card, known, counts):
                continue
            self._inherit(card, counts)
            _name(card, spelling, counts)
            known.retire(card["target_ids"])
            known.add(card)
            kept.append(card)
        return Finished(
            cards=tuple(kept), mutations=tuple(map(self._mutation, kept)), counts=dict(counts)
        )

    def _is_news(self, card: CapturedCard, known: KnownCards, counts: Counter[str]) -> bool:
        """False for a near-duplicate that adds nothing; one that does is merged, where the policy merges."""
        twin = known.twin(card)
        if twin is None:
            return True
        if not twin.says_more:
            counts["duplicates"] += 1
            return False
        record_id = twin.card.get("id")  # an earlier card of this reply has none
        if record_id and self.policy.prefers_merge:
            counts["merged_into_twin"] += 1
            card["action"] = Action.MERGE
            card["target_ids"] = [record_id]
            card["target_id"] = record_id
        return True

    def _inherit(self, card: CapturedCard, counts: Counter[str]) -> None:
        """A card has whatever the old ones did and no model is asked for; a merged one all that they say, too."""
        old = [one for one in self.active if one.get("id") in card["target_ids"]]
        if not old:
            return
        merged = card["action"] == Action.MERGE
        for name, value in inherited(old).items():
            if name not in card and (merged or name in _OF_THE_MATTER):
                card[name] = value  # type: ignore[literal-required]
        if not merged:
            return
        for one in old:
            self._keep_text(card, str(one.get("content") or ""), counts)
        card["importance"] = max(card["importance"], *map(importance_of, old))
        card["bucket"] = card["bucket"] or next(iter(_all(old, "bucket")), "")
        card["threads"] = list(dict.fromkeys([*card["threads"], *_all(old, "threads")]))[
            :MAX_THREADS
        ]
        hints = [*card.get("retrieval_cues", []), *_all(old, "retrieval_cues")]
        if hints:
            card["retrieval_cues"] = list(dict.fromkeys(hints))[:MAX_CUES]

    def _keep_text(self, card: CapturedCard, old: str, counts: Counter[str]) -> None:
        """Put what an old text says, and the new one does not, below it: the model saw one line of the old."""
        rest = left_out(
            old,
            card["content"],
            self.request.locale,
            lambda sentence: not self.gate.problem("content", sentence),
        )
        if rest:
            counts["kept_of_old"] += 1
            card["content"] = f"{card['content']}\n{rest}"

    def _mutation(self, card: CapturedCard) -> Mutation:
        mount = self.request.mount
        if card["action"] == Action.ADD:
            return Add(card=self._stored(card), mount=mount)
        targets = tuple(card["target_ids"])
        return Supersede(card=self._stored(card), target_ids=targets, mount=mount)

    def _stored(self, card: CapturedCard) -> Card:
        """The card without its verdict, with where it comes from."""
        said = {name: value for name, value in card.items() if name not in VERDICT_FIELDS}
        stored = cast("Card", said)
        stored["source"] = self.request.source or self.policy.source
        stored["mount"] = self.request.mount
        if self.request.material_kind:
            stored["source_material_kind"] = self.request.material_kind
        if self.request.actor:
            stored["source_actor"] = self.request.actor
        return stored


def _all(cards: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    return [text for card in cards for text in texts(card.get(name))]


def _name(card: CapturedCard, spelling: Spelling, counts: Counter[str]) -> None:
    """The person is called by name, or not at all."""
    for field in ("summary", "content"):
        said = card[field]
        card[field] = spelling.text(said)
        counts["renamed"] += card[field] != said
        counts["residual_references"] += residual_references(card[field])


def _each_target_once(
    cards: Sequence[CapturedCard], counts: Counter[str]
) -> Sequence[CapturedCard]:
    """No two cards take the place of one: the later becomes a card of its own, so that nothing is lost."""
    taken: set[str] = set()
    for card in cards:
        free = [one for one in card["target_ids"] if one not in taken]
        if card["action"] != Action.ADD and not free:
            counts["shared_targets"] += 1
            card["action"] = Action.ADD
        card["target_ids"] = free
        card["target_id"] = next(iter(free), None)
        taken.update(free)
    return cards
