"""The signed line in every prompt of ours, by which we know our own text when it comes back."""

from __future__ import annotations

import hashlib
import hmac
import re
from urllib.parse import quote

_SIGNATURE_HEX = 32  # 128 bits of the HMAC: RFC 2104 section 5 asks for at least half of the hash
_NAME_CHARS = 200
_NAME = rf"\S{{0,{_NAME_CHARS}}}+"
_MARKER = re.compile(
    rf"\[memgardend-own (run={_NAME} window={_NAME} round={_NAME}) sig=([0-9a-f]{{{_SIGNATURE_HEX}}})\]"
)


def make_marker(key: bytes, run: str, window: str, round: str) -> str:
    """One line that names run, window and round (cut where they are long), signed with the person's key."""
    body = f"run={_named(run)} window={_named(window)} round={_named(round)}"
    return f"[memgardend-own {body} sig={_signature(key, body)}]"


def _named(name: str) -> str:
    return quote(name, safe=":", errors="replace")[:_NAME_CHARS]


def has_own_marker(text: str, key: bytes) -> bool:
    """True when the text holds a marker whose signature this key made; a forged one does not count."""
    return any(
        hmac.compare_digest(match[2], _signature(key, match[1])) for match in _MARKER.finditer(text)
    )


def _signature(key: bytes, body: str) -> str:
    return hmac.new(key, body.encode(), hashlib.sha256).hexdigest()[:_SIGNATURE_HEX]
