"""Texts with placeholders like {{person}}, and lists of labels, as prompt packs use them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError
from memgardend.core.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PLACEHOLDER = regex(r"\{\{\s*(.*?)\s*\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Named:
    """A name that stands in a line of a text; a label's with its text."""

    line: int
    name: str
    text: str = ""


def placeholders(text: str) -> list[Named]:
    """The placeholders in a text, each time with its line."""
    return [
        Named(text.count("\n", 0, match.start()) + 1, match[1])
        for match in _PLACEHOLDER.finditer(text)
    ]


def fill(text: str, values: Mapping[str, str], slot: str) -> str:
    """Put values in the place of placeholders, once: a value is never searched for placeholders itself.

    Raises ConfigError when the text of the slot names an unknown placeholder.
    """
    try:
        return _PLACEHOLDER.sub(lambda match: values[match[1]], text)
    except KeyError:
        unknown = sorted({one.name for one in placeholders(text)} - values.keys())
        raise ConfigError(
            f"prompt slot `{slot}` has unknown placeholders: {', '.join(unknown)}",
            hint=f"known placeholders: {', '.join(sorted(values))}",
        ) from None


def labels(text: str) -> Iterator[Named]:
    """The lines `name = text`; one that is neither that, blank nor a # comment has no name."""
    for number, line in enumerate(text.splitlines(), start=1):
        name, _, label = (part.strip() for part in line.partition("="))
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        yield Named(number, name, label) if name and label else Named(number, "", line.strip())


def parse_labels(text: str, slot: str) -> dict[str, str]:
    """Read lines of `name = text`. Raises ConfigError when one is something else."""
    found = {}
    for label in labels(text):
        if not label.name:
            raise ConfigError(
                f"prompt slot `{slot}`, line {label.line}: not a label: {label.text!r}",
                hint="write `name = text`",
            )
        found[label.name] = label.text
    return found
