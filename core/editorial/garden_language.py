"""Which language a garden is kept in, and what says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from memgardend.core.language import guess_locale, locale_of_client

if TYPE_CHECKING:
    from collections.abc import Iterable


class Basis(StrEnum):
    """What the decision rests on, the strongest first. Names of buckets are never evidence."""

    EXPLICIT = "explicit_preference"
    ESTABLISHED = "established_language"
    WRITING = "writing_language"
    CLIENT = "client_locale"
    DEFAULT = "default"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class GardenLanguage:
    """The decision: `locale` is empty where nothing decides, since no language is right by default.

    `evidence_units`: the word units of what the person wrote that were counted; `confidence`: 0 to 1.
    """

    locale: str
    basis: Basis
    evidence_units: int = 0
    confidence: float = 0.0


def decide_garden_language(
    *,
    explicit: str | None = None,
    established: str | None = None,
    written: str | Iterable[str] = (),
    locale: str | None = None,
    default: str | None = None,
) -> GardenLanguage:
    """The language of a garden: what was set, what it is kept in, what the person writes, what the machine says.

    `written` must be the person's own texts. It counts from 12 word units on of which 62 % are of one script
    (`core/language.py`). The client's `locale` is mapped to a known one where there is one.
    """
    for said, basis in ((explicit, Basis.EXPLICIT), (established, Basis.ESTABLISHED)):
        if said and said.strip():
            return GardenLanguage(locale=said.strip(), basis=basis, confidence=1.0)
    writing = guess_locale([written] if isinstance(written, str) else written)
    units = writing.units
    if writing.locale:
        return GardenLanguage(
            locale=writing.locale,
            basis=Basis.WRITING,
            evidence_units=units,
            confidence=writing.share,
        )
    client = (locale or "").strip()
    for said, basis in (
        (locale_of_client(client) or client, Basis.CLIENT),
        (default, Basis.DEFAULT),
    ):
        if said:
            return GardenLanguage(locale=said, basis=basis, evidence_units=units)
    return GardenLanguage(locale="", basis=Basis.UNDECIDED, evidence_units=units)
