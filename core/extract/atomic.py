"""The atomic round: single statements become memories, or change those that are shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.core.extract.duplicates import merges
from memgardend.core.extract.language import Kind
from memgardend.core.extract.notice import Noticed, finished, notice
from memgardend.core.extract.switch import overturns
from memgardend.core.likeness import contradicts, is_near_duplicate
from memgardend.core.words import Layer, OperationName, Status, Subcategory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memgardend.core.extract.language import Wording
    from memgardend.core.extract.request import Known, Request

NEWEST_COMPARED = 60  # statements of the same conversation that a new one is compared with
MAX_EVIDENCE = 5
DONE_SHARE = 0.7  # of the words of "X is done" that must stand in the todo
_MIN_DONE_WORDS = 2
_LAYERS = {
    Kind.PREFERENCE: Layer.USER,
    Kind.RULE: Layer.RULES,
    Kind.CORRECTION: Layer.LESSON,
    Kind.DECISION: Layer.PROJECT,
    Kind.TODO: Layer.PROJECT,
    Kind.FACT: Layer.FACT,
}
_SHELVES = {Kind.DECISION: Subcategory.DECISIONS, Kind.TODO: Subcategory.TODO}
_PLAIN_KINDS = frozenset({Kind.TODO, Kind.FACT})
_PLAIN, _ORDINARY, _SERIOUS = 1, 2, 3


@dataclass(slots=True)
class Statement:
    """What the person said, with every turn that says it."""

    said: Noticed
    evidence: list[Noticed] = field(default_factory=list)


def atomic_operations(request: Request, wording: Wording) -> list[dict[str, Any]]:
    """Operations of the atomic round; no two share a target, and what was said later wins."""
    statements, done = _gather(request)
    by_target: dict[str, dict[str, Any]] = {
        known.handle: _complete(known, said, wording) for known, said in done
    }
    fresh = []
    for statement in statements:
        operation = _operation(statement, request, wording)
        if "id" in operation:
            by_target[operation["id"]] = operation
        else:
            fresh.append(operation)
    untouched = [memory for memory in _editable(request) if memory.handle not in by_target]
    return [*merges(untouched, request.locale, wording), *by_target.values(), *fresh]


def new_statements(request: Request) -> list[Statement]:
    """What the person says in the new turns, each thing once; what was said later wins."""
    return _gather(request)[0]


def _gather(request: Request) -> tuple[list[Statement], list[tuple[Known, Noticed]]]:
    """The new statements, and the shown todos that are said to be done."""
    statements: list[Statement] = []
    done: list[tuple[Known, Noticed]] = []
    todos = [memory for memory in _editable(request) if memory.is_todo]
    for turn in request.turns:
        if not turn.is_new:
            continue
        closing = set()
        for said in finished(turn):
            fits = _done_with(said)
            closed = [todo for todo in todos if fits(todo.content)][:1]
            done += [(todo, said) for todo in closed]
            open_ones = [
                one
                for one in statements
                if one.said.kind is not Kind.TODO or not fits(one.said.content)
            ]
            if closed or len(open_ones) < len(statements):
                closing.add(said.quote)
            statements = open_ones
        for said in notice(turn):
            if said.quote not in closing:
                _add(statements, said, request.locale)
    return statements, done


def _add(statements: list[Statement], said: Noticed, locale: str) -> None:
    """Join the statement that says the same, or take the place of one that it contradicts."""
    for one in statements[-NEWEST_COMPARED:]:
        if is_near_duplicate(one.said.content, said.content, locale):
            one.evidence.append(said)
            return
    for one in statements[-NEWEST_COMPARED:]:
        if turns_against(said, one.said.content, locale):
            statements.remove(one)
    statements.append(Statement(said, [said]))


def turns_against(said: Noticed, known: str, locale: str) -> bool:
    """True when what is said and what is known cannot both hold."""
    return contradicts(known, said.content, locale) or overturns(said.content, known, said.language)


def _done_with(said: Noticed) -> Callable[[str], bool]:
    """A test for todos: does nearly all of what is said to be done stand in them?"""
    matter = said.language.matter
    words = matter(said.content)

    def fits(todo: str) -> bool:
        shared = words & matter(todo)
        return len(shared) >= max(_MIN_DONE_WORDS, DONE_SHARE * len(words))

    return fits


def _operation(statement: Statement, request: Request, wording: Wording) -> dict[str, Any]:
    content, locale = statement.said.content, request.locale
    known = _editable(request)
    evidence = [{"event": one.handle, "quote": one.quote} for one in statement.evidence]
    proof = {"evidence": evidence[-MAX_EVIDENCE:]}
    for memory in known:
        if is_near_duplicate(memory.content, content, locale):
            return {
                "op": OperationName.UPDATE,
                "id": memory.handle,
                "reason": wording.repeated,
                **proof,
            }
    new = _memory(statement.said, request)
    for memory in known:
        if turns_against(statement.said, memory.content, locale):
            new |= {"layer": memory.layer, "scope": list(memory.scope)}
            if memory.as_of > max(one.at for one in statement.evidence):
                break  # kept as what was true before
            return {
                "op": OperationName.SUPERSEDE,
                "id": memory.handle,
                "by": new,
                "reason": wording.changed,
                **proof,
            }
    return {"op": OperationName.REMEMBER, **new, **proof}


def _memory(said: Noticed, request: Request) -> dict[str, Any]:
    """The fields of a new memory; what is left out takes its default."""
    layer = _LAYERS[said.kind]
    if said.kind is Kind.FACT and said.language.about_person.search(said.content):
        layer = Layer.USER
    importance = _PLAIN if said.kind in _PLAIN_KINDS else _ORDINARY
    if said.language.important.search(said.content):
        importance = _SERIOUS
    fields: dict[str, Any] = {
        "layer": layer,
        "content": said.content,
        "keywords": list(said.language.keywords(said.content)),
        "importance": importance,
    }
    if said.kind in _SHELVES:
        fields["subcategory"] = _SHELVES[said.kind]
    if said.kind is Kind.CORRECTION:
        fields["corrected"] = True
    if said.kind is Kind.RULE and request.project and said.language.here.search(said.content):
        fields["scope"] = [request.project]
    return fields


def _complete(todo: Known, said: Noticed, wording: Wording) -> dict[str, Any]:
    return {
        "op": OperationName.COMPLETE,
        "id": todo.handle,
        "reason": wording.done,
        "evidence": [{"event": said.handle, "quote": said.quote}],
    }


def _editable(request: Request) -> Sequence[Known]:
    """The memories that single statements may change."""
    return [
        memory
        for memory in request.memories
        if memory.status is Status.ACTIVE and memory.layer not in (Layer.SOUL, Layer.TOPIC)
    ]
