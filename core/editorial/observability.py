"""What may be kept of a selection: enough to ask later why something was not recalled, and no content at all.

Kept: the rule set, counts, ids, reasons, the duration, and twelve characters of a hash that find the same question
again and give none of it back. Not kept: texts, names of buckets or threads, matched words.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memgardend.core.editorial.selection import SelectionResult

FINGERPRINT_CHARS = 12
MAX_IDS = 12
"""Ids that a record names; the counts are of all."""

_CONTENT_KEYS = """
summary content bucket bucket_name buckets by_bucket thread threads query title text texts search_text quote quotes
matched matched_units keywords retrieval_cues cues prompt reply window name names
"""
CONTENT_KEYS = frozenset(_CONTENT_KEYS.split())
_WORD = re.compile(r"[a-z][a-z0-9_]*(?:[:.+-][a-z0-9_.+-]+)*")
_ID = re.compile(r"[!-~]{1,128}")
_FINGERPRINT = re.compile(rf"[0-9a-f]{{{FINGERPRINT_CHARS}}}|")
_IDS = frozenset({"id", "injected_ids", "record_ids"})


def query_fingerprint(query: str) -> str:
    """Twelve hex digits that are the same for the same question; "" for a blank one.

    Case, width and spacing of the letters do not count.
    """
    folded = " ".join(unicodedata.normalize("NFKC", query).casefold().split())
    digest = hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()
    return digest[:FINGERPRINT_CHARS] if folded else ""


def injection_record(
    query: str,
    result: SelectionResult,
    *,
    mode: str,
    cap: int,
    index_count: int = 0,
    sample: int = 0,
    dur_ms: int | None = None,
) -> dict[str, Any]:
    """The record of one selection, safe to store and to log.

    `mode` names the rule set, `index_count` is how many cards were listed beside those selected, `cap` the limit.
    Of the rejected cards `sample` are named with their reasons.
    """
    record: dict[str, Any] = {
        "mode": mode,
        "query_fingerprint": query_fingerprint(query),
        "query_empty": not query.strip(),
        "counts": {
            "candidate_pool": int(result.diagnostics.get("candidates", 0)),
            "index_count": index_count,
            "injected": len(result.picks),
            "rejected_sampled": len(result.rejected),
            "cap": cap,
        },
        "injected_ids": [pick.card_id for pick in result.picks[:MAX_IDS]],
        "rejected_reasons": dict(Counter(result.rejected.values())),
    }
    if sample:
        named = list(result.rejected.items())[:sample]
        record["rejected"] = [{"id": id_, "reason": reason} for id_, reason in named]
    if dur_ms is not None:
        record["dur_ms"] = dur_ms
    assert_content_free(record)
    return record


def assert_content_free(record: Mapping[str, Any]) -> None:
    """Raise AssertionError, naming the place and never the content, when a record holds anything but
    numbers, flags, ids, fingerprints and words of ours.
    """
    for place, key, value in _leaves(record, ""):
        if key in CONTENT_KEYS:
            raise AssertionError(f"{place} is a field for content")
        if not _WORD.fullmatch(key):
            raise AssertionError(
                f"a key under {place.rpartition('.')[0] or 'the record'} is no word of ours"
            )
        if isinstance(value, str) and not _may_say(key).fullmatch(value):
            raise AssertionError(f"{place} holds free text")
        if not isinstance(value, str | int | float | bool | None):
            raise AssertionError(f"{place} holds a {type(value).__name__}")


def _may_say(key: str) -> re.Pattern[str]:
    """What a text under this key may be."""
    if key in _IDS:
        return _ID
    return _FINGERPRINT if key.endswith("fingerprint") else _WORD


def _leaves(value: object, place: str, key: str = "record") -> Iterable[tuple[str, str, object]]:
    """Every key with what it holds; what is inside lists counts as held by their key."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            inner = f"{place}.{name}" if place and _WORD.fullmatch(str(name)) else str(name)
            if isinstance(one, Mapping | list | tuple):
                yield inner, str(name), None
            yield from _leaves(one, inner, str(name))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _leaves(one, place, key)
    else:
        yield place, key, value
