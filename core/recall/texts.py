"""The words around what is recalled, from a prompt pack (slot `recall`), and the static guide (slot `guide`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.label_texts import LabelTexts
from memgardend.core.slots import (
    COMMON_PLACEHOLDERS,
    GUIDE_SLOT,
    LABELS_SLOT,
    RECALL_SLOT,
    SPEAKERS,
)
from memgardend.core.template import fill, parse_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

RECALL_TEXTS = frozenset(
    {
        *(
            f"block.{what}"
            for what in ("intro", "soul", "user", "rules", "projects", "more", "how")
        ),
        "hits.intro",
        *(f"again.{what}" for what in ("intro", "written")),
        *(f"search.{what}" for what in ("intro", "none")),
        *(f"panorama.{what}" for what in ("intro", "everywhere", "done", "more", "none")),
        *(f"scope.{kind}" for kind in ("global", "unset")),
        *(f"memory.{what}" for what in ("goal", "importance", "unheard", "cut")),
        *(f"status.{status}" for status in ("stale", "archived")),
        *(f"time.{unit}" for unit in ("now", "minutes", "hours", "days", "months", "years")),
    }
)
"""Every name in the slot `recall`."""


def speakers(slot: Callable[[str], str], assistant: str, person: str) -> dict[str, str]:
    """The names of the two who talk; the pack's words stand in for empty ones."""
    words = parse_labels(slot(LABELS_SLOT), LABELS_SLOT)
    named = {"assistant": assistant, "person": person}
    return {speaker: named[speaker] or words.get(speaker, speaker) for speaker in SPEAKERS}


def guide(slot: Callable[[str], str], names: Mapping[str, str]) -> str:
    """How the memory looks, when to use it, how to write, and the layers: nothing of it depends on the store."""
    values = {**dict.fromkeys(COMMON_PLACEHOLDERS, ""), **names}
    parts = (fill(slot(name).strip(), values, name) for name in (GUIDE_SLOT, "layers"))
    return "\n\n".join(parts) + "\n"


class RecallTexts(LabelTexts):
    """The texts of a pack with the speakers' names. Raises ConfigError for a slot with mistakes."""

    def __init__(self, slot: Callable[[str], str], names: Mapping[str, str]) -> None:
        super().__init__(slot, RECALL_SLOT, names)
