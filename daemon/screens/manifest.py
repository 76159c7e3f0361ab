"""The screen of `memgardend manifest`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.table import facts
from memgardend.daemon.screens.words import flagged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.text import Text


def manifest_lines(document: Mapping[str, Any], width: int | None) -> Iterator[Text]:
    """One line for each thing there is, and one sentence for each that is off."""
    storage = document["storage"]
    able = [name for name, can in document["capabilities"].items() if can]
    off = [name for name, can in document["capabilities"].items() if not can]
    policies = [f"{one['name']} ({_limit(one['max_cards'])})" for one in document["policies"]]
    told = {
        "version": [document["version"]],
        "can": able,
        "needs a model": off,
        "policies": policies,
        "locales": document["locales"],
        "tools": [tool["name"] for tool in document["tools"]],
    }
    yield from facts([(name, words) for name, words in told.items() if words], width)
    for notice in storage["notices"]:
        yield from flagged("warning", notice, width)


def _limit(cards: int | None) -> str:
    return "no limit" if cards is None else f"at most {cards}"
