"""The parameters of every method: what is not named here is refused, and nothing is taken for something else."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from memgardend.core.editorial.cards import DEFAULT_MOUNT, Actor
from memgardend.core.editorial.scope import Scope

Positive = Annotated[int, Field(ge=1)]
Limit = Annotated[int, Field(ge=0)]


class Params(BaseModel):
    """Strict: no text for a number, no unknown name."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


class Nothing(Params):
    """No parameters."""


class ActorParams(Params):
    """Who calls."""

    user_id: str = ""
    agent_id: str = ""
    session_id: str = ""


class ScopeParams(Params):
    """Whose memories, who calls, and which mounts are open."""

    tenant: str
    """The account."""
    owner: str
    """The person in it whose memories these are."""
    mounts: list[str] = []
    """The mounts that may be seen and written; none named means `agent-private` alone."""
    actor: ActorParams = ActorParams()
    """Who signs the cards that are written."""

    def scope(self) -> Scope:
        """The same for the library. Raises MissingTenantError and MissingMemoryOwner."""
        signed = Actor(
            **{name: said for name, said in self.actor.model_dump().items() if said}  # type: ignore[typeddict-item]
        )
        return Scope(
            tenant_id=self.tenant,
            memory_owner_id=self.owner,
            actor=signed,
            allowed_mounts=tuple(self.mounts),
        )


class Scoped(Params):
    """Whose memories it is about."""

    scope: ScopeParams


class Mounted(Scoped):
    """And in which mount."""

    mount: str = DEFAULT_MOUNT


class Told(Scoped):
    """What every judgement is told."""

    locale: str
    """The language of the garden: `en` or `zh-Hans`. None is right by default."""
    ai_name: str = ""
    user_name: str = ""
    naming_rule: str = ""
    host_note: str = ""
    """The host's own words, which the prompt repeats."""


class Judged(Told):
    """And in which mount."""

    mount: str = DEFAULT_MOUNT


class Feed(Params):
    """The reply to a prompt."""

    session_id: str
    reply: str
    truncated: bool = False
    """True where the reply was cut off by a limit on its length."""


class Cancel(Params):
    """A session that nobody wants any more."""

    session_id: str
