"""How the patterns of sentences are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def words(text: str) -> re.Pattern[str]:
    """A pattern in which case does not count and white space is for legibility only."""
    return re.compile(text, re.IGNORECASE | re.VERBOSE)


def any_of(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    """True when one of the patterns is somewhere in the text."""
    return any(pattern.search(text) for pattern in patterns)
