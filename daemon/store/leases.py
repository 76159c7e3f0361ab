"""Leases: who works on a dream until when, and every way back to waiting. All compare-and-set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import FencedError
from memgardend.core.records import Owner
from memgardend.core.words import DreamState
from memgardend.daemon.store import rows
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memgardend.core.records import Dream, Lease
    from memgardend.daemon.store.driver import Transaction

_START = """
UPDATE dreams SET
    state = 'running', fence = fence + 1, attempts = attempts + 1, owner = :owner,
    lease_until = :lease_until, heartbeat_at = :now, started_at = :now,
    next_attempt_at = NULL, reason = NULL, error = NULL
WHERE garden = :garden AND id = :id AND state IN ('pending', 'failed')
    AND (SELECT w.rev FROM windows AS w WHERE w.garden = dreams.garden AND w.id = dreams.window) = :rev
    AND (SELECT count(*) FROM dreams AS r WHERE r.garden = :garden AND r.state = 'running')
        < :max_concurrent
RETURNING *
"""
_HEAL = """
UPDATE dreams SET
    state = CASE WHEN attempts >= :max_attempts THEN 'quarantined' ELSE 'pending' END,
    next_attempt_at = CASE WHEN attempts >= :max_attempts THEN NULL ELSE :next_attempt_at END,
    owner = NULL, lease_until = NULL, deaths = deaths + 1, reason = :reason
WHERE garden = :garden AND id = :id AND state = 'running' AND fence = :fence
    AND (:gone OR lease_until <= :now)
RETURNING *
"""
_RETRY = """
UPDATE dreams SET
    attempts = CASE WHEN state = 'quarantined' THEN 0 ELSE attempts END,
    failures = CASE WHEN state = 'quarantined' THEN 0 ELSE failures END,
    deaths = CASE WHEN state = 'quarantined' THEN 0 ELSE deaths END,
    state = 'pending', next_attempt_at = :now, reason = NULL, error = NULL
WHERE garden = :garden AND id = :id AND (
    state IN ('failed', 'quarantined') OR (state = 'pending' AND next_attempt_at > :now))
"""
_FRESH_ASKS = """
UPDATE dream_rounds SET state = 'planned', asks = 0
WHERE garden = :garden AND dream = :dream AND state IN ('planned', 'asked')
"""
_UNASKED = """
UPDATE dream_rounds SET state = 'planned', asks = max(asks - 1, 0)
WHERE garden = :garden AND dream = :dream AND state = 'asked'
"""


_HELD = """
WHERE garden = :garden AND id = :id AND owner = :lease_owner AND fence = :lease_fence AND state = 'running'
"""


def fenced(
    transaction: Transaction,
    garden: str,
    lease: Lease,
    assignments: str,
    values: Mapping[str, object],
) -> None:
    """Change the dream that the lease names. Raises FencedError unless exactly that row is still ours."""
    changed = transaction.execute(
        f"UPDATE dreams SET {assignments} {_HELD}", {**values, **_of_lease(lease, garden)}
    )
    _require(lease, changed == 1)


def hold(transaction: Transaction, garden: str, lease: Lease) -> None:
    """Check the lease and change nothing. Raises FencedError unless it still holds."""
    held = transaction.one(f"SELECT 1 FROM dreams {_HELD}", _of_lease(lease, garden))
    _require(lease, held is not None)


def _of_lease(lease: Lease, garden: str) -> dict[str, object]:
    return {
        "garden": garden,
        "id": lease.dream,
        "lease_owner": lease.owner,
        "lease_fence": lease.fence,
    }


def _require(lease: Lease, held: bool) -> None:
    if not held:
        raise FencedError(f"dream {lease.dream} is not ours any more (fence {lease.fence})")


class Leases(Part):
    """The running of the dreams of one garden."""

    def start(
        self,
        dream_id: str,
        window_rev: int,
        owner: Owner,
        now: int,
        lease_until: int,
        max_concurrent: int,
    ) -> Dream | None:
        with self._database.write() as transaction:
            row = transaction.one(
                _START,
                {
                    "garden": self._garden,
                    "id": dream_id,
                    "rev": window_rev,
                    "owner": owner.text(),
                    "now": now,
                    "lease_until": lease_until,
                    "max_concurrent": max_concurrent,
                },
            )
            self._failpoints.hit("start.inside")
        return rows.dream_of(row) if row else None

    def beat(self, lease: Lease, now: int, lease_until: int) -> None:
        with self._database.write() as transaction:
            fenced(
                transaction,
                self._garden,
                lease,
                "heartbeat_at = :now, lease_until = :lease_until",
                {"now": now, "lease_until": lease_until},
            )

    def fail(
        self,
        lease: Lease,
        now: int,
        next_attempt_at: int | None,
        reason: str,
        error: str,
        *,
        refund: bool,
        quarantine: bool = False,
    ) -> None:
        state = DreamState.QUARANTINED if quarantine else DreamState.FAILED
        with self._database.write() as transaction:
            fenced(
                transaction,
                self._garden,
                lease,
                """state = :state, owner = NULL, lease_until = NULL, heartbeat_at = :now,
                failures = failures + 1, attempts = attempts - :refund,
                next_attempt_at = :next_attempt_at, reason = :reason, error = :error""",
                {
                    "state": state.value,
                    "now": now,
                    "refund": int(refund),
                    "next_attempt_at": next_attempt_at,
                    "reason": reason,
                    "error": error,
                },
            )
            # The next attempt has a re-ask of its own; what is staged stays.
            transaction.execute(_FRESH_ASKS, {"garden": self._garden, "dream": lease.dream})

    def retry(self, dream_id: str, now: int) -> bool:
        with self._database.write() as transaction:
            changed = transaction.execute(
                _RETRY, {"garden": self._garden, "id": dream_id, "now": now}
            )
            if changed:
                transaction.execute(_FRESH_ASKS, {"garden": self._garden, "dream": dream_id})
        return changed == 1

    def release(self, lease: Lease, now: int, next_attempt_at: int, reason: str) -> None:
        with self._database.write() as transaction:
            fenced(
                transaction,
                self._garden,
                lease,
                """state = 'pending', owner = NULL, lease_until = NULL, heartbeat_at = :now,
                attempts = attempts - 1, next_attempt_at = :next_attempt_at, reason = :reason""",
                {"now": now, "next_attempt_at": next_attempt_at, "reason": reason},
            )
            transaction.execute(_UNASKED, {"garden": self._garden, "dream": lease.dream})

    def heal(
        self,
        now: int,
        is_gone: Callable[[Owner], bool],
        max_attempts: int,
        backoff: Callable[[int], int],
    ) -> Sequence[Dream]:
        healed = []
        found = self._database.read(
            "SELECT * FROM dreams WHERE garden = :garden AND state = 'running'",
            {"garden": self._garden},
        )
        for dream in map(rows.dream_of, found):
            # Asked outside the transaction: it looks at processes.
            gone = dream.owner is not None and is_gone(Owner.parse(dream.owner))
            ended = dream.lease_until is not None and dream.lease_until <= now
            if not gone and not ended:
                continue
            row = self._heal_one(
                {
                    "garden": self._garden,
                    "id": dream.id,
                    "fence": dream.fence,
                    "gone": int(gone),
                    "now": now,
                    "max_attempts": max_attempts,
                    "next_attempt_at": now + (backoff(dream.deaths + 1) if dream.deaths else 0),
                    "reason": "owner_gone" if gone else "lease_ended",
                }
            )
            if row is not None:
                healed.append(row)
        return healed

    def _heal_one(self, params: Mapping[str, object]) -> Dream | None:
        with self._database.write() as transaction:
            row = transaction.one(_HEAL, params)
            if row is not None:
                transaction.execute(_UNASKED, {"garden": self._garden, "dream": row["id"]})
        return rows.dream_of(row) if row else None
