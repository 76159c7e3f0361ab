"""Which language a person writes, judged by the person's own turns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ENOUGH_UNITS = 12
"""Fewer word units are no evidence (memgarden, language decision)."""
ENOUGH_SHARE = 0.62
"""A smaller share of one script is no evidence (memgarden, language decision)."""

# Paths and addresses are ASCII: Chinese stands around them without a space and is prose all the same.
_NOT_PROSE = re.compile(
    r"```.*?(?:```|\Z) | `[^`\n]*` | (?<![!-~])(?:(?![/\\_@])[!-~])*+[/\\_@][!-~]*+",
    re.DOTALL | re.VERBOSE,
)
_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’][A-Za-zÀ-ɏ]+)*")
_OTHER = re.compile(r"[぀-ヿ가-힣]|[Ͱ-῿Ⰰ-⹿]+")


@dataclass(frozen=True, slots=True)
class Writing:
    """What the turns say: word units of each script, and the locale they prove, if any.

    One Chinese character is a unit, and so is one word of an alphabet; code, paths and addresses are none.
    """

    locale: str | None
    units: int
    latin: int
    han: int

    @property
    def share(self) -> float:
        """The part of the larger of the two scripts, 0 to 1."""
        return max(self.latin, self.han) / self.units if self.units else 0.0


def guess_locale(texts: Iterable[str]) -> Writing:
    """`en` or `zh-Hans` where the turns prove it, None where they are too few or too mixed.

    Latin words prove `en`, as it is the only Latin locale there is: it is a proposal for a person to confirm.
    """
    latin = han = other = 0
    for text in texts:
        prose = _NOT_PROSE.sub(" ", text)
        latin += len(_LATIN.findall(prose))
        han += len(_HAN.findall(prose))
        other += len(_OTHER.findall(prose))
    units = latin + han + other
    locale = None
    if units >= ENOUGH_UNITS and max(latin, han) >= ENOUGH_SHARE * units:
        locale = "en" if latin > han else "zh-Hans"
    return Writing(locale, units, latin, han)


def locale_of_client(language: str | None) -> str | None:
    """The locale that a machine's setting such as `en_GB.UTF-8` or `zh_CN` names; None for any other."""
    name = re.split(r"[_.\-@]", language or "", maxsplit=1)[0].lower()
    return {"en": "en", "zh": "zh-Hans"}.get(name)
