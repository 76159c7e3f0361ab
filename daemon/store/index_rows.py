"""How the index over memories is written: out with what was known of a memory, in with what it says now."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from memgardend.core.indexing import FIELDS, index_terms, index_version
from memgardend.daemon.store import rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.indexing import IndexedText
    from memgardend.daemon.store.driver import Row, Transaction

BATCH = 500
"""So many memories become terms at once; a dream writes fewer."""

_LANGUAGES = {index_version(locale): locale for locale in ("en", "")}
"""A locale for each set of rules that this program knows."""
_SUMS = ("memories", *FIELDS, "characters")
_LENGTHS = (*FIELDS, "characters")

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
_OLD = f"DELETE FROM index_memories WHERE garden = :garden AND memory {_IN_IDS} RETURNING *"
_FORGET = """
DELETE FROM index_postings WHERE memory = :number AND term IN (SELECT value FROM json_each(:terms))
"""
_COUNT_TERM = """
INSERT INTO index_terms (garden, term, memories) VALUES (:garden, :term, :memories)
ON CONFLICT (garden, term) DO UPDATE SET memories = memories + excluded.memories
"""
_COPIED = ("revision", "layer", "status", "scope", "as_of")
_PUT_MEMORY = rows.insert_sql(
    "index_memories", ("number", "memory", *_COPIED, *_LENGTHS, "said", "frame", "terms")
)
_PUT_POSTING = f"""
INSERT INTO index_postings (term, memory, {", ".join(FIELDS)})
VALUES (:term, :memory, {", ".join(f":{name}" for name in FIELDS)})
"""
_ADD = (
    "UPDATE index_state SET "
    + ", ".join(f"{name} = {name} + :{name}" for name in _SUMS)
    + " WHERE garden = :garden"
)


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
    sums = _take_out(transaction, ids)
    found = transaction.read(f"SELECT * FROM memories WHERE garden = :garden AND id {_IN_IDS}", ids)
    texts = [(row, index_terms(rows.memory_of(row), locale)) for row in found]
    sums.update(_put_in(transaction, garden, texts))
    transaction.execute(_ADD, {"garden": garden, **{name: sums[name] for name in _SUMS}})
    return len(taken)


def locale_of(version: str) -> str | None:
    """A locale whose rules this version names; None for those of another program."""
    return _LANGUAGES.get(version)


def _take_out(transaction: Transaction, ids: Mapping[str, object]) -> Counter[str]:
    """Forget these memories; by how much the sums change."""
    old = transaction.read(_OLD, ids)
    if old:
        transaction.execute_many(_FORGET, old)
        _count_down(transaction, Counter(term for row in old for term in json.loads(row["terms"])))
    sums: Counter[str] = Counter()
    for row in old:
        sums.subtract({"memories": 1, **{name: row[name] for name in _LENGTHS}})
    return sums


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
) -> Counter[str]:
    """Write what these memories say; by how much the sums change."""
    terms = _numbers(transaction, garden, Counter(term for _, text in texts for term in text.terms))
    (free,) = transaction.read("SELECT coalesce(max(number), 0) + 1 AS number FROM index_memories")
    numbered = list(enumerate(texts, start=free["number"]))
    transaction.execute_many(
        _PUT_MEMORY,
        [
            {
                **{name: row[name] for name in _COPIED},
                **_lengths(text),
                "number": number,
                "garden": garden,
                "memory": row["id"],
                "said": text.said,
                "frame": text.frame,
                "terms": rows.to_json([terms[term] for term in text.terms]),
            }
            for number, (row, text) in numbered
        ],
    )
    transaction.execute_many(
        _PUT_POSTING,
        [
            {"term": terms[term], "memory": number, **dict(zip(FIELDS, counts, strict=True))}
            for number, (_, text) in numbered
            for term, counts in text.terms.items()
        ],
    )
    sums: Counter[str] = Counter()
    for _, text in texts:
        sums.update({"memories": 1, **_lengths(text)})
    return sums


def _numbers(transaction: Transaction, garden: str, terms: Counter[str]) -> dict[str, int]:
    """Count these terms up; their numbers."""
    transaction.execute_many(
        _COUNT_TERM,
        [
            {"garden": garden, "term": term, "memories": memories}
            for term, memories in terms.items()
        ],
    )
    found = transaction.read(
        """SELECT number, term FROM index_terms
        WHERE garden = :garden AND term IN (SELECT value FROM json_each(:terms))""",
        {"garden": garden, "terms": rows.to_json(list(terms))},
    )
    return {row["term"]: row["number"] for row in found}


def _lengths(text: IndexedText) -> dict[str, int]:
    return dict(zip(_LENGTHS, (*text.lengths, text.characters), strict=True))
