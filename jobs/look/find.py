"""What a person means by an id: the whole id, or the start of exactly one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from memgardend.core.errors import UsageError
from memgardend.core.tools.problems import Problem
from memgardend.core.words import WindowKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence, Set

    from memgardend.core.ports import Store
    from memgardend.core.records import Window

_CANDIDATES = 10
_LEAST_CHARS = 6
_WHOLE_CHARS = 9
"""An id up to here is not cut: two or three letters less help nobody."""
_MANY = 200


def find_window(store: Store, text: str) -> str:
    """The window id that equals the text, or alone starts with it (so may its native id).

    The only main window among several is meant: sub-agents share the start of its id. Raises UsageError when
    there is none, or several.
    """
    found = store.find_windows(text)
    exact = [one for one in found if text in (one, one.partition(":")[2])]
    main = [one for one in found if _is_main(store, one)]
    chosen = exact or (main if len(main) == 1 else found)
    return _only("window", text, chosen, "memgardend windows --all")


def _is_main(store: Store, window_id: str) -> bool:
    window = store.window(window_id)
    return window is not None and window.kind is WindowKind.MAIN


def find_dream(store: Store, text: str) -> str:
    """The dream id that equals the text, or alone starts with it; else raises UsageError."""
    return _only("dream", text, store.find_dreams(text), "memgardend dreams")


def find_memory(store: Store, text: str) -> str:
    """The memory id that equals the text, or alone starts with it; else raises UsageError."""
    return _only("memory", text, store.find_memories(text), "memgardend memories")


def gone(memory_id: str) -> UsageError:
    """What to raise for a memory that was there a moment ago."""
    return UsageError(
        f"memory {memory_id} is gone",
        hint="memgardend memories --all",
        label=Problem.GONE,
        id=memory_id,
    )


def find_thing(store: Store, text: str) -> tuple[str, str]:
    """What the text names: (`window`, id) or (`memory`, id); else raises UsageError."""
    kinds = dict.fromkeys(store.find_memories(text), "memory")
    exact = kinds.keys() & {text}
    if not exact and store.find_windows(text):
        if not kinds:
            return "window", find_window(store, text)
        kinds |= dict.fromkeys(store.find_windows(text), "window")
    found = _only("window or memory", text, list(kinds), "memgardend status")
    return kinds[found], found


def _only(noun: str, text: str, found: Sequence[str], look: str) -> str:
    if text in found:
        return text
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(
            f"no {noun} has an id that starts with {text!r}",
            hint=look,
            label=Problem.UNKNOWN_ID,
            given=text,
        )
    names = ", ".join(sorted(found)[:_CANDIDATES])
    more = f" and {len(found) - _CANDIDATES} more" if len(found) > _CANDIDATES else ""
    raise UsageError(
        f"{text!r} is the start of {len(found)} ids: {names}{more}",
        hint=look,
        label=Problem.SEVERAL_IDS,
        given=text,
        known=f"{names}{'…' if more else ''}",
    )


class ShortIds:
    """Short names of ids, read when they are asked for: once for all that begin alike."""

    def __init__(self, find: Callable[[str], Iterable[str]]) -> None:
        """`find` gives the ids that start with a text."""
        self._find = find
        self._known: dict[str, str] = {}

    def of(self, one: str) -> str:
        """What the commands take for this id."""
        if one not in self._known:
            self._known |= short_ids({one, *self._find(one[:_LEAST_CHARS])})
        return self._known[one]


class ShortWindows:
    """As `ShortIds`, of windows."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, str] = {}

    def of(self, window_id: str) -> str:
        """What `find_window` takes for this window."""
        if window_id not in self._known:
            start = window_id.partition(":")[2][:_LEAST_CHARS]
            windows = self._windows({window_id, *self._store.find_windows(start)})
            alike = [one for one in windows if one.native_id.startswith(start)]
            self._known |= {window_id: window_id} | short_windows(alike)
        return self._known[window_id]

    def _windows(self, ids: Set[str]) -> Iterable[Window]:
        if len(ids) > _MANY:  # then one look at all of them costs less
            return [facts.window for facts in self._store.window_facts(aside=True)]
        return [one for one in map(self._store.window, sorted(ids)) if one is not None]


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """The shortest start of each id, at least six characters, that no other id shares; a short id is whole."""
    ordered = sorted(set(ids))
    if not ordered:
        return {}
    shared = [_shared_chars(*pair) for pair in pairwise(ordered)]
    return {
        one: _start(one, max(_LEAST_CHARS, before + 1, after + 1))
        for one, before, after in zip(ordered, [0, *shared], [*shared, 0], strict=True)
    }


def _start(one: str, chars: int) -> str:
    """At least so many characters, and no end at the `/` or `-` between two parts."""
    if len(one) <= _WHOLE_CHARS:
        return one
    while chars < len(one) and not one[chars - 1].isalnum():
        chars += 1
    return one[:chars]


def _shared_chars(left: str, right: str) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((n for n, (one, other) in pairs if one != other), min(len(left), len(right)))


def short_windows(windows: Iterable[Window]) -> dict[str, str]:
    """What `find_window` takes for each window: the shortest start of its native id, else its whole id."""
    every = list(windows)
    main = [window for window in every if window.kind is WindowKind.MAIN]
    aside = _short_natives(every) if len(main) < len(every) else {}
    return aside | _short_natives(main)


def _short_natives(windows: Sequence[Window]) -> dict[str, str]:
    natives = Counter(window.native_id for window in windows)
    short = short_ids(natives)
    return {
        window.id: short[window.native_id] if natives[window.native_id] == 1 else window.id
        for window in windows
    }
