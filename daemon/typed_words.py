"""Words and lists as a program passes them. Each is understood, or a UsageError."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from memgardend.core.errors import UsageError
from memgardend.core.tools.reading import UnreadableError, read_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

Word = TypeVar("Word", bound=StrEnum)


def texts_of(given: str | Iterable[str]) -> tuple[str, ...]:
    """Texts, or one with commas between them. Raises UsageError."""
    try:
        return read_texts(given if isinstance(given, str) else [str(one) for one in given])
    except UnreadableError as error:
        raise UsageError(f"{given!r} is no list of texts") from error


def word_of(kind: type[Word], given: str) -> Word:
    """The word of an enum that is meant. Raises UsageError."""
    try:
        return kind(given)
    except ValueError as error:
        known = ", ".join(kind)
        raise UsageError(
            f"{given!r} is no {kind.__name__.lower()}; choose from: {known}"
        ) from error


def maybe_word_of(kind: type[Word], given: str | None) -> Word | None:
    """The same, where nothing may be given."""
    return None if given is None else word_of(kind, given)
