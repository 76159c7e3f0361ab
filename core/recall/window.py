"""The state of a window as recall reads it: what was seen, what is pending, and how marks change it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.words import Use

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memgardend.core.records.window_recall import Marks, WindowRecall

PROJECTS_ASKED = 8
"""So many panoramas come again after a compaction: the last ones asked for."""
WRITTEN = 20
"""So many memories that the window wrote come again: the last ones."""

_JUST_NOW_MS = 60_000
"""What was said so shortly before may be the very message that recall is asked for, read already."""
_SEEING = (Use.INJECTED, Use.SEARCHED, Use.ACCESSED)


def seen(state: WindowRecall) -> frozenset[str]:
    """What the window's agent has in front of it: injected, searched or read since the last compaction."""
    since = -1 if state.released_at is None else state.released_at
    return frozenset(
        memory for use in _SEEING for memory, at in state.used.get(use, {}).items() if at > since
    )


def written(state: WindowRecall) -> tuple[str, ...]:
    """What the window wrote, the newest last."""
    return _by_time(state.used.get(Use.WRITTEN, {}))


def projects_asked(state: WindowRecall) -> tuple[str, ...]:
    """The projects whose panoramas were asked for last, the newest last."""
    return _by_time(state.projects_asked)[-PROJECTS_ASKED:]


def reinject_pending(state: WindowRecall) -> bool:
    """Whether the window was compacted and has not got back what it knew."""
    return _at(state.released_at) > _at(state.restored_at)


def has_begun(state: WindowRecall, at: int) -> bool:
    """Whether a person had spoken in it before the message that comes at this instant."""
    spoke = state.spoke_at is not None and state.spoke_at < at - _JUST_NOW_MS
    return state.prompted_at is not None or spoke


def next_stamp(state: WindowRecall, now: int) -> int:
    """When what happens now is noted: after all that is known of the window, whatever the clock did since."""
    known = (
        *(state.anchored_at, state.block_at, state.prompted_at),
        *(state.released_at, state.restored_at),
        *state.projects_asked.values(),
        *(at for memories in state.used.values() for at in memories.values()),
    )
    return max(now, 1 + max(map(_at, known), default=-1))


def noted(state: WindowRecall, marks: Marks) -> WindowRecall:
    """The state after marks: every instant only rises."""
    used = {use: dict(memories) for use, memories in state.used.items()}
    for use, memories in marks.used.items():
        _raise(used.setdefault(use, {}), memories, marks.at)
    asked = dict(state.projects_asked)
    _raise(asked, marks.projects_asked, marks.at)
    anchors = marks.anchor is not None and marks.at >= _at(state.anchored_at)
    return replace(
        state,
        anchor=marks.anchor if anchors else state.anchor,
        anchored_at=marks.at if anchors else state.anchored_at,
        block_at=_later(state.block_at, marks.at if marks.block else None),
        prompted_at=_later(state.prompted_at, marks.at if marks.prompted else None),
        released_at=_later(state.released_at, marks.at if marks.released else None),
        restored_at=_later(state.restored_at, marks.at if marks.restored else None),
        projects_asked=asked,
        used=used,
    )


def _by_time(instants: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(instants, key=lambda name: (instants[name], name)))


def _raise(instants: dict[str, int], names: Iterable[str], at: int) -> None:
    for name in names:
        instants[name] = max(at, instants.get(name, at))


def _later(one: int | None, other: int | None) -> int | None:
    return None if one is None and other is None else max(_at(one), _at(other))


def _at(instant: int | None) -> int:
    return -1 if instant is None else instant
