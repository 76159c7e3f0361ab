"""What is noted of a recall beside its marks: counts, ids and reasons, and no word of what was asked or known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.observability import MAX_IDS, content_free_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.recall.leaving import LeftOut
    from memgardend.core.recall.requests import RecallContext

SEARCH = "search"
"""The mode of a search; messages are noted by the kind of what was put beside them."""
_CHANGED = "+cfg:"
"""Where a person's own policy decided, the version ends in this and a checksum of the policy's name."""


def record(
    context: RecallContext,
    mode: str,
    query: str,
    recalled: Sequence[str],
    others: Mapping[str, LeftOut],
    *,
    rules: str,
    candidates: int,
    dur_ms: int,
    cap: int | None = None,
) -> dict[str, Any]:
    """The record of a recall; of what came and of what did not it names twelve each.

    `rules`: the version of what decided, `candidates`: how many were chosen among, `cap`: how many at most (None:
    what has room).
    """
    return content_free_record(
        query,
        recalled,
        others,
        mode=mode,
        candidates=candidates,
        cap=cap,
        rules=rules + (_changed(context.policy_name) if context.policy else ""),
        sample=MAX_IDS,
        dur_ms=dur_ms,
    )


def _changed(policy_name: str) -> str:
    from zlib import crc32  # a hook mostly does without

    return f"{_CHANGED}{crc32(policy_name.encode()):08x}"


def elapsed_ms(context: RecallContext, started_s: float) -> int:
    """How long a recall took that began at this monotonic instant."""
    return round((context.clock.monotonic() - started_s) * 1000)
