"""Judge a round against the staged view, and build the view for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.judgement import JudgeContext, Judged, StagedView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.operations import Answer
    from memgardend.core.words import RoundName

__all__ = [
    "JudgeContext",
    "Judged",
    "StagedView",
    "judge_round",
    "judged_from_json",
    "judged_to_json",
    "refuse_changed",
    "replay",
]


def judge_round(
    view: StagedView, answer: Answer, context: JudgeContext
) -> tuple[tuple[Judged, ...], StagedView]:
    """Judge each operation in order; a refused one drops no other. Returns the verdicts and the next view."""
    raise NotImplementedError


def replay(view: StagedView, judged: Sequence[Judged]) -> StagedView:
    """Apply stored verdicts to a view: what `judge_round` returned, without judging again."""
    raise NotImplementedError


def judged_to_json(judged: Sequence[Judged]) -> str:
    """The stored form of a round's verdicts."""
    raise NotImplementedError


def judged_from_json(text: str) -> tuple[Judged, ...]:
    """Read what `judged_to_json` wrote."""
    raise NotImplementedError


def refuse_changed(
    judged_by_round: Mapping[RoundName, Sequence[Judged]], changed_ids: set[str]
) -> dict[RoundName, tuple[Judged, ...]]:
    """Refuse what touches a memory that changed since the plan, and all that rests on it."""
    raise NotImplementedError
