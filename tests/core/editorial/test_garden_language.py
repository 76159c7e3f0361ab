"""Which language a garden is kept in, and on what that rests."""

from __future__ import annotations

from typing import Any

import pytest

from memgardend.core.editorial.garden_language import Basis, decide_garden_language

CHINESE = "我今天在公园里看到两只猫"
ENGLISH = "one two three four five six seven eight nine ten eleven twelve"


@pytest.mark.parametrize(
    ("said", "locale", "basis"),
    [
        ({"explicit": "en", "established": "zh-Hans", "written": CHINESE}, "en", Basis.EXPLICIT),
        ({"explicit": " ", "established": "en", "written": CHINESE}, "en", Basis.ESTABLISHED),
        ({"written": CHINESE, "locale": "en_GB.UTF-8"}, "zh-Hans", Basis.WRITING),
        ({"written": [ENGLISH[:30], ENGLISH[30:]], "locale": "zh_CN"}, "en", Basis.WRITING),
        ({"written": CHINESE[:11], "locale": "en_GB.UTF-8"}, "en", Basis.CLIENT),
        ({"written": ENGLISH + CHINESE, "locale": "zh_CN"}, "zh-Hans", Basis.CLIENT),
        ({"written": ENGLISH + CHINESE[:7]}, "en", Basis.WRITING),
        ({"written": ENGLISH + CHINESE[:8]}, "", Basis.UNDECIDED),
        ({"locale": "fr-FR"}, "fr-FR", Basis.CLIENT),
        ({"default": "en"}, "en", Basis.DEFAULT),
        ({}, "", Basis.UNDECIDED),
    ],
)
def test_the_strongest_sign_decides(said: dict[str, Any], locale: str, basis: Basis) -> None:
    decided = decide_garden_language(**said)
    assert (decided.locale, decided.basis) == (locale, basis)


def test_a_decision_says_how_sure_it_is() -> None:
    written = decide_garden_language(written=ENGLISH + CHINESE[:4])
    assert (written.evidence_units, written.confidence) == (16, 0.75)
    assert decide_garden_language(explicit="en").confidence == 1.0
    assert decide_garden_language(locale="en").confidence == 0.0
