"""What `init` found, wrote, and what to type next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.text import paragraph

if TYPE_CHECKING:
    from rich.text import Text


def init_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """`init`."""
    wrote = document["wrote"]
    says = [
        f"Wrote {', '.join(wrote)}" if wrote else "Nothing to write: all files are there.",
        _found(document["agents"]),
        f"Memories are written in {document['locale']}; dreams run: {document['model']}",
        f"{'Still' if document['known_before'] else 'Now'} registered: {document['workspace']}",
        f"Next: {', then '.join(document['next'])}",
    ]
    return [line for text in says for line in paragraph(text, width)]


def _found(agents: list[dict[str, Any]]) -> str:
    counts = [
        f"{agent['kind']} ({agent['here']} here, {agent['elsewhere']} elsewhere)"
        for agent in agents
        if agent["here"] or agent["elsewhere"]
    ]
    if not counts:
        return "Found no conversations."
    found = f"Found conversations of {', '.join(counts)}."
    if any(agent["here"] for agent in agents):
        return found
    why = "None of them began in this folder, and no others are read"
    return f"{found} {why}; how they could be: memgardend config explain 'sources[].cwd'"
