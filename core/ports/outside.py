"""Ports to the outside: failpoints, the model command, and sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memgardend.core.records import NewEvent, Window
    from memgardend.core.words import Outcome


class Failpoints(Protocol):
    """Named places where a test may kill or fail us; free when none is set."""

    def hit(self, name: str) -> None:
        """Pass the place `name`. May kill the process or raise."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One question to the model command. `request` is the JSON form, `prompt` the text form."""

    purpose: str  # a CallPurpose, or a host's word
    prompt: str
    request: str
    window: str
    dream: str
    round: str
    run: str  # marks our model processes in their environment


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What came back. `text` is set only when outcome is OK."""

    outcome: Outcome
    text: str | None = None
    detail: str = ""  # for a person: exit code, tail of stderr, what to do
    hint: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reported: bool = False
    duration_ms: int = 0
    model: str | None = None
    cost: str | None = None
    currency: str | None = None


class Model(Protocol):
    """The pluggable model command."""

    def ask(self, call: ModelCall, tick: Callable[[], bool]) -> ModelReply:
        """Run it once. `tick` is called at least each second; False ends the call as `cancelled`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of a source that may hold a window. One that is `compressed` is only counted, never read."""

    path: str
    size: int
    mtime_ns: int
    identity: str
    compressed: bool = False

    @property
    def plain_path(self) -> str:
        """Where the file was, or would be, without its compression."""
        return self.path.rpartition(".")[0] if self.compressed else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """What an adapter reads of one file from one offset: complete lines only.

    `offset` is the byte after the last complete line read. `more`: the size limit was reached first.
    `aside` holds windows found inside the file besides the main one (old sidechains, conversations one a line).
    `copied` are ids of events that the adapter knows to repeat another window: replays, not news.
    """

    window: Window
    events: tuple[NewEvent, ...] = ()
    offset: int = 0
    lines: int = 0
    unreadable: int = 0
    more: bool = False
    aside: tuple[tuple[Window, tuple[NewEvent, ...]], ...] = ()
    copied: frozenset[str] = frozenset()


class Source(Protocol):
    """An adapter: reads what one kind of agent leaves on disk, and never writes there."""

    @property
    def kind(self) -> str: ...
    def files(self) -> Iterator[SourceFile]: ...
    def read(self, file: SourceFile, offset: int, limit_bytes: int) -> Chunk | None:
        """None: the file holds no window (yet)."""
        ...

    def peek(self, file: SourceFile) -> Window | None:
        """The window with cwd, title, parent, kind and times, from the file's head and tail only."""
        ...

    def end(self, file: SourceFile) -> int:
        """The byte after the last complete line."""
        ...

    def holds_any(self, file: SourceFile, native_ids: Sequence[str]) -> bool:
        """Whether one of these ids stands anywhere in the file: a fast search, without reading records."""
        ...

    def fingerprint(self, file: SourceFile, offset: int) -> str:
        """A hash of the file's first bytes and of those before `offset`: does it still hold what was read?"""
        ...
