"""What `init` finds out before it asks: the agents here, their conversations, and the language of the person."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.language import Writing, guess_locale, locale_of_client
from memgardend.core.words import Role, WindowKind
from memgardend.daemon.registry import nearest_of, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memgardend.core.ports import Source, SourceFile
    from memgardend.core.records import NewEvent
    from memgardend.daemon.registry import Registry

FILES_LIMIT = 5_000
"""How many files of one agent are looked at, newest first."""
TURNS_LIMIT = 200
"""How many turns are read to judge the language."""
HEAD_BYTES = 256 * 1024
"""How much of a conversation is read to judge the language."""
TURN_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Agent:
    """How many conversations of an agent belong here, and how many it has anywhere else."""

    kind: str
    here: int
    elsewhere: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """A locale to propose. `basis`: `writing` (the person's own turns), `client` (LANG), or `none`."""

    locale: str | None
    basis: str
    writing: Writing


@dataclass(frozen=True, slots=True)
class Survey:
    """What `init` found."""

    root: Path
    agents: tuple[Agent, ...]
    proposal: Proposal

    def counts(self) -> dict[str, int]:
        """Conversations that belong here, by agent; those without any left out."""
        return {agent.kind: agent.here for agent in self.agents if agent.here}


@dataclass(frozen=True, slots=True)
class _Conversation:
    source: Source
    file: SourceFile
    here: bool


def survey(
    root: Path, sources: Sequence[Source], registry: Registry, language: str | None
) -> Survey:
    """Look at the agents' files, without writing any; `language` is the machine's own ($LANG).

    Raises ConfigError when the registry is damaged.
    """
    home = resolved(root)
    tended = {home, *(entry.path for entry in registry.workspaces())}
    found = [talk for source in sources for talk in _conversations(source, home, tended)]
    agents = tuple(_agent(source.kind, found) for source in sources)
    return Survey(home, agents, propose(found, language))


def propose(found: Sequence[_Conversation], language: str | None) -> Proposal:
    """The language of the person's turns here, or anywhere where these are too few, or the machine's own."""
    newest = sorted(found, key=lambda talk: (not talk.here, -talk.file.mtime_ns))
    here = [talk for talk in newest if talk.here]
    writing = guess_locale(islice(_turns(here), TURNS_LIMIT))
    if writing.locale is None:
        writing = guess_locale(islice(_turns(newest), TURNS_LIMIT))
    if writing.locale is not None:
        return Proposal(writing.locale, "writing", writing)
    client = locale_of_client(language)
    return Proposal(client, "client" if client else "none", writing)


def _conversations(source: Source, home: Path, tended: set[Path]) -> Iterator[_Conversation]:
    plain = [file for file in source.files() if not file.compressed]
    newest = sorted(plain, key=lambda file: -file.mtime_ns)
    for file in newest[:FILES_LIMIT]:
        window = source.peek(file)
        if window is not None and window.kind == WindowKind.MAIN:
            around = nearest_of(Path(window.cwd), tended) if window.cwd else None
            yield _Conversation(source, file, around == home)


def _agent(kind: str, found: Sequence[_Conversation]) -> Agent:
    here = [talk.here for talk in found if talk.source.kind == kind]
    return Agent(kind, here.count(True), here.count(False))


def _turns(found: Sequence[_Conversation]) -> Iterator[str]:
    """What the person typed, without what was pasted."""
    for talk in found:
        chunk = talk.source.read(talk.file, 0, HEAD_BYTES)
        for event in chunk.events if chunk else ():
            if event.role == Role.HUMAN:
                yield _typed(event)[:TURN_CHARS]


def _typed(event: NewEvent) -> str:
    kept, start = [], 0
    for begin, end in event.pasted:
        kept.append(event.text[start:begin])
        start = end
    return " ".join((*kept, event.text[start:]))
