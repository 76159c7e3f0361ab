"""What a store of the library can do, what is refused without it, and how that is told to a person."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a store says of itself. The first six have to be said: a forgotten one is a TypeError."""

    supports_supersede: bool  # an old card is kept, retired, and points at the new one
    supports_atomic_batch: bool  # a batch is written whole or not at all
    supports_hard_delete: bool  # a deleted card is gone, not archived
    supports_owner_scoping: bool  # two owners of one tenant never meet
    supports_custom_fields: bool  # fields of a card come back as they were given
    supports_metadata_sort: bool  # the store itself can sort by time or weight
    supports_maintenance_state: bool = False  # a ledger is written in the transaction of the cards
    supports_monotonic_seed_generation: bool = False  # counts of new cards never go down
    supports_incremental_maintenance: bool = (
        False  # the ledger keeps the reviewed version of each card
    )
    supports_request_receipts: bool = False  # a request is recognised before the model is asked


FULL_CAPABILITIES = Capabilities(**{one.name: True for one in fields(Capabilities)})
NO_CAPABILITIES = Capabilities(**{one.name: False for one in fields(Capabilities)})

DEGRADABLE = ("supports_custom_fields", "supports_metadata_sort")
"""Without these everything works, worse; without any other, what needs it is refused."""
CRITICAL = tuple(one.name for one in fields(Capabilities) if one.name not in DEGRADABLE)

MAINTENANCE = (
    "supports_supersede",
    "supports_atomic_batch",
    "supports_maintenance_state",
    "supports_monotonic_seed_generation",
    "supports_incremental_maintenance",
)
"""What a consolidation needs of a store."""
KEYED_CAPTURE = ("supports_request_receipts",)
"""What a capture with a request key needs beside what its mutations need."""


def declared(store: object) -> Capabilities:
    """What a store says it can do; one that cannot say, or fails to, counts as able to do nothing."""
    say = getattr(store, "capabilities", None)
    try:
        said = say() if callable(say) else None
    except Exception:  # noqa: BLE001 - whatever a foreign store raises, it has not promised anything
        return NO_CAPABILITIES
    # A store written against the first release has four flags; what it does not mention it cannot do.
    return Capabilities(
        **{one.name: getattr(said, one.name, False) is True for one in fields(Capabilities)}
    )


def missing(capabilities: Capabilities, needed: Iterable[str]) -> tuple[str, ...]:
    """The needed flags that are off, in the order of the flags. Words may leave out `supports_`."""
    wanted = {word if word.startswith("supports_") else f"supports_{word}" for word in needed}
    unknown = wanted - {one.name for one in fields(Capabilities)}
    if unknown:
        raise ValueError(f"no such capability: {', '.join(sorted(unknown))}")
    return tuple(
        one.name
        for one in fields(Capabilities)
        if one.name in wanted and not getattr(capabilities, one.name)
    )


def describe_for_user(capabilities: Capabilities, locale: str = "en") -> list[str]:
    """What is off, one plain sentence each, for a person; nothing for a store that can do all.

    English unless the locale is a Chinese one.
    """
    sentences = _CHINESE if locale.casefold().startswith("zh") else _ENGLISH
    return [sentences[name] for name in missing(capabilities, sentences)]


_ENGLISH = {
    "supports_supersede": "A memory cannot be replaced by a newer one while the old one is kept,"
    " so nothing is captured, imported or consolidated.",
    "supports_atomic_batch": "Several changes cannot be written as one, so everything that makes"
    " more than one change is refused: capture, import and consolidation.",
    "supports_hard_delete": "A memory cannot be removed for good; a request to delete one is refused"
    " rather than answered by hiding it.",
    "supports_owner_scoping": "Different owners of one account cannot be kept apart, so only the"
    " account's own memories are served; those of any other owner are refused.",
    "supports_custom_fields": "Buckets and threads may not come back as they were written, so"
    " browsing by them is poorer. Nothing else is lost.",
    "supports_metadata_sort": "Sorting by date or weight happens after loading, which is slower with"
    " many memories. The results are the same.",
    "supports_maintenance_state": "It cannot be noted together with the memories what was tidied up"
    " already, so memories are never consolidated.",
    "supports_monotonic_seed_generation": "New memories cannot be counted reliably once some are"
    " deleted, so memories are never consolidated.",
    "supports_incremental_maintenance": "It cannot be told which memories have changed since they"
    " were last tidied up, so memories are never consolidated.",
    "supports_request_receipts": "A request that is sent twice cannot be recognised beforehand, so"
    " captures that carry a request key are refused.",
}
_CHINESE = {
    "supports_supersede": "无法用新记忆取代旧记忆并保留旧的，因此不会捕获、导入或整理任何内容。",
    "supports_atomic_batch": "无法把多处改动作为一个整体写入，因此一次包含多处改动的操作"
    "（捕获、导入、整理）都会被拒绝。",
    "supports_hard_delete": "无法彻底删除一条记忆；删除请求会被拒绝，而不是改成隐藏。",
    "supports_owner_scoping": "无法把同一账户下的不同所有者分开，因此只提供账户自己的记忆，"
    "其他所有者的请求会被拒绝。",
    "supports_custom_fields": "分类和线索可能无法原样取回，按它们浏览的效果会变差，其余内容不受影响。",
    "supports_metadata_sort": "按时间或重要程度排序要在读取之后进行，记忆很多时会变慢，结果不变。",
    "supports_maintenance_state": "无法把“已经整理到哪里”和记忆一起记录，因此不会整理记忆。",
    "supports_monotonic_seed_generation": "删除记忆之后无法可靠地统计新增数量，因此不会整理记忆。",
    "supports_incremental_maintenance": "无法判断哪些记忆在上次整理之后变过，因此不会整理记忆。",
    "supports_request_receipts": "无法事先认出重复发送的请求，因此带请求标识的捕获会被拒绝。",
}
