"""The slots of a prompt pack, and which placeholders each may and must use."""

from __future__ import annotations

COMMON_PLACEHOLDERS = frozenset({"assistant", "person", "seal", "zone", "fence"})
"""Known in every slot; names of the two speakers, seal and zone of the dream, the fence of this prompt."""

LABELS_SLOT = "labels"
TOOLS_SLOT = "tools"
"""The words of the tools, one a line, as labels; no dream is near when they are read."""
RECALL_SLOT = "recall"
"""The words around what is recalled, one a line, as labels."""
GUIDE_SLOT = "guide"
"""What agents are told once: how the memory looks, when to use the tools, how to write."""
REFLECT_SLOT = "reflect"
"""What a look back at a long stretch of work is for."""
SPEAKERS = frozenset({"assistant", "person"})
"""The labels that stand for speakers without names: they are values of placeholders, and hold none."""

SLOTS: dict[str, frozenset[str]] = {
    "opening": frozenset(),
    "seal": frozenset({"seal", "zone"}),
    "data": frozenset({"fence"}),
    "layers": frozenset(),
    "judgement": frozenset(),
    "round-atomic": frozenset(),
    "round-topic": frozenset(),
    "round-project": frozenset(),
    "operations": frozenset(),
    "answer": frozenset(),
    "reask": frozenset({"problems"}),
    "closing": frozenset({"fence"}),
    LABELS_SLOT: frozenset(),
    TOOLS_SLOT: frozenset({"id", "name", "names", "given", "known", "fields", "reason", "detail"}),
    RECALL_SLOT: frozenset({"count", "names"}),
    GUIDE_SLOT: frozenset(),
    REFLECT_SLOT: frozenset(),
}
"""Every slot, with the placeholders that its text must contain."""


_COMMON = {
    LABELS_SLOT: COMMON_PLACEHOLDERS - {"seal"},
    **dict.fromkeys((TOOLS_SLOT, RECALL_SLOT, GUIDE_SLOT, REFLECT_SLOT), SPEAKERS),
}


def known_placeholders(slot: str) -> frozenset[str]:
    """The placeholders that the text of a slot may contain."""
    return _COMMON.get(slot, COMMON_PLACEHOLDERS) | SLOTS[slot]
