"""What stays of a message whose text was forgotten: a mark by which the same text is known again."""

from __future__ import annotations

import hashlib
import re

_MARK = re.compile(r"forgotten sha256:[0-9a-f]{64}")


def forgotten_mark(text: str) -> str:
    """Stands for the text: files that are read again, and copies in other windows, must not become news."""
    return f"forgotten sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def is_forgotten(text: str) -> bool:
    """True for a mark."""
    return _MARK.fullmatch(text) is not None
