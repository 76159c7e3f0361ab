"""The three yardsticks: one judgement, measured by what the text is and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum

from memgardend.core.errors import UsageError


class PolicyName(StrEnum):
    """The yardsticks that there are."""

    CONVERSATION_CAPTURE = "conversation_capture"
    HISTORY_IMPORT = "history_import"
    CURATED_ARCHIVE = "curated_archive"


class LanguageBasis(StrEnum):
    """Whose language a garden's is guessed from where nobody said."""

    CONVERSATION = "conversation"
    MATERIAL = "material"


class UnknownPolicyError(UsageError, ValueError):
    """There is no policy of this name; another one would silently keep far less, or far more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturePolicy:
    """What one yardstick allows. `max_cards`: None is no limit."""

    name: PolicyName
    max_cards: int | None
    prefers_merge: bool  # merge before add; else add before merge
    keeps_dates: bool  # cards say when something happened
    tags_seed_threads: bool  # the material's tags become threads
    language_basis: LanguageBasis
    source: str  # the origin of its cards, unless the host says another
    keeps_specifics: bool = False  # history_import: one-off facts of the person's own life stay


_POLICIES = {
    policy.name: policy
    for policy in (
        CapturePolicy(
            name=PolicyName.CONVERSATION_CAPTURE,
            max_cards=2,
            prefers_merge=True,
            keeps_dates=False,
            tags_seed_threads=False,
            language_basis=LanguageBasis.CONVERSATION,
            source="conversation_capture",
        ),
        CapturePolicy(
            name=PolicyName.HISTORY_IMPORT,
            max_cards=None,
            prefers_merge=True,
            keeps_dates=True,
            tags_seed_threads=False,
            language_basis=LanguageBasis.MATERIAL,
            source="history_import",
        ),
        CapturePolicy(
            name=PolicyName.CURATED_ARCHIVE,
            max_cards=None,
            prefers_merge=False,
            keeps_dates=True,
            tags_seed_threads=True,
            language_basis=LanguageBasis.MATERIAL,
            source="curated",
        ),
    )
}


def get_policy(
    name: str | CapturePolicy | None = None, *, keep_specifics: bool = False
) -> CapturePolicy:
    """The policy of this name; None or blank is `conversation_capture`.

    `keep_specifics` lets `history_import` keep concrete one-off facts of the person's life, which it drops by
    default; the other policies do not know the difference. Raises UnknownPolicyError for any other name.
    """
    if isinstance(name, CapturePolicy):
        return name
    word = (name or "").strip() or PolicyName.CONVERSATION_CAPTURE
    if word not in _POLICIES:
        near = get_close_matches(word, _POLICIES, n=1)
        raise UnknownPolicyError(
            f"no such policy: {word!r}",
            hint=f"did you mean {near[0]}?" if near else f"policies: {', '.join(_POLICIES)}",
        )
    policy = _POLICIES[PolicyName(word)]
    switched = keep_specifics and policy.name is PolicyName.HISTORY_IMPORT
    return replace(policy, keeps_specifics=True) if switched else policy
