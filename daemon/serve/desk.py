"""What every method has before it: the component, the store, and the sessions that wait."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.mounted.garden import MountedGarden
from memgardend.daemon.serve.errors import ServeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.editorial.results import OperationReceipt
    from memgardend.core.ports.library import StoragePort
    from memgardend.daemon.serve.params import Params, Scoped
    from memgardend.daemon.serve.sessions import Sessions

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Desk:
    """Where requests are answered, one after the other."""

    component: GardenComponent
    store: StoragePort
    sessions: Sessions
    version: str

    def garden(self, asked: Scoped) -> MountedGarden:
        """The garden that a request is about. Raises MissingTenantError and MissingMemoryOwner."""
        return MountedGarden(self.component, self.store, asked.scope.scope())


@dataclass(frozen=True, slots=True)
class Method:
    """One method. What it does is said by the docstring of `call`; `returns` are the fields of its result."""

    name: str
    params: type[Params]
    call: Callable[[Desk, Any], Answer]
    returns: tuple[str, ...]

    @property
    def doc(self) -> str:
        """One sentence."""
        return (self.call.__doc__ or "").strip()


RECEIPT = ("written", "record_ids", "revision", "reason", "questions", "trace", "schema_version")
"""The fields of what a write answers."""


def receipt_answer(receipt: OperationReceipt | None) -> Answer:
    """A receipt as a result. Raises ServeError for one that carries an error."""
    told = asdict(receipt) if receipt else {}
    error = told.pop("error", None)
    if error is not None:
        raise ServeError(error)
    return told
