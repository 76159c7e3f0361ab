"""Texts with placeholders like {{person}}, and lists of labels, as prompt packs use them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\{\{\s*(.*?)\s*\}\}", re.DOTALL)


def placeholders(text: str) -> frozenset[str]:
    """The names of the placeholders in a text."""
    return frozenset(_PLACEHOLDER.findall(text))


def fill(text: str, values: Mapping[str, str], slot: str) -> str:
    """Put values in the place of placeholders, once: a value is never searched for placeholders itself.

    Raises ConfigError when the text of the slot names an unknown placeholder.
    """
    unknown = sorted(placeholders(text) - values.keys())
    if unknown:
        raise ConfigError(
            f"prompt slot `{slot}` has unknown placeholders: {', '.join(unknown)}",
            hint=f"known placeholders: {', '.join(sorted(values))}",
        )
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def parse_labels(text: str, slot: str) -> dict[str, str]:
    """Read lines of `name = text`; blank lines and lines that start with # say nothing.

    Raises ConfigError when a line is neither.
    """
    labels = {}
    for number, line in enumerate(text.splitlines(), start=1):
        name, equals, label = line.partition("=")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not equals or not name.strip() or not label.strip():
            raise ConfigError(
                f"prompt slot `{slot}`, line {number}: not a label: {line.strip()!r}",
                hint="write `name = text`",
            )
        labels[name.strip()] = label.strip()
    return labels
