"""An injected message: signed at both ends, so that it is known as ours when it comes back in a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.marker import RECALL_RUN, make_marker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.recall.requests import InjectionKind

RUN = "recall"
"""What the marker of an injected message names as its run: it asks a model for nothing."""


BETWEEN = "\n\n"


def framed(kind: InjectionKind, window: str, key: bytes, parts: Iterable[str]) -> str:
    """The parts, a blank line between them, between two markers."""
    marker = make_marker(key, RECALL_RUN, window, str(kind))
    return "\n".join([marker, BETWEEN.join(part for part in parts if part), marker])


def frame_chars(kind: InjectionKind, window: str, key: bytes) -> int:
    """What the two markers take of a budget."""
    return len(framed(kind, window, key, ()))


def unframed(text: str) -> str:
    """What stands between the two markers of an injected message."""
    return "\n".join(text.split("\n")[1:-1])
