"""Rounds: each step of a dream is stored before the next one rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import FencedError, StoreError
from memgardend.core.words import RoundState
from memgardend.daemon.store import rows
from memgardend.daemon.store.leases import fenced, hold
from memgardend.daemon.store.part import Part
from memgardend.daemon.store.receipts import begin, complete, over_limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.budget import Limits, Spending
    from memgardend.core.records import DreamRound, Lease, Receipt
    from memgardend.core.words import RoundName
    from memgardend.daemon.store.driver import Transaction


class Rounds(Part):
    """What the rounds of a dream were asked, answered, and made of it."""

    def save_plan(
        self,
        lease: Lease,
        plan: str,
        seal: int,
        from_seq: int,
        through_seq: int,
        rounds: Sequence[RoundName],
    ) -> None:
        with self._database.write() as transaction:
            fenced(
                transaction,
                self._garden,
                lease,
                "plan = :plan, seal = :seal, from_seq = :from_seq, through_seq = :through_seq",
                {"plan": plan, "seal": seal, "from_seq": from_seq, "through_seq": through_seq},
            )
            dream = {"garden": self._garden, "dream": lease.dream}
            old = transaction.read(
                "DELETE FROM dream_rounds WHERE garden = :garden AND dream = :dream RETURNING *",
                dream,
            )
            if any(row["state"] in (RoundState.ANSWERED, RoundState.STAGED) for row in old):
                raise StoreError(f"dream {lease.dream} holds an answer: its plan is frozen")
            calls = {row["name"]: row["model_calls"] for row in old}
            transaction.execute_many(
                """INSERT INTO dream_rounds (garden, dream, name, position, model_calls)
                VALUES (:garden, :dream, :name, :position, :model_calls)""",
                [
                    {
                        **dream,
                        "name": name.value,
                        "position": position,
                        "model_calls": calls.get(name, 0),
                    }
                    for position, name in enumerate(rounds)
                ],
            )

    def save_asked(
        self,
        lease: Lease,
        round_name: RoundName,
        prompt_hash: str,
        receipt: Receipt,
        limits: Limits | None = None,
    ) -> Spending | None:
        with self._database.write() as transaction:
            if limits is not None:
                spending = over_limits(transaction, self._garden, limits, receipt.at)
                if spending is not None:
                    hold(transaction, self._garden, lease)
                    return spending
            self._change_round(
                transaction,
                lease,
                round_name,
                """state = 'asked', asks = asks + 1, model_calls = model_calls + 1,
                prompt_hash = :prompt_hash""",
                (RoundState.PLANNED, RoundState.ASKED, RoundState.ANSWERED),
                {"prompt_hash": prompt_hash},
            )
            begin(transaction, self._garden, receipt)
        return None

    def save_answer(
        self, lease: Lease, round_name: RoundName, answer: str, receipt: Receipt
    ) -> None:
        with self._database.write() as transaction:
            self._change_round(
                transaction,
                lease,
                round_name,
                "state = 'answered', answer = :answer",
                (RoundState.ASKED,),
                {"answer": answer},
            )
            complete(transaction, self._garden, receipt)

    def save_receipt(self, lease: Lease, receipt: Receipt) -> None:
        with self._database.write() as transaction:
            hold(transaction, self._garden, lease)
            complete(transaction, self._garden, receipt)

    def save_problems(self, lease: Lease, round_name: RoundName, problems: Sequence[str]) -> None:
        with self._database.write() as transaction:
            self._change_round(
                transaction,
                lease,
                round_name,
                "state = 'planned', problems = :problems",
                (RoundState.ANSWERED,),
                {"problems": rows.to_json(list(problems))},
            )

    def save_staged(
        self,
        lease: Lease,
        round_name: RoundName,
        operations: str,
        questions: Sequence[str],
        summary: str | None,
        review: int,
        *,
        skipped: bool = False,
    ) -> None:
        state = RoundState.SKIPPED if skipped else RoundState.STAGED
        with self._database.write() as transaction:
            self._change_round(
                transaction,
                lease,
                round_name,
                """state = :state, operations = :operations, questions = :questions,
                summary = :summary, review = :review""",
                (RoundState.PLANNED, RoundState.ASKED, RoundState.ANSWERED),
                {
                    "state": state.value,
                    "operations": operations,
                    "questions": rows.to_json(list(questions)),
                    "summary": summary,
                    "review": review,
                },
            )
            self._failpoints.hit("staged.inside")

    def reset_rounds(self, lease: Lease, names: Sequence[RoundName], plan: str) -> None:
        with self._database.write() as transaction:
            fenced(transaction, self._garden, lease, "plan = :plan", {"plan": plan})
            transaction.execute(
                """UPDATE dream_rounds SET state = 'planned', asks = 0, prompt_hash = NULL,
                    answer = NULL, problems = '[]', operations = '[]', questions = '[]',
                    summary = NULL, review = 0
                WHERE garden = :garden AND dream = :dream
                    AND name IN (SELECT value FROM json_each(:names))""",
                {
                    "garden": self._garden,
                    "dream": lease.dream,
                    "names": rows.to_json([name.value for name in names]),
                },
            )

    def rounds(self, dream_id: str) -> Sequence[DreamRound]:
        found = self._database.read(
            """SELECT * FROM dream_rounds WHERE garden = :garden AND dream = :dream
            ORDER BY position""",
            {"garden": self._garden, "dream": dream_id},
        )
        return [rows.round_of(row) for row in found]

    def _change_round(
        self,
        transaction: Transaction,
        lease: Lease,
        name: RoundName,
        assignments: str,
        states: Sequence[RoundState],
        values: Mapping[str, object],
    ) -> None:
        """Change one round of a dream that is ours; it must be in one of these states."""
        hold(transaction, self._garden, lease)
        changed = transaction.execute(
            f"""UPDATE dream_rounds SET {assignments}
            WHERE garden = :garden AND dream = :dream AND name = :name
                AND state IN (SELECT value FROM json_each(:states))""",
            {
                **values,
                "garden": self._garden,
                "dream": lease.dream,
                "name": name.value,
                "states": rows.to_json([state.value for state in states]),
            },
        )
        if changed != 1:
            raise FencedError(f"round {name} of dream {lease.dream} has moved on")
