"""Whose cards a call is about, who calls, and which mounts it may see: all from the host, nothing from a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memgardend.core.editorial.cards import DEFAULT_MOUNT, Actor
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


class MissingTenantError(UsageError, ValueError):
    """A scope names no tenant; a garden by default would be everybody's."""


class MissingMemoryOwner(UsageError, ValueError):  # noqa: N818 - the library's name for it
    """A scope names nobody whose memories these are."""


class MountPermissionError(UsageError, PermissionError):
    """A mount, or a garden, that the scope does not open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One owner's garden as one caller may use it.

    No `allowed_mounts` means `agent-private` alone, never all. Raises MissingTenantError and MissingMemoryOwner
    for blank names.
    """

    tenant_id: str
    memory_owner_id: str
    actor: Actor = field(default_factory=Actor)
    allowed_mounts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse to choose a garden."""
        if not self.tenant_id.strip():
            raise MissingTenantError("a scope needs a tenant", hint="Scope(tenant_id=…, …)")
        if not self.memory_owner_id.strip():
            raise MissingMemoryOwner(
                "a scope needs the owner of the memories", hint="Scope(memory_owner_id=…, …)"
            )

    @property
    def mounts(self) -> frozenset[str]:
        """The mounts that may be seen and written."""
        return frozenset(self.allowed_mounts or (DEFAULT_MOUNT,))

    def check(self, mount: str) -> str:
        """The mount that is meant, blank being `agent-private`. Raises MountPermissionError for a closed one."""
        named = mount.strip() or DEFAULT_MOUNT
        if named not in self.mounts:
            raise MountPermissionError(
                f"the scope does not open the mount {named!r}",
                hint=f"open: {', '.join(sorted(self.mounts))}",
            )
        return named

    def sees(self, mounts: Iterable[str]) -> bool:
        """Whether all of these are open."""
        return self.mounts.issuperset(mounts)
