"""Recall for a hook: the light store, the settings as they were written for it, and what there is to tell."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import closing, contextmanager
from datetime import UTC, datetime, tzinfo
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.daemon.plain import aside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memgardend.core.agent_events import AgentEvent
    from memgardend.core.clock import Clock
    from memgardend.core.editorial.selection import SelectionPolicy, SelectionResult
    from memgardend.core.recall.requests import RecallContext
    from memgardend.daemon.store.light import LightGarden

_FOLDER = ".memgarden"


def recall(root: Path, event: AgentEvent, settle: Callable[[], object]) -> str:
    """What to add to the conversation, or an empty text; what was shown or forgotten is noted.

    `settle` is called before that: from then on nothing may keep the answer back.
    """
    from memgardend.daemon.locations import GARDEN, STORE_FILE
    from memgardend.daemon.store.light import open_light

    file = root / _FOLDER / STORE_FILE
    store = open_light(file, GARDEN, settle) if file.exists() else None
    if store is None:
        return ""
    with closing(store):
        return _told(root, event, store)


def _told(root: Path, event: AgentEvent, store: LightGarden) -> str:
    from memgardend.core.agent_events import Moment
    from memgardend.jobs import recall

    context = _context(root, store)
    noted = {
        Moment.COMPACTED: recall.compacted,
        Moment.FORKED: recall.forked,
        Moment.RESUMED: recall.resumed,
    }
    if event.moment in noted:
        noted[event.moment](context, event.window, now_ms())
        return ""
    turn = recall.Turn(
        window=event.window,
        at=now_ms(),
        text=event.prompt,
        project=store.project_around(os.path.realpath(event.cwd)),
    )
    told = recall.begin if event.moment is Moment.START else recall.message
    injection = told(context, turn)
    return "" if injection is None else injection.text


def now_ms() -> int:
    """Our time, which a test may drive."""
    return _clock().now_ms()


def _clock() -> Clock:
    if "MEMGARDEND_CLOCK" in os.environ:
        from memgardend.daemon.clock import clock

        return clock(os.environ)
    from memgardend.core.clock import SystemClock

    return SystemClock()


def _context(root: Path, store: LightGarden) -> RecallContext:
    from memgardend.core.recall.requests import RecallContext, RecallSettings
    from memgardend.daemon.locations import EFFECTIVE_FILE, EFFECTIVE_SCHEMA, KEY_FILE, state_folder

    said: dict[str, Any] = json.loads((root / _FOLDER / EFFECTIVE_FILE).read_bytes())
    if said["schema"] != EFFECTIVE_SCHEMA:
        raise ValueError(
            f"{EFFECTIVE_FILE} is of another version; any command brings it up to date"
        )
    return RecallContext(
        store=store,
        settings=RecallSettings(zone=take_zone(said["time_zone"]), **said["recall"]),
        slot=said["texts"].__getitem__,
        key=(state_folder() / KEY_FILE).read_bytes(),
        clock=_clock(),
        policy=_policy(said["policy"]),
        policy_name=said["policy"] or "",
    )


def _policy(name: str | None) -> SelectionPolicy | None:
    """The person's own way to choose, where there is one."""
    if name is None:
        return None
    with _apart():
        from memgardend.daemon.policy import load_policy

        policy = load_policy(name)
    return None if policy is None else _Theirs(policy)


class _Theirs:
    """A person's own policy: it chooses as it would in any other process."""

    def __init__(self, policy: SelectionPolicy) -> None:
        self._policy = policy

    def select(
        self, cards: Sequence[Mapping[str, Any]], query: str, *, limit: int
    ) -> SelectionResult:
        with _apart():
            return self._policy.select(cards, query, limit=limit)


@contextmanager
def _apart() -> Iterator[None]:
    """Run code of the person's: it may ask more of the standard library than our own modules do, and what it
    prints, by whatever means, goes to stderr, as stdout is the answer."""
    stdout = os.dup(1)
    os.dup2(2, 1)
    try:
        with aside():
            yield
    finally:
        sys.stdout.flush()
        os.dup2(stdout, 1)
        os.close(stdout)


class _OwnZone(tzinfo):
    """The zone of this process, whose rules the C library knows: `zoneinfo` takes long to import.

    Times that it converts carry their offset with them, so that nobody asks the zone for it.
    """

    def fromutc(self, at: datetime) -> datetime:
        return at.replace(tzinfo=UTC).astimezone()

    def utcoffset(self, _: datetime | None) -> None:
        return None

    dst = tzname = utcoffset


def take_zone(name: str) -> tzinfo:
    """A zone by the rules of the tzdata package alone; it becomes that of this process.

    Raises FileNotFoundError for an unknown one.
    """
    package = PathFinder.find_spec("tzdata")
    folders = package.submodule_search_locations if package else None
    file = Path(*(folders or ["tzdata"]), "zoneinfo", name)
    if not file.exists():  # the C library would take UTC in its place
        raise FileNotFoundError(f"{file}: no rules of this time zone")
    os.environ["TZ"] = f":{file}"
    time.tzset()
    return _OwnZone()
