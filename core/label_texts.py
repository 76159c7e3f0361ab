"""A slot of a prompt pack that is a list of labels, as texts to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError
from memgardend.core.template import fill, parse_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class LabelTexts:
    """The texts of one slot, read when this is made. Raises ConfigError for a slot with mistakes."""

    def __init__(self, slot: Callable[[str], str], name: str, names: Mapping[str, str]) -> None:
        """`slot` reads a slot, `name` is its name, `names` are the values of {{assistant}} and {{person}}."""
        self._slot = name
        self._texts = parse_labels(slot(name), name)
        self._names = names

    def say(self, label: str, /, **values: object) -> str:
        """A text with its placeholders filled. Raises ConfigError where the pack lacks it."""
        if label not in self._texts:
            raise ConfigError(
                f"prompt slot `{self._slot}` lacks the label `{label}`",
                hint="memgardend config prompts --check",
            )
        texts = {**self._names, **{key: str(value) for key, value in values.items()}}
        return fill(self._texts[label], texts, self._slot)
