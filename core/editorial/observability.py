"""What may be kept of a selection: enough to ask later why something was not recalled, and no content at all.

Kept: the rule set, counts, ids, reasons, the duration, and twelve characters of a hash that find the same question
again and give none of it back. Not kept: texts, names of buckets or threads, matched words.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
_WORD_CHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_:.+-")
_ID_CHARS = 128
_HEX_DIGITS = frozenset("0123456789abcdef")
_IDS = frozenset({"id", "injected_ids", "record_ids"})


def query_fingerprint(query: str) -> str:
    """Twelve hex digits that are the same for the same question; "" for a blank one.

    Case, width and spacing of the letters do not count.
    """
    import hashlib  # loads OpenSSL, which not every question needs

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
    return content_free_record(
        query,
        result.card_ids,
        result.rejected,
        mode=mode,
        candidates=int(result.diagnostics.get("candidates", 0)),
        cap=cap,
        index_count=index_count,
        sample=sample,
        dur_ms=dur_ms,
    )


def content_free_record(
    query: str,
    selected: Sequence[str],
    rejected: Mapping[str, str],
    *,
    mode: str,
    candidates: int,
    cap: int | None,
    rules: str = "",
    index_count: int = 0,
    sample: int = 0,
    dur_ms: int | None = None,
) -> dict[str, Any]:
    """The same of ids alone: those selected, and those rejected with a word for each.

    `candidates`: how many were selected among. `cap` None: what has room. `rules`: the version of what decided.
    An id that a host has made of text is counted and not named.
    """
    record: dict[str, Any] = {
        "mode": mode,
        "query_fingerprint": query_fingerprint(query),
        "query_empty": not query.strip(),
        "counts": {
            "candidate_pool": candidates,
            "index_count": index_count,
            "injected": len(selected),
            "rejected_sampled": len(rejected),
            **({} if cap is None else {"cap": cap}),
        },
        "injected_ids": [id_ for id_ in selected if _is_id(id_)][:MAX_IDS],
        "rejected_reasons": dict(Counter(rejected.values())),
    }
    if rules:
        record["rules"] = rules
    if sample:
        named = [(id_, reason) for id_, reason in rejected.items() if _is_id(id_)][:sample]
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
        if not _is_word(key):
            raise AssertionError(
                f"a key under {place.rpartition('.')[0] or 'the record'} is no word of ours"
            )
        if isinstance(value, str) and not _may_say(key, value):
            raise AssertionError(f"{place} holds free text")
        if not isinstance(value, str | int | float | bool | None):
            raise AssertionError(f"{place} holds a {type(value).__name__}")


def _may_say(key: str, text: str) -> bool:
    """Whether this key may have this text: an id, a fingerprint, or a word of ours."""
    if key in _IDS:
        return _is_id(text)
    if key.endswith("fingerprint"):
        return not text or (len(text) == FINGERPRINT_CHARS and _HEX_DIGITS.issuperset(text))
    return _is_word(text)


def _is_id(text: str) -> bool:
    return 0 < len(text) <= _ID_CHARS and all("!" <= char <= "~" for char in text)


def _is_word(text: str) -> bool:
    """No pattern, which would take a hook longer to compile than all that it checks."""
    return "a" <= text[:1] <= "z" and _WORD_CHARS.issuperset(text)


def _leaves(value: object, place: str, key: str = "record") -> Iterable[tuple[str, str, object]]:
    """Every key with what it holds; what is inside lists counts as held by their key."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            inner = f"{place}.{name}" if place and _is_word(str(name)) else str(name)
            if isinstance(one, Mapping | list | tuple):
                yield inner, str(name), None
            yield from _leaves(one, inner, str(name))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _leaves(one, place, key)
    else:
        yield place, key, value
