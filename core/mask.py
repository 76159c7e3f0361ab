"""Masks secrets in text: before storage, and again before any prompt or output.

Every pattern runs in linear time: repetitions are bounded, possessive, or start once per token.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

MASK = "[masked]"

# Prefixes that vendors give their keys. The tail must look random too where the prefix is a plain word.
_PREFIXED = re.compile(
    r"(?<![A-Za-z0-9])(?:(?P<prefix>"
    r"sk-(?:ant-|proj-|or-|svcacct-)?|hsk-|csk-|tvly-|pplx-|xai-|nvapi-|gsk_|r8_|hf_|npm_|pypi-|"
    r"mem0_|m0-|brv_|retaindb_|glpat-|gldt-|glrt-|xox[abeoprs]-|xapp-|lin_api_|ntn_|secret_|figd_|"
    r"sntry[su]_|phx_|whsec_|[rs]k_(?:live|test)_|shp(?:at|ca|pa|ss)_|do[opr]_v1_|dckr_pat_|"
    r"rubygems_|github_pat_|gh[opsur]_|ATATT3|ya29\.|hvs\.)(?P<tail>[\w-]{16,}+(?:[.=][\w-]{1,}+)*+)"
    r"|(?P<aws>A(?:KIA|SIA|BIA|CCA))[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|(?P<google>AIza)[\w-]{30,}+"
    r"|(?P<sendgrid>SG\.)[\w-]{16,}+\.[\w-]{16,}+"
    r"|(?P<jwt>eyJ)[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)?"
    r"|(?P<telegram>\d{8,10}:)AA[\w-]{33}(?![\w-])"
    r"|(?P<age>AGE-SECRET-KEY-1)[0-9A-Z]{40,}+)",
    re.ASCII,
)

_PEM_NAME = r"(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BREAK = r"(?:\\[nr]|\s)"
_PEM = re.compile(
    rf"(-----BEGIN {_PEM_NAME})"
    rf"(?:(?:(?!-----)[\s\S])*+(-----END {_PEM_NAME})"
    rf"|{_PEM_BREAK}*+[A-Za-z0-9+/=]{{16,}}+(?:{_PEM_BREAK}++[A-Za-z0-9+/=]{{20,}}+)*+)"
)

_URL_PASSWORD = re.compile(r"(://[^\s:/@?#\"'<>]{0,64}:)([^\s@/?#\"'<>]{1,256})(?=@)")
_AUTHORIZATION = re.compile(
    r"(authorization\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?(?:(?:basic|bearer|digest|token)\s{1,4})?)"
    r"([^\s\"'\\,;]{8,}+)",
    re.IGNORECASE,
)
_COOKIE = re.compile(
    r"((?:set-)?cookie:\s{0,4})([\w.-]{1,64}=[^\s\"'\\][^\"'\\\n]*+)", re.IGNORECASE
)
_BEARER = re.compile(r"\b((?:basic|bearer)\s{1,4})([A-Za-z0-9._~+/=-]{12,}+)", re.IGNORECASE)
_FLAG = re.compile(
    r"(--(?:[a-z0-9]{1,16}-){0,3}(?:api-?key|password|secret|token)[ =])([^\s\"'`]{6,}+)",
    re.IGNORECASE,
)
_KEY = (
    r"(?:access|account|api|auth|encryption|private|secret|signing)[_-]?key|credential|"
    r"passcode|passphrase|passw(?:or)?d|pwd|secret|token"
)
_ASSIGNMENT_KEY = re.compile(_KEY, re.IGNORECASE)
_ASSIGNMENT = re.compile(
    rf"(?P<key>{_KEY})(?P<suffix>[\w-]{{0,24}}+)"
    r"(?P<join>\\?[\"'`]?\]?\s{0,4}(?:=>|:=|[:=])\s{0,4})"
    r"(?:(?P<open>\\?[\"'`])(?P<quoted>[^\"'`\\\n]{4,}+)|(?P<bare>[^\s\"'`,;(){}<>\\]{6,}+))",
    re.IGNORECASE,
)
_HARMLESS_SUFFIX = re.compile(
    r"[_-]?(?:budget|count|dir|env|expir\w*|field|file|id|len|length|limit|manager|name|path|policy|"
    r"rotation|size|store|ttl|type|ur[il]|usage|version)\Z",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"[$%][A-Za-z_{(]|\{\{|<")
_REFERENCE = re.compile(
    r"[$%][A-Za-z_{(]|\{\{|<|~?\.{0,2}/|https?:|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z"
)
_PLACEHOLDER = re.compile(
    r"(?:changeme|example|false|hidden|missing|none|null|optional|placeholder|redacted|required|string|"
    r"true|undefined|unknown)[.!?]?\Z",
    re.IGNORECASE,
)

_LONG_TOKEN = re.compile(r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{32,}+={0,2}")
_DIGEST_NAME = re.compile(
    r"(?:sha\d{1,3}|md5|digest|integrity|checksum)[\"' :=-]{0,4}\Z", re.IGNORECASE
)
_DIGEST = re.compile(r"(?:sha\d{1,3}|md5)-", re.IGNORECASE)
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


def _masked_once(text: str) -> str:
    text = _PEM.sub(lambda m: f"{m[1]}{MASK}{m[2] or ''}", text)
    text = _URL_PASSWORD.sub(rf"\g<1>{MASK}", text)
    for pattern in (_AUTHORIZATION, _BEARER, _FLAG, _COOKIE):
        text = pattern.sub(_mask_second, text)
    text = _PREFIXED.sub(_mask_prefixed, text)
    text = _LONG_TOKEN.sub(_mask_random, text)
    return _ASSIGNMENT.sub(_mask_assignment, text)


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _mask_second(match: re.Match[str]) -> str:
    value = match[2]
    if MASK in value or _VARIABLE.match(value) or not _has_digit(value):
        return match[0]
    return match[1] + MASK


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
    is_password = match["key"].casefold().startswith(("pass", "pwd"))
    if value.isdecimal():
        return is_password
    if match["quoted"]:
        return is_password or not any(char.isspace() for char in value)
    if match.string[match.end() : match.end() + 1] == "(":
        return False
    if _has_digit(value):
        return True
    ends_line = match.string[match.end() : match.end() + 1] in ("", "\n", "\r")
    names_a_secret = _ASSIGNMENT_KEY.search(value) is not None
    return ends_line and not names_a_secret and (is_password or match["join"] == "=")


def _mask_random(match: re.Match[str]) -> str:
    token = match[0]
    if _DIGEST.match(token):
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
