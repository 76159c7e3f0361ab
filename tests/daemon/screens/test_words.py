"""Every word that a screen shows alone has a symbol of its own."""

from __future__ import annotations

from enum import StrEnum

import pytest

from memgardend.core.words import DreamState, Ending, WindowState
from memgardend.daemon.screens.words import mark, style


@pytest.mark.parametrize("words", [DreamState, Ending, WindowState])
def test_each_state_and_ending_has_a_symbol(words: type[StrEnum]) -> None:
    assert [word for word in words if mark(word) == "·"] == []


@pytest.mark.parametrize("word", [Ending.FAILED, Ending.QUARANTINED, Ending.MODEL_UNAVAILABLE])
def test_what_failed_is_red_whatever_failed(word: Ending) -> None:
    assert (mark(word), style(word)) == ("✗", "red")
