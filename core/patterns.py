"""Regular expressions that are compiled when they are first used: compiling all of them takes a hook too long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_RAREST_FIRST = "zq@kwgbpcjxvyfmuhdlrsnioate/:=-."
"""Letters of English text, source code and paths, with some marks; words are made of these alone."""


def regex(source: str, flags: re.RegexFlag | int = 0) -> re.Pattern[str]:
    """As `re.compile`, later. A mistake in the source shows at the first use."""
    return cast("re.Pattern[str]", _Pattern(source, flags))


class Words:
    """Many words, to be found in texts wherever they begin.

    Each is looked for at its rarest letter, as `re` passes quickly over letters with which nothing begins.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words: dict[str, list[str]] = {}
        around: dict[str, list[str]] = {}
        for word in sorted(words):
            rarest = min(word, key=_RAREST_FIRST.index)
            before, _, behind = word.partition(rarest)
            begun = f"(?<={re.escape(before + rarest)})" if before else ""
            self._words.setdefault(rarest, []).append(word)
            around.setdefault(rarest, []).append(f"{begun}(?={re.escape(behind)})")
        self._letters = regex(
            "|".join(f"{re.escape(char)}(?:{'|'.join(rest)})" for char, rest in around.items())
        )

    def found_in(self, text: str) -> tuple[str, ...]:
        """Those that stand in the text."""
        letters = self._letters.findall(text)
        if not letters:
            return ()
        return tuple(
            word for letter in sorted(set(letters)) for word in self._words[letter] if word in text
        )


class _Pattern:
    """Gets each attribute of the compiled pattern when it is asked for, and keeps it."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value
