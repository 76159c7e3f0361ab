"""What prompts of the library have in common: data between fences, and how they speak of people."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from memgardend.core.clean import clean, clean_line
from memgardend.core.editorial.naming import clean_name, is_known
from memgardend.core.editorial.wording import capture
from memgardend.core.mask import mask
from memgardend.core.template import fill

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.wording.locale_words import LocaleWords

FENCE_CHARS = 16


def fenced(shown: Mapping[str, str]) -> tuple[str, str]:
    """The fence and the block of these named texts between its lines; blank ones are left out.

    Secrets are masked. The fence is a word that stands in none of the texts, as none can hold its own hash.
    """
    data = {name: mask(clean(text)).strip("\n") for name, text in shown.items() if text.strip()}
    fence = hashlib.sha256("\0".join(data.values()).encode()).hexdigest()[:FENCE_CHARS]
    parts = [f"=== {fence} {name}\n{text}" for name, text in data.items()]
    return fence, "\n".join([*parts, f"=== {fence} end"])


def people(words: LocaleWords, *, ai_name: str, user_name: str, naming_rule: str) -> dict[str, str]:
    """The values `assistant`, `person`, `the_person` and `naming`, the rule by which a card calls the person."""
    known = is_known(user_name)
    values = {
        "assistant": clean_line(ai_name) or "the assistant",
        "person": clean_line(clean_name(user_name)) if known else "the person",
        "the_person": words.the_person,
    }
    rule = fill(capture.KNOWN_NAME if known else capture.UNKNOWN_NAME, values, "naming")
    return values | {"naming": naming_rule.strip() or rule}
