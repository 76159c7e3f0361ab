"""Another selection policy in place of ours: the setting `recall.policy` as something that chooses."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.selection import Pick, SelectionResult
from memgardend.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memgardend.core.editorial.selection import SelectionPolicy

ENTRY_POINTS = "memgardend.policies"
"""The group in which packages offer policies by name."""


def load_policy(name: str | None) -> SelectionPolicy | None:
    """The policy that `module:function` or the name of an entry point stands for; None: ours.

    A function is called as a policy's `select` is, and may answer with the ids alone; a class is called without
    arguments. Raises ConfigError.
    """
    if name is None:
        return None
    found = _imported(name) if ":" in name else _offered(name)
    if hasattr(found, "select"):
        return cast("SelectionPolicy", found)
    if callable(found):
        return _Function(found)
    raise ConfigError(
        f"recall.policy: {name} is neither a function nor something that selects",
        hint="memgardend config explain recall.policy",
    )


@dataclass(frozen=True, slots=True)
class _Function:
    """A function as a policy."""

    function: Callable[..., SelectionResult | Iterable[str]]

    def select(
        self, cards: Sequence[Mapping[str, Any]], query: str, *, limit: int
    ) -> SelectionResult:
        chosen = self.function(cards, query, limit=limit)
        if isinstance(chosen, SelectionResult):
            return chosen
        return SelectionResult(picks=tuple(Pick(card_id=one, stage="policy") for one in chosen))


def _made(found: object) -> object:
    """Of a class, one that it makes."""
    return found() if isinstance(found, type) else found


def _imported(name: str) -> object:
    module, _, attribute = name.partition(":")
    try:
        return _made(getattr(import_module(module), attribute))
    except (Exception, SystemExit) as error:  # a person's own code may raise anything
        raise ConfigError(
            f"recall.policy: {name} cannot be imported: {type(error).__name__}: {error}",
            hint=f"python -c 'from {module} import {attribute}'",
        ) from error


def _offered(name: str) -> object:
    from importlib.metadata import entry_points  # slow, and rarely needed

    offered = {one.name: one for one in entry_points(group=ENTRY_POINTS)}
    if name not in offered:
        known = ", ".join(sorted(offered)) or "none"
        raise ConfigError(
            f"recall.policy: no package offers a policy called {name}",
            hint=f"write module:function, or one of: {known}",
        )
    try:
        return _made(offered[name].load())
    except (Exception, SystemExit) as error:  # as above
        raise ConfigError(
            f"recall.policy: {name} cannot be loaded: {type(error).__name__}: {error}",
            hint=f"pip show {offered[name].value.partition(':')[0].partition('.')[0]}",
        ) from error
