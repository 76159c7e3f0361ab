"""Scope: which projects a memory applies to. One predicate serves every reader."""

from __future__ import annotations

from dataclasses import dataclass

GLOBAL_TEXT = "global"
UNSET_TEXT = "unset"


@dataclass(frozen=True, slots=True)
class Scope:
    """`global`, `unset`, or a sorted tuple of project ids."""

    kind: str
    projects: tuple[str, ...] = ()

    @classmethod
    def of(cls, *projects: str) -> Scope:
        """The scope of these projects; `unset` when there are none."""
        return cls("projects", tuple(sorted(set(projects)))) if projects else UNSET

    @classmethod
    def parse(cls, text: str) -> Scope:
        """Read the stored form: `global`, `unset`, or ids joined by commas."""
        if text == GLOBAL_TEXT:
            return GLOBAL
        if text == UNSET_TEXT:
            return UNSET
        return cls.of(*(part for part in text.split(",") if part))

    def text(self) -> str:
        """The stored form."""
        return ",".join(self.projects) if self.projects else self.kind


GLOBAL = Scope(GLOBAL_TEXT)
UNSET = Scope(UNSET_TEXT)


def covers(scope: Scope, project: str | None) -> bool:
    """True when a memory of this scope applies to the project (None: to no project in particular)."""
    return not scope.projects or project in scope.projects
