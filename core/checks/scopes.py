"""Scopes: the projects an answer names, as ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.judgement import Refused
from memgardend.core.scope import GLOBAL, GLOBAL_TEXT, UNSET, UNSET_TEXT, Scope
from memgardend.core.words import PERSONAL_LAYERS, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Memory, Project, Window
    from memgardend.core.words import Layer


def default_scope(layer: Layer, replaced: Iterable[Memory], window: Window) -> Scope:
    """The scope of a new memory that names none: that of what it replaces, where they agree."""
    scopes = {memory.scope for memory in replaced}
    if len(scopes) == 1:
        return scopes.pop()
    if layer in PERSONAL_LAYERS:
        return GLOBAL
    return Scope.of(window.project) if window.project else UNSET


def check_covered(scopes: Sequence[Scope], parents: Iterable[Memory]) -> Refused | None:
    """Refuse scopes of new memories that leave out where a memory applied whose place they take."""
    if all(_covered(parent.scope, scopes) for parent in parents):
        return None
    return Refused(
        Refusal.SCOPE_LOST, "name a `scope` that covers all that the memories applied to so far"
    )


def _covered(scope: Scope, by: Sequence[Scope]) -> bool:
    if GLOBAL in by or (UNSET in by and scope != GLOBAL):
        return True
    named = {project for one in by for project in one.projects}
    return bool(scope.projects) and named.issuperset(scope.projects)


def resolve_scope(
    words: Sequence[str], projects: Sequence[Project], window: Window
) -> Scope | Refused:
    """The scope that `global`, `unset`, or names, aliases and ids of known projects stand for."""
    named = [word for word in words if word.casefold() not in (GLOBAL_TEXT, UNSET_TEXT)]
    if not named:
        return GLOBAL if any(word.casefold() == GLOBAL_TEXT for word in words) else UNSET
    ids: list[str] = []
    for word in named:
        found = _matches(word, projects)
        if window.project in found:
            found = [window.project]
        if len(found) != 1:
            known = ", ".join(sorted({project.name for project in projects})) or "none"
            which = "several projects are" if found else "no project is"
            return Refused(
                Refusal.UNKNOWN_PROJECT, f"{which} called {word!r}; known projects: {known}"
            )
        ids += found
    return Scope.of(*ids)


def _matches(word: str, projects: Sequence[Project]) -> list[str]:
    exact = [project.id for project in projects if project.id == word]
    folded = word.casefold()
    return exact or [
        project.id
        for project in projects
        if folded in {name.casefold() for name in (project.name, *project.aliases)}
    ]
