"""What the library says to a model: English instructions, and the words of each locale in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.editorial.wording.en import ENGLISH
from memgardend.core.editorial.wording.zh_hans import CHINESE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.wording.locale_words import LocaleWords

LOCALES: Mapping[str, LocaleWords] = {words.locale: words for words in (ENGLISH, CHINESE)}
"""The locales that come with the library; a host adds its own where a function takes `locales`."""
