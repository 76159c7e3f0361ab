"""Merge and split: the same knowledge in another shape, and nothing of it lost.

The new memories inherit the evidence of those they take the place of, and with it how fresh that is. They
keep every value, and apply wherever those applied. What contradicts each other is not merged: which of two
values holds is for `supersede` to say, where the newest knowledge counts.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from memgardend.core.cases import check_text
from memgardend.core.checks.age import check_age
from memgardend.core.checks.form import MAX_KEYWORDS, MAX_THREADS
from memgardend.core.checks.proof import text_of
from memgardend.core.checks.scopes import check_covered, resolve_scope
from memgardend.core.checks.values import check_kept
from memgardend.core.effects import new_memory
from memgardend.core.judgement import Refused
from memgardend.core.likeness import contradicts, is_near_duplicate
from memgardend.core.words import OperationName, Refusal, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.cases import Case
    from memgardend.core.judgement import JudgeContext
    from memgardend.core.records import Memory
    from memgardend.core.scope import Scope


def reshaped(cases: Sequence[Case], context: JudgeContext) -> tuple[Memory, ...] | Refused:
    """The memories that take the place of the targets, if they may; a case for each."""
    case = cases[0]
    problem = check_age(case.proof.decides_at, case.targets)
    for one in cases:
        problem = problem or check_text(one, context.turns, context.locale)
    if problem:
        return problem
    merges = case.operation.op is OperationName.MERGE
    return _merged(case, context) if merges else _divided(cases, context)


def _merged(case: Case, context: JudgeContext) -> tuple[Memory, ...] | Refused:
    """One of all the targets."""
    for one, other in combinations(case.targets, 2):
        if contradicts(one.content, other.content, context.locale):
            return Refused(
                Refusal.CONTRADICTORY,
                "two of these contradict each other: supersede the one that no longer holds",
            )
    fields, targets = case.operation.fields, case.targets
    given = fields.keywords or ()
    keywords = _joined(given, *(target.keywords for target in targets), limit=MAX_KEYWORDS)
    filled = replace(
        fields,
        title=fields.title or _newest(targets, "title"),
        goal=fields.goal or _newest(targets, "goal"),
        subcategory=fields.subcategory or _newest(targets, "subcategory"),
        bucket=fields.bucket or _newest(targets, "bucket"),
        threads=_joined(
            fields.threads or (), *(target.threads for target in targets), limit=MAX_THREADS
        ),
        keywords=keywords,
        importance=max(fields.importance or 0, *(target.importance for target in targets)),
        corrected=fields.corrected or any(target.corrected for target in targets),
    )
    made = _made(replace(case, operation=replace(case.operation, fields=filled)), context)
    if isinstance(made, Refused):
        return made
    auto = not given and all(target.keywords_auto for target in targets)
    return _kept([replace(made, keywords_auto=made.keywords_auto or auto)], targets, context.locale)


def _divided(cases: Sequence[Case], context: JudgeContext) -> tuple[Memory, ...] | Refused:
    """Several of the one target."""
    made: list[Memory] = []
    for case in cases:
        (target,), fields = case.targets, case.operation.fields
        filled = replace(
            fields,
            goal=fields.goal or target.goal,
            subcategory=fields.subcategory or target.subcategory,
            bucket=fields.bucket or target.bucket,
            threads=fields.threads or target.threads,
            importance=fields.importance or target.importance,
            corrected=target.corrected if fields.corrected is None else fields.corrected,
        )
        one = _made(replace(case, operation=replace(case.operation, fields=filled)), context)
        if isinstance(one, Refused):
            return one
        made.append(one)
    for one, other in combinations(made, 2):
        if is_near_duplicate(one.content, other.content, context.locale):
            return Refused(Refusal.NO_CHANGE, "two parts of the split say the same")
    return _kept(made, cases[0].targets, context.locale)


def _made(case: Case, context: JudgeContext) -> Memory | Refused:
    """A new memory in the place of the targets; finished if all of them are."""
    fields, layer, targets = case.operation.fields, case.operation.fields.layer, case.targets
    if layer is None:
        return Refused(Refusal.MALFORMED, "`layer` is missing")
    scope = _scope(case, context)
    if isinstance(scope, Refused):
        return scope
    finished = all(target.status is Status.STALE for target in targets)
    return replace(
        new_memory(fields, layer, scope, case.proof.known_at, context.making),
        status=Status.STALE if finished else Status.ACTIVE,
        occurred_at=_newest(targets, "occurred_at"),
    )


def _scope(case: Case, context: JudgeContext) -> Scope | Refused:
    named = case.operation.fields.scope
    if named:
        return resolve_scope(named, context.projects, context.window)
    scopes = {target.scope for target in case.targets}
    if len(scopes) == 1:
        return scopes.pop()
    return Refused(
        Refusal.SCOPE_LOST, "these apply to different projects: name a `scope` that covers them all"
    )


def _kept(
    made: Sequence[Memory], targets: Sequence[Memory], locale: str
) -> tuple[Memory, ...] | Refused:
    """What was made, if it contradicts no target, has every value of theirs and applies where they did."""
    for new, target in product(made, targets):
        if contradicts(new.content, target.content, locale):
            return Refused(
                Refusal.CONTRADICTORY,
                "the new text contradicts the old: supersede it, with the words that say so",
            )
    text = "\n".join(map(text_of, made))
    problem = check_covered([one.scope for one in made], targets) or check_kept(
        map(text_of, targets), text
    )
    return problem or tuple(made)


def _joined(*groups: Iterable[str], limit: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for group in groups for word in group))[:limit]


def _newest(memories: Iterable[Memory], name: str) -> Any:
    """The field of the memory with the newest knowledge that has one."""
    given = [one for one in memories if getattr(one, name) is not None]
    return getattr(max(given, key=lambda one: one.as_of), name) if given else None
