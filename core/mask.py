"""Masks secrets in text: before storage, and again before any prompt or output.

Every pattern runs in linear time: repetitions are bounded, possessive, or start once per token.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from memgardend.core import secret_shapes as shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    _Rule = tuple[shapes.Shape, Callable[[re.Match[str]], str]]

MASK = "[masked]"

_KEY = (
    r"(?:access|account|api|auth|encryption|private|secret|signing)[_-]?key|credential|"
    r"passcode|passphrase|passw(?:or)?d|(?<![a-z])psk|pwd|secret|token"
)
_ASSIGNMENT_KEY = re.compile(_KEY, re.IGNORECASE)
_ASSIGNMENT = shapes.Shape(
    re.compile(
        rf"(?P<key>{_KEY})(?P<suffix>[\w-]{{0,24}}+)"
        r"(?P<join>\\?[\"'`]?\]?\s{0,4}(?:=>|:=|[:=])\s{0,4})"
        r"(?:(?P<open>\\?[\"'`])(?P<quoted>[^\"'`\\\n]{4,}+)|(?P<bare>[^\s\"'`,;(){}<>\\]{6,}+))",
        re.IGNORECASE,
    ),
    ((":", "="), ("credential", "key", "pass", "psk", "pwd", "secret", "token")),
)
_HARMLESS_SUFFIX = re.compile(
    r"[_-]?(?:budget|count|dir|env|expir\w*|field|file|id|len|length|limit|manager|name|path|policy|"
    r"rotation|size|store|ttl|type|ur[il]|usage|version)\Z",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"[$%][A-Za-z_{(]|\{|<")
_REFERENCE = re.compile(
    r"[$%][A-Za-z_{(]|\{|<|~?\.{0,2}/|https?:|#[0-9A-Fa-f]{6}\Z"
    r"|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z|[A-Za-z_][\w.]*+\["
)
_PLACEHOLDER = re.compile(
    r"(?:changeme|example|false|hidden|missing|none|null|optional|placeholder|redacted|required|string|"
    r"true|undefined|unknown|x{3,}|[*•.]+)[.!?]?\Z",
    re.IGNORECASE,
)

_SHORTEST_RUN = b"x" * 19
"""No key or token has fewer characters in a row: three of a prefix and sixteen after it."""
_TOKEN_BYTES = bytes(
    ord("x") if chr(code) in f"{string.ascii_letters}{string.digits}_+/.-" else ord(" ")
    for code in range(256)
)
_LONG_TOKEN = re.compile(r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{32,}+={0,2}")
_DIGEST_NAME = re.compile(
    r"(?:(?:sha\d{1,3}|md5|digest|integrity|checksum)[\"' :=-]{0,4}|;base64,)\Z", re.IGNORECASE
)
_PUBLIC = re.compile(
    r"(?:sha\d{1,3}|md5)-|AAAA[BCE][23]N[zl]|(?:call|msg|req|resp|toolu)_", re.IGNORECASE
)
"""Named digests, SSH public keys as they begin (RFC 4253 section 6.6), and ids of calls and messages."""
_MIN_BITS_PER_CHAR = 3.7  # 32 random base-62 characters have about 4.5
_MAX_PASSES = (
    8  # what one pass masks may show the next secret; hostile text must not do so for ever
)
_MIN_TURNS = 0.45  # share of neighbours of another class: base 62 has 0.62, CamelCase about 0.33


def mask(text: str) -> str:
    """The text with every secret in it replaced by a note; masking twice changes nothing more.

    Known key shapes keep their prefix, assignments their name, URLs all but the password. Long random tokens
    go whole. Commit ids, UUIDs, named digests and paths stay.
    """
    for _ in range(_MAX_PASSES):
        masked = _masked_once(text)
        if masked == text:
            break
        text = masked
    return text


def may_span_lines(text: str) -> bool:
    """True when there may be a secret of several lines: a key in PEM form. No other holds a line feed."""
    return shapes.PEM.may_be_in(shapes.folded(text))


def _masked_once(text: str) -> str:
    folded = shapes.folded(text)
    text = _masked_shapes(_CARRIED, folded, text)
    words = _long_words(text)
    if shapes.PREFIXED.search(words):
        text = shapes.PREFIXED.sub(_mask_prefixed, text)
    text = _masked_shapes(_SPOKEN, folded, text)
    if _LONG_TOKEN.search(words):
        text = _LONG_TOKEN.sub(_mask_random, text)
    return _masked_shapes(_ASSIGNED, folded, text)


def _masked_shapes(rules: Iterable[_Rule], folded: str, text: str) -> str:
    for shape, replacement in rules:
        if shape.may_be_in(folded):
            text = shape.pattern.sub(replacement, text)
    return text


def _long_words(text: str) -> str:
    """The long words of a text in which a key or a token may stand; mostly none."""
    seen = text
    if not text.isascii():
        for char in shapes.INVISIBLE:
            seen = seen.replace(char, "")
    if _SHORTEST_RUN not in seen.encode(errors="replace").translate(_TOKEN_BYTES):
        return ""
    return " ".join(word for word in text.split() if len(word) >= len(_SHORTEST_RUN))


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _mask_carried(match: re.Match[str]) -> str:
    return _mask_password(match) if _has_digit(match[2]) else match[0]


def _mask_password(match: re.Match[str]) -> str:
    value = match[2]
    if MASK in value or _VARIABLE.match(value) or _PLACEHOLDER.match(value):
        return match[0]
    return match[1] + MASK


def _mask_spoken(match: re.Match[str]) -> str:
    value = match[2].rstrip(".,;:!?)")
    tells = _has_digit(value) and any(char.isalpha() for char in value)
    if (
        not tells
        or MASK in value
        or _REFERENCE.match(value)
        or shapes.NO_SPOKEN_SECRET.match(value)
    ):
        return match[0]
    return match[1] + MASK + match[2][len(value) :]


def _mask_prefixed(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    if kind != "tail":
        return match[kind] + MASK
    return match["prefix"] + MASK if _has_digit(match["tail"][:40]) else match[0]


def _mask_assignment(match: re.Match[str]) -> str:
    value = match["quoted"] or match["bare"]
    if (
        MASK in value
        or match["suffix"][:1].islower()  # tokens, tokenizer, secretary
        or _HARMLESS_SUFFIX.match(match["suffix"])
        or _REFERENCE.match(value)
        or _PLACEHOLDER.match(value)
        or not _is_value(match, value)
    ):
        return match[0]
    return f"{match['key']}{match['suffix']}{match['join']}{match['open'] or ''}{MASK}"


def _is_value(match: re.Match[str], value: str) -> bool:
    """True for a literal that somebody assigned, False for a number, a word of prose or a name in code."""
    is_password = match["key"].casefold().startswith(("pass", "psk", "pwd"))
    if value.isdecimal():
        return is_password
    names_a_secret = not _has_digit(value) and _ASSIGNMENT_KEY.search(value) is not None
    if match["quoted"]:
        return is_password or not (names_a_secret or any(char.isspace() for char in value))
    if match.string[match.end() : match.end() + 1] == "(":
        return False
    if _has_digit(value):
        return True
    ends_line = match.string[match.end() : match.end() + 1] in ("", "\n", "\r")
    return ends_line and not names_a_secret and (is_password or match["join"] == "=")


def _mask_random(match: re.Match[str]) -> str:
    token = match[0]
    if _PUBLIC.match(token):
        return token
    if _DIGEST_NAME.search(match.string, max(0, match.start() - 16), match.start()):
        return token
    return MASK if _is_random(token) else token


def _is_random(token: str) -> bool:
    letters = [char for char in token if char.isalnum()]
    classes = [_class_of(char) for char in letters]
    if len(set(classes)) < 3 or classes.count("digit") < 2:
        return False
    turns = sum(a != b for a, b in pairwise(classes)) / (len(classes) - 1)
    return turns >= _MIN_TURNS and _bits_per_char(letters) >= _MIN_BITS_PER_CHAR


def _class_of(char: str) -> str:
    if char.isdigit():
        return "digit"
    return "upper" if char.isupper() else "lower"


def _bits_per_char(chars: list[str]) -> float:
    """Shannon entropy of the characters."""
    total = len(chars)
    return -sum(n / total * math.log2(n / total) for n in Counter(chars).values())


_CARRIED: tuple[_Rule, ...] = (
    (shapes.PEM, lambda match: f"{match[1]}{MASK}{match[2] or ''}"),
    (shapes.URL_PASSWORD, lambda match: match[1] + MASK),
    *((shape, _mask_carried) for shape in shapes.CARRIED),
    *((shape, _mask_password) for shape in shapes.COMMANDS),
)
_SPOKEN: tuple[_Rule, ...] = tuple((shape, _mask_spoken) for shape in shapes.SPOKEN)
_ASSIGNED: tuple[_Rule, ...] = ((_ASSIGNMENT, _mask_assignment),)
