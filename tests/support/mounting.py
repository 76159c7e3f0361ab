"""Gardens with a component: a model that says what it is told to, and stores that somebody else writes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memgardend import GardenComponent, InMemoryStore, MountedGarden, Scope
from memgardend.core.editorial.results import ModelReply

Reply = str | ModelReply | Exception


@dataclass
class Answers:
    """A model that gives these replies in order. `before` is done each time before it answers."""

    replies: tuple[Reply, ...] = ()
    before: Callable[[], object] = lambda: None
    prompts: list[str] = field(default_factory=list)

    def __call__(self, prompt: str) -> str | ModelReply:
        self.prompts.append(prompt)
        self.before()
        said = self.replies[len(self.prompts) - 1]
        if isinstance(said, Exception):
            raise said
        return said


def answers(*replies: Reply, before: Callable[[], object] = lambda: None) -> Answers:
    """A model with these replies."""
    return Answers(replies, before)


def scope(owner: str = "mei", *mounts: str, tenant: str = "t", **actor: Any) -> Scope:
    """Mei's garden, unless told otherwise."""
    return Scope(
        tenant_id=tenant,
        memory_owner_id=owner,
        allowed_mounts=mounts,
        actor=actor,  # type: ignore[arg-type]
    )


def mounted(
    *replies: Reply,
    store: Any = None,
    of: Scope | None = None,
    before: Callable[[], object] = lambda: None,
) -> MountedGarden:
    """A garden whose model gives these replies."""
    component = GardenComponent(model=answers(*replies, before=before))
    return MountedGarden(component, store or InMemoryStore(), of or scope())


def add(summary: str, **card: Any) -> dict[str, Any]:
    """A new card as a mapping."""
    return {"op": "add", "card": {"summary": summary, "content": f"{summary}. All of it.", **card}}
