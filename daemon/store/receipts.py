"""Receipts: one a model call, written before it and completed after it; the truth about what was spent."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from memgardend.core.budget import Call, Spending
from memgardend.core.errors import FencedError, StoreError
from memgardend.core.records import Receipt
from memgardend.core.spent import Spent, amounts_of
from memgardend.core.words import Outcome
from memgardend.daemon.store import rows
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.budget import Limits
    from memgardend.daemon.store.driver import Database, Transaction

_INSERT = rows.insert_sql("receipts", rows.names(Receipt))
_COMPLETE = f"""
UPDATE receipts SET {", ".join(f"{name} = :{name}" for name in rows.names(Receipt))}
WHERE id = (
    SELECT max(id) FROM receipts
    WHERE garden = :garden AND dream = :dream AND round = :round AND outcome = 'asked'
)
"""
_COMPLETE_CALL = f"""
UPDATE receipts SET {", ".join(f"{name} = :{name}" for name in rows.names(Receipt))}
WHERE garden = :garden AND id = :number
"""
_CALLS = """
SELECT at, coalesce(tokens_in, 0) + coalesce(tokens_out, 0) AS tokens, cost, currency FROM receipts
WHERE garden = :garden AND at >= :since AND counted
"""

_SUMS = ("calls", "tokens_in", "tokens_out", "estimated", "unpriced", "duration_ms")
_EVER = """
SELECT outcome, count(*) AS calls,
    coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out,
    sum(NOT tokens_reported) AS estimated, sum(cost IS NULL) AS unpriced,
    sum(duration_ms) AS duration_ms
FROM receipts WHERE garden = :garden AND counted GROUP BY outcome ORDER BY outcome
"""
_COSTS = """
SELECT currency, cost, peak_cost FROM receipts
WHERE garden = :garden AND counted AND cost IS NOT NULL
"""


def begin(transaction: Transaction, garden: str, receipt: Receipt) -> None:
    """Write the receipt of a call that is about to be made."""
    transaction.execute(_INSERT, rows.to_row(receipt, garden))


def complete(transaction: Transaction, garden: str, receipt: Receipt) -> None:
    """Fill in the receipt of the call that a round waits for. Raises FencedError where there is none."""
    if transaction.execute(_COMPLETE, rows.to_row(receipt, garden)) != 1:
        raise FencedError(f"round {receipt.round} of dream {receipt.dream} was not asked")


def over_limits(
    reader: Database | Transaction, garden: str, limits: Limits, at: int
) -> Spending | None:
    """What is spent at an instant where the limits leave no room for one more call; else None."""
    spending = spending_at(reader, garden, limits, at)
    return None if spending.opens(at) == at else spending


def spending_at(reader: Database | Transaction, garden: str, limits: Limits, at: int) -> Spending:
    """The calls that count towards the limits at an instant, those still under way included."""
    if not limits.any:
        return Spending(limits)
    found = reader.read(_CALLS, {"garden": garden, "since": limits.since(at)})
    return Spending(
        limits,
        tuple(
            Call(
                row["at"],
                row["tokens"],
                None if row["cost"] is None else Decimal(row["cost"]),
                row["currency"],
            )
            for row in found
        ),
    )


class Receipts(Part):
    """The receipts of one garden; those of dreams are written by Rounds."""

    def begin_call(self, receipt: Receipt, limits: Limits) -> int | Spending:
        with self._database.write() as transaction:
            spending = over_limits(transaction, self._garden, limits, receipt.at)
            if spending is not None:
                return spending
            row = transaction.one(f"{_INSERT} RETURNING id", rows.to_row(receipt, self._garden))
        if row is None:
            raise StoreError("a receipt was written and has no number")
        return int(row["id"])

    def complete_call(self, number: int, receipt: Receipt) -> None:
        with self._database.write() as transaction:
            row = {**rows.to_row(receipt, self._garden), "number": number}
            if transaction.execute(_COMPLETE_CALL, row) != 1:
                raise StoreError(f"there is no receipt {number} to complete")

    def receipts(
        self, dream_id: str | None = None, *, since: int | None = None
    ) -> Sequence[Receipt]:
        # Two statements, because each has its own index.
        where = "at >= :since" if dream_id is None else "dream = :dream AND at >= :since"
        found = self._database.read(
            f"SELECT * FROM receipts WHERE garden = :garden AND {where} ORDER BY id",
            {"garden": self._garden, "dream": dream_id, "since": since or 0},
        )
        return [rows.receipt_of(row) for row in found]

    def calls_ever(self) -> tuple[Spent, Mapping[Outcome, int]]:
        garden = {"garden": self._garden}
        groups = self._database.read(_EVER, garden)
        costs = self._database.read(_COSTS, garden)
        sums = {name: sum(row[name] for row in groups) for name in _SUMS}
        amounts = amounts_of((row["currency"], row["cost"], row["peak_cost"]) for row in costs)
        return (
            Spent(**sums, amounts=amounts),
            {Outcome(row["outcome"]): row["calls"] for row in groups},
        )

    def spending(self, limits: Limits, at: int) -> Spending:
        return spending_at(self._database, self._garden, limits, at)
