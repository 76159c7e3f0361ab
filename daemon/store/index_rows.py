"""How the index over memories is written: out with what was known of a memory, in with what it says now."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from memgardend.core.impacts import MAX_CONTEXT_CHARS, Surface
from memgardend.core.indexing import index_terms, index_version
from memgardend.core.words import Status
from memgardend.daemon.store import rows
from memgardend.daemon.store.index_reading import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.impacts import Impacts
    from memgardend.core.indexing import IndexedText
    from memgardend.daemon.store.driver import Row, Transaction

BATCH = 500
"""So many memories become terms at once; a dream writes fewer."""

_LANGUAGES = {index_version(locale): locale for locale in ("en", "")}
"""A locale for each set of rules that this program knows."""

_WAITING = """
SELECT s.garden, s.version FROM index_state AS s
WHERE NOT s.building AND EXISTS (SELECT 1 FROM index_queue AS q WHERE q.garden = s.garden)
"""
_TAKE = """
DELETE FROM index_queue WHERE garden = :garden AND memory IN (
    SELECT memory FROM index_queue WHERE garden = :garden LIMIT :batch)
RETURNING memory
"""
_IN_IDS = "IN (SELECT value FROM json_each(:ids))"
_OLD = f"""
SELECT m.number, m.status, c.terms FROM index_memories AS m JOIN index_contents AS c ON c.memory = m.number
WHERE m.garden = :garden AND m.memory {_IN_IDS}
"""
_QUOTES = f"""
SELECT memory, quote FROM evidence WHERE garden = :garden AND memory {_IN_IDS}
ORDER BY memory, at DESC, window, event DESC, span_start
"""
_FORGET = (
    *(
        f"""DELETE FROM {table} WHERE memory = :number AND retired = (:status <> '{Status.ACTIVE}')
        AND term IN (SELECT value FROM json_each(:terms))"""
        for table in TABLES.values()
    ),
    "DELETE FROM index_contents WHERE memory = :number",
    "DELETE FROM index_memories WHERE number = :number",
)
_COUNT_TERM = """
INSERT INTO index_terms (garden, term, memories, most_cues, most_whole)
VALUES (:garden, :term, :memories, :cues, :whole)
ON CONFLICT (garden, term) DO UPDATE SET memories = memories + excluded.memories,
    most_cues = max(most_cues, excluded.most_cues),
    most_whole = max(most_whole, excluded.most_whole)
"""
_COPIED = ("revision", "layer", "status", "scope", "importance", "as_of")
_PUT_MEMORY = rows.insert_sql("index_memories", ("number", "memory", *_COPIED, "said", "frame"))
_PUT_CONTENT = "INSERT INTO index_contents (memory, terms) VALUES (:number, :terms)"
_PUT_POSTING = {
    surface: f"""INSERT INTO {table} (term, retired, memory, impact)
    VALUES (:term, :retired, :memory, :impact)"""
    for surface, table in TABLES.items()
}
_ADD = "UPDATE index_state SET memories = memories + :more WHERE garden = :garden"


def catch_up(transaction: Transaction) -> None:
    """Index what a transaction has written, before it commits, in every garden whose index is whole."""
    for row in transaction.read(_WAITING):
        locale = locale_of(row["version"])
        while locale is not None and index_some(transaction, row["garden"], locale):
            pass


def index_some(transaction: Transaction, garden: str, locale: str) -> int:
    """Take up to BATCH memories out of the queue and index them; how many were taken."""
    taken = transaction.read(_TAKE, {"garden": garden, "batch": BATCH})
    if not taken:
        return 0
    ids = {"garden": garden, "ids": rows.to_json([row["memory"] for row in taken])}
    fewer = _take_out(transaction, ids)
    found = transaction.read(f"SELECT * FROM memories WHERE garden = :garden AND id {_IN_IDS}", ids)
    quotes = _quotes(transaction, ids)
    texts = [
        (row, index_terms(rows.memory_of(row), locale, quotes.get(row["id"], ()))) for row in found
    ]
    _put_in(transaction, garden, texts)
    transaction.execute(_ADD, {"garden": garden, "more": len(texts) - fewer})
    return len(taken)


def locale_of(version: str) -> str | None:
    """A locale whose rules this version names; None for those of another program."""
    return _LANGUAGES.get(version)


def _quotes(transaction: Transaction, ids: Mapping[str, object]) -> dict[str, list[str]]:
    """What is quoted for these memories, the newest first, as far as it is searched."""
    quotes: dict[str, list[str]] = {}
    for row in transaction.read(_QUOTES, ids):
        quotes.setdefault(row["memory"], []).append(row["quote"][:MAX_CONTEXT_CHARS])
    return quotes


def _take_out(transaction: Transaction, ids: Mapping[str, object]) -> int:
    """Forget these memories; how many were known."""
    old = transaction.read(_OLD, ids)
    if old:
        for forget in _FORGET:
            transaction.execute_many(forget, old)
        _count_down(transaction, Counter(term for row in old for term in json.loads(row["terms"])))
    return len(old)


def _count_down(transaction: Transaction, terms: Counter[int]) -> None:
    """What no memory says any more is forgotten, too: a purged word must not stay here."""
    transaction.execute_many(
        "UPDATE index_terms SET memories = memories - :fewer WHERE number = :number",
        [{"number": number, "fewer": fewer} for number, fewer in terms.items()],
    )
    transaction.execute(
        f"DELETE FROM index_terms WHERE number {_IN_IDS} AND memories = 0",
        {"ids": rows.to_json(list(terms))},
    )


def _put_in(
    transaction: Transaction, garden: str, texts: Sequence[tuple[Row, IndexedText]]
) -> None:
    """Write what these memories say."""
    terms = _numbers(transaction, garden, [text for _, text in texts])
    (free,) = transaction.read("SELECT coalesce(max(number), 0) + 1 AS number FROM index_memories")
    numbered = list(enumerate(texts, start=free["number"]))
    transaction.execute_many(
        _PUT_MEMORY,
        [
            {
                **{name: row[name] for name in _COPIED},
                "number": number,
                "garden": garden,
                "memory": row["id"],
                "said": text.said,
                "frame": text.frame,
            }
            for number, (row, text) in numbered
        ],
    )
    transaction.execute_many(
        _PUT_CONTENT,
        [
            {"number": number, "terms": rows.to_json([terms[term] for term in text.terms])}
            for number, (_, text) in numbered
        ],
    )
    for surface, put in _PUT_POSTING.items():
        transaction.execute_many(
            put,
            [
                {
                    "term": terms[term],
                    "retired": row["status"] != Status.ACTIVE,
                    "memory": number,
                    "impact": impacts[surface],
                }
                for number, (row, text) in numbered
                for term, impacts in text.terms.items()
                if impacts[surface] or surface is Surface.WHOLE
            ],
        )


def _numbers(transaction: Transaction, garden: str, texts: Sequence[IndexedText]) -> dict[str, int]:
    """Count the terms of these texts up; their numbers."""
    impacts: dict[str, list[Impacts]] = {}
    for text in texts:
        for term, its in text.terms.items():
            impacts.setdefault(term, []).append(its)
    transaction.execute_many(
        _COUNT_TERM,
        [
            {
                "garden": garden,
                "term": term,
                "memories": len(all_its),
                "cues": max(its[Surface.CUES] for its in all_its),
                "whole": max(its[Surface.WHOLE] for its in all_its),
            }
            for term, all_its in impacts.items()
        ],
    )
    found = transaction.read(
        """SELECT number, term FROM index_terms
        WHERE garden = :garden AND term IN (SELECT value FROM json_each(:terms))""",
        {"garden": garden, "terms": rows.to_json(list(impacts))},
    )
    return {row["term"]: row["number"] for row in found}
