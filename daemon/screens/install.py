"""`install` and `uninstall`: a line a file, and what to type next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.text import paragraph

if TYPE_CHECKING:
    from rich.text import Text

_DONE = {
    "written": "written",
    "updated": "brought up to date",
    "unchanged": "as it should be",
    "replaced": "replaced; it was changed by hand, and lies beside as .old",
    "removed": "removed",
    "absent": "was not there",
    "kept": "left as it is",
}
_PLANNED = {
    "written": "would be written",
    "updated": "would be brought up to date",
    "replaced": "would be replaced; it was changed by hand, and would lie beside as .old",
    "removed": "would be removed",
    "absent": "is not there",
}


def install_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """What was written, what the service will find, and what it still lacks."""
    programs = document["programs"]
    says = _files(document)
    says.append(f"It finds {', '.join(programs) if programs else 'no model command but our own'}.")
    if document["variables"]:
        says.append(
            f"Values for {', '.join(document['variables'])} belong into {document['env_file']}"
        )
    return _lines(document, says, width)


def uninstall_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """What went, and what stays."""
    return _lines(document, _files(document), width)


def _files(document: dict[str, Any]) -> list[str]:
    says = _DONE | _PLANNED if document["dry_run"] else _DONE
    return [f"{one['path']}: {says[one['action']]}" for one in document["files"]]


def _lines(document: dict[str, Any], says: list[str], width: int | None) -> list[Text]:
    lines = [line for text in says for line in paragraph(text, width)]
    for one in document["files"]:
        if one.get("text"):
            lines += paragraph(f"--- {one['path']}", width)
            lines += paragraph(one["text"], width, indent=2)
    lines += paragraph("Next, type:", width) if document["next"] else []
    return lines + [line for typed in document["next"] for line in paragraph(typed, None, indent=2)]
