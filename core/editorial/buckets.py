"""Buckets and threads: one set of common names a locale, and one spelling for each name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memgardend.core.editorial.wording import LOCALES
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memgardend.core.editorial.wording.locale_words import Bucket, LocaleWords

_SEPARATORS = re.compile(r"\s*[/／|、，,;；\n]\s*")
_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff]")


class UnknownBucketLocaleError(UsageError, ValueError):
    """There is no set of buckets for this locale, and no other one would do."""


def words_of(locale: str, locales: Mapping[str, LocaleWords] = LOCALES) -> LocaleWords:
    """The words of a locale. Raises UnknownBucketLocaleError for one that nobody brought."""
    if locale not in locales:
        raise UnknownBucketLocaleError(
            f"no buckets for the locale {locale!r}", hint=f"--locale {' or '.join(locales)}"
        )
    return locales[locale]


def bucket_list(locale: str, locales: Mapping[str, LocaleWords] = LOCALES) -> tuple[str, ...]:
    """The common buckets of a locale, in its language alone. Raises UnknownBucketLocaleError."""
    return tuple(words_of(locale, locales).buckets.values())


def text_locale(text: str) -> str:
    """The locale whose buckets suit a text where nobody said one: Chinese characters make it Chinese."""
    return "zh-Hans" if _HAN.search(text) else "en"


def split_names(text: str) -> list[str]:
    """The names in a list that was written as text, one a line or between separators, each once."""
    lines = (line.strip().lstrip("-*•").strip() for line in text.splitlines())
    names = (name.strip() for line in lines for name in _SEPARATORS.split(line))
    return list(dict.fromkeys(name for name in names if name))


def converge_bucket(
    name: str,
    known: Iterable[str],
    locale: str,
    locales: Mapping[str, LocaleWords] = LOCALES,
) -> str:
    """The spelling of a bucket that the garden has already, or that its locale gives to it.

    A common bucket of any locale takes the name of this one; of a bilingual pair the side of this locale
    remains; of list items that were copied together the first. Names of a person's own stay as they are.
    """
    words = words_of(locale, locales)
    known = list(known)
    common = _common(locales)
    bucket = common.get(_key(name))
    if bucket is None or _key(name) in _own_keys(words):
        kept = _spelled(name, known)
        if kept is not None:
            return kept
    if bucket is None:
        bucket, name = _chosen_part(name, known, common, words)
    target = words.buckets[bucket] if bucket else name
    return _spelled(target, known) or target


def converge_threads(names: Sequence[str], known: Iterable[str]) -> list[str]:
    """The threads in the spelling that the garden has already, each once."""
    known = list(known)
    return list(dict.fromkeys(_spelled(name, known) or name for name in names))


def _chosen_part(
    name: str, known: Sequence[str], common: Mapping[str, Bucket], words: LocaleWords
) -> tuple[Bucket | None, str]:
    """The one that is meant of several names in one; a name with a separator of its own stays whole."""
    parts = split_names(name)
    meant = [common.get(_key(part)) for part in parts]
    bilingual = len({text_locale(part) for part in parts}) > 1
    if len(parts) < 2 or not (bilingual or meant[0] or _spelled(parts[0], known)):
        return None, name
    if not bilingual:
        return meant[0], parts[0]
    of_locale = [part for part in parts if _speaks(part, words)]
    chosen = (of_locale or parts)[0]
    return common.get(_key(chosen)) or next((one for one in meant if one), None), chosen


def _speaks(part: str, words: LocaleWords) -> bool:
    return (text_locale(part) == "zh-Hans") == (words.locale == "zh-Hans")


def _spelled(name: str, known: Iterable[str]) -> str | None:
    return next((one for one in known if _key(one) == _key(name)), None)


def _key(name: str) -> str:
    return "".join(name.casefold().split())


def _own_keys(words: LocaleWords) -> frozenset[str]:
    return frozenset(_key(name) for name, _ in _names(words))


def _common(locales: Mapping[str, LocaleWords]) -> dict[str, Bucket]:
    return {_key(name): bucket for words in locales.values() for name, bucket in _names(words)}


def _names(words: LocaleWords) -> Iterator[tuple[str, Bucket]]:
    yield from ((name, bucket) for bucket, name in words.buckets.items())
    yield from words.short_forms.items()
