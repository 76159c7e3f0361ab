"""A pattern that is tried only where certain words stand, as looking for words is far cheaper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Mapping

INVISIBLE = "\u00ad\u200b\u2060\ufeff"
"""Soft hyphens and spaces of no width, which pages put into long words: they end no key."""
_EQUALS = {"\u0130": "i", "\u0131": "i", "\u017f": "s", "\u212a": "k"} | dict.fromkeys(
    INVISIBLE, "_"
)


def in_ascii(text: str) -> str:
    """The text, each character in its place: those that patterns take for ASCII ones as these, others as `?`."""
    if text.isascii():
        return text
    for other in [char for char in _EQUALS if char in text]:
        text = text.replace(other, _EQUALS[other])
    return text.encode("ascii", "replace").decode("ascii")


@dataclass(frozen=True, slots=True)
class Shape:
    """A pattern, and words without which it matches nothing.

    Every match holds one of `words`, and begins with one of the texts to which that word leads; all in lower case.
    """

    pattern: re.Pattern[str]
    words: Mapping[str, tuple[str, ...]]

    def begins(self, found: Iterable[str]) -> tuple[str, ...]:
        """What a match begins with in a text where these words stand, and no others of the shape."""
        return tuple(sorted({begin for word in found for begin in self.words.get(word, ())}))

    def sub(
        self,
        replacement: Callable[[re.Match[str]], str],
        text: str,
        folded: str,
        begins: Iterable[str],
    ) -> str:
        """What `pattern.sub` makes of the text, which is `folded` in ASCII and lower case."""
        starts: list[int] = []
        for begin in begins:
            searched = folded if begin.isascii() else text
            at = searched.find(begin)
            while at >= 0:
                starts.append(at)
                at = searched.find(begin, at + 1)
        parts: list[str] = []
        done = 0
        for start in sorted(starts):
            if start >= done and (match := self.pattern.match(text, start)) is not None:
                parts += (text[done:start], replacement(match))
                done = match.end()
        return "".join((*parts, text[done:])) if parts else text


def themselves(*words: str) -> dict[str, tuple[str, ...]]:
    """Words with which a match begins."""
    return {word: (word,) for word in words}


def after(begins: tuple[str, ...], *words: str) -> dict[str, tuple[str, ...]]:
    """Words that stand in a match behind any of these beginnings."""
    return dict.fromkeys(words, begins)
