"""Why memories were not recalled: a word for each of the nearest that were not."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from memgardend.core.scope import covers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from memgardend.core.scope import Scope


class LeftOut(StrEnum):
    """Why a memory was not recalled."""

    SEEN = "seen"
    OWN_WINDOW = "own_window"
    NOT_COVERED = "not_covered"
    BELOW_FLOOR = "below_floor"
    OVER_CAP = "over_cap"


def left_out(
    nearest: Iterable[str],
    answers: Collection[str],
    recalled: Collection[str],
    *,
    kept_out: Mapping[str, LeftOut],
    scopes: Mapping[str, Scope],
    projects: Collection[str | None],
    is_cut: bool,
) -> dict[str, LeftOut]:
    """Of the memories (ids) `nearest` to a question by itself, and of its `answers`, why the others did not come.

    `kept_out`: reasons that come before any comparison. `scopes`: of those that had to cover one of `projects`.
    `is_cut`: there may have been more answers.
    """

    def reason(memory: str) -> LeftOut:
        if memory in kept_out:
            return kept_out[memory]
        scope = scopes.get(memory)
        if scope is not None and not any(covers(scope, project) for project in projects):
            return LeftOut.NOT_COVERED
        return LeftOut.OVER_CAP if is_cut or memory in answers else LeftOut.BELOW_FLOOR

    return {one: reason(one) for one in (*nearest, *answers) if one not in recalled}
