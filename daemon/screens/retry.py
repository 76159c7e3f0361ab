"""`retry`: what is in line again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.daemon.screens.times import moment, wait
from memgardend.daemon.screens.words import flagged

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View

_WAS = {"failed": "had failed", "quarantined": "was set aside", "pending": "was parked"}


def retry_lines(document: dict[str, Any], view: View) -> list[Text]:
    """One line a dream, with what still holds it."""
    if not document["dreams"]:
        return [Text("No dream failed, was set aside or waits for later.")]
    return [
        line
        for one in document["dreams"]
        for line in flagged(
            "pending", f"{one['window']} {_WAS[one['was']]}: {_now(one, view)}", view.width
        )
    ]


def _now(one: dict[str, Any], view: View) -> str:
    if one["may"]:
        return "it is due now"
    if one["next_at"] is None:
        return f"in line again, but held by {one['held_by']}"
    at = one["next_at"]
    return f"held by {one['held_by']} until {moment(at, view)} {view.zone} ({wait(at, view)})"
