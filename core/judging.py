"""Judge one operation: every check of DESIGN section 6, then the changes it makes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memgardend.core.cases import Case, check_operation, check_text
from memgardend.core.checks import proof as proofs
from memgardend.core.checks.age import check_age
from memgardend.core.checks.form import Leaks, tidy
from memgardend.core.checks.orders import gives_orders
from memgardend.core.checks.rounds import check_round
from memgardend.core.checks.scopes import default_scope, resolve_scope
from memgardend.core.effects import change, edited, ended, new_memory, text_changed
from memgardend.core.judgement import Refused
from memgardend.core.landing import Landing
from memgardend.core.quotes import ShownEvents
from memgardend.core.words import PERSONAL_LAYERS, OperationName, Refusal, Status

if TYPE_CHECKING:
    from memgardend.core.judgement import JudgeContext, StagedView
    from memgardend.core.operations import Operation
    from memgardend.core.records import Memory, MemoryChange
    from memgardend.core.scope import Scope

_ORDERED = "a text that nobody typed asks for this, and nothing that a person typed supports it"
_PERSONAL = "what a person said is not taken away without a person's words"


@dataclass(frozen=True, slots=True)
class Accepted:
    """What an operation changes, in order. `review` says why a person has to decide first."""

    changes: tuple[MemoryChange, ...]
    detail: str = ""
    review: str = ""
    rests_on: tuple[str, ...] = ()


class Judge:
    """Judges the operations of one round. Handles mean what the round was shown, whatever it changes."""

    def __init__(self, view: StagedView, context: JudgeContext) -> None:
        self._context = context
        self._view = view
        self._shown = ShownEvents(view.events)
        self._leaks = Leaks.of(view)
        self._ordered = gives_orders(view.events.values())
        self._seal = max((event.at for event in view.events.values()), default=context.now)
        self._landing = Landing(context)

    def judge(
        self, operation: Operation, view: StagedView, taken: frozenset[str]
    ) -> Accepted | Refused:
        """What becomes of the operation, given the view as the round's earlier operations left it."""
        operation = replace(operation, fields=tidy(operation.fields, self._leaks))
        targets = self._targets(operation, view, taken)
        if isinstance(targets, Refused):
            return targets
        proof = proofs.gather(operation, self._view, self._shown)
        if isinstance(proof, Refused):
            return proof
        if operation.op is OperationName.SUPERSEDE and operation.fields.layer is None:
            operation = replace(operation, fields=replace(operation.fields, layer=targets[0].layer))
        stored = proofs.evidence_so_far(view, self._context.evidence)
        case = Case(operation, targets, proof, view, stored)
        problem = check_round(
            self._context.round, operation.op, operation.fields.layer, targets
        ) or check_operation(case, self._leaks)
        if problem:
            return problem
        match operation.op:
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

    def _targets(
        self, operation: Operation, view: StagedView, taken: frozenset[str]
    ) -> tuple[Memory, ...] | Refused:
        for handle in operation.targets:
            if handle not in self._view.memories:
                return Refused(Refusal.UNKNOWN_TARGET, f"no memory {handle!r} was shown")
            if handle in taken:
                return Refused(
                    Refusal.SHARED_TARGET, f"an earlier operation of this answer changes {handle}"
                )
            if handle in view.retired or view.memories[handle].status is Status.ARCHIVED:
                return Refused(Refusal.RETIRED_TARGET, f"{handle} is archived")
        return tuple(view.memories[handle] for handle in operation.targets)

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
        new = new_memory(fields, layer, scope, case.proof.known_at, self._context)
        if case.targets and fields.importance is None:
            new = replace(new, importance=max(target.importance for target in case.targets))
        landed = self._landing.land(new, case)
        if isinstance(landed, Refused):
            return landed
        changes, detail = landed
        takes_away = any(one.before and one.after.status is Status.ARCHIVED for one in changes)
        review = _ORDERED if takes_away and self._obeys(case) else ""
        return Accepted(changes, detail, review)

    def _update(self, case: Case) -> Accepted | Refused:
        (before,) = case.targets
        scope = self._scope(case, before.scope)
        if isinstance(scope, Refused):
            return scope
        after = edited(before, case.operation.fields, scope, self._context.now)
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
        return Accepted((step,), review=_ORDERED if loses and self._obeys(case) else "")

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
        review = _PERSONAL if case.personal and not case.proof.found else ""
        return Accepted((step,), review=_ORDERED if self._obeys(case) else review)

    def _check_text(self, case: Case) -> Refused | None:
        return check_text(case, self._context.turns, self._context.locale)

    def _obeys(self, case: Case) -> bool:
        return self._ordered and not case.typed
