"""The signed line in every prompt of ours, by which we know our own text when it comes back."""

from __future__ import annotations

import hashlib
import hmac
import re
from urllib.parse import quote

_SIGNATURE_HEX = 32  # 128 bits of the HMAC: RFC 2104 section 5 asks for at least half of the hash
_MARKER = re.compile(
    r"\[memgardend-own (run=\S{0,400}? window=\S{0,400}? round=\S{0,400}?) "
    rf"sig=([0-9a-f]{{{_SIGNATURE_HEX}}})\]"
)


def make_marker(key: bytes, run: str, window: str, round: str) -> str:
    """One line that names run, window and round, signed with the person's key."""
    body = (
        f"run={quote(run, safe='')} window={quote(window, safe=':')} round={quote(round, safe='')}"
    )
    return f"[memgardend-own {body} sig={_signature(key, body)}]"


def has_own_marker(text: str, key: bytes) -> bool:
    """True when the text holds a marker whose signature this key made; a forged one does not count."""
    return any(
        hmac.compare_digest(match[2], _signature(key, match[1])) for match in _MARKER.finditer(text)
    )


def _signature(key: bytes, body: str) -> str:
    return hmac.new(key, body.encode(), hashlib.sha256).hexdigest()[:_SIGNATURE_HEX]
