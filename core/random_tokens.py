"""Long random tokens: keys of vendors that nobody listed, told from digests, names and paths."""

from __future__ import annotations

import math
import re
from collections import Counter
from operator import ne

from memgardend.core.patterns import regex

LONG_TOKEN = regex(r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{32,}+={0,2}")
_DIGEST_NAME = regex(
    r"(?:(?:sha\d{1,3}|md5|digest|integrity|checksum)[\"' :=-]{0,4}|;base64,)\Z", re.IGNORECASE
)
_PUBLIC = regex(
    r"(?:sha\d{1,3}|md5)-|AAAA[BCE][23]N[zl]|(?:call|msg|req|resp|toolu)_", re.IGNORECASE
)
"""Named digests, SSH public keys as they begin (RFC 4253 section 6.6), and ids of calls and messages."""
SMALL, DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"
_ALNUM = str.maketrans("", "", "+/_-=")
_CLASSES = str.maketrans(
    SMALL + SMALL.upper() + DIGITS,
    "a" * 26 + "A" * 26 + "0" * 10,
    "+/_-=",
)
_MIN_BITS_PER_CHAR = 3.7  # 32 random base-62 characters have about 4.5
_MIN_TURNS = 0.45  # share of neighbours of another class: base 62 has 0.62, CamelCase about 0.33


def is_secret(match: re.Match[str]) -> bool:
    """Whether what LONG_TOKEN found is random, and nothing says that it is public."""
    token = match[0]
    if not is_random(token) or _PUBLIC.match(token):
        return False
    return _DIGEST_NAME.search(match.string, max(0, match.start() - 16), match.start()) is None


def is_random(token: str) -> bool:
    """True for what no person would write: all kinds of characters, and often one beside another kind."""
    classes = token.translate(_CLASSES)
    if classes.count("0") < 2 or "A" not in classes or "a" not in classes:
        return False
    turns = sum(map(ne, classes, classes[1:])) / (len(classes) - 1)
    return turns >= _MIN_TURNS and _bits_per_char(token.translate(_ALNUM)) >= _MIN_BITS_PER_CHAR


def _bits_per_char(chars: str) -> float:
    """Shannon entropy of the characters."""
    total = len(chars)
    return -sum(n / total * math.log2(n / total) for n in Counter(chars).values())
