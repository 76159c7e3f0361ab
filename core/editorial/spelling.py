"""The names that a garden has already, of buckets, threads and the person: new texts use them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.buckets import converge_bucket, converge_threads
from memgardend.core.editorial.index import names_in_use
from memgardend.core.editorial.naming import rewrite_user_reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.wording.locale_words import LocaleWords


@dataclass(frozen=True, slots=True)
class Spelling:
    """How one garden spells."""

    known_buckets: tuple[str, ...]
    known_threads: tuple[str, ...]
    locale: str
    locales: Mapping[str, LocaleWords]
    user_name: str

    @classmethod
    def of(
        cls,
        cards: Sequence[Mapping[str, Any]],
        locale: str,
        locales: Mapping[str, LocaleWords],
        user_name: str,
    ) -> Spelling:
        """The spelling of these cards, as far as they are active."""
        buckets, threads = (tuple(names_in_use(cards, name)) for name in ("bucket", "threads"))
        return cls(buckets, threads, locale, locales, user_name)

    def knowing(self, buckets: Iterable[str], threads: Iterable[str]) -> Spelling:
        """The same, with more names in use."""
        return replace(
            self,
            known_buckets=(*self.known_buckets, *buckets),
            known_threads=(*self.known_threads, *threads),
        )

    def text(self, said: str) -> str:
        """A text that calls the person by name, or by nothing."""
        return rewrite_user_reference(said, self.user_name)

    def bucket(self, name: str) -> str:
        """The bucket as the garden spells it."""
        if not name:
            return ""
        return converge_bucket(name, self.known_buckets, self.locale, self.locales)

    def threads(self, names: Sequence[str]) -> list[str]:
        """The threads as the garden spells them, each once."""
        return converge_threads(names, self.known_threads)
