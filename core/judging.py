"""Judge one operation: every check of DESIGN section 6, then the changes it makes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.cases import Case, check_operation, check_text
from memgardend.core.checks import proof as proofs
from memgardend.core.checks.age import check_age
from memgardend.core.checks.borrowed import Untyped
from memgardend.core.checks.form import Leaks, stored_text, tidy
from memgardend.core.checks.heard import as_heard
from memgardend.core.checks.orders import gives_orders
from memgardend.core.checks.reviews import review_of
from memgardend.core.checks.rounds import check_round
from memgardend.core.checks.scopes import default_scope, resolve_scope
from memgardend.core.checks.targets import find_targets
from memgardend.core.effects import change, edited, ended, new_memory, text_changed
from memgardend.core.judgement import Accepted, Refused
from memgardend.core.landing import Landing
from memgardend.core.operations import Malformed
from memgardend.core.quotes import ShownEvents
from memgardend.core.reshaping import reshaped
from memgardend.core.words import PERSONAL_LAYERS, OperationName, Refusal, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.judgement import JudgeContext, StagedView
    from memgardend.core.operations import Answer, Fields, Operation
    from memgardend.core.records import Memory
    from memgardend.core.scope import Scope

_RESHAPES = frozenset({OperationName.MERGE, OperationName.SPLIT})
_REPLACES = _RESHAPES | {OperationName.SUPERSEDE}


def new_contents(answer: Answer) -> list[str]:
    """The contents that an answer brings, as memories would hold them: what is compared with known ones."""
    fields = [
        one
        for operation in answer.operations
        if not isinstance(operation, Malformed)
        for one in operation.parts or (operation.fields,)
    ]
    return [text for one in fields if (text := stored_text(one.content))]


class Judge:
    """Judges the operations of one round. Handles mean what the round was shown, whatever it changes."""

    def __init__(self, view: StagedView, context: JudgeContext) -> None:
        self._context = context
        self._view = view
        self._shown = ShownEvents(view.events)
        self._leaks = Leaks.of(view)
        self._ordered = gives_orders(view.events.values())
        self._untyped = Untyped(view.events.values(), context.locale)
        self._seal = max((event.at for event in view.events.values()), default=context.now)
        self._landing = Landing(context)

    def judge(
        self, operation: Operation, view: StagedView, taken: frozenset[str]
    ) -> Accepted | Refused:
        """What becomes of the operation, given the view as the round's earlier operations left it."""
        targets = find_targets(operation.targets, self._view, view, taken)
        if isinstance(targets, Refused):
            return targets
        proof = proofs.gather(operation, self._view, self._shown)
        if isinstance(proof, Refused):
            return proof
        if operation.op in _RESHAPES:
            proof = proofs.resting_on(proof, targets)
        stored = proofs.evidence_so_far(view, self._context.evidence)
        cases = [
            Case(
                replace(operation, fields=self._fields(one, operation.op, targets)),
                targets,
                proof,
                view,
                stored,
            )
            for one in operation.parts or (operation.fields,)
        ]
        for one in cases:
            if problem := self._check_case(one):
                return problem
        case = cases[0]
        match operation.op:
            case OperationName.MERGE | OperationName.SPLIT:
                verdict = self._reshape(cases)
            case OperationName.REMEMBER | OperationName.SUPERSEDE:
                verdict = self._write(case)
            case OperationName.UPDATE:
                verdict = self._update(case)
            case OperationName.ARCHIVE:
                verdict = self._end(case, Status.ARCHIVED)
            case OperationName.COMPLETE:
                verdict = self._end(case, Status.STALE)
        if isinstance(verdict, Refused):
            return verdict
        return replace(verdict, rests_on=tuple(parent.id for parent in proof.parents))

    def _fields(self, fields: Fields, op: OperationName, targets: Sequence[Memory]) -> Fields:
        """The fields made tidy; what takes the place of a memory is of its layer, unless it names one."""
        tidied = tidy(fields, self._leaks)
        if tidied.layer is None and op in _REPLACES:
            return replace(tidied, layer=targets[0].layer)
        return tidied

    def _check_case(self, case: Case) -> Refused | None:
        operation = case.operation
        return check_round(
            self._context.round, operation.op, operation.fields.layer, case.targets
        ) or check_operation(case, self._leaks)

    def _write(self, case: Case) -> Accepted | Refused:
        """remember and supersede: a new memory, and an end for those it replaces."""
        fields, layer = case.operation.fields, case.operation.fields.layer
        if layer is None:
            return Refused(Refusal.MALFORMED, "`layer` is missing")
        scope = self._scope(case, default_scope(layer, case.targets, self._context.window))
        if isinstance(scope, Refused):
            return scope
        problem = (
            proofs.check_given(case.proof)
            or self._check_text(case)
            or check_age(case.proof.decides_at, case.targets)
        )
        if problem:
            return problem
        new = new_memory(fields, layer, scope, case.proof.known_at, self._context.making)
        if case.targets and fields.importance is None:
            new = replace(new, importance=max(target.importance for target in case.targets))
        landed = self._landing.land(new, case)
        if isinstance(landed, Refused):
            return landed
        changes, detail = landed
        takes_away = any(one.before and one.after.status is Status.ARCHIVED for one in changes)
        return Accepted(changes, detail, self._review(case, new, takes_away=takes_away))

    def _reshape(self, cases: Sequence[Case]) -> Accepted | Refused:
        """merge and split: new memories with the knowledge and the proof of those that they end."""
        made = reshaped(cases, self._context)
        if isinstance(made, Refused):
            return made
        changes = self._landing.reshape(made, cases[0])
        if isinstance(changes, Refused):
            return changes
        return Accepted(changes, review=self._review(cases[0], *made))

    def _update(self, case: Case) -> Accepted | Refused:
        (before,) = case.targets
        scope = self._scope(case, before.scope)
        if isinstance(scope, Refused):
            return scope
        context = self._context
        after = edited(before, case.operation.fields, scope, now=context.now, locale=context.locale)
        if any(map(proofs.is_typed, case.proof.found)):
            after = as_heard(after)
        rows = proofs.rows(case.proof, before.id, case.stored)
        if after == before and not any(row.inherited_from is None for row in rows):
            return Refused(Refusal.NO_CHANGE, "nothing of this is new to the memory")
        problem = self._check_edit(case, before, after)
        if problem:
            return problem
        loses = after.content != before.content or (
            before.layer in PERSONAL_LAYERS and after.layer not in PERSONAL_LAYERS
        )
        known_at = case.proof.known_at
        step = change(
            before, after, case.operation, self._context, known_at=known_at, evidence=rows
        )
        return Accepted((step,), review=self._review(case, after, takes_away=loses))

    def _check_edit(self, case: Case, before: Memory, after: Memory) -> Refused | None:
        if after.content != before.content and (problem := proofs.check_given(case.proof)):
            return problem
        if text_changed(before, after):
            proof, decides_at = case.proof, case.proof.decides_at
            if not proof.found and not proof.parents:
                proof, decides_at = replace(proof, parents=(before,)), self._seal
            return self._check_text(replace(case, proof=proof)) or check_age(
                decides_at, case.targets
            )
        becomes_personal = after.layer in PERSONAL_LAYERS and before.layer not in PERSONAL_LAYERS
        if becomes_personal or (case.personal and case.proof.found):
            return proofs.check_personal(case.proof, before.content, self._context.locale)
        return None

    def _scope(self, case: Case, default: Scope) -> Scope | Refused:
        named = case.operation.fields.scope
        if not named:
            return default
        return resolve_scope(named, self._context.projects, self._context.window)

    def _end(self, case: Case, status: Status) -> Accepted | Refused:
        """archive and complete."""
        (target,) = case.targets
        if target.status is status:
            return Refused(Refusal.NO_CHANGE, f"it is {status} already")
        problem = None
        if case.proof.found and case.personal:
            problem = proofs.check_personal(case.proof, "", self._context.locale)
        elif status is Status.ARCHIVED:
            problem = proofs.check_spoken(case.proof)
        quotes = replace(case.proof, parents=())
        decides_at = quotes.decides_at if quotes.found else self._seal
        problem = problem or check_age(decides_at, case.targets)
        if problem:
            return problem
        step = change(
            target,
            ended(target, status, self._context.now),
            case.operation,
            self._context,
            known_at=quotes.known_at,
            evidence=proofs.rows(quotes, target.id, case.stored),
        )
        return Accepted((step,), review=self._review(case))

    def _check_text(self, case: Case) -> Refused | None:
        return check_text(case, self._context.turns, self._context.locale)

    def _review(self, case: Case, *after: Memory, takes_away: bool = True) -> str:
        ordered = takes_away and self._ordered
        return review_of(case, after, self._context.locale, self._untyped, ordered=ordered)
