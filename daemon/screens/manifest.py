"""The screen of `memgardend manifest`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def manifest_lines(document: Mapping[str, Any]) -> Iterator[Text]:
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
    for name, words in told.items():
        if words:
            yield Text(f"{name:<14}{' · '.join(words)}")
    for notice in storage["notices"]:
        yield Text(f"! {notice}")


def _limit(cards: int | None) -> str:
    return "no limit" if cards is None else f"at most {cards}"
