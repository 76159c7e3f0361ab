"""Masks secrets in text: before storage, and again before any prompt or output.

Every pattern runs in linear time: repetitions are bounded, possessive, or start once per token.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memgardend.core import secret_shapes as shapes
from memgardend.core.patterns import Words, regex
from memgardend.core.random_tokens import DIGITS, LONG_TOKEN, SMALL, is_random, is_secret
from memgardend.core.shape import Shape, after, in_ascii, themselves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    _Rule = tuple[Shape, Callable[[re.Match[str]], str]]
    _Use = tuple[Shape, Callable[[re.Match[str]], str], tuple[str, ...]]

MASK = "[masked]"

_KEY = (
    r"(?:access|account|api|auth|encryption|private|secret|signing)[_-]?key|credential|"
    r"passcode|passphrase|passw(?:or)?d|(?<![a-z])psk|pwd|secret|token"
)
_ASSIGNMENT_KEY = regex(_KEY, re.IGNORECASE)
ASSIGNMENT = Shape(
    regex(
        rf"(?P<key>{_KEY})(?P<suffix>[\w-]{{0,24}}+)"
        r"(?P<join>\\?[\"'`]?\]?\s{0,4}(?:=>|:=|[:=])\s{0,4})"
        r"(?:(?P<open>\\?[\"'`])(?P<quoted>[^\"'`\\\n]{4,}+)|(?P<bare>[^\s\"'`,;(){}<>\\]{6,}+))",
        re.IGNORECASE,
    ),
    themselves(*("credential", "passcode", "passphrase", "passw", "psk", "pwd", "secret", "token"))
    | after(
        ("access", "account", "api", "auth", "encryption", "private", "secret", "signing"), "key"
    ),
)
_HARMLESS_SUFFIX = regex(
    r"[_-]?(?:budget|count|dir|env|expir\w*|field|file|id|len|length|limit|manager|name|path|policy|"
    r"rotation|size|store|ttl|type|ur[il]|usage|version)\Z",
    re.IGNORECASE,
)
_VARIABLE = regex(r"[$%][A-Za-z_{(]|\{|<")
_REFERENCE = regex(
    r"[$%][A-Za-z_{(]|\{|<|~?\.{0,2}/|https?:|#[0-9A-Fa-f]{6}\Z"
    r"|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z|[A-Za-z_][\w.]*+\["
)
_PLACEHOLDER = regex(
    r"(?:changeme|example|false|hidden|missing|none|null|optional|placeholder|redacted|required|string|"
    r"true|undefined|unknown|x{3,}|[*•.]+)[.!?]?\Z",
    re.IGNORECASE,
)

_TAIL = b"x" * 16
"""No prefix of a key is followed by fewer such characters."""
_TOKEN = b"x" * 32
"""No long token has fewer, with `/` and `+` among them."""


def _kind(code: int) -> str:
    char = chr(code)
    if char in f"{SMALL}{SMALL.upper()}{DIGITS}_-":
        return "x"
    return "/" if char in "/+" else " " if char.isspace() else "."


_KINDS = "".join(map(_kind, range(256))).encode("ascii")
"""What each byte is: of a tail, of a token besides, a space, or anything else."""
_MAX_PASSES = (
    8  # what one pass masks may show the next secret; hostile text must not do so for ever
)


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
    return shapes.PEM_WORDS in text


def _masked_once(whole: str) -> str:
    plain = in_ascii(whole)
    folded = plain.lower()
    kinds = plain.encode("ascii").translate(_KINDS)
    carried, spoken, assigned = _uses(_words_in(whole, folded))
    text = _masked_shapes(carried, whole, whole, folded)
    words = _words_around(_TAIL, kinds, whole)
    if shapes.JWT in whole or (words and shapes.PREFIXED.search(words)):
        text = shapes.PREFIXED.sub(_mask_prefixed, text)
    text = _masked_shapes(spoken, text, whole, folded)
    words = _words_around(_TOKEN, kinds.replace(b"/", b"x"), whole)
    if words and any(map(is_random, LONG_TOKEN.findall(words))):
        text = LONG_TOKEN.sub(lambda m: MASK if is_secret(m) else m[0], text)
    return _masked_shapes(assigned, text, whole, folded)


def _words_in(text: str, folded: str) -> tuple[str, ...]:
    """The words of shapes that stand in a text, whose ASCII in lower case is `folded`; mostly none."""
    found = _WORDS.found_in(folded)
    return found if text.isascii() else found + tuple(w for w in _OTHER_WORDS if w in text)


@lru_cache(maxsize=1_000)
def _uses(found: tuple[str, ...]) -> tuple[tuple[_Use, ...], ...]:
    """The rules that may mask something in a text with these words, each with the beginnings to look at."""
    return tuple(
        tuple(
            (shape, replacement, begins)
            for shape, replacement in rules
            if (begins := shape.begins(found))
        )
        for rules in (_CARRIED, _SPOKEN, _ASSIGNED)
    )


def _masked_shapes(uses: Iterable[_Use], text: str, seen: str, folded: str) -> str:
    """`folded`: what the text was in ASCII and lower case when it was last `seen`."""
    for shape, replacement, begins in uses:
        if text is not seen:
            seen, folded = text, in_ascii(text).lower()
        text = shape.sub(replacement, text, folded, begins)
    return text


def _words_around(run: bytes, kinds: bytes, text: str) -> str:
    """The words of a text in which there is such a run of kinds; mostly none."""
    words, end = [], 0
    while (at := kinds.find(run, end)) >= 0:
        end = kinds.find(b" ", at)
        end = len(kinds) if end < 0 else end
        words.append(text[kinds.rfind(b" ", 0, at) + 1 : end])
    return " ".join(words)


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


_CARRIED: tuple[_Rule, ...] = (
    (shapes.PEM, lambda match: f"{match[1]}{MASK}{match[2] or ''}"),
    (shapes.URL_PASSWORD, lambda match: match[1] + MASK),
    *((shape, _mask_carried) for shape in shapes.CARRIED),
    *((shape, _mask_password) for shape in shapes.COMMANDS),
)
_SPOKEN: tuple[_Rule, ...] = tuple((shape, _mask_spoken) for shape in shapes.SPOKEN)
_ASSIGNED: tuple[_Rule, ...] = ((ASSIGNMENT, _mask_assignment),)
_ALL_WORDS = {word for shape, _ in (*_CARRIED, *_SPOKEN, *_ASSIGNED) for word in shape.words}
_WORDS = Words(filter(str.isascii, _ALL_WORDS))
_OTHER_WORDS = tuple(sorted(word for word in _ALL_WORDS if not word.isascii()))
