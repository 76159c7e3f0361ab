"""Makes text from outside safe to store and to show."""

from __future__ import annotations

from memgardend.core.patterns import regex

_ANSI = regex(r"\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|[@-Z\\-_])")
_BREAK = regex(r"\r\n?|[\x0b\x0c\x85]")  # all that ends a line; without it words would run together
_UNSAFE = regex(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_SURROGATE = regex(r"[\ud800-\udfff]")
_SUSPECT_BYTES = bytes(set(range(0x20)) - set(b"\t\n") | {0x7F, 0xC2, 0xED})
"""One stands in the UTF-8 of whatever is to be changed: 0xC2 begins C1 controls, 0xED surrogates."""


def clean(text: str) -> str:
    """Line feeds only, no terminal escapes or control characters, lone surrogates as U+FFFD."""
    encoded = text.encode(errors="surrogatepass")
    if len(encoded.translate(None, _SUSPECT_BYTES)) == len(encoded):
        return text
    text = _ANSI.sub("", _BREAK.sub("\n", text))
    return _SURROGATE.sub("\ufffd", _UNSAFE.sub("", text))


def clean_line(text: str) -> str:
    """The same on one line, with single spaces: for titles and names."""
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    return " ".join(clean(text).split())


def printable(text: str) -> str:
    """The text on one line, with a `?` for all that cannot be seen: nothing hides or drives a terminal."""
    return "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text)
