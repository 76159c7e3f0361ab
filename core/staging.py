"""Judge a round against the staged view, and build the view for the next one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.checks.fuses import blown, is_loss
from memgardend.core.judged_json import judged_from_json, judged_to_json
from memgardend.core.judgement import JudgeContext, Judged, Refused, StagedView
from memgardend.core.judging import Judge, new_contents
from memgardend.core.operations import Malformed
from memgardend.core.view_changes import apply_changes, new_handles
from memgardend.core.words import Decision, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.judgement import Accepted
    from memgardend.core.operations import Answer, Operation
    from memgardend.core.words import RoundName

__all__ = [
    "JudgeContext",
    "Judged",
    "StagedView",
    "judge_round",
    "judged_from_json",
    "judged_to_json",
    "new_contents",
    "refuse_changed",
    "replay",
]


def judge_round(
    view: StagedView, answer: Answer, context: JudgeContext
) -> tuple[tuple[Judged, ...], StagedView]:
    """Judge each operation in order; a refused one drops no other. Returns the verdicts and the next view.

    When all archives together blow a fuse, those of this round wait for a person and the rest is judged
    again as if they had not been proposed.
    """
    judged, staged = _judge(view, answer, context, fuse="")
    fuse = blown(staged.changes, context.active_count, context.archived_last_7_days)
    return _judge(view, answer, context, fuse=fuse) if fuse else (judged, staged)


def replay(view: StagedView, judged: Sequence[Judged]) -> StagedView:
    """Apply stored verdicts to a view: what `judge_round` returned, without judging again."""
    for one in judged:
        view = apply_changes(view, one.changes, one.handles)
    return view


def refuse_changed(
    judged_by_round: Mapping[RoundName, Sequence[Judged]], changed_ids: set[str]
) -> dict[RoundName, tuple[Judged, ...]]:
    """Refuse what touches a memory that changed since the plan, and all that rests on it.

    What a round rests on is what it was shown: a refused operation of an earlier round takes that away, one of
    the same round does not.
    """
    changed, gone = frozenset(changed_ids), set[str]()
    kept: dict[RoundName, tuple[Judged, ...]] = {}
    for name, judged in judged_by_round.items():
        row: list[Judged] = []
        unseen = frozenset(gone)
        for one in judged:
            refused = _refused_since(one, changed, gone, unseen)
            if refused:
                gone |= {step.after.id for step in one.changes}
            row.append(refused or one)
        kept[name] = tuple(row)
    return kept


def _judge(
    view: StagedView, answer: Answer, context: JudgeContext, *, fuse: str
) -> tuple[tuple[Judged, ...], StagedView]:
    judge = Judge(view, context)
    judged: list[Judged] = []
    taken: set[str] = set()
    staged = view
    for operation in answer.operations:
        if isinstance(operation, Malformed):
            problem = Refused(Refusal.MALFORMED, operation.detail)
            judged.append(_refuse(operation.raw, problem))
            continue
        verdict = judge.judge(operation, staged, frozenset(taken))
        if isinstance(verdict, Refused):
            judged.append(_refuse(operation.raw, verdict))
            continue
        one = _accept(operation, verdict, staged, fuse)
        taken.update(operation.targets)
        staged = apply_changes(staged, one.changes, one.handles)
        judged.append(one)
    return tuple(judged), staged


def _accept(operation: Operation, verdict: Accepted, view: StagedView, fuse: str) -> Judged:
    review = verdict.review or (fuse if any(map(is_loss, verdict.changes)) else "")
    if review:
        return Judged(
            operation=operation.raw,
            decision=Decision.REVIEW,
            detail=review,
            proposed=verdict.changes,
            rests_on=verdict.rests_on,
        )
    return Judged(
        operation=operation.raw,
        decision=Decision.STAGED,
        detail=verdict.detail,
        changes=verdict.changes,
        handles=new_handles(view, verdict.changes),
        rests_on=verdict.rests_on,
    )


def _refuse(raw: Mapping[str, object], problem: Refused) -> Judged:
    return Judged(
        operation=raw, decision=Decision.REFUSED, refusal=problem.word, detail=problem.detail
    )


def _refused_since(
    one: Judged, changed: frozenset[str], gone: set[str], unseen: frozenset[str]
) -> Judged | None:
    """The operation refused, when it touches or rests on what changed or was refused; else None."""
    steps = (*one.changes, *one.proposed)
    touched = {step.before.id for step in steps if step.before}
    built_on = touched | {step.after.superseded_by for step in steps}
    rests_on = frozenset(one.rests_on)
    if one.decision is Decision.REFUSED:
        return None
    if (touched | rests_on) & changed:
        word, detail = Refusal.CHANGED_SINCE_PLAN, "the memory changed after this was planned"
    elif built_on & gone or rests_on & unseen:
        word, detail = Refusal.RESTS_ON_REFUSED, "it rests on an operation that was refused"
    else:
        return None
    return replace(
        one,
        decision=Decision.REFUSED,
        refusal=word,
        detail=detail,
        changes=(),
        proposed=(),
        handles={},
    )
