"""Read a model's reply: the one JSON object with the rows asked for, or the word for what it is instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.answer_json import begins_object, find_object
from memgardend.core.editorial.results import ErrorWord, Failure

if TYPE_CHECKING:
    from collections.abc import Mapping

_MISSING = {
    "cards": ErrorWord.MISSING_CARDS_LIST,
    "consolidations": ErrorWord.MISSING_CONSOLIDATIONS_LIST,
    "upgrades": ErrorWord.MISSING_UPGRADES_LIST,
    "candidates": ErrorWord.MISSING_CANDIDATES_LIST,
}


def read_rows(raw: str, key: str) -> tuple[Mapping[str, Any], list[Any]] | Failure:
    """The object of a reply and its list `key` (`cards`, `consolidations`, `upgrades`, `candidates`).

    Reasoning, fences and prose around it are left out, bare quotes inside values are repaired; nothing else
    is, as half a reply must not look like a whole one.
    """
    found = find_object(raw, key)
    if found is None:
        if begins_object(raw):
            return Failure(ErrorWord.JSON_DECODE_ERROR, "JSONDecodeError")
        return Failure(ErrorWord.NO_JSON_OBJECT)
    rows = found.get(key)
    return (found, rows) if isinstance(rows, list) else Failure(_MISSING[key])
