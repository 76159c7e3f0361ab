"""The signed line in every prompt of ours, by which we know our own text when it comes back."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import Enum

from memgardend.core.patterns import regex
from memgardend.core.random_tokens import DIGITS, SMALL

_SIGNATURE_HEX = 32  # 128 bits of the HMAC: RFC 2104 section 5 asks for at least half of the hash
_NAME_CHARS = 200
_UNQUOTED = frozenset(f"{SMALL}{SMALL.upper()}{DIGITS}_.-~:")
RECALL_RUN = "recall"
"""What the markers around recalled memories name as their run."""
_BEGINNING = "[memgardend-own "
_ANY_BEGINNING = regex(re.escape(_BEGINNING.strip()), re.IGNORECASE)
_NAME = rf"\S{{0,{_NAME_CHARS}}}+"
_MARKER = regex(
    rf"{re.escape(_BEGINNING)}(run={_NAME} window={_NAME} round={_NAME}) sig=([0-9a-f]{{{_SIGNATURE_HEX}}})\]"
)


class Extent(Enum):
    """How much of a prompt of ours a text holds."""

    WHOLE = "whole"
    BEGINNING = "beginning"  # the end was not copied
    MENTION = "mention"  # the marker alone, within a line


@dataclass(frozen=True, slots=True)
class OwnPart:
    """A part of a text that we wrote. `recalled`: it told an agent what is remembered, and asks for nothing."""

    start: int
    end: int
    extent: Extent
    recalled: bool = False


def make_marker(key: bytes, run: str, window: str, round: str) -> str:
    """One line that names run, window and round (cut where they are long), signed with the person's key."""
    body = f"run={_named(run)} window={_named(window)} round={_named(round)}"
    return f"{_BEGINNING}{body} sig={_signature(key, body)}]"


def _named(name: str) -> str:
    if not _UNQUOTED.issuperset(name):
        from urllib.parse import quote  # takes a hook long to import, and ids of agents need none

        name = quote(name, safe=":", errors="replace")
    return name[:_NAME_CHARS]


def own_parts(text: str, key: bytes) -> list[OwnPart]:
    """What in a text is ours, in order; a marker that this key did not sign does not count.

    Our prompts begin and end with their marker. Where a marker stands once, alone on its line, the end was not
    copied: the rest of the text is ours. Where it stands once within a line, somebody mentions it.
    """
    if _BEGINNING not in text:
        return []
    markers = [m for m in _MARKER.finditer(text) if _is_signed(m, key)]
    last_end = {marker[0]: marker.end() for marker in markers}
    parts: list[OwnPart] = []
    for marker in markers:
        if parts and marker.start() < parts[-1].end:
            continue
        end, extent = last_end[marker[0]], Extent.WHOLE
        if end == marker.end():
            alone = _stands_alone(marker)
            end, extent = (len(text), Extent.BEGINNING) if alone else (end, Extent.MENTION)
        recalled = marker[1].startswith(f"run={RECALL_RUN} ")
        parts.append(OwnPart(marker.start(), end, extent, recalled))
    return parts


def defused(text: str) -> str:
    """The text without the beginning of any marker; its length stays."""
    return _ANY_BEGINNING.sub(lambda match: "·" * len(match[0]), text)


def _is_signed(marker: re.Match[str], key: bytes) -> bool:
    return hmac.compare_digest(marker[2], _signature(key, marker[1]))


def _stands_alone(marker: re.Match[str]) -> bool:
    """Nothing else on its line but the marks of a quotation."""
    before = marker.string[: marker.start()].rpartition("\n")[2]
    after = marker.string[marker.end() :].partition("\n")[0]
    return not before.strip(" \t>") and not after.strip()


def _signature(key: bytes, body: str) -> str:
    return hmac.new(key, body.encode(), hashlib.sha256).hexdigest()[:_SIGNATURE_HEX]
