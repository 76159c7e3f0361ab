"""`install` and `uninstall` of hooks: what became of the agent's settings, and what to type next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.text import paragraph

if TYPE_CHECKING:
    from rich.text import Text

_INSTALLED = {
    "written": "new, with our hooks",
    "updated": "our hooks are in it, beside what was there",
    "unchanged": "our hooks are in it already",
}
_UNINSTALLED = {
    "restored": "as it was before, byte for byte",
    "removed": "removed; there was none before",
    "updated": "our hooks are out; what others wrote since stays",
    "absent": "none of our hooks are in it",
}
_NAMED = {
    "written": "/dream is a command now, by {}",
    "absent": "{} is your own, so /dream stays yours; for ours, type: memgardend dream",
}
_UNNAMED = {"removed": "{}: removed; it was ours"}


def install_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """What was written and will be run, what to know, and what to type next."""
    says = [
        f"{document['file']}: {_INSTALLED[document['done']]}",
        f"At {', '.join(document['events'])} it runs: {document['command']}",
        *_of_command(document, _NAMED),
        *document["remarks"],
    ]
    if document["done"] == "updated":
        says.insert(2, f"What it held before is kept in {document['backup']}")
    lines = _lines(document, says, width)
    lines += paragraph("For the memory tools, and to see whether all of it works, type:", width)
    return lines + [line for typed in document["next"] for line in paragraph(typed, None, indent=2)]


def uninstall_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """What became of the settings."""
    says = [f"{document['file']}: {_UNINSTALLED[document['done']]}"]
    return _lines(document, says + _of_command(document, _UNNAMED), width)


def _of_command(document: dict[str, Any], words: dict[str, str]) -> list[str]:
    """What became of `/dream`, where that is worth a line."""
    named = document["dream_command"]
    return [words[named["done"]].format(named["file"])] if named and named["done"] in words else []


def _lines(document: dict[str, Any], says: list[str], width: int | None) -> list[Text]:
    dry = ["A dry run: nothing of this was done."] if document["dry_run"] else []
    return [line for text in (*dry, *says) for line in paragraph(text, width)]
