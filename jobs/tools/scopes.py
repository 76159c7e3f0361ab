"""The projects that a call names: known ones by name, alias or id, and new ones."""

from __future__ import annotations

import shlex
import uuid
from difflib import get_close_matches
from typing import TYPE_CHECKING

from memgardend.core.clean import clean_line
from memgardend.core.display import NAME_CHARS
from memgardend.core.errors import UsageError
from memgardend.core.records import Project
from memgardend.core.scope import GLOBAL, GLOBAL_TEXT, UNSET, UNSET_TEXT, Scope
from memgardend.core.tools.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GLOBAL_WORDS = frozenset({GLOBAL_TEXT, "全局"})
"""What stands for everywhere, in any locale: memories of the ancestor say it in Chinese."""


def scope_of(
    words: Sequence[str], projects: Sequence[Project], here: str | None
) -> tuple[Scope, tuple[Project, ...]]:
    """The scope that the words stand for, and the projects among them that nobody knew: those are made.

    `here`: the project of the caller, meant where several are called alike. Beside names, `global` and `unset`
    say nothing. Raises UsageError for a name of several projects.
    """
    named = [word for word in words if not _is_word(word)]
    if not named:
        return (GLOBAL if any(_is_global(word) for word in words) else UNSET), ()
    fresh: dict[str, Project] = {}
    ids: list[str] = []
    for word in named:
        found = _matches(word, projects)
        if here in found:
            ids.append(str(here))
        elif len(found) > 1:
            raise UsageError(
                f"several projects are called {word!r}: say its id, one of {', '.join(found)}",
                hint="memgardend project NAME",
                label=Problem.SEVERAL_PROJECTS,
                name=word,
                known=", ".join(found),
            )
        else:
            made = found or [fresh.setdefault(_new(word).id, _new(word)).id]
            ids.append(made[0])
    return Scope.of(*ids), tuple(fresh.values())


def known_ids(words: Sequence[str], projects: Sequence[Project]) -> tuple[str, ...]:
    """The ids of all projects that are called by these words. Raises UsageError for an unknown one."""
    ids: dict[str, None] = {}
    for word in words:
        found = _matches(word, projects)
        if not found:
            known = sorted({one.name for one in projects})
            nearest = get_close_matches(word, known, n=1, cutoff=0.0)
            raise UsageError(
                f"no project is called {word!r}; known: {', '.join(known) or 'none'}",
                hint=f"memgardend project {shlex.quote(nearest[0])}" if nearest else None,
                label=Problem.UNKNOWN_PROJECT,
                name=word,
                known=", ".join(known) or "-",
            )
        ids |= dict.fromkeys(found)
    return tuple(ids)


def names(projects: Iterable[Project]) -> str:
    """Their names, in order."""
    return ", ".join(sorted({one.name for one in projects}))


def _is_word(word: str) -> bool:
    return _is_global(word) or word.casefold() == UNSET_TEXT


def _is_global(word: str) -> bool:
    return word.casefold() in GLOBAL_WORDS


def _matches(word: str, projects: Sequence[Project]) -> list[str]:
    exact = [one.id for one in projects if one.id == word]
    folded = clean_line(word).casefold()
    return exact or [
        one.id
        for one in projects
        if folded in {name.casefold() for name in (one.name, *one.aliases)}
    ]


def _new(word: str) -> Project:
    """A project by its name alone. Its id follows from it, so that two who name it at once mean the same."""
    name = clean_line(word)[:NAME_CHARS]
    key = f"memgardend:project:{name.casefold()}"
    return Project(id=str(uuid.uuid5(uuid.NAMESPACE_URL, key)), name=name)
